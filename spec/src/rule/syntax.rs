//! Parses the text of a rule into a tree of names, literals and operators, with the place of each.

use std::ops::Range;

pub use super::ast::{Expr, ExprKind, Meant, RuleError};
use super::{
    ast::extent,
    lexer::{Token, tokens},
    typed::Quantifier,
    words::{IMPLIES, Infix, KEYWORDS, NOT, PRODUCT, SUM, comparison, describe, infix, quantifier},
};
use crate::level::FeatureLevel;

/// Longest text of a rule in bytes.
pub const MAX_LENGTH: usize = 8192;
/// Deepest tree, so that no text can exhaust the stack.
pub const MAX_DEPTH: usize = 64;

/// Parses a rule.
///
/// # Errors
/// The first mistake, as `spec::rule-syntax`.
pub fn parse(text: &str) -> Result<Expr, RuleError> {
    parse_with(text, |parser| parser.expr(IMPLIES))
}

/// Parses the whole of a text.
pub(super) fn parse_with<T>(text: &str, parse: impl FnOnce(&mut Parser<'_>) -> Parsed<T>) -> Result<T, RuleError> {
    if text.len() > MAX_LENGTH {
        let message = format!("the rule has {} bytes, more than {MAX_LENGTH}", text.len());
        return Err(RuleError::new("spec::rule-syntax", 0..0, message));
    }
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        with: true,
        membership: true,
        otherwise: true,
    };
    let expr = parse(&mut parser)?;
    match parser.peek() {
        Token::End => Ok(expr),
        found => Err(parser.refuse(&describe(found), "the end of the rule")),
    }
}

pub(super) struct Parser<'a> {
    tokens: Vec<(Token<'a>, Range<usize>)>,
    at: usize,
    /// Expressions being parsed around this one.
    depth: usize,
    /// Whether `with` may follow: not directly after the value of another `with`, which it would swallow.
    pub(super) with: bool,
    /// Whether `in` asks for a member here: not in the value of a `let`, which `in` ends.
    pub(super) membership: bool,
    /// Whether `else` may follow a call: not directly after `then`, where it belongs to the `if`.
    pub(super) otherwise: bool,
}

pub(super) type Parsed<T = Expr> = Result<T, RuleError>;

impl<'a> Parser<'a> {
    pub(super) fn expr(&mut self, min: u8) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let mut left = self.prefix(min)?;
        while let Some((op, level)) = infix(self.peek()).filter(|(_, level)| *level >= min) {
            if matches!(op, Infix::In) && !self.membership {
                break;
            }
            left = match op {
                Infix::Bits(op) => {
                    self.bump();
                    let right = self.expr(level + 1)?;
                    self.meant(Meant::Bits(op, left, right), None)?
                }
                Infix::Chain => self.comparisons(left)?,
                Infix::In => self.membership(left)?,
                Infix::Binary(op) => {
                    self.bump();
                    // Only `implies` groups to the right.
                    let right = self.expr(if level == IMPLIES { level } else { level + 1 })?;
                    self.join(ExprKind::Binary(op, Box::new(left), Box::new(right)), None)?
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self, min: u8) -> Parsed {
        let start = self.span().start;
        if self.eat_name("not") {
            if min > NOT {
                return Err(RuleError {
                    hint: Some("put `not …` in parentheses".to_owned()),
                    ..RuleError::new(
                        "spec::rule-syntax",
                        start..start + 3,
                        "`not` cannot stand behind this operator",
                    )
                });
            }
            let operand = self.expr(NOT)?;
            return self.join(ExprKind::Not(Box::new(operand)), Some(start));
        }
        if self.eat("-") {
            let operand = self.expr(PRODUCT + 1)?;
            return self.join(ExprKind::Neg(Box::new(operand)), Some(start));
        }
        if self.eat("~") {
            let operand = self.expr(PRODUCT + 1)?;
            return self.meant(Meant::BitNot(operand), Some(start));
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    fn comparisons(&mut self, first: Expr) -> Parsed {
        let mut rest = Vec::new();
        while let Some(op) = comparison(self.peek()) {
            self.bump();
            rest.push((op, self.expr(SUM)?));
        }
        self.join(ExprKind::Compare(Box::new(first), rest), None)
    }

    fn membership(&mut self, value: Expr) -> Parsed {
        self.bump();
        self.expect("{", "`{` before the members")?;
        let members = self.inside(|p| p.list("}"))?;
        self.join(ExprKind::In(Box::new(value), members), None)
    }

    fn postfix(&mut self, mut base: Expr) -> Parsed {
        loop {
            base = if self.eat(".") {
                let (name, place) = self.name("a property")?;
                self.join(ExprKind::Member(Box::new(base), name.to_owned(), place), None)?
            } else if self.eat("[") {
                self.indexed(base)?
            } else if self.with && self.eat_name("with") {
                self.expect("[", "`[` behind `with`")?;
                let index = self.bracketed()?;
                self.expect("=", "`=` and the new value")?;
                let outer = std::mem::replace(&mut self.with, false);
                let value = self.expr(SUM)?;
                self.with = outer;
                self.join(ExprKind::With(Box::new(base), Box::new(index), Box::new(value)), None)?
            } else {
                return Ok(base);
            }
        }
    }

    fn bracketed(&mut self) -> Parsed {
        let index = self.inside(|p| p.expr(IMPLIES))?;
        self.expect("]", "`]`")?;
        Ok(index)
    }

    fn primary(&mut self) -> Parsed {
        let (token, span) = (self.peek(), self.span());
        match token {
            Token::Int(value) => self.leaf(ExprKind::Int(value)),
            Token::Float(value) => self.leaf(ExprKind::Float(value)),
            Token::Symbol("(") => {
                self.bump();
                let inner = self.inside(|p| p.expr(IMPLIES))?;
                self.expect(")", "`)`")?;
                Ok(inner)
            }
            Token::Symbol("[") => {
                self.bump();
                let items = self.inside(|p| p.list("]"))?;
                self.join(ExprKind::List(items), Some(span.start))
            }
            Token::Name("true" | "false") => self.leaf(ExprKind::Bool(token == Token::Name("true"))),
            Token::Name("if") => self.choice(),
            Token::Name("let") => self.binding(),
            Token::Name("in") => self.in_type(),
            Token::Name(name) if !KEYWORDS.contains(&name) => {
                self.bump();
                if self.eat("(") {
                    let called = self.inside(|p| p.call(name, span))?;
                    self.with_otherwise(called)
                } else {
                    self.named(name, span)
                }
            }
            found => Err(self.refuse(&describe(found), "a value")),
        }
    }

    fn named(&self, name: &str, span: Range<usize>) -> Parsed {
        Ok(Expr {
            span,
            kind: ExprKind::Name(name.to_owned()),
            depth: 1,
        })
    }

    fn leaf(&mut self, kind: ExprKind) -> Parsed {
        let span = self.span();
        self.bump();
        Ok(Expr { span, kind, depth: 1 })
    }

    fn choice(&mut self) -> Parsed {
        let start = self.span().start;
        self.bump();
        let condition = self.inside(|p| p.expr(IMPLIES))?;
        self.expect_name("then")?;
        let yes = self.inside(|p| {
            p.otherwise = false;
            p.expr(IMPLIES)
        })?;
        self.expect_name("else")?;
        let no = self.expr(IMPLIES)?;
        self.join(
            ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)),
            Some(start),
        )
    }

    /// A call, a level literal or a quantifier, after its opening parenthesis.
    fn call(&mut self, name: &str, place: Range<usize>) -> Parsed {
        let start = place.start;
        if name == "level" {
            return self.level(start);
        }
        let bound = matches!(self.peek(), Token::Name(_)) && self.peek_second() == Token::Name("in");
        match quantifier(name) {
            // `sum` and `product` are functions of a list as well.
            _ if bound && !self.is_plain(name) => self.reduce(name, &place),
            Some(quantifier) if bound => self.quantified(quantifier, start),
            Some(Quantifier::All | Quantifier::Any | Quantifier::List) => Err(self.refuse(
                &describe(self.peek()),
                &format!("a variable, as in `{name}(d in 0..4: …)`"),
            )),
            _ => self.arguments(name, &place),
        }
    }

    fn level(&mut self, start: usize) -> Parsed {
        let Token::Text(text) = self.peek() else {
            return Err(self.refuse(
                &describe(self.peek()),
                "a feature level in double quotes, such as \"3.1\"",
            ));
        };
        let level = text
            .parse::<FeatureLevel>()
            .map_err(|error| RuleError::new("spec::rule-syntax", self.span(), error.to_string()))?;
        self.bump();
        self.expect(")", "`)`")?;
        self.join(ExprKind::Level(level), Some(start))
    }

    fn quantified(&mut self, quantifier: Quantifier, start: usize) -> Parsed {
        let (variable, _) = self.name("a variable")?;
        self.bump(); // `in`, seen by the caller
        let from = self.expr(SUM)?;
        self.expect("..", "`..` and the end of the range")?;
        let to = self.expr(SUM)?;
        self.expect(":", "`:` and what to ask for each")?;
        let body = self.expr(IMPLIES)?;
        self.expect(")", "`)`")?;
        let (from, to, body) = (Box::new(from), Box::new(to), Box::new(body));
        self.join(
            ExprKind::Quantified(quantifier, variable.to_owned(), from, to, body),
            Some(start),
        )
    }

    /// Expressions between commas, up to and with `close`.
    pub(super) fn list(&mut self, close: &'static str) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expr(IMPLIES)?);
            if self.eat(close) {
                return Ok(items);
            }
            self.expect(",", &format!("`,` or `{close}`"))?;
        }
    }

    /// Parses something between delimiters, inside which `with` may follow again.
    pub(super) fn inside<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = (self.with, self.membership, self.otherwise);
        (self.with, self.membership, self.otherwise) = (true, true, true);
        let parsed = parse(self)?;
        (self.with, self.membership, self.otherwise) = outer;
        Ok(parsed)
    }

    /// A node that only a meaning may hold.
    pub(super) fn meant(&self, meant: Meant, start: Option<usize>) -> Parsed {
        self.join(ExprKind::Meaning(Box::new(meant)), start)
    }

    /// Makes a node that ends with the last token read, and starts at its first part or at `start`.
    pub(super) fn join(&self, kind: ExprKind, start: Option<usize>) -> Parsed {
        let end = self
            .at
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or(0, |(_, span)| span.end);
        let (first, depth) = extent(&kind);
        let span = start.unwrap_or(first)..end;
        if depth >= MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        Ok(Expr {
            span,
            kind,
            depth: depth + 1,
        })
    }

    fn too_deep(&self, span: Range<usize>) -> RuleError {
        RuleError::new(
            "spec::rule-syntax",
            span,
            format!("the rule is nested more than {MAX_DEPTH} deep"),
        )
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.tokens.get(self.at).map_or(Token::End, |(token, _)| *token)
    }

    pub(super) fn peek_second(&self) -> Token<'a> {
        self.tokens.get(self.at + 1).map_or(Token::End, |(token, _)| *token)
    }

    pub(super) fn peek_third(&self) -> Token<'a> {
        self.tokens.get(self.at + 2).map_or(Token::End, |(token, _)| *token)
    }

    /// Whether what follows is `x in a..b: …`: a range ends before a comma, a colon or a bracket that closes.
    pub(super) fn is_range_and_body(&self) -> bool {
        let mut depth = 0_i32;
        let mut range = false;
        for (token, _) in self.tokens.iter().skip(self.at + 2) {
            match token {
                Token::Symbol("(" | "[" | "{") => depth += 1,
                Token::Symbol(")" | "]" | "}") if depth > 0 => depth -= 1,
                Token::Symbol("..") if depth == 0 => range = true,
                Token::Symbol(":") if depth == 0 => return range,
                Token::Symbol(",") if depth == 0 => return false,
                Token::Symbol(")" | "]" | "}") | Token::End if depth == 0 => return true,
                _ => {}
            }
        }
        true
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.tokens
            .get(self.at)
            .or(self.tokens.last())
            .map_or(0..0, |(_, span)| span.clone())
    }

    pub(super) fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len());
    }

    pub(super) fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.peek() == Token::Symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_name(&mut self, keyword: &str) -> bool {
        let found = self.peek() == Token::Name(keyword);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str, what: &str) -> Parsed<()> {
        if self.eat(symbol) {
            Ok(())
        } else {
            Err(self.refuse(&describe(self.peek()), what))
        }
    }

    pub(super) fn expect_name(&mut self, keyword: &str) -> Parsed<()> {
        if self.eat_name(keyword) {
            return Ok(());
        }
        Err(self.refuse(&describe(self.peek()), &format!("`{keyword}`")))
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<(&'a str, Range<usize>)> {
        match (self.peek(), self.span()) {
            (Token::Name(name), span) if !KEYWORDS.contains(&name) => {
                self.bump();
                Ok((name, span))
            }
            (found, _) => Err(self.refuse(&describe(found), what)),
        }
    }

    pub(super) fn refuse(&self, found: &str, expected: &str) -> RuleError {
        let mut error = RuleError::new(
            "spec::rule-syntax",
            self.span(),
            format!("found {found}, expected {expected}"),
        );
        if self.peek() == Token::Symbol("=") {
            error.hint = Some("equality is written `==`".to_owned());
        }
        error
    }
}
