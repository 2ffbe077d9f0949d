//! Putting the questions to one library, which may crash over any of them.

use std::fmt;

use dml_ops::{Answer, Job, Loss, Session, Unavailable};
use dml_spec::FeatureLevel;

use super::Questions;

/// What a library did with a descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The operator was created.
    Accepted,
    /// It was refused, with this HRESULT.
    Rejected(Option<u32>),
    /// The library could not be asked.
    NotAsked(String),
    /// The library ended the process that asked it.
    Crashed(String),
    /// It answered with something else.
    Broken(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted => write!(f, "accepted"),
            Self::Rejected(Some(code)) => write!(f, "rejected with {code:#010x}"),
            Self::Rejected(None) => write!(f, "rejected"),
            Self::NotAsked(why) => write!(f, "not asked ({why})"),
            Self::Crashed(message) => write!(f, "crashed ({message})"),
            Self::Broken(message) => write!(f, "no verdict ({message})"),
        }
    }
}

impl Reply {
    /// Whether it was refused; `None` where that is not known.
    pub fn rejected(&self) -> Option<bool> {
        match self {
            Self::Accepted => Some(false),
            Self::Rejected(_) => Some(true),
            Self::NotAsked(_) | Self::Crashed(_) | Self::Broken(_) => None,
        }
    }

    /// Whether it was asked, whatever came of it.
    pub fn was_asked(&self) -> bool {
        !matches!(self, Self::NotAsked(_))
    }
}

/// Asks about every descriptor that is wanted. A library that crashes is started again.
///
/// # Errors
/// Where it does not come back.
pub fn ask(
    questions: &Questions,
    level: FeatureLevel,
    session: &mut dyn Session,
    wanted: &dyn Fn(usize) -> bool,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Reply>, Unavailable> {
    let mut replies = Vec::with_capacity(questions.descriptors.len());
    for (number, descriptor) in questions.descriptors.iter().enumerate() {
        if !wanted(number) {
            replies.push(Reply::NotAsked("not wanted".to_owned()));
            continue;
        }
        let job = Job {
            id: number as u64 + 1,
            feature_level: level,
            descriptor: descriptor.clone(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            aliases: Box::default(),
        };
        replies.push(match session.create(&job) {
            Answer::Created | Answer::Executed { .. } => Reply::Accepted,
            Answer::Rejected(rejection) => Reply::Rejected(rejection.hresult),
            Answer::Skipped { reason } => Reply::NotAsked(reason),
            Answer::Error { message } | Answer::Malformed { message } => Reply::Broken(message),
            Answer::Lost {
                how: Loss::Crash,
                message,
            } => {
                session.reset()?;
                Reply::Crashed(message)
            }
            Answer::DeviceLost { message } | Answer::Lost { message, .. } => {
                session.reset()?;
                Reply::Broken(message)
            }
        });
        progress(number + 1);
    }
    Ok(replies)
}
