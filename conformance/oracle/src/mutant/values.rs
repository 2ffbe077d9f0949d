//! Mistakes in what is read of the elements of an input tensor.

use dml_case::number::{Number, decode, encode_float, encode_int, is_denormal, is_negative_zero};
use dml_spec::model::{Catalog, DataType, NumberClass, Operator};

use super::{Kind, uses};

/// What is read instead of each element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    /// Of 64 bits the low word.
    LowWord,
    /// Of 64 bits the low word, with its sign if the type has one.
    SignedLowWord,
    /// A number below 0 for -0.
    BelowZero,
    /// 0 for -0.
    UnsignedZero,
    /// 0 for a denormal.
    Flushed,
    /// A zero of its sign for a denormal.
    FlushedWithSign,
    /// The nearest number of FLOAT16.
    Half,
    /// The nearest number of FLOAT32.
    Single,
    /// An index that is larger by so much.
    More(i8),
    /// 0 for all elements.
    Zeros,
    /// 0 for all elements beyond the first so many.
    ZerosBeyond(usize),
    /// 0 for the last element.
    LastZero,
}

/// Such a mistake: its kind, what its id ends in, what it says of a tensor of this name.
type Mistake = (Kind, &'static str, String, Read);

/// Numbers of elements beyond which an implementation may read nothing.
const BLOCKS: [(&str, usize); 3] = [("zero-64", 64), ("zero-256", 256), ("zero-1024", 1024)];

/// Those that the types of an input tensor allow.
pub(super) fn mistakes(catalog: &Catalog, operator: &Operator, name: &str, orders_numbers: bool) -> Vec<Mistake> {
    let class = |name: &str| catalog.data_type_named(name).map(|ty| (ty.class, ty.bits));
    let allows = |is_one: &dyn Fn(NumberClass, u32) -> bool| {
        uses::allows(operator, name, &|ty| {
            class(ty).is_some_and(|(class, bits)| is_one(class, bits))
        })
    };
    let mut all = vec![
        (
            Kind::OperandDropped,
            "zeros",
            format!("`{name}` is read as zeros"),
            Read::Zeros,
        ),
        (
            Kind::Bounds,
            "last-zero",
            format!("the last element of `{name}` is read as 0"),
            Read::LastZero,
        ),
    ];
    for (word, block) in BLOCKS {
        let sentence = format!("elements of `{name}` beyond the first {block} are read as 0");
        all.push((Kind::Size, word, sentence, Read::ZerosBeyond(block)));
    }
    if allows(&|_, bits| bits == 64) {
        let sentence = format!("elements of `{name}` of 64 bits lose their high word");
        all.push((Kind::Signedness, "low-word", sentence, Read::LowWord));
    }
    if allows(&|class, bits| class != NumberClass::Float && bits == 64) {
        let sentence = format!("of elements of `{name}` of 64 bits the low word alone is read, with its sign");
        all.push((Kind::Signedness, "signed-low-word", sentence, Read::SignedLowWord));
    }
    if allows(&|class, bits| class != NumberClass::Float && bits >= 32) {
        let sentence = format!("whole numbers of `{name}` pass through FLOAT32");
        all.push((Kind::Precision, "through-FLOAT32", sentence, Read::Single));
    }
    if allows(&|class, bits| class == NumberClass::Float && bits > 16) {
        let sentence = format!("elements of `{name}` are rounded to FLOAT16");
        all.push((Kind::Precision, "as-FLOAT16", sentence, Read::Half));
    }
    if allows(&|class, _| class == NumberClass::Float) {
        if orders_numbers {
            let sentence = format!("-0 in `{name}` is taken for a number below 0");
            all.push((Kind::Signedness, "-0", sentence, Read::BelowZero));
        }
        let sentence = format!("-0 in `{name}` is read as 0");
        all.push((Kind::Signedness, "0", sentence, Read::UnsignedZero));
        let sentence = format!("denormals of `{name}` are read as 0");
        all.push((Kind::Rounding, "flushed", sentence, Read::Flushed));
        let sentence = format!("denormals of `{name}` are read as zeros of their sign");
        all.push((Kind::Rounding, "flushed-with-sign", sentence, Read::FlushedWithSign));
    } else {
        for (word, how, by) in [("more", "large", 1), ("less", "small", -1)] {
            let sentence = format!("elements of `{name}` are taken one too {how}");
            all.push((Kind::OffByOne, word, sentence, Read::More(by)));
        }
    }
    all
}

impl Read {
    /// The elements of a tensor of this type in row-major order as they are read.
    pub(super) fn of(self, catalog: &Catalog, ty: &DataType, elements: &[u64]) -> Vec<u64> {
        let count = elements.len();
        let kept = match self {
            Self::Zeros => 0,
            Self::ZerosBeyond(block) => block,
            Self::LastZero => count.saturating_sub(1),
            _ => count,
        };
        let half = catalog.data_type_named("FLOAT16");
        let others = elements.iter().take(kept).map(|bits| self.element(half, ty, *bits));
        others.chain(std::iter::repeat(0)).take(count).collect()
    }

    fn element(self, half: Option<&DataType>, ty: &DataType, bits: u64) -> u64 {
        let low = bits & u64::from(u32::MAX);
        match self {
            Self::LowWord if ty.bits == 64 => low,
            Self::SignedLowWord if ty.bits == 64 => match ty.class {
                NumberClass::Float => bits,
                NumberClass::Signed if low >> 31 != 0 => low | !u64::from(u32::MAX),
                _ => low,
            },
            Self::BelowZero if is_negative_zero(ty, bits) => below_zero(ty).map_or(bits, |(_, below)| below),
            Self::UnsignedZero if is_negative_zero(ty, bits) => 0,
            Self::Flushed if is_denormal(ty, bits) => 0,
            Self::FlushedWithSign if is_denormal(ty, bits) => bits & 1 << (ty.bits - 1),
            _ => match (self, decode(ty, bits)) {
                (Self::Half, Number::Float(x)) => half.map_or(bits, |half| {
                    let rounded = decode(half, encode_float(half, x)).double();
                    encode_float(ty, rounded)
                }),
                (Self::Single, Number::Int(n)) if ty.bits >= 32 => encode_float(ty, f64::from(n as f32)),
                (Self::More(by), Number::Int(n)) => encode_int(ty, n + i128::from(by)),
                _ => bits,
            },
        }
    }
}

/// The bits of -0, and those of the greatest normal number below it.
pub(super) fn below_zero(ty: &DataType) -> Option<(u64, u64)> {
    let least = uses::least_normal(&ty.name)?;
    Some((encode_float(ty, -0.0), encode_float(ty, -least)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(read: Read, ty: &str, elements: &[u64]) -> Vec<u64> {
        let catalog = dml_spec_yaml::load::catalog();
        read.of(catalog, catalog.data_type_named(ty).unwrap(), elements)
    }

    #[test]
    fn numbers_are_read_through_narrower_types() {
        let single = |x: f32| u64::from(x.to_bits());
        let floats = [1.0, 1.0 + f32::EPSILON, 1e-8, 1e6].map(single);
        let halves = [1.0, 1.0, 0.0, f32::INFINITY].map(single);
        assert_eq!(read(Read::Half, "FLOAT32", &floats), halves);
        assert_eq!(read(Read::Half, "FLOAT16", &[0x3c01]), [0x3c01]);
        let large = [(1 << 24) + 1, u64::from(u32::MAX), 7];
        assert_eq!(read(Read::Single, "UINT32", &large), [1 << 24, u64::from(u32::MAX), 7]);
        assert_eq!(read(Read::Single, "FLOAT32", &floats), floats);
        let wide = [1 << 32 | 5, 1 << 31, u64::MAX];
        assert_eq!(read(Read::LowWord, "INT64", &wide), [5, 1 << 31, u64::from(u32::MAX)]);
        assert_eq!(read(Read::SignedLowWord, "INT64", &wide), [5, !0 << 31, u64::MAX]);
        assert_eq!(
            read(Read::SignedLowWord, "UINT64", &wide),
            [5, 1 << 31, u64::from(u32::MAX)]
        );
    }

    #[test]
    fn zeros_are_read_instead_of_numbers() {
        // A denormal and -0 of FLOAT16, with both signs; 1.
        let (small, zero) = (0x0001, 0x8000);
        let elements = [small, zero | small, zero, 0x3c00];
        assert_eq!(read(Read::Flushed, "FLOAT16", &elements), [0, 0, zero, 0x3c00]);
        assert_eq!(
            read(Read::FlushedWithSign, "FLOAT16", &elements),
            [0, zero, zero, 0x3c00]
        );
        assert_eq!(
            read(Read::UnsignedZero, "FLOAT16", &elements),
            [small, zero | small, 0, 0x3c00]
        );
        // The greatest normal number below 0.
        assert_eq!(read(Read::BelowZero, "FLOAT16", &elements)[2], 0x8400);
        assert_eq!(read(Read::Zeros, "UINT8", &[1, 2, 3]), [0, 0, 0]);
        assert_eq!(read(Read::ZerosBeyond(2), "UINT8", &[1, 2, 3]), [1, 2, 0]);
        assert_eq!(read(Read::ZerosBeyond(4), "UINT8", &[1, 2, 3]), [1, 2, 3]);
        assert_eq!(read(Read::LastZero, "UINT8", &[1, 2, 3]), [1, 2, 0]);
    }

    #[test]
    fn indices_are_off_by_one() {
        assert_eq!(read(Read::More(1), "UINT32", &[0, u64::from(u32::MAX)]), [1, 0]);
        assert_eq!(read(Read::More(-1), "INT64", &[0, 5]), [u64::MAX, 4]);
    }
}
