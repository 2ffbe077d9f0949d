//! How long meanings take, and that doubling an axis does no more than double the time.
//!
//! `cargo bench -p dml-oracle --bench meanings [-- NAME]` prints milliseconds for each length, the ratio to half the length, and microseconds of a
//! case of 64 elements. Nothing fails by a time.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops at what it did not expect, and prints"
)]

use std::time::Instant;

use dml_oracle::{Basis, Block, Meanings, Request, Tensor, expect};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    model::{Catalog, DataType, Operator},
};

/// A descriptor and its inputs by field.
type Call = (Descriptor, Vec<Vec<Tensor>>);

struct Bench {
    name: &'static str,
    call: fn(&Catalog, u32) -> Call,
}

const BENCHES: [Bench; 7] = [
    Bench {
        name: "ELEMENT_WISE_ADD1",
        call: |catalog, n| {
            let t = float(catalog, n);
            call(
                catalog,
                "ELEMENT_WISE_ADD1",
                &[("ATensor", t.clone()), ("BTensor", t)],
                &["OutputTensor"],
                &[],
            )
        },
    },
    Bench {
        name: "TOP_K1",
        call: |catalog, n| {
            let attributes = [("Axis", 0), ("K", n), ("AxisDirection", 1)];
            let outputs = ["OutputValueTensor", "OutputIndexTensor"];
            call(
                catalog,
                "TOP_K1",
                &[("InputTensor", float(catalog, n))],
                &outputs,
                &attributes,
            )
        },
    },
    Bench {
        name: "ACTIVATION_SOFTMAX1",
        call: |catalog, n| {
            let attributes = [("AxisCount", 1), ("Axes", 0)];
            call(
                catalog,
                "ACTIVATION_SOFTMAX1",
                &[("InputTensor", float(catalog, n))],
                &["OutputTensor"],
                &attributes,
            )
        },
    },
    Bench {
        name: "CUMULATIVE_SUMMATION",
        call: |catalog, n| {
            let attributes = [("Axis", 0), ("AxisDirection", 0), ("HasExclusiveSum", 0)];
            call(
                catalog,
                "CUMULATIVE_SUMMATION",
                &[("InputTensor", float(catalog, n))],
                &["OutputTensor"],
                &attributes,
            )
        },
    },
    Bench {
        name: "REDUCE (SUM)",
        call: |catalog, n| {
            let attributes = [("Function", 10), ("AxisCount", 1), ("Axes", 0)];
            let (mut descriptor, inputs) = call(
                catalog,
                "REDUCE",
                &[("InputTensor", float(catalog, n))],
                &["OutputTensor"],
                &attributes,
            );
            let at = catalog.operator("REDUCE").unwrap().field_index("OutputTensor").unwrap();
            descriptor.fields[at] = Value::Tensor(Some(desc(catalog, 1)));
            (descriptor, inputs)
        },
    },
    Bench {
        name: "ACTIVATION_RELU",
        call: |catalog, n| {
            call(
                catalog,
                "ACTIVATION_RELU",
                &[("InputTensor", float(catalog, n))],
                &["OutputTensor"],
                &[],
            )
        },
    },
    Bench {
        name: "ACTIVATION_IDENTITY",
        call: |catalog, n| {
            call(
                catalog,
                "ACTIVATION_IDENTITY",
                &[("InputTensor", float(catalog, n))],
                &["OutputTensor"],
                &[],
            )
        },
    },
];

fn single(catalog: &Catalog) -> &DataType {
    catalog.data_type_named("FLOAT32").unwrap()
}

fn desc(catalog: &Catalog, n: u32) -> TensorDesc {
    TensorDesc::packed(single(catalog).value, 32, &[n])
}

/// Numbers that sums of have to round.
fn float(catalog: &Catalog, n: u32) -> Tensor {
    let mut state = 1_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u64::from(((state >> 8) as f32 / 16_777_216.0).to_bits())
    };
    let elements: Vec<u64> = (0..n).map(next).collect();
    Tensor::new(&desc(catalog, n), single(catalog), &elements).unwrap()
}

fn call(
    catalog: &Catalog,
    name: &str,
    inputs: &[(&str, Tensor)],
    outputs: &[&str],
    attributes: &[(&str, u32)],
) -> Call {
    let operator: &Operator = catalog.operator(name).unwrap();
    let mut descriptor = Descriptor::zeroed(operator);
    let mut all = vec![Vec::new(); operator.fields.len()];
    let field = |name: &str| operator.field_index(name).unwrap();
    let n = inputs[0].1.elements() as u32;
    for (name, tensor) in inputs {
        descriptor.fields[field(name)] = Value::Tensor(Some(desc(catalog, n)));
        all[field(name)].push(tensor.clone());
    }
    for name in outputs {
        let ty = if name.contains("Index") {
            catalog.data_type_named("UINT32").unwrap()
        } else {
            single(catalog)
        };
        descriptor.fields[field(name)] = Value::Tensor(Some(TensorDesc::packed(ty.value, 32, &[n])));
    }
    for (name, value) in attributes {
        let at = field(name);
        descriptor.fields[at] = match descriptor.fields[at] {
            Value::UInts(_) => Value::UInts(Some([*value].into_iter().collect())),
            _ => Value::UInt(*value),
        };
    }
    (descriptor, all)
}

/// Seconds of one evaluation, the best of some.
fn measure(catalog: &Catalog, meanings: &Meanings, call: &Call, times: u32) -> f64 {
    let request = Request {
        catalog,
        meanings,
        descriptor: &call.0,
        inputs: &call.1,
        basis: Basis::Runtime,
        variants: &[],
        half_precision: false,
    };
    let one = || {
        let start = Instant::now();
        let mut count = 0;
        expect(&request, &mut |block: Block| count += block.elements.len()).unwrap();
        assert!(count > 0);
        start.elapsed().as_secs_f64()
    };
    (0..times).map(|_| one()).fold(f64::INFINITY, f64::min)
}

fn main() {
    let catalog = dml_spec_yaml::load::catalog();
    let meanings = Meanings::of_catalog(catalog);
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let asked = || {
        let all = BENCHES.iter();
        all.filter(|bench| wanted.is_empty() || wanted.iter().any(|name| bench.name.contains(name.as_str())))
    };
    println!(
        "{:24} {:>9} {:>9} {:>9} {:>9}  ratios",
        "ms at", "2^17", "2^18", "2^19", "2^20"
    );
    for bench in asked() {
        let times = (17..=20).map(|power| measure(catalog, &meanings, &(bench.call)(catalog, 1 << power), 5) * 1e3);
        let times: Vec<f64> = times.collect();
        let shown: Vec<String> = times.iter().map(|ms| format!("{ms:9.2}")).collect();
        let ratios: Vec<String> = times
            .windows(2)
            .map(|pair| format!("{:.2}", pair[1] / pair[0]))
            .collect();
        println!("{:24} {}  {}", bench.name, shown.join(" "), ratios.join(" "));
    }
    println!("\n{:24} {:>9} {:>9} {:>9}", "µs of a case", "1", "8", "64");
    for bench in asked() {
        let micros = [1, 8, 64].map(|n| measure(catalog, &meanings, &(bench.call)(catalog, n), 2000) * 1e6);
        let shown: Vec<String> = micros.iter().map(|us| format!("{us:9.2}")).collect();
        println!("{:24} {}", bench.name, shown.join(" "));
    }
}
