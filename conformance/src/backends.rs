//! The backends: those that are built in, by name, and programs.

use std::{
    env, fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, OnceLock, atomic::AtomicU32},
    time::Duration,
};

use anyhow::Context;
use dml_case::nearest::excerpt;
use dml_ops::{Backend, Info, Levels, Session, Unavailable, Validator};
use dml_run::{
    process::{Limits, Process, Program, StartError, Trace},
    reference::{self, Reference},
};
use dml_spec::{Catalog, FeatureLevel};

/// Makes the backend of a crate that this one is a guest of.
pub(crate) type Guest = Box<dyn Fn() -> Box<dyn Backend> + Send + Sync>;

static GUEST: OnceLock<Guest> = OnceLock::new();

/// Adds a backend of another crate; it is the one that is tested if none is named. There can be one.
pub fn add_guest(guest: Guest) {
    // Whoever comes second is no backend of this program.
    let _ = GUEST.set(guest);
}

/// Whether a backend of another crate is tested.
pub fn is_guest() -> bool {
    GUEST.get().is_some()
}

/// Name of the backend that is tested if none is named.
pub fn default_name() -> String {
    GUEST
        .get()
        .map_or_else(|| "cpu".to_owned(), |guest| guest().info().name)
}

/// Every backend there is, in the order of lists.
pub fn all() -> Vec<Box<dyn Backend>> {
    let guest = GUEST.get().map(|guest| guest());
    guest.into_iter().chain(built_in()).collect()
}

fn built_in() -> Vec<Box<dyn Backend>> {
    vec![
        Box::new(dml_cpu::backend()),
        Box::new(Reference::default()),
        #[cfg(feature = "wgpu")]
        Box::<dml_wgpu::Wgpu>::default(),
        #[cfg(feature = "directml")]
        Box::new(directml(&Choice::default())),
    ]
}

/// Name of the backend that an adapter can be chosen for.
pub const WITH_ADAPTER: &str = "wgpu";

/// Name of the backend that a library can be chosen for.
pub const WITH_LIBRARY: &str = "directml";

/// Backends that need a feature of the same name, and whether this program has it.
const OPTIONAL: [(&str, bool); 2] = [
    (WITH_ADAPTER, cfg!(feature = "wgpu")),
    (WITH_LIBRARY, cfg!(feature = "directml")),
];

/// A backend that this program was built without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("backend {0} is not compiled in; build with `cargo run --release --features {0} -- …`")]
pub struct NotCompiled(pub &'static str);

/// The backends that this program was built without.
pub fn not_compiled() -> impl Iterator<Item = NotCompiled> {
    let missing = OPTIONAL.into_iter().filter(|(_, is_compiled)| !is_compiled);
    missing.map(|(name, _)| NotCompiled(name))
}

/// Checks that this program has the backend, if it is one that needs a feature.
///
/// # Errors
/// If the feature is missing.
pub fn require_compiled(name: &str) -> Result<(), NotCompiled> {
    not_compiled().find(|missing| missing.0 == name).map_or(Ok(()), Err)
}

/// What a backend is to use, if it can use more than one thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The adapter of wgpu.
    pub adapter: Option<String>,
    /// The library of directml.
    pub library: Option<PathBuf>,
    /// The device of directml.
    pub device: Option<String>,
    /// D3D12's library, for directml.
    pub d3d12: Option<PathBuf>,
    /// Feature level that a library must have.
    pub level: Option<FeatureLevel>,
    /// What reference answers by.
    pub specification: Option<Arc<Catalog>>,
}

/// The backend directml with the library that was chosen, else the newest one fetched, else the system's.
#[cfg(feature = "directml")]
fn directml(choice: &Choice) -> dml_directml::DirectMl {
    use dml_directml::{DeviceChoice, DirectMl, LIBRARY, Options};

    let fetched = || {
        dml_run::directml::fetched(std::env::consts::OS)
            .pop()
            .map(|(_, path)| path)
    };
    let device = choice.device.as_ref().and_then(|device| device.parse().ok());
    DirectMl::new(Options {
        library: choice
            .library
            .clone()
            .or_else(fetched)
            .unwrap_or_else(|| LIBRARY.into()),
        device: device.unwrap_or_else(|| DeviceChoice::usual(choice.d3d12.as_deref())),
        d3d12: choice.d3d12.clone(),
        limit: DEVICE,
        level: choice.level,
        scratch: env::temp_dir(),
    })
}

/// What a device may take for a batch. A worker is ended by `--timeout`, this is for runs without one.
#[cfg(feature = "directml")]
const DEVICE: Duration = Duration::from_secs(3600);

/// What a process may take at least until it says `hello`: it loads libraries and opens a device. The help texts of
/// `--timeout` name it.
const START: Duration = Duration::from_secs(30);

/// Why a name leads to no backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// There is no backend of this name.
    #[error("unknown backend `{name}`; expected {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// Names that exist.
        known: Vec<String>,
    },
    /// It needs a feature.
    #[error(transparent)]
    NotCompiled(#[from] NotCompiled),
}

/// Marks a backend that is a program.
const PROGRAM: &str = "exec:";

/// What is to be tested: `cpu`, or `exec:PROGRAM ARGS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// A backend that is built in, by name.
    BuiltIn(String),
    /// A program that speaks protocol 1: its words, as a POSIX shell cuts them; there is at least one.
    Program(Vec<String>),
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => f.write_str(name),
            Self::Program(words) => write!(f, "{PROGRAM}{}", shell_words::join(words)),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(command) = text.strip_prefix(PROGRAM) else {
            find(text).map_err(|error| match error {
                FindError::Unknown { .. } => format!("{error}; a program is `{PROGRAM}PROGRAM ARGS`"),
                FindError::NotCompiled(_) => error.to_string(),
            })?;
            return Ok(Self::BuiltIn(text.to_owned()));
        };
        match shell_words::split(command) {
            Ok(words) if words.is_empty() => Err(format!("`{PROGRAM}` names no program")),
            Ok(words) => Ok(Self::Program(words)),
            Err(_) => Err(format!("a quote in `{command}` is not closed")),
        }
    }
}

/// How a backend in another process is started and watched.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What requests and answers are written by.
    pub catalog: Arc<Catalog>,
    /// The longest that it may take from one answer to the next.
    pub timeout: Duration,
    /// Bytes of address space that it may have.
    pub memory: Option<u64>,
    /// Where the conversation is kept.
    pub trace: Option<Trace>,
    /// Where the number of the process that was started last is kept, if anyone asks.
    pub started: Option<Arc<AtomicU32>>,
}

impl Watch {
    /// With the limit of time that holds if none is named, and no other.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            timeout: Duration::from_secs(60),
            memory: None,
            trace: None,
            started: None,
        }
    }

    /// What holds for each process.
    pub fn limits(&self) -> Limits {
        Limits {
            start: self.timeout.max(START),
            answer: self.timeout,
            memory: self.memory,
            trace: self.trace.clone(),
            started: self.started.clone(),
        }
    }

    /// Starts a program; one that cannot run on this machine is a backend that says so when it is opened.
    fn start(&self, program: Program, info: Info) -> anyhow::Result<Box<dyn Backend>> {
        let limits = self.limits();
        match Process::start(program, Arc::clone(&self.catalog), limits) {
            Ok(process) => Ok(Box::new(process)),
            Err(StartError::Unavailable(why)) => Ok(Box::new(Missing { info, why })),
            Err(StartError::Usage(message)) => Err(anyhow::anyhow!(message)),
        }
    }
}

/// How to start the program of these words; `None` if there is none.
pub fn command(words: &[String]) -> Option<Program> {
    let (path, arguments) = words.split_first()?;
    Some(Program {
        path: path.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        name: format!("`{}`", excerpt(&shell_words::join(words))),
        own: false,
    })
}

/// The program of these words as a backend.
///
/// # Errors
/// If it refuses its arguments.
pub fn program(words: &[String], watch: &Watch) -> anyhow::Result<Box<dyn Backend>> {
    let program = command(words).context("no program is named")?;
    let stem = program.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let info = Info {
        name: stem.unwrap_or_default(),
        version: String::new(),
        operators: Vec::new(),
        feature_level: watch.catalog.levels.last().map_or(FeatureLevel(0), |l| l.level),
        levels: Levels::Strict,
        validator: Validator::Own,
        executes: false,
        details: Vec::new(),
    };
    watch.start(program, info)
}

/// The backend of this name, with nothing chosen: reference has no specification yet.
///
/// # Errors
/// If there is none, or this program was built without it.
pub fn find(name: &str) -> Result<Box<dyn Backend>, FindError> {
    let (found, others): (Vec<_>, Vec<_>) = all().into_iter().partition(|b| b.info().name == name);
    if let Some(found) = found.into_iter().next() {
        return Ok(found);
    }
    require_compiled(name)?;
    let known = others.iter().map(|b| b.info().name);
    Err(FindError::Unknown {
        name: name.to_owned(),
        known: known
            .chain(not_compiled().map(|missing| missing.0.to_owned()))
            .collect(),
    })
}

/// The backend of this name with what was chosen, for reports: its adapter, if it has any, was looked for.
/// Where the machine has no adapter at all, opening the backend says so.
///
/// # Errors
/// If there is no such backend, or no such adapter.
pub fn chosen(name: &str, choice: &Choice) -> anyhow::Result<Box<dyn Backend>> {
    if let Some(catalog) = choice.specification.as_ref().filter(|_| name == reference::NAME) {
        return Ok(Box::new(Reference::new(Arc::clone(catalog))));
    }
    #[cfg(feature = "directml")]
    if name == WITH_LIBRARY {
        return Ok(Box::new(directml(choice)));
    }
    #[cfg(feature = "wgpu")]
    if name == WITH_ADAPTER {
        use dml_wgpu::{AdapterError, Wgpu};

        let backend = Wgpu::new(
            choice
                .adapter
                .as_deref()
                .map(str::parse)
                .transpose()?
                .unwrap_or_default(),
        );
        return match backend.probe() {
            Ok(()) | Err(AdapterError::None) => Ok(Box::new(backend)),
            Err(unknown) => Err(unknown.into()),
        };
    }
    Ok(find(name)?)
}

/// Whether a backend runs in a process of its own unless it is told otherwise: a driver may crash or hang.
pub fn is_isolated(name: &str) -> bool {
    name == WITH_ADAPTER || name == WITH_LIBRARY
}

/// The backend of this name, in a process of its own: this program as `worker`. Where it cannot run on this machine,
/// opening it says so.
///
/// # Errors
/// If there is no such backend or adapter, or this program cannot be started again.
pub fn isolated(name: &str, choice: &Choice, spec: Option<&Path>, watch: &Watch) -> anyhow::Result<Box<dyn Backend>> {
    let built_in = match name {
        reference::NAME => chosen(name, choice)?,
        _ => find(name)?,
    };
    let mut arguments = vec!["worker".into(), "--backend".into(), name.into()];
    if let Some(adapter) = &choice.adapter {
        arguments.extend(["--adapter".into(), adapter.into()]);
    }
    if let Some(library) = choice.library.as_ref().filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--directml-lib".into(), library.into()]);
    }
    if let Some(device) = choice.device.as_ref().filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--directml-device".into(), device.into()]);
    }
    if let Some(library) = choice.d3d12.as_ref().filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--d3d12-lib".into(), library.into()]);
    }
    if let Some(level) = choice.level.filter(|_| name == WITH_LIBRARY) {
        arguments.extend(["--level".into(), level.to_string().into()]);
    }
    if let Some(dir) = spec {
        arguments.extend(["--spec".into(), dir.into()]);
    }
    let program = Program {
        path: env::current_exe().context("this program's own path")?,
        arguments,
        name: format!("the worker of {name}"),
        own: true,
    };
    watch.start(program, built_in.info())
}

/// A backend that cannot run here.
struct Missing {
    info: Info,
    why: Unavailable,
}

impl Backend for Missing {
    fn info(&self) -> Info {
        self.info.clone()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        Err(self.why.clone())
    }
}

/// Names of all adapters, in the order of their numbers.
pub fn adapters() -> Vec<String> {
    #[cfg(feature = "wgpu")]
    return dml_wgpu::Wgpu::adapters();
    #[cfg(not(feature = "wgpu"))]
    Vec::new()
}
