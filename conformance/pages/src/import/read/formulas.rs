//! Blocks of code that compute sizes or assert something of them, as rules, and sentences that give the size of each
//! dimension.
//!
//! A block is read if it is written like C: assignments, assertions, loops over a range, and conditions, each with its
//! semicolon. What is assigned to sizes of a tensor, and what is asserted, has to hold; other names stand for what is
//! assigned to them, and what adds up to one stands for nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter::Peekable,
    vec::IntoIter,
};

use dml_spec::rule::syntax::MAX_LENGTH;

use super::{
    blocks::{Block, Blocks, What},
    source::Text,
};
use crate::import::page::{ComputedSize, Formula, LOOP, PageField, Spot};

/// Properties of tensors that a block may name.
const PROPERTIES: [&str; 4] = ["Sizes", "Strides", "DimensionCount", "DataType"];

/// How deep loops and conditions may lie in each other.
const DEEPEST: usize = 8;

/// Signs of more than one character.
const SIGNS: [&str; 8] = ["->", "++", "+=", "==", "!=", "<=", ">=", "&&"];

/// What the page's blocks of code demand of sizes, a rule for each block.
pub(super) fn read_formulas(text: &Text<'_>, blocks: &Blocks, fields: &[Spot<PageField>]) -> Vec<Spot<Formula>> {
    let spot = |block: &Block| {
        let value = match &block.what {
            What::Code(code) => read_block(code, fields)?,
            What::Paragraph(text) => read_block(&loop_of(text, fields)?, fields)?,
            What::Table(_) => return None,
        };
        let at = text.at(blocks.anchor(block), block.at);
        Some(Spot { value, at })
    };
    blocks.blocks.iter().filter_map(spot).collect()
}

/// The loop that a sentence such as "For each dimension i, `OutputTensor.Sizes[i] = InputTensor.Sizes[i] + 1`." stands for.
fn loop_of(text: &str, fields: &[Spot<PageField>]) -> Option<String> {
    let (before, after) = text.split_once("] = ")?;
    let (before, variable) = before.rsplit_once(".Sizes[")?;
    let tensor = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let value = after.split(". ").next()?.trim_end().trim_end_matches('.');
    if variable.is_empty()
        || !variable.bytes().all(|b| b.is_ascii_lowercase())
        || !value.contains(&format!("[{variable}]"))
    {
        return None;
    }
    let has_count = fields.iter().any(|field| field.value.name == "DimensionCount");
    let count = if has_count {
        "DimensionCount".to_owned()
    } else {
        format!("{tensor}.DimensionCount")
    };
    Some(format!(
        "for (UINT {variable} = 0; {variable} < {count}; ++{variable}) {{ {tensor}.Sizes[{variable}] = {value}; }}"
    ))
}

/// The rule of a block; `None` if it is no such block, or demands nothing.
fn read_block(code: &str, fields: &[Spot<PageField>]) -> Option<Formula> {
    let mut reader = Reader {
        tokens: tokens(code).into_iter().peekable(),
        fields,
        known: BTreeMap::new(),
        read: BTreeSet::new(),
        around: Vec::new(),
        rules: Vec::new(),
        sizes: Vec::new(),
        tensor: None,
    };
    while reader.tokens.peek().is_some() {
        reader.statement()?;
    }
    let rule = reader.rules.join(" and ");
    (rule.len() <= MAX_LENGTH).then_some(Formula {
        tensor: reader.tensor?,
        rule,
        sizes: reader.sizes,
    })
}

/// Words, numbers and signs, without comments.
fn tokens(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in code.lines() {
        let mut rest = line.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                sign.map_or(first.len_utf8(), |sign| sign.len())
            };
            let (token, after) = rest.split_at(length);
            found.push(token.to_owned());
            rest = after.trim_start();
        }
    }
    found
}

/// What stands around a statement.
enum Around {
    /// `for (variable = from; variable < to; …)`.
    Loop { variable: String, from: String, to: String },
    /// Only where this holds.
    If(String),
    /// Only where this does not hold.
    Unless(String),
}

struct Reader<'a> {
    tokens: Peekable<IntoIter<String>>,
    fields: &'a [Spot<PageField>],
    /// What names stand for; `None`: nothing that a rule can say.
    known: BTreeMap<String, Option<String>>,
    /// Names that were read since the innermost loop began.
    read: BTreeSet<String>,
    around: Vec<Around>,
    rules: Vec<String>,
    sizes: Vec<ComputedSize>,
    /// The first tensor of which something is demanded.
    tensor: Option<String>,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> Option<()> {
        self.tokens.next_if(|next| next == token).map(|_| ())
    }

    fn statement(&mut self) -> Option<()> {
        match self.tokens.peek()?.as_str() {
            "for" => self.repeated(),
            "if" => self.conditional(),
            "assert" => self.assertion(),
            _ => self.assignment(),
        }
    }

    fn body(&mut self) -> Option<()> {
        if self.take("{").is_none() {
            return self.statement();
        }
        while self.take("}").is_none() {
            self.statement()?;
        }
        Some(())
    }

    /// What is assigned within is not known behind it. In a loop nothing may rest on the value that another round gives.
    fn within(&mut self, around: Around) -> Option<()> {
        if self.around.len() == DEEPEST {
            return None;
        }
        let is_loop = matches!(around, Around::Loop { .. });
        let (before, read) = (self.known.clone(), std::mem::take(&mut self.read));
        self.around.push(around);
        self.body()?;
        self.around.pop();
        for (name, value) in &mut self.known {
            let known = before.get(name);
            if known == Some(value) {
                continue;
            }
            if is_loop && self.read.contains(name) && known.is_some_and(Option::is_some) {
                return None;
            }
            *value = None;
        }
        self.read.extend(read);
        Some(())
    }

    /// `for (UINT i = 0; i < DimensionCount; ++i) …`
    fn repeated(&mut self) -> Option<()> {
        self.tokens.next();
        self.take("(")?;
        let head = self.until(&["="])?;
        let variable = head.last()?.clone();
        self.take("=")?;
        let from = self.expression(&[";"])??;
        self.take(";")?;
        self.take(&variable)?;
        self.take("<")?;
        self.known
            .insert(variable.clone(), Some(format!("{LOOP}{variable}{LOOP}")));
        let to = self.expression(&[";"])??;
        self.take(";")?;
        let step = self.until(&[")"])?;
        if step.len() != 2 || !step.contains(&variable) || !step.iter().any(|token| token == "++") {
            return None;
        }
        self.take(")")?;
        self.within(Around::Loop {
            variable: variable.clone(),
            from,
            to,
        })?;
        self.known.insert(variable, None);
        Some(())
    }

    fn conditional(&mut self) -> Option<()> {
        self.tokens.next();
        self.take("(")?;
        let condition = self.expression(&[")"])??;
        self.take(")")?;
        self.within(Around::If(condition.clone()))?;
        match self.take("else") {
            Some(()) => self.within(Around::Unless(condition)),
            None => Some(()),
        }
    }

    fn assertion(&mut self) -> Option<()> {
        self.tokens.next();
        self.take("(")?;
        let asserted = self.until(&[")"])?;
        self.take(")")?;
        self.take(";")?;
        let tensor = asserted.iter().find_map(|token| self.tensor_named(token));
        if let (Some(tensor), Some(rule)) = (tensor, self.spell(&asserted)?) {
            self.demand(tensor, rule);
        }
        Some(())
    }

    /// `UINT PaddedSize = …;`, `OutputTensor->Sizes[i] = …;`, `total += …;`
    fn assignment(&mut self) -> Option<()> {
        let place = self.until(&["=", "+="])?;
        let adds = self.tokens.next()? == "+=";
        let value = self.expression(&[";"])?;
        self.take(";")?;
        let is_place = place.iter().any(|token| token == "[");
        if !is_place {
            let name = place.last()?.clone();
            let value = value.filter(|_| !adds).map(|value| format!("({value})"));
            self.known.insert(name, value);
            return Some(());
        }
        let tensor = self.tensor_named(place.first()?)?;
        let (place, value) = (self.spell(&place)??, value?);
        if adds {
            return None;
        }
        self.sizes.extend(self.computed(&tensor, &place, &value));
        self.demand(tensor, format!("{place} == {value}"));
        Some(())
    }

    /// A size of one dimension, or in a loop from 0 of as many as a field says.
    fn computed(&self, tensor: &str, place: &str, value: &str) -> Option<ComputedSize> {
        let index = place.strip_prefix(tensor)?.strip_prefix(".Sizes[")?.strip_suffix(']')?;
        let (variable, count) = match self.around.as_slice() {
            [] => (None, None),
            [Around::Loop { variable, from, to }] if from == "0" => (Some(format!("{LOOP}{variable}{LOOP}")), Some(to)),
            _ => return None,
        };
        let dimension = match &variable {
            Some(variable) if index == variable => "0",
            Some(variable) => index.strip_prefix(variable.as_str())?.strip_prefix(" + ")?,
            None => index,
        };
        Some(ComputedSize {
            tensor: tensor.to_owned(),
            dimension: dimension.parse().ok()?,
            count: count.cloned(),
            value: variable.map_or_else(|| value.to_owned(), |variable| value.replace(&variable, LOOP)),
        })
    }

    fn demand(&mut self, tensor: String, rule: String) {
        let all = self.around.iter().rev().fold(rule, |rule, around| match around {
            Around::Loop { variable, from, to } => format!("all({variable} in {from}..{to}: {rule})"),
            Around::If(condition) => format!("({condition} implies {rule})"),
            Around::Unless(condition) => format!("({condition} or {rule})"),
        });
        self.rules.push(all.replace(LOOP, ""));
        self.tensor.get_or_insert(tensor);
    }

    /// The tokens before one of these that stands in no brackets.
    fn until(&mut self, ends: &[&str]) -> Option<Vec<String>> {
        let (mut found, mut depth) = (Vec::new(), 0_u32);
        loop {
            let next = self.tokens.peek()?;
            if depth == 0 && ends.contains(&next.as_str()) {
                return Some(found);
            }
            match next.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.checked_sub(1)?,
                "{" | "}" | ";" => return None,
                _ => {}
            }
            found.extend(self.tokens.next());
        }
    }

    fn expression(&mut self, ends: &[&str]) -> Option<Option<String>> {
        let tokens = self.until(ends)?;
        self.spell(&tokens)
    }

    /// An expression in the words of rules. `None`: it is none; `Some(None)`: it rests on what no rule can say.
    fn spell(&mut self, tokens: &[String]) -> Option<Option<String>> {
        let (mut text, mut is_known, mut after_dot) = (String::new(), true, false);
        for token in tokens {
            let is_word = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let word = match token.as_str() {
                "->" | "." => ".".to_owned(),
                property if after_dot => PROPERTIES.contains(&property).then(|| property.to_owned())?,
                name if is_word => {
                    self.read.insert(name.to_owned());
                    match self.known.get(name) {
                        Some(Some(value)) => value.clone(),
                        Some(None) => {
                            is_known = false;
                            continue;
                        }
                        None => self.field_named(name)?.name.clone(),
                    }
                }
                "[" | "]" | "(" | ")" | "+" | "-" | "*" | "/" | "==" | "!=" | "<" | "<=" | ">" | ">=" => token.clone(),
                number if number.bytes().all(|b| b.is_ascii_digit()) => number.to_owned(),
                "&&" => "and".to_owned(),
                _ => return None,
            };
            let is_tight = matches!(word.as_str(), "." | "[" | "]" | ")") || text.ends_with(['.', '[', '(']);
            if !text.is_empty() && !is_tight {
                text.push(' ');
            }
            after_dot = word == ".";
            text += &word;
            if text.len() > MAX_LENGTH {
                return None;
            }
        }
        (!text.is_empty()).then_some(is_known.then_some(text))
    }

    fn tensor_named(&self, name: &str) -> Option<String> {
        let field = self.field_named(name)?;
        field.kind.role().map(|_| field.name.clone())
    }

    /// A field by its name; a small first letter and an `s` too many are forgiven.
    fn field_named(&self, name: &str) -> Option<&PageField> {
        let named = |name: &str| {
            let mut fields = self.fields.iter().map(|field| &field.value);
            fields.find(|field| {
                let (own, other) = (field.name.chars(), name.chars());
                own.clone().count() == other.clone().count()
                    && own
                        .zip(other)
                        .enumerate()
                        .all(|(at, (x, y))| x == y || at == 0 && x.eq_ignore_ascii_case(&y))
            })
        };
        named(name).or_else(|| named(name.strip_suffix('s')?))
    }
}

#[cfg(test)]
mod tests {
    use dml_spec::model::{FieldKind, Role};

    use super::*;
    use crate::import::page::At;

    fn fields() -> Vec<Spot<PageField>> {
        let count = || "DimensionCount".to_owned().into();
        let kinds = [
            ("InputTensor", FieldKind::Tensor(Role::Input)),
            ("OutputTensor", FieldKind::Tensor(Role::Output)),
            ("DimensionCount", FieldKind::UInt),
            ("WindowSize", FieldKind::UInts(count())),
            ("Axis", FieldKind::UInt),
        ];
        let field = |(name, kind): (&str, FieldKind)| Spot {
            value: PageField {
                name: name.to_owned(),
                kind,
                optional: false,
            },
            at: At::line(1),
        };
        kinds.into_iter().map(field).collect()
    }

    fn read(code: &str) -> Option<String> {
        read_block(code, &fields()).map(|formula| formula.rule)
    }

    #[test]
    fn assignments_in_loops_are_rules() {
        let code = "OutputTensor->Sizes[0] = InputTensor->Sizes[0]; // the batch\n\
                    for (UINT i = 0; i < DimensionCount; ++i) {\n\
                    UINT Whole = InputTensor->Sizes[i + 2] + 1;\n\
                    OutputTensor->Sizes[i + 2] = (Whole - WindowSizes[i]) / 2;\n}";
        let rule = "OutputTensor.Sizes[0] == InputTensor.Sizes[0] and all(i in 0..DimensionCount: \
                    OutputTensor.Sizes[i + 2] == ((InputTensor.Sizes[i + 2] + 1) - WindowSize[i]) / 2)";
        assert_eq!(read(code).as_deref(), Some(rule));
        let computed = read_block(code, &fields()).unwrap().sizes;
        let dimensions = computed.iter().map(|size| (size.dimension, size.count.as_deref()));
        assert_eq!(dimensions.collect::<Vec<_>>(), [(0, None), (2, Some("DimensionCount"))]);
        let value = format!("((InputTensor.Sizes[{LOOP} + 2] + 1) - WindowSize[{LOOP}]) / 2");
        assert_eq!(computed[1].value, value);
    }

    #[test]
    fn assertions_hold_where_their_conditions_do() {
        let code = "total = 0;\nfor (d = 0; d < inputTensor->DimensionCount; d++) {\n\
                    if (d == Axis) { total += outputTensor->Sizes[d]; }\n\
                    else { assert(outputTensor->Sizes[d] == inputTensor->Sizes[d]); }\n}\n\
                    assert(total == inputTensor->Sizes[Axis]);";
        let rule =
            "all(d in 0..InputTensor.DimensionCount: (d == Axis or OutputTensor.Sizes[d] == InputTensor.Sizes[d]))";
        assert_eq!(read(code).as_deref(), Some(rule));
    }

    #[test]
    fn a_sentence_gives_the_size_of_each_dimension() {
        let read = |text: &str| read(&loop_of(text, &fields())?);
        let sentence =
            "The result. For each dimension i, OutputTensor.Sizes[i] = InputTensor.Sizes[i] + WindowSize[i].";
        let rule = "all(i in 0..DimensionCount: OutputTensor.Sizes[i] == InputTensor.Sizes[i] + WindowSize[i])";
        assert_eq!(read(sentence).as_deref(), Some(rule));
        for none in [
            "OutputTensor.Sizes[0] = InputTensor.Sizes[0].",
            "OutputTensor.Sizes[i] = 1 for each i.",
            "OutputTensor.Sizes[i] = InputTensor.Sizes[i], which is so.",
            "WindowSize[i] = OutputTensor.Sizes[i] - 1.",
            "Sizes[i] = InputTensor.Sizes[i].",
        ] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_not_understood_is_no_rule() {
        for code in [
            "",
            "f(x) = max(0, x);",
            "OutputTensor.Sizes = { InputTensor.Sizes[0..Axis] }",
            "OutputTensor->Sizes[0] = Unknown->Sizes[0];",
            "OutputTensor->Sizes[0] += 1;",
            "OutputTensor->Sizes[0] = InputTensor->Sizes[0]",
            "OutputTensor->Sizes[0 = 1;",
            "OutputTensor->Bytes[0] = 1;",
            "for (i = 0; i < 2; i += 2) { OutputTensor->Sizes[i] = 1; }",
            "if (1) { OutputTensor->Sizes[0] = 1;",
            "UINT x = 3;",
            // Behind a loop its variable and what it assigned are not known; each round starts from the one before.
            "for (i = 0; i < 2; i++) { x = i; } OutputTensor->Sizes[0] = x;",
            "for (i = 0; i < 2; i++) { x = 1; } OutputTensor->Sizes[i] = 1;",
            "x = 0; for (i = 0; i < 2; i++) { OutputTensor->Sizes[i] = x; x = 1; }",
            "if (Axis == 0) { x = 1; } OutputTensor->Sizes[0] = x;",
            "OutputTensor[c] = if useValue then Value",
            ")",
            "}",
        ] {
            assert_eq!(read(code), None, "{code}");
        }
    }

    #[test]
    fn deep_and_long_blocks_end() {
        let size = "OutputTensor->Sizes[0] = ";
        for code in [
            format!("{} {size} 1;", "if (Axis == 0)".repeat(100_000)),
            format!("{}{size} 1;", "{".repeat(100_000)),
            format!("x = Axis; {} {size} x;", "x = x + x;".repeat(64)),
            format!("{size} {}Axis;", "Axis + ".repeat(5_000)),
            format!("{size} Axis;").repeat(1_000),
        ] {
            assert_eq!(read(&code), None, "{}", code.get(..60).unwrap());
        }
    }
}
