//! What the harness asks.

use std::{
    io::{self, Write},
    sync::Arc,
};

use dml_ops::{Alias, Buffer, Job};
use dml_spec::{
    Catalog, Descriptor, TensorDesc,
    model::{Operator, Role},
};
use tempfile::TempPath;

use super::{
    Abilities, Data, Malformed, Place, Scratch,
    data::{put, travelling},
    read_message, require_version,
};
use crate::json::{self, Node, NotExpressible, Read};
use dml_case::{case::Mode, nearest::excerpt, tensor::named_tensors};
use dml_plan::aliases::name_aliases;

/// The harness's last line.
pub const BYE: &str = r#"{"type":"bye"}"#;

/// A request that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The descriptor has no form in JSON.
    #[error(transparent)]
    NotExpressible(#[from] NotExpressible),
    /// A large buffer cannot be put into a file.
    #[error("a temporary file cannot be written: {0}")]
    File(#[from] io::Error),
    /// The job does not fit its descriptor.
    #[error("{0}")]
    Job(String),
}

/// A request in flight: what its answer has to bring.
#[derive(Debug)]
pub struct Pending {
    /// One entry an output.
    pub outputs: Vec<Awaited>,
    /// Files of the inputs; they vanish with this value.
    _inputs: Vec<TempPath>,
}

/// An output that is awaited.
#[derive(Debug)]
pub struct Awaited {
    /// Its name.
    pub name: String,
    /// Bytes that travel.
    pub length: usize,
    /// Guard bytes on either side.
    guard: usize,
    /// The poisoned buffer, if its guards do not travel.
    kept: Option<Buffer>,
    file: Option<TempPath>,
}

impl Pending {
    /// Bytes of the longest line that may answer.
    pub fn longest_answer(&self) -> u64 {
        let bytes = self
            .outputs
            .iter()
            .map(|o| o.length as u64 * 4 / 3 + 64 + o.name.len() as u64);
        bytes.fold(0, u64::saturating_add)
    }

    /// The outputs, in struct order, out of what the answer holds.
    ///
    /// # Errors
    /// If one is missing, unknown or of another length.
    pub fn collect(self, mut found: Vec<(String, Data)>) -> Result<Vec<Buffer>, String> {
        let mut buffers = Vec::with_capacity(self.outputs.len());
        for awaited in self.outputs {
            let at = found.iter().position(|(name, _)| *name == awaited.name);
            let Some(at) = at else {
                return Err(format!("output `{}` is missing", awaited.name));
            };
            let (name, data) = found.swap_remove(at);
            buffers.push(awaited.buffer(data).map_err(|e| format!("output `{name}`: {e}"))?);
        }
        match found.first() {
            None => Ok(buffers),
            Some((name, _)) => Err(format!("unknown output `{}`", excerpt(name))),
        }
    }
}

impl Awaited {
    fn buffer(self, data: Data) -> Result<Buffer, String> {
        // Only the file that was handed out is read, whatever path comes back.
        let data = match (data, &self.file) {
            (Data::File(_), Some(file)) => Data::File(file.to_path_buf()),
            (Data::File(_), None) => return Err("a file came back, expected base64".to_owned()),
            (text, _) => text,
        };
        let bytes = data.bytes(self.length)?;
        Ok(match self.kept {
            None => Buffer::new(bytes, self.guard),
            Some(mut kept) => {
                kept.tensor_mut().copy_from_slice(&bytes);
                kept
            }
        })
    }
}

/// Writes the line that asks for a job, with its end; what has to come back. Where that fails nothing is written.
///
/// # Errors
/// If the request cannot be made.
pub fn write_request(
    catalog: &Catalog,
    mode: Mode,
    id: u64,
    job: Job,
    abilities: Abilities,
    scratch: Option<&Scratch>,
    text: &mut Vec<u8>,
) -> Result<Pending, Refused> {
    let start = text.len();
    let mut request = Writer {
        catalog,
        guards: abilities.guards,
        scratch: scratch.filter(|_| abilities.files),
        text,
    };
    let pending = request.write(mode, id, job, abilities.exact);
    if pending.is_err() {
        text.truncate(start);
    }
    pending
}

struct Writer<'a> {
    catalog: &'a Catalog,
    guards: bool,
    scratch: Option<&'a Scratch>,
    text: &'a mut Vec<u8>,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, key: &str, n: impl itoa::Integer) {
        self.put(key);
        self.put(itoa::Buffer::new().format(n));
    }

    fn write(&mut self, mode: Mode, id: u64, job: Job, exact: bool) -> Result<Pending, Refused> {
        self.put(match mode {
            Mode::Create => r#"{"type":"create""#,
            Mode::Execute => r#"{"type":"execute""#,
        });
        self.number(r#","id":"#, id);
        self.put(r#","feature_level":""#);
        // A vector takes everything.
        let _ = write!(self.text, "{}", job.feature_level);
        self.put(r#"","operator":"#);
        json::string(&job.descriptor.operator, self.text);
        self.put(r#","desc":"#);
        json::write_desc(self.catalog, &job.descriptor, exact, self.text)?;
        let mut pending = Pending {
            outputs: Vec::new(),
            _inputs: Vec::new(),
        };
        if mode == Mode::Execute {
            self.attach(job, &mut pending)?;
        }
        self.put("}\n");
        Ok(pending)
    }

    /// Adds the buffers.
    fn attach(&mut self, job: Job, pending: &mut Pending) -> Result<(), Refused> {
        let descriptor: Arc<Descriptor> = job.descriptor;
        let Some(operator) = self.catalog.operator(&descriptor.operator) else {
            return Err(Refused::Job(format!("operator {} is unknown", descriptor.operator)));
        };
        let (inputs, outputs) = (
            named_tensors(operator, &descriptor, Role::Input),
            named_tensors(operator, &descriptor, Role::Output),
        );
        if (inputs.len(), outputs.len()) != (job.inputs.len(), job.outputs.len()) {
            let found = (job.inputs.len(), job.outputs.len());
            let expected = (inputs.len(), outputs.len());
            return Err(Refused::Job(format!(
                "(inputs, outputs) are {found:?}, expected {expected:?}"
            )));
        }
        if self.guards {
            let guard = job.inputs.iter().chain(&job.outputs).map(Buffer::guard).max();
            self.number(r#","guard":"#, guard.unwrap_or(0));
        }
        self.put(r#","inputs":{"#);
        for (at, ((name, _), buffer)) in inputs.iter().zip(&job.inputs).enumerate() {
            let file = self.buffer(at, name, travelling(buffer, self.guards))?;
            pending._inputs.extend(file);
        }
        self.put(r#"},"outputs":{"#);
        for (at, ((name, _), buffer)) in outputs.into_iter().zip(job.outputs).enumerate() {
            let bytes = travelling(&buffer, self.guards);
            let (length, guard) = (bytes.len(), buffer.guard());
            let file = self.buffer(at, &name, bytes)?;
            pending.outputs.push(Awaited {
                name,
                length,
                guard,
                kept: (!self.guards).then_some(buffer),
                file,
            });
        }
        self.put("}");
        self.aliases(operator, &descriptor, &job.aliases);
        if job.half_precision {
            self.put(r#","half_precision":true"#);
        }
        Ok(())
    }

    /// Says which outputs lie in the place of which inputs.
    fn aliases(&mut self, operator: &Operator, descriptor: &Descriptor, aliases: &[Alias]) {
        for (at, (output, input)) in name_aliases(operator, descriptor, aliases).iter().enumerate() {
            self.put(if at == 0 { r#","aliases":{"# } else { "," });
            json::string(output, self.text);
            self.put(":");
            json::string(input, self.text);
        }
        if !aliases.is_empty() {
            self.put("}");
        }
    }

    /// Puts a buffer where the other side finds it; the file, if it is one.
    fn buffer(&mut self, at: usize, name: &str, bytes: &[u8]) -> io::Result<Option<TempPath>> {
        if at > 0 {
            self.put(",");
        }
        json::string(name, self.text);
        self.put(":");
        put(bytes, self.scratch, self.text)
    }
}

/// A request, as a backend's side reads it.
#[derive(Clone, Debug)]
pub enum Request {
    /// The first line.
    Hello,
    /// Create an operator.
    Create(Job),
    /// Run one, and put its outputs there.
    Execute(Job, Vec<Place>),
    /// Nothing more comes.
    Bye,
}

/// Reads a request.
///
/// # Errors
/// What is not as it should be.
pub fn read_request(catalog: &Catalog, line: &[u8]) -> Result<Request, Malformed> {
    read_message(line, |root| match root.require("type")?.text()? {
        "hello" => require_version(root).map(|()| Request::Hello),
        "bye" => Ok(Request::Bye),
        "create" => {
            root.require_keys(&SUBJECT)?;
            Ok(Request::Create(read_job(catalog, root)?.1))
        }
        "execute" => read_execute(catalog, root),
        other => Err(root.error(format!("unknown type `{}`", excerpt(other)))),
    })
}

/// Keys of every request for a job.
const SUBJECT: [&str; 5] = ["type", "id", "feature_level", "operator", "desc"];

/// The part that both kinds share.
fn read_job<'a>(catalog: &'a Catalog, root: &Node<'_>) -> Read<(&'a Operator, Job)> {
    let id = root.require("id")?.whole_to(u64::MAX)?;
    let (operator, feature_level, descriptor) = json::read_subject(catalog, root)?;
    let job = Job {
        id,
        feature_level,
        descriptor: Arc::new(descriptor),
        inputs: Vec::new(),
        outputs: Vec::new(),
        aliases: Box::default(),
        half_precision: false,
    };
    Ok((operator, job))
}

fn read_execute(catalog: &Catalog, root: &Node<'_>) -> Read<Request> {
    root.require_keys(
        &[
            &SUBJECT[..],
            &["guard", "inputs", "outputs", "aliases", "half_precision"],
        ]
        .concat(),
    )?;
    let (operator, mut job) = read_job(catalog, root)?;
    let guard = root
        .optional("guard", |node| node.whole_to(u64::MAX))?
        .unwrap_or(0)
        .min(1 << 20) as usize;
    let descriptor = job.descriptor.clone();
    let inputs = named_tensors(operator, &descriptor, Role::Input);
    let outputs = named_tensors(operator, &descriptor, Role::Output);
    let alias = |output: &str, node: &Node<'_>| {
        let input = node.text()?;
        let unknown = |role, name| node.error(format!("unknown {role} `{}`", excerpt(name)));
        Ok(Alias {
            output: place(&outputs, output).ok_or_else(|| unknown("output", output))?,
            input: place(&inputs, input).ok_or_else(|| unknown("input", input))?,
        })
    };
    let mut aliases = root
        .optional("aliases", |node| node.entries(alias))?
        .unwrap_or_default();
    aliases.sort_by_key(|alias| alias.output);
    job.aliases = aliases.into();
    job.half_precision = root
        .optional("half_precision", |node| node.parsed())?
        .unwrap_or_default();
    let read = read_buffers(&root.require("inputs")?, &inputs, guard)?;
    job.inputs = read.into_iter().map(|(buffer, _)| buffer).collect();
    let written = read_buffers(&root.require("outputs")?, &outputs, guard)?;
    let (buffers, places) = written.into_iter().unzip();
    job.outputs = buffers;
    Ok(Request::Execute(job, places))
}

fn place(tensors: &[(String, &TensorDesc)], name: &str) -> Option<usize> {
    tensors.iter().position(|(known, _)| known == name)
}

/// The buffers of one role, in struct order.
fn read_buffers(node: &Node<'_>, named: &[(String, &TensorDesc)], guard: usize) -> Read<Vec<(Buffer, Place)>> {
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    node.require_keys(&names)?;
    let buffers = named.iter().map(|(name, tensor)| {
        let found = node.require(name)?;
        let length = usize::try_from(tensor.total_tensor_size_in_bytes).unwrap_or(usize::MAX);
        let data = Data::read(&found)?;
        let bytes = data
            .bytes(length.saturating_add(2 * guard))
            .map_err(|why| found.error(why))?;
        let file = match data {
            Data::File(path) => Some(path),
            Data::Text(_) => None,
        };
        let name = name.clone();
        Ok((Buffer::new(bytes, guard), Place { name, file }))
    });
    buffers.collect()
}
