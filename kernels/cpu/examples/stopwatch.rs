//! Times the CPU kernels for `conformance/scripts/bench-peers`, which times other implementations on the same data.
//!
//! One command on each line of standard input, one answer on each line of standard output:
//!
//! | command | answer |
//! | --- | --- |
//! | `open TOP_K1 FLOAT32 1x1x1000x1000 3 10 data.bin 2` | operator, data type, sizes, axis, K, input, threads: `ready` |
//! | `run 100` | nanoseconds of this many calls together |
//! | `save outputs.bin` | all outputs, one after another, into a file: `saved` |
//! | `read data.bin 2` | nanoseconds in which this many threads read the file's bytes, from memory |

use std::{
    borrow::Cow,
    fs,
    hint::black_box,
    io::{self, BufRead, Write},
    num::NonZeroUsize,
    sync::Barrier,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use dml_ops::{DataType, Descriptor, Dims, TensorDesc, Value};

fn main() -> Result<()> {
    let mut prepared = None;
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match (words.as_slice(), &mut prepared) {
            (["open", rest @ ..], prepared) => {
                *prepared = Some(Prepared::new(rest)?);
                "ready".to_owned()
            }
            (["run", times], Some(prepared)) => prepared.run(times.parse()?)?.as_nanos().to_string(),
            (["save", file], Some(prepared)) => {
                fs::write(file, prepared.outputs.concat())?;
                "saved".to_owned()
            }
            (["read", file, threads], _) => read(&fs::read(file)?, threads.parse()?).as_nanos().to_string(),
            _ => bail!("found `{line}`, expected open, run, save or read; nothing runs before it is opened"),
        };
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

/// A descriptor with its buffers.
struct Prepared {
    descriptor: Descriptor,
    input: Vec<u8>,
    outputs: Vec<Vec<u8>>,
    threads: NonZeroUsize,
}

impl Prepared {
    fn new(words: &[&str]) -> Result<Self> {
        let [operator, data_type, sizes, axis, k, file, threads] = words else {
            bail!("found {} words behind open, expected 7", words.len());
        };
        let (data_type, bits) = data_type_of(data_type)?;
        let sizes: Vec<u32> = sizes.split('x').map(str::parse).collect::<Result<_, _>>()?;
        let (axis, k): (u32, u32) = (axis.parse()?, k.parse()?);
        let selects = operator.starts_with("TOP_K");
        let mut selected = sizes.clone();
        *selected.get_mut(axis as usize).context("the axis is no dimension")? = if selects { k } else { 1 };
        let tensor = |data_type: DataType, bits, sizes: &[u32]| {
            Value::Tensor(Some(TensorDesc::packed(data_type.0, bits, sizes)))
        };
        let mut fields = vec![tensor(data_type, bits, &sizes)];
        let count = selected.iter().product::<u32>() as usize;
        let mut outputs = Vec::new();
        if selects {
            fields.push(tensor(data_type, bits, &selected));
            outputs.push(vec![0; count * bits as usize / 8]);
        }
        fields.push(tensor(DataType::UINT32, 32, &selected));
        outputs.push(vec![0; count * 4]);
        match *operator {
            "TOP_K1" => fields.extend([Value::UInt(axis), Value::UInt(k), Value::UInt(1)]),
            "TOP_K" => fields.extend([Value::UInt(axis), Value::UInt(k)]),
            _ => fields.extend([
                Value::UInt(1),
                Value::UInts(Some(Dims::from_slice(&[axis]))),
                Value::UInt(0),
            ]),
        }
        Ok(Self {
            descriptor: Descriptor {
                operator: Cow::Owned((*operator).to_owned()),
                fields,
            },
            input: fs::read(file).with_context(|| format!("cannot read {file}"))?,
            outputs,
            threads: threads.parse()?,
        })
    }

    /// Runs the kernel so many times.
    fn run(&mut self, times: u32) -> Result<Duration> {
        let mut outputs: Vec<&mut [u8]> = self.outputs.iter_mut().map(Vec::as_mut_slice).collect();
        let start = Instant::now();
        for _ in 0..times {
            dml_cpu::with_threads(self.threads, || {
                dml_cpu::execute(black_box(&self.descriptor), &[black_box(&self.input)], &mut outputs)
            })?;
        }
        Ok(start.elapsed())
    }
}

fn data_type_of(name: &str) -> Result<(DataType, u32)> {
    Ok(match name {
        "FLOAT32" => (DataType::FLOAT32, 32),
        "FLOAT16" => (DataType::FLOAT16, 16),
        "UINT64" => (DataType::UINT64, 64),
        "UINT32" => (DataType::UINT32, 32),
        "UINT16" => (DataType::UINT16, 16),
        "UINT8" => (DataType::UINT8, 8),
        "INT64" => (DataType::INT64, 64),
        "INT32" => (DataType::INT32, 32),
        "INT16" => (DataType::INT16, 16),
        "INT8" => (DataType::INT8, 8),
        other => bail!("{other} is no data type of these operators"),
    })
}

/// Reads all words, each thread a part of them: the least time, of many rounds, that the slowest of them took. Threads
/// begin a round together, so that starting them does not count.
fn read(bytes: &[u8], threads: usize) -> Duration {
    const ROUNDS: usize = 50;
    let lines = bytes.as_chunks::<64>().0;
    let parts: Vec<_> = lines.chunks(lines.len().div_ceil(threads.max(1)).max(1)).collect();
    let begin = Barrier::new(parts.len());
    let round = |part: &[[u8; 64]]| {
        begin.wait();
        let start = Instant::now();
        black_box(sum(black_box(part)));
        start.elapsed()
    };
    let times: Vec<[Duration; ROUNDS]> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .iter()
            .map(|part| scope.spawn(|| [(); ROUNDS].map(|()| round(part))))
            .collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let slowest = (0..ROUNDS).filter_map(|round| times.iter().map(|times| times[round]).max());
    slowest.min().unwrap_or(Duration::MAX)
}

fn sum(lines: &[[u8; 64]]) -> [u8; 64] {
    let mut sum = [0u8; 64];
    for line in lines {
        for (sum, byte) in sum.iter_mut().zip(line) {
            *sum |= byte;
        }
    }
    sum
}
