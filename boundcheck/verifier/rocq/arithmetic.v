(* theorems: what is supposed is taken apart, and each part of what is claimed is arithmetic *)
Lemma and_then (P Q : Prop) : P -> (P -> Q) -> P /\ Q.
Proof. tauto. Qed.
Lemma regrouped (P Q S : Prop) : P /\ (Q /\ S) -> (P /\ Q) /\ S.
Proof. tauto. Qed.
Ltac opened := intros; repeat match goal with
  | h : _ /\ _ |- _ => destruct h
  | h : whole _ |- _ => clear h
  | h : IZR _ <= IZR _ |- _ => clear h
  | h : IZR _ < IZR _ |- _ => clear h end; unfold matrix; cbn [nth Nat.mul Nat.add].
Ltac each tac := lazymatch goal with
  | |- (_ /\ _) /\ _ => apply regrouped; each tac
  | |- _ /\ _ => apply and_then; [tac | intros; each tac]
  | |- _ => tac end.

(* functions *)
Lemma ln_is_positive (x : R) : 1 < x -> 0 < ln x.
Proof. intros h. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln_is_nonnegative (x : R) : 1 <= x -> 0 <= ln x.
Proof. intros [h | <-]; [left; now apply ln_is_positive | rewrite ln_1; lra]. Qed.
Lemma ln_increases (x y : R) : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros h [l | <-]; [left; now apply ln_increasing | right; reflexivity]. Qed.
Lemma exp_increases (x y : R) : x <= y -> exp x <= exp y.
Proof. intros [l | <-]; [left; now apply exp_increasing | right; reflexivity]. Qed.
Lemma quotients_compare (a b c d : R) : 0 <= a -> a <= c -> 0 < d -> d <= b -> a / b <= c / d.
Proof.
  intros ha hc hd hb. unfold Rdiv.
  apply Rmult_le_compat; [assumption | left; apply Rinv_0_lt_compat; lra | assumption | now apply Rinv_le_contravar].
Qed.
Lemma quotient_is_nonnegative (a b : R) : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros ha hb. apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat]. Qed.
Lemma quotient_below (a b c : R) : 0 < b -> a <= c * b -> a / b <= c.
Proof. intros hb h. apply (Rmult_le_reg_r b); [assumption |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma quotient_above (a b c : R) : 0 < b -> c * b <= a -> c <= a / b.
Proof. intros hb h. apply (Rmult_le_reg_r b); [assumption |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma quotient_strictly_above (a b c : R) : 0 < b -> c * b < a -> c < a / b.
Proof. intros hb h. apply (Rmult_lt_reg_r b); [assumption |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma ln_of_root (x : R) : 0 < x -> ln (sqrt x) = ln x / 2.
Proof. intros h. rewrite <- (sqrt_sqrt x) at 2 by lra. rewrite ln_mult; [lra | |]; now apply sqrt_lt_R0. Qed.
Lemma ln_of_quotient (a b : R) : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof. intros ha hb. unfold Rdiv. rewrite ln_mult, ln_Rinv; [ring | assumption | assumption | now apply Rinv_0_lt_compat]. Qed.
Lemma ln_of_power (x : R) (k : nat) : 0 < x -> ln (x ^ k) = INR k * ln x.
Proof.
  intros h. induction k as [| k IH]; [simpl; rewrite ln_1; ring |].
  rewrite S_INR. simpl. rewrite ln_mult; [rewrite IH; ring | assumption | now apply pow_lt].
Qed.
Lemma equal_squares (x y : R) : 0 <= x -> 0 <= y -> x * x = y * y -> x = y.
Proof. intros hx hy h. now apply Rsqr_inj. Qed.
Lemma power_is_positive (x y : R) : 0 < x -> 0 < power x y.
Proof. intros h. rewrite power_is_exp by assumption. apply exp_pos. Qed.
Lemma ln_of_real_power (x y : R) : 0 < x -> ln (power x y) = y * ln x.
Proof. intros h. rewrite power_is_exp by assumption. apply ln_exp. Qed.

(* 0 < x, 0 <= x, x <> 0 by what x is made of *)
Ltac of_numbers := tryif match goal with x : R |- ?g => match g with context [x] => idtac end end then fail else interval with (i_prec 60).
Ltac signed := first [assumption | lra | of_numbers | match goal with
  | |- 0 < 1 => lra
  | |- ?x <> 0 => first [apply Rgt_not_eq; signed | apply Rlt_not_eq; signed]
  | |- ?x > 0 => change (0 < x); signed
  | |- 0 < exp _ => apply exp_pos
  | |- 0 <= exp _ => left; apply exp_pos
  | |- 0 < power _ _ => apply power_is_positive; signed
  | |- 0 <= power _ _ => left; apply power_is_positive; signed
  | |- 0 < sqrt _ => apply sqrt_lt_R0; signed
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 < ln _ => apply ln_is_positive; compared
  | |- 0 <= ln _ => apply ln_is_nonnegative; compared
  | |- 0 < ?a * ?b => apply Rmult_lt_0_compat; signed
  | |- 0 <= ?a * ?a => apply Rle_0_sqr
  | |- 0 <= ?a * ?b => apply Rmult_le_pos; signed
  | |- 0 < ?a / ?b => apply Rdiv_lt_0_compat; signed
  | |- 0 < / ?b => apply Rinv_0_lt_compat; signed
  | |- 0 <= ?a / ?b => apply quotient_is_nonnegative; signed
  | |- 0 < ?a ^ _ => apply pow_lt; signed
  | |- 0 <= ?a ^ 2 => apply pow2_ge_0
  | |- 0 <= ?a ^ _ => apply pow_le; signed
  | |- 0 < ?a + ?b => first [apply Rplus_lt_le_0_compat; signed | apply Rplus_le_lt_0_compat; signed]
  | |- 0 <= ?a + ?b => apply Rplus_le_le_0_compat; signed
  | |- 0 < Rmax ?a ?b => first [apply (Rlt_le_trans _ a _); [signed | apply Rmax_l] | apply (Rlt_le_trans _ b _); [signed | apply Rmax_r]]
  | |- 0 <= Rmax ?a ?b => first [apply (Rle_trans _ a _); [signed | apply Rmax_l] | apply (Rle_trans _ b _); [signed | apply Rmax_r]]
  end | interval with (i_prec 40) | nra]
(* x < c, x <= c by what x is made of *)
with compared := first [lra | match goal with
  | |- _ < ?a / ?b => apply quotient_strictly_above; [signed | compared]
  | |- _ <= ?a / ?b => apply quotient_above; [signed | compared]
  | |- context [sqrt ?x] => is_var x; let h := fresh in assert (h : 0 <= x) by lra;
      pose proof (sqrt_sqrt x h); pose proof (sqrt_pos x); nra
  end | interval with (i_prec 40) | nra].

(* both sides are made alike: what stands in them is compared *)
Ltac alike leaf := first [apply Rle_refl | lra | match goal with
  | |- ?a * ?b <= ?c * ?b => apply Rmult_le_compat_r; [signed | alike leaf]
  | |- ?a * ?b <= ?a * ?c => apply Rmult_le_compat_l; [signed | alike leaf]
  | |- ?a / ?x * ?b <= ?c / ?x => replace (a / x * b) with (a * b / x) by (unfold Rdiv; ring);
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; signed | alike leaf]
  | |- ?a * ?b <= ?c * ?d => apply Rmult_le_compat; [signed | signed | alike leaf | alike leaf]
  | |- ln _ <= ln _ => apply ln_increases; [signed | alike leaf]
  | |- sqrt _ <= sqrt _ => apply sqrt_le_1_alt; alike leaf
  | |- exp _ <= exp _ => apply exp_increases; alike leaf
  | |- ?a / ?c <= ?b / ?c => apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; signed | alike leaf]
  | |- ?a / ?b <= ?c / ?d => apply quotients_compare; [signed | alike leaf | signed | alike leaf]
  | |- ?a + ?b <= ?c + ?d => apply Rplus_le_compat; alike leaf
  end | leaf].

(* polynomials in what inputs are above their bounds: a sum of terms that are not negative *)
Ltac shifted := repeat match goal with
  | h : ~ _ <= _ |- _ => apply Rnot_le_lt in h
  | h : ~ _ < _ |- _ => apply Rnot_lt_le in h end; weakened; repeat match goal with
  | h : ?a <= ?x |- _ => is_var a; is_var x; let d := fresh in let e := fresh in
      remember (x - a) as d eqn:e; assert (0 <= d) by lra; assert (x = a + d) by lra; clear e h; subst x
  end; repeat match goal with
  | h : ?a <= ?x |- _ => is_var x; lazymatch a with 0 => fail | _ => idtac end;
      let d := fresh in let e := fresh in
      remember (x - a) as d eqn:e; assert (0 <= d) by lra; assert (x = a + d) by lra; clear e h; subst x
  end.

(* bounds of both sides on boxes that are cut; a logarithm or root of an input alone is the variable in its place *)
Ltac fresh_of x := lazymatch goal with _ : _ <= x <= _ |- _ => fail | _ => idtac end.
Ltac charted := repeat match goal with
  | |- context [ln ?x] => is_var x; fresh_of x; let h := fresh in
      interval_intro (ln x) with (i_prec 60) as h; revert h; generalize (ln x); intros
  | |- context [sqrt ?x] => is_var x; fresh_of x; let h := fresh in
      interval_intro (sqrt x) with (i_prec 60) as h; revert h; generalize (sqrt x); intros
  end.
Ltac onesided := match goal with
  | |- 0 <= _ => idtac | |- 0 < _ => idtac
  | |- _ <= _ => apply Rminus_le | |- _ < _ => apply Rminus_lt end.
Ltac halved := match goal with
  | x : R, y : R, z : R, u : R |- _ => interval with (i_bisect x, i_bisect y, i_bisect z, i_bisect u, i_depth 12, i_prec 40)
  | x : R, y : R, z : R |- _ => interval with (i_bisect x, i_bisect y, i_bisect z, i_depth 12, i_prec 40)
  | x : R, y : R |- _ => interval with (i_bisect x, i_bisect y, i_depth 12, i_prec 40)
  | x : R |- _ => interval with (i_bisect x, i_depth 30, i_prec 60)
  | |- _ => interval with (i_prec 60) end.
Ltac boxed := weakened; try charted; onesided;
  repeat match goal with x : R |- ?g => lazymatch g with context [x] => fail | _ => clear dependent x end end;
  halved.

(* 0 <= b - a over a common denominator *)
Ltac terms := repeat match goal with
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat
  | |- 0 <= _ * _ => apply Rmult_le_pos
  | |- 0 <= _ ^ _ => apply pow_le
  end; lra.
Ltac polynomial := match goal with |- ?a <= ?b => cut (0 <= b - a); [lra |] end;
  field_simplify; [| signed ..];
  match goal with
  | |- 0 <= ?n / ?d => apply quotient_is_nonnegative; [first [terms | boxed] | first [terms | signed]]
  | |- _ => terms end.

(* roots of inputs are the variables in their place; a square of a modulus is one of the number *)
Ltac logs := repeat match goal with
  | |- context [ln (?a / ?b)] => rewrite (ln_of_quotient a b) by signed
  | |- context [ln (/ ?a)] => rewrite (ln_Rinv a) by signed
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by signed
  | |- context [ln (sqrt ?a)] => rewrite (ln_of_root a) by signed
  | |- context [ln (?a ^ ?k)] => rewrite (ln_of_power a k) by signed
  | |- context [ln (power ?a ?b)] => rewrite (ln_of_real_power a b) by signed
  | |- context [ln (exp ?a)] => rewrite (ln_exp a)
  | |- context [ln 1] => rewrite ln_1
  | h : context [ln (?a / ?b)] |- _ => rewrite (ln_of_quotient a b) in h by signed
  | h : context [ln (/ ?a)] |- _ => rewrite (ln_Rinv a) in h by signed
  | h : context [ln (?a * ?b)] |- _ => rewrite (ln_mult a b) in h by signed
  | h : context [ln (sqrt ?a)] |- _ => rewrite (ln_of_root a) in h by signed
  | h : context [ln (?a ^ ?k)] |- _ => rewrite (ln_of_power a k) in h by signed
  | h : context [ln 1] |- _ => rewrite ln_1 in h
  | |- context [exp (ln ?a)] => rewrite (exp_ln a) by signed
  end; cbn [INR].
Ltac roots := repeat match goal with
  | |- context [sqrt (?a * ?b)] => rewrite (sqrt_mult a b) by signed
  | |- context [sqrt (?a / ?b)] => rewrite (sqrt_div a b) by signed
  | |- context [Rabs ?x ^ 2] => rewrite (pow2_abs x)
  end; repeat match goal with
  | |- context [sqrt ?x] =>
      let h := fresh in assert (h : 0 <= x) by signed;
      pose proof (sqrt_sqrt x h); pose proof (sqrt_pos x); generalize dependent (sqrt x); intros;
      try (match goal with e : ?y * ?y = x |- _ => is_var x; try (match goal with l : x <= 1 |- _ => assert (y <= 1) by nra end); subst x end)
  end.
Ltac moduli := repeat match goal with
  | |- context [Rabs ?x] => rewrite <- ?(pow2_abs x); pose proof (Rabs_pos x); generalize dependent (Rabs x); intros
  end.
Ltac modulo_roots := first [field | field_simplify_eq; [
  repeat match goal with
  | e : ?a * ?a = ?b |- context [?a ^ 2] => replace (a ^ 2) with b by (rewrite <- e; ring)
  | e : ?a * ?a = ?b |- context [?a ^ 3] => replace (a ^ 3) with (a * b) by (rewrite <- e; ring)
  | e : ?a * ?a = ?b |- context [?a ^ 4] => replace (a ^ 4) with (b * b) by (rewrite <- e; ring)
  | e : ?a * ?a = ?b |- context [?a ^ 6] => replace (a ^ 6) with (b * b * b) by (rewrite <- e; ring)
  end; field |]]; repeat split; signed.

Ltac slope := lazymatch goal with |- _ / ?d <= _ => try (match goal with x : R |- _ => lazymatch d with context [x] => fail 2 end end) end;
  logs; apply quotient_below; [signed | first [right; field; repeat split; signed | boxed]].
Ltac prime_logs := repeat match goal with |- context [ln (IZR (Zpos ?n))] =>
  let split p :=
    let m := eval compute in (Z.div (Zpos n) p) in let r := eval compute in (Z.mul m p) in
    constr_eq r (Zpos n); lazymatch m with 1%Z => fail | _ => idtac end;
    replace (IZR (Zpos n)) with (IZR p * IZR m) by (rewrite <- mult_IZR; reflexivity); rewrite (ln_mult (IZR p) (IZR m)) by lra
  in first [split 2%Z | split 3%Z | split 5%Z | split 7%Z] end.
Ltac extremes := repeat match goal with
  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_right a b) by of_numbers | rewrite (Rmax_left a b) by of_numbers]
  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_right a b) by of_numbers | rewrite (Rmin_left a b) by of_numbers]
  end.
Ltac by_logs := match goal with |- _ = _ => apply ln_inv end; [signed | signed |]; extremes; logs; prime_logs; field; repeat split; signed.
Ltac expanded := repeat match goal with
  | |- context [cos (?a * (?b - ?c))] => replace (a * (b - c)) with (a * b - a * c) by ring
  | |- context [cos (?a - ?b)] => rewrite (cos_minus a b)
  | |- context [cos (?a + ?b)] => rewrite (cos_plus a b)
  end.
Ltac angles := match goal with |- context [cos _] => idtac end;
  repeat match goal with |- context [sin ?t ^ 2] =>
    replace (sin t ^ 2) with (1 - cos t ^ 2) by (pose proof (sin2_cos2 t); unfold Rsqr in *; lra) end;
  first [field | expanded; field]; repeat split; signed.
Ltac squares := logs; roots; apply equal_squares; [signed | signed | modulo_roots].
(* by kinds: rational functions; those with roots, moduli and larger ones; those with logarithms and exponentials *)
Ltac rational := first [lra | solve [field; nonzero] | solve [shifted; polynomial] | solve [boxed] | nra | fraction
  | solve [rooted; divided; nra]].
Ltac algebraic := first [lra | solve [field; nonzero] | solve [signs; solve [shifted; polynomial]] | solve [alike rational]
  | solve [weakened; moduli; roots; first [modulo_roots | polynomial | nra]]
  | solve [boxed] | solve [by_logs] | solve [signs; lra]
  | signs; solve [rooted; first [nra | solve [field_simplify_eq; [nra | nonzero]] | solve [fraction] | divided; nra]]].
Ltac transcendental := first [lra | solve [field; nonzero] | solve [slope]
  | solve [weakened; alike ltac:(interval with (i_prec 40))] | solve [boxed]
  | solve [alike ltac:(first [lra | solve [shifted; polynomial] | boxed])]
  | solve [logs; first [modulo_roots | lra | boxed]]
  | solve [angles] | solve [by_logs] | solve [squares]
  | solve [signs; lra]].
Ltac established judged := opened; each ltac:(idtac; lazymatch goal with
  | |- _ <> 0 => signed
  | |- 0 < _ => first [solve [signed] | judged]
  | |- 0 <= _ => first [solve [signed] | judged]
  | |- _ => judged end).
