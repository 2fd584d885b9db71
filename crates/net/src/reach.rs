//! How much of a state a transition can look at: see [`Reach`].
//!
//! The tokens of a mode are of one family if the inputs hang together: by a variable for a pid or for a
//! member of a class that occurs in both, or by a condition that relates, or equates, one of one to one
//! of the other. All tokens with members of one cyclic class are of one family. A token that inhibits is of
//! that family too if it is tied to the inputs in the same way.
//!
//! Whatever is put holds pids of the inputs and of their children, and members that are in the inputs,
//! unless the transition reaches others: by a parameter or an arc that goes through all of a class, or by
//! naming one. These may be in any family; only of a cyclic class that is in the inputs it is known that
//! they are in no other.

use fold::{Class, Reach};

use crate::encode::class;
use crate::transition::plain_variables;
use crate::{
    Arc, BinaryOp, EnumId, Expr, Kind, Literal, Net, Participant, PlaceId, Sort, Transition, Var,
};

impl Net {
    /// The reach of a transition.
    #[must_use]
    pub fn reach(&self, transition: &Transition) -> Reach {
        let mut ties = Ties::new(self, transition);
        let forbidden = transition.inhibitors.iter().flat_map(|inhibitor| &inhibitor.arcs);
        let places = transition.arcs().chain(forbidden).map(|arc| arc.place);
        if { places }.any(|place| ties.may_hold_atoms(place)) {
            return Reach::State;
        }
        transition.guard.iter().for_each(|condition| ties.by_condition(condition));
        let mut rest = transition.puts.iter().any(|arc| !ties.hold_atoms(arc.place));
        let mut family: Option<usize> = None;
        let threads = transition.participants.iter().map(|p| (p.from, &p.pattern, Some(p.thread)));
        let arcs = transition.takes.iter().chain(&transition.reads);
        let (chosen, swarms): (Vec<&Arc>, Vec<&Arc>) = arcs.partition(|arc| arc.each.is_empty());
        let arcs = chosen.into_iter().map(|arc| (arc.place, &arc.pattern, None));
        let inputs: Vec<_> = threads.chain(arcs).collect();
        for (place, pattern, thread) in &inputs {
            if ties.hold_atoms(*place) {
                let nodes = ties.nodes(*place, pattern, *thread);
                family = family.or(ties.tie(&nodes));
            } else {
                rest = true;
            }
        }
        // Only now is known what hangs together.
        let alone = inputs.iter().filter(|(place, ..)| ties.hold_atoms(*place)).count() == 1;
        let is_tied = |ties: &Ties, place: PlaceId, pattern: &[Option<Expr>], thread| {
            ties.nodes(place, pattern, thread).into_iter().any(|node| ties.same(family, node))
        };
        for (place, pattern, thread) in &inputs {
            if ties.hold_atoms(*place) && !alone && !is_tied(&ties, *place, pattern, *thread) {
                return Reach::State;
            }
        }
        for arc in swarms {
            if !ties.hold_atoms(arc.place) {
                rest = true;
            } else if !is_tied(&ties, arc.place, &arc.pattern, None) {
                return Reach::State;
            }
        }
        for inhibitor in &transition.inhibitors {
            // Tokens that are there together tie each other, too.
            let mut ties = ties.clone();
            inhibitor.condition.iter().for_each(|condition| ties.by_condition(condition));
            for arc in &inhibitor.arcs {
                ties.tie(&ties.nodes(arc.place, &arc.pattern, None));
            }
            for arc in &inhibitor.arcs {
                if !ties.hold_atoms(arc.place) {
                    rest = true;
                } else if !is_tied(&ties, arc.place, &arc.pattern, None) {
                    return Reach::State;
                }
            }
        }
        let bound: Vec<Var> =
            inputs.iter().flat_map(|(_, pattern, _)| plain_variables(pattern)).collect();
        if ties.reaches_others(&bound, family) {
            return Reach::State;
        }
        let has_family = inputs.iter().any(|(place, ..)| ties.hold_atoms(*place));
        match (has_family, rest) {
            (false, _) => Reach::Rest,
            (true, true) => Reach::FamilyAndRest,
            (true, false) => Reach::Family,
        }
    }
}

/// What is known to be of the same family: nodes of the same group. There is a node for each variable,
/// and after them one for each enumeration, which stands for the members of a cyclic class.
#[derive(Clone)]
struct Ties<'a> {
    net: &'a Net,
    transition: &'a Transition,
    /// For each enumeration, the class that it is, if it is one.
    classes: Vec<Option<Class>>,
    /// For each variable, whether it is something in every mode.
    something: Vec<bool>,
    group: Vec<usize>,
}

impl<'a> Ties<'a> {
    fn new(net: &'a Net, transition: &'a Transition) -> Ties<'a> {
        let classes: Vec<Option<Class>> = net.enumerations.iter().map(class).collect();
        let group = (0..transition.variables.len() + classes.len()).collect();
        let something = (0..).map(Var).take(transition.variables.len());
        let something = something.map(|var| is_something(net, transition, var)).collect();
        Ties { net, transition, classes, something, group }
    }

    fn is_class(&self, id: EnumId) -> bool {
        self.classes[id.index()].is_some()
    }

    /// The node of a cyclic class.
    fn node(&self, id: EnumId) -> Option<usize> {
        let is_cyclic = matches!(self.classes[id.index()], Some(Class::Cyclic(_)));
        is_cyclic.then_some(self.transition.variables.len() + id.index())
    }

    /// Whether the tokens of a place hold pids or members of classes.
    fn hold_atoms(&self, place: PlaceId) -> bool {
        self.net.place(place).columns.iter().any(|column| self.holds_atoms(column.sort))
    }

    fn holds_atoms(&self, sort: Sort) -> bool {
        match sort {
            Sort::Pid | Sort::Object(_) => true,
            Sort::Enum(id) => self.is_class(id),
            Sort::Int { .. } | Sort::Bool => false,
        }
    }

    /// Whether the tokens of a place may hold pids or members of classes, and may hold none.
    fn may_hold_atoms(&self, place: PlaceId) -> bool {
        let columns = &self.net.place(place).columns;
        let mut atoms = columns.iter().filter(|column| self.holds_atoms(column.sort)).peekable();
        atoms.peek().is_some() && atoms.all(|column| column.optional)
    }

    /// What a token of a place that matches a pattern is plainly tied to.
    fn nodes(&self, place: PlaceId, pattern: &[Option<Expr>], thread: Option<Var>) -> Vec<usize> {
        let is_tied = |var: &Var| self.is_atom(*var) && !self.transition.defines(*var);
        let atoms = plain_variables(pattern).filter(is_tied);
        let columns = self.net.place(place).columns.iter();
        let cyclic =
            columns.filter(|column| !column.optional).filter_map(|column| match column.sort {
                Sort::Enum(id) => self.node(id),
                _ => None,
            });
        atoms.chain(thread).map(Var::index).chain(cyclic).collect()
    }

    /// Whether a variable stands for a pid or for a member of a class.
    fn is_atom(&self, var: Var) -> bool {
        let variable = &self.transition.variables[var.index()];
        match variable.kind {
            // What may be nothing ties nothing together.
            _ if !self.something[var.index()] => false,
            Kind::Pid | Kind::Object(_) => true,
            Kind::Enum(id) => self.is_class(id),
            Kind::Int | Kind::Bool => false,
        }
    }

    /// Whether the transition reaches members of classes that need not be in the family of its inputs,
    /// which bind these variables.
    fn reaches_others(&self, bound: &[Var], family: Option<usize>) -> bool {
        let t = self.transition;
        let parameters = t.parameters.iter().map(|(var, _)| var);
        let mut free = parameters
            .filter(|var| !bound.contains(var))
            .chain(t.arcs().flat_map(|arc| &arc.each))
            .filter_map(|var| match t.variables[var.index()].kind {
                Kind::Enum(id) if self.is_class(id) => Some(id),
                _ => None,
            });
        let mut made = { t.participants.iter().flat_map(Participant::values) }
            .chain(t.spawns.iter().flat_map(|spawn| &spawn.values))
            .chain(t.puts.iter().flat_map(|arc| arc.pattern.iter().flatten()))
            .chain(t.definitions.iter().map(|(_, expr)| expr));
        free.any(|id| self.node(id).is_none_or(|node| !self.same(family, node)))
            || made.any(|expr| self.names_member(expr))
    }

    fn names_member(&self, expr: &Expr) -> bool {
        let mut names = false;
        expr.walk(&mut |expr| {
            names |= matches!(expr, Expr::Literal(Literal::Enum(id, _)) if self.is_class(*id));
        });
        names
    }

    /// Makes one group of nodes, and gives one of them.
    fn tie(&mut self, nodes: &[usize]) -> Option<usize> {
        let (first, others) = nodes.split_first()?;
        others.iter().for_each(|other| self.unite(*first, *other));
        Some(*first)
    }

    fn by_condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Relation(_, a, b) => self.unite(a.index(), b.index()),
            Expr::Binary(BinaryOp::And, a, b) => {
                self.by_condition(a);
                self.by_condition(b);
            }
            Expr::Binary(BinaryOp::Equal, a, b) => {
                if let (Expr::Var(a), Expr::Var(b)) = (&**a, &**b)
                    && self.is_atom(*a)
                {
                    self.unite(a.index(), b.index());
                }
            }
            _ => {}
        }
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (from, to) = (self.group[a], self.group[b]);
        self.group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }

    fn same(&self, family: Option<usize>, node: usize) -> bool {
        family.is_some_and(|family| self.group[family] == self.group[node])
    }
}

/// Whether a variable is something in every mode: by its declaration, since an input binds it in a column that always
/// holds something, or since the guard says so.
fn is_something(net: &Net, transition: &Transition, var: Var) -> bool {
    let threads = transition.participants.iter();
    let threads = threads.map(|one| (&net.place(one.from).columns[1..], &one.pattern));
    let arcs = transition.takes.iter().chain(&transition.reads).filter(|arc| arc.each.is_empty());
    let arcs = arcs.map(|arc| (&net.place(arc.place).columns[..], &arc.pattern));
    let is_bound = || {
        { threads.chain(arcs) }.any(|(columns, pattern)| {
            let mut cells = columns.iter().zip(pattern);
            cells.any(|(column, expr)| !column.optional && *expr == Some(Expr::Var(var)))
        })
    };
    let is_guarded = || transition.guard.iter().any(|guard| says_something(guard, var));
    !transition.variables[var.index()].optional || is_bound() || is_guarded()
}

/// Whether a condition holds only if a variable is something.
fn says_something(condition: &Expr, var: Var) -> bool {
    let is_it = |expr: &Expr| *expr == Expr::Var(var);
    let is_none = |expr: &Expr| matches!(expr, Expr::Literal(Literal::None(_)));
    match condition {
        Expr::Binary(BinaryOp::And, a, b) => says_something(a, var) || says_something(b, var),
        Expr::Binary(BinaryOp::NotEqual, a, b) => is_it(a) && is_none(b) || is_none(a) && is_it(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
