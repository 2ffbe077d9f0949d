//! What an element may be beside the one that is expected.

use dml_spec::model::DataType;

use dml_case::number::{Number, decode};

/// Further accepted values of an element, if a second way to compute it leads to another result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    /// This element, as bits.
    Is(u64),
    /// An infinity of either sign, or NaN.
    NonFinite,
}

impl Also {
    /// Whether an element of this type is accepted.
    pub fn accepts(self, ty: &DataType, actual: u64) -> bool {
        match (self, decode(ty, actual)) {
            (Self::Is(bits), _) => bits == actual,
            (Self::NonFinite, Number::Float(x)) => !x.is_finite(),
            (Self::NonFinite, Number::Int(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dml_case::number::ty;
    use dml_spec::model::NumberClass;

    #[test]
    fn a_second_way_may_lead_to_one_element_or_out_of_the_range() {
        let half = ty(NumberClass::Float, 16);
        let accepted = |also: Also| [0x3c00, 0x7c00, 0xfc00, 0x7e01].map(|bits| also.accepts(&half, bits));
        assert_eq!(accepted(Also::Is(0x7c00)), [false, true, false, false]);
        assert_eq!(accepted(Also::NonFinite), [false, true, true, true]);
        assert!(!Also::NonFinite.accepts(&ty(NumberClass::Unsigned, 16), 0x7c00));
    }
}
