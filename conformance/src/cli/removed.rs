//! Commands and values of options that there were: what to use instead.

/// What is gone: the words of the command, an option of it with its value, and the message.
pub(super) struct Removed {
    command: &'static [&'static str],
    option: Option<[&'static str; 2]>,
    /// For people: what was removed, and what to use instead.
    pub(super) message: &'static str,
}

const REMOVED: [Removed; 5] = [
    Removed {
        command: &["spec", "log"],
        option: None,
        message: "`spec log` was removed; use `git log -p spec/`",
    },
    Removed {
        command: &["spec", "grep"],
        option: None,
        message: "`spec grep` was removed; use `spec find`",
    },
    Removed {
        command: &["spec", "export"],
        option: Some(["--format", "c-header"]),
        message: "the C header was removed; use `spec export --format json`",
    },
    Removed {
        command: &["show"],
        option: Some(["--export", "c"]),
        message: "the C export was removed; use `show ID --export json`",
    },
    Removed {
        command: &["show"],
        option: Some(["--export", "onnx"]),
        message: "the ONNX export was removed; use `show ID --export npz`",
    },
];

/// What these arguments, which nothing understands any more, ask for.
pub(super) fn removed(arguments: &[String]) -> Option<&'static Removed> {
    REMOVED.iter().find(|removed| {
        let is_command = arguments.iter().zip(removed.command).filter(|(a, b)| a == b).count() == removed.command.len();
        is_command && removed.option.is_none_or(|option| has_option(arguments, option))
    })
}

fn has_option(arguments: &[String], [name, value]: [&str; 2]) -> bool {
    let joined = format!("{name}={value}");
    arguments.windows(2).any(|pair| pair == [name, value]) || arguments.contains(&joined)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn what_was_removed_is_gone_and_found() {
        for expected in &REMOVED {
            let option = expected.option.map(|[name, value]| [name.to_owned(), value.to_owned()]);
            let words = expected.command.iter().map(|word| (*word).to_owned());
            let arguments: Vec<String> = words.chain(option.into_iter().flatten()).collect();
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
