//! Reads a dump. Whatever the bytes are, the answer is a case or an error.

use std::io::{BufRead, ErrorKind};

use dml_spec::model::DataType;
use xxhash_rust::xxh3::Xxh3;

use crate::{
    accept::{Accept, Special, at_place, place},
    case::{Counts, Head, OPENNESS, type_of},
    format::{Bytes, Damage, MAGIC, invalid},
};

/// Reads the cases of a dump one after the other, and checks its digest at the end.
#[derive(Debug)]
pub(crate) struct Reader<R> {
    from: R,
    length: u64,
    /// Bytes that were read.
    pub(crate) at: u64,
    digest: Xxh3Debug,
    cases: u64,
    /// Tier, basis and query.
    pub(crate) about: [String; 3],
}

/// A digest that says nothing of itself.
struct Xxh3Debug(Xxh3);

impl std::fmt::Debug for Xxh3Debug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Xxh3")
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the start of a dump of this length.
    pub(crate) fn new(from: R, length: u64) -> Result<Self, Damage> {
        let mut reader = Self {
            from,
            length,
            at: 0,
            digest: Xxh3Debug(Xxh3::new()),
            cases: 0,
            about: Default::default(),
        };
        let mut magic = Vec::new();
        let begins = reader.read(MAGIC.len() as u64, &mut magic);
        if !matches!(begins, Ok(()) | Err(Damage::Truncated(_))) {
            begins?;
        }
        if magic != MAGIC {
            return Err(Damage::Magic);
        }
        for place in 0..reader.about.len() {
            let (length, mut text) = (reader.number()?, Vec::new());
            reader.read(length, &mut text)?;
            let Ok(text) = String::from_utf8(text) else {
                return invalid("a text at its start is not UTF-8");
            };
            reader.about[place] = text;
        }
        Ok(reader)
    }

    /// Reads the next case into `record`; `false` after the last one.
    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, Damage> {
        let length = self.number()?;
        if length > 0 {
            self.read(length, record)?;
            self.cases += 1;
            return Ok(true);
        }
        let (cases, digest) = (self.number()?, self.digest.0.digest().to_le_bytes());
        self.read(digest.len() as u64, record)?;
        if record[..] != digest {
            return invalid("its digest does not fit its bytes");
        }
        if cases != self.cases {
            return invalid(format!("it has {} cases and says {cases}", self.cases));
        }
        if self.at != self.length {
            return invalid(format!("{} bytes stand after its end", self.length - self.at));
        }
        Ok(false)
    }

    fn number(&mut self) -> Result<u64, Damage> {
        let (mut all, mut byte) = (Vec::new(), Vec::new());
        loop {
            self.read(1, &mut byte)?;
            all.append(&mut byte);
            if all.last().is_some_and(|last| last & 0x80 == 0) || all.len() > 10 {
                return Bytes(&all).number();
            }
        }
    }

    /// Reads so many bytes. A length that a damaged dump invents reserves no memory.
    fn read(&mut self, count: u64, into: &mut Vec<u8>) -> Result<(), Damage> {
        into.clear();
        if count > self.length.saturating_sub(self.at) {
            return Err(Damage::Truncated(self.length));
        }
        into.resize(
            usize::try_from(count).or_else(|_| invalid("a case is too long for this machine"))?,
            0,
        );
        self.from.read_exact(into).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Damage::Truncated(self.at),
            _ => Damage::Io(error),
        })?;
        self.at += count;
        self.digest.0.update(into);
        Ok(())
    }
}

/// A case of a dump.
#[derive(Debug)]
pub(crate) struct Stored<'a> {
    /// What is said of it, elements aside.
    pub(crate) head: Head,
    /// Its outputs.
    pub(crate) outputs: Vec<StoredOutput<'a>>,
}

/// An output of a case.
#[derive(Debug)]
pub(crate) struct StoredOutput<'a> {
    /// Type of its elements, from its class and its bits.
    pub(crate) ty: DataType,
    /// Its elements.
    pub(crate) counts: Counts,
    /// Digest of the exact ones.
    pub(crate) digest: u128,
    runs: Bytes<'a>,
}

impl<'a> Stored<'a> {
    /// Reads a record.
    pub(crate) fn of(record: &'a [u8]) -> Result<Self, Damage> {
        let mut bytes = Bytes(record);
        let (id, verdict) = (bytes.text()?.to_owned(), bytes.text()?.to_owned());
        let Some(openness) = OPENNESS.get(usize::from(bytes.byte()?)) else {
            return invalid(format!("{id}: unknown way to specify outputs"));
        };
        let head = Head {
            id,
            verdict,
            openness: *openness,
            clauses: bytes.texts()?,
            properties: bytes.texts()?,
        };
        let count = bytes.number()?;
        let outputs = (0..count)
            .map(|_| StoredOutput::of(&mut bytes))
            .collect::<Result<_, _>>()?;
        match bytes.0 {
            [] => Ok(Self { head, outputs }),
            rest => invalid(format!("{}: {} bytes stand after its outputs", head.id, rest.len())),
        }
    }
}

impl<'a> StoredOutput<'a> {
    fn of(bytes: &mut Bytes<'a>) -> Result<Self, Damage> {
        let ty = type_of(bytes.byte()?, bytes.byte()?)?;
        let elements = bytes.number()?;
        let counts = Counts {
            exact: bytes.number()?,
            intervals: bytes.number()?,
            sets: bytes.number()?,
            open: bytes.number()?,
        };
        if counts.all() != Some(elements) {
            return invalid("the kinds of an output do not add up to its elements");
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(bytes.take(16)?);
        let length = bytes.number()?;
        let runs = Bytes(bytes.take(length)?);
        Ok(Self {
            ty,
            counts,
            digest: u128::from_le_bytes(digest),
            runs,
        })
    }

    /// Its elements in row-major order; ends after an error.
    pub(crate) fn elements(&self) -> Elements<'a> {
        Elements {
            width: (self.ty.bits / 8) as usize,
            ty: self.ty.clone(),
            bytes: self.runs,
            kind: 0,
            left: 0,
            due: self.counts.all().unwrap_or_default(),
        }
    }
}

/// The elements of an output.
#[derive(Debug)]
pub(crate) struct Elements<'a> {
    ty: DataType,
    width: usize,
    bytes: Bytes<'a>,
    kind: u64,
    left: u64,
    /// Elements that are to come.
    due: u64,
}

impl Elements<'_> {
    fn read(&mut self) -> Result<Accept, Damage> {
        while self.left == 0 {
            let run = self.bytes.number()?;
            (self.kind, self.left) = (run & 3, run >> 2);
        }
        self.left -= 1;
        Ok(match self.kind {
            0 => Accept::Exact(self.bytes.bits(self.width)?),
            1 => return self.interval(),
            2 => {
                let count = self.bytes.number()?;
                Accept::Set(
                    (0..count)
                        .map(|_| self.bytes.bits(self.width))
                        .collect::<Result<_, _>>()?,
                )
            }
            _ => Accept::Open,
        })
    }

    /// Forgets what is left.
    fn stop(&mut self) {
        (self.due, self.left, self.bytes) = (0, 0, Bytes(&[]));
    }

    fn interval(&mut self) -> Result<Accept, Damage> {
        let flags = self.bytes.byte()?;
        let reference = self.bytes.bits(self.width)?;
        let (below, above) = (self.bytes.number()?, self.bytes.number()?);
        let from = place(&self.ty, reference);
        let lo = at_place(&self.ty, from - i128::from(below));
        let Some((lo, hi)) = lo.zip(at_place(&self.ty, from + i128::from(above))) else {
            return invalid("an interval leaves the range of its type");
        };
        let special = Special {
            nan: flags & 1 != 0,
            above: flags & 2 != 0,
            below: flags & 4 != 0,
        };
        Ok(Accept::Interval {
            reference,
            lo,
            hi,
            special,
        })
    }
}

impl Iterator for Elements<'_> {
    type Item = Result<Accept, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.due == 0 {
            let is_rest = self.left > 0 || !self.bytes.0.is_empty();
            self.stop();
            return is_rest.then(|| invalid("an output has more elements than it says"));
        }
        self.due -= 1;
        let read = self.read();
        if read.is_err() {
            self.stop();
        }
        Some(read)
    }
}
