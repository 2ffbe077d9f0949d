//! Parts of a selection: every case is in one of them, whoever asks.

use std::{cmp::Reverse, collections::BinaryHeap, str::FromStr, sync::Arc};

use xxhash_rust::xxh3::xxh3_64;

use dml_case::record::ShardInfo;
use dml_case::{digest::Digest, id::CaseId};

/// Part `index` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Part, from 1.
    pub index: u64,
    /// Number of parts.
    pub of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let parts = s
            .split_once('/')
            .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!(
                "invalid shard `{s}`; write I/N with I from 1 to N, such as 1/4"
            )),
        }
    }
}

/// How many groups of cases are divided up: cases go by a digest of their id, so that the memory does not depend on
/// how many there are.
const SLOTS: usize = 1 << 16;

/// Times that cases took, summed up by slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times(Vec<u64>);

impl Default for Times {
    fn default() -> Self {
        Self(vec![0; SLOTS])
    }
}

impl Times {
    /// A case took this many milliseconds.
    pub fn add(&mut self, id: &str, ms: f64) {
        if let Some(slot) = self.0.get_mut(slot(id)) {
            // Whole numbers, so that no order of adding matters; what is no time at all counts as none.
            *slot = slot.saturating_add((ms * 1000.0).round() as u64);
        }
    }

    fn digest(&self) -> Digest {
        let text: Vec<String> = self.0.iter().map(u64::to_string).collect();
        Digest::of_text(&text.join(" "))
    }
}

fn slot(id: &str) -> usize {
    (xxh3_64(id.as_bytes()) % SLOTS as u64) as usize
}

/// A part, and what decides which cases are in it: their ids alone, or the times that they took as well.
#[derive(Clone, Debug)]
pub struct Division {
    shard: Shard,
    balance: Option<Balance>,
}

#[derive(Clone, Debug)]
struct Balance {
    /// Which slots are of this part.
    ours: Arc<[bool]>,
    times: Digest,
}

impl From<Shard> for Division {
    fn from(shard: Shard) -> Self {
        Self { shard, balance: None }
    }
}

impl Division {
    /// Parts that take about as long: the longest slot goes to the part that has least to do.
    pub fn balanced(shard: Shard, times: &Times) -> Self {
        let mut slots: Vec<(usize, u64)> = times.0.iter().copied().enumerate().collect();
        slots.sort_by_key(|(slot, time)| (Reverse(*time), *slot));
        // No more parts than slots can have anything to do.
        let parts = shard.of.min(SLOTS as u64);
        let mut loads: BinaryHeap<Reverse<(u64, u64, u64)>> = (1..=parts).map(|part| Reverse((0, 0, part))).collect();
        let mut ours = vec![false; SLOTS];
        for (slot, time) in slots {
            let Some(Reverse((load, count, part))) = loads.pop() else {
                break;
            };
            if let Some(own) = ours.get_mut(slot) {
                *own = part == shard.index;
            }
            // Slots that nobody measured go by number.
            loads.push(Reverse((load.saturating_add(time), count + 1, part)));
        }
        let balance = Some(Balance {
            ours: ours.into(),
            times: times.digest(),
        });
        Self { shard, balance }
    }

    /// Whether the case is in this part.
    pub fn holds(&self, id: &CaseId) -> bool {
        match &self.balance {
            None => xxh3_64(id.as_str().as_bytes()) % self.shard.of == self.shard.index - 1,
            Some(balance) => balance.ours.get(slot(id.as_str())).copied().unwrap_or(false),
        }
    }

    /// What a stored run says of it.
    pub fn info(&self) -> ShardInfo {
        ShardInfo {
            index: self.shard.index,
            of: self.shard.of,
            times: self.balance.as_ref().map(|balance| balance.times.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::shard::*;

    fn ids() -> Vec<CaseId> {
        (0..2000)
            .map(|n| format!("TOP_K1:2.1:ties:k={n}").parse().unwrap())
            .collect()
    }

    #[test]
    fn every_id_is_in_exactly_one_shard() {
        let mut times = Times::default();
        ids().iter().step_by(3).for_each(|id| times.add(id.as_str(), 1.5));
        for of in [1, 4, 7] {
            let shards: Vec<Shard> = (1..=of).map(|index| Shard { index, of }).collect();
            let plain: Vec<Division> = shards.iter().map(|shard| Division::from(*shard)).collect();
            let balanced: Vec<Division> = shards.iter().map(|shard| Division::balanced(*shard, &times)).collect();
            for id in ids() {
                for divisions in [&plain, &balanced] {
                    assert_eq!(divisions.iter().filter(|division| division.holds(&id)).count(), 1);
                }
            }
        }
        let many = Shard {
            index: u64::MAX,
            of: u64::MAX,
        };
        let nothing = Division::balanced(many, &times);
        assert!(!ids().iter().any(|id| nothing.holds(id)));
    }

    #[test]
    fn balanced_parts_take_about_as_long() {
        // One case takes half of all the time.
        let (ids, mut times) = (ids(), Times::default());
        let ms = |n: usize| if n == 7 { 2000.0 } else { 1.0 };
        ids.iter().enumerate().for_each(|(n, id)| times.add(id.as_str(), ms(n)));
        let load = |index: u64| -> f64 {
            let division = Division::balanced(Shard { index, of: 4 }, &times);
            let ours = ids.iter().enumerate().filter(|(_, id)| division.holds(id));
            ours.map(|(n, _)| ms(n)).sum()
        };
        let mut loads: Vec<f64> = (1..=4).map(load).collect();
        loads.sort_by(f64::total_cmp);
        assert!((1999.0..2100.0).contains(&loads[3]), "{loads:?}");
        assert!(loads[2] - loads[0] < 10.0, "{loads:?}");
    }

    #[test]
    fn times_that_are_none_do_no_harm() {
        let mut times = Times::default();
        for ms in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
            times.add("x", ms);
        }
        let division = Division::balanced(Shard { index: 1, of: 2 }, &times);
        assert!(division.info().times.is_some_and(|digest| digest.len() == 32));
    }

    #[test]
    fn shards_count_from_one() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for text in ["0/3", "4/3", "1/0", "1", "a/b", "-1/2", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
