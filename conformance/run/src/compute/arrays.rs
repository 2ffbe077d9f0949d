//! Expected outputs as an archive of arrays: `NAME`, `NAME.lo`, `NAME.hi`, `NAME.nan` and `NAME.open` for each output.

use dml_case::number::{Number, decode, encode_int, mask};
use dml_oracle::Element;
use dml_spec::{
    FeatureLevel,
    model::{DataType, NumberClass},
};

use super::{ComputeError, Computer, Output, Question};
use crate::npz::{Archive, descr};

/// What is expected of a descriptor and its inputs, as a file that NumPy reads.
///
/// # Errors
/// If the meaning has no value for the descriptor.
pub fn arrays(computer: &Computer<'_>, question: &Question, level: FeatureLevel) -> Result<Vec<u8>, ComputeError> {
    let (operator, clauses) = computer.operator(&question.descriptor.operator)?;
    let mut all: Vec<Columns> = Vec::new();
    computer.compute(question, &mut |output, elements| {
        if all.last().is_none_or(|last| last.output.name != output.name) {
            all.push(Columns::new(output));
        }
        if let Some(columns) = all.last_mut() {
            elements.iter().for_each(|element| columns.push(element));
        }
    })?;
    let written = || -> Result<Vec<u8>, String> {
        let mut archive = Archive::default();
        archive.text("operator", &operator.name)?;
        archive.text("feature_level", &level.to_string())?;
        archive.text("clauses", &clauses.all().join("\n"))?;
        all.iter().try_for_each(|columns| columns.write(&mut archive))?;
        archive.finish()
    };
    written().map_err(ComputeError::Tensor)
}

/// The arrays of one output as bytes.
struct Columns {
    output: Output,
    value: Vec<u8>,
    lo: Vec<u8>,
    hi: Vec<u8>,
    nan: Vec<u8>,
    open: Vec<u8>,
}

/// The numbers that an element may be, and whether NaN is one.
struct Range {
    lo: Number,
    hi: Number,
    nan: bool,
}

impl Columns {
    fn new(output: &Output) -> Self {
        Self {
            output: output.clone(),
            value: Vec::new(),
            lo: Vec::new(),
            hi: Vec::new(),
            nan: Vec::new(),
            open: Vec::new(),
        }
    }

    fn push(&mut self, element: &Element) {
        let (ty, width) = (&self.output.shape.ty, self.output.shape.width());
        let range = range(ty, element);
        let end = |number: Number| match number {
            Number::Float(x) => x.to_le_bytes().to_vec(),
            Number::Int(n) => encode_int(ty, n).to_le_bytes()[..width].to_vec(),
        };
        self.value.extend(&element.reference().to_le_bytes()[..width]);
        self.lo.extend(end(range.lo));
        self.hi.extend(end(range.hi));
        self.nan.push(range.nan.into());
        let clause = match element {
            Element::Open(clause) => clause.saturating_add(1),
            _ => 0,
        };
        self.open.extend(clause.to_le_bytes());
    }

    fn write(&self, archive: &mut Archive) -> Result<(), String> {
        let (name, sizes) = (&self.output.name, &self.output.shape.sizes);
        let own = descr(&self.output.shape.ty)?;
        let is_float = self.output.shape.ty.class == NumberClass::Float;
        let ends = if is_float { "<f8" } else { &own };
        archive.array(name, &own, sizes, &self.value)?;
        archive.array(&format!("{name}.lo"), ends, sizes, &self.lo)?;
        archive.array(&format!("{name}.hi"), ends, sizes, &self.hi)?;
        if is_float {
            archive.array(&format!("{name}.nan"), "|b1", sizes, &self.nan)?;
        }
        archive.array(&format!("{name}.open"), "<u2", sizes, &self.open)
    }
}

fn range(ty: &DataType, element: &Element) -> Range {
    match element {
        Element::Exact(bits) => {
            let number = decode(ty, *bits);
            let end = if number.is_nan() {
                [f64::INFINITY, f64::NEG_INFINITY].map(Number::Float)
            } else {
                [number; 2]
            };
            Range {
                lo: end[0],
                hi: end[1],
                nan: number.is_nan(),
            }
        }
        Element::Interval(interval) => Range {
            lo: Number::Float(if interval.negative_infinity {
                f64::NEG_INFINITY
            } else {
                interval.lo
            }),
            hi: Number::Float(if interval.infinity { f64::INFINITY } else { interval.hi }),
            nan: interval.nan,
        },
        Element::Among(all) => all
            .iter()
            .map(|one| range(ty, one))
            .reduce(joined)
            .unwrap_or_else(|| everything(ty)),
        Element::Open(_) => everything(ty),
    }
}

fn joined(a: Range, b: Range) -> Range {
    let lesser = |a: Number, b: Number| {
        if a.order(b) == Some(std::cmp::Ordering::Greater) {
            b
        } else {
            a
        }
    };
    let greater = |a: Number, b: Number| {
        if a.order(b) == Some(std::cmp::Ordering::Less) {
            b
        } else {
            a
        }
    };
    Range {
        lo: lesser(a.lo, b.lo),
        hi: greater(a.hi, b.hi),
        nan: a.nan || b.nan,
    }
}

fn everything(ty: &DataType) -> Range {
    let (lo, hi) = match ty.class {
        NumberClass::Float => (Number::Float(f64::NEG_INFINITY), Number::Float(f64::INFINITY)),
        NumberClass::Signed => {
            let greatest = mask(ty.bits.max(1) - 1);
            (decode(ty, !greatest), decode(ty, greatest))
        }
        _ => (Number::Int(0), decode(ty, mask(ty.bits))),
    };
    Range { lo, hi, nan: true }
}
