//! The dump file.
//!
//! Numbers are LEB128 (seven bits a byte, the lowest first) unless said otherwise; a text is its length and its UTF-8
//! bytes, a list its length and its members.
//!
//! ```text
//! file     the 8 bytes of MAGIC, text: tier, text: basis, text: query, record…, end
//! record   length in bytes (not 0), case
//! end      0, number of cases, XXH3 of all bytes before it (8 bytes, little endian)
//! case     text: id, text: verdict, byte: how outputs are specified (an index of OPENNESS), list of texts: clauses of the
//!          verdict, list of texts: properties demanded of outputs that are open, list of outputs
//! output   byte: class of numbers (an index of CLASSES), byte: bits of an element, number of elements,
//!          number of exact, interval, set and open ones, digest of the exact ones (16 bytes), length of the runs in bytes,
//!          run…
//! run      length << 2 | kind, then one entry an element: elements of one kind that follow each other in row-major order
//! kind     0 exact, 1 interval, 2 set, 3 open
//! exact    the bits, little endian, as many bytes as an element has
//! interval byte: flags (1 NaN, 2 positive infinity, 4 negative infinity), the reference as bits, how many numbers of the
//!          type lie from the least accepted one to the reference, how many from there to the greatest
//! set      list of bits, the reference first
//! open     nothing
//! ```
//!
//! A NaN is written as one NaN and stands for all. The digest is the XXH3 (128 bits) of the exact elements, each as its
//! number in row-major order and its bits, 8 bytes each.

/// First bytes of a dump; the last one counts changes of the format.
pub(crate) const MAGIC: [u8; 8] = *b"dmlacc\0\x01";

/// Longest text.
const LONGEST_TEXT: u64 = 1 << 16;

/// What is wrong with a dump.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Damage {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is not a dump, or of another version of the format.
    #[error("not a dump of acceptances, or one of another version")]
    Magic,
    /// It ends too early.
    #[error("the dump is truncated after {0} bytes")]
    Truncated(u64),
    /// Something in it is invalid.
    #[error("the dump is damaged: {0}")]
    Invalid(String),
}

/// An error of something invalid.
pub(crate) fn invalid<T>(what: impl Into<String>) -> Result<T, Damage> {
    Err(Damage::Invalid(what.into()))
}

/// Writes a number.
pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a text.
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

/// Writes a list of texts.
pub(crate) fn put_texts(bytes: &mut Vec<u8>, texts: &[String]) {
    put(bytes, texts.len() as u64);
    texts.iter().for_each(|text| put_text(bytes, text));
}

/// Writes the low bytes of some bits.
pub(crate) fn put_bits(bytes: &mut Vec<u8>, bits: u64, width: usize) {
    bytes.extend(&bits.to_le_bytes()[..width]);
}

/// Bytes that are read from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes.
    pub(crate) fn take(&mut self, count: u64) -> Result<&'a [u8], Damage> {
        let split = usize::try_from(count)
            .ok()
            .and_then(|count| self.0.split_at_checked(count));
        let Some((front, rest)) = split else {
            return invalid(format!(
                "{count} bytes were expected, {} are left of a case",
                self.0.len()
            ));
        };
        self.0 = rest;
        Ok(front)
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?[0])
    }

    /// The next number.
    pub(crate) fn number(&mut self) -> Result<u64, Damage> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            let low = u64::from(byte & 0x7f);
            if shift > 63 || (shift == 63 && low > 1) {
                return invalid("a number has more than 64 bits");
            }
            number |= low << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
    }

    /// The next text.
    pub(crate) fn text(&mut self) -> Result<&'a str, Damage> {
        let length = self.number()?;
        if length > LONGEST_TEXT {
            return invalid(format!("a text has {length} bytes, at most {LONGEST_TEXT} are allowed"));
        }
        std::str::from_utf8(self.take(length)?).or_else(|_| invalid("a text is not UTF-8"))
    }

    /// The next list of texts.
    pub(crate) fn texts(&mut self) -> Result<Vec<String>, Damage> {
        let count = self.number()?;
        (0..count).map(|_| Ok(self.text()?.to_owned())).collect()
    }

    /// The bits of the next element.
    pub(crate) fn bits(&mut self, width: usize) -> Result<u64, Damage> {
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(self.take(width as u64)?);
        Ok(u64::from_le_bytes(bytes))
    }
}
