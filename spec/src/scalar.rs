//! Values of `DML_SCALAR_UNION` as text, in ids and in worked examples: numbers of the data type that another field
//! names.

use crate::{
    Catalog, Descriptor, Value,
    model::{DataType, FieldKind, NumberClass, Operator},
};

/// The bytes of the union that holds this number; `None` if the type has no such number. A number for FLOAT16 has to be
/// exact, others are rounded.
pub fn of_number(ty: &DataType, text: &str) -> Option<[u8; 8]> {
    let bits = match (ty.class, ty.bits) {
        (NumberClass::Float, 16) => u64::from(half(text.parse().ok()?)?),
        (NumberClass::Float, 32) => u64::from(text.parse::<f32>().ok()?.to_bits()),
        (NumberClass::Float, _) => text.parse::<f64>().ok()?.to_bits(),
        _ => {
            let (least, greatest) = ty.whole_numbers()?;
            let number: i128 = text.parse().ok().filter(|n| (least..=greatest).contains(n))?;
            // Bytes beyond the element stay zero.
            number as u64 & u64::MAX >> (64 - ty.bits)
        }
    };
    Some(bits.to_le_bytes())
}

/// The data type of a scalar in a descriptor, which the field of this name holds; `None` if it is unknown.
pub fn data_type<'a>(
    catalog: &'a Catalog,
    operator: &Operator,
    descriptor: &Descriptor,
    named: &str,
) -> Option<&'a DataType> {
    match descriptor.fields.get(operator.field_index(named)?)? {
        Value::UInt(value) => catalog.data_type(*value),
        _ => None,
    }
}

/// Whether a field holds a scalar, whose bytes mean nothing before its type is known.
pub fn is_scalar(operator: &Operator, field: usize) -> bool {
    operator
        .fields
        .get(field)
        .is_some_and(|field| matches!(field.kind, FieldKind::Scalar(_)))
}

/// The bits of a half-precision number; `None` if it is none exactly.
fn half(x: f32) -> Option<u16> {
    let bits = x.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let (exponent, mantissa) = ((bits >> 23 & 0xff) as i32 - 127, bits & 0x007f_ffff);
    let kept = |low: u32, of: u32| (of & ((1 << low) - 1) == 0).then_some((of >> low) as u16);
    Some(match exponent {
        128 if mantissa == 0 => sign | 0x7c00,
        128 => 0x7e00,
        -14..=15 => sign | ((exponent + 15) as u16) << 10 | kept(13, mantissa)?,
        -24..=-15 => sign | kept((-1 - exponent) as u32, mantissa | 0x0080_0000)?,
        -127 if mantissa == 0 => sign,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FeatureLevel;

    fn ty(class: NumberClass, bits: u32) -> DataType {
        DataType {
            name: "T".into(),
            value: 0,
            bits,
            class,
            introduced: FeatureLevel::new(1, 0),
        }
    }

    #[test]
    fn numbers_become_the_bytes_of_their_type() {
        use NumberClass::{Float, Signed, Unsigned};
        let bits = |class, width, text| of_number(&ty(class, width), text).map(u64::from_le_bytes);
        for (class, width, text, expected) in [
            (Float, 32, "7", 0x40e0_0000),
            (Float, 64, "-1.5", 0xbff8_0000_0000_0000),
            (Float, 16, "7", 0x4700),
            (Float, 16, "65504", 0x7bff),
            (Float, 16, "-inf", 0xfc00),
            (Float, 16, "-0", 0x8000),
            (Signed, 8, "-1", 0xff),
            (Signed, 64, "-9223372036854775808", 1 << 63),
            (Unsigned, 64, "18446744073709551615", u64::MAX),
            (Unsigned, 16, "65535", 0xffff),
        ] {
            assert_eq!(bits(class, width, text), Some(expected), "{text} as {width} bits");
        }
        for (class, width, text) in [
            (Signed, 8, "128"),
            (Unsigned, 32, "-1"),
            (Unsigned, 8, "1.5"),
            (Float, 16, "0.1"),
            (Float, 16, "65520"),
        ] {
            assert_eq!(bits(class, width, text), None, "{text} as {width} bits");
        }
    }

    #[test]
    fn every_half_is_found_again() {
        for bits in 0..=u16::MAX {
            let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
            let size = match exponent {
                0 => mantissa * 2f32.powi(-24),
                31 => continue,
                _ => (1024.0 + mantissa) * 2f32.powi(exponent - 25),
            };
            let x = if bits >> 15 == 1 { -size } else { size };
            assert_eq!(half(x), Some(bits), "{x}");
        }
    }
}
