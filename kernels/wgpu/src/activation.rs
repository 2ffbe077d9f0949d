//! Activations that operators fuse to their results: a function in WGSL each, one file in shaders/activations/, named
//! after its operator. The build script finds them, and writes the function that chooses among them.

use dml_ops::{Descriptor, Stopped, Value};

include!(concat!(env!("OUT_DIR"), "/activations.rs"));

/// The function that chooses among all activations, and these.
macro_rules! activations {
    () => {
        include_str!(concat!(env!("OUT_DIR"), "/activations.wgsl"))
    };
}

pub(super) use activations;

/// An activation as kernels want it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Activation {
    number: u32,
    coefficients: [f32; 2],
}

impl Activation {
    /// The activation that is fused, if one is.
    ///
    /// # Errors
    /// If there is no function for it.
    pub(super) fn of(fused: Option<&Descriptor>) -> Result<Self, Stopped> {
        let Some(fused) = fused else {
            return Ok(Self {
                number: NONE,
                coefficients: [0.0; 2],
            });
        };
        let unsupported = || Stopped::Skipped("unsupported".to_owned());
        let place = ACTIVATIONS.iter().position(|name| *name == fused.operator);
        let mut coefficients = [0.0; 2];
        let floats = fused.fields.iter().filter_map(|field| match field {
            Value::Float(x) => Some(*x),
            _ => None,
        });
        coefficients.iter_mut().zip(floats).for_each(|(to, x)| *to = x);
        Ok(Self {
            number: u32::try_from(place.ok_or_else(unsupported)?).map_err(|_| unsupported())?,
            coefficients,
        })
    }

    /// Number, padding and two coefficients.
    pub(super) fn params(self) -> [u32; 4] {
        let [first, second] = self.coefficients.map(f32::to_bits);
        [self.number, 0, first, second]
    }
}

/// Number of none of them.
const NONE: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    fn fused(operator: &'static str, coefficients: &[f32]) -> Descriptor {
        let mut fields = vec![Value::Tensor(None), Value::Tensor(None)];
        fields.extend(coefficients.iter().map(|x| Value::Float(*x)));
        Descriptor {
            operator: operator.into(),
            fields,
        }
    }

    #[test]
    fn every_file_is_an_activation() {
        assert!(ACTIVATIONS.len() >= 4);
        for (place, name) in ACTIVATIONS.iter().enumerate() {
            let found = Activation::of(Some(&fused(name, &[0.5, -2.0]))).unwrap();
            assert_eq!(found.params(), [place as u32, 0, 0.5f32.to_bits(), (-2f32).to_bits()]);
        }
        assert_eq!(Activation::of(None).unwrap().params(), [NONE, 0, 0, 0]);
    }

    #[test]
    fn others_are_unsupported() {
        let reason = "unsupported".to_owned();
        assert_eq!(
            Activation::of(Some(&fused("NO_SUCH", &[]))),
            Err(Stopped::Skipped(reason))
        );
    }
}
