//! A program in C, in one file: the descriptor, the data, and a place to call a kernel.

use dml_spec::{TensorDesc, model::Comparison};
use serde_json::Value as Json;

use super::{Parts, packed};
use crate::case::Verdict;

/// Bytes of data on a line.
const ACROSS: usize = 16;

/// Exit code of a program without a kernel.
const NOTHING: u8 = 2;

pub(super) fn c(parts: &Parts<'_>) -> Result<String, String> {
    let rejected = parts.case.verdict.is_rejection();
    if !rejected && parts.runs() {
        parts.require_outputs()?;
    }
    if let Verdict::Unspecified(_) = parts.case.verdict {
        return Err("nobody defines the outputs of this case".to_owned());
    }
    let inexact = |field: &&dml_spec::model::Field| !field.compare.as_ref().is_none_or(Comparison::is_exact);
    if let Some(field) = parts.operator.fields.iter().find(inexact) {
        return Err(format!(
            "{} is compared with a tolerance, which this form does not have",
            field.name
        ));
    }
    let mut text = start(parts, rejected);
    for (name, value) in parts.attributes()? {
        text += &attribute(&name, &value);
    }
    text += "\n";
    let mut lists = [String::new(), String::new()];
    for (at, input) in parts.inputs.iter().enumerate() {
        let name = format!("input{at}");
        text += &tensor(&name, input.tensor);
        text += &bytes(&format!("static unsigned char {name}_data"), input.bytes);
        lists[0] += &entry(parts, &name, &input.name, input.tensor, !input.bytes.is_empty());
    }
    for (at, output) in parts.outputs.iter().enumerate() {
        let name = format!("output{at}");
        text += &tensor(&name, output.tensor);
        let defined = output.shape.as_ref().zip(output.expected.as_ref());
        if let Some((shape, elements)) = defined {
            text += &bytes(
                &format!("static const unsigned char {name}_expected"),
                &packed(shape, elements),
            );
            text += &format!("static unsigned char {name}_data[{}];\n", shape.total_bytes);
        }
        lists[1] += &entry(parts, &name, &output.name, output.tensor, defined.is_some());
    }
    for (list, what) in lists.iter().zip(["inputs", "outputs"]) {
        text += &format!("\nstatic struct tensor {what}[] = {{\n{list}}};\n");
    }
    text += &ending(parts, rejected);
    Ok(text)
}

fn start(parts: &Parts<'_>, rejected: bool) -> String {
    let (operator, level) = (&parts.operator.name, parts.case.id.level());
    // Nothing in it may end the comment, or go on behind its line.
    let id = parts.id.replace("*/", "* /").replace(['\\', '?'], "_");
    let expects = match (rejected, parts.runs()) {
        (true, _) => "KERNEL, your function that creates it, is to refuse it: to return something other than 0",
        (false, false) => "KERNEL, your function that creates it, is to take it: to return 0",
        (false, true) => "KERNEL is to compute it and to return 0",
    };
    format!(
        "// {id}\n// DML_{operator}_OPERATOR_DESC, feature level {level}.\n// {expects}.\n//\n\
         // cc -DKERNEL=mine case.c mine.c && ./a.out; exit code 0: as expected, 1: not, {NOTHING}: nothing was tried.\n\
         // To see the attributes, mine.c has `#define KERNEL mine` and `#include \"case.c\"`: cc mine.c && ./a.out\n\
         #include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
         struct tensor {{\n    const char *name, *data_type; // NULL: no type of DirectML's\n    uint32_t width; // bytes of an element\n    uint32_t \
         dimension_count, flags, guaranteed_base_offset_alignment;\n    const uint32_t *sizes, *strides; // NULL: \
         packed\n    uint64_t total_tensor_size_in_bytes;\n    unsigned char *data; // NULL where nothing runs\n}};\n\n\
         // The attributes; enumerations are strings.\n"
    )
}

fn attribute(name: &str, value: &Json) -> String {
    let spelled = match value {
        Json::Null => "NULL".to_owned(),
        Json::Bool(b) => u8::from(*b).to_string(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(Json::to_string).collect();
            format!("{{{}}}", items.join(", "))
        }
        Json::Object(_) => return format!("// {name}: {value}\n"),
        other => other.to_string(),
    };
    format!("#define {name} {spelled}\n")
}

fn tensor(name: &str, tensor: &TensorDesc) -> String {
    let list = |what: &str, list: Option<&[u32]>| match list {
        Some(list @ [_, ..]) => {
            let words: Vec<String> = list.iter().map(|n| format!("{n}u")).collect();
            format!("static const uint32_t {name}_{what}[] = {{{}}};\n", words.join(", "))
        }
        _ => String::new(),
    };
    list("sizes", tensor.sizes.as_deref()) + &list("strides", tensor.strides.as_deref())
}

fn entry(parts: &Parts<'_>, name: &str, field: &str, tensor: &TensorDesc, data: bool) -> String {
    let list = |what: &str, list: Option<&[u32]>| match list {
        Some([_, ..]) => format!("{name}_{what}"),
        _ => "NULL".to_owned(),
    };
    let ty = parts.suite.catalog.data_type(tensor.data_type);
    let data_type = ty.map_or_else(|| "NULL".to_owned(), |ty| format!("\"{}\"", ty.name));
    let (width, count) = (ty.map_or(0, |ty| ty.bits / 8), tensor.dimension_count());
    let (sizes, strides) = (
        list("sizes", tensor.sizes.as_deref()),
        list("strides", tensor.strides.as_deref()),
    );
    let (flags, align) = (tensor.flags, tensor.guaranteed_base_offset_alignment);
    let total = tensor.total_tensor_size_in_bytes;
    let data = if data {
        format!("{name}_data")
    } else {
        "NULL".to_owned()
    };
    format!(
        "    {{\"{field}\", {data_type}, {width}, {count}, {flags}u, {align}u, {sizes}, {strides}, {total}ull, {data}}},\n"
    )
}

fn bytes(name: &str, data: &[u8]) -> String {
    if data.is_empty() {
        return String::new();
    }
    let line = |bytes: &[u8]| {
        let words: Vec<String> = bytes.iter().map(u8::to_string).collect();
        format!("    {},\n", words.join(", "))
    };
    let lines: String = data.chunks(ACROSS).map(line).collect();
    format!("{name}[] = {{\n{lines}}};\n")
}

fn ending(parts: &Parts<'_>, rejected: bool) -> String {
    let kernel = format!(
        r#"
#ifndef KERNEL // your kernel may stand here instead
#define KERNEL kernel
static int kernel(const struct tensor *in, struct tensor *out) {{
    (void)in, (void)out;
    fputs("nothing was tried, there is no kernel: -DKERNEL=mine names it\n", stderr);
    exit({NOTHING});
}}
#else
int KERNEL(const struct tensor *in, struct tensor *out);
#endif
"#
    );
    if rejected || !parts.runs() {
        let (accepted, refused) = match rejected {
            true => ("wrongly accepted", "refused, as expected"),
            false => ("accepted, as expected", "wrongly refused"),
        };
        let (taken, not) = (u8::from(rejected), u8::from(!rejected));
        return format!(
            r#"{kernel}
int main(void) {{
    const int accepted = KERNEL(inputs, outputs) == 0;
    puts(accepted ? "{accepted}" : "{refused}");
    return accepted ? {taken} : {not};
}}
"#
        );
    }
    let expected: Vec<String> = (0..parts.outputs.len())
        .map(|at| format!("output{at}_expected"))
        .collect();
    let expected = expected.join(", ");
    let shared = |alias: &dml_spec::answer::Alias| {
        let (input, output) = (alias.input, alias.output);
        format!("    outputs[{output}].data = inputs[{input}].data; // one memory for both\n")
    };
    let shared: String = parts.case.aliases.iter().map(shared).collect();
    format!(
        r#"{kernel}
// Counts the elements of an output that are not as expected, and tells the first.
static int differing(const struct tensor *t, const unsigned char *expected) {{
    uint32_t at[8] = {{0}};
    uint64_t packed[8] = {{0}}, step = 1;
    int wrong = 0;
    for (uint32_t d = t->dimension_count; d-- > 0; step *= t->sizes[d]) packed[d] = step;
    for (uint64_t n = 0; n < step; n++, expected += t->width) {{
        uint64_t place = 0;
        for (uint32_t d = 0; d < t->dimension_count; d++) place += at[d] * (t->strides ? t->strides[d] : packed[d]);
        const unsigned char *found = t->data + place * t->width;
        if (memcmp(found, expected, t->width) != 0 && wrong++ == 0) {{
            printf("%s[%u", t->name, at[0]);
            for (uint32_t d = 1; d < t->dimension_count; d++) printf(", %u", at[d]);
            fputs("]: expected 0x", stdout);
            for (uint32_t i = t->width; i-- > 0;) printf("%02x", expected[i]);
            fputs(", found 0x", stdout);
            for (uint32_t i = t->width; i-- > 0;) printf("%02x", found[i]);
            puts("");
        }}
        for (uint32_t d = t->dimension_count; d-- > 0 && ++at[d] == t->sizes[d];) at[d] = 0;
    }}
    return wrong;
}}

int main(void) {{
    static const unsigned char *const expected[] = {{{expected}}};
    const size_t count = sizeof outputs / sizeof outputs[0];
    int wrong = 0;
    for (size_t i = 0; i < count; i++) memset(outputs[i].data, 0xcd, outputs[i].total_tensor_size_in_bytes);
{shared}    if (KERNEL(inputs, outputs) != 0) {{
        puts("refused");
        return 1;
    }}
    for (size_t i = 0; i < count; i++) wrong += differing(&outputs[i], expected[i]);
    printf("%d elements differ\n", wrong);
    return wrong ? 1 : 0;
}}
"#
    )
}
