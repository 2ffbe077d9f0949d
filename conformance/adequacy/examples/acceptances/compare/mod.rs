//! Compares two dumps case by case.

mod differ;
mod report;
mod tally;

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{self, BufReader, Read, Seek},
    path::Path,
};

use anyhow::Context;
use xxhash_rust::xxh3::xxh3_128;

use crate::{
    format::{Damage, invalid},
    read::{Reader, Stored},
};
pub(crate) use tally::{Kind, Tally};

/// Two dumps compared.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// By operator.
    pub(crate) operators: BTreeMap<String, Tally>,
    /// What the dumps say they are about, if they do not say the same.
    pub(crate) about: Vec<String>,
}

/// Cases of a dump by the digest of their ids: where their bytes begin, how many there are, whether they were compared.
type Index = HashMap<u128, (u64, u64, bool)>;

/// A dump that is compared.
#[derive(Debug)]
pub(crate) struct Source<R> {
    from: BufReader<R>,
    length: u64,
    name: String,
}

impl Source<File> {
    /// The dump in a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| name.clone())?;
        let length = file.metadata().with_context(|| name.clone())?.len();
        Ok(Self::new(file, length, name))
    }
}

impl<R: Read> Source<R> {
    /// A dump of this length, with a name for messages.
    pub(crate) fn new(from: R, length: u64, name: String) -> Self {
        let from = BufReader::with_capacity(1 << 20, from);
        Self { from, length, name }
    }
}

/// Compares two dumps.
///
/// # Errors
/// One that cannot be read or is no whole dump, with its name.
pub(crate) fn compare<A: Read, B: Read + Seek>(old: Source<A>, mut new: Source<B>) -> anyhow::Result<Comparison> {
    let (index, about) = index(&mut new).with_context(|| new.name.clone())?;
    let reader = Reader::new(old.from, old.length).with_context(|| old.name.clone())?;
    let mut comparison = Comparison::default();
    for (what, (old, new)) in ["tier", "basis", "query"].iter().zip(reader.about.iter().zip(&about)) {
        if old != new {
            let line = format!("{what}: `{old}` in OLD, `{new}` in NEW");
            comparison.about.push(line);
        }
    }
    let mut new = Lookup {
        at: new.from.stream_position()?,
        source: new,
        index,
        record: Vec::new(),
    };
    walk(reader, &old.name, &mut new, &mut comparison)?;
    new.note_left(&mut comparison)?;
    Ok(comparison)
}

/// Reads a dump to its end, so that all of it is known to be whole.
fn index<R: Read>(source: &mut Source<R>) -> Result<(Index, [String; 3]), Damage> {
    let mut reader = Reader::new(&mut source.from, source.length)?;
    let (mut index, mut record) = (Index::new(), Vec::new());
    while reader.next(&mut record)? {
        let id = Stored::of(&record)?.head.id;
        let bytes = record.len() as u64;
        if index.insert(digest(&id), (reader.at - bytes, bytes, false)).is_some() {
            return invalid(format!("{id} stands in it twice"));
        }
    }
    Ok((index, reader.about))
}

/// Compares every case of the old dump.
fn walk<A: Read, B: Read + Seek>(
    mut old: Reader<BufReader<A>>,
    name: &str,
    new: &mut Lookup<B>,
    comparison: &mut Comparison,
) -> anyhow::Result<()> {
    let mut record = Vec::new();
    while old.next(&mut record).with_context(|| name.to_owned())? {
        let case = Stored::of(&record).with_context(|| name.to_owned())?;
        let tally = comparison.operators.entry(operator(&case.head.id)).or_default();
        match new.find(&case.head.id)? {
            None => tally.note(Kind::CaseOnlyInOld, || case.head.id.clone()),
            Some(found) if *found == record => tally.same(&case),
            Some(found) => differ::compare(&case, &Stored::of(found)?, tally)
                .with_context(|| format!("{name} and {}: {}", new.source.name, case.head.id))?,
        }
    }
    Ok(())
}

/// Looks up the cases of the new dump.
struct Lookup<R> {
    source: Source<R>,
    index: Index,
    /// Where the source is read.
    at: u64,
    record: Vec<u8>,
}

impl<R: Read + Seek> Lookup<R> {
    /// The record of a case, which is not looked up again; `None` if there is none.
    fn find(&mut self, id: &str) -> anyhow::Result<Option<&Vec<u8>>> {
        let Some((start, bytes, compared)) = self.index.get_mut(&digest(id)) else {
            return Ok(None);
        };
        anyhow::ensure!(!std::mem::replace(compared, true), "{id} stands in OLD twice");
        let (start, bytes) = (*start, *bytes);
        self.read(start, bytes).with_context(|| self.source.name.clone())?;
        Ok(Some(&self.record))
    }

    fn read(&mut self, start: u64, bytes: u64) -> io::Result<()> {
        // A short way forward or back keeps what was read ahead.
        self.source.from.seek_relative(start as i64 - self.at as i64)?;
        self.record.resize(bytes as usize, 0);
        self.source.from.read_exact(&mut self.record)?;
        self.at = start + bytes;
        Ok(())
    }

    /// Notes the cases that were not looked up.
    fn note_left(&mut self, comparison: &mut Comparison) -> anyhow::Result<()> {
        let left = self.index.values().filter(|(_, _, compared)| !compared);
        let mut places: Vec<(u64, u64)> = left.map(|(start, bytes, _)| (*start, *bytes)).collect();
        places.sort_unstable();
        for (start, bytes) in places {
            self.read(start, bytes).with_context(|| self.source.name.clone())?;
            let id = Stored::of(&self.record)?.head.id;
            let tally = comparison.operators.entry(operator(&id)).or_default();
            tally.note(Kind::CaseOnlyInNew, || id);
        }
        Ok(())
    }
}

fn digest(id: &str) -> u128 {
    xxh3_128(id.as_bytes())
}

/// The operator of an id.
fn operator(id: &str) -> String {
    id.split(':').next().unwrap_or_default().to_owned()
}
