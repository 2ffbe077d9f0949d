//! Writes a dump. What is accepted is given in the types of this example, so that anything that states acceptances can be
//! written.

use std::io::{self, Write};

use dml_case::number::is_nan;
use dml_spec::model::DataType;
use xxhash_rust::xxh3::Xxh3;

use crate::{
    accept::{Accept, Special, place},
    case::{CLASSES, Counts, Head, OPENNESS},
    format::{MAGIC, put, put_bits, put_text, put_texts},
};

/// A case as bytes of a dump.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    /// Its elements.
    pub(crate) counts: Counts,
}

impl Encoded {
    /// A case of these outputs.
    pub(crate) fn new(head: &Head, outputs: Vec<OutputEncoder>) -> Self {
        let (mut bytes, mut counts) = (Vec::new(), Counts::default());
        put_text(&mut bytes, &head.id);
        put_text(&mut bytes, &head.verdict);
        let openness = OPENNESS.iter().position(|known| *known == head.openness);
        bytes.push(openness.unwrap_or_default() as u8);
        put_texts(&mut bytes, &head.clauses);
        put_texts(&mut bytes, &head.properties);
        put(&mut bytes, outputs.len() as u64);
        for output in outputs {
            counts.add(&output.counts);
            output.finish(&mut bytes);
        }
        Self { bytes, counts }
    }

    /// The bytes it takes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Takes the elements of an output in row-major order.
pub(crate) struct OutputEncoder {
    ty: DataType,
    width: usize,
    counts: Counts,
    digest: Xxh3,
    runs: Vec<u8>,
    kind: u64,
    length: u64,
    entries: Vec<u8>,
}

impl OutputEncoder {
    /// For elements of this type.
    pub(crate) fn new(ty: &DataType) -> Self {
        Self {
            ty: ty.clone(),
            width: (ty.bits / 8) as usize,
            counts: Counts::default(),
            digest: Xxh3::new(),
            runs: Vec::new(),
            kind: 0,
            length: 0,
            entries: Vec::new(),
        }
    }

    /// Adds the next element.
    ///
    /// # Errors
    /// A set without members, an interval whose reference lies outside or that has NaN as an end.
    pub(crate) fn push(&mut self, accept: Accept) -> Result<(), String> {
        match accept.normal(&self.ty) {
            Accept::Exact(bits) => {
                let number = self.counts.all().unwrap_or(u64::MAX);
                self.digest.update(&number.to_le_bytes());
                self.digest.update(&bits.to_le_bytes());
                self.begin(0);
                self.counts.exact += 1;
                put_bits(&mut self.entries, bits, self.width);
            }
            Accept::Interval {
                reference,
                lo,
                hi,
                special,
            } => return self.push_interval([lo, reference, hi], special),
            Accept::Set(members) if members.is_empty() => return Err("a set has no members".to_owned()),
            Accept::Set(members) => {
                self.begin(2);
                self.counts.sets += 1;
                put(&mut self.entries, members.len() as u64);
                for bits in members {
                    put_bits(&mut self.entries, bits, self.width);
                }
            }
            Accept::Open => {
                self.begin(3);
                self.counts.open += 1;
            }
        }
        Ok(())
    }

    fn push_interval(&mut self, [lo, reference, hi]: [u64; 3], special: Special) -> Result<(), String> {
        let place = |bits| (!is_nan(&self.ty, bits)).then(|| place(&self.ty, bits));
        let distance = |from, to| u64::try_from(place(to)? - place(from)?).ok();
        let Some((below, above)) = distance(lo, reference).zip(distance(reference, hi)) else {
            return Err(format!(
                "{reference:#x} does not lie in the interval {lo:#x} to {hi:#x}"
            ));
        };
        self.begin(1);
        self.counts.intervals += 1;
        let flags = [special.nan, special.above, special.below].map(u8::from);
        self.entries.push(flags[0] | flags[1] << 1 | flags[2] << 2);
        put_bits(&mut self.entries, reference, self.width);
        put(&mut self.entries, below);
        put(&mut self.entries, above);
        Ok(())
    }

    /// Begins an element of this kind.
    fn begin(&mut self, kind: u64) {
        if kind != self.kind {
            self.end_run();
            self.kind = kind;
        }
        self.length += 1;
    }

    fn end_run(&mut self) {
        if self.length > 0 {
            put(&mut self.runs, self.length << 2 | self.kind);
            self.runs.append(&mut self.entries);
            self.length = 0;
        }
    }

    fn finish(mut self, bytes: &mut Vec<u8>) {
        self.end_run();
        let class = CLASSES.iter().position(|class| *class == self.ty.class);
        // A class that is not in the list has no elements; a reader refuses it.
        bytes.push(class.map_or(u8::MAX, |class| class as u8));
        bytes.push(self.ty.bits as u8);
        let Counts {
            exact,
            intervals,
            sets,
            open,
        } = self.counts;
        for count in [self.counts.all().unwrap_or(u64::MAX), exact, intervals, sets, open] {
            put(bytes, count);
        }
        bytes.extend(self.digest.digest128().to_le_bytes());
        put(bytes, self.runs.len() as u64);
        bytes.append(&mut self.runs);
    }
}

/// Writes cases to a dump, one after the other.
pub(crate) struct Writer<W> {
    to: W,
    digest: Xxh3,
    bytes: u64,
    cases: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a dump of the cases of a tier that a query selects, judged on a basis.
    pub(crate) fn new(to: W, tier: &str, basis: &str, query: &str) -> io::Result<Self> {
        let mut writer = Self {
            to,
            digest: Xxh3::new(),
            bytes: 0,
            cases: 0,
        };
        let mut start = MAGIC.to_vec();
        [tier, basis, query].iter().for_each(|text| put_text(&mut start, text));
        writer.write(&start)?;
        Ok(writer)
    }

    /// Adds a case.
    pub(crate) fn case(&mut self, case: &Encoded) -> io::Result<()> {
        let mut length = Vec::new();
        put(&mut length, case.bytes.len() as u64);
        self.write(&length)?;
        self.write(&case.bytes)?;
        self.cases += 1;
        Ok(())
    }

    /// Ends the dump: how many cases and bytes it has.
    pub(crate) fn finish(mut self) -> io::Result<(u64, u64)> {
        let mut end = vec![0];
        put(&mut end, self.cases);
        self.write(&end)?;
        let digest = self.digest.digest().to_le_bytes();
        self.to.write_all(&digest)?;
        self.to.flush()?;
        Ok((self.cases, self.bytes + digest.len() as u64))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        self.to.write_all(bytes)
    }
}
