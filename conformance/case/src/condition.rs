//! Conditions that tell cases apart: what some of them have in common and others lack.

use std::collections::{BTreeMap, BTreeSet};

use crate::traits::{Trait, Traits, remoteness};

/// Fewer failing cases tell no mistake from others.
pub const LEAST: usize = 5;

/// Fewer cases that a condition leaves out may differ from the others by chance.
const LEAST_LEFT_OUT: usize = 3;

/// Of so many ways to choose the cases that a condition leaves out at least one is expected to look like a condition.
const WAYS: u64 = 250;

/// Most values that a condition lists.
const MOST_VALUES: usize = 4;

/// Most of what the suite alone knows, such as how inputs are made: of those some fit by chance.
const MOST_OF_SUITE: usize = 2;

/// Most numbers that a first trait is compared with, if a second one is looked for.
const MOST_LIMITS: usize = 8;

/// The cases among which conditions are looked for.
pub struct Conditions {
    names: Vec<String>,
    /// One for each name.
    columns: Vec<Column>,
    cases: usize,
}

/// The values of one trait.
struct Column {
    /// Each value once, in order.
    values: Vec<Trait>,
    /// For each case the place of its value.
    of: Vec<Option<usize>>,
}

impl Column {
    fn new(cases: &[Traits], name: &String) -> Self {
        let values = cases.iter().filter_map(|traits| traits.get(name));
        let values: BTreeSet<&Trait> = values.collect();
        let places: BTreeMap<&Trait, usize> = values.iter().enumerate().map(|(at, value)| (*value, at)).collect();
        let place = |traits: &Traits| traits.get(name).and_then(|value| places.get(value).copied());
        Self {
            of: cases.iter().map(place).collect(),
            values: values.into_iter().cloned().collect(),
        }
    }

    /// How many of these cases have each value.
    fn counts(&self, cases: &[usize]) -> Vec<usize> {
        let mut counts = vec![0; self.values.len()];
        for place in cases.iter().filter_map(|case| self.of.get(*case).copied().flatten()) {
            if let Some(count) = counts.get_mut(place) {
                *count += 1;
            }
        }
        counts
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// In words.
    pub text: String,
    /// Whether each case fulfils it.
    pub holds: Vec<bool>,
    /// What it demands of each trait that it speaks of.
    pub demand: Demand,
    /// It lists sizes of a tensor, which may be a coincidence.
    pub lists_sizes: bool,
}

/// What a condition demands, of whatever case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand(Vec<(String, Test)>);

impl Demand {
    /// Whether a case meets it.
    pub fn is_met(&self, traits: &Traits) -> bool {
        self.0.iter().all(|(name, test)| test.holds(traits.get(name)))
    }

    /// How many traits it speaks of.
    pub fn traits(&self) -> usize {
        self.0.len()
    }
}

/// A condition on one trait.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    In(Vec<Trait>),
    NotIn(Vec<Trait>),
    Above(i64),
    Below(i64),
    Odd(bool),
}

impl Test {
    fn holds(&self, value: Option<&Trait>) -> bool {
        let number = match value {
            Some(Trait::Number(number)) => Some(*number),
            _ => None,
        };
        match self {
            Self::In(all) => value.is_some_and(|value| all.contains(value)),
            Self::NotIn(all) => value.is_some_and(|value| !all.contains(value)),
            Self::Above(limit) => number.is_some_and(|number| number > *limit),
            Self::Below(limit) => number.is_some_and(|number| number < *limit),
            Self::Odd(odd) => number.is_some_and(|number| (number % 2 != 0) == *odd),
        }
    }

    fn text(&self, name: &str) -> String {
        let list = |all: &[Trait]| {
            let words = all.iter().map(|value| match value {
                Trait::Word(word) => word.clone(),
                Trait::Number(number) => number.to_string(),
                Trait::Phrase(phrase) => phrase.to_string(),
            });
            words.collect::<Vec<_>>().join(" or ")
        };
        match self {
            Self::In(all) if matches!(all.as_slice(), [Trait::Phrase(_), ..]) => list(all),
            Self::In(all) => format!("{name} is {}", list(all)),
            Self::NotIn(all) => format!("{name} is not {}", list(all)),
            Self::Above(limit) => format!("{name} is greater than {limit}"),
            Self::Below(limit) => format!("{name} is less than {limit}"),
            Self::Odd(odd) => format!("{name} is {}", if *odd { "odd" } else { "even" }),
        }
    }
}

impl Conditions {
    /// Conditions on these cases.
    pub fn new(cases: &[Traits]) -> Self {
        let names: BTreeSet<&String> = cases.iter().flat_map(|traits| traits.keys()).collect();
        let mut names: Vec<String> = names.into_iter().cloned().collect();
        names.sort_by_key(|name| remoteness(name));
        Self {
            columns: names.iter().map(|name| Column::new(cases, name)).collect(),
            names,
            cases: cases.len(),
        }
    }

    /// The condition on one trait, or else on two, that holds in most of the wanted cases, at least so many, and in none of
    /// the refuting ones; `None` if too few cases speak for it.
    pub fn find(&self, wanted: &[bool], refuting: &[bool], least: usize) -> Option<Condition> {
        let all = vec![true; self.cases];
        let count = |of: &[bool], mask: &[bool]| of.iter().zip(mask).filter(|(of, mask)| **of && **mask).count();
        let refuted = count(refuting, &all);
        if count(wanted, &all) < least {
            return None;
        }
        let single = self.best(&all, wanted, refuting);
        let single = single.filter(|(_, _, covered)| *covered >= least && is_telling(*covered, refuted));
        let mut best = single.as_ref().map(|(column, test, covered)| {
            let text = test.text(self.name(*column));
            (*covered * 9, self.condition(text, &all, &[(*column, test)]))
        });
        for (column, test) in self.pool() {
            let mask = self.holding(&all, column, &test);
            let left = count(refuting, &mask);
            let reached = count(wanted, &mask);
            // Each of two traits has to be needed, and two have to say more than one, of twice as many cases.
            if left < LEAST_LEFT_OUT || refuted - left < LEAST_LEFT_OUT || reached < 2 * least {
                continue;
            }
            if best.as_ref().is_some_and(|(score, _)| reached * 8 <= *score) {
                continue;
            }
            let Some((other, second, covered)) = self.best(&mask, wanted, refuting) else {
                continue;
            };
            // The first trait is needed for what the second one leaves.
            let needed = count(refuting, &self.holding(&all, other, &second));
            let telling = is_telling(covered, left) && is_telling(covered, needed);
            if other == column
                || covered < 2 * least
                || !telling
                || best.as_ref().is_some_and(|(score, _)| covered * 8 <= *score)
            {
                continue;
            }
            let text = format!("{} and {}", test.text(self.name(column)), second.text(self.name(other)));
            best = Some((
                covered * 8,
                self.condition(text, &mask, &[(column, &test), (other, &second)]),
            ));
        }
        best.map(|(_, condition)| condition)
    }

    fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", String::as_str)
    }

    /// A condition of these tests, of which `mask` says where all but the last hold.
    fn condition(&self, text: String, mask: &[bool], tests: &[(usize, &Test)]) -> Condition {
        let demand = tests
            .iter()
            .map(|(column, test)| (self.name(*column).to_owned(), (*test).clone()));
        let last = tests.last();
        Condition {
            text,
            holds: last.map_or(mask.to_vec(), |(column, test)| self.holding(mask, *column, test)),
            demand: Demand(demand.collect()),
            lists_sizes: last.is_some_and(|(column, test)| self.lists_sizes(*column, test)),
        }
    }

    fn lists_sizes(&self, column: usize, test: &Test) -> bool {
        let lists = matches!(test, Test::In(all) if all.iter().any(|value| number_of(value).is_some()));
        lists && remoteness(self.name(column)) > 0
    }

    fn holding(&self, mask: &[bool], column: usize, test: &Test) -> Vec<bool> {
        let Some(column) = self.columns.get(column) else {
            return vec![false; mask.len()];
        };
        let holds: Vec<bool> = column.values.iter().map(|value| test.holds(Some(value))).collect();
        let in_value = |place: &Option<usize>| place.and_then(|place| holds.get(place)) == Some(&true);
        let pairs = mask.iter().zip(&column.of);
        pairs.map(|(mask, place)| *mask && in_value(place)).collect()
    }

    /// Of the cases that `mask` leaves, the test that holds in most of the wanted ones and in no refuting one. If it leaves
    /// some out, the test is the second part of a condition.
    fn best(&self, mask: &[bool], wanted: &[bool], refuting: &[bool]) -> Option<(usize, Test, usize)> {
        let mut best: Option<(usize, Test, usize)> = None;
        let is_second = mask.contains(&false);
        let left = |of: &[bool]| -> Vec<usize> { (0..mask.len()).filter(|at| mask[*at] && of[*at]).collect() };
        let (wanted, refuting) = (left(wanted), left(refuting));
        for (number, column) in self.columns.iter().enumerate() {
            let (good, bad) = (column.counts(&wanted), column.counts(&refuting));
            let telling = good.iter().zip(&bad).filter(|(_, bad)| **bad == 0);
            // No test holds in more cases than have a value that no refuting one has.
            if telling.map(|(good, _)| good).sum::<usize>() <= best.as_ref().map_or(0, |(_, _, most)| *most) {
                continue;
            }
            let most = match remoteness(self.name(number)) {
                2.. => MOST_OF_SUITE,
                _ => MOST_VALUES,
            };
            let values = || column.values.iter().zip(good.iter().zip(&bad));
            let only = values().filter(|(_, (good, bad))| **good > 0 && **bad == 0);
            let only: Vec<&Trait> = only.map(|(value, _)| value).collect();
            let others: Vec<&Trait> = values()
                .filter(|(_, (_, bad))| **bad > 0)
                .map(|(value, _)| value)
                .collect();
            for test in tests(&only, &others, most) {
                // That tensors of this size alone are meant, and of those some, is a coincidence too easily.
                if is_second && self.lists_sizes(number, &test) {
                    continue;
                }
                let held = values().filter(|(value, _)| test.holds(Some(value)));
                let covered = held.map(|(_, (good, _))| good).sum();
                if covered > 0 && best.as_ref().is_none_or(|(_, _, most)| covered > *most) {
                    best = Some((number, test, covered));
                }
            }
        }
        best
    }

    /// Tests of one trait that a second one may be added to.
    fn pool(&self) -> Vec<(usize, Test)> {
        let mut pool = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let values = &column.values;
            if values.len() < 2 {
                continue;
            }
            let numbers: Vec<i64> = values.iter().filter_map(number_of).collect();
            let step = numbers.len() / MOST_LIMITS + 1;
            for limit in numbers.iter().step_by(step) {
                pool.extend([(number, Test::Above(*limit)), (number, Test::Below(*limit))]);
            }
            if !numbers.is_empty() {
                pool.extend([(number, Test::Odd(true)), (number, Test::Odd(false))]);
            }
            for value in values.iter().filter(|value| number_of(value).is_none()) {
                pool.push((number, Test::In(vec![value.clone()])));
                // Of sentences each stands for itself.
                if !matches!(value, Trait::Phrase(_)) {
                    pool.push((number, Test::NotIn(vec![value.clone()])));
                }
            }
        }
        pool
    }
}

/// Whether so many cases that a condition holds for, and so many that it leaves out, are unlikely to be apart by chance.
fn is_telling(holds: usize, left_out: usize) -> bool {
    let few = holds.min(left_out);
    let all = (holds + left_out) as u64;
    let mut ways = 1_u64;
    for at in 0..few.min(16) as u64 {
        ways = ways.saturating_mul(all - at) / (at + 1);
    }
    left_out >= LEAST_LEFT_OUT && ways >= WAYS
}

fn number_of(value: &Trait) -> Option<i64> {
    match value {
        Trait::Number(number) => Some(*number),
        _ => None,
    }
}

/// The tests of one trait that hold for values of `only` and for none of `bad`, both in order, the plainest first.
fn tests(only: &[&Trait], bad: &[&Trait], most_values: usize) -> Vec<Test> {
    let mut all = Vec::new();
    let owned = |values: &[&Trait]| values.iter().map(|value| (*value).clone()).collect::<Vec<Trait>>();
    let is_number = only.iter().any(|value| number_of(value).is_some());
    if only.len() == 1 || !is_number && only.len() <= most_values && bad.len() != 1 {
        all.push(Test::In(owned(only)));
    } else if !is_number && (1..=2).contains(&bad.len()) && !bad.iter().any(|value| matches!(value, Trait::Phrase(_))) {
        all.push(Test::NotIn(owned(bad)));
    }
    if is_number {
        let numbers: Vec<i64> = bad.iter().filter_map(|value| number_of(value)).collect();
        if let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) {
            all.extend([Test::Above(*most), Test::Below(*least)]);
            let odd = |odd: bool| numbers.iter().all(|number| (number % 2 != 0) == odd);
            all.extend([true, false].into_iter().filter(|is| odd(!is)).map(Test::Odd));
        }
        if only.len() <= 2 {
            all.push(Test::In(owned(only)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(direction: &str, k: i64) -> Traits {
        Traits::from([
            ("AxisDirection".to_owned(), Trait::Word(direction.to_owned())),
            ("K".to_owned(), Trait::Number(k)),
        ])
    }

    fn found(failing: &[Traits], refuting: &[Traits]) -> Option<String> {
        let all: Vec<Traits> = failing.iter().chain(refuting).cloned().collect();
        let wanted: Vec<bool> = (0..all.len()).map(|at| at < failing.len()).collect();
        let others: Vec<bool> = wanted.iter().map(|wanted| !wanted).collect();
        let found = Conditions::new(&all).find(&wanted, &others, LEAST)?;
        // What it demands of any case is what it says of these.
        let met: Vec<bool> = all.iter().map(|traits| found.demand.is_met(traits)).collect();
        assert_eq!(met, found.holds, "{}", found.text);
        Some(found.text)
    }

    #[test]
    fn a_condition_tells_failing_cases_from_passing_ones() {
        let failing: Vec<Traits> = (0..6).map(|k| case("DECREASING", k)).collect();
        let passing: Vec<Traits> = (0..6).map(|k| case("INCREASING", k)).collect();
        let text = found(&failing, &passing);
        assert_eq!(text.as_deref(), Some("AxisDirection is DECREASING"));
        assert_eq!(found(&failing, &failing), None);
        assert_eq!(found(&failing, &passing[..4]), None, "too few to say so");
        assert_eq!(found(&failing[..4], &passing), None, "too few to say so");
    }

    #[test]
    fn a_number_is_compared() {
        let of = |range: std::ops::Range<i64>| range.map(|k| case("DECREASING", k)).collect::<Vec<_>>();
        assert_eq!(found(&of(20..40), &of(0..20)).as_deref(), Some("K is greater than 19"));
        assert_eq!(found(&of(0..20), &of(20..40)).as_deref(), Some("K is less than 20"));
        let odd = |odd: i64| (0..20).map(|k| case("DECREASING", 2 * k + odd)).collect::<Vec<_>>();
        assert_eq!(found(&odd(1), &odd(0)).as_deref(), Some("K is odd"));
    }

    #[test]
    fn of_traits_that_tell_the_same_cases_apart_the_one_closest_to_a_mistake_is_named() {
        let of = |length: i64| {
            let mut traits = case("DECREASING", 1);
            traits.insert("the length along Axis".to_owned(), Trait::Number(length));
            traits.insert("the last size of InputTensor".to_owned(), Trait::Number(100 - length));
            traits
        };
        let (failing, passing): (Vec<_>, Vec<_>) = ((50..70).map(of).collect(), (20..40).map(of).collect());
        let text = found(&failing, &passing);
        assert_eq!(text.as_deref(), Some("the length along Axis is greater than 39"));
    }

    #[test]
    fn two_traits_are_a_condition_if_each_is_needed() {
        let failing: Vec<Traits> = (20..40).map(|k| case("DECREASING", k)).collect();
        let short = (0..20).map(|k| case("DECREASING", k));
        let mut refuting: Vec<Traits> = (0..40).map(|k| case("INCREASING", k)).chain(short).collect();
        let text = found(&failing, &refuting);
        assert_eq!(
            text.as_deref(),
            Some("AxisDirection is DECREASING and K is greater than 19")
        );
        // A single trait does not leave out all, and the second one rests on too few cases.
        let few = &failing[..2 * LEAST - 1];
        assert_eq!(found(few, &refuting), None, "two traits need twice the cases");
        refuting.truncate(42);
        assert_eq!(found(&failing, &refuting), None);
    }

    #[test]
    fn a_phrase_says_it_all() {
        let of = |begin: i64, end: i64| {
            let phrase = if begin > end {
                "Begin is greater than End"
            } else {
                "Begin is less than End"
            };
            Traits::from([
                ("Begin".to_owned(), Trait::Number(begin)),
                ("Begin beside End".to_owned(), Trait::Phrase(phrase.into())),
                ("End".to_owned(), Trait::Number(end)),
            ])
        };
        let all = || (0..20).flat_map(|n| [(n % 7, n % 5), (n % 5, n % 7)]);
        let failing: Vec<Traits> = all().filter(|(a, b)| a > b).map(|(a, b)| of(a, b)).collect();
        let passing: Vec<Traits> = all().filter(|(a, b)| a < b).map(|(a, b)| of(a, b)).collect();
        assert_eq!(found(&failing, &passing).as_deref(), Some("Begin is greater than End"));
    }

    #[test]
    fn what_no_other_case_has_at_all_is_no_condition() {
        let failing: Vec<Traits> = (0..20).map(|k| case(["A", "B", "C", "D", "E"][k % 5], 1)).collect();
        let others: Vec<Traits> = (0..20)
            .map(|_| Traits::from([("K".to_owned(), Trait::Number(1))]))
            .collect();
        assert_eq!(found(&failing, &others), None);
    }

    #[test]
    fn of_what_the_suite_alone_knows_two_values_are_listed() {
        let of = |values: &[&str]| -> Vec<Traits> {
            let name = "the case's `values`".to_owned();
            let trait_of = |value: &&str| Traits::from([(name.clone(), Trait::Word((*value).to_owned()))]);
            values.iter().cycle().take(24).map(trait_of).collect()
        };
        let others = of(&["random", "limits", "zeros"]);
        let found = |values| found(&of(values), &others);
        assert_eq!(
            found(&["ties", "runs"]).as_deref(),
            Some("the case's `values` is runs or ties")
        );
        assert_eq!(found(&["ties", "runs", "unit"]), None);
    }

    #[test]
    fn tensors_of_some_size_alone_are_no_part_of_a_condition() {
        let of = |direction: &str, k: i64, size: i64| {
            let mut traits = case(direction, k);
            traits.insert("the number of elements of InputTensor".to_owned(), Trait::Number(size));
            traits
        };
        // Failing: decreasing with 24 or 1216 elements.
        let failing: Vec<Traits> = (0..20)
            .map(|k| of("DECREASING", k, [24, 1216][k as usize % 2]))
            .collect();
        let others = (0..20).map(|k| of("INCREASING", k, [24, 1216][k as usize % 2]));
        let sizes = (0..20).map(|k| of("DECREASING", k, [12, 48, 2048][k as usize % 3]));
        let refuting: Vec<Traits> = others.chain(sizes).collect();
        assert_eq!(found(&failing, &refuting), None);
    }
}
