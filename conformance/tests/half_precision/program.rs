//! A program that computes reals in FLOAT16, operation by operation, written from the pages alone.

#![expect(
    clippy::disallowed_methods,
    reason = "it is a program under test, whose exponentials may be any machine's"
)]

use std::collections::BTreeMap;

use dml_case::{
    number::{decode, encode_float},
    tensor::Shape,
};
use dml_conformance::spec;
use dml_ops::{Backend, Descriptor, FeatureLevel, Simple, Stopped, Value};
use dml_spec::model::DataType;

/// What a program does.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// Rounds the result of every operation.
    pub(crate) rounds: fn(f64) -> f64,
    /// In which order terms are added.
    pub(crate) order: Order,
    /// A mean takes the inverse of the count at each term.
    pub(crate) termwise: bool,
    /// Takes exponentials as they are, not relative to the greatest.
    pub(crate) naive: bool,
    /// What it makes of the right result.
    pub(crate) mistake: fn(f64) -> f64,
}

/// The order of a sum.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Forward,
    Backward,
    Pairwise,
}

/// Computes in FLOAT16 from the first operation to the last.
pub(crate) const HALF: Program = Program {
    rounds: half,
    order: Order::Forward,
    termwise: false,
    naive: false,
    mistake: |x| x,
};

/// Computes in FLOAT32 and rounds the result.
pub(crate) const SINGLE: Program = Program {
    rounds: |x| f64::from(x as f32),
    ..HALF
};

fn float16() -> &'static DataType {
    spec::catalog().data_type_named("FLOAT16").unwrap()
}

/// The nearest number of FLOAT16.
fn half(x: f64) -> f64 {
    decode(float16(), encode_float(float16(), x)).double()
}

/// The descriptor's members by kind, in struct order.
#[derive(Default)]
struct Members {
    shapes: Vec<Shape>,
    numbers: Vec<u32>,
    floats: Vec<f64>,
    axes: Vec<u32>,
    fused: Option<Descriptor>,
}

impl Members {
    fn of(desc: &Descriptor) -> Self {
        let mut members = Self::default();
        for field in &desc.fields {
            match field {
                Value::Tensor(Some(tensor)) => members.shapes.push(Shape::of(spec::catalog(), tensor).unwrap()),
                Value::UInts(Some(list)) => members.axes.extend_from_slice(list),
                Value::UInt(value) => members.numbers.push(*value),
                Value::Float(value) => members.floats.push((*value).into()),
                Value::Operator(nested) => members.fused = nested.as_deref().cloned(),
                _ => {}
            }
        }
        members
    }
}

impl Program {
    /// The program as a backend that has the operators that compute reals.
    pub(crate) fn backend(self) -> impl Backend {
        let operators = [
            "REDUCE",
            "ACTIVATION_SOFTMAX1",
            "CUMULATIVE_SUMMATION",
            "ELEMENT_WISE_ADD1",
            "ACTIVATION_LINEAR",
            "ACTIVATION_LEAKY_RELU",
        ];
        let execute = move |desc: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
            let members = Members::of(desc);
            let Some((output, shapes)) = members.shapes.split_last() else {
                return Err(Stopped::Failed("no tensor".to_owned()));
            };
            let read = |(shape, bytes): (&Shape, &&[u8])| {
                let elements = shape.read(bytes);
                elements.iter().map(|bits| decode(&shape.ty, *bits).double()).collect()
            };
            let inputs: Vec<Vec<f64>> = shapes.iter().zip(inputs).map(read).collect();
            let results = self.results(desc, &members, &inputs)?;
            let bits = results.iter().map(|x| encode_float(&output.ty, (self.mistake)(*x)));
            output.write(outputs[0], bits);
            Ok(())
        };
        Simple::new("half", "1", FeatureLevel::new(6, 4), operators, execute)
    }

    fn results(&self, desc: &Descriptor, members: &Members, inputs: &[Vec<f64>]) -> Result<Vec<f64>, Stopped> {
        let elements = &inputs[0];
        match &*desc.operator {
            "ELEMENT_WISE_ADD1" => {
                let sums = elements.iter().zip(&inputs[1]).map(|(a, b)| (self.rounds)(a + b));
                sums.map(|sum| match &members.fused {
                    Some(fused) => self.activated(fused, sum),
                    None => Ok(sum),
                })
                .collect()
            }
            "REDUCE" | "ACTIVATION_SOFTMAX1" => Ok(self.of_sets(members, elements)),
            "CUMULATIVE_SUMMATION" => Ok(self.tallies(members, elements)),
            _ => elements.iter().map(|x| self.activated(desc, *x)).collect(),
        }
    }

    fn activated(&self, desc: &Descriptor, x: f64) -> Result<f64, Stopped> {
        let (r, floats) = (self.rounds, Members::of(desc).floats);
        Ok(match (&*desc.operator, &floats[..]) {
            ("ACTIVATION_LINEAR", [alpha, beta]) => r(r(r(*alpha) * x) + r(*beta)),
            ("ACTIVATION_LEAKY_RELU", [alpha]) if x < 0.0 => r(r(*alpha) * x),
            ("ACTIVATION_LEAKY_RELU" | "ACTIVATION_IDENTITY", _) => x,
            ("ACTIVATION_RELU", _) => x.max(0.0),
            _ => return Err(Stopped::Skipped("unsupported".to_owned())),
        })
    }

    /// Elements that agree in all coordinates but some, in row-major order.
    fn sets(shape: &Shape, axes: &[u32]) -> Vec<Vec<usize>> {
        let mut sets: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for at in 0..shape.elements() {
            let mut place = shape.coordinates(at).to_vec();
            axes.iter().for_each(|axis| place[*axis as usize] = 0);
            sets.entry(place).or_default().push(at as usize);
        }
        sets.into_values().collect()
    }

    fn of_sets(&self, members: &Members, elements: &[f64]) -> Vec<f64> {
        let output = &members.shapes[1];
        let mut results = vec![0.0; output.elements() as usize];
        for (number, set) in Self::sets(&members.shapes[0], &members.axes).iter().enumerate() {
            let values: Vec<f64> = set.iter().map(|at| elements[*at]).collect();
            match members.numbers[..] {
                [function, _] => results[number] = self.reduced(function, &values),
                _ => {
                    let shares = self.shares(&values);
                    set.iter().zip(shares).for_each(|(at, share)| results[*at] = share);
                }
            }
        }
        results
    }

    fn tallies(&self, members: &Members, elements: &[f64]) -> Vec<f64> {
        let [axis, direction, exclusive] = members.numbers[..] else {
            return Vec::new();
        };
        let mut results = vec![0.0; elements.len()];
        for mut set in Self::sets(&members.shapes[0], &[axis]) {
            if direction == 1 {
                set.reverse();
            }
            let mut tally = 0.0;
            for at in set {
                let before = tally;
                tally = (self.rounds)(tally + elements[at]);
                results[at] = if exclusive != 0 { before } else { tally };
            }
        }
        results
    }

    fn sum(&self, terms: &[f64]) -> f64 {
        let add = |sum: f64, x: &f64| (self.rounds)(sum + x);
        match (self.order, terms) {
            (Order::Forward, _) => terms.iter().fold(0.0, add),
            (Order::Backward, _) => terms.iter().rev().fold(0.0, add),
            (Order::Pairwise, [] | [_]) => terms.iter().sum(),
            (Order::Pairwise, _) => {
                let (left, right) = terms.split_at(terms.len() / 2);
                add(self.sum(left), &self.sum(right))
            }
        }
    }

    fn sum_of(&self, set: &[f64], term: impl Fn(f64) -> f64) -> f64 {
        self.sum(&set.iter().map(|x| (self.rounds)(term(*x))).collect::<Vec<_>>())
    }

    fn top(&self, set: &[f64]) -> f64 {
        match self.naive {
            true => 0.0,
            false => set.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// By the number of a function.
    fn reduced(&self, function: u32, set: &[f64]) -> f64 {
        let (r, n) = (self.rounds, (self.rounds)(set.len() as f64));
        match function {
            0 => set
                .iter()
                .position(|x| *x == set.iter().copied().fold(f64::NEG_INFINITY, f64::max))
                .unwrap_or(0) as f64,
            1 => set
                .iter()
                .position(|x| *x == set.iter().copied().fold(f64::INFINITY, f64::min))
                .unwrap_or(0) as f64,
            2 if self.termwise => self.sum_of(set, |x| x * r(1.0 / n)),
            2 => r(self.sum(set) / n),
            3 => self.sum_of(set, f64::abs),
            4 => r(self.sum_of(set, |x| x * x).sqrt()),
            5 => r(self.sum(set).ln()),
            6 => {
                let top = self.top(set);
                r(top + r(self.sum_of(set, |x| r(x - top).exp()).ln()))
            }
            7 => set.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            8 => set.iter().copied().fold(f64::INFINITY, f64::min),
            9 => set.iter().fold(1.0, |product, x| r(product * x)),
            10 => self.sum(set),
            _ => self.sum_of(set, |x| x * x),
        }
    }

    fn shares(&self, group: &[f64]) -> Vec<f64> {
        let (r, top) = (self.rounds, self.top(group));
        let powers: Vec<f64> = group.iter().map(|x| r(r(x - top).exp())).collect();
        let total = self.sum(&powers);
        powers.iter().map(|power| r(power / total)).collect()
    }
}
