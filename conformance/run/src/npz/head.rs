//! What stands before the data of an array: the dictionary that NumPy writes, and no other Python.

/// What the head of an array says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The type of an element, such as `<f4`.
    pub(super) descr: String,
    /// Whether the first index runs fastest.
    pub(super) fortran: bool,
    /// The sizes.
    pub(super) shape: Vec<u64>,
}

impl Head {
    /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut rest = Rest(text);
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        rest.eat("{")?;
        while rest.eat("}").is_none() {
            let key = rest.quoted()?;
            rest.eat(":")?;
            match key {
                "descr" => descr = Some(rest.quoted()?.to_owned()),
                "fortran_order" => fortran = Some(rest.truth()?),
                "shape" => shape = Some(rest.tuple()?),
                _ => return None,
            }
            if rest.eat(",").is_none() && !rest.starts_with("}") {
                return None;
            }
        }
        rest.is_empty().then_some(Self {
            descr: descr?,
            fortran: fortran?,
            shape: shape?,
        })
    }
}

/// Most sizes that an array may have: a tensor has fewer.
const DIMENSIONS: usize = 32;

/// What has not been read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip_space(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\n']);
    }

    fn starts_with(&mut self, mark: &str) -> bool {
        self.skip_space();
        self.0.starts_with(mark)
    }

    fn is_empty(&mut self) -> bool {
        self.skip_space();
        self.0.is_empty()
    }

    fn eat(&mut self, mark: &str) -> Option<()> {
        self.skip_space();
        self.0 = self.0.strip_prefix(mark)?;
        Some(())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        self.eat("'")?;
        let (text, rest) = self.0.split_once('\'')?;
        self.0 = rest;
        (!text.contains('\\')).then_some(text)
    }

    fn truth(&mut self) -> Option<bool> {
        match self.eat("True") {
            Some(()) => Some(true),
            None => self.eat("False").map(|()| false),
        }
    }

    fn tuple(&mut self) -> Option<Vec<u64>> {
        self.eat("(")?;
        let mut sizes = Vec::new();
        while self.eat(")").is_none() {
            self.skip_space();
            let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
            let (digits, rest) = self.0.split_at(end);
            sizes.push(digits.parse().ok().filter(|_| sizes.len() < DIMENSIONS)?);
            self.0 = rest;
            if self.eat(",").is_none() && !self.starts_with(")") {
                return None;
            }
        }
        Some(sizes)
    }
}
