//! From claims about a program to properties of the net.
//!
//! A condition on the present state is worked out as the conditions of statements are: on paths that look at the tokens
//! of globals and objects. It holds if it does on one of them, and the tokens that the path looks at are there.
//! A process of a kind is at one of the points of the kind, so that what is said of it is said for each of these.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use net::{
    BinaryOp, Expr as NetExpr, Formula, Kind, Net, PlaceId, Property, Quantifier, Subject,
    TransitionId, Var, Variable,
};

use super::Compiler;
use crate::formula::{FALSE, TRUE, all, any, compute, equal};
use crate::path::{Env, Path, Row};
use program::claim::{Claim, Labels, Meaning, Over, Proposition};
use program::graph::{Node, Passing, Source, Stop, StopId};
use program::{Expr, Form, LabelId, LocalId, ProcessId, Type};

/// What a quantifier has bound.
#[derive(Clone, Copy)]
enum Bound {
    /// A process at a point.
    At(Var, StopId),
    /// A process that is followed.
    Followed(Var, ProcessId),
    /// A followed process that has ended.
    Gone(Var),
    Object(Var),
}

impl Bound {
    fn var(self) -> Var {
        match self {
            Bound::At(var, _) | Bound::Followed(var, _) | Bound::Gone(var) | Bound::Object(var) => {
                var
            }
        }
    }
}

struct Claimant<'c, 'p> {
    compiler: &'c Compiler<'p>,
    claim: &'c Claim,
    /// The net, with its probes for races.
    net: &'c Net,
    variables: Vec<Variable>,
    bound: BTreeMap<LocalId, Bound>,
}

impl Compiler<'_> {
    /// Adds the properties that are claimed to a net.
    pub(super) fn claims(&self, claims: &[Claim], net: &mut Net) {
        for claim in claims {
            let (variables, bound) = (Vec::new(), BTreeMap::new());
            let mut claimant = Claimant { compiler: self, claim, net, variables, bound };
            let formula =
                self.runner.limited(claim.origin, || claimant.formula(&claim.proposition));
            let variables = claimant.variables;
            net.properties.push(Property {
                name: claim.name.clone(),
                text: claim.text.clone(),
                variables,
                formula,
                origin: claim.origin,
            });
        }
    }

    /// The stops of a kind of process, or those of them at a label.
    fn stops_at(&self, process: ProcessId, labels: Option<&Labels>) -> Vec<StopId> {
        let mut stops = self.runner.routines.stops_of(Some(process));
        stops.retain(|stop| labels.is_none_or(|labels| self.is_at(*stop, labels)));
        stops
    }

    /// Whether one of these labels stands at a stop.
    fn is_at(&self, (routine, at): StopId, labels: &Labels) -> bool {
        let Node::Stop(stop) = self.runner.routines.graph(routine).node(at) else { return false };
        labels.iter().any(|label| stop.labels.contains(label))
    }

    /// Whether a process at a stop is doing a statement behind one of these labels: always, or if one of these columns
    /// of the stop says so.
    fn is_doing(&self, stop: StopId, labels: &Labels) -> Result<(), Vec<usize>> {
        let (routine, at) = stop;
        let is_held = |stop: &Stop| labels.iter().any(|label| stop.held.contains(label));
        let node = self.runner.routines.graph(routine).node(at);
        if self.is_at(stop, labels) || matches!(node, Node::Stop(stop) if is_held(stop)) {
            return Ok(());
        }
        let passed = self.runner.routines.graph(routine).passed.iter();
        let flags = passed.filter_map(|(passing, local)| match passing {
            Passing::Label(source, label) if labels.contains(&(*source, *label)) => Some(*local),
            _ => None,
        });
        Err(flags.filter_map(|local| Some(self.columns_at(stop, local)?.start)).collect())
    }

    /// The columns of a variable at a stop, if it has a value there.
    fn columns_at(&self, (routine, at): StopId, local: LocalId) -> Option<Range<usize>> {
        let routines = &self.runner.routines;
        let graph = routines.graph(routine);
        let live = routines.live(routine).at(at).iter();
        let types = live.map(|local| (*local, &graph.locals[local.index()].of));
        let columns = self.columns(1 + usize::from(routine.is_called()), types);
        columns.into_iter().find(|(other, _)| *other == local).map(|(_, columns)| columns)
    }
}

impl Claimant<'_, '_> {
    fn formula(&mut self, proposition: &Proposition) -> Formula {
        let mut boxed = |inner: &Proposition| Box::new(self.formula(inner));
        match proposition {
            Proposition::Net(formula) => formula.clone(),
            Proposition::RaceFree => self.net.race_free(),
            Proposition::Holds(condition) => self.condition(condition),
            Proposition::Not(a) => Formula::Not(boxed(a)),
            Proposition::Binary(op, a, b) => Formula::Binary(*op, boxed(a), boxed(b)),
            Proposition::Path(op, a) => Formula::Path(*op, boxed(a)),
            Proposition::Until(a, b) => Formula::Until(boxed(a), boxed(b)),
            Proposition::LeadsTo(a, b) => Formula::LeadsTo(boxed(a), boxed(b)),
            Proposition::AllUntil(a, b) => Formula::AllUntil(boxed(a), boxed(b)),
            Proposition::SomeUntil(a, b) => Formula::SomeUntil(boxed(a), boxed(b)),
            Proposition::Quantified { quantifier, bound, over, body } => {
                self.quantified(*quantifier, *bound, over, body)
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        local: LocalId,
        over: &Over,
        body: &Proposition,
    ) -> Formula {
        let mut parts = Vec::new();
        let places = &self.compiler.places;
        match over {
            Over::Objects(of) => {
                let class = self.compiler.runner.layout.class_of(*of);
                let var = self.variable(local, Kind::Object(class));
                let place = places.objects[of.index()];
                let width = self.compiler.runner.layout.field_scalars(*of).len();
                let components = [Some(var)].into_iter().chain(vec![None; width]).collect();
                self.bound.insert(local, Bound::Object(var));
                let body = Box::new(self.formula(body));
                let subject = Subject::In(place, components);
                parts.push(Formula::Quantified { quantifier, thread: None, subject, body });
            }
            Over::Processes(process) => {
                for stop in self.compiler.stops_at(*process, None) {
                    let var = self.variable(local, Kind::Pid);
                    self.bound.insert(local, Bound::At(var, stop));
                    let subject = Subject::At(self.compiler.places.stops[&stop]);
                    let body = Box::new(self.formula(body));
                    let thread = Some(var);
                    parts.push(Formula::Quantified { quantifier, thread, subject, body });
                }
            }
            Over::Entering(process, labels) => {
                let var = self.variable(local, Kind::Pid);
                self.bound.insert(local, Bound::Followed(var, *process));
                let stops = self.compiler.stops_at(*process, Some(labels)).into_iter();
                let places = stops.map(|stop| self.compiler.places.stops[&stop]).collect();
                let (subject, thread) = (Subject::Entering(places), Some(var));
                let body = Box::new(self.formula(body));
                parts.push(Formula::Quantified { quantifier, thread, subject, body });
            }
        }
        self.bound.remove(&local);
        match quantifier {
            Quantifier::Forall => all_of(parts),
            Quantifier::Exists => any_of(parts),
        }
    }

    fn variable(&mut self, local: LocalId, kind: Kind) -> Var {
        let var = Var(self.variables.len() as u32);
        let name = self.claim.mentions[local.index()].variable.name.clone();
        self.variables.push(Variable::new(name, kind));
        var
    }

    /// A condition on the present state. Where it depends on where a followed process is, all cases are told apart.
    fn condition(&mut self, condition: &Expr) -> Formula {
        let Some((local, var, process)) = self.followed(condition) else {
            return self.present(condition);
        };
        let mut cases = Vec::new();
        for stop in self.compiler.stops_at(process, None) {
            self.bound.insert(local, Bound::At(var, stop));
            let is_here = NetExpr::At(var, self.compiler.places.stops[&stop]);
            cases.push(both(Formula::Term(is_here), self.condition(condition)));
        }
        self.bound.insert(local, Bound::Gone(var));
        cases.push(both(Formula::Term(NetExpr::Ended(var)), self.condition(condition)));
        self.bound.insert(local, Bound::Followed(var, process));
        any_of(cases.into_iter().filter(|case| *case != Formula::Term(FALSE)))
    }

    /// A followed process whose whereabouts a condition depends on.
    fn followed(&self, condition: &Expr) -> Option<(LocalId, Var, ProcessId)> {
        let mut mentioned = BTreeSet::new();
        mentions(condition, &mut mentioned);
        mentioned.into_iter().find_map(|local| match &self.claim.mentions[local.index()].meaning {
            Meaning::At(of, _) | Meaning::Variable(of, ..) => match self.bound.get(of)? {
                Bound::Followed(var, process) => Some((*of, *var, *process)),
                _ => None,
            },
            _ => None,
        })
    }

    /// A condition on the present state. Variables of which it is not known whether they are in scope are, or are not.
    fn present(&mut self, condition: &Expr) -> Formula {
        let mut mentioned = BTreeSet::new();
        mentions(condition, &mut mentioned);
        let (variables, steps) = (self.variables.clone(), vec![Env::new()]);
        let mut cases = vec![Path { variables, steps, ..self.compiler.runner.path() }];
        for local in mentioned {
            let Some((is_there, row)) = self.unsure(local) else { continue };
            let split = cases.into_iter().flat_map(|path| {
                let [mut with, without] = path.split(&is_there);
                with.iter_mut().for_each(|path| _ = path.env().insert(local, row.clone()));
                [with, without]
            });
            cases = split.flatten().collect();
        }
        let known = self.variables.len();
        let mut ways = Vec::new();
        for path in cases {
            for (path, holds) in self.ways(condition, path) {
                ways.push(self.looked_up(path, holds, known));
            }
        }
        any_of(ways)
    }

    /// A variable of which it is not known whether it is in scope: that it is, and what it is then.
    fn unsure(&self, local: LocalId) -> Option<(NetExpr, Row)> {
        let Meaning::Variable(of, Source::Process(_), variable) =
            self.claim.mentions[local.index()].meaning
        else {
            return None;
        };
        let Bound::At(var, stop) = *self.bound.get(&of)? else { return None };
        self.passed(var, stop, variable)
    }

    /// The ways in which a condition can hold, each with what it depends on then.
    fn ways(&self, condition: &Expr, mut path: Path) -> Vec<(Path, NetExpr)> {
        let mut out_of_scope = BTreeSet::new();
        for (local, mention) in (0..).map(LocalId).zip(&self.claim.mentions) {
            if path.env().contains_key(&local) {
                continue;
            }
            match self.row(local, &mention.meaning) {
                Some(row) => _ = path.env().insert(local, row),
                None if matches!(mention.meaning, Meaning::Element) => {}
                None => _ = out_of_scope.insert(local),
            }
        }
        let condition = in_scope(condition, &out_of_scope);
        let holds = |(path, outcome): (Path, Result<NetExpr, _>)| {
            let holds = all(path.guard.iter().cloned().chain([outcome.ok()?]));
            (holds != FALSE).then_some((path, holds))
        };
        let parts = self.compiler.runner.layout.condition(&condition, path);
        parts.into_iter().filter_map(holds).collect()
    }

    /// What something that is mentioned is worth; nothing if it is out of scope.
    fn row(&self, local: LocalId, meaning: &Meaning) -> Option<Row> {
        let truth = |holds: bool| Some(vec![if holds { TRUE } else { FALSE }]);
        let places = &self.compiler.places;
        match meaning {
            Meaning::Bound => self.bound.get(&local).map(|bound| vec![NetExpr::Var(bound.var())]),
            Meaning::Count(process, labels) => {
                let stops = self.compiler.stops_at(*process, None).into_iter();
                let count = stops.flat_map(|stop| self.counts(stop, labels.as_ref()));
                let sum = count.reduce(|sum, count| compute(BinaryOp::Add, sum, count));
                Some(vec![sum.unwrap_or_else(|| NetExpr::int(0))])
            }
            Meaning::At(of, labels) => match self.bound.get(of)? {
                Bound::At(var, stop) => match self.compiler.is_doing(*stop, labels) {
                    Ok(()) => truth(true),
                    Err(flags) => {
                        let place = places.stops[stop];
                        let flags = flags.into_iter();
                        let said = flags.map(|column| NetExpr::Field(*var, place, column));
                        Some(vec![any(said)])
                    }
                },
                _ => truth(false),
            },
            Meaning::Variable(of, source, variable) => {
                let Bound::At(var, stop) = *self.bound.get(of)? else { return None };
                self.column(var, stop, *source, *variable)
            }
            Meaning::Ended(of) => match self.bound.get(of)? {
                Bound::Followed(var, _) => Some(vec![NetExpr::Ended(*var)]),
                Bound::Gone(_) => truth(true),
                Bound::At(..) | Bound::Object(_) => truth(false),
            },
            Meaning::Enabled(labels) => {
                let arms = self.compiler.arms.borrow();
                let is_meant = |(source, label, _): &&(Source, LabelId, TransitionId)| {
                    labels.contains(&(*source, *label))
                };
                let arms = arms.iter().filter(is_meant);
                Some(vec![any(arms.map(|(.., transition)| NetExpr::Enabled(*transition)))])
            }
            Meaning::Kin(relation, a, b) => {
                let (a, b) = (self.bound.get(a)?.var(), self.bound.get(b)?.var());
                Some(vec![NetExpr::Relation(*relation, a, b)])
            }
            Meaning::Element => None,
        }
    }

    /// How many processes are at a stop, and do a statement behind one of these labels.
    fn counts(&self, stop: StopId, labels: Option<&Labels>) -> Vec<NetExpr> {
        let place = self.compiler.places.stops[&stop];
        let width = 1 + self.compiler.runner.stop_scalars(stop.0, stop.1).len();
        let flags = match labels.map_or(Ok(()), |labels| self.compiler.is_doing(stop, labels)) {
            Ok(()) => return vec![NetExpr::Count(place, vec![None; width])],
            Err(flags) => flags,
        };
        // One says so, and none before it does.
        let count = |first: usize| {
            let mut pattern = vec![None; width];
            flags[..first].iter().for_each(|column| pattern[*column] = Some(FALSE));
            pattern[flags[first]] = Some(TRUE);
            NetExpr::Count(place, pattern)
        };
        (0..flags.len()).map(count).collect()
    }

    /// A variable of a process at a point, if it has a value there.
    fn column(&self, var: Var, stop: StopId, source: Source, local: LocalId) -> Option<Row> {
        if stop.0.source() != source {
            return None;
        }
        self.read(var, stop, local)
    }

    fn read(&self, var: Var, stop: StopId, local: LocalId) -> Option<Row> {
        let place = self.compiler.places.stops[&stop];
        let columns = self.compiler.columns_at(stop, local)?;
        Some(columns.map(|column| NetExpr::Field(var, place, column)).collect())
    }

    /// A variable of a process that is in a function: whether it is in scope, and what it is then.
    fn passed(&self, var: Var, stop: StopId, local: LocalId) -> Option<(NetExpr, Row)> {
        let graph = self.compiler.runner.routines.graph(stop.0);
        let is_meant = |passing: &Passing| *passing == Passing::Local(local);
        let (_, held) = graph.passed.iter().find(|(passing, _)| is_meant(passing))?;
        let row = self.read(var, stop, *held)?;
        let of = &graph.locals[held.index()].of;
        self.compiler.runner.layout.elements(of, &row).pop()
    }

    /// That a condition holds of the tokens that a path has looked at.
    fn looked_up(&mut self, path: Path, mut holds: NetExpr, known: usize) -> Formula {
        // Each path has numbered what it looks at for itself.
        let offset = self.variables.len() - known;
        let renamed = |var: Var| match var.index() < known {
            true => var,
            false => Var((var.index() + offset) as u32),
        };
        let rename = |expr: &mut NetExpr| {
            if let NetExpr::Var(var) = expr {
                *var = renamed(*var);
            }
        };
        self.variables.extend(path.variables[known..].iter().cloned());
        holds.change(&mut { rename });
        let mut formula = Formula::Term(holds);
        for mut ending in path.endings {
            ending.thread.change(&mut { rename });
            let there = self.token(self.compiler.places.ended, ending.thread);
            let there = if ending.has_ended { there } else { Formula::Not(Box::new(there)) };
            formula = both(there, formula);
        }
        for mut object in path.objects.into_iter().rev() {
            object.id.change(&mut { rename });
            let class = self.compiler.runner.layout.class_of(object.of);
            let owner = Var(self.variables.len() as u32);
            self.variables.push(Variable::new("object", Kind::Object(class)));
            let same = Formula::Term(equal(NetExpr::Var(owner), object.id));
            let fields = object.fields.read.iter().map(|var| renamed(*var));
            let components = [owner].into_iter().chain(fields).map(Some).collect();
            let place = self.compiler.places.objects[object.of.index()];
            formula = exists(place, components, both(same, formula));
        }
        for (id, shared) in path.globals {
            let components = shared.read.iter().map(|var| Some(renamed(*var))).collect();
            formula = exists(self.compiler.places.globals[id.index()], components, formula);
        }
        formula
    }

    /// That a thread is mentioned by a token of those that have ended.
    fn token(&mut self, place: PlaceId, thread: NetExpr) -> Formula {
        let var = Var(self.variables.len() as u32);
        self.variables.push(Variable::new("thread", Kind::Pid));
        let how = self.compiler.places.says_how.then_some(None);
        let same = Formula::Term(equal(NetExpr::Var(var), thread));
        exists(place, [Some(var)].into_iter().chain(how).collect(), same)
    }
}

fn exists(place: PlaceId, components: Vec<Option<Var>>, body: Formula) -> Formula {
    let subject = Subject::In(place, components);
    let body = Box::new(body);
    Formula::Quantified { quantifier: Quantifier::Exists, thread: None, subject, body }
}

fn both(a: Formula, b: Formula) -> Formula {
    match (&a, &b) {
        (Formula::Term(term), _) if *term == TRUE => b,
        (_, Formula::Term(term)) if *term == TRUE || *term == FALSE => {
            if *term == TRUE {
                a
            } else {
                b
            }
        }
        _ => Formula::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
    }
}

fn all_of(parts: Vec<Formula>) -> Formula {
    parts.into_iter().reduce(both).unwrap_or(Formula::Term(TRUE))
}

fn any_of(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let either = |a, b| Formula::Binary(BinaryOp::Or, Box::new(a), Box::new(b));
    parts.into_iter().reduce(either).unwrap_or(Formula::Term(FALSE))
}

/// The mentions that an expression uses.
fn mentions(expr: &Expr, found: &mut BTreeSet<LocalId>) {
    if let Form::Local(id) = &expr.form {
        found.insert(*id);
    }
    expr.children().into_iter().for_each(|child| mentions(child, found));
}

/// A condition in which comparisons with what is out of scope do not hold.
fn in_scope(expr: &Expr, out_of_scope: &BTreeSet<LocalId>) -> Expr {
    let inner = |inner: &Expr| Box::new(in_scope(inner, out_of_scope));
    let is_in_scope = |expr: &Expr| {
        let mut mentioned = BTreeSet::new();
        mentions(expr, &mut mentioned);
        mentioned.is_disjoint(out_of_scope)
    };
    let form = match &expr.form {
        Form::Unary(op @ net::UnaryOp::Not, a) => Form::Unary(*op, inner(a)),
        Form::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
            Form::Binary(*op, inner(a), inner(b))
        }
        Form::If(c, a, b) if expr.of == Type::Bool => Form::If(inner(c), inner(a), inner(b)),
        Form::Quantified(quantifier, local, over, body) if is_in_scope(over) => {
            Form::Quantified(*quantifier, *local, over.clone(), inner(body))
        }
        form if is_in_scope(expr) => form.clone(),
        _ => Form::Literal(net::Literal::Bool(false)),
    };
    Expr { form, of: expr.of.clone() }
}
