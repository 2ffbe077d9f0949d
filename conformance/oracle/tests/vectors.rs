//! Meanings held against judges that no one here wrote: ONNX's reference evaluator and NumPy. The expressions of
//! operators that the specification does not have yet show that the language carries them.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod support;

use support::{Suite, change, vectors};

#[test]
fn meanings_accept_what_other_judges_compute() {
    let suite = Suite::load();
    let only = std::env::var("VECTORS_OF").ok();
    let (mut wrong, mut cases, mut missing) = (Vec::new(), 0, Vec::new());
    for file in vectors() {
        if only.as_ref().is_some_and(|only| *only != file.operator) {
            continue;
        }
        if suite.meanings.of(&file.operator).is_none() {
            missing.push(file.operator);
            continue;
        }
        for case in &file.cases {
            cases += 1;
            let found = suite.judge(&file.operator, case);
            let more = found.len().saturating_sub(3);
            wrong.extend(
                found
                    .into_iter()
                    .take(3)
                    .map(|w| format!("{} {}: {w}", file.operator, case.name)),
            );
            if more > 0 {
                wrong.push(format!("  and {more} more"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(missing.is_empty(), "without a meaning: {}", missing.join(", "));
    assert!(only.is_some() || cases > 400, "{cases} cases");
}

/// Rounds of the test below; `MEANING_ROUNDS=1000000` looks further, `MEANING_SEED` at other changes.
const ROUNDS: usize = 2000;

#[test]
fn a_changed_meaning_has_values_or_a_fault_with_a_place() {
    let suite = Suite::load();
    let rounds = std::env::var("MEANING_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let seed = std::env::var("MEANING_SEED").map_or(0, |seed| seed.parse().unwrap());
    let files = vectors();
    let (mut checked, mut valued) = (0, 0);
    for round in seed..seed + rounds {
        let mut random = change::Random::new(round as u64 + 1);
        let file = &files[random.below(files.len())];
        let case = &file.cases[random.below(file.cases.len())];
        let Some(texts) = suite.texts.get(&file.operator) else {
            continue;
        };
        let mut texts = texts.clone();
        let at = random.below(texts.len());
        texts[at].1 = change::changed(&texts[at].1, &texts, &mut random);
        if random.below(8) == 0 {
            texts[at].0 = change::changed(&texts[at].0, &texts, &mut random);
        }
        let tried = std::panic::AssertUnwindSafe(|| suite.try_meaning(&file.operator, case, &texts));
        match std::panic::catch_unwind(tried) {
            Ok(None) => {}
            Ok(Some(has_values)) => {
                checked += 1;
                valued += usize::from(has_values);
            }
            Err(_) => panic!("round {round}: {} {}: {texts:#?}", file.operator, case.name),
        }
    }
    assert!(
        checked > rounds / 20 && valued > rounds / 200,
        "{checked} checked, {valued} with values"
    );
}

/// Mathematics that needs no second operator: each is an operator's whole meaning.
const MATHEMATICS: &str = "exp log sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf sigmoid floor \
    ceil round trunc pow sign popcount isnan isinf";

#[test]
fn every_built_in_serves_two_operators_or_is_mathematics() {
    let suite = Suite::load();
    let used = |name: &str| {
        let with = |text: &str| {
            let call = format!("{name}(");
            let mut places = text.match_indices(&call);
            places.any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let operators = suite.catalog.operators.iter();
        let users = operators.filter(|operator| {
            let clauses = || operator.clauses.iter();
            let meaning = suite.texts[&*operator.name]
                .iter()
                .map(|(head, body)| format!("{head}: {body}"));
            let rules = clauses().filter_map(|clause| clause.rule.as_deref().map(str::to_owned));
            let opens = clauses().flat_map(|clause| clause.opens.iter().map(|(_, rule)| rule.to_string()));
            let tells = clauses().flat_map(|clause| clause.tells.iter().flat_map(|variant| variant.instead.iter()));
            let instead = tells.map(|(_, text)| text.to_string());
            meaning.chain(rules).chain(opens).chain(instead).any(|text| with(&text))
        });
        users.map(|operator| operator.name.to_string()).collect::<Vec<_>>()
    };
    let built_ins = dml_spec::meaning::built_ins();
    let mathematics: Vec<&str> = MATHEMATICS.split(' ').filter(|name| !name.is_empty()).collect();
    for name in &mathematics {
        assert!(built_ins.contains(name), "{name} is not built in any more");
    }
    let lonely: Vec<String> = built_ins
        .iter()
        // What a release reads outside of coordinates; one operator's release is known to.
        .filter(|name| !mathematics.contains(name) && **name != "raw")
        .map(|name| (name, used(name)))
        .filter(|(_, users)| users.len() < 2)
        .map(|(name, users)| format!("{name}: {users:?}"))
        .collect();
    assert!(lonely.is_empty(), "{lonely:#?}");
}
