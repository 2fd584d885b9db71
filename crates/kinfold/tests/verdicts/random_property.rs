//! Random properties of a net, and random assumptions of fairness.

use net::{
    BinaryOp, EnumId, Expr, Fairness, Formula, Kind, Literal, Net, Origin, PathOp, PlaceId,
    Property, Quantifier, Sort, Strength, Subject, Symmetry, TransitionId, Var, Variable, Whom,
};
use random::Random;
use state::Relation;

use crate::linear::Linear;

/// What a property is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sketch {
    Deadlock,
    Invariant,
    Reachable,
    Branching,
    Linear,
    FollowedBranching,
    FollowedLinear,
}

/// Formulas of linear time have no more operators on the future than this.
const MOST_GUESSES: usize = 4;

/// A random property.
pub fn random_property(net: &Net, sketch: Sketch, random: &mut Random) -> Property {
    loop {
        let mut author = Author { net, random, variables: Vec::new(), scope: Vec::new() };
        let formula = author.property(sketch);
        let variables = author.variables;
        let body = match &formula {
            Formula::Quantified { subject: Subject::Entering(_), body, .. } => body,
            formula => formula,
        };
        if Linear::of(body).is_none_or(|linear| linear.guesses <= MOST_GUESSES) {
            let text = format!("{formula:?}");
            let (name, origin) = (format!("{sketch:?}"), Origin::default());
            return Property { name, text, variables, formula, origin };
        }
    }
}

/// Random assumptions about those there are in a net.
pub fn random_fairness(net: &Net, random: &mut Random) -> Vec<Fairness> {
    let strength = [Strength::Weak, Strength::Strong];
    let individuals = *random.pick(&strength);
    let transition = |random: &mut Random| {
        Whom::Transition(TransitionId(random.below(net.transitions.len()) as u32))
    };
    let classes: Vec<EnumId> = (0..net.enumerations.len() as u32).map(EnumId).collect();
    let mut all = Vec::new();
    match random.weighted(&[8, 10, 17, 45, 20]) {
        0 => {}
        1 => {
            for _ in 0..1 + random.below(3) {
                let strength = *random.pick(&strength);
                all.push(Fairness { strength, of: transition(random) });
            }
        }
        2 => {
            let strength = *random.pick(&strength);
            let transitions = (0..net.transitions.len() as u32).map(TransitionId);
            all.extend(transitions.map(|t| Fairness { strength, of: Whom::Transition(t) }));
        }
        3 if !net.start.is_empty() => {
            all.push(Fairness { strength: individuals, of: Whom::Threads });
        }
        _ => {
            if !classes.is_empty() {
                let of = Whom::Class(*random.pick(&classes));
                all.push(Fairness { strength: individuals, of });
            }
            if !net.start.is_empty() && random.percent(50) {
                // Now and then not of one strength, which is refused.
                let strength =
                    if random.percent(90) { individuals } else { *random.pick(&strength) };
                all.push(Fairness { strength, of: Whom::Threads });
            }
            if random.percent(50) {
                let strength = *random.pick(&strength);
                all.push(Fairness { strength, of: transition(random) });
            }
        }
    }
    all
}

struct Author<'a> {
    net: &'a Net,
    random: &'a mut Random,
    variables: Vec<Variable>,
    /// The variables that are bound, and at which flow place a thread is known to be.
    scope: Vec<(Var, Kind, Option<PlaceId>)>,
}

impl Author<'_> {
    fn property(&mut self, sketch: Sketch) -> Formula {
        match sketch {
            Sketch::Deadlock => Formula::DeadlockFree,
            Sketch::Invariant => {
                let op = *self.random.pick(&[PathOp::Always, PathOp::Never, PathOp::AllGlobally]);
                let inner = match self.random.percent(25) {
                    true => self.connected(BinaryOp::Implies, 1),
                    false => self.statement(2),
                };
                Formula::Path(op, inner.into())
            }
            Sketch::Reachable => {
                let op = *self.random.pick(&[PathOp::Reachable, PathOp::SomeFinally]);
                Formula::Path(op, self.statement(2).into())
            }
            Sketch::Branching => self.branching(3),
            Sketch::Linear => self.linear_property(),
            Sketch::FollowedBranching => self.followed(|author| author.branching(2)),
            Sketch::FollowedLinear => self.followed(Author::linear_property),
        }
    }

    fn linear_property(&mut self) -> Formula {
        let state = |author: &mut Self| Box::new(author.statement(1));
        let path = |op, a| Formula::Path(op, Box::new(a));
        match self.random.weighted(&[8, 7, 7, 7, 6, 35, 30]) {
            6 => self.progress(),
            0 => path(PathOp::Eventually, self.statement(1)),
            1 => Formula::LeadsTo(state(self), state(self)),
            2 => path(PathOp::Always, path(PathOp::Eventually, self.statement(1))),
            3 => path(PathOp::Eventually, path(PathOp::Always, self.statement(1))),
            4 => Formula::Until(state(self), state(self)),
            _ => self.linear(3),
        }
    }

    /// That something, or the thread that is followed, does not stay as it is.
    fn progress(&mut self) -> Formula {
        let stays = match self.scope[..] {
            [(thread, _, Some(entered))] => {
                let places = self.places(true);
                let place =
                    if self.random.percent(60) { entered } else { *self.random.pick(&places) };
                match self.random.percent(25) {
                    true => Formula::Not(Formula::Term(Expr::Ended(thread)).into()),
                    false => Formula::Term(Expr::At(thread, place)),
                }
            }
            _ if self.random.percent(50) => {
                let transition = self.random.below(self.net.transitions.len()) as u32;
                Formula::Term(Expr::Enabled(TransitionId(transition)))
            }
            _ => self.count(),
        };
        let changes = Box::new(Formula::Not(stays.clone().into()));
        let eventually = Formula::Path(PathOp::Eventually, changes.clone());
        match self.random.weighted(&[45, 25, 30]) {
            0 => eventually,
            1 => Formula::Path(PathOp::Always, eventually.into()),
            _ => Formula::LeadsTo(stays.into(), changes),
        }
    }

    fn followed(&mut self, body: impl Fn(&mut Self) -> Formula) -> Formula {
        let flows = self.places(true);
        let place = *self.random.pick(&flows);
        let mut places = vec![place];
        if self.random.percent(30) {
            places.extend(flows.iter().find(|other| **other != place));
        }
        let thread = self.bind(Kind::Pid, Some(place));
        let body = body(self).into();
        let subject = Subject::Entering(places);
        Formula::Quantified { quantifier: Quantifier::Forall, thread: Some(thread), subject, body }
    }

    fn places(&self, flow: bool) -> Vec<PlaceId> {
        let all = (0..).map(PlaceId).zip(&self.net.places);
        all.filter(|(_, place)| place.is_flow() == flow).map(|(id, _)| id).collect()
    }

    fn bind(&mut self, kind: Kind, place: Option<PlaceId>) -> Var {
        let var = Var(self.variables.len() as u32);
        self.variables.push(Variable::new(format!("v{}", var.0), kind));
        self.scope.push((var, kind, place));
        var
    }

    /// A formula of linear time, which is not about one state only.
    fn linear(&mut self, depth: usize) -> Formula {
        let unary = [PathOp::Always, PathOp::Eventually, PathOp::Never, PathOp::Next];
        let inner = |author: &mut Self| {
            Box::new(match depth == 0 || author.random.percent(45) {
                true => author.statement(1),
                false => author.linear(depth - 1),
            })
        };
        match self.random.weighted(&[50, 15, 10, 10, 15]) {
            0 => Formula::Path(*self.random.pick(&unary), inner(self)),
            1 => Formula::Until(inner(self), inner(self)),
            2 => Formula::LeadsTo(inner(self), inner(self)),
            3 if depth > 0 => Formula::Not(self.linear(depth - 1).into()),
            _ if depth > 0 => {
                let (a, b) = (self.linear(depth - 1), inner(self));
                Formula::Binary(self.connective(), a.into(), b)
            }
            _ => Formula::Path(*self.random.pick(&unary), inner(self)),
        }
    }

    fn branching(&mut self, depth: usize) -> Formula {
        let unary = [
            PathOp::AllGlobally,
            PathOp::AllFinally,
            PathOp::AllNext,
            PathOp::SomeGlobally,
            PathOp::SomeFinally,
            PathOp::SomeNext,
        ];
        let inner = |author: &mut Self| {
            Box::new(match depth == 0 || author.random.percent(35) {
                true => author.statement(1),
                false => author.branching(depth - 1),
            })
        };
        match self.random.weighted(&[54, 10, 10, 10, 16]) {
            1 => Formula::AllUntil(inner(self), inner(self)),
            2 => Formula::SomeUntil(inner(self), inner(self)),
            3 if depth > 0 => Formula::Not(self.branching(depth - 1).into()),
            4 if depth > 0 => {
                let (a, b) = (self.branching(depth - 1), inner(self));
                Formula::Binary(self.connective(), a.into(), b)
            }
            _ => Formula::Path(*self.random.pick(&unary), inner(self)),
        }
    }

    fn connective(&mut self) -> BinaryOp {
        *self.random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Implies])
    }

    fn connected(&mut self, op: BinaryOp, depth: usize) -> Formula {
        Formula::Binary(op, self.statement(depth).into(), self.statement(depth).into())
    }

    /// Something about a single state.
    fn statement(&mut self, depth: usize) -> Formula {
        let bound = if self.scope.is_empty() { 0 } else { 60 };
        let (nested, threads) = (if depth > 0 { 12 } else { 0 }, !self.net.start.is_empty());
        let flows = if depth > 0 && threads { 26 } else { 0 };
        let ordinary = if depth > 0 { 16 } else { 0 };
        match self.random.weighted(&[24, 12, 3, bound, nested, nested, flows, ordinary]) {
            0 => self.count(),
            1 => {
                let transition = self.random.below(self.net.transitions.len()) as u32;
                Formula::Term(Expr::Enabled(TransitionId(transition)))
            }
            2 => Formula::Deadlock,
            3 => self.about_the_bound(),
            4 => Formula::Not(self.statement(depth - 1).into()),
            5 => {
                let op = self.connective();
                self.connected(op, depth - 1)
            }
            6 => {
                let places = self.places(true);
                let place = *self.random.pick(&places);
                let before = self.scope.len();
                let thread = Some(self.bind(Kind::Pid, Some(place)));
                self.quantified(thread, Subject::At(place), before, depth)
            }
            _ => {
                let places = self.places(false);
                let place = *self.random.pick(&places);
                let before = self.scope.len();
                let columns = self.net.place(place).columns.clone();
                let vars = columns.iter().map(|column| {
                    self.random.percent(70).then(|| self.bind(column.sort.into(), None))
                });
                let vars = vars.collect();
                self.quantified(None, Subject::In(place, vars), before, depth)
            }
        }
    }

    fn quantified(
        &mut self,
        thread: Option<Var>,
        subject: Subject,
        before: usize,
        depth: usize,
    ) -> Formula {
        let body = self.statement(depth - 1).into();
        self.scope.truncate(before);
        let quantifier = *self.random.pick(&[Quantifier::Forall, Quantifier::Exists]);
        Formula::Quantified { quantifier, thread, subject, body }
    }

    fn count(&mut self) -> Formula {
        let place = PlaceId(self.random.below(self.net.places.len()) as u32);
        let columns = self.net.place(place).columns.clone();
        let pattern = columns.iter().map(|column| match self.random.weighted(&[50, 30, 20]) {
            0 => None,
            1 => self.known(column.sort.into()).map(|(var, _)| Expr::Var(var)),
            _ => self.literal(column.sort).map(Expr::Literal),
        });
        let pattern = pattern.collect();
        let ops = [
            BinaryOp::Equal,
            BinaryOp::NotEqual,
            BinaryOp::Less,
            BinaryOp::LessEqual,
            BinaryOp::Greater,
            BinaryOp::GreaterEqual,
        ];
        let op = *self.random.pick(&ops);
        let most = Expr::Literal(Literal::Int(self.random.weighted(&[30, 45, 20, 5]) as i64));
        Formula::Term(Expr::Binary(op, Expr::Count(place, pattern).into(), most.into()))
    }

    fn known(&mut self, kind: Kind) -> Option<(Var, Option<PlaceId>)> {
        let known = self.scope.iter().filter(|(_, other, _)| *other == kind);
        let known: Vec<(Var, Option<PlaceId>)> =
            known.map(|&(var, _, place)| (var, place)).collect();
        (!known.is_empty()).then(|| *self.random.pick(&known))
    }

    fn literal(&mut self, sort: Sort) -> Option<Literal> {
        match sort {
            Sort::Pid | Sort::Object(_) => None,
            Sort::Bool => Some(Literal::Bool(self.random.percent(50))),
            Sort::Int { min, max } => {
                Some(Literal::Int(min + self.random.below((max - min + 1) as usize) as i64))
            }
            Sort::Enum(id) => {
                let class = &self.net.enumerations[id.index()];
                // Members that are alike are told apart then, which spoils the folding.
                let is_named = class.symmetry == Symmetry::None || self.random.percent(25);
                let members = class.members.len();
                is_named.then(|| Literal::Enum(id, self.random.below(members) as u32))
            }
        }
    }

    /// Something about what variables stand for.
    fn about_the_bound(&mut self) -> Formula {
        let (var, kind, place) = *self.random.pick(&self.scope);
        let either = [BinaryOp::Equal, BinaryOp::NotEqual];
        let by = |op, a: Expr, b: Expr| Expr::Binary(op, a.into(), b.into());
        let term = match kind {
            Kind::Object(_) => by(BinaryOp::Equal, Expr::Var(var), Expr::Var(var)),
            Kind::Pid => match self.random.weighted(&[25, 15, 20, 20, 20]) {
                0 if !self.places(true).is_empty() => {
                    let places = self.places(true);
                    Expr::At(var, *self.random.pick(&places))
                }
                2 => match place {
                    Some(place) => return self.field(var, place),
                    None => Expr::Ended(var),
                },
                3 => {
                    let other = self.known(Kind::Pid).map_or(var, |(other, _)| other);
                    Expr::Relation(*self.random.pick(&Relation::ALL), var, other)
                }
                4 => {
                    let other = self.known(Kind::Pid).map_or(var, |(other, _)| other);
                    by(*self.random.pick(&either), Expr::Var(var), Expr::Var(other))
                }
                _ => Expr::Ended(var),
            },
            Kind::Bool => Expr::Var(var),
            Kind::Int => {
                let ops = [BinaryOp::Less, BinaryOp::GreaterEqual, BinaryOp::Equal];
                let number = Expr::Literal(Literal::Int(self.random.below(3) as i64));
                by(*self.random.pick(&ops), Expr::Var(var), number)
            }
            Kind::Enum(id) => {
                let op = *self.random.pick(&either);
                let other = match self.literal(Sort::Enum(id)) {
                    Some(literal) => Expr::Literal(literal),
                    None => Expr::Var(self.known(kind).map_or(var, |(other, _)| other)),
                };
                by(op, Expr::Var(var), other)
            }
        };
        Formula::Term(term)
    }

    /// Something about a column of a thread.
    fn field(&mut self, var: Var, place: PlaceId) -> Formula {
        let columns = &self.net.place(place).columns;
        if columns.len() < 2 {
            return Formula::Term(Expr::At(var, place));
        }
        let column = 1 + self.random.below(columns.len() - 1);
        let sort = columns[column].sort;
        let field = Expr::Field(var, place, column);
        let op = *self.random.pick(&[BinaryOp::Equal, BinaryOp::NotEqual]);
        let other = match self.literal(sort) {
            Some(literal) => Expr::Literal(literal),
            None => match self.known(sort.into()) {
                Some((other, _)) => Expr::Var(other),
                None => field.clone(),
            },
        };
        Formula::Term(Expr::Binary(op, field.into(), other.into()))
    }
}
