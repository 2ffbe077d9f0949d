//! Programs under test, as people start them: `dml-cts run --backend exec:…`.
//!
//! This program is one of them: started with a fault as its argument, it serves the CPU backend with that fault.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod adapters;
mod common;
mod explained;
#[path = "../faulty/mod.rs"]
mod faulty;
mod running;
mod saving;
mod storing;

use std::process::ExitCode;

use libtest_mimic::Trial;

use self::{
    adapters::{
        a_program_without_its_specification_says_how_to_get_it, another_crate_has_the_whole_suite,
        exported_rules_judge_as_the_suite_does, mistakes_in_the_protocol_are_explained, numpy_reads_an_archive,
        the_c_adapter_needs_nothing_but_a_compiler, the_numpy_adapter_passes, the_schema_describes_what_is_said,
    },
    common::{compiler, python_with},
    explained::{mistakes, who_makes_no_mistake_is_conformant},
    faulty::{tests, trial, trial_that_needs},
    running::{
        a_bad_program_gets_exactly_what_it_deserves, a_debugger_has_all_the_time_it_needs,
        a_program_cannot_excuse_itself, a_program_that_dies_at_its_start_says_why,
        a_program_that_dies_in_every_case_is_blamed, a_program_that_skips_everything_is_incomplete,
        a_program_without_operators_is_incomplete, nothing_that_is_printed_reaches_the_terminal,
    },
    saving::{
        an_accepted_fault_blames_what_refuses_it, failures_are_saved_small_and_run_again,
        failures_that_are_known_do_not_fail_a_run, random_cases_find_what_is_bad,
        what_is_flaky_is_saved_with_what_came_before, what_is_inconsistent_around_nan_is_saved_and_fails_nothing,
    },
    storing::{shards_with_failures_are_the_whole_run, what_no_refusal_lacks_is_blamed},
};

#[cfg(target_os = "linux")]
use self::running::a_program_without_room_says_why;

fn main() -> ExitCode {
    faulty::main(trials)
}

fn trials() -> Vec<Trial> {
    let tests = tests![
        a_bad_program_gets_exactly_what_it_deserves,
        failures_are_saved_small_and_run_again,
        what_is_inconsistent_around_nan_is_saved_and_fails_nothing,
        an_accepted_fault_blames_what_refuses_it,
        what_is_flaky_is_saved_with_what_came_before,
        failures_that_are_known_do_not_fail_a_run,
        shards_with_failures_are_the_whole_run,
        what_no_refusal_lacks_is_blamed,
        random_cases_find_what_is_bad,
        a_debugger_has_all_the_time_it_needs,
        a_program_without_operators_is_incomplete,
        a_program_that_skips_everything_is_incomplete,
        a_program_cannot_excuse_itself,
        a_program_that_dies_in_every_case_is_blamed,
        a_program_that_dies_at_its_start_says_why,
        nothing_that_is_printed_reaches_the_terminal,
        mistakes_in_the_protocol_are_explained,
        another_crate_has_the_whole_suite,
    ];
    let mut trials: Vec<Trial> = tests.into_iter().map(trial).collect();
    #[cfg(target_os = "linux")]
    trials.extend(tests![a_program_without_room_says_why].into_iter().map(trial));
    for (needed, tests) in [
        (
            compiler(),
            tests![
                the_c_adapter_needs_nothing_but_a_compiler,
                the_schema_describes_what_is_said
            ],
        ),
        (
            python_with("json"),
            tests![
                exported_rules_judge_as_the_suite_does,
                a_program_without_its_specification_says_how_to_get_it
            ],
        ),
        (
            python_with("numpy"),
            tests![
                the_numpy_adapter_passes,
                numpy_reads_an_archive,
                who_makes_no_mistake_is_conformant
            ],
        ),
    ] {
        trials.extend(tests.into_iter().map(|test| trial_that_needs(&needed, test)));
    }
    let numpy = python_with("numpy");
    trials.extend(mistakes().into_iter().map(|(name, test)| {
        let name = format!("{name} has the name that it should");
        trial_that_needs(&numpy, (&name, test))
    }));
    trials
}
