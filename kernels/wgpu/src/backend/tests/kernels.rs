//! Every kernel once, by its own arithmetic: if there is no conformance suite at hand, and which entry points there
//! are.

use std::collections::BTreeSet;

use half::f16;

use super::*;
use crate::device;

/// Data type, bits and sizes.
type Tensor = (DataType, u32, Vec<u32>);

/// A descriptor with its tensors in front, packed but for those with strides.
struct Call {
    operator: &'static str,
    tensors: Vec<Tensor>,
    strides: Vec<Option<[u32; 2]>>,
    rest: Vec<Value>,
}

impl Call {
    fn new(operator: &'static str, tensors: &[(DataType, &[u32])], rest: Vec<Value>) -> Self {
        let of = |(ty, sizes): &(DataType, &[u32])| (*ty, bits(*ty), sizes.to_vec());
        Self {
            operator,
            tensors: tensors.iter().map(of).collect(),
            strides: Vec::new(),
            rest,
        }
    }

    fn descriptor(&self) -> Descriptor {
        let strides = self.strides.iter().copied().chain(std::iter::repeat(None));
        let tensors = self.tensors.iter().zip(strides);
        let tensor = |((ty, bits, sizes), strides): (&Tensor, Option<[u32; 2]>)| {
            let mut tensor = TensorDesc::packed(ty.0, *bits, sizes);
            tensor.strides = strides.map(|strides| strides.as_slice().into());
            tensor.total_tensor_size_in_bytes = tensor.minimum_total_size(*bits).unwrap();
            Value::Tensor(Some(tensor))
        };
        let fields = tensors.map(tensor).chain(self.rest.iter().cloned()).collect();
        Descriptor {
            operator: self.operator.into(),
            fields,
        }
    }

    /// The outputs for these inputs.
    fn run(&self, inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let outputs = self.tensors.iter().skip(inputs.len());
        let empty = |(_, bits, sizes): &Tensor| {
            let bytes = sizes.iter().product::<u32>() * bits / 8;
            guarded(&vec![POISON; bytes.next_multiple_of(4) as usize])
        };
        let job = Job {
            id: 7,
            feature_level: FeatureLevel::new(6, 4),
            descriptor: Arc::new(self.descriptor()),
            inputs: inputs.iter().map(|bytes| guarded(bytes)).collect(),
            outputs: outputs.map(empty).collect(),
            aliases: Box::default(),
            half_precision: false,
        };
        let mut session = session();
        session.submit(vec![job]);
        match drain(&mut session).remove(&7) {
            Some(Answer::Executed { outputs }) => outputs.iter().map(|buffer| buffer.tensor().to_vec()).collect(),
            other => panic!("{other:?}"),
        }
    }
}

fn bits(ty: DataType) -> u32 {
    match ty {
        DataType::INT8 => 8,
        DataType::FLOAT16 => 16,
        DataType::INT64 | DataType::UINT64 => 64,
        _ => 32,
    }
}

fn words(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    words(numbers.into_iter().map(f32::to_bits))
}

fn uints(list: &[u32]) -> Value {
    Value::UInts(Some(list.into()))
}

fn fused(operator: &'static str, coefficients: &[f32]) -> Value {
    let mut fields = vec![Value::Tensor(None), Value::Tensor(None)];
    fields.extend(coefficients.iter().map(|x| Value::Float(*x)));
    let operator = operator.into();
    Value::Operator(Some(Box::new(Descriptor { operator, fields })))
}

fn extreme(operator: &'static str, sizes: &[u32], ty: DataType, last: bool) -> Call {
    let tensors = [(ty, sizes), (DataType::UINT32, &[1, sizes[1], 1][..])];
    Call::new(
        operator,
        &tensors,
        vec![Value::UInt(2), uints(&[0, 2]), Value::UInt(last.into())],
    )
}

fn tally(sizes: &[u32], ty: DataType, decreasing: bool, exclusive: bool) -> Call {
    let rest = vec![
        Value::UInt(1),
        Value::UInt(decreasing.into()),
        Value::UInt(exclusive.into()),
    ];
    Call::new("CUMULATIVE_SUMMATION", &[(ty, sizes), (ty, sizes)], rest)
}

fn gather(input: &[u32], indices: u32, ty: DataType, index: DataType) -> Call {
    let output = [input[0], indices];
    let rest = vec![Value::UInt(1), Value::UInt(1)];
    Call::new("GATHER", &[(ty, input), (index, &[1, indices]), (ty, &output)], rest)
}

fn add(count: u32, ty: DataType, activation: Value) -> Call {
    let tensor = (ty, &[count][..]);
    Call::new("ELEMENT_WISE_ADD1", &[tensor, tensor, tensor], vec![activation])
}

const NONE: Value = Value::Operator(None);

#[test]
fn shaders_compile_without_optional_features() {
    if !has_adapter("shaders_compile_without_optional_features") {
        return;
    }
    let mut gpu = device::Gpu::open(&AdapterChoice::Best, wgpu::Features::empty()).unwrap();
    let limits = gpu.limits;
    let mut descriptors = Vec::new();
    for (columns, k) in [(3, 1), (300, 1), (5000, 3), (5000, 4999), (5000, 5000)] {
        let narrow = job(0, [1, columns], k);
        let (sizes, selected) = ([1, columns], [1, k]);
        let wide = [
            (DataType::INT64, &sizes[..]),
            (DataType::INT64, &selected),
            (DataType::UINT32, &selected),
        ];
        let wide = Call::new("TOP_K", &wide, vec![Value::UInt(1), Value::UInt(k)]);
        descriptors.extend([Descriptor::clone(&narrow.descriptor), wide.descriptor()]);
    }
    for ty in [DataType::FLOAT32, DataType::UINT32, DataType::INT64] {
        for columns in [3, 300, 5000] {
            descriptors.push(tally(&[2, columns], ty, false, false).descriptor());
            descriptors.push(extreme("ARGMAX", &[2, 2, columns], ty, false).descriptor());
        }
        descriptors.push(gather(&[2, 3], 4, ty, DataType::INT32).descriptor());
    }
    descriptors.push(add(3, DataType::FLOAT32, NONE).descriptor());
    let mut entries = BTreeSet::new();
    for descriptor in descriptors {
        for step in &plan(&descriptor, &limits).unwrap().steps {
            assert!(step.params.len() * 4 <= program::PARAMS_BYTES as usize);
            entries.insert((step.kernel.shader.name, step.kernel.entry));
            let made = gpu.checked(|gpu| drop(gpu.pipeline(&step.kernel)));
            made.unwrap_or_else(|fault| panic!("{}: {fault}", step.kernel.shader.name));
        }
    }
    assert_eq!(entries.len(), 2 * 11 + 3 * 4 + 2 * 3 + 2 + 1, "{entries:?}");
}

#[test]
fn extremes_are_named_by_their_place_in_the_set() {
    if !has_adapter("extremes_are_named_by_their_place_in_the_set") {
        return;
    }
    for columns in [3, 300, 5000] {
        // Of every row the middle of both halves is largest, the first and the last are smallest.
        let middle = columns / 2;
        let row = |_| {
            (0..columns).map(move |c| {
                if c == middle {
                    9.0
                } else {
                    f32::from(c != 0 && c != columns - 1)
                }
            })
        };
        let input = floats((0..6).flat_map(row));
        let of = |operator, last| {
            extreme(operator, &[2, 3, columns], DataType::FLOAT32, last).run(std::slice::from_ref(&input))[0].clone()
        };
        assert_eq!(of("ARGMAX", false), words([middle; 3]));
        assert_eq!(of("ARGMAX", true), words([middle + columns; 3]));
        assert_eq!(of("ARGMIN", false), words([0; 3]));
        assert_eq!(of("ARGMIN", true), words([2 * columns - 1; 3]));
    }
}

#[test]
fn tallies_run_through_all_blocks() {
    if !has_adapter("tallies_run_through_all_blocks") {
        return;
    }
    for columns in [3u64, 300, 5000, 600_000] {
        let element = |row: u64, c: u64| 0x8000_0000_0000_0000 + (c << 31) + row;
        let elements = |row| (0..columns).map(move |c| element(row, c));
        let input: Vec<u8> = (0..2).flat_map(elements).flat_map(u64::to_le_bytes).collect();
        for (decreasing, exclusive) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut due = vec![0; 2 * columns as usize];
            for row in 0..2 {
                let mut sum = 0u64;
                for step in 0..columns {
                    let c = if decreasing { columns - 1 - step } else { step };
                    let before = sum;
                    sum = sum.wrapping_add(element(row, c));
                    due[(row * columns + c) as usize] = if exclusive { before } else { sum };
                }
            }
            let due: Vec<u8> = due.into_iter().flat_map(u64::to_le_bytes).collect();
            let call = tally(&[2, columns as u32], DataType::UINT64, decreasing, exclusive);
            assert!(
                call.run(std::slice::from_ref(&input))[0] == due,
                "{columns} {decreasing} {exclusive}"
            );
        }
    }
}

#[test]
fn indices_count_from_either_end() {
    if !has_adapter("indices_count_from_either_end") {
        return;
    }
    let input: Vec<u8> = (0..10).collect();
    let padded = |bytes: &[u8]| [bytes, &[POISON; 4][..bytes.len().next_multiple_of(4) - bytes.len()]].concat();
    let indices = [3i64, -1, -5, 0, 4, 5, -6, i64::from(i32::MAX), i64::from(i32::MIN)];
    let due = |row: u8| [3, 4, 0, 0, 4, 4, 0, 4, 0].map(|index| 5 * row + index);
    let due = padded(&[due(0), due(1)].concat());
    let short: Vec<u8> = indices.iter().flat_map(|index| (*index as i32).to_le_bytes()).collect();
    let call = gather(&[2, 5], 9, DataType::INT8, DataType::INT32);
    assert_eq!(call.run(&[padded(&input), short])[0], due);
    let far = indices.map(|index| if index.abs() > 6 { index << 32 } else { index });
    let long: Vec<u8> = far.iter().flat_map(|index| index.to_le_bytes()).collect();
    let call = gather(&[2, 5], 9, DataType::INT8, DataType::INT64);
    assert_eq!(call.run(&[padded(&input), long])[0], due);
}

#[test]
fn sums_go_through_the_activation() {
    if !has_adapter("sums_go_through_the_activation") {
        return;
    }
    let (a, b) = (floats([1.0, -2.0, 0.5]), floats([2.0, 0.5, -0.5]));
    let of = |activation| add(3, DataType::FLOAT32, activation).run(&[a.clone(), b.clone()])[0].clone();
    assert_eq!(of(NONE), floats([3.0, -1.5, 0.0]));
    assert_eq!(of(fused("ACTIVATION_IDENTITY", &[])), floats([3.0, -1.5, 0.0]));
    assert_eq!(of(fused("ACTIVATION_RELU", &[])), floats([3.0, 0.0, 0.0]));
    assert_eq!(of(fused("ACTIVATION_LINEAR", &[2.0, 1.0])), floats([7.0, -2.0, 1.0]));
    assert_eq!(of(fused("ACTIVATION_LEAKY_RELU", &[0.5])), floats([3.0, -0.75, 0.0]));
}

#[test]
fn operands_have_strides_of_their_own() {
    if !has_adapter("operands_have_strides_of_their_own") {
        return;
    }
    let sizes = [2, 3];
    let tensor = (DataType::FLOAT32, &sizes[..]);
    let mut call = Call::new("ELEMENT_WISE_ADD1", &[tensor, tensor, tensor], vec![NONE]);
    call.strides = vec![None, Some([0, 1]), Some([1, 2])];
    let (a, b) = (
        floats([10.0, 20.0, 30.0, 40.0, 50.0, 60.0]),
        floats([1.0, 2.0, 3.0, 9.0, 9.0, 9.0]),
    );
    assert_eq!(call.run(&[a, b])[0], floats([11.0, 41.0, 22.0, 52.0, 33.0, 63.0]));
}

#[test]
fn without_axes_every_element_is_a_set() {
    if !has_adapter("without_axes_every_element_is_a_set") {
        return;
    }
    let tensors = [(DataType::FLOAT32, &[2, 3][..]), (DataType::UINT32, &[2, 3][..])];
    let call = Call::new(
        "ARGMAX",
        &tensors,
        vec![Value::UInt(0), Value::UInts(None), Value::UInt(0)],
    );
    assert_eq!(call.run(&[floats([1.0; 6])])[0], words([0; 6]));
}

/// Every FLOAT16 through both conversions, scaled and shifted in between.
#[test]
fn halves_are_rounded_to_nearest_even() {
    if !has_adapter("halves_are_rounded_to_nearest_even") {
        return;
    }
    let finite: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).filter(|x| x.is_finite()).collect();
    let bytes = |numbers: &[f16]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let count = finite.len() as u32;
    for (scale, shift) in [
        (1.0, 0.0),
        (0.3, 0.0),
        (2f32.powi(-9), 0.0),
        (1.0, 2f32.powi(-24)),
        (2.0, 0.0),
    ] {
        let zeros = vec![f16::ZERO; finite.len()];
        let linear = fused("ACTIVATION_LINEAR", &[scale, shift]);
        let found = &add(count, DataType::FLOAT16, linear).run(&[bytes(&finite), bytes(&zeros)])[0];
        for (x, found) in finite.iter().zip(found.chunks_exact(2)) {
            let due = f16::from_f32(scale * x.to_f32() + shift);
            let found = f16::from_bits(u16::from_le_bytes(found.try_into().unwrap()));
            assert_eq!(found, due, "{scale} times {x:e} plus {shift:e}");
        }
    }
}
