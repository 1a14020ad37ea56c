From Coq Require Import Reals ZArith Lra Lia.
From Interval Require Import Float.Specific_stdz Float.Specific_ops Tactic.
Module Digits := SpecificFloat StdZRadix2.
Module Exactly := IntervalTactic Digits.
Import Exactly.
Open Scope R_scope.

Definition sgn (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.
Definition floor (x : R) : R := IZR (up x - 1).
Definition ceil (x : R) : R := - floor (- x).
Definition whole_power (x y : R) : R := powerRZ x (up y - 1).
Definition real_power (x y : R) : R := if Rlt_dec 0 x then Rpower x y else 0.
Definition one_if {P Q : Prop} (x : {P} + {Q}) : R := if x then 1 else 0.

Lemma floor_is (x : R) (k : Z) : IZR k <= x < IZR k + 1 -> floor x = IZR k.
Proof.
  intros h. unfold floor.
  rewrite <- (tech_up x (k + 1)); [f_equal; lia | rewrite plus_IZR; lra | rewrite plus_IZR; lra].
Qed.
Lemma ceil_is (x : R) (k : Z) : IZR k - 1 < x <= IZR k -> ceil x = IZR k.
Proof. intros h. unfold ceil. rewrite (floor_is _ (- k)); rewrite opp_IZR; lra. Qed.
Lemma whole_power_is (x y : R) (k : nat) : y = IZR (Z.of_nat k) -> whole_power x y = x ^ k.
Proof.
  intros h. unfold whole_power.
  rewrite <- (tech_up y (Z.of_nat k + 1)); [| rewrite plus_IZR; lra | rewrite plus_IZR; lra].
  replace (Z.of_nat k + 1 - 1)%Z with (Z.of_nat k) by lia. now rewrite <- pow_powerRZ.
Qed.

(* a name becomes a number of which only its bounds are known *)
Ltac forget x h := generalize h; generalize x; intros ? ?.
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
