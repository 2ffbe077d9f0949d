//! Random descriptors: plausible ones, and mutations that break them in every possible way.

use dml_spec::{Catalog, Descriptor, Dims, TensorDesc, Value, desc::element_bits};

/// SplitMix64: small, fast, the same everywhere.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (self.next() % u64::from(end.max(1))) as u32
    }

    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    /// A number near a border, or any.
    pub(crate) fn number(&mut self) -> u32 {
        match self.below(8) {
            0 => self.pick(&[u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) - 1, 1 << 16, 4096, 4097]),
            1 => self.next() as u32,
            _ => self.below(10),
        }
    }

    fn signed(&mut self) -> i32 {
        match self.below(8) {
            0 => self.pick(&[i32::MIN, i32::MAX, -4096, -4097]),
            _ => self.below(20) as i32 - 8,
        }
    }

    fn float(&mut self) -> f32 {
        self.pick(&[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -1.5,
            2.0,
            99.0,
            100.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ])
    }

    fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(10)).map(|_| entry(self)).collect()
    }
}

pub(crate) fn sizes(rng: &mut Rng, rank: u32) -> Dims {
    (0..rank).map(|_| 1 + rng.below(5)).collect()
}

/// Some tensor, mostly a good one.
pub(crate) fn tensor(catalog: &Catalog, rng: &mut Rng) -> TensorDesc {
    let data_type = 1 + rng.below(13);
    let rank = 1 + rng.below(8);
    let sizes = sizes(rng, rank);
    TensorDesc::packed(data_type, element_bits(catalog, data_type).unwrap_or(32), &sizes)
}

/// Changes one thing about a descriptor.
pub(crate) fn mutate(catalog: &Catalog, rng: &mut Rng, descriptor: &mut Descriptor) {
    if descriptor.fields.is_empty() {
        return;
    }
    let field = rng.below(descriptor.fields.len() as u32) as usize;
    // Other tensors are the best source of almost correct values.
    let other = match &descriptor.fields[rng.below(descriptor.fields.len() as u32) as usize] {
        Value::Tensor(Some(tensor)) => Some(tensor.clone()),
        _ => None,
    };
    match &mut descriptor.fields[field] {
        Value::Tensor(tensor) => mutate_optional(catalog, rng, tensor, other),
        Value::Tensors(tensors) => mutate_tensors(catalog, rng, tensors, other),
        Value::UInt(value) => *value = rng.number(),
        Value::Int(value) => *value = rng.signed(),
        Value::Float(value) => *value = rng.float(),
        Value::UInts(list) => *list = (!rng.one_in(5)).then(|| rng.list(Rng::number).into()),
        Value::Ints(list) => *list = (!rng.one_in(5)).then(|| rng.list(Rng::signed).into()),
        Value::Floats(list) => *list = (!rng.one_in(5)).then(|| rng.list(Rng::float).into()),
        Value::ScaleBias(pair) => *pair = (!rng.one_in(3)).then(|| (rng.float(), rng.float())),
        Value::Size2D(width, height) => (*width, *height) = (rng.number(), rng.number()),
        Value::Scalar(bytes) => *bytes = rng.next().to_le_bytes(),
        Value::Operator(operator) => *operator = rng.one_in(2).then(|| Box::new(nested())),
        Value::Operators(operators) => *operators = rng.one_in(2).then(|| vec![nested(); rng.below(3) as usize]),
    }
}

fn nested() -> Descriptor {
    Descriptor {
        operator: "ACTIVATION_RELU".into(),
        fields: Vec::new(),
    }
}

fn mutate_optional(catalog: &Catalog, rng: &mut Rng, tensor: &mut Option<TensorDesc>, other: Option<TensorDesc>) {
    match tensor {
        _ if rng.one_in(12) => *tensor = None,
        _ if rng.one_in(12) => *tensor = other,
        Some(tensor) => mutate_tensor(catalog, rng, tensor),
        None => *tensor = Some(self::tensor(catalog, rng)),
    }
}

fn mutate_tensors(catalog: &Catalog, rng: &mut Rng, tensors: &mut Option<Vec<TensorDesc>>, other: Option<TensorDesc>) {
    let Some(list) = tensors else {
        *tensors = Some(Vec::new());
        return;
    };
    match rng.below(8) {
        0 => *tensors = None,
        1 => list.clear(),
        2 => list.extend(other),
        3 => list.push(tensor(catalog, rng)),
        4 => list.truncate(1),
        _ if list.is_empty() => list.push(tensor(catalog, rng)),
        _ => {
            let one = rng.below(list.len() as u32) as usize;
            mutate_tensor(catalog, rng, &mut list[one]);
        }
    }
}

fn mutate_tensor(catalog: &Catalog, rng: &mut Rng, tensor: &mut TensorDesc) {
    match rng.below(16) {
        0 => tensor.tensor_type = rng.pick(&[0, 1, 2, u32::MAX]),
        1 | 2 => tensor.data_type = if rng.one_in(4) { rng.number() } else { rng.below(16) },
        3 => tensor.flags = rng.pick(&[0, 1, 2, 3, u32::MAX]),
        4 => tensor.sizes = None,
        5 => {
            let rank = rng.below(11);
            tensor.sizes = Some(sizes(rng, rank));
        }
        6 | 7 => change_size(rng, tensor),
        8 | 9 => change_strides(rng, tensor),
        10 | 11 => change_total(catalog, rng, tensor),
        12 => {
            tensor.guaranteed_base_offset_alignment =
                rng.pick(&[0, 1, 2, 3, 4, 7, 8, 15, 16, 24, 32, 256, 1 << 31, u32::MAX]);
        }
        // Keeps a changed layout otherwise valid, so that later clauses are tested as well.
        _ => fit(catalog, tensor),
    }
    if rng.one_in(2) {
        fit(catalog, tensor);
    }
}

fn change_size(rng: &mut Rng, tensor: &mut TensorDesc) {
    let Some(sizes) = &mut tensor.sizes else { return };
    match rng.below(4) {
        0 => sizes.push(1 + rng.below(3)),
        1 => {
            sizes.pop();
        }
        _ if sizes.is_empty() => {}
        _ => {
            let one = rng.below(sizes.len() as u32) as usize;
            sizes[one] = rng.number();
        }
    }
}

fn change_strides(rng: &mut Rng, tensor: &mut TensorDesc) {
    let sizes = tensor.sizes();
    let rank = sizes.len() as u32;
    let packed = || -> Dims {
        let mut strides: Dims = Dims::from_elem(1, sizes.len());
        for d in (0..sizes.len().saturating_sub(1)).rev() {
            strides[d] = strides[d + 1].wrapping_mul(sizes[d + 1]);
        }
        strides
    };
    let strides = match rng.below(8) {
        0 => None,
        1 => Some((0..rng.below(11)).map(|_| rng.number()).collect()),
        2 => Some((0..rank).map(|_| rng.number()).collect()),
        3 => Some((0..rank).map(|_| rng.below(40)).collect()),
        4 => Some(packed().iter().map(|s| s.wrapping_mul(2)).collect()),
        5 => {
            let mut strides = packed();
            if rank > 1 {
                let (a, b) = (rng.below(rank) as usize, rng.below(rank) as usize);
                strides.swap(a, b);
            }
            Some(strides)
        }
        6 => {
            let mut strides = packed();
            if rank > 0 {
                strides[rng.below(rank) as usize] = rng.below(3);
            }
            Some(strides)
        }
        _ => Some(packed()),
    };
    tensor.strides = strides;
}

fn minimum(catalog: &Catalog, tensor: &TensorDesc) -> u64 {
    let bits = element_bits(catalog, tensor.data_type).unwrap_or(32);
    tensor.minimum_total_size(bits).unwrap_or(64)
}

fn fit(catalog: &Catalog, tensor: &mut TensorDesc) {
    tensor.total_tensor_size_in_bytes = minimum(catalog, tensor);
}

fn change_total(catalog: &Catalog, rng: &mut Rng, tensor: &mut TensorDesc) {
    let least = minimum(catalog, tensor);
    let bits = u64::from(element_bits(catalog, tensor.data_type).unwrap_or(32));
    let most = (1_u64 << 32) * bits / 8;
    tensor.total_tensor_size_in_bytes = rng.pick(&[
        0,
        1,
        least.saturating_sub(4),
        least.saturating_sub(1),
        least,
        least.saturating_add(1),
        least.saturating_add(4),
        most - 1,
        most,
        most + 1,
        u64::MAX,
    ]);
}
