//! The files of a specification: compiled in, or from a folder.

use std::{borrow::Cow, fs, io, path::Path};

use sha2::{Digest, Sha256};

/// A file of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path as shown to the user, such as `spec/operators/top_k1.yaml`.
    pub path: String,
    /// Its text; up to the first byte that is not UTF-8.
    pub text: Cow<'static, str>,
    /// Whether the text ends if UTF-8 does.
    pub(super) broken: bool,
}

/// The files of a specification: `directml.yaml` and one file an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(pub Vec<File>);

impl File {
    /// A file of text.
    pub fn new(path: impl Into<String>, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            broken: false,
        }
    }

    /// A file of bytes; loading reports it if they are not UTF-8.
    pub fn from_bytes(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::new(path, text),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default()).into_owned();
                Self {
                    broken: true,
                    ..Self::new(path, text)
                }
            }
        }
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

impl Files {
    /// Text of the file shown under this path, for snippets.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|f| f.path == path).map(|f| &*f.text)
    }
}

/// The files that are compiled in.
pub fn embedded() -> Files {
    Files(
        dml_spec::embedded::FILES
            .iter()
            .map(|(path, text)| File::new(*path, *text))
            .collect(),
    )
}

/// The files of a folder laid out like `spec/`: `directml.yaml` and `operators/*.yaml`. Paths are shown as given,
/// with slashes.
///
/// # Errors
/// What the file system says.
pub fn read_dir(folder: &Path) -> io::Result<Files> {
    let mut paths = vec![folder.join("directml.yaml")];
    let mut operators = Vec::new();
    for entry in fs::read_dir(folder.join("operators"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "yaml") {
            operators.push(path);
        }
    }
    operators.sort();
    paths.append(&mut operators);
    let read = |path: &std::path::PathBuf| {
        let shown = path.display().to_string().replace('\\', "/");
        let bytes = fs::read(path).map_err(|e| io::Error::new(e.kind(), format!("{shown}: {e}")))?;
        Ok(File::from_bytes(shown, bytes))
    };
    Ok(Files(paths.iter().map(read).collect::<io::Result<_>>()?))
}

/// SHA-256 over names and texts, in lower-case hex. Neither the folder, nor the order of the files, nor the style of
/// line ends changes it.
pub fn digest(files: &Files) -> String {
    let mut sorted: Vec<&File> = files.0.iter().collect();
    sorted.sort_by_key(|f| f.name());
    let mut hash = Sha256::new();
    for file in sorted {
        for part in [file.name(), &*file.text.replace("\r\n", "\n")] {
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}
