//! The forms of properties.
//!
//! Properties keep their shape when a symmetry is imposed, so nothing need be said of their sets in
//! another way; but where members are put in another order, a comparison with a literal would mean
//! something else. So any comparison uses the order.

use super::form::{Form, Op};
use super::normal::Normal;
use crate::{BinaryOp, EnumId, Formula, Kind, Literal, Net, Property, Term, UnaryOp, Var};

/// The form of what a property says.
pub(super) fn form(net: &Net, property: &Property) -> Form {
    Claim { normal: Normal { net }, property }.formula(&property.formula)
}

#[derive(Clone, Copy)]
struct Claim<'a> {
    normal: Normal<'a>,
    property: &'a Property,
}

impl Claim<'_> {
    fn formula(self, formula: &Formula) -> Form {
        let kept = |op, operands: &[&Formula]| {
            Form::kept(op, operands.iter().map(|formula| self.formula(formula)).collect())
        };
        match formula {
            Formula::DeadlockFree => Form::kept(Op::DeadlockFree, Vec::new()),
            Formula::Deadlock => Form::kept(Op::Deadlock, Vec::new()),
            Formula::Term(term) => self.term(term),
            Formula::Not(f) => self.normal.negated(self.formula(f)),
            Formula::Binary(op, f, g) => {
                let (f, g) = (self.formula(f), self.formula(g));
                self.connected(*op, f, g, false)
            }
            Formula::Path(op, f) => kept(Op::Path(*op), &[f]),
            Formula::Until(f, g) => kept(Op::Until, &[f, g]),
            Formula::LeadsTo(f, g) => kept(Op::LeadsTo, &[f, g]),
            Formula::AllUntil(f, g) => kept(Op::AllUntil, &[f, g]),
            Formula::SomeUntil(f, g) => kept(Op::SomeUntil, &[f, g]),
            Formula::Quantified { quantifier, thread, subject, body } => {
                kept(Op::Quantified(*quantifier, *thread, subject.clone()), &[body])
            }
        }
    }

    /// `and`, `or` or `implies`.
    fn connected(self, op: BinaryOp, a: Form, b: Form, can_fault: bool) -> Form {
        let a = if op == BinaryOp::Implies { self.normal.negated(a) } else { a };
        self.normal.joined(op != BinaryOp::And, vec![a, b], can_fault)
    }

    fn term(self, term: &Term) -> Form {
        let variables = |vars: &[Var]| vars.iter().map(|var| Form::Var(*var)).collect();
        match term {
            Term::Literal(Literal::Int(number)) => Form::Number(*number),
            Term::Literal(Literal::Bool(truth)) => Form::Truth(*truth),
            Term::Literal(Literal::Enum(id, member)) => Form::Member(*id, *member),
            Term::Var(var) => Form::Var(*var),
            Term::Field(var, place, column) => {
                Form::kept(Op::Field(*place, *column), variables(&[*var]))
            }
            Term::Count(place, pattern) => {
                let component =
                    |term: &Option<Term>| term.as_ref().map_or(Form::Open, |term| self.term(term));
                Form::kept(Op::Count(*place), pattern.iter().map(component).collect())
            }
            Term::At(var, place) => Form::kept(Op::At(*place), variables(&[*var])),
            Term::Ended(var) => Form::kept(Op::Ended, variables(&[*var])),
            Term::Enabled(transition) => Form::kept(Op::Enabled(*transition), Vec::new()),
            Term::Relation(relation, a, b) => {
                Form::kept(Op::Relation(*relation), variables(&[*a, *b]))
            }
            Term::Unary(UnaryOp::Not, a) => self.normal.negated(self.term(a)),
            Term::Unary(op, a) => Form::kept(Op::Unary(*op), vec![self.term(a)]),
            Term::Binary(op, a, b) => self.binary(*op, a, b),
        }
    }

    fn binary(self, op: BinaryOp, a: &Term, b: &Term) -> Form {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
        let (x, y) = (self.term(a), self.term(b));
        let can_fault = calculates(a) || calculates(b);
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => self.connected(op, x, y, can_fault),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.normal.equal(x, y, op == BinaryOp::Equal, can_fault)
            }
            Less | LessEqual | Greater | GreaterEqual => {
                let strict = matches!(op, Less | Greater);
                let number = if strict { Less } else { LessEqual };
                let before = |class| Op::Before { class, strict };
                let operands = if matches!(op, Less | LessEqual) { vec![x, y] } else { vec![y, x] };
                Form::kept(self.class(a).map_or(Op::Binary(number), before), operands)
            }
            BinaryOp::Add | BinaryOp::Multiply => Form::free(Op::Binary(op), vec![x, y]),
            _ => Form::kept(Op::Binary(op), vec![x, y]),
        }
    }

    /// The class whose member a term is.
    fn class(self, term: &Term) -> Option<EnumId> {
        let kind = match term {
            Term::Literal(literal) => literal.kind(),
            Term::Var(var) => self.property.variables[var.index()].kind,
            Term::Field(_, place, column) => {
                self.normal.net.place(*place).columns[*column].sort.into()
            }
            _ => return None,
        };
        if let Kind::Enum(id) = kind { Some(id) } else { None }
    }
}

/// Whether a term calculates, which may fault.
fn calculates(term: &Term) -> bool {
    use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
    match term {
        Term::Unary(op, a) => *op == UnaryOp::Negate || calculates(a),
        Term::Binary(Add | Subtract | Multiply | Divide | Remainder, ..) => true,
        Term::Binary(_, a, b) => calculates(a) || calculates(b),
        Term::Count(_, pattern) => pattern.iter().flatten().any(calculates),
        _ => false,
    }
}
