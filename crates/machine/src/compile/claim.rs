//! Claims: properties over statements about single states.

use std::collections::BTreeSet;

use net::{BinaryOp, Expr as Term, Formula, Literal, Property, Subject, UnaryOp, Var};
use program::claim::{Meaning, Over, Proposition};
use program::{Expr, Form, LocalId, Refusal, Source, Type};

use super::{Body, Compiler};
use crate::claim::{Claim, Condition, Followed, Mention, Said, Statement};
use crate::code::{ClassKind, Instruction, Register, RoutineCode};

/// A claim whose conditions ask whether variables are in scope before they are looked at.
pub(super) struct Scoped<'p> {
    claim: &'p program::claim::Claim,
    proposition: Proposition,
    premise: Option<Proposition>,
    scopes: Scopes,
}

/// The variables of threads that are mentioned, and for each the register that says whether it is in scope.
struct Scopes(Vec<(LocalId, LocalId)>);

impl<'p> Scoped<'p> {
    pub(super) fn of(claim: &'p program::claim::Claim) -> Scoped<'p> {
        let is_variable = |local: &LocalId| {
            matches!(claim.mentions[local.index()].meaning, Meaning::Variable(..))
        };
        let all = (0..claim.mentions.len() as u32).map(LocalId);
        let first = claim.mentions.len() as u32;
        let scopes = all.filter(is_variable).zip((first..).map(LocalId)).collect();
        let scopes = Scopes(scopes);
        let (mut proposition, mut premise) =
            (claim.proposition.clone(), claim.proposition.premise());
        scopes.guard(&mut proposition);
        premise.iter_mut().for_each(|premise| scopes.guard(premise));
        Scoped { claim, proposition, premise, scopes }
    }
}

impl Scopes {
    fn guard(&self, proposition: &mut Proposition) {
        match proposition {
            Proposition::Net(_) | Proposition::RaceFree => {}
            Proposition::Holds(condition) => *condition = self.guarded(condition),
            Proposition::Not(a)
            | Proposition::Path(_, a)
            | Proposition::Quantified { body: a, .. } => self.guard(a),
            Proposition::Binary(_, a, b)
            | Proposition::Until(a, b)
            | Proposition::LeadsTo(a, b)
            | Proposition::AllUntil(a, b)
            | Proposition::SomeUntil(a, b) => {
                self.guard(a);
                self.guard(b);
            }
        }
    }

    /// A condition in which comparisons with what is out of scope do not hold.
    fn guarded(&self, expr: &Expr) -> Expr {
        let inner = |inner: &Expr| Box::new(self.guarded(inner));
        let form = match &expr.form {
            Form::Unary(op @ UnaryOp::Not, a) => Form::Unary(*op, inner(a)),
            Form::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                Form::Binary(*op, inner(a), inner(b))
            }
            Form::If(c, a, b) if expr.of == Type::Bool => Form::If(inner(c), inner(a), inner(b)),
            Form::Quantified(quantifier, local, over, body) => {
                let form = Form::Quantified(*quantifier, *local, over.clone(), inner(body));
                return self.in_scope(over, Expr { form, of: expr.of.clone() });
            }
            form => {
                let whole = Expr { form: form.clone(), of: expr.of.clone() };
                return self.in_scope(expr, whole);
            }
        };
        Expr { form, of: expr.of.clone() }
    }

    /// That what something mentions is in scope, and what is said then.
    fn in_scope(&self, of: &Expr, said: Expr) -> Expr {
        let mut mentioned = BTreeSet::new();
        mentions(of, &mut mentioned);
        let scopes = self.0.iter().filter(|(local, _)| mentioned.contains(local));
        scopes.fold(said, |said, (_, scope)| {
            let is_there = Box::new(Expr::local(*scope, Type::Bool));
            Expr { form: Form::Binary(BinaryOp::And, is_there, Box::new(said)), of: Type::Bool }
        })
    }
}

/// Whom a claim follows, if it is about the runs of single threads.
pub(super) fn followed(claim: &program::claim::Claim) -> Option<Followed> {
    match &claim.proposition {
        Proposition::Quantified { bound, over: Over::Entering(process, labels), .. } => {
            Some(Followed { bound: *bound, process: *process, labels: labels.clone() })
        }
        _ => None,
    }
}

/// The mentions that an expression uses.
fn mentions(expr: &Expr, found: &mut BTreeSet<LocalId>) {
    if let Form::Local(id) = &expr.form {
        found.insert(*id);
    }
    expr.children().into_iter().for_each(|child| mentions(child, found));
}

impl<'p> Compiler<'p> {
    pub(super) fn claim(&mut self, scoped: &'p Scoped<'p>) -> Result<Claim, Refusal> {
        let claim = scoped.claim;
        self.origin = claim.origin;
        let property = Property {
            name: claim.name.clone(),
            text: claim.text.clone(),
            variables: Vec::new(),
            formula: self.formula(scoped, &scoped.proposition)?,
            origin: claim.origin,
        };
        let premise = scoped.premise.as_ref();
        let premise = premise.map(|premise| self.formula(scoped, premise)).transpose()?;
        Ok(Claim { property, premise, followed: followed(claim) })
    }

    fn formula(
        &mut self,
        scoped: &'p Scoped<'p>,
        proposition: &'p Proposition,
    ) -> Result<Formula, Refusal> {
        let mut boxed = |inner: &'p Proposition| -> Result<Box<Formula>, Refusal> {
            Ok(Box::new(self.formula(scoped, inner)?))
        };
        Ok(match proposition {
            Proposition::Net(formula) => formula.clone(),
            Proposition::RaceFree => {
                let race = self.stated(Statement::Race);
                Formula::Path(net::PathOp::Never, Box::new(race))
            }
            Proposition::Not(a) => Formula::Not(boxed(a)?),
            Proposition::Binary(op, a, b) => Formula::Binary(*op, boxed(a)?, boxed(b)?),
            Proposition::Path(op, a) => Formula::Path(*op, boxed(a)?),
            Proposition::Until(a, b) => Formula::Until(boxed(a)?, boxed(b)?),
            Proposition::LeadsTo(a, b) => Formula::LeadsTo(boxed(a)?, boxed(b)?),
            Proposition::AllUntil(a, b) => Formula::AllUntil(boxed(a)?, boxed(b)?),
            Proposition::SomeUntil(a, b) => Formula::SomeUntil(boxed(a)?, boxed(b)?),
            Proposition::Quantified { quantifier, over: Over::Entering(..), body, .. } => {
                let body = boxed(body)?;
                let subject = Subject::Entering(Vec::new());
                Formula::Quantified { quantifier: *quantifier, thread: None, subject, body }
            }
            Proposition::Quantified { quantifier, body, .. } if !proposition.is_of_state() => {
                let body = boxed(body)?;
                let subject = Subject::In(net::PlaceId(0), Vec::new());
                Formula::Quantified { quantifier: *quantifier, thread: None, subject, body }
            }
            Proposition::Holds(_) | Proposition::Quantified { .. } => {
                let said = self.said(scoped, proposition)?;
                self.stated(Statement::State(said))
            }
        })
    }

    /// A statement, as a formula.
    fn stated(&mut self, statement: Statement) -> Formula {
        self.code.statements.push(statement);
        Formula::Term(Term::Var(Var(self.code.statements.len() as u32 - 1)))
    }

    /// What is said of a single state.
    fn said(
        &mut self,
        scoped: &'p Scoped<'p>,
        proposition: &'p Proposition,
    ) -> Result<Said, Refusal> {
        Ok(match proposition {
            Proposition::Holds(condition) => {
                Said::Condition(self.claimed_condition(scoped, condition)?)
            }
            Proposition::Not(a) => Said::Not(Box::new(self.said(scoped, a)?)),
            Proposition::Binary(op, a, b) => {
                let parts = [self.said(scoped, a)?, self.said(scoped, b)?];
                Said::Connected(*op, Box::new(parts))
            }
            Proposition::Quantified { quantifier, bound, over, body } => {
                let class = match over {
                    Over::Processes(process) => ClassKind::Running(*process),
                    Over::Objects(object) => ClassKind::Object(*object),
                    Over::Entering(..) => unreachable!("that is about runs"),
                };
                let body = Box::new(self.said(scoped, body)?);
                Said::Quantified(*quantifier, *bound, class, body)
            }
            Proposition::Net(Formula::Deadlock) => Said::Dead,
            Proposition::Net(Formula::Term(Term::Literal(Literal::Bool(truth)))) => {
                Said::Constant(*truth)
            }
            other => unreachable!("{other:?} is of runs"),
        })
    }

    /// Whether members that are alike are named in an expression, or compared by their order.
    fn tells_apart(&self, expr: &Expr) -> bool {
        let is_alike = |of: &Type| matches!(of, Type::Member(id) if self.has_likes(*id));
        let here = match &expr.form {
            Form::Literal(Literal::Enum(..)) => is_alike(&expr.of),
            Form::Binary(op, a, b) if op.is_order() => is_alike(&a.of) || is_alike(&b.of),
            _ => false,
        };
        here || expr.children().into_iter().any(|child| self.tells_apart(child))
    }

    fn claimed_condition(
        &mut self,
        scoped: &'p Scoped<'p>,
        condition: &'p Expr,
    ) -> Result<Condition, Refusal> {
        if self.tells_apart(condition) {
            return Err(Refusal {
                origin: scoped.claim.origin,
                what: format!("`{}` tells members apart that are alike", scoped.claim.name),
                help: "the machine does not: check it on the net".into(),
            });
        }
        let mut mentioned = BTreeSet::new();
        mentions(condition, &mut mentioned);
        let mut body = Body::new(scoped.claim.mentions.len() + scoped.scopes.0.len());
        let mut filled = Vec::new();
        for local in mentioned {
            let Some(mention) = scoped.claim.mentions.get(local.index()) else { continue };
            let mention = match &mention.meaning {
                Meaning::Bound => Mention::Bound(local),
                Meaning::Count(process, labels) => Mention::Count(*process, labels.clone()),
                Meaning::At(of, labels) => Mention::At(*of, labels.clone()),
                Meaning::Variable(of, Source::Process(process), variable) => {
                    let scope = scoped.scopes.0.iter().find(|(of, _)| *of == local);
                    let (_, scope) = scope.expect("each variable has one");
                    Mention::Variable(*of, *process, *variable, scope.0 as Register)
                }
                Meaning::Variable(_, Source::Function(_), _) => {
                    unreachable!("claims mention variables of processes")
                }
                Meaning::Ended(of) => Mention::Ended(*of),
                Meaning::Enabled(labels) => Mention::Enabled(labels.clone()),
                Meaning::Kin(relation, ..) => {
                    return Err(Refusal {
                        origin: scoped.claim.origin,
                        what: format!("`{}` asks who is whose {relation}", scoped.claim.name),
                        help: "the machine does not keep it: check it on the net".into(),
                    });
                }
                Meaning::Element => continue,
            };
            filled.push((local.0 as Register, mention));
        }
        self.is_plain = false;
        self.is_guard = false;
        let number = self.reserve();
        let entry = self.here();
        let result = self.value(condition, &mut body);
        self.push(Instruction::Return { from: None });
        self.code.routines[number as usize] = RoutineCode { entry, registers: body.most };
        Ok(Condition { routine: number, result, mentions: filled })
    }
}
