//! Words of the languages of pages. All in lower case.

/// Whether a sentence binds.
pub(super) fn binds(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let word = |word: &str| {
        lower
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .any(|found| found == word)
    };
    BINDING_WORDS.iter().any(|w| word(w)) || BINDING_PHRASES.iter().any(|phrase| lower.contains(phrase))
}

const BINDING_WORDS: &[&str] = &[
    // English
    "must",
    "mustn't",
    "should",
    "shouldn't",
    "shall",
    "except",
    "range",
    "ranging",
    "ranges",
    "guarantee",
    "guaranteed",
    "guarantees",
    "undefined",
    "unspecified",
    "invalid",
    "valid",
    "required",
    "requires",
    "require",
    "cannot",
    "can't",
    "ignored",
    "clamped",
    "exceed",
    "exceeds",
    "unsupported",
    "supported",
    "only",
    // Spanish, French, German, Portuguese, Italian
    "debe",
    "deben",
    "garantiza",
    "garantizan",
    "excepto",
    "rango",
    "válido",
    "válidos",
    "doit",
    "doivent",
    "garanti",
    "garantis",
    "plage",
    "muss",
    "müssen",
    "darf",
    "dürfen",
    "sollte",
    "garantiert",
    "bereich",
    "ungültig",
    "deve",
    "devem",
    "devono",
    "eccetto",
    "exceto",
    "intervallo",
    "intervalo",
    "indefinido",
    "indéfini",
    "obligatoire",
    "необходимо",
];

const BINDING_PHRASES: &[&str] = &[
    // English
    "at least",
    "at most",
    "no more than",
    "no less than",
    "greater than",
    "less than",
    "greater or equal",
    "equal to",
    "have the same",
    "has to",
    "have to",
    "not be",
    "match ",
    "matches ",
    "no guarantee",
    "no failure",
    "<=",
    ">=",
    // Spanish
    "mayor que",
    "menor que",
    "igual a",
    "iguales a",
    // Chinese and Japanese, which have no spaces
    "必須",
    "必须",
    "不得",
    "應該",
    "应该",
    "應为",
    "範圍",
    "范围",
    "保證",
    "保证",
    "未定義",
    "未定义",
    "無效",
    "无效",
    "必要があ",
    "必要です",
    "なければ",
    "範囲",
    "保証",
    "無効",
    "小於",
];

/// Whether a sentence says that something is the same.
pub(super) fn says_same(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        "same",
        "identical",
        "même",
        "mismo",
        "misma",
        "mesmo",
        "mesma",
        "stesso",
        "stessa",
        "stessi",
        "gleich",
        "dieselb",
        "denselb",
        "相同",
        "同じ",
        "同一",
        "동일",
        "같은",
        "одинаков",
        "совпада",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether a sentence holds under a condition only.
pub(super) fn is_conditional(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        "except",
        "unless",
        " if ",
        "when ",
        "other than",
        "excepto",
        "salvo",
        "sauf",
        "außer",
        "除外",
        "除非",
        "を除",
        "場合",
        "如果",
        "제외",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether a sentence calls operators equivalent.
pub(super) fn says_equivalent(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        "equivalent",
        "équivaut",
        "équivalent",
        "equivale",
        "äquivalent",
        "entspricht",
        "相當於",
        "相当于",
        "等效",
        "等同",
        "同等",
        "等価",
        "同じ",
        "동일",
        "эквивалент",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether a kind or a first sentence says that something may be absent.
pub(super) fn says_optional(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "optional",
        "opcional",
        "optionnel",
        "facultati",
        "facoltativ",
        "選用",
        "選擇性",
        "可选",
        "可選",
        "オプション",
        "省略可能",
        "선택",
        "необязат",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether the operator writes a tensor of this kind; `None` if it is not a kind.
pub(super) fn is_output(kind: &str) -> Option<bool> {
    const OUTPUT: [&str; 13] = [
        "output",
        "sortie",
        "salida",
        "resultado",
        "saída",
        "ausgabe",
        "ausgang",
        "輸出",
        "输出",
        "アウトプット",
        "出力",
        "출력",
        "вывод",
    ];
    const INPUT: [&str; 12] = [
        "input",
        "entrée",
        "entrada",
        "eingabe",
        "eingang",
        "輸入",
        "输入",
        "インプット",
        "入力",
        "입력",
        "ввод",
        "вход",
    ];
    let lower = kind.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&OUTPUT) || lower.contains("risultat") {
        Some(true)
    } else {
        has(&INPUT).then_some(false)
    }
}

/// Whether a kind is an array.
pub(super) fn is_array(kind: &str) -> bool {
    let lower = kind.to_lowercase();
    [
        "array",
        "inputs",
        "outputs",
        "tableau",
        "matriz",
        "matrice",
        "entradas",
        "salidas",
        "entrées",
        "sorties",
        "陣列",
        "数组",
        "配列",
        "배열",
        "массив",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Names of the properties that sentences compare, as translations spell them; longer ones first.
pub(super) const PROPERTIES: [(&str, &str); 27] = [
    ("dimensioncount", "DimensionCount"),
    ("dimension count", "DimensionCount"),
    ("nombre de dimensions", "DimensionCount"),
    ("número de dimensiones", "DimensionCount"),
    ("recuento de dimensiones", "DimensionCount"),
    ("維度計數", "DimensionCount"),
    ("维度计数", "DimensionCount"),
    ("ディメンション数", "DimensionCount"),
    ("次元数", "DimensionCount"),
    ("datatype", "DataType"),
    ("data type", "DataType"),
    ("type de données", "DataType"),
    ("tipo de datos", "DataType"),
    ("tipo di dati", "DataType"),
    ("tipo de dados", "DataType"),
    ("datentyp", "DataType"),
    ("資料類型", "DataType"),
    ("数据类型", "DataType"),
    ("データ型", "DataType"),
    ("데이터 형식", "DataType"),
    ("sizes", "Sizes"),
    ("taille", "Sizes"),
    ("tamaño", "Sizes"),
    ("größe", "Sizes"),
    ("大小", "Sizes"),
    ("サイズ", "Sizes"),
    ("크기", "Sizes"),
];

/// Locale of a text without any other sign of it, by its script.
pub(super) fn guess_locale(text: &str) -> &'static str {
    const LOOKED_AT: usize = 20_000;
    const TRADITIONAL: &str = "類應與為這個張維數資選";
    let mut found = "en-us";
    for c in text.chars().take(LOOKED_AT) {
        match c {
            '\u{3040}'..='\u{30ff}' => return "ja-jp",
            '\u{ac00}'..='\u{d7af}' => return "ko-kr",
            '\u{0400}'..='\u{04ff}' => return "ru-ru",
            '\u{4e00}'..='\u{9fff}' if TRADITIONAL.contains(c) => found = "zh-tw",
            '\u{4e00}'..='\u{9fff}' if found == "en-us" => found = "zh-cn",
            _ => {}
        }
    }
    found
}
