//! Commands and values of options that there were: what to use instead.

/// The words of the command, an option of it with its value if it had one, and the message: what was removed, and what
/// to use instead.
const REMOVED: [(&[&str], &[&str], &str); 8] = [
    (
        &["spec", "mutate"],
        &[],
        "`spec mutate` was removed; use `spec mutants`",
    ),
    (&["zoo"], &[], "`zoo` was removed; use `spec mutants`"),
    (&["spec", "log"], &[], "`spec log` was removed; use `git log -p spec/`"),
    (&["spec", "grep"], &[], "`spec grep` was removed; use `spec find`"),
    (
        &["spec", "export"],
        &["--format", "c-header"],
        "the C header was removed; use `spec export --format json`",
    ),
    (
        &["show"],
        &["--export", "c"],
        "the C export was removed; use `show ID --export json`",
    ),
    (
        &["show"],
        &["--export", "onnx"],
        "the ONNX export was removed; use `show ID --export npz`",
    ),
    (
        &["spec", "verify"],
        &["--record"],
        "`spec verify --record` was removed; add the counts that `spec verify` prints to `observed:` of the clause",
    ),
];

/// The message for arguments that nothing understands any more.
pub(super) fn removed(arguments: &[String]) -> Option<&'static str> {
    let has_option = |option: &[&str]| {
        option.is_empty()
            || arguments.windows(option.len()).any(|words| words == option)
            || arguments.contains(&option.join("="))
    };
    let is_asked = |(command, option, _): &&(&[&str], &[&str], _)| {
        arguments.iter().take(command.len()).eq(command.iter()) && has_option(option)
    };
    REMOVED.iter().find(is_asked).map(|(_, _, message)| *message)
}
