//! The forms of expressions.

use super::form::{Form, Op, Set};
use super::normal::Normal;
use crate::assumptions::kind;
use crate::fallible::Fallibility;
use crate::{Arc, BinaryOp, EnumId, Expr, Kind, Literal, Net, Property, Transition, UnaryOp, Var};

/// Reads expressions over variables of these types.
pub(super) struct Reader<'a> {
    pub(super) normal: Normal<'a>,
    fallibility: Fallibility<'a>,
    kinds: Vec<Kind>,
    /// Variables that nothing outside knows, by position.
    pub(super) choices: Vec<Var>,
    /// Whether what is read keeps its shape when a symmetry is imposed.
    keeps_shape: bool,
}

impl<'a> Reader<'a> {
    /// A reader of what a transition says.
    pub(super) fn of(net: &'a Net, transition: &Transition) -> Reader<'a> {
        let kinds = transition.variables.iter().map(|variable| variable.kind).collect();
        let fallibility = Fallibility::of(net, transition);
        Reader {
            normal: Normal { net },
            fallibility,
            kinds,
            choices: Vec::new(),
            keeps_shape: false,
        }
    }

    /// A reader of what a property says. It keeps its shape, so nothing need be said of its sets in another
    /// way; but where members are put in another order, a comparison with a literal would mean something
    /// else, and so would a part by its index, or what is after a literal. So any comparison uses the order.
    pub(super) fn of_property(net: &'a Net, property: &Property) -> Reader<'a> {
        let variables = property.variables.clone();
        let transition = Transition { variables, ..Transition::default() };
        Reader { keeps_shape: true, ..Reader::of(net, &transition) }
    }

    /// A reader of what is said of members of these classes.
    pub(super) fn of_members(net: &'a Net, each: &[EnumId]) -> Reader<'a> {
        let kinds = each.iter().map(|id| Kind::Enum(*id)).collect();
        let choices = (0..each.len() as u32).map(Var).collect();
        Reader { kinds, choices, ..Reader::of(net, &Transition::default()) }
    }

    pub(super) fn can_fault(&self, expr: &Expr) -> bool {
        self.fallibility.can_fault(expr)
    }

    /// The type of an expression.
    pub(super) fn kind(&self, expr: &Expr) -> Option<Kind> {
        kind(self.normal.net, &|var| self.kinds[var.index()], expr)
    }

    pub(super) fn form(&self, expr: &Expr) -> Form {
        self.read(expr, true)
    }

    /// All of these, which cannot fault.
    pub(super) fn all<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> Form {
        self.normal.joined(false, exprs.map(|expr| self.form(expr)).collect(), false)
    }

    /// The tokens of an arc. Whether equal ones add up depends on whether one is chosen.
    pub(super) fn arc(&mut self, arc: &Arc) -> Form {
        let is_open = arc.pattern.iter().any(Option::is_none);
        self.token(arc, arc.each.clone(), is_open.then_some(arc.count))
    }

    /// What an inhibitor looks for. The variables that it alone knows are given.
    pub(super) fn inhibitor(&mut self, inhibitor: &Arc, own: Vec<Var>) -> Form {
        self.token(inhibitor, own, Some(inhibitor.count))
    }

    fn token(&mut self, arc: &Arc, own: Vec<Var>, copies: Option<u32>) -> Form {
        self.choices = own;
        let each = arc.each.iter().map(|var| match self.kinds[var.index()] {
            Kind::Enum(id) => id,
            kind => unreachable!("the net was checked, yet an arc goes through {kind:?}"),
        });
        let op = Op::Token { each: each.collect(), copies };
        let mut operands = self.pattern(&arc.pattern);
        let condition = arc.condition.as_ref();
        operands.push(condition.map_or(Form::Truth(true), |expr| self.form(expr)));
        self.choices.clear();
        Form::kept(op, operands)
    }

    fn pattern(&self, pattern: &[Option<Expr>]) -> Vec<Form> {
        let component =
            |expr: &Option<Expr>| expr.as_ref().map_or(Form::Open, |expr| self.form(expr));
        pattern.iter().map(component).collect()
    }

    /// The form of an expression, or of its negation unless `positive`.
    fn read(&self, expr: &Expr, positive: bool) -> Form {
        let normal = self.normal;
        let form = |expr: &Expr| self.read(expr, true);
        let signed = |form: Form| if positive { form } else { normal.negated(form) };
        match expr {
            Expr::Literal(Literal::Bool(truth)) => Form::Truth(*truth == positive),
            Expr::Literal(literal) => Form::literal(*literal),
            Expr::Var(var) => signed(self.variable(*var)),
            Expr::Unary(UnaryOp::Not, a) => self.read(a, !positive),
            Expr::Unary(op @ (UnaryOp::Negate | UnaryOp::Value), a) => {
                signed(Form::kept(Op::Unary(*op), vec![form(a)]))
            }
            Expr::If(condition, a, b) => {
                signed(Form::kept(Op::If, vec![form(condition), form(a), form(b)]))
            }
            Expr::Relation(relation, a, b) => {
                let operands = [a, b].map(|var| self.variable(*var)).to_vec();
                signed(Form::kept(Op::Relation(*relation), operands))
            }
            Expr::Shift(a, id, steps) if self.keeps_shape => {
                Form::kept(Op::Shift(*id, *steps), vec![form(a)])
            }
            Expr::Shift(a, id, steps) => normal.shifted(form(a), *id, *steps),
            Expr::Within(a, class, part) if self.keeps_shape => {
                let op = Op::Before { class: *class, strict: false };
                signed(Form::kept(op, vec![form(a), Form::Number((*part).into())]))
            }
            Expr::Within(a, id, part) => {
                let part = normal.net.enumerations[id.index()].part(*part as usize);
                let set = Set::new(*id, normal.size(*id), part.collect(), !positive);
                normal.within(form(a), set, self.can_fault(a))
            }
            Expr::Binary(op, a, b) => match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => self.junction(expr, positive),
                BinaryOp::Equal | BinaryOp::NotEqual => {
                    let positive = positive == (*op == BinaryOp::Equal);
                    normal.equal(form(a), form(b), positive, self.can_fault(expr))
                }
                BinaryOp::Less => self.before(a, b, true, positive),
                BinaryOp::LessEqual => self.before(a, b, false, positive),
                BinaryOp::Greater => self.before(b, a, true, positive),
                BinaryOp::GreaterEqual => self.before(b, a, false, positive),
                BinaryOp::Add | BinaryOp::Multiply => {
                    Form::free(Op::Binary(*op), vec![form(a), form(b)])
                }
                BinaryOp::Subtract | BinaryOp::Divide | BinaryOp::Remainder => {
                    Form::kept(Op::Binary(*op), vec![form(a), form(b)])
                }
            },
            Expr::Field(var, place, column) => {
                signed(Form::kept(Op::Field(*place, *column), vec![Form::Var(*var)]))
            }
            Expr::Count(place, pattern) => Form::kept(Op::Count(*place), self.pattern(pattern)),
            Expr::At(var, place) => signed(Form::kept(Op::At(*place), vec![Form::Var(*var)])),
            Expr::Ended(var) => signed(Form::kept(Op::Ended, vec![Form::Var(*var)])),
            Expr::Enabled(transition) => signed(Form::kept(Op::Enabled(*transition), Vec::new())),
        }
    }

    fn variable(&self, var: Var) -> Form {
        match self.choices.iter().position(|choice| *choice == var) {
            Some(position) => Form::Choice(position as u32),
            None => Form::Var(var),
        }
    }

    /// `a < b`, or `a <= b` unless `strict`; the contrary unless `positive`.
    fn before(&self, a: &Expr, b: &Expr, strict: bool, positive: bool) -> Form {
        if !positive {
            return self.before(b, a, !strict, true);
        }
        let (x, y) = (self.form(a), self.form(b));
        match self.kind(a) {
            Some(Kind::Enum(class)) if self.keeps_shape => {
                Form::kept(Op::Before { class, strict }, vec![x, y])
            }
            Some(Kind::Enum(class)) => {
                let can_fault = self.can_fault(a) || self.can_fault(b);
                self.normal.before(class, x, y, strict, can_fault)
            }
            _ => {
                let op = if strict { BinaryOp::Less } else { BinaryOp::LessEqual };
                Form::kept(Op::Binary(op), vec![x, y])
            }
        }
    }

    /// Operands joined by `and`, or by `or`, however they are nested. Chains of them may be long, so they
    /// are not gone down by recursion.
    fn junction(&self, expr: &Expr, positive: bool) -> Form {
        let (either, _, _) = connective(expr, positive).expect("a connective was met");
        let (mut left, mut forms, mut can_fault) = (vec![(expr, positive)], Vec::new(), false);
        while let Some((expr, positive)) = left.pop() {
            match (expr, connective(expr, positive)) {
                (Expr::Unary(UnaryOp::Not, a), _) => left.push((a, !positive)),
                (_, Some((same, a, b))) if same == either => left.extend([b, a]),
                _ => {
                    can_fault |= self.can_fault(expr);
                    forms.push(self.read(expr, positive));
                }
            }
        }
        self.normal.joined(either, forms, can_fault)
    }
}

/// What an expression, or its negation, joins: whether by `or`, and the operands with their signs.
#[expect(clippy::type_complexity, reason = "two operands with their signs")]
fn connective(expr: &Expr, positive: bool) -> Option<(bool, (&Expr, bool), (&Expr, bool))> {
    let Expr::Binary(op, a, b) = expr else { return None };
    match op {
        BinaryOp::And => Some((!positive, (a, positive), (b, positive))),
        BinaryOp::Or => Some((positive, (a, positive), (b, positive))),
        BinaryOp::Implies => Some((positive, (a, !positive), (b, positive))),
        _ => None,
    }
}
