//! Random documents: a few classes of all kinds, places and variables of many sorts, and terms made of
//! every operator that fits.

use diagnostics::Span;
use net::BinaryOp;
use pnml::{
    Arc, Declaration, Declared, Document, Id, Kind, Label, Named, Net, NumberSort, Operator, Page,
    Place, Range, Shape, Sort, Term, Tokens, Transition,
};
use random::Random;

fn id(text: &str) -> Id {
    Id { text: text.into(), span: Span::default() }
}

fn sort(shape: Shape) -> Sort {
    Sort { shape, span: Span::default() }
}

fn user(name: &str) -> Sort {
    sort(Shape::User(id(name)))
}

fn term(operator: Operator, subterms: Vec<Term>) -> Term {
    Term { operator, subterms, span: Span::default() }
}

fn named<T>(name: &str, value: T) -> Named<T> {
    Named { id: id(name), name: name.to_owned(), value, span: Span::default() }
}

fn label<T>(value: T) -> Label<T> {
    Label { text: None, value, span: Span::default() }
}

fn number(value: u64) -> Term {
    term(Operator::Number { value, sort: NumberSort::Natural }, Vec::new())
}

/// What a sort is to the generator.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Dot,
    Bool,
    /// The cyclic class.
    Ring,
    /// The class without successors.
    Colour,
    /// The range; with a name of its own, another name, or none.
    Level(usize),
    /// The parts of the cyclic class.
    Kind,
    Product(Vec<Form>),
}

const LEVELS: Range = Range { start: -1, end: 1 };

struct Generator {
    random: Random,
    ring: usize,
    colours: usize,
    /// Variables, with their sorts; none in initial markings and definitions.
    variables: Vec<(&'static str, Form)>,
}

pub fn document(seed: u64) -> Document {
    let mut random = Random::new(seed);
    let (ring, colours) = (1 + random.below(3), 1 + random.below(2));
    let mut generator = Generator { random, ring, colours, variables: Vec::new() };
    Document { nets: vec![generator.net()], ..Document::default() }
}

impl Generator {
    fn net(&mut self) -> Net {
        let declarations = self.declarations();
        let forms: Vec<Form> = (0..2 + self.random.below(3)).map(|_| self.form(2)).collect();
        let mut page = Page { id: id("page"), ..Page::default() };
        for (number, form) in forms.iter().enumerate() {
            let marking = self.random.percent(85).then(|| {
                let term = self.multiset(form, 3);
                Tokens::Term(label(term))
            });
            page.places.push(Place {
                id: id(&format!("p{number}")),
                name: None,
                sort: Some(label(self.sort(form))),
                marking,
                span: Span::default(),
            });
        }
        for number in 0..1 + self.random.below(3) {
            self.transition(number, &forms, &mut page);
        }
        Net {
            id: id("random"),
            kind: Kind::Symmetric,
            name: None,
            declarations,
            pages: vec![page],
            span: Span::default(),
        }
    }

    fn transition(&mut self, number: usize, forms: &[Form], page: &mut Page) {
        let product = Form::Product(vec![Form::Ring, Form::Colour]);
        let all = [
            ("x", Form::Ring),
            ("y", Form::Ring),
            ("c", Form::Colour),
            ("l", Form::Level(0)),
            ("k", Form::Kind),
            ("pair", product),
            ("b", Form::Bool),
            ("m", Form::Level(1)),
            ("n", Form::Level(2)),
        ];
        self.variables = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let some = self.random.pick(&all).clone();
            if !self.variables.contains(&some) {
                self.variables.push(some);
            }
        }
        let name = format!("t{number}");
        let condition = self.random.percent(50).then(|| label(self.condition(3)));
        let span = Span::default();
        page.transitions.push(Transition { id: id(&name), name: None, condition, span });
        for direction in [true, false] {
            for _ in 0..self.random.below(3) {
                let place = self.random.below(forms.len());
                let inscription = match &forms[place] {
                    Form::Dot if self.random.percent(30) => None,
                    // What is taken is mostly small, so that something can fire.
                    form if direction && self.random.percent(60) => {
                        Some(Tokens::Term(label(self.element(form, 2))))
                    }
                    form => Some(Tokens::Term(label(self.multiset(form, 3)))),
                };
                let place = format!("p{place}");
                let (source, target) = if direction { (&place, &name) } else { (&name, &place) };
                page.arcs.push(Arc {
                    id: id(&format!("a{}", page.arcs.len())),
                    name: None,
                    source: id(source),
                    target: id(target),
                    inscription,
                    span: Span::default(),
                });
            }
        }
        self.variables = Vec::new();
    }

    fn form(&mut self, depth: usize) -> Form {
        match self.random.below(if depth == 0 { 10 } else { 14 }) {
            0 => Form::Dot,
            1 => Form::Bool,
            2..=4 => Form::Ring,
            5 | 6 => Form::Colour,
            7 => Form::Level(0),
            8 => Form::Level(self.random.below(3)),
            9 => Form::Kind,
            _ => {
                let count = 2 + self.random.below(2);
                Form::Product((0..count).map(|_| self.form(depth - 1)).collect())
            }
        }
    }

    fn sort(&mut self, form: &Form) -> Sort {
        match form {
            Form::Dot => sort(Shape::Dot),
            Form::Bool => sort(Shape::Bool),
            Form::Ring => user(if self.random.percent(20) { "Alias" } else { "Ring" }),
            Form::Colour => user("Colour"),
            Form::Level(0) => user("Level"),
            Form::Level(1) => user("Other"),
            Form::Level(_) => sort(Shape::Range(LEVELS)),
            Form::Kind => user("Kind"),
            Form::Product(factors) => {
                let factors = factors.iter().map(|factor| self.sort(factor)).collect();
                sort(Shape::Product(factors))
            }
        }
    }

    fn declarations(&mut self) -> Vec<Declaration> {
        let constants = |prefix: &str, count: usize| {
            (0..count).map(|i| named(&format!("{prefix}{i}"), ())).collect()
        };
        let of = |name: &str, sort: Sort| named(name, Declared::Sort(sort));
        let ring = Shape::Enumeration { cyclic: true, constants: constants("r", self.ring) };
        let colour = Shape::Enumeration { cyclic: false, constants: constants("c", self.colours) };
        let mut list = vec![
            of("Ring", sort(ring)),
            of("Colour", sort(colour)),
            of("Level", sort(Shape::Range(LEVELS))),
            of("Other", sort(Shape::Range(LEVELS))),
            of("Alias", user("Ring")),
        ];
        let cut = self.random.below(self.ring);
        let part = |name: &str, range: std::ops::Range<usize>| {
            named(name, range.map(|i| constant(&format!("r{i}"))).collect())
        };
        let mut parts = vec![part("upper", cut..self.ring)];
        if cut > 0 {
            parts.push(part("lower", 0..cut));
        }
        list.push(named("Kind", Declared::Partition { sort: user("Ring"), parts }));
        let pair = sort(Shape::Product(vec![user("Ring"), user("Colour")]));
        let variables = [
            ("x", user("Ring")),
            ("y", user("Alias")),
            ("c", user("Colour")),
            ("l", user("Level")),
            ("m", user("Other")),
            ("n", sort(Shape::Range(LEVELS))),
            ("k", user("Kind")),
            ("pair", pair),
            ("b", sort(Shape::Bool)),
        ];
        list.extend(variables.map(|(name, sort)| named(name, Declared::Variable(sort))));
        // An operator whose parameter is called like a variable, and one that uses it.
        self.variables = vec![("x", Form::Ring)];
        for (name, before) in [("around", None), ("twice", Some("around"))] {
            let body = self.multiset(&Form::Ring, 2);
            let definition = match before {
                None => body,
                Some(before) => {
                    let argument = self.element(&Form::Ring, 1);
                    let applied = term(Operator::User(id(before)), vec![argument]);
                    term(Operator::Add, vec![applied, body])
                }
            };
            let parameters = vec![named("x", user("Ring"))];
            list.push(named(name, Declared::Operator { parameters, definition }));
        }
        self.variables = Vec::new();
        list
    }

    fn multiset(&mut self, form: &Form, depth: usize) -> Term {
        if depth == 0 {
            return self.element(form, 1);
        }
        match self.random.below(16) {
            0 | 1 => {
                let sort = self.sort(form);
                term(Operator::All(sort), Vec::new())
            }
            2 => {
                let count = number(self.random.below(3) as u64);
                let of = self.multiset(form, depth - 1);
                term(Operator::NumberOf, vec![count, of])
            }
            3 => {
                let count = number(1 + self.random.below(2) as u64);
                let of = self.multiset(form, depth - 1);
                term(Operator::ScalarProduct, vec![count, of])
            }
            4 | 5 => {
                let count = 1 + self.random.below(3);
                let list = (0..count).map(|_| self.multiset(form, depth - 1)).collect();
                term(Operator::Add, list)
            }
            6..=9 => {
                let first = match self.random.percent(60) {
                    true => {
                        let sort = self.sort(form);
                        term(Operator::All(sort), Vec::new())
                    }
                    false => self.multiset(form, depth - 1),
                };
                let count = self.random.below(3);
                let rest = (0..count).map(|_| self.multiset(form, depth - 1));
                let list: Vec<Term> =
                    std::iter::once(first).chain(rest.collect::<Vec<_>>()).collect();
                term(Operator::Subtract, list)
            }
            10 if *form == Form::Ring => {
                let part = if self.random.percent(50) { "upper" } else { "Kind" };
                match part {
                    "upper" => constant("upper"),
                    _ if self.knows(&Form::Kind).is_some() => {
                        let name = self.knows(&Form::Kind).expect("it is known");
                        term(Operator::Variable(id(name)), Vec::new())
                    }
                    _ => {
                        let element = self.element(&Form::Ring, 1);
                        term(Operator::PartOf(id("Kind")), vec![element])
                    }
                }
            }
            11 if *form == Form::Ring && self.variables.len() != 1 => {
                let argument = self.element(&Form::Ring, 1);
                let name = if self.random.percent(50) { "around" } else { "twice" };
                term(Operator::User(id(name)), vec![argument])
            }
            12 => {
                let sort = self.sort(form);
                term(Operator::Empty(sort), Vec::new())
            }
            _ => match form {
                Form::Product(factors) => {
                    let list = factors.iter().map(|f| self.multiset(f, depth - 1)).collect();
                    term(Operator::Tuple, list)
                }
                form => self.element(form, depth),
            },
        }
    }

    /// A variable of this sort, if there is one. The ranges are one sort.
    fn knows(&mut self, form: &Form) -> Option<&'static str> {
        let fits = |other: &Form| match (form, other) {
            // Mixing them makes them one class, which should not always be so.
            (Form::Level(a), Form::Level(b)) => a == b,
            (a, b) => a == b,
        };
        let known: Vec<&'static str> =
            self.variables.iter().filter(|(_, form)| fits(form)).map(|(name, _)| *name).collect();
        (!known.is_empty()).then(|| *self.random.pick(&known))
    }

    fn element(&mut self, form: &Form, depth: usize) -> Term {
        if self.random.percent(65)
            && let Some(name) = self.knows(form)
        {
            return term(Operator::Variable(id(name)), Vec::new());
        }
        match form {
            Form::Dot => term(Operator::Dot, Vec::new()),
            Form::Bool if depth > 0 && self.random.percent(50) => self.condition(depth - 1),
            Form::Bool => term(Operator::Boolean(self.random.percent(50)), Vec::new()),
            Form::Ring if depth > 0 && self.random.percent(40) => {
                let after = self.random.percent(50);
                let operator = if after { Operator::Successor } else { Operator::Predecessor };
                let element = self.element(form, depth - 1);
                term(operator, vec![element])
            }
            Form::Ring => constant(&format!("r{}", self.random.below(self.ring))),
            Form::Colour => constant(&format!("c{}", self.random.below(self.colours))),
            Form::Level(_) => {
                let value = self.random.below(3) as i64 + LEVELS.start;
                term(Operator::RangeConstant { value, range: LEVELS }, Vec::new())
            }
            Form::Kind if depth > 0 && self.random.percent(60) => {
                let element = self.element(&Form::Ring, depth - 1);
                term(Operator::PartOf(id("Kind")), vec![element])
            }
            Form::Kind => constant("upper"),
            Form::Product(factors) => {
                let list = factors.iter().map(|f| self.element(f, depth.saturating_sub(1)));
                term(Operator::Tuple, list.collect())
            }
        }
    }

    fn condition(&mut self, depth: usize) -> Term {
        let compared = |generator: &mut Generator, form: &Form| {
            vec![generator.element(form, 1), generator.element(form, 1)]
        };
        if depth > 0 && self.random.percent(45) {
            let operator = match self.random.below(5) {
                0 | 1 => Operator::Binary(BinaryOp::And),
                2 => Operator::Binary(BinaryOp::Or),
                3 => Operator::Not,
                _ => Operator::Binary(BinaryOp::Implies),
            };
            let count = match operator {
                Operator::Not => 1,
                Operator::Binary(BinaryOp::Implies) => 2,
                _ => 1 + self.random.below(3),
            };
            let list = (0..count).map(|_| self.condition(depth - 1)).collect();
            return term(operator, list);
        }
        match self.random.below(12) {
            0..=3 => {
                let form = self.form(1);
                let same = self.random.percent(50);
                let operator = if same {
                    Operator::Binary(BinaryOp::Equal)
                } else {
                    Operator::Binary(BinaryOp::NotEqual)
                };
                let operands = compared(self, &form);
                term(operator, operands)
            }
            4..=6 => {
                let form = match self.random.below(3) {
                    0 => Form::Ring,
                    1 => Form::Colour,
                    _ => Form::Level(self.random.below(3)),
                };
                let operators = [
                    Operator::Binary(BinaryOp::Less),
                    Operator::Binary(BinaryOp::LessEqual),
                    Operator::Binary(BinaryOp::Greater),
                    Operator::Binary(BinaryOp::GreaterEqual),
                    Operator::NumberOrder(BinaryOp::Less),
                ];
                let operator = self.random.pick(&operators).clone();
                let operands = compared(self, &form);
                term(operator, operands)
            }
            7 => {
                let less = self.random.percent(50);
                let operator = if less {
                    Operator::PartOrder(BinaryOp::Less)
                } else {
                    Operator::PartOrder(BinaryOp::Greater)
                };
                let operands = compared(self, &Form::Kind);
                term(operator, operands)
            }
            8 => {
                // Of the ring, a part could stand where the checks ask for elements.
                let whole = self.multiset(&Form::Colour, 1);
                let part = self.multiset(&Form::Colour, 1);
                term(Operator::Contains, vec![whole, part])
            }
            9 => {
                let whole = self.multiset(&Form::Colour, 1);
                let part = self.element(&Form::Colour, 1);
                let count = term(Operator::CardinalityOf, vec![whole, part]);
                term(Operator::NumberOrder(BinaryOp::GreaterEqual), vec![count, number(1)])
            }
            10 => {
                let sort = self.sort(&Form::Ring);
                let all = term(Operator::All(sort), Vec::new());
                let count = term(Operator::Cardinality, vec![all]);
                term(Operator::Binary(BinaryOp::Equal), vec![count, number(2)])
            }
            _ => term(Operator::Boolean(self.random.percent(70)), Vec::new()),
        }
    }
}

fn constant(name: &str) -> Term {
    term(Operator::User(id(name)), Vec::new())
}
