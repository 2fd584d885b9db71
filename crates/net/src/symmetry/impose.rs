//! The net with its symmetry imposed.
//!
//! Members are put in the order of their parts, numbered anew wherever they occur, and what may no longer
//! be said of them is expressed otherwise: sets of members by parts, sums of constants by tokens for each
//! member. What the net does is the same, member for member by their names.

use std::collections::{HashMap, HashSet};

use super::express::{Wording, joined};
use super::form::{Form, Op, Order};
use super::group::Group;
use super::items::{known, own_variables};
use super::orbit::{Choice, Orbit, moved, orbit};
use super::read::Reader;
use crate::{
    Arc, BinaryOp, Constant, Enumeration, Expr, Fate, Formula, Inhibitor, InitialToken,
    InitialValue, Kind, Net, Part, PlaceId, Property, Sort, StartThread, Term, Transition, Var,
    Variable,
};

/// The net whose classes have these symmetries, and which has these properties.
pub(super) fn imposed(net: &Net, checked: &[Property], groups: &[Group]) -> Net {
    let mut taken: HashSet<String> = net.enumerations.iter().map(|e| e.name.clone()).collect();
    taken.extend(net.enumerations.iter().flat_map(|e| &e.members).map(ToString::to_string));
    taken.extend(net.constants.iter().map(|constant| constant.name.clone()));
    let mut number: Vec<Vec<u32>> = Vec::new();
    let mut enumerations = Vec::new();
    for (class, group) in net.enumerations.iter().zip(groups) {
        let (class, numbers) = arranged(class, group, &mut taken);
        enumerations.push(class);
        number.push(numbers);
    }
    taken.extend(enumerations.iter().flat_map(|class| &class.parts).map(|part| part.name.clone()));
    let wording = Wording { net, groups, number: &number };
    let constant = |constant: &Constant| Constant {
        name: constant.name.clone(),
        value: wording.literal(constant.value),
    };
    let imposing = Imposing { wording: &wording, taken: &taken };
    Net {
        name: net.name.clone(),
        constants: net.constants.iter().map(constant).collect(),
        places: net.places.clone(),
        start: net.start.iter().map(|thread| imposing.thread(thread)).collect(),
        tokens: net.tokens.iter().map(|token| imposing.token(token)).collect(),
        transitions: net.transitions.iter().map(|t| imposing.transition(t)).collect(),
        properties: checked.iter().map(|property| imposing.property(property)).collect(),
        fairness: net.fairness.clone(),
        enumerations,
    }
}

/// A class with its members in the order of their parts, and the new number of each.
fn arranged(
    class: &Enumeration,
    group: &Group,
    taken: &mut HashSet<String>,
) -> (Enumeration, Vec<u32>) {
    let symmetry = group.symmetry();
    let Group::Within(partition) = group else {
        let parts = if *group == Group::Fixed { class.parts.clone() } else { Vec::new() };
        let number = (0..class.members.len() as u32).collect();
        // Rotations go round in any case.
        let round = class.goes_round() && symmetry == crate::Symmetry::None;
        return (Enumeration { symmetry, round, parts, ..class.clone() }, number);
    };
    let order: Vec<u32> = partition.parts().concat();
    let mut number = vec![0; order.len()];
    (0..).zip(&order).for_each(|(new, old)| number[*old as usize] = new);
    let members = order.iter().map(|member| class.members[*member as usize].clone()).collect();
    let named = partition.parts().iter().zip(1..).map(|(part, index)| {
        let name = match part[..] {
            [member] => format!("{}_{}", class.name, class.members[member as usize]),
            _ => format!("{}_{index}", class.name),
        };
        Part { name: untaken(name, taken), size: part.len() as u32 }
    });
    let parts = if partition.parts().len() > 1 { named.collect() } else { Vec::new() };
    // Where all permutations make no difference, none is after another.
    (Enumeration { name: class.name.clone(), members, symmetry, round: false, parts }, number)
}

/// A name, made longer until nothing else has it.
fn untaken(mut name: String, taken: &mut HashSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

struct Imposing<'a> {
    wording: &'a Wording<'a>,
    /// The names that no variable may have.
    taken: &'a HashSet<String>,
}

impl Imposing<'_> {
    fn value(&self, value: &InitialValue) -> InitialValue {
        match *value {
            InitialValue::Data(literal) => InitialValue::Data(self.wording.literal(literal)),
            value => value,
        }
    }

    fn thread(&self, thread: &StartThread) -> StartThread {
        let values = thread.values.iter().map(|value| self.value(value)).collect();
        StartThread { place: thread.place, values }
    }

    fn token(&self, token: &InitialToken) -> InitialToken {
        let reader = Reader::of_terms(self.wording.net, &token.each);
        let kinds = |var: Var| Kind::Enum(token.each[var.index()]);
        InitialToken {
            values: token.values.iter().map(|value| self.value(value)).collect(),
            condition: token.condition.as_ref().map(|c| self.wording.expr(c, &reader, &kinds)),
            ..token.clone()
        }
    }

    fn transition(&self, transition: &Transition) -> Transition {
        let variables: Vec<Variable> = transition.variables.clone();
        let reader = Reader::of(self.wording.net, transition);
        let known = known(transition);
        let mut rewrite = Rewrite { imposing: self, transition, variables, reader, known: &known };
        let mut result = Transition {
            name: transition.name.clone(),
            origin: transition.origin,
            parameters: transition.parameters.clone(),
            participants: transition.participants.clone(),
            spawns: transition.spawns.clone(),
            definitions: transition.definitions.clone(),
            takes: rewrite.arcs(&transition.takes),
            reads: rewrite.arcs(&transition.reads),
            puts: rewrite.arcs(&transition.puts),
            inhibitors: rewrite.inhibitors(),
            guard: rewrite.guard(),
            variables: Vec::new(),
        };
        for participant in &mut result.participants {
            participant.pattern.iter_mut().flatten().for_each(|expr| rewrite.expr(expr));
            if let Fate::Move { values, .. } = &mut participant.fate {
                values.iter_mut().for_each(|expr| rewrite.expr(expr));
            }
        }
        for spawn in &mut result.spawns {
            spawn.values.iter_mut().for_each(|expr| rewrite.expr(expr));
        }
        result.definitions.iter_mut().for_each(|(_, expr)| rewrite.expr(expr));
        let is_new = rewrite.variables.len() > transition.variables.len();
        result.variables = rewrite.variables;
        if is_new {
            add_parameters(&known, &mut result);
            result.number_variables();
        }
        result
    }

    fn property(&self, property: &Property) -> Property {
        let mut property = property.clone();
        self.formula(&mut property.formula);
        property
    }

    fn formula(&self, formula: &mut Formula) {
        match formula {
            Formula::DeadlockFree | Formula::Deadlock => {}
            Formula::Term(term) => self.term(term),
            Formula::Not(f) | Formula::Path(_, f) | Formula::Quantified { body: f, .. } => {
                self.formula(f);
            }
            Formula::Binary(_, f, g)
            | Formula::Until(f, g)
            | Formula::LeadsTo(f, g)
            | Formula::AllUntil(f, g)
            | Formula::SomeUntil(f, g) => {
                self.formula(f);
                self.formula(g);
            }
        }
    }

    fn term(&self, term: &mut Term) {
        match term {
            Term::Literal(literal) => *literal = self.wording.literal(*literal),
            Term::Unary(_, a) => self.term(a),
            Term::Binary(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Count(_, pattern) => {
                pattern.iter_mut().flatten().for_each(|term| self.term(term));
            }
            Term::Var(_)
            | Term::Field(..)
            | Term::At(..)
            | Term::Ended(_)
            | Term::Enabled(_)
            | Term::Relation(..) => {}
        }
    }
}

/// Makes parameters of the variables that nothing binds any more.
fn add_parameters(before: &HashSet<Var>, transition: &mut Transition) {
    let now = known(transition);
    let mut lost: Vec<Var> = before.difference(&now).copied().collect();
    lost.sort_unstable();
    for var in lost {
        let sort = match transition.variables[var.index()].kind {
            Kind::Enum(id) => Sort::Enum(id),
            Kind::Bool => Sort::Bool,
            kind => unreachable!("a variable of {kind:?} cannot be a parameter"),
        };
        transition.parameters.push((var, sort));
    }
}

/// A transition while it is written anew.
struct Rewrite<'a> {
    imposing: &'a Imposing<'a>,
    transition: &'a Transition,
    variables: Vec<Variable>,
    reader: Reader<'a>,
    known: &'a HashSet<Var>,
}

impl Rewrite<'_> {
    fn expr(&self, expr: &mut Expr) {
        let kinds = |var: Var| self.transition.variables[var.index()].kind;
        *expr = self.imposing.wording.expr(expr, &self.reader, &kinds);
    }

    fn pattern(&self, pattern: &[Option<Expr>]) -> Vec<Option<Expr>> {
        let mut pattern = pattern.to_vec();
        pattern.iter_mut().flatten().for_each(|expr| self.expr(expr));
        pattern
    }

    fn condition(&self, condition: Option<&Expr>) -> Option<Expr> {
        let mut condition = condition.cloned();
        condition.iter_mut().for_each(|expr| self.expr(expr));
        condition
    }

    fn moves(&self, form: &Form) -> bool {
        moved(form, self.imposing.wording.groups).next().is_some()
    }

    fn orbit(&self, form: &Form, own: usize) -> Orbit {
        let Wording { net, groups, .. } = *self.imposing.wording;
        orbit(net, form, own as u32, groups)
    }

    /// Arcs of one kind, those that a symmetry maps onto each other as one.
    fn arcs(&mut self, arcs: &[Arc]) -> Vec<Arc> {
        let forms: Vec<Form> = arcs.iter().map(|arc| self.reader.arc(arc)).collect();
        let mut counts: HashMap<(PlaceId, &Form), u32> = HashMap::new();
        for (arc, form) in arcs.iter().zip(&forms) {
            let count = counts.entry((arc.place, form)).or_default();
            *count = count.saturating_add(arc.count);
        }
        let mut said: HashSet<(PlaceId, Orbit)> = HashSet::new();
        let mut result = Vec::new();
        for (arc, form) in arcs.iter().zip(&forms) {
            if !self.moves(form) {
                let pattern = self.pattern(&arc.pattern);
                let condition = self.condition(arc.condition.as_ref());
                result.push(Arc { pattern, condition, ..arc.clone() });
                continue;
            }
            let orbit = self.orbit(form, arc.each.len());
            if said.insert((arc.place, orbit.clone())) {
                let mut each = arc.each.clone();
                let (pattern, condition) = self.tokens(&orbit, &mut each);
                let count = counts[&(arc.place, form)];
                result.push(Arc { place: arc.place, pattern, count, each, condition });
            }
        }
        result
    }

    fn inhibitors(&mut self) -> Vec<Inhibitor> {
        let mut said: HashSet<(PlaceId, Orbit)> = HashSet::new();
        let mut result = Vec::new();
        for inhibitor in &self.transition.inhibitors {
            let mut own = own_variables(inhibitor, self.known);
            let form = self.reader.inhibitor(inhibitor, own.clone());
            if !self.moves(&form) {
                let pattern = self.pattern(&inhibitor.pattern);
                let condition = self.condition(inhibitor.condition.as_ref());
                result.push(Inhibitor { pattern, condition, ..inhibitor.clone() });
                continue;
            }
            let orbit = self.orbit(&form, own.len());
            if said.insert((inhibitor.place, orbit.clone())) {
                let (pattern, condition) = self.tokens(&orbit, &mut own);
                result.push(Inhibitor { pattern, condition, ..inhibitor.clone() });
            }
        }
        result
    }

    /// The pattern and the condition of an orbit. Its variables are added to those the token had.
    fn tokens(&mut self, orbit: &Orbit, own: &mut Vec<Var>) -> (Vec<Option<Expr>>, Option<Expr>) {
        let first = own.len();
        for choice in &orbit.choices {
            let var = self.fresh(choice);
            own.push(var);
        }
        let wording = self.imposing.wording;
        let (condition, components) = orbit.operands.split_last().expect("the condition is last");
        let mut conditions = Vec::new();
        if *condition != Form::Truth(true) {
            conditions.push(wording.express(condition, own));
        }
        for (i, (choice, var)) in orbit.choices.iter().zip(&own[first..]).enumerate() {
            if let Some(part) = choice.part {
                conditions.push(Expr::Within(Expr::Var(*var).into(), choice.class, part));
            }
            for (other, before) in orbit.choices[..i].iter().zip(&own[first..]) {
                if other == choice {
                    let [a, b] = [before, var].map(|var| Expr::Var(*var));
                    conditions.push(Expr::binary(BinaryOp::NotEqual, a, b));
                }
            }
        }
        let condition = (!conditions.is_empty()).then(|| joined(BinaryOp::And, conditions));
        let component = |form: &Form| match form {
            Form::Open => None,
            form => Some(wording.express(form, own)),
        };
        (components.iter().map(component).collect(), condition)
    }

    /// A new variable.
    fn fresh(&mut self, choice: &Choice) -> Var {
        let var = Var(self.variables.len() as u32);
        let is_taken = |name: &String| {
            self.imposing.taken.contains(name) || self.variables.iter().any(|v| v.name == *name)
        };
        let mut names = (1..).map(|number: u32| format!("m{number}"));
        let name = names.find(|name| !is_taken(name)).expect("numbers do not end");
        self.variables.push(Variable { name, kind: Kind::Enum(choice.class) });
        var
    }

    /// The guard. Where conjuncts that cannot fault must be expressed otherwise, they are all expressed as
    /// one, since only together they may speak of whole parts.
    fn guard(&self) -> Vec<Expr> {
        let kinds = |var: Var| self.transition.variables[var.index()].kind;
        let (can_fault, sure): (Vec<&Expr>, Vec<&Expr>) =
            self.transition.guard.iter().partition(|expr| self.reader.can_fault(expr));
        let wording = self.imposing.wording;
        let must_change = sure.iter().any(|expr| wording.must_change(expr, &kinds));
        if !must_change {
            let guard = self.transition.guard.iter();
            return guard.map(|expr| wording.expr(expr, &self.reader, &kinds)).collect();
        }
        let mut guard: Vec<Expr> = match self.reader.all(sure.into_iter()) {
            Form::Truth(true) => Vec::new(),
            Form::Apply(Op::Binary(BinaryOp::And), Order::Free, conjuncts) => {
                conjuncts.iter().map(|form| wording.express(form, &[])).collect()
            }
            form => vec![wording.express(&form, &[])],
        };
        guard.extend(can_fault.iter().map(|expr| wording.expr(expr, &self.reader, &kinds)));
        guard
    }
}
