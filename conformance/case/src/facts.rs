//! Facts about the data of inputs, as far as rules ask for them.

use dml_spec::{
    model::{DataType, NumberClass},
    rule::interp::Data,
};

use crate::{
    number::{Number, Specials, decode, greatest_finite},
    tensor::Shape,
};

/// Facts about the inputs' data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataFacts(Vec<Fact>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Fact {
    field: usize,
    element: usize,
    specials: Specials,
    /// The least and the greatest element, NaN and infinities aside; `None` if there is none left.
    range: Option<(Number, Number)>,
}

impl DataFacts {
    /// Records the elements of an input: field, element of an array of tensors, or 0. The range is computed only if
    /// `ranges` is set.
    pub fn note(&mut self, (field, element): (usize, usize), shape: &Shape, elements: &[u64], ranges: bool) {
        let is_float = shape.ty.class == NumberClass::Float;
        if !(is_float || ranges) {
            return;
        }
        self.0.push(Fact {
            field,
            element,
            specials: Specials::of(&shape.ty, elements),
            range: ranges.then(|| range(&shape.ty, elements)).flatten(),
        });
    }

    fn of(&self, field: usize, element: usize) -> Option<&Fact> {
        self.0
            .iter()
            .find(|fact| fact.field == field && fact.element == element)
    }

    fn any(&self, field: usize, element: usize, test: fn(&Fact) -> bool) -> bool {
        self.of(field, element).is_some_and(test)
    }
}

impl Data for DataFacts {
    fn has_nan(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.specials.nan)
    }

    fn has_negative_zero(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.specials.negative_zero)
    }

    fn has_denormal(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.specials.denormal)
    }

    fn has_infinity(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.specials.infinity)
    }

    fn range(&self, field: usize, element: usize) -> Option<(i128, i128)> {
        match self.of(field, element)?.range? {
            (Number::Int(least), Number::Int(greatest)) => Some((least, greatest)),
            _ => None,
        }
    }

    fn fits(&self, field: usize, element: usize, data_type: &DataType) -> bool {
        let Some(fact) = self.of(field, element) else {
            return false;
        };
        let special = fact.specials.nan || fact.specials.infinity;
        let within = |(least, greatest): (i128, i128), n: Number| match n {
            Number::Int(n) => (least..=greatest).contains(&n),
            // Truncated, a number past the limits by less than 1 is at the limit.
            Number::Float(x) => x.trunc() >= least as f64 && x.trunc() < greatest as f64 + 1.0,
        };
        let Some((low, high)) = fact.range else {
            return data_type.class == NumberClass::Float;
        };
        match data_type.whole_numbers() {
            Some(limits) => !special && within(limits, low) && within(limits, high),
            None => [low, high]
                .iter()
                .all(|n| n.double().abs() <= greatest_finite(data_type)),
        }
    }
}

/// The least and the greatest finite element.
fn range(ty: &DataType, elements: &[u64]) -> Option<(Number, Number)> {
    let numbers = elements.iter().map(|bits| decode(ty, *bits));
    if ty.class == NumberClass::Float {
        let (least, greatest) = limits(numbers.map(Number::double).filter(|x| x.is_finite()))?;
        Some((Number::Float(least), Number::Float(greatest)))
    } else {
        let whole = |number| match number {
            Number::Int(n) => Some(n),
            Number::Float(_) => None,
        };
        let (least, greatest) = limits(numbers.filter_map(whole))?;
        Some((Number::Int(least), Number::Int(greatest)))
    }
}

/// The first least and the first greatest of some numbers.
fn limits<T: Copy + PartialOrd>(mut numbers: impl Iterator<Item = T>) -> Option<(T, T)> {
    let first = numbers.next()?;
    Some(numbers.fold((first, first), |(least, greatest), n| {
        (
            if n < least { n } else { least },
            if n > greatest { n } else { greatest },
        )
    }))
}
