//! Reference and property checker agree on anything, and the checker notices every change that matters.

use proptest::prelude::*;

use dml_spec::{
    FeatureLevel, layout,
    model::{DataType, NumberClass},
};

use super::{Call, Input, fixture, fixture::Recipe, oracle};
use dml_case::{
    number::{encode_float, encode_int, is_nan, mask},
    random::Random,
    tensor::Shape,
};

/// A data type of this class and width.
pub(in crate::oracle) fn ty(class: NumberClass, bits: u32) -> DataType {
    DataType {
        name: "T".into(),
        value: 0,
        bits,
        class,
        introduced: FeatureLevel::new(1, 0),
    }
}

/// A packed input with these elements.
pub(in crate::oracle) fn input(ty: &DataType, sizes: &[u32], elements: Vec<u64>) -> Input<'static> {
    let strides = layout::packed_strides(sizes).unwrap();
    let mut shape = Shape {
        ty: ty.clone(),
        sizes: sizes.into(),
        strides,
        total_bytes: 0,
    };
    shape.total_bytes = shape.elements() * u64::from(ty.bits / 8);
    let mut bytes = vec![0; shape.total_bytes as usize];
    shape.write(&mut bytes, elements.iter().copied());
    Input {
        shape,
        elements,
        bytes: bytes.into(),
    }
}

/// Numbers of a type between -8 and 8, or 0 and 8 if it has no negative ones; floats are quarters and eighths, or have
/// all their digits.
pub(in crate::oracle) fn small(ty: &DataType, count: usize, random: &mut Random) -> Vec<u64> {
    let mut number = || {
        let (whole, digits) = (random.below(17) as i128 - 8, random.bits());
        match ty.class {
            NumberClass::Float if digits & 1 == 0 => encode_float(ty, whole as f64 + (digits >> 61) as f64 / 8.0),
            NumberClass::Float => encode_float(ty, whole as f64 + digits as f64 / 2f64.powi(64)),
            NumberClass::Signed => encode_int(ty, whole),
            _ => encode_int(ty, whole.abs()),
        }
    };
    (0..count).map(|_| number()).collect()
}

/// Names of the types TOP_K1 takes.
const VALUES: [&str; 10] = [
    "FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8", "UINT64", "INT64",
];

/// Elements that collide often, are extreme, or differ in the last bit; never NaN.
fn element(ty: &'static str) -> impl Strategy<Value = u64> {
    let ty = fixture::suite().catalog.data_type_named(ty).unwrap().clone();
    let few = {
        let ty = ty.clone();
        (-2i128..3).prop_map(move |n| encode_int(&ty, n))
    };
    let zeros = {
        let ty = ty.clone();
        prop_oneof![Just(0.0), Just(-0.0)].prop_map(move |x| encode_float(&ty, x))
    };
    let any = {
        let ty = ty.clone();
        any::<u64>().prop_map(move |bits| bits & mask(ty.bits))
    };
    prop_oneof![3 => few, 1 => zeros, 2 => any].prop_map(move |bits| if is_nan(&ty, bits) { 0 } else { bits })
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let shape = (
        prop::collection::vec(1u32..5, 1..4),
        any::<prop::sample::Index>(),
        0..VALUES.len(),
    );
    let rest = (any::<bool>(), any::<bool>(), any::<prop::sample::Index>());
    (shape, rest).prop_flat_map(|((sizes, axis, ty), (decreasing, wide, k))| {
        let axis = axis.index(sizes.len());
        let k = 1 + k.index(sizes[axis] as usize) as u32;
        let ty = VALUES[ty];
        let count: u32 = sizes.iter().product();
        prop::collection::vec(element(ty), count as usize).prop_map(move |elements| Recipe {
            ty,
            index: if wide { "UINT64" } else { "UINT32" },
            sizes: sizes.clone(),
            axis,
            k,
            decreasing,
            strides: [None, None],
            elements,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn the_checker_accepts_the_reference_and_nothing_beside_it(recipe in recipe()) {
        let suite = fixture::suite();
        let case = recipe.case(&suite);
        let (operator, _) = suite.operator("TOP_K1").unwrap();
        let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
        let oracle = oracle("TOP_K1").unwrap();
        let reference = oracle.reference(&call);
        prop_assert_eq!(oracle.check(&call, &reference), vec![]);
        let size = u64::from(recipe.sizes[recipe.axis]);
        for at in 0..reference[0].len() {
            let value = reference[0][at];
            for (output, bits) in [(0, value ^ 1), (0, value ^ 1 << (call.outputs[0].ty.bits - 1)), (0, 0), (0, recipe.elements[0])]
                .into_iter()
                .chain((0..=size).map(|index| (1, index)))
            {
                if reference[output][at] == bits {
                    continue;
                }
                let mut changed = reference.clone();
                changed[output][at] = bits;
                let found = oracle.check(&call, &changed);
                prop_assert!(!found.is_empty(), "{output} at {at}: {bits:x} passes beside {reference:x?}");
                prop_assert!(found.iter().all(|m| oracle.classes().contains(&m.class)));
            }
        }
        for at in 1..reference[0].len() {
            let mut swapped = reference.clone();
            swapped.iter_mut().for_each(|o| o.swap(at - 1, at));
            let same = swapped == reference;
            prop_assert_eq!(oracle.check(&call, &swapped).is_empty(), same);
        }
    }

}

#[test]
fn the_page_agrees() {
    let suite = fixture::suite();
    let (operator, _) = suite.operator("TOP_K1").unwrap();
    let rows = [0.0, 1.0, 10.0, 11.0, 3.0, 2.0, 9.0, 8.0, 4.0, 5.0, 6.0, 7.0];
    let ties = [1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 5.0, 5.0, 6.0, 6.0, 6.0, 6.0];
    type Example<'a> = (usize, u32, bool, &'a [f32], &'a [f32], &'a [u64]);
    let examples: [Example; 4] = [
        (
            3,
            2,
            true,
            &rows,
            &[11.0, 10.0, 9.0, 8.0, 7.0, 6.0],
            &[3, 2, 2, 3, 3, 2],
        ),
        (
            2,
            2,
            true,
            &rows,
            &[4.0, 5.0, 10.0, 11.0, 3.0, 2.0, 9.0, 8.0],
            &[2, 2, 0, 0, 1, 1, 1, 1],
        ),
        (
            3,
            3,
            true,
            &ties,
            &[3.0, 2.0, 2.0, 5.0, 5.0, 4.0, 6.0, 6.0, 6.0],
            &[3, 1, 2, 2, 3, 1, 0, 1, 2],
        ),
        (
            3,
            3,
            false,
            &ties,
            &[1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0, 6.0],
            &[0, 1, 2, 0, 1, 2, 0, 1, 2],
        ),
    ];
    for (axis, k, decreasing, input, values, indices) in examples {
        let case = Recipe::floats(&[1, 1, 3, 4], axis, k, decreasing, input).case(&suite);
        let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
        let values: Vec<u64> = values.iter().map(|x| u64::from(x.to_bits())).collect();
        assert_eq!(oracle("TOP_K1").unwrap().reference(&call), [values, indices.to_vec()]);
    }
}

#[test]
fn oracles_are_found_by_name() {
    assert!(oracle("TOP_K1").is_some());
    assert!(oracle("TOP_K9").is_none());
    assert!(super::operators().is_sorted());
}
