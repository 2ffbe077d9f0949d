//! `spec import`: new files, updates, drift, bad input. The pages are written for these tests.

use std::{fs, path::PathBuf};

use crate::common::{Ran, copied, folder, run, spec, yaml};

const PAGE: &str = "\
---
UID: NS:directml.DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC
---

## -description

Turns signs.

## -struct-fields

### -field InputTensor

Type: **const [DML_TENSOR_DESC](/x)\\***

What is read.

### -field OutputTensor

Type: **const [DML_TENSOR_DESC](/x)\\***

What is written. It must not be larger than what fits.

## Examples

### Example 1. Three

```
InputTensor: (Sizes:{1,1,1,3}, DataType:FLOAT32)
[[[[1, -2, 3]]]]

OutputTensor: (Sizes:{1,1,1,3}, DataType:FLOAT32)
[[[[-1, 2, -3]]]]
```

## Availability
This operator was introduced in `DML_FEATURE_LEVEL_5_0`.

## Tensor constraints
* *InputTensor* and *OutputTensor* must have the same *DataType*, *DimensionCount*, and *Sizes*.

## Tensor support
| Tensor | Kind | Supported dimension counts | Supported data types |
| ------ | ---- | -------------------------- | -------------------- |
| InputTensor | Input | 1 to 8 | FLOAT32, FLOAT16 |
| OutputTensor | Output | 1 to 8 | FLOAT32, FLOAT16 |
";

fn page(name: &str, edits: &[(&str, &str)]) -> PathBuf {
    let mut text = PAGE.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let file = folder(name).join("page.md");
    fs::write(&file, text).expect("written");
    file
}

#[test]
fn a_page_becomes_a_file_that_is_planned_from() {
    let (dir, page) = (copied("import-new", &[]), page("import-new-page", &[]));
    let page = page.to_str().expect("a path");
    let file = dir.join("operators/element_wise_negate.yaml");
    let out = file.to_str().expect("a path");
    spec(&dir, &["import", page, "--check"]).prints(1, ["ELEMENT_WISE_NEGATE is not in the specification"]);
    spec(&dir, &["import", page, "--out", out]).exits(0);
    let note = format!(
        "1 operator has no meaning: only its descriptors are tested: ELEMENT_WISE_NEGATE\nthere is no corpus.lock, which says \
         what levels require; write it with `dml-cts spec lock --spec '{}'`\n",
        dir.display()
    );
    spec(&dir, "check").prints(0, ["no mistakes"]).err_is(&note);
    spec(&dir, &["import", page, "--check"]).exits(0);
    // A second import changes nothing, and standard output has the same text.
    let before = fs::read_to_string(&file).expect("a file");
    spec(&dir, &["import", page]).exits(0).out_is(&before);
    assert!(
        before.contains("type: 156") && before.contains("clause: todo") && !before.contains("meaning:"),
        "{before}"
    );
    assert!(!before.contains("larger"), "no sentence of a page is kept");
}

/// A specification of this operator alone, which has no mistakes.
fn checked_alone(name: &str, file: &str, text: &str) -> PathBuf {
    let alone = folder(name);
    fs::create_dir_all(alone.join("operators")).expect("a folder");
    let shared = copied(&format!("{name}-shared"), &[]).join("directml.yaml");
    fs::copy(shared, alone.join("directml.yaml")).expect("a copy");
    fs::write(alone.join("operators").join(file), text).expect("written");
    spec(&alone, "check").prints(0, ["no mistakes"]);
    alone
}

/// A page whose members bind in every way that becomes a rule.
const BINDING: &str = "\
---
UID: NS:directml.DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC
---

## -description

Does something along axes. This operator supports in-place execution, meaning that the output tensor is permitted to alias \
*InputTensor* during binding.

## -struct-fields

### -field InputTensor

Type: **const [DML_TENSOR_DESC](/x)\\***

What is read.

### -field ScaleTensor

Type: \\_Maybenull\\_ **const [DML_TENSOR_DESC](/x)\\***

An optional tensor of scales. This tensor must have the same *Sizes* as *InputTensor*.

### -field OutputTensor

Type: **const [DML_TENSOR_DESC](/x)\\***

What is written. The *Sizes* of this tensor must match *InputTensor*.

### -field RoundingMode

Type: **[DML_ROUNDING_MODE](/x)**

How it rounds.

### -field ValueDataType

Type: **[DML_TENSOR_DATA_TYPE](/x)**

The data type of something, which must match *OutputTensor.DataType*.

### -field Width

Type: **[UINT](/x)**

A width. This value must be less than the *DimensionCount* of the *InputTensor*.

### -field Least

Type: **[UINT](/x)**

A number. This value must be at least 0.

### -field AxisCount

Type: **[UINT](/x)**

How many axes there are.

### -field Axes

Type: \\_Field\\_size\\_\\(AxisCount\\) **const [UINT](/x)\\***

The axes. Values must be in the range `[0, InputTensor.DimensionCount - 1]`.

## Availability
This operator was introduced in `DML_FEATURE_LEVEL_5_0`.

## Tensor constraints
* *InputTensor* and *OutputTensor* must have the same *DataType*, *DimensionCount*, and *Sizes*.

## Tensor support
### DML_FEATURE_LEVEL_6_0 and above
| Tensor | Kind | Supported dimension counts | Supported data types |
| ------ | ---- | -------------------------- | -------------------- |
| InputTensor | Input | 1 to 8 | FLOAT32, FLOAT16 |
| ScaleTensor | Optional input | 1 to 8 | INT8 |
| OutputTensor | Output | 1 to 8 | FLOAT32, FLOAT16 |

### DML_FEATURE_LEVEL_5_0 and above
| Tensor | Kind | Supported dimension counts | Supported data types |
| ------ | ---- | -------------------------- | -------------------- |
| InputTensor | Input | 4 | FLOAT32 |
| ScaleTensor | Input | 4 | INT8 |
| OutputTensor | Output | 4 | FLOAT32 |
";

#[test]
fn what_binds_becomes_rules_and_is_planned_from() {
    let (dir, inside) = (copied("import-binding", &[]), folder("import-binding-page"));
    let page = inside.join("page.md");
    fs::write(&page, BINDING).expect("written");
    let Ran { out: text, .. } = spec(&dir, &["import", page.to_str().expect("a path")]).exits(0);
    for line in [
        "{name: OutputTensor, kind: output, in_place: [InputTensor], compare: exact",
        "rule: present(ScaleTensor) implies InputTensor.Sizes == ScaleTensor.Sizes",
        "rule: is_known(RoundingMode)",
        "rule: ValueDataType == OutputTensor.DataType",
        "rule: \"Level >= level(\\\"6.0\\\") or present(ScaleTensor)\"",
        "rule: Width < InputTensor.DimensionCount",
        "rule: AxisCount == 0 or present(Axes)",
        "needs: [axes-given]\n    rule: \"all(i in 0..AxisCount: Axes[i] <= InputTensor.DimensionCount - 1)\"",
        // The sentence at OutputTensor says again what the section of constraints does.
        "anchor: OutputTensor, sentence: 2, sha256: \"",
        ", clause: same-sizes}",
        "    scale: ScaleTensor\n",
        "    OutputTensor.DataType: InputTensor.DataType\n",
        "    ScaleTensor.DataType: INT8\n",
        "    ValueDataType: InputTensor.DataType\n",
        "    AxisCount: count(Axes)\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    // No unsigned number is below 0: nothing to ask, so that the sentence stays to be reviewed.
    assert!(
        !text.contains("least-in-range") && text.contains("clause: todo"),
        "{text}"
    );
    let alone = checked_alone("import-binding-alone", "element_wise_clip1.yaml", &text);
    // A plan that has a descriptor twice is refused.
    spec(&alone, "lock").exits(0);
    let lock = fs::read_to_string(alone.join("corpus.lock")).expect("a lock");
    for cases in ["ELEMENT_WISE_CLIP1 5.0 smoke ", "ELEMENT_WISE_CLIP1 6.0 standard "] {
        let count = lock.split(cases).nth(1).and_then(|rest| rest.split(' ').next());
        let count: u32 = count.and_then(|count| count.parse().ok()).expect("a count");
        assert!((20..400).contains(&count), "{cases}{count}");
    }
}

/// A page that lists the sizes of its tensors, in a table and in sentences.
const SHAPES: &str = "\
---
UID: NS:directml.DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC
---

## -description

Multiplies.

## -struct-fields

### -field ATensor

Type: **const [DML_TENSOR_DESC](/x)\\***

Rows. The tensor doesn't support the **DML_TENSOR_FLAG_OWNED_BY_DML** flag.

### -field BTensor

Type: **const [DML_TENSOR_DESC](/x)\\***

Columns.

### -field ScaleTensor

Type: \\_Maybenull\\_ **const [DML_TENSOR_DESC](/x)\\***

An optional tensor. The expected dimensions of the *ScaleTensor* are `{ 1, 1 }` if per tensor scaling is required, or \
`{ 1, 2 * N }` if per column scaling is required.

### -field OutputTensor

Type: **const [DML_TENSOR_DESC](/x)\\***

What is written. For example, a tensor of sizes `{ 1, 2 }` must be valid.

### -field CopyTensor

Type: \\_Maybenull\\_ **const [DML_TENSOR_DESC](/x)\\***

An optional copy. This tensor is mutually exclusive with *ScaleTensor*.

### -field Length

Type: **[UINT](/x)**

How many. This value must be the same value as the dimension count of *ATensor* and *BTensor*.

## Availability
This operator was introduced in `DML_FEATURE_LEVEL_5_0`.

## Tensor constraints
* *ATensor*, *BTensor*, and *OutputTensor* must have the same *DataType*.

## Tensor support
| Tensor | Kind | Dimensions | Supported dimension counts | Supported data types |
| ------ | ---- | ---------- | -------------------------- | -------------------- |
| ATensor | Input | { M, K } | 2 | FLOAT32 |
| BTensor | Input | { K, N } | 2 | FLOAT32 |
| ScaleTensor | Optional input | | 2 | FLOAT32 |
| OutputTensor | Output | { M, N } | 2 | FLOAT32 |
| CopyTensor | Optional output | { M, N } | 2 | FLOAT32 |
";

#[test]
fn lists_of_sizes_become_rules_and_are_planned_from() {
    let (dir, inside) = (copied("import-shapes", &[]), folder("import-shapes-page"));
    let page = inside.join("page.md");
    fs::write(&page, SHAPES).expect("written");
    let Ran { out: text, .. } = spec(&dir, &["import", page.to_str().expect("a path")]).exits(0);
    for line in [
        "rule: \"BTensor.Sizes[0] == ATensor.Sizes[1]\"",
        "rule: \"OutputTensor.Sizes == [ATensor.Sizes[0], BTensor.Sizes[1]]\"",
        "rule: present(CopyTensor) implies CopyTensor.Sizes == OutputTensor.Sizes",
        "ScaleTensor.Sizes == [1, 1]) or (ScaleTensor.Sizes == [1, 2 * BTensor.Sizes[1]])",
        "rule: Length == ATensor.DimensionCount",
        "rule: ATensor.Flags % 2 == 0",
        "rule: present(CopyTensor) implies (not present(ScaleTensor))",
        "    Length: ATensor.DimensionCount\n",
        "    b-sizes: BTensor.Sizes\n",
        "    OutputTensor.Sizes: \"[ATensor.Sizes[0], BTensor.Sizes[1]]\"\n",
        "    ScaleTensor.Sizes: \"[1, 2 * BTensor.Sizes[1]]\"\n",
        "    n: [1, 2, 3]\n    b-sizes: [\"[ATensor.Sizes[1], n]\"]\n",
    ] {
        assert!(
            text.contains(line) || text.contains(&line.replace('"', "")),
            "{line}\n{text}"
        );
    }
    // An example is no rule, and its sentence stays to be reviewed.
    assert_eq!(text.matches("clause: todo").count(), 1, "{text}");
    checked_alone("import-shapes-alone", "matrix_multiply_integer.yaml", &text);
}

#[test]
fn each_change_is_named_and_taken_over_beside_what_is_written_by_hand() {
    let dir = copied("import-drift", &[]);
    let first = page("import-drift-page", &[]);
    let file = dir.join("operators/element_wise_negate.yaml");
    let out = file.to_str().expect("a path");
    spec(&dir, &["import", first.to_str().expect("a path"), "--out", out]).exits(0);
    let text = fs::read_to_string(&file).expect("a file");
    let by_hand = text.replacen("says: Not described yet.", "says: Turns every sign. # by hand", 1);
    fs::write(&file, &by_hand).expect("written");
    let edits = [
        (
            "| OutputTensor | Output | 1 to 8 | FLOAT32, FLOAT16 |",
            "| OutputTensor | Output | 1 to 5 | FLOAT32 |",
        ),
        ("[[[[1, -2, 3]]]]", "[[[[1, -2, 4]]]]"),
        (", *DimensionCount*, and *Sizes*", " and *Sizes*"),
        ("It must not be larger", "It must not be smaller"),
    ];
    let changed = page("import-drift-changed", &edits);
    let changed = changed.to_str().expect("a path");
    let Ran { out: text, .. } = spec(&dir, &["import", changed, "--check"]).exits(1);
    for what in [
        "table 5.0 OutputTensor dimension counts",
        "table 5.0 OutputTensor data types",
        "example 1 InputTensor",
        "sentence 1 of tensor-constraints",
        "sentence 2 of OutputTensor",
    ] {
        assert_eq!(text.matches(what).count(), 1, "{what}\n{text}");
    }
    spec(&dir, &["import", changed, "--out", out]).exits(0);
    let updated = fs::read_to_string(&file).expect("a file");
    assert!(updated.contains("says: Turns every sign. # by hand"), "{updated}");
    assert!(
        updated.contains("OutputTensor: {dimensions: 1..5, types: [FLOAT32]}"),
        "{updated}"
    );
}

#[test]
fn what_changes_in_a_written_operator_is_counted_in_cases() {
    let (dir, out) = (copied("import-count", &[]), folder("import-count-docs"));
    let out_text = out.to_str().expect("a path");
    spec(&dir, &["docs", "--operator", "TOP_K1", "--out", out_text]).exits(0);
    let file = out.join("ns-directml-dml_top_k1_operator_desc.md");
    let text = fs::read_to_string(&file).expect("a page");
    let cell = "| OutputIndexTensor | Output | 1 to 8 | UINT64, UINT32 |";
    assert!(text.contains(cell), "{text}");
    fs::write(
        &file,
        text.replace(cell, "| OutputIndexTensor | Output | 1 to 8 | UINT32 |"),
    )
    .expect("written");
    let Ran { out: text, .. } = spec(&dir, &["import", file.to_str().expect("a path"), "--check"]).exits(1);
    let after = text
        .split("table 5.0 OutputIndexTensor data types")
        .nth(1)
        .expect("the change");
    let affected = after.split("affects  ").nth(1).and_then(|rest| rest.split(' ').next());
    let affected: usize = affected.and_then(|n| n.parse().ok()).expect("a count");
    // At least what has indices of this type where that is allowed: rows, the cell itself, and what breaks clauses there.
    let dir = dir.to_str().expect("a path");
    let Ran { out: uses, .. } = run(&["list", "--spec", dir, "TOP_K1:5.0:*:index=UINT64"]).exits(0);
    assert!(uses.lines().count() > 10, "{uses}");
    assert!(affected >= uses.lines().count(), "{text}");
    assert!(after.contains("TOP_K1/5.0/OutputIndexTensor/UINT64"), "{after}");
}

#[test]
fn bad_pages_are_refused_and_nothing_is_written() {
    let (dir, inside) = (copied("import-bad", &[]), folder("import-bad-pages"));
    let top_k1 = fs::read(yaml(&dir)).expect("a file");
    let out = yaml(&dir);
    let out = out.to_str().expect("a path");
    let pages: [(&str, &[u8]); 4] = [
        ("bytes.md", b"\xff\xfe\x00## -description\x80"),
        ("empty.md", b""),
        (
            "other.md",
            b"---\nUID: NN:directml.IDMLDevice\n---\n## -description\nA device.\n",
        ),
        ("cut.md", &PAGE.as_bytes()[..200]),
    ];
    for (name, bytes) in pages {
        let file = inside.join(name);
        fs::write(&file, bytes).expect("written");
        spec(&dir, &["import", file.to_str().expect("a path"), "--out", out]).warns(2, [name]);
        assert_eq!(fs::read(yaml(&dir)).expect("a file"), top_k1, "{name}");
    }
    run("spec import no-such-page.md --check").warns(2, ["no-such-page.md"]);
    // Which of two tables of one level counts is not for the importer to say.
    let table = &PAGE[PAGE.find("## Tensor support").expect("a table")..];
    let twice = format!("{PAGE}\n{table}");
    let twice = page("import-bad-twice", &[(PAGE, &twice)]);
    let twice = twice.to_str().expect("a path");
    let new = dir.join("operators/element_wise_negate.yaml");
    spec(&dir, &["import", twice, "--out", new.to_str().expect("a path")]).warns(
        2,
        [
            "page::level-twice",
            "page.md:48:1",
            "nothing was written: correct the pages",
        ],
    );
    assert!(!new.exists());
    // A page of another operator does not go into this file.
    let another = page("import-bad-another", &[]);
    spec(&dir, &["import", another.to_str().expect("a path"), "--out", out])
        .warns(2, ["describes TOP_K1, the pages ELEMENT_WISE_NEGATE"]);
    assert_eq!(fs::read(yaml(&dir)).expect("a file"), top_k1);
}

#[test]
fn a_language_that_no_page_has_is_named() {
    let page = folder("no_such_language").join("page.md");
    fs::write(&page, PAGE).unwrap();
    let page = page.to_str().unwrap();
    let Ran { err, .. } = run(&["spec", "import", "--facts", "--locale", "zz-zz", page][..]).exits(2);
    assert!(err.contains("no page is in `zz-zz`; there are pages in en-us"), "{err}");
}
