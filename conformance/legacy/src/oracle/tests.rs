//! Oracles give what the pages show, and are found by name.

use dml_spec::{
    FeatureLevel,
    model::{DataType, NumberClass},
};

use super::{Call, fixture, fixture::Recipe, oracle};

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
