"""Which tests are `fast` (every part of the package, in under a minute), which are about `bits` (what floats end in on other
processors), and which are `nightly` (slow, and not the only ones).

A line of FAST or BITS: of the tests that begin so every k-th is marked. Of NIGHTLY: every k-th stays in each run, and with 0 none.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FAST = {
    "tests/audit/test_demands.py": 1,
    "tests/audit/test_spectrum.py": 8,
    "tests/certificates/test_forgeries.py": 2,
    "tests/certificates/test_interpreter.py": 2,
    "tests/certificates/test_rocq.py::test_kinds_that_have_theorems": 1,
    "tests/certificates/test_tampering.py": 4,
    "tests/certificates/test_trials.py": 4,
    "tests/certificates/test_verify.py": 5,
    "tests/checking/test_binomial.py": 4,
    "tests/checking/test_draws.py": 1,
    "tests/checking/test_guard.py": 1,
    "tests/checking/test_ledger.py": 1,
    "tests/checking/test_planning.py": 1,
    "tests/checking/test_slopes.py": 1,
    "tests/compiled/test_counters.py": 2,
    "tests/compiled/test_elementary.py": 1,
    "tests/compiled/test_features.py": 16,
    "tests/compiled/test_kernels.py": 16,
    "tests/compiled/test_threshold.py": 4,
    "tests/conform/test_command.py": 4,
    "tests/conform/test_items.py": 16,
    "tests/docs/test_pages.py": 1,
    "tests/falsehoods/test_power.py::test_false_bounds_are_refuted": 8,
    "tests/falsehoods/test_power.py::test_true_bounds_are_not_refuted": 8,
    "tests/falsehoods/test_traps.py": 40,
    "tests/falsehoods/test_witnesses.py": 15,
    "tests/features/test_kernels.py": 5,
    "tests/language/test_draws.py": 8,
    "tests/language/test_programs.py": 40,
    "tests/proofs/test_enclosures.py": 1,
    "tests/proofs/test_falsehoods.py::test_a_twin_of_what_is_true_is_not_proved_where_it_is_violated": 20,
    "tests/proofs/test_proved.py": 5,
    "tests/reliability/test_slice.py::test_a_call_that_ends_its_process_is_noticed": 1,
    "tests/reliability/test_slice.py::test_every_program_is_python": 1,
    "tests/report/test_curves.py": 1,
    "tests/report/test_formats.py": 1,
    "tests/report/test_instance_text.py": 1,
    "tests/report/test_outcomes.py": 2,
    "tests/report/test_terminal.py": 1,
    "tests/search/test_discrete.py": 1,
    "tests/search/test_shrink.py": 1,
    "tests/settings": 1,
    "tests/sweep/test_ridge.py": 1,
    "tests/theory/test_errata_li_wang.py": 1,
    "tests/theory/test_li2021.py": 1,
    "tests/theory/test_ma2025_model.py": 1,
    "tests/theory/test_wang2019.py": 3,
    "tests/theory/test_yashima2021_sgd.py": 3,
    "tests/test_claims.py": 2,
    "tests/test_cli.py": 12,
    "tests/test_commands.py": 20,
    "tests/test_compare.py": 1,
    "tests/test_data.py": 8,
    "tests/test_domains.py": 8,
    "tests/test_exchangeable.py": 1,
    "tests/test_false_alarms.py": 6,
    "tests/test_gate.py": 1,
    "tests/test_inside_trials.py": 8,
    "tests/test_judge.py": 6,
    "tests/test_laws.py": 1,
    "tests/test_layers.py": 1,
    "tests/test_linalg.py": 1,
    "tests/test_operations.py": 8,
    "tests/test_own_files.py::test_what_a_target_means": 4,
    "tests/test_plugin.py::test_each_verdict_has_its_outcome": 1,
    "tests/test_power.py": 8,
    "tests/test_rounding.py": 4,
    "tests/test_run.py::test_exit_codes": 2,
    "tests/test_session.py": 16,
    "tests/test_statements.py": 1,
    "tests/test_tape": 4,
    "tests/test_text.py": 8,
    "tests/test_verdicts.py::test_what_says_nothing_is_vacuous": 4,
    "tests/test_words_steady.py": 4,
    "tests/test_words_undecided.py": 1,
    "tests/test_workers.py::test_workers_by_their_names": 1,
}  # fmt: skip

BITS = {
    "tests/audit/test_spectrum.py": 8,
    "tests/certificates/test_trials.py": 4,
    "tests/checking/test_binomial.py": 4,
    "tests/checking/test_bounded_mean.py": 8,
    "tests/compiled": 8,
    "tests/docs/test_examples.py::test_an_output_is_what_one_sees[README.md]": 1,
    "tests/falsehoods/test_power.py::test_false_bounds_are_refuted": 4,
    "tests/falsehoods/test_power.py::test_true_bounds_are_not_refuted": 8,
    "tests/falsehoods/test_traps.py::test_nobody_falls_into": 60,
    "tests/features": 4,
    "tests/language/test_programs.py::test_programs_compute_what_python_computes": 3,
    "tests/proofs/test_proved.py": 5,
    "tests/search": 6,
    "tests/settings": 1,
    "tests/sweep/test_ridge.py": 1,
    "tests/test_eigenvalues.py": 3,
    "tests/test_exchangeable.py": 3,
    "tests/test_false_alarms.py": 4,
    "tests/test_inside_trials.py": 8,
    "tests/test_judge.py": 4,
    "tests/test_laws.py": 4,
    "tests/test_linalg.py": 1,
    "tests/test_moments.py": 6,
    "tests/test_operations.py": 8,
    "tests/test_power.py": 8,
    "tests/test_rounding.py": 2,
    "tests/test_tape": 4,
    "tests/test_verdicts.py::test_what_is_open_is_said_to_be_open_and_why": 2,
    "tests/test_violations.py": 3,
    "tests/theory/test_li2021.py": 2,
    "tests/theory/test_liu2020.py": 4,
    "tests/theory/test_ma2025_model.py": 1,
    "tests/theory/test_wang2019.py": 3,
    "tests/theory/test_yashima2021_sgd.py": 3,
}  # fmt: skip

NIGHTLY = {
    "tests/certificates/test_rocq.py::test_coqc_accepts_on_the_axioms_of_the_reals": 0,
    "tests/certificates/test_rocq.py::test_coqc_accepts_what_the_record_says_that_it_accepted": 9,
    "tests/certificates/test_rocq.py::test_coqc_rejects": 6,
    "tests/certificates/test_rocq.py::test_of_a_proof_coqc_accepts_the_statement_on_its_set_and_nothing_else": 4,
    "tests/certificates/test_rocq.py::test_rocq_proves_what_is_proved": 4,
    "tests/conform/test_items.py::test_good_maps_hold_in_all_items": 2,
    "tests/conform/test_items.py::test_wrong_moments_are_refuted_where_they_are_wrong": 2,
    "tests/docs/test_examples.py::test_an_output_is_what_one_sees[tutorial.md]": 0,
    "tests/docs/test_notebook.py::test_the_outputs_of_the_notebook_are_what_its_cells_show": 0,
    "tests/docs/test_site.py": 0,
    "tests/falsehoods/test_power.py::test_false_bounds_are_refuted": 4,
    "tests/falsehoods/test_power.py::test_true_bounds_are_not_refuted": 8,
    "tests/falsehoods/test_traps.py::test_nobody_falls_into": 24,
    "tests/falsehoods/test_witnesses.py": 3,
    "tests/features/test_kernels.py::test_two_workers_of_the_sweep_find_a_kernel_of_ones_own": 0,
    "tests/language/test_programs.py::test_programs_compute_what_python_computes": 2,
    "tests/proofs/test_certificates.py::test_under_a_fresh_seal_nonsense_is_rejected_or_changes_nothing_that_is_said": 3,
    "tests/proofs/test_falsehoods.py::test_a_twin_of_what_is_true_is_not_proved_where_it_is_violated": 4,
    "tests/proofs/test_falsehoods.py::test_what_is_false_is_not_proved_where_it_is_violated": 6,
    "tests/proofs/test_forms.py::test_what_normal_forms_show_is_so": 5,
    "tests/proofs/test_mutations.py": 5,
    "tests/reliability/test_slice.py::test_an_interrupted_run_ends_as_an_undisturbed_one[15]": 0,
    "tests/reliability/test_slice.py::test_an_interrupted_run_ends_as_an_undisturbed_one[2]": 0,
    "tests/reliability/test_slice.py::test_nothing_goes_wrong[everywhere]": 0,
    "tests/reliability/test_slice.py::test_nothing_goes_wrong[honesty]": 0,
    "tests/reliability/test_slice.py::test_nothing_goes_wrong[inputs]": 0,
    "tests/reliability/test_slice.py::test_nothing_goes_wrong[precision]": 0,
    "tests/reliability/test_slice.py::test_nothing_goes_wrong[random_programs]": 0,
    "tests/search/test_equations.py::test_instances_are_moved_into_narrow_hypotheses": 3,
    "tests/search/test_equations.py::test_what_is_false_on_an_equation_is_refuted": 2,
    "tests/search/test_explore.py::test_ascents_go_along_hypotheses_and_jumps_of_events": 3,
    "tests/search/test_sampled.py::test_what_is_false_in_a_narrow_place_is_refuted_by_fresh_trials": 2,
    "tests/search/test_sampled.py::test_what_is_nearly_attained_is_not_refuted[1-": 0,
    "tests/test_classes.py::test_a_published_worst_case_is_exact": 3,
    "tests/test_cli.py::test_a_signature_that_cannot_be_read_costs_that_claim_alone": 4,
    "tests/test_commands.py::test_a_folder_that_is_missing_is_made": 3,
    "tests/test_judge.py::test_true_theorems_are_never_refuted[1-": 0,
    "tests/test_plugin.py::test_two_workers_of_xdist_say_the_same_as_one_process": 0,
    "tests/test_run.py::test_a_row_that_does_not_fit_is_judged_again": 6,
    "tests/test_run.py::test_a_text_that_fails_on_some_instances_costs_that_claim_alone": 6,
    "tests/test_verdicts.py::test_rates_of_sampled_means_are_decided[-0.3-Outcome.HOLDS]": 0,
    "tests/test_verdicts.py::test_trials_add_up_over_runs_at_fresh_seeds[nearly_half_on_average-6000]": 0,
}  # fmt: skip


MARKED = {"fast": FAST, "bits": BITS}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where one mark alone is asked for, a file that has no such test is not imported."""
    starts = [start.partition("::")[0] for start in MARKED.get(config.option.markexpr, ())]
    place = collection_path.relative_to(ROOT).as_posix()
    return True if starts and collection_path.suffix == ".py" and not place.startswith(tuple(starts)) else None


@pytest.hookimpl(tryfirst=True)  # before pytest selects by mark
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for mark, table in MARKED.items():
        for start, every in table.items():
            for item in _beginning(items, start)[::every]:
                item.add_marker(mark)
    for start, stays in NIGHTLY.items():
        for k, item in enumerate(_beginning(items, start)):
            if (not stays or k % stays) and not any(map(item.get_closest_marker, MARKED)):
                item.add_marker("nightly")


def _beginning(items: list[pytest.Item], start: str) -> list[pytest.Item]:
    return [item for item in items if item.nodeid.startswith(start)]
