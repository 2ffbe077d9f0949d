//! Parses what only a meaning may hold: `let`, arithmetic types, slices, calls with labels and forms that bind
//! variables; and the heads of definitions.

use std::ops::Range;

use super::{
    ast::{Argument, Binder, Call, Expr, ExprKind, Meant, Reduce, RuleError},
    lexer::Token,
    syntax::{Parsed, Parser, parse_with},
    words::{IMPLIES, SUM},
};

/// What stands before the colon of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The tensor, or the name of an intermediate.
    pub name: String,
    /// Place of the name.
    pub place: Range<usize>,
    /// Names in brackets without a domain: `[n]`, `[o]`.
    pub indices: Vec<(String, Range<usize>)>,
    /// The domain of an intermediate.
    pub domain: Vec<Binder>,
}

/// Parses `OutputTensor[o]`, `OutputTensors[n][o]`, `name`, `name[r in Sizes]` or `name[i in a..b, j in c..d]`.
///
/// # Errors
/// The first mistake, as `spec::rule-syntax`.
pub fn parse_head(text: &str) -> Result<Head, RuleError> {
    parse_with(text, |parser| parser.head())
}

impl Parser<'_> {
    fn head(&mut self) -> Parsed<Head> {
        let (name, place) = self.name("an output or the name of an intermediate")?;
        let name = name.to_owned();
        let (mut indices, mut domain) = (Vec::new(), Vec::new());
        while self.eat("[") {
            if matches!(self.peek(), Token::Name(_)) && self.peek_second() == Token::Name("in") {
                domain = self.inside(Self::binders)?;
                self.expect("]", "`,` or `]`")?;
                break;
            }
            let (index, at) = self.name("the name of an index")?;
            indices.push((index.to_owned(), at));
            self.expect("]", "`]`")?;
        }
        Ok(Head {
            name,
            place,
            indices,
            domain,
        })
    }

    fn binders(&mut self) -> Parsed<Vec<Binder>> {
        let mut binders = vec![self.binder()?];
        while self.peek() == Token::Symbol(",") && self.peek_third() == Token::Name("in") {
            self.bump();
            binders.push(self.binder()?);
        }
        Ok(binders)
    }

    fn binder(&mut self) -> Parsed<Binder> {
        let (name, _) = self.name("a variable")?;
        let name = name.to_owned();
        if !self.eat_name("in") {
            return Err(self.refuse(
                &super::words::describe(self.peek()),
                "`in` and what the variable runs over",
            ));
        }
        let from = self.expr(SUM)?;
        let to = if self.eat("..") { Some(self.expr(SUM)?) } else { None };
        Ok(Binder { name, from, to })
    }

    pub(super) fn binding(&mut self) -> Parsed {
        let start = self.span().start;
        self.bump();
        let (name, _) = self.name("a name")?;
        let name = name.to_owned();
        self.expect("=", "`=` and a value")?;
        let outer = std::mem::replace(&mut self.membership, false);
        let value = self.expr(IMPLIES)?;
        self.membership = outer;
        self.expect_name("in")?;
        let body = self.expr(IMPLIES)?;
        self.meant(Meant::Let(name, value, body), Some(start))
    }

    pub(super) fn in_type(&mut self) -> Parsed {
        let start = self.span().start;
        self.bump();
        let data_type = self.expr(SUM)?;
        self.expect(":", "`:` and what is computed in this type")?;
        let body = self.expr(IMPLIES)?;
        self.meant(Meant::InType(data_type, body), Some(start))
    }

    /// What follows `[` after an expression: `i]`, `i, j]` or `a..b]`.
    pub(super) fn indexed(&mut self, base: Expr) -> Parsed {
        let start = self.span().start;
        let first = self.inside(|p| p.expr(IMPLIES))?;
        if self.eat("..") {
            let to = self.inside(|p| p.expr(IMPLIES))?;
            self.expect("]", "`]`")?;
            return self.meant(Meant::Slice(base, first, to), None);
        }
        let mut items = vec![first];
        while self.eat(",") {
            items.push(self.inside(|p| p.expr(IMPLIES))?);
        }
        let index = if items.len() == 1 {
            items.remove(0)
        } else {
            self.join(ExprKind::List(items), Some(start))?
        };
        self.expect("]", "`]`")?;
        self.join(ExprKind::Index(Box::new(base), Box::new(index)), None)
    }

    /// Whether a form that binds a variable is one of rules: one variable over numbers, and a body.
    pub(super) fn is_plain(&self, name: &str) -> bool {
        super::words::quantifier(name).is_some() && self.is_range_and_body()
    }

    pub(super) fn reduce(&mut self, name: &str, place: &Range<usize>) -> Parsed {
        let mut reduce = Reduce {
            name: name.to_owned(),
            place: place.clone(),
            binders: self.binders()?,
            state: None,
            arguments: Vec::new(),
            labelled: Vec::new(),
            body: None,
            otherwise: None,
        };
        self.rest_of_reduce(&mut reduce)?;
        self.meant(Meant::Reduce(reduce), Some(place.start))
    }

    /// Labels, a state and the body, up to and with the closing parenthesis.
    fn rest_of_reduce(&mut self, reduce: &mut Reduce) -> Parsed<()> {
        while self.eat(",") {
            if self.eat_name("where") {
                let place = self.span();
                reduce.labelled.push(("where".to_owned(), place, self.expr(IMPLIES)?));
            } else if matches!(self.peek(), Token::Name(_)) && self.peek_second() == Token::Symbol(":") {
                let (label, at) = self.name("a label")?;
                let label = label.to_owned();
                self.bump();
                reduce.labelled.push((label, at, self.expr(IMPLIES)?));
            } else if matches!(self.peek(), Token::Name(_)) && self.peek_second() == Token::Symbol("=") {
                let (state, _) = self.name("a state")?;
                let state = state.to_owned();
                self.bump();
                reduce.state = Some((state, self.expr(IMPLIES)?));
            } else {
                reduce.arguments.push(self.expr(IMPLIES)?);
            }
        }
        if self.eat(":") {
            reduce.body = Some(self.expr(IMPLIES)?);
        }
        self.expect(")", "`,`, `:` or `)`")
    }

    /// A call and what it is over nothing, if `else` follows: not directly after `then`, where it belongs to the `if`.
    pub(super) fn with_otherwise(&mut self, called: Expr) -> Parsed {
        let takes = match &called.kind {
            ExprKind::Meaning(meant) => matches!(&**meant, Meant::Reduce(_)),
            ExprKind::Call(name, ..) => name == "raw",
            _ => false,
        };
        if !takes || !self.otherwise || !self.eat_name("else") {
            return Ok(called);
        }
        let otherwise = self.expr(SUM)?;
        let start = Some(called.span.start);
        match called.kind {
            ExprKind::Meaning(meant) => match *meant {
                Meant::Reduce(reduce) => {
                    let otherwise = Some(otherwise);
                    self.meant(Meant::Reduce(Reduce { otherwise, ..reduce }), start)
                }
                other => self.meant(other, start),
            },
            ExprKind::Call(name, place, arguments) => self.meant(
                Meant::Call(Call {
                    name,
                    place,
                    arguments: arguments.into_iter().map(Argument::Expr).collect(),
                    labelled: Vec::new(),
                    otherwise: Some(otherwise),
                }),
                start,
            ),
            kind => self.join(kind, start),
        }
    }

    /// The arguments of a call, after its opening parenthesis.
    pub(super) fn arguments(&mut self, name: &str, place: &Range<usize>) -> Parsed {
        let mut call = Call {
            name: name.to_owned(),
            place: place.clone(),
            arguments: Vec::new(),
            labelled: Vec::new(),
            otherwise: None,
        };
        if name == "prefix" {
            return self.prefix_form(place);
        }
        while !self.eat(")") {
            if !(call.arguments.is_empty() && call.labelled.is_empty()) {
                self.expect(",", "`,` or `)`")?;
            }
            if matches!(self.peek(), Token::Name(_)) && self.peek_second() == Token::Symbol(":") {
                let (label, at) = self.name("a label")?;
                let label = label.to_owned();
                self.bump();
                let argument = self.argument()?;
                call.labelled.push((label, at, vec![argument]));
            } else {
                let argument = self.argument()?;
                match call.labelled.last_mut() {
                    // `among: a, b`.
                    Some((_, _, arguments)) => arguments.push(argument),
                    None => call.arguments.push(argument),
                }
            }
        }
        self.finish_call(call)
    }

    fn finish_call(&self, call: Call) -> Parsed {
        let plain = call.labelled.is_empty()
            && call.otherwise.is_none()
            && call.arguments.iter().all(|a| matches!(a, Argument::Expr(_)));
        let start = Some(call.place.start);
        if !plain {
            return self.meant(Meant::Call(call), start);
        }
        let arguments = call.arguments.into_iter().filter_map(|argument| match argument {
            Argument::Expr(e) => Some(e),
            Argument::Clause(..) => None,
        });
        self.join(ExprKind::Call(call.name, call.place, arguments.collect()), start)
    }

    /// `prefix(sum, j in a..b: body)`, from its first argument on.
    fn prefix_form(&mut self, place: &Range<usize>) -> Parsed {
        let Token::Name(function @ ("sum" | "product")) = self.peek() else {
            return Err(self.refuse(&super::words::describe(self.peek()), "`sum` or `product`"));
        };
        self.bump();
        let name = format!("prefix {function}");
        self.expect(",", "`,`")?;
        self.reduce(&name, place)
    }

    fn argument(&mut self) -> Parsed<Argument> {
        if let Token::Text(text) = self.peek() {
            let place = self.span();
            self.bump();
            return Ok(Argument::Clause(text.to_owned(), place));
        }
        Ok(Argument::Expr(self.expr(IMPLIES)?))
    }
}
