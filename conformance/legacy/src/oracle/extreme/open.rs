//! What holds of extremes even where nobody defines them, and what is told of them then.

use super::Extreme;
use crate::oracle::Mismatch;
use dml_case::number::{Number, is_denormal};

impl Extreme<'_> {
    /// How indices break a property, one of those that silences name in `holds`.
    pub(in crate::oracle) fn holds(&self, property: &str, outputs: &[Vec<u64>]) -> Option<Vec<Mismatch>> {
        let found = outputs.first()?;
        let broken = match property {
            "indices-in-range" => self.out_of_range(found),
            "names-extreme" => self.names_extreme(found),
            _ => return None,
        };
        let class = if property == "names-extreme" {
            "names-extreme"
        } else {
            "indices-in-range"
        };
        let whole = |mismatch| Mismatch {
            class,
            whole: true,
            ..mismatch
        };
        Some(broken.map(whole).into_iter().collect())
    }

    fn out_of_range(&self, found: &[u64]) -> Option<Mismatch> {
        let at = found.iter().position(|bits| self.index(*bits).is_none())?;
        let raw = dml_case::number::decode(&self.output.ty, *found.get(at)?);
        let size = self.sets.size();
        Some(Mismatch {
            class: "indices-in-range",
            output: 0,
            at: at as u64,
            message: format!(
                "index {raw} lies outside the {size} elements of the set {}",
                self.name(at)
            ),
            whole: true,
        })
    }

    /// Whether the indices do what `behaviour` says; `None` where there is none of the name.
    pub(in crate::oracle) fn does(&self, behaviour: &str, outputs: &[Vec<u64>]) -> Option<bool> {
        let found = outputs.first()?;
        Some(match behaviour {
            "nan-wins" => self.names_nan(found),
            "counts-as-named" => *found == self.indices_as_named(),
            "counts-by-position" | "repeats-ignored" => *found == self.indices(self.numbers),
            other => *found == self.indices(&self.keys(other)?),
        })
    }

    /// The keys by which an implementation compares that does what `behaviour` says.
    pub(in crate::oracle) fn keys(&self, behaviour: &str) -> Option<Vec<Number>> {
        let elements = || self.numbers.iter().zip(&self.input.elements);
        Some(match behaviour {
            "nan-ignored" | "zeros-tie" | "denormals-kept" => self.numbers.iter().collect(),
            "zeros-by-sign" => self.numbers.iter().map(Number::with_signed_zeros).collect(),
            "denormals-flushed" => {
                let flush = |(number, bits): (Number, &u64)| {
                    if is_denormal(&self.input.shape.ty, *bits) {
                        Number::Float(0.0)
                    } else {
                        number
                    }
                };
                elements().map(flush).collect()
            }
            _ => return None,
        })
    }

    /// Whether NaN is named wherever there is one.
    fn names_nan(&self, found: &[u64]) -> bool {
        self.sets.iter().zip(found).all(|(set, bits)| {
            let nan = |place: &usize| self.number(*place).is_nan();
            let named = self.index(*bits).and_then(|index| set.get(index));
            !set.iter().any(nan) || named.is_some_and(nan)
        })
    }

    /// Indices that count along the axes in the order in which they are named, the last first.
    fn indices_as_named(&self) -> Vec<u64> {
        let shape = &self.input.shape;
        self.tell(self.numbers, &self.sets, |_, place| {
            let at = shape.coordinates(place as u64);
            let axes = self.axes.iter().map(|axis| *axis as usize);
            axes.fold(0, |index, d| {
                let part = |list: &[u32]| list.get(d).copied().map_or(0, u64::from);
                index * part(&shape.sizes) + part(&at)
            })
        })
    }
}
