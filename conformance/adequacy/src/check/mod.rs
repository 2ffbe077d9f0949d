//! Mistakes of a specification that loads but cannot be planned correctly: worked examples that the meaning contradicts,
//! parameters that mean nothing, meanings without a value, reasons about mutants and classes that do not exist.

mod classes;
mod equivalent;
mod examples;
mod invariants;
mod nodes;
mod parameters;
mod values;

use std::ops::Range;

use dml_spec::{Diagnostic, diag::locate};
use dml_spec_yaml::{
    load::Files,
    tree::{Node, read},
};
use rayon::prelude::*;

use dml_plan::{builder::Builder, planner::Planner};

/// The mistakes, by operator and place.
pub fn check(suite: &Planner, files: &Files) -> Vec<Diagnostic> {
    for_each_operator(suite, files, |builder, _, source| {
        let mut here = examples::check(builder, source, files);
        here.extend(parameters::check(builder, source));
        here.extend(equivalent::check(builder, source));
        here.extend(equivalent::check_names(builder, source));
        here.extend(classes::check(builder, source));
        here
    })
}

/// Parts of meanings and of nodes of ONNX that have no value for some legal descriptor, invariants that variants of their
/// clause violate, and values of parameters that no case can have, by operator and place: what [`check`] leaves out, since
/// it takes seconds.
pub fn check_values(suite: &Planner, files: &Files) -> Vec<Diagnostic> {
    for_each_operator(suite, files, |builder, index, source| {
        let mut here = values::check(builder, index, source, files);
        here.extend(invariants::check(builder, index, source, files));
        here.extend(nodes::check(builder, index, source));
        here.extend(parameters::check_rows(builder, source));
        here
    })
}

fn for_each_operator(
    suite: &Planner,
    files: &Files,
    look: impl Fn(&Builder<'_>, usize, &Source<'_>) -> Vec<Diagnostic> + Sync,
) -> Vec<Diagnostic> {
    let of = |index: usize| {
        let builder = Builder::new(suite, index)?;
        let file = &*builder.operator.file;
        let text = files.text(file)?;
        let root = read::parse(text).0?;
        let mut here = look(&builder, index, &Source { file, text, root });
        here.sort_by_key(|mistake| mistake.place.span.start);
        Some(here)
    };
    let all: Vec<Option<Vec<Diagnostic>>> = (0..suite.catalog.operators.len()).into_par_iter().map(of).collect();
    all.into_iter().flatten().flatten().collect()
}

/// An operator's file.
struct Source<'a> {
    file: &'a str,
    text: &'a str,
    root: Node,
}

impl Source<'_> {
    fn items(&self, path: &str) -> &[Node] {
        self.root.at(path).and_then(Node::items).unwrap_or_default()
    }

    fn mistake(&self, code: &'static str, span: &Range<usize>, message: String, hint: Option<String>) -> Diagnostic {
        Diagnostic {
            code,
            place: locate(self.file, self.text, span.clone()),
            message,
            hint,
        }
    }
}

#[cfg(test)]
mod tests {
    use dml_spec_yaml::load::{embedded, load};

    use super::*;

    #[test]
    fn parameters_mean_something() {
        let all = "    k: [\"1\", \"2\",";
        for (from, to, place, what) in [
            (
                all,
                "    n: [1]\n    k: [\"1\", \"2\",",
                "at `[1]",
                "`n` is no key, and no expression mentions it",
            ),
            (
                all,
                "    k: [\"x\", \"2\",",
                "at `\"x\"",
                "`x` is no field of this operator",
            ),
            (
                "    values: [random, constant,",
                "    values: [random, steady,",
                "at `steady",
                "`steady` is no pattern of values",
            ),
            (
                "    values: [random, constant,",
                "    layout: [padding]\n    values: [random, constant,",
                "at `padding",
                "`padding` is no layout",
            ),
            (
                "    values: [random, constant,",
                "    length: [0, x]\n    values: [random, constant,",
                "at `x",
                "`x` is no number up to 67108864",
            ),
        ] {
            let said = edited(&[(from, to)]);
            assert!(
                said.len() == 1 && said[0].contains(what) && said[0].contains(place),
                "{said:?}"
            );
        }
    }

    #[test]
    fn an_operator_without_a_legal_case_says_what_stands_in_the_way() {
        let derived = "    OutputValueTensor.Sizes: InputTensor.Sizes with [Axis] = K";
        let said = without_value("top_k1.yaml", &[(derived, &format!("{derived} + 1"))]);
        assert!(
            said.len() == 1 && said[0].contains("no case is legal: the nearest descriptor breaks TOP_K1/"),
            "{said:?}"
        );
    }

    #[test]
    fn a_value_that_no_case_can_have_is_named() {
        let said = without_value("top_k1.yaml", &[("    k: [\"1\",", "    k: [\"0\", \"1\",")]);
        assert!(
            said.len() == 1 && said[0].contains("no case can have the value `0` of `k`"),
            "{said:?}"
        );
    }

    /// The diagnostics of the specification of TOP_K1 with these of its texts replaced.
    fn edited(edits: &[(&str, &str)]) -> Vec<String> {
        said("top_k1.yaml", edits, check)
    }

    /// The same of parts of the meaning of an operator that have no value, or do not hold; the hint is left out.
    fn without_value(name: &str, edits: &[(&str, &str)]) -> Vec<String> {
        said(name, edits, |suite, files| {
            let mut found = for_each_operator(suite, files, |builder, index, source| {
                if !builder.operator.file.ends_with(name) {
                    return Vec::new();
                }
                let mut here = values::check(builder, index, source, files);
                here.extend(invariants::check(builder, index, source, files));
                here.extend(nodes::check(builder, index, source));
                here.extend(parameters::check_rows(builder, source));
                here
            });
            found.iter_mut().for_each(|mistake| mistake.hint = None);
            found
        })
    }

    fn said(name: &str, edits: &[(&str, &str)], look: impl Fn(&Planner, &Files) -> Vec<Diagnostic>) -> Vec<String> {
        // The files of other operators would only take time.
        let mut files = embedded();
        files.0.retain(|file| [name, "directml.yaml"].contains(&file.name()));
        let file = files.0.iter_mut().find(|f| f.name() == name).unwrap();
        for (from, to) in edits {
            assert!(file.text.contains(from), "{from}");
            file.text = file.text.replacen(from, to, 1).into();
        }
        let (catalog, found) = load(&files);
        assert_eq!(found, []);
        let suite = Planner::new(catalog.unwrap()).unwrap();
        let text = files.text(&format!("spec/operators/{name}")).unwrap();
        let found = look(&suite, &files);
        // The place as its text, so that edits elsewhere in the file change nothing here.
        let said = found.iter().map(|d| {
            let (line, column) = (d.place.line as usize - 1, d.place.column as usize - 1);
            let there: String = text.lines().nth(line).unwrap().chars().skip(column).take(12).collect();
            let hint = d.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("{} at `{there}`: {}{hint}", d.code, d.message)
        });
        said.collect()
    }

    #[test]
    fn the_specification_has_no_mistakes() {
        assert_eq!(check(crate::embedded::suite(), &embedded()), []);
    }

    #[test]
    fn reasons_are_about_mutants_that_exist() {
        let found = edited(&[(
            "mutants: [\"index@OutputValueTensor#9\", \"index@OutputValueTensor#10\", \"index@OutputValueTensor#11\"], because: \"Places along the axis are between 0 and its size.\"",
            "mutants: [\"index@InputTensor...\", \"...\"], because: \" \"}\n  - {mutants: [], because: \"It is so.\"",
        )]);
        let unknown = "spec::unknown-mutant at `\"index@Input`: no mutant of TOP_K1 has the id `index@InputTensor...`; \
                       `dml-cts spec mutants TOP_K1` lists those that no case shows";
        assert_eq!(
            found,
            [
                "spec::no-reason at `{mutants: [\"`: no reason is given",
                unknown,
                "spec::no-reason at `\"...\"], beca`: a reason is about some mutants, not about all",
                "spec::no-reason at `{mutants: []`: the reason is about no mutant",
            ]
        );
    }

    #[test]
    fn a_guarantee_names_classes_that_failures_have() {
        let found = edited(&[
            ("    class: [differs, unwritten]", "    class: [differs, writen]"),
            ("    class: [tie-order]", "    class: [ties-in-any-order, \"1\"]"),
        ]);
        assert_eq!(
            found,
            [
                "spec::unknown-class at `writen]`: no failure has the class `writen`; did you mean `unwritten`?",
                "spec::unknown-class at `\"1\"]`: no failure has the class `1`; a class is a symptom (guard-touched, \
                 padding-touched, unwritten, differs, input-overwritten), a kind of `dml-cts spec mutants`, or a name of \
                 `mistakes`",
            ]
        );
    }

    #[test]
    fn a_named_mistake_has_a_name_of_its_own() {
        let found = edited(&[(
            "\n  ties-in-any-order:\n    says: ",
            "\n  tie-order:\n    says: \" \" # ",
        )]);
        assert_eq!(
            found,
            [
                "spec::mistake-name at `tie-order:`: `tie-order` is the name of a kind of mistakes or of a symptom",
                "spec::mistake-name at `tie-order:`: nothing is said of `tie-order`",
            ]
        );
    }

    /// That they have a value for each of these descriptors is what the tests of `spec check` show.
    #[test]
    fn meanings_are_evaluated_for_many_legal_descriptors() {
        let suite = crate::embedded::suite();
        let all = suite.catalog.operators.iter().enumerate();
        for (index, operator) in all.filter(|(_, operator)| operator.is_computed()) {
            let builder = Builder::new(suite, index).unwrap();
            let tried = dml_oracle::corners(&suite.catalog, operator, values::seeds(&builder, index));
            assert!(tried.len() >= 40, "{}: {}", operator.name, tried.len());
        }
    }

    #[test]
    fn variants_and_invariants_without_a_value_are_found_at_their_own_texts() {
        let found = without_value(
            "top_k1.yaml",
            &[
                (
                    "InputTensor.DataType == INT64 and any(i in InputTensor.Sizes:",
                    "InputTensor.Sizes[Axis + 1] > 1 and any(i in InputTensor.Sizes:",
                ),
                (
                    "in i < InputTensor.Sizes[Axis] implies\n          (let v = InputTensor[o with [Axis] = i]",
                    "in i < InputTensor.Sizes[Axis] implies\n          (let v = InputTensor[o with [Axis] = i + 1]",
                ),
                (
                    "OutputIndexTensor: x < InputTensor.Sizes[Axis]",
                    "OutputIndexTensor: x < o[x]",
                ),
                (
                    "order(j in 0..InputTensor.Sizes[Axis], by: -InputTensor[r with [Axis] = j]",
                    "order(j in 0..InputTensor.Sizes[Axis], by: -InputTensor[r with [Axis] = 2 * j]",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "spec::no-value at `InputTensor.`: the meaning has no value: in the variant `low-word-signed`: index 4 \
                 lies outside a list of 4",
                "spec::no-value at `int(InputTen`: the meaning has no value: in the variant `low-word-signed`: this is \
                 no whole number: round it first, with `floor` or the like",
                "spec::wrong-invariant at `let i = Outp`: the invariant `values-are-copies` does not hold in the variant \
                 `nan-greatest`",
                "spec::no-value at `InputTensor[`: the meaning has no value: in the invariant `values-are-copies`: \
                 index [0, 0, 0, 4] lies outside the tensor of sizes [1, 1, 3, 4]",
                "spec::no-value at `o[x]`: the meaning has no value: in the invariant `indices-in-range`: index \
                 4294967295 lies outside a list of 4",
                "spec::no-value at `InputTensor[`: the meaning has no value: in the variant `nan-least`: index [0, 0, \
                 0, 4] lies outside the tensor of sizes [1, 1, 3, 4]",
            ]
        );
    }

    #[test]
    fn parts_of_nodes_without_a_value_are_found_at_their_own_texts() {
        let found = without_value(
            "top_k1.yaml",
            &[
                ("K: \"[K]\"}", "K: \"[K % (K - K)]\"}"),
                ("{axis: Axis,", "{axis: \"InputTensor.Sizes[Axis + 8]\","),
            ],
        );
        let what = "this has no value: a division by zero, an index outside, or a size below zero";
        assert_eq!(
            found,
            [
                format!("spec::no-value at `[K % (K - K)`: {what}"),
                format!("spec::no-value at `InputTensor.`: {what}"),
            ]
        );
    }

    #[test]
    fn invariants_hold_in_the_variants_of_their_clause() {
        let found = without_value("element_wise_clip.yaml", &[("x == low or x == high or", "x == low or")]);
        assert_eq!(
            found,
            [
                "spec::wrong-invariant at `x == low or `: the invariant `one-of-the-limits` does not hold in the variant \
                 `max-wins`"
            ]
        );
    }

    #[test]
    fn invariants_of_guarantees_hold_of_what_the_meaning_gives() {
        let found = without_value(
            "element_wise_clip.yaml",
            &[("low <= high implies not x < low", "low <= high implies not x < high")],
        );
        assert_eq!(
            found,
            [
                "spec::wrong-invariant at `low <= high `: the invariant `not-below` does not hold of what the meaning gives"
            ]
        );
    }

    #[test]
    fn examples_are_held_against_the_meaning() {
        let wrong = edited(&[
            ("data: [11, 10, 9, 8, 7, 6]", "data: [11, 10, 9, 8, 7, 5]"),
            ("data: [3, 1, 2, 2, 3, 1, 0, 1, 2]", "data: [3, 2, 1, 2, 3, 1, 0, 1, 2]"),
        ]);
        assert_eq!(
            wrong,
            [
                "spec::wrong-example at `5]}`: the example largest-two gives OutputValueTensor[0,0,2,1] as 5, the \
                 meaning computes 6",
                "spec::wrong-example at `2, 1, 2, 3, `: the example tied-values gives OutputIndexTensor[0,0,0,1] as \
                 2, the meaning computes 1",
            ]
        );
    }
}
