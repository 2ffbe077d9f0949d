//! Commands and values of options that there were: what to use instead.

/// What was removed: the words of the command, an option of it with its value if it had one, and the message.
pub(super) struct Removed {
    command: &'static [&'static str],
    option: &'static [&'static str],
    /// For people: what was removed, and what to use instead.
    pub(super) message: &'static str,
}

const REMOVED: [Removed; 6] = [
    Removed {
        command: &["spec", "log"],
        option: &[],
        message: "`spec log` was removed; use `git log -p spec/`",
    },
    Removed {
        command: &["spec", "grep"],
        option: &[],
        message: "`spec grep` was removed; use `spec find`",
    },
    Removed {
        command: &["spec", "export"],
        option: &["--format", "c-header"],
        message: "the C header was removed; use `spec export --format json`",
    },
    Removed {
        command: &["show"],
        option: &["--export", "c"],
        message: "the C export was removed; use `show ID --export json`",
    },
    Removed {
        command: &["show"],
        option: &["--export", "onnx"],
        message: "the ONNX export was removed; use `show ID --export npz`",
    },
    Removed {
        command: &["spec", "verify"],
        option: &["--record"],
        message: "`spec verify --record` was removed; add the counts that `spec verify` prints to `observed:` of the clause",
    },
];

/// What these arguments, which nothing understands any more, ask for.
pub(super) fn removed(arguments: &[String]) -> Option<&'static Removed> {
    REMOVED.iter().find(|removed| {
        let is_command = arguments.iter().zip(removed.command).filter(|(a, b)| a == b).count() == removed.command.len();
        is_command && has_option(arguments, removed.option)
    })
}

fn has_option(arguments: &[String], option: &[&str]) -> bool {
    option.is_empty()
        || arguments.windows(option.len()).any(|words| words == option)
        || arguments.contains(&option.join("="))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn what_was_removed_is_gone_and_found() {
        for expected in &REMOVED {
            let words = expected.command.iter().chain(expected.option);
            let arguments: Vec<String> = words.map(|word| (*word).to_owned()).collect();
            assert!(Cli::try_parse_from(std::iter::once("dml-cts".to_owned()).chain(arguments.clone())).is_err());
            assert_eq!(removed(&arguments).unwrap().message, expected.message);
        }
        for other in [
            &["spec", "find", "log"][..],
            &["show", "--export", "json", "c"],
            &["spec"],
        ] {
            let other: Vec<String> = other.iter().map(|word| (*word).to_owned()).collect();
            assert!(removed(&other).is_none(), "{other:?}");
        }
    }
}
