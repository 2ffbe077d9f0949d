//! Worked examples checked against the page's own facts.

use dml_spec::model::{ExampleTensor, ExampleValue, FieldKind, NumberClass, Role};

use super::Findings;
use crate::import::{
    page::{At, Page, PageExample, PageField, Property, Row, SharedProperty, Spot, Table},
    read::{DATA_TYPE, count_elements, find_miscount},
};

pub(super) fn check_examples(findings: &mut Findings<'_>) {
    let page = findings.page;
    let known: Vec<&str> = page.fields.iter().map(|f| f.value.name.as_str()).collect();
    for same in &page.constraints {
        for name in same.value.tensors.iter().filter(|name| !known.contains(&name.as_str())) {
            let message = format!("no tensor of the operator is called `{name}`");
            findings.add("page::unknown-tensor", &same.at, message, None);
        }
    }
    for (index, example) in page.examples.iter().enumerate() {
        let mut one = One {
            findings,
            number: index + 1,
            example: &example.value,
            at: &example.at,
        };
        one.values();
        one.same();
        one.support();
        one.fill();
    }
}

/// One example.
struct One<'f, 'p> {
    findings: &'f mut Findings<'p>,
    number: usize,
    example: &'p PageExample,
    at: &'p At,
}

impl<'p> One<'_, 'p> {
    fn add(&mut self, code: &'static str, message: &str) {
        let message = format!("example {}: {message}", self.number);
        self.findings.add(code, self.at, message, None);
    }

    fn page(&self) -> &'p Page {
        self.findings.page
    }

    fn field(&self, name: &str) -> Option<&'p PageField> {
        self.page().fields.iter().map(|f| &f.value).find(|f| f.name == name)
    }

    fn value(&self, name: &str) -> Option<&'p ExampleValue> {
        self.example
            .values
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&'p str> {
        match self.value(name)? {
            ExampleValue::Attribute(text) => Some(text),
            _ => None,
        }
    }

    /// Names, counts and numbers.
    fn values(&mut self) {
        for (name, value) in &self.example.values {
            match self.field(name) {
                None => self.add("page::unknown-field", &format!("the operator has no field `{name}`")),
                Some(field) => self.numbers(field, value),
            }
            if let Some(why) = find_miscount(name, value) {
                self.add("page::example-count", &why);
            }
            for tensor in list_tensors(value) {
                self.elements(name, tensor);
            }
        }
        let unusable = self.example.unusable.as_ref();
        // Deliberately undefined elements are not a mistake, and wrong counts were already reported.
        let message = |why: &&String| why.contains("left undefined") || why.contains("its sizes make");
        if let Some(why) = unusable.filter(|why| !message(why)) {
            self.add("page::incomplete-example", why);
        }
    }

    /// Numbers of attributes: counts that fit their lists, scalars that fit their type.
    fn numbers(&mut self, field: &PageField, value: &ExampleValue) {
        let by = match &field.kind {
            FieldKind::Tensors(_, by) | FieldKind::UInts(by) | FieldKind::Ints(by) | FieldKind::Floats(by) => by,
            FieldKind::Scalar(by) => return self.scalar(field, by),
            _ => return,
        };
        let (given, stated) = (
            count_elements(value),
            self.text(by).and_then(|text| text.parse::<usize>().ok()),
        );
        if stated.is_some_and(|stated| stated != given) {
            let stated = stated.unwrap_or_default();
            self.add(
                "page::example-count",
                &format!("{} has {given} elements, {by} is {stated}", field.name),
            );
        }
    }

    fn scalar(&mut self, field: &PageField, by: &str) {
        let (Some(text), Some(ty)) = (self.text(&field.name), self.text(by)) else {
            return;
        };
        if !fits_type(self.findings.catalog, ty, text) {
            self.add(
                "page::out-of-range",
                &format!("{} is {text}, which {ty} cannot hold", field.name),
            );
        }
    }

    fn elements(&mut self, name: &str, tensor: &ExampleTensor) {
        let ty = tensor.data_type.as_ref();
        if self.findings.catalog.data_type_named(ty).is_none() {
            return self.add(
                "page::unknown-type",
                &format!("{name} has the data type `{ty}`, which does not exist"),
            );
        }
        let catalog = self.findings.catalog;
        if let Some(bad) = tensor
            .data
            .split_whitespace()
            .find(|word| !fits_type(catalog, ty, word))
        {
            self.add(
                "page::out-of-range",
                &format!("{name} holds {bad}, which {ty} cannot hold"),
            );
        }
    }

    /// Checks that tensors which must share a property do.
    fn same(&mut self) {
        let page = self.page();
        for same in &page.constraints {
            if let Some((a, b)) = self.differ(&same.value) {
                let property = same.value.property.name();
                let message = format!(
                    "{a} and {b} must have the same {property} (line {}), and have not",
                    same.at.line
                );
                self.add("page::example-rule", &message);
            }
        }
    }

    /// The first two tensors that differ in a property.
    fn differ(&self, same: &SharedProperty) -> Option<(String, String)> {
        let of = |tensor: &ExampleTensor| match same.property {
            Property::DataType => tensor.data_type.to_string(),
            Property::DimensionCount => tensor.sizes.len().to_string(),
            Property::Sizes => format!("{:?}", tensor.sizes),
        };
        let named = same.tensors.iter().filter_map(|name| Some((name, self.value(name)?)));
        let each = named.flat_map(|(name, value)| list_tensors(value).map(move |t| (name, t)));
        let mut each = each.map(|(name, tensor)| (name, of(tensor)));
        let first = each.next()?;
        let other = each.find(|(_, value)| *value != first.1)?;
        Some((first.0.clone(), other.0.clone()))
    }

    /// Checks that some level's table allows all tensors.
    fn support(&mut self) {
        let tables: Vec<&Spot<Table>> = self.page().tables.iter().filter(|t| self.is_about(&t.value)).collect();
        if tables.is_empty() {
            return;
        }
        let allowed = |table: &Table| {
            self.given()
                .all(|(name, tensor)| allows_tensor(table, name, tensor) != Some(false))
        };
        if tables.iter().any(|table| allowed(&table.value)) {
            return;
        }
        let nowhere = self.given().find(|(name, t)| {
            tables
                .iter()
                .all(|table| allows_tensor(&table.value, name, t) == Some(false))
        });
        let message = match nowhere {
            Some((name, t)) => format!(
                "no table allows {name} to be {} with {} dimensions",
                t.data_type,
                t.sizes.len()
            ),
            None => "no table allows all its tensors together".to_owned(),
        };
        self.add("page::example-support", &message);
    }

    fn given(&self) -> impl Iterator<Item = (&'p str, &'p ExampleTensor)> {
        let values = self.example.values.iter();
        values.flat_map(|(name, value)| list_tensors(value).map(move |tensor| (name.as_str(), tensor)))
    }

    /// Whether a table is for the function that the example names.
    fn is_about(&self, table: &Table) -> bool {
        let chosen = self.page().fields.iter().filter_map(|f| match &f.value.kind {
            FieldKind::Enum(of) if of != DATA_TYPE => {
                self.text(&f.value.name)?.strip_prefix(of.as_ref())?.strip_prefix('_')
            }
            _ => None,
        });
        table.functions.is_empty() || chosen.into_iter().any(|name| table.functions.iter().any(|f| f == name))
    }

    /// Checks that a fill value occurs in some output.
    fn fill(&mut self) {
        const FILL: &str = "Value";
        let filled = self.field(FILL).is_some_and(|f| matches!(f.kind, FieldKind::Scalar(_)));
        let Some(text) = self.text(FILL).filter(|_| filled) else {
            return;
        };
        let is_output = |name: &str| self.field(name).is_some_and(|f| f.kind.role() == Some(Role::Output));
        let outputs: Vec<_> = self.given().filter(|(name, _)| is_output(name)).collect();
        let holds = |t: &ExampleTensor| t.data.split_whitespace().any(|word| word == text);
        if !outputs.is_empty() && !outputs.iter().any(|(_, tensor)| holds(tensor)) {
            self.add(
                "page::example-rule",
                &format!("{FILL} is {text}, which stands nowhere in the output"),
            );
        }
    }
}

fn list_tensors(value: &ExampleValue) -> impl Iterator<Item = &ExampleTensor> {
    let all = match value {
        ExampleValue::Tensor(tensor) => std::slice::from_ref(tensor),
        ExampleValue::Tensors(tensors) => tensors.as_ref(),
        ExampleValue::Attribute(_) => &[],
    };
    all.iter()
}

/// `None` if the table does not say.
fn allows_tensor(table: &Table, name: &str, tensor: &ExampleTensor) -> Option<bool> {
    let row: &Row = table.rows.iter().find(|row| row.tensor == name)?;
    let count = tensor.sizes.len() as u64;
    let dimensions = row
        .dimensions
        .map(|(least, most)| (u64::from(least)..=u64::from(most)).contains(&count));
    let types = (!row.types.is_empty()).then(|| row.types.iter().any(|ty| *ty == tensor.data_type));
    match (dimensions, types) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(true) && b.unwrap_or(true)),
    }
}

/// Whether a data type holds a number; an unknown one holds any.
fn fits_type(catalog: &dml_spec::Catalog, ty: &str, word: &str) -> bool {
    let Some(ty) = catalog.data_type_named(ty) else {
        return true;
    };
    match (ty.whole_numbers(), ty.class) {
        (Some((least, most)), _) => word.parse().is_ok_and(|n: i128| (least..=most).contains(&n)),
        (None, NumberClass::Float) => word.parse::<f64>().is_ok(),
        (None, _) => true,
    }
}
