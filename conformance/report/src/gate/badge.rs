//! Badges: the result of a gate in a few words, for a README.

use serde_json::{Value, json};

use super::{Passage, Verdict};

/// Label, message and the name of a colour: that of the share that conforms, and green for all of it alone. Never the
/// level without how much of it.
fn words(verdict: &Verdict) -> (String, String, &'static str) {
    let (conforming, what) = match verdict.create_only {
        true => (verdict.described(), "descriptors of "),
        false => (verdict.conforming(), ""),
    };
    let colour = match verdict.passage() {
        Passage::Holds => match (conforming, verdict.of) {
            (0, _) => "red",
            (conforming, of) if conforming >= of => "brightgreen",
            (conforming, of) if conforming * 2 >= of => "yellow",
            _ => "orange",
        },
        Passage::Fails => "red",
        Passage::Incomplete => "lightgrey",
    };
    let message = format!("{what}{conforming} of {} operators", verdict.of);
    let message = match verdict.passage() {
        Passage::Incomplete => format!("{message}, incomplete"),
        _ => message,
    };
    (format!("DirectML {}", verdict.level), message, colour)
}

/// The object that badge services read from a URL.
pub fn endpoint(verdict: &Verdict) -> Value {
    let (label, message, colour) = words(verdict);
    json!({"schemaVersion": 1, "label": label, "message": message, "color": colour})
}

/// A picture.
pub fn svg(verdict: &Verdict) -> String {
    let (label, message, colour) = words(verdict);
    let fill = match colour {
        "brightgreen" => "#2a7d12",
        "yellow" => "#7a6a00",
        "orange" => "#a34a00",
        "red" => "#b3261e",
        _ => "#6b6b6b",
    };
    // Verdana at 11 px is about 7 px per letter.
    let width = |text: &str| 7 * text.chars().count() + 12;
    let (left, right) = (width(&label), width(&message));
    let all = left + right;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{label}: {message}\">\n\
         <title>{label}: {message}</title>\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\n\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{fill}\"/>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" font-size=\"11\">\n\
         <text x=\"{}\" y=\"14\">{label}</text>\n\
         <text x=\"{}\" y=\"14\">{message}</text>\n\
         </g>\n</svg>\n",
        left / 2,
        left + right / 2
    )
}
