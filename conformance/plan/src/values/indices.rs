//! Patterns of indices: the elements of inputs that point into another tensor.

use dml_spec::model::{DataType, NumberClass};

use dml_case::{number::encode_int, random::Random};

/// One tensor to fill.
struct Draw<'a> {
    ty: &'a DataType,
    /// How many indices there are to choose from.
    bound: u64,
    random: &'a mut Random,
}

/// The element at a place; `None` if the pattern does not apply to the type.
type Element = fn(&mut Draw<'_>, usize) -> Option<i128>;

/// Name and meaning of every pattern.
const PATTERNS: &[(&str, Element)] = &[
    ("in-range", |draw, _| Some(draw.any())),
    ("in-order", |draw, at| Some((at as u64 % draw.bound).into())),
    ("reversed", |draw, at| {
        Some((draw.bound - 1 - at as u64 % draw.bound).into())
    }),
    ("repeated", |draw, _| Some((draw.bound / 2).into())),
    ("negative", |draw, _| draw.negative()),
    ("mixed-signs", |draw, _| {
        let negative = draw.negative()?;
        Some(if draw.one_of(2) { negative } else { draw.any() })
    }),
    ("past-end", |draw, at| draw.past_end(at)),
    ("far", |draw, at| draw.far(at)),
];

/// Fills a tensor of `count` indices; `None` if the pattern is unknown or does not apply here.
pub fn fill_indices(pattern: &str, ty: &DataType, count: usize, bound: u64, random: &mut Random) -> Option<Vec<u64>> {
    let (_, element) = PATTERNS.iter().find(|(name, _)| *name == pattern)?;
    if bound == 0 || ty.class == NumberClass::Float {
        return None;
    }
    let mut draw = Draw { ty, bound, random };
    (0..count)
        .map(|at| Some(encode_int(ty, element(&mut draw, at)?)))
        .collect()
}

impl Draw<'_> {
    fn any(&mut self) -> i128 {
        self.random.below(self.bound).into()
    }

    fn one_of(&mut self, n: u64) -> bool {
        self.random.below(n) == 0
    }

    fn is_signed(&self) -> bool {
        self.ty.class == NumberClass::Signed
    }

    /// Counted from the end.
    fn negative(&mut self) -> Option<i128> {
        self.is_signed().then(|| self.any() - i128::from(self.bound))
    }

    /// One past either end among others; the first element is.
    fn past_end(&mut self, at: usize) -> Option<i128> {
        let bound = i128::from(self.bound);
        Some(match (at == 0 || self.one_of(3), self.is_signed() && self.one_of(2)) {
            (false, _) => self.any(),
            (true, false) => bound + i128::from(self.random.below(3)),
            (true, true) => -bound - 1,
        })
    }

    /// The limits of the type among others, and what is in range except for a 33rd bit; the first element is far.
    fn far(&mut self, at: usize) -> Option<i128> {
        let (least, greatest) = self.ty.whole_numbers()?;
        Some(match (at == 0 || self.one_of(3), self.is_signed() && self.one_of(2)) {
            (false, _) => self.any(),
            (true, false) if greatest > u32::MAX.into() && self.one_of(2) => (1 << 32) + self.any(),
            (true, false) => greatest,
            (true, true) => least,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::values::indices::*;
    use dml_case::number::{Number, decode, ty};

    fn drawn(pattern: &str, class: NumberClass, bound: u64) -> Option<Vec<i128>> {
        let ty = ty(class, 32);
        let bits = fill_indices(pattern, &ty, 64, bound, &mut Random::new(pattern, 1))?;
        let whole = |bits: &u64| match decode(&ty, *bits) {
            Number::Int(n) => n,
            Number::Float(_) => panic!("no integer"),
        };
        Some(bits.iter().map(whole).collect())
    }

    #[test]
    fn patterns_point_where_they_say() {
        for (name, _) in PATTERNS {
            for class in [NumberClass::Signed, NumberClass::Unsigned] {
                let Some(found) = drawn(name, class, 5) else {
                    assert!(
                        matches!(*name, "negative" | "mixed-signs") && class == NumberClass::Unsigned,
                        "{name}"
                    );
                    continue;
                };
                let inside = found.iter().filter(|n| (0..5).contains(*n)).count();
                let counted_back = found.iter().filter(|n| (-5..0).contains(*n)).count();
                match *name {
                    "negative" => assert_eq!(counted_back, 64),
                    "mixed-signs" => assert!(counted_back > 0 && inside + counted_back == 64),
                    "past-end" | "far" => assert!(inside > 0 && inside + counted_back < 64),
                    _ => assert_eq!(inside, 64, "{name}"),
                }
            }
        }
        assert_eq!(drawn("in-range", NumberClass::Float, 5), None);
        assert_eq!(drawn("in-range", NumberClass::Signed, 0), None);
    }

    #[test]
    fn every_name_has_a_pattern() {
        let names: Vec<&str> = PATTERNS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, dml_spec::patterns::INDICES);
    }
}
