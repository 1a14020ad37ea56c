From Coq Require Import Reals ZArith List Lra Lia.
From Interval Require Import Float.Specific_stdz Float.Specific_ops Tactic.
Module Digits := SpecificFloat StdZRadix2.
Module Exactly := IntervalTactic Digits.
Import Exactly.
Open Scope R_scope.

Definition sgn (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.
Definition floor (x : R) : R := IZR (up x - 1).
Definition ceil (x : R) : R := - floor (- x).
Definition power (x y : R) : R := if Req_EM_T y (IZR (up y - 1)) then powerRZ x (up y - 1)
  else if Rlt_dec 0 x then Rpower x y else 0.
Definition one_if {P Q : Prop} (x : {P} + {Q}) : R := if x then 1 else 0.
Definition whole (x : R) : Prop := exists k : Z, x = IZR k.
Definition matrix (columns : nat) (entries : list R) (i j : nat) : R := nth (i * columns + j) entries 0.
Fixpoint sum (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum m f + f m end.
Definition psd (n : nat) (A : nat -> nat -> R) : Prop := (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i)
  /\ forall x : nat -> R, 0 <= sum n (fun i => sum n (fun j => x i * A i j * x j)).

Lemma floor_is (x : R) (k : Z) : IZR k <= x < IZR k + 1 -> floor x = IZR k.
Proof.
  intros h. unfold floor.
  rewrite <- (tech_up x (k + 1)); [f_equal; lia | rewrite plus_IZR; lra | rewrite plus_IZR; lra].
Qed.
Lemma ceil_is (x : R) (k : Z) : IZR k - 1 < x <= IZR k -> ceil x = IZR k.
Proof. intros h. unfold ceil. rewrite (floor_is _ (- k)); rewrite opp_IZR; lra. Qed.
Lemma power_is_whole (x y : R) (k : nat) : y = IZR (Z.of_nat k) -> power x y = x ^ k.
Proof.
  intros h. unfold power.
  assert (e : (up y - 1)%Z = Z.of_nat k)
    by (rewrite <- (tech_up y (Z.of_nat k + 1)); [lia | rewrite plus_IZR; lra | rewrite plus_IZR; lra]).
  rewrite e. destruct Req_EM_T; [now rewrite <- pow_powerRZ | contradiction].
Qed.
Lemma power_is_exp (x y : R) : 0 < x -> power x y = exp (y * ln x).
Proof.
  intros h. unfold power. destruct Req_EM_T as [e | _].
  - rewrite powerRZ_Rpower by assumption. now rewrite <- e.
  - now destruct Rlt_dec.
Qed.

(* a name becomes a number of which only its bounds are known *)
Ltac forget h := match type of h with _ <= ?x <= _ => generalize h; generalize x; intros ? ? end.
Ltac decided := repeat match goal with
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b) end.
Ltac plain := rewrite ?Rplus_0_r, ?exp_0, ?ln_1, ?sin_0, ?cos_0, ?tan_0, ?atan_0; lra.
Ltac exactly := first [lra | field | solve [plain] | solve [apply sqrt_lem_1; lra]
  | solve [unfold Rabs; destruct Rcase_abs; lra] | solve [decided; lra]
  | solve [interval with (i_prec PRECISION)] | solve [split; interval with (i_prec PRECISION)]].
Ltac enclosed := first [interval with (i_prec PRECISION) | lra | solve [decided; lra]
  | solve [decided; try lra; interval with (i_prec PRECISION)]].
Ltac exactly_known h := rewrite h; simpl; lra.

(* x'Ax as a sum of squares *)
Lemma square_is_positive (d y : R) : 0 <= d -> 0 <= d * (y * y).
Proof. intros h. apply Rmult_le_pos; [exact h | apply Rle_0_sqr]. Qed.
Ltac cases i n := match n with O => exfalso; lia | S ?m => destruct i as [| i]; [| cases i m] end.
Ltac written := cbn [matrix sum nth Nat.mul Nat.add].
Ltac symmetric n := let i := fresh in let j := fresh in intros i j ? ?; cases i n; cases j n; written.

(* theorems: what is supposed is taken apart, and what is left is arithmetic *)
Ltac supposed := intros; repeat match goal with h : _ /\ _ |- _ => destruct h end;
  repeat match goal with |- _ /\ _ => split end; intros; unfold matrix; cbn [nth Nat.mul Nat.add].
Ltac weakened := repeat match goal with h : ?x < ?y |- _ =>
  lazymatch goal with _ : x <= y |- _ => fail | _ => pose proof (Rlt_le x y h) end end.
Ltac nonzero := repeat split; first [assumption | lra | nra
  | match goal with h : ?x <> 0 |- ?y <> 0 => intros e; apply h; first [lra | nra] end].
Ltac rooted := repeat match goal with |- context [sqrt ?x] =>
  let h := fresh in assert (h : 0 <= x) by first [assumption | lra | nra];
  pose proof (sqrt_sqrt x h); pose proof (sqrt_pos x); generalize dependent (sqrt x); intros end.
Ltac divided := repeat match goal with |- context [?x / ?y] =>
  lazymatch x with context [_ / _] => fail | _ => idtac end;
  lazymatch y with context [_ / _] => fail | _ => idtac end;
  let h := fresh in assert (h : 0 < y) by first [lra | nra];
  let e := fresh in assert (e : x / y * y = x) by (field; lra);
  generalize dependent (x / y); intros end.
Ltac fraction := apply Rminus_le; field_simplify; [| nonzero ..];
  match goal with |- ?n / ?d <= 0 => apply (Rmult_le_reg_r d); [nra |];
    replace (n / d * d) with n by (field; nonzero); rewrite Rmult_0_l; nra end.
Ltac signs := unfold Rabs, Rmax, Rmin, one_if in *; decided; repeat destruct Rcase_abs; try (exfalso; lra).
Ltac shown cuts := supposed; first [lra | solve [field; nonzero] | solve [signs; lra]
  | signs; solve [rooted; first [nra | solve [field_simplify_eq; [nra | nonzero]] | solve [fraction] | divided; nra]]
  | weakened; cuts].
