//! The first screen: the tested backend, the suite, the time; conformant or not at each feature level; and why not.

use std::{collections::BTreeSet, fmt::Write};

use dml_spec::FeatureLevel;

use crate::groups::word_for_others;
use crate::mistakes::{evidence, placed, unexplained};
use crate::render::html::{Listed, Text, listing};
use crate::results::GroupLine;
use crate::{
    render::{
        model::StoredRun,
        words::{cases, judged, says, verdict},
    },
    summary::Ending,
};
use dml_case::{suite::Suite, text::grouped};

/// Maximum number of groups of failures shown for a run; the others fold.
const GROUPS: usize = 3;

/// Maximum number of new failures that are shown.
const NEW: usize = 3;

/// Groups that are shown at all.
const MOST: usize = 100;

pub(super) fn first(suite: &Suite, spec_digest: &str, runs: &[StoredRun], listed: &Listed<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, r#"<div class="cards">"#);
    runs.iter().for_each(|run| card(suite, run, &mut text));
    let _ = writeln!(text, "</div>");
    notes(spec_digest, runs, listed, &mut text);
    text
}

fn sign(ending: Ending) -> (&'static str, &'static str) {
    match ending {
        Ending::Conformant => ("good", "✓"),
        Ending::NotConformant => ("bad", "✗"),
        Ending::Incomplete => ("open", "…"),
    }
}

fn card(suite: &Suite, run: &StoredRun, text: &mut String) {
    let ending = run.ending(None);
    let (class, sign) = sign(ending);
    let header = &run.header;
    let _ = writeln!(text, r#"<section class="card is-{class}">"#);
    let _ = writeln!(
        text,
        r#"<h2>{} <span class="verdict {class}"><span aria-hidden="true">{sign}</span> {}</span></h2>"#,
        Text(&header.backend.label),
        verdict(run, None)
    );
    let _ = writeln!(text, r#"<p class="says">{}</p>"#, Text(&what_and_when(suite, run)));
    let counts: Vec<String> = run
        .counts
        .iter()
        .map(|(word, n)| format!("{} {}", grouped(*n), word))
        .collect();
    let _ = writeln!(text, "<p>{}: {}.</p>", cases(run.cases()), Text(&counts.join(", ")));
    for why in run.incomplete() {
        let _ = writeln!(text, r#"<p class="open">Incomplete: {}.</p>"#, Text(&why));
    }
    skips(run, text);
    newly(run, text);
    levels(suite, run, text);
    why_not(suite, run, text);
    facts(suite, run, text);
    let _ = writeln!(text, "</section>");
}

/// New failures come first.
fn newly(run: &StoredRun, text: &mut String) {
    let Some(all) = run.newly else { return };
    if all == 0 {
        let _ = writeln!(text, "<p>Nothing fails that did not before.</p>");
        return;
    }
    let label = &run.header.backend.label;
    let _ = writeln!(
        text,
        r#"<h3>Newly failing: <a href="{}">{}</a></h3><ul class="new">"#,
        Text(&listing(&[("run", label), ("new", "yes")])),
        cases(all)
    );
    let new: Vec<_> = run.failures.iter().filter(|failing| failing.is_new).collect();
    for failing in new.iter().take(NEW) {
        let link = listing(&[("run", label), ("id", failing.id())]).replace("#q=", "#case=");
        let _ = writeln!(
            text,
            r#"<li><a class="id" href="{}">{}</a> {}: {}</li>"#,
            Text(&link),
            Text(failing.id()),
            Text(&failing.class),
            Text(failing.message())
        );
    }
    let _ = writeln!(text, "</ul>");
}

fn levels(suite: &Suite, run: &StoredRun, text: &mut String) {
    let _ = writeln!(
        text,
        r#"<div class="scroll" tabindex="0" role="region" aria-label="Feature levels of {0}"><table class="levels"><thead><tr><th scope="col">Up to</th><th scope="col">Verdict</th><th scope="col" class="n">Operators</th><th scope="col" class="n">Fail</th><th scope="col" class="n">Judged</th></tr></thead><tbody>"#,
        Text(&run.header.backend.label)
    );
    for level in run.levels() {
        let ending = run.ending(Some(level));
        let (class, sign) = sign(ending);
        let counted = run.cells.iter().filter(|(place, _)| place.level <= level);
        let (all, fail) = counted.fold((0, 0), |(all, fail), (_, cell)| {
            (all + cell.cases - cell.skip, fail + cell.fail)
        });
        let fails = match fail {
            0 => "0".to_owned(),
            n => {
                let query = listing(&[("run", &run.header.backend.label), ("upto", &level.to_string())]);
                format!(r#"<a href="{}">{}</a>"#, Text(&query), grouped(n))
            }
        };
        let _ = writeln!(
            text,
            r#"<tr><th scope="row">{level}</th><td class="{class}"><span aria-hidden="true">{sign}</span> {}</td><td class="n">{}</td><td class="n">{fails}</td><td class="n">{}</td></tr>"#,
            judged(run, Some(level)),
            operators(suite, run, level),
            grouped(all)
        );
    }
    let _ = writeln!(text, "</tbody></table></div>");
}

/// How many operators a verdict up to a level covers: a level alone does not say that.
fn operators(suite: &Suite, run: &StoredRun, level: FeatureLevel) -> String {
    let judged = run
        .cells
        .iter()
        .filter(|(place, cell)| place.level <= level && cell.cases > cell.skip);
    let judged: BTreeSet<&str> = judged.map(|(place, _)| place.operator.as_str()).collect();
    let all = suite
        .catalog
        .operators
        .iter()
        .filter(|operator| operator.introduced <= level);
    format!("{} of {}", judged.len(), all.count())
}

/// What explains the wrong outputs.
fn mistakes(run: &StoredRun, text: &mut String) {
    let all = run.mistakes();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        r#"<h3>Mistakes that give the wrong outputs</h3><ol class="groups">"#
    );
    for of in all {
        for mistake in &of.found {
            let _ = write!(
                text,
                r#"<li><strong>{}</strong>: {}<p class="says">{}</p>"#,
                Text(&of.operator),
                Text(&mistake.kind),
                Text(&placed(mistake))
            );
            if let Some(condition) = &mistake.condition {
                let word = of.condition_word();
                let _ = write!(text, r#"<p class="says">{word} {}</p>"#, Text(condition));
            }
            let _ = writeln!(text, "<p>{}</p></li>", Text(&evidence(of, mistake)));
        }
        if let Some(left) = unexplained(of) {
            let _ = writeln!(
                text,
                "<li><strong>{}</strong>: {}</li>",
                Text(&of.operator),
                Text(&left)
            );
        }
    }
    let _ = writeln!(text, "</ol>");
}

fn why_not(suite: &Suite, run: &StoredRun, text: &mut String) {
    mistakes(run, text);
    if run.groups.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        r#"<h3>Why not</h3><p class="says">Each failing case counts once.</p><ol class="groups">"#
    );
    let shown = run.groups.len().min(GROUPS);
    run.groups
        .iter()
        .take(shown)
        .for_each(|group| one(suite, run, group, text));
    let _ = writeln!(text, "</ol>");
    if run.groups.len() > shown {
        let more = run.groups.len() - shown;
        let _ = writeln!(
            text,
            "<details><summary>{more} more</summary><ol class=\"groups\" start=\"{}\">",
            shown + 1
        );
        run.groups
            .iter()
            .take(MOST)
            .skip(shown)
            .for_each(|group| one(suite, run, group, text));
        let _ = writeln!(text, "</ol></details>");
    }
}

fn one(suite: &Suite, run: &StoredRun, group: &GroupLine, text: &mut String) {
    let (name, key) = match group.clause.as_str() {
        "" => ("no clause", "none"),
        clause => (clause, clause),
    };
    let query = listing(&[("run", &run.header.backend.label), ("clause", key)]);
    let classes: Vec<String> = match group.classes.len() {
        1 => group.classes.keys().cloned().collect(),
        _ => group
            .classes
            .iter()
            .map(|(class, n)| format!("{} {class}", grouped(*n)))
            .collect(),
    };
    let _ = writeln!(
        text,
        r#"<li><a class="id" href="{}">{}</a> <strong>{}</strong>: {}"#,
        Text(&query),
        Text(name),
        cases(group.count),
        Text(&classes.join(", "))
    );
    let says = says(suite, &group.clause);
    if !says.is_empty() {
        let _ = writeln!(text, r#"<p class="says">{}</p>"#, Text(&says));
    }
    if !group.others.is_empty() {
        let word = word_for_others(&group.clause);
        let _ = writeln!(text, "<p>{word} {}</p>", Text(&group.others.join(", ")));
    }
    if let Some(pattern) = &group.pattern {
        let _ = writeln!(text, "<p>{}</p>", Text(pattern));
    }
    let known = run.failures.iter().any(|failing| failing.id() == group.smallest);
    let smallest = match known {
        true => format!(
            r#"<a href="{}">Smallest case</a>"#,
            Text(&listing(&[("run", &run.header.backend.label), ("id", &group.smallest)]).replace("#q=", "#case="))
        ),
        false => "Smallest case".to_owned(),
    };
    if let Some(message) = &group.message {
        let _ = writeln!(text, "<p>{smallest}: {}</p>", Text(message));
    }
    let again = run
        .again(&group.smallest)
        .unwrap_or_else(|| format!("dml-cts show '{}'", group.smallest));
    let _ = writeln!(text, r#"<pre class="command" tabindex="0">{}</pre></li>"#, Text(&again));
}

fn facts(suite: &Suite, run: &StoredRun, text: &mut String) {
    let (header, backend) = (&run.header, &run.header.backend);
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let validator = match backend.validator.as_str() {
        "own" => "its own",
        "generated" => "generated from the specification",
        other => other,
    };
    let mut rows = vec![
        ("Backend", format!("{} {}", backend.name, backend.version)),
        (
            "Declares",
            format!("feature level {}, {}", backend.feature_level, backend.levels),
        ),
        ("Validator", validator.to_owned()),
    ];
    rows.extend(backend.details.iter().map(|(key, value)| (key.as_str(), value.clone())));
    let selected = match &header.selection[..] {
        [] => "everything".to_owned(),
        words => words.join(" "),
    };
    rows.extend([
        (
            "Operators",
            format!("{} of {}", run.judged_operators().len(), suite.catalog.operators.len()),
        ),
        ("Selected", selected),
        (
            "Plan",
            format!(
                "tier {}, basis {}, seed {}",
                header.tier,
                header.basis_words(),
                header.seed
            ),
        ),
    ]);
    if let Some(started) = &header.started {
        rows.push(("Started", started.replace('T', " ").replace('Z', " UTC")));
    }
    if let Some(footer) = &run.footer {
        rows.push(("Took", format!("{:.1} s", footer.seconds)));
    }
    let host = header.host.iter().map(|host| format!("{host}; "));
    rows.push((
        "Host",
        host.collect::<String>() + &format!("{} {}", header.os, header.arch),
    ));
    rows.push((
        "Specification",
        format!(
            "{}, corpus {}",
            short(&header.spec_digest),
            short(&header.corpus_digest)
        ),
    ));
    rows.push(("Suite", format!("dml-cts {}", header.suite)));
    rows.extend(crate::scope::of_run(&suite.catalog, header).map(|scope| ("Covers", scope.says())));
    rows.extend(header.shards.map(|of| ("Merged", format!("of {of} shards"))));
    let _ = writeln!(text, "<details><summary>Facts of the run</summary><dl>");
    for (name, value) in rows {
        let _ = writeln!(text, "<dt>{}</dt><dd>{}</dd>", Text(name), Text(&value));
    }
    let _ = writeln!(
        text,
        "<dt>Command</dt><dd><code>{}</code></dd></dl>",
        Text(&header.command.join(" "))
    );
    let _ = writeln!(text, "</details>");
}

/// Maximum number of reasons of skips that are shown.
const SKIPS: usize = 5;

fn skips(run: &StoredRun, text: &mut String) {
    let mut skips: Vec<(&String, &u64)> = run.skips.iter().collect();
    skips.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    let shown = skips.iter().take(SKIPS);
    let mut reasons: Vec<String> = shown.map(|(reason, n)| format!("{} {reason}", grouped(**n))).collect();
    reasons.extend((skips.len() > SKIPS).then(|| format!("{} more reasons", skips.len() - SKIPS)));
    if !reasons.is_empty() {
        let _ = writeln!(text, "<p>Skipped: {}.</p>", Text(&reasons.join(", ")));
    }
}

/// What was tested, how much of it, and when.
fn what_and_when(suite: &Suite, run: &StoredRun) -> String {
    let (header, backend) = (&run.header, &run.header.backend);
    let mut parts = vec![format!("{} {}", backend.name, backend.version)];
    parts.push(match &header.selection[..] {
        [] => format!(
            "{} of {} operators",
            run.judged_operators().len(),
            suite.catalog.operators.len()
        ),
        words => words.join(" "),
    });
    parts.push(format!("tier {}", header.tier));
    let day = header.started.as_deref().and_then(|started| started.split('T').next());
    parts.extend(day.map(str::to_owned));
    parts.join(" · ")
}

/// What a reader has to know about the page itself.
fn notes(spec_digest: &str, runs: &[StoredRun], listed: &Listed<'_>, text: &mut String) {
    if runs.iter().any(|run| run.header.spec_digest != spec_digest) {
        let _ = writeln!(
            text,
            r#"<p class="note">A run was made with another specification than this report: what clauses say may have changed since, and cases that changed show no tensors.</p>"#
        );
    }
    if listed.left_out > 0 {
        let _ = writeln!(
            text,
            r#"<p class="note">{} of the failing cases are counted and not listed: of many that fail alike only some are kept.</p>"#,
            grouped(listed.left_out)
        );
    }
}
