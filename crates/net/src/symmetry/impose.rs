//! The net with its symmetry imposed.
//!
//! Members are put in the order of their parts, numbered anew wherever they occur, and what may no longer
//! be said of them is expressed otherwise: sets of members by parts, sums of constants by tokens for each
//! member. What the net does is the same, member for member by their names.

use std::collections::{HashMap, HashSet};

use super::express::{Wording, joined};
use super::form::{Form, Op, Order};
use super::group::Group;
use super::items::own_variables;
use super::orbit::{Choice, Orbit, moved, orbit};
use super::read::Reader;
use crate::{
    Arc, BinaryOp, Enumeration, Expr, Fate, Inhibitor, InitialValue, Kind, Net, Part, PlaceId,
    Property, Sort, Symmetry, Transition, Var, Variable,
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
    let wording = Wording { net, groups, number: &number, taken: &taken };
    let mut result = Net { enumerations, properties: checked.to_vec(), ..net.clone() };
    for constant in &mut result.constants {
        constant.value = wording.literal(constant.value);
    }
    let of_threads = result.start.iter_mut().flat_map(|thread| &mut thread.values);
    for value in of_threads.chain(result.tokens.iter_mut().flat_map(|token| &mut token.values)) {
        if let InitialValue::Data(literal) = value {
            *literal = wording.literal(*literal);
        }
    }
    for token in &mut result.tokens {
        let reader = Reader::of_members(net, &token.each);
        token.condition = token.condition.as_ref().map(|c| wording.expr(c, &reader));
    }
    for transition in &mut result.transitions {
        *transition = wording.transition(transition);
    }
    for property in &mut result.properties {
        property.formula.change_terms(&mut |expr| wording.renumber(expr));
    }
    result
}

/// A class with its members in the order of their parts, and the new number of each.
fn arranged(
    class: &Enumeration,
    group: &Group,
    taken: &mut HashSet<String>,
) -> (Enumeration, Vec<u32>) {
    let symmetry = group.symmetry;
    if symmetry != Symmetry::Full {
        // Rotations keep no parts, and go round in any case.
        let is_fixed = symmetry == Symmetry::None;
        let parts = if is_fixed { class.parts.clone() } else { Vec::new() };
        let number = (0..class.members.len() as u32).collect();
        let round = class.goes_round() && is_fixed;
        return (Enumeration { symmetry, round, parts, ..class.clone() }, number);
    }
    let order: Vec<u32> = group.parts.concat();
    let mut number = vec![0; order.len()];
    (0..).zip(&order).for_each(|(new, old)| number[*old as usize] = new);
    let members = order.iter().map(|member| class.members[*member as usize].clone()).collect();
    let named = group.parts.iter().zip(1..).map(|(part, index)| {
        let name = match part[..] {
            [member] => format!("{}_{}", class.name, class.members[member as usize]),
            _ => format!("{}_{index}", class.name),
        };
        Part { name: untaken(name, taken), size: part.len() as u32 }
    });
    let parts = if group.parts.len() > 1 { named.collect() } else { Vec::new() };
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

impl Wording<'_> {
    fn transition(&self, transition: &Transition) -> Transition {
        let variables: Vec<Variable> = transition.variables.clone();
        let reader = Reader::of(self.net, transition);
        let known = transition.bound_variables().collect();
        let mut rewrite = Rewrite { wording: self, transition, variables, reader, known: &known };
        let mut result = Transition {
            takes: rewrite.arcs(&transition.takes, false),
            reads: rewrite.arcs(&transition.reads, false),
            puts: rewrite.arcs(&transition.puts, false),
            inhibitors: rewrite.inhibitors(),
            guard: rewrite.guard(),
            ..transition.clone()
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
}

/// Makes parameters of the variables that nothing binds any more.
fn add_parameters(before: &HashSet<Var>, transition: &mut Transition) {
    let now: HashSet<Var> = transition.bound_variables().collect();
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
    wording: &'a Wording<'a>,
    transition: &'a Transition,
    variables: Vec<Variable>,
    reader: Reader<'a>,
    known: &'a HashSet<Var>,
}

impl Rewrite<'_> {
    fn expr(&self, expr: &mut Expr) {
        *expr = self.wording.expr(expr, &self.reader);
    }

    fn moves(&self, form: &Form) -> bool {
        moved(form, self.wording.groups).next().is_some()
    }

    fn orbit(&self, form: &Form, own: usize) -> Orbit {
        let Wording { net, groups, .. } = *self.wording;
        orbit(net, form, own as u32, groups)
    }

    /// What inhibits: the tokens of one place as arcs are; those of several, and what can fault, with the members
    /// they have and in their order.
    fn inhibitors(&mut self) -> Vec<Inhibitor> {
        let is_free = |inhibitor: &Inhibitor| {
            let can_fault = inhibitor.expressions().any(|expr| self.reader.can_fault(expr));
            inhibitor.arcs.len() == 1 && !can_fault
        };
        let (alone, mut joint): (Vec<Inhibitor>, Vec<Inhibitor>) =
            self.transition.inhibitors.iter().cloned().partition(is_free);
        let alone: Vec<Arc> = alone.iter().filter_map(Inhibitor::alone).collect();
        for inhibitor in &mut joint {
            let patterns =
                inhibitor.arcs.iter_mut().flat_map(|arc| arc.pattern.iter_mut().flatten());
            patterns.chain(&mut inhibitor.condition).for_each(|expr| self.expr(expr));
        }
        let alone = self.arcs(&alone, true).into_iter().map(Inhibitor::from);
        alone.chain(joint).collect()
    }

    /// Arcs of one kind, those that a symmetry maps onto each other as one.
    fn arcs(&mut self, arcs: &[Arc], inhibit: bool) -> Vec<Arc> {
        let own = |arc: &Arc| match inhibit {
            true => own_variables(std::slice::from_ref(arc), self.known),
            false => arc.each.clone(),
        };
        let own: Vec<Vec<Var>> = arcs.iter().map(own).collect();
        let form = |(arc, own): (&Arc, &Vec<Var>)| match inhibit {
            true => self.reader.inhibitor(arc, own.clone()),
            false => self.reader.arc(arc),
        };
        let forms: Vec<Form> = arcs.iter().zip(&own).map(form).collect();
        let mut counts: HashMap<(PlaceId, &Form), u32> = HashMap::new();
        for (arc, form) in arcs.iter().zip(&forms) {
            let count = counts.entry((arc.place, form)).or_default();
            *count = if inhibit { arc.count } else { count.saturating_add(arc.count) };
        }
        let mut said: HashSet<(PlaceId, Orbit)> = HashSet::new();
        let mut result = Vec::new();
        for ((arc, form), mut own) in arcs.iter().zip(&forms).zip(own) {
            if !self.moves(form) {
                let mut arc = arc.clone();
                let pattern = arc.pattern.iter_mut().flatten();
                pattern.chain(&mut arc.condition).for_each(|expr| self.expr(expr));
                result.push(arc);
                continue;
            }
            let orbit = self.orbit(form, own.len());
            if said.insert((arc.place, orbit.clone())) {
                let (pattern, condition) = self.tokens(&orbit, &mut own);
                let count = counts[&(arc.place, form)];
                let each = if inhibit { Vec::new() } else { own };
                result.push(Arc { place: arc.place, pattern, count, each, condition });
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
        let wording = self.wording;
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
            self.wording.taken.contains(name) || self.variables.iter().any(|v| v.name == *name)
        };
        let mut names = (1..).map(|number: u32| format!("m{number}"));
        let name = names.find(|name| !is_taken(name)).expect("numbers do not end");
        self.variables.push(Variable { name, kind: Kind::Enum(choice.class), optional: false });
        var
    }

    /// The guard. Where conjuncts that cannot fault must be expressed otherwise, they are all expressed as
    /// one, since only together they may speak of whole parts.
    fn guard(&self) -> Vec<Expr> {
        let (can_fault, sure): (Vec<&Expr>, Vec<&Expr>) =
            self.transition.guard.iter().partition(|expr| self.reader.can_fault(expr));
        let wording = self.wording;
        let must_change = sure.iter().any(|expr| wording.must_change(expr, &self.reader));
        if !must_change {
            let guard = self.transition.guard.iter();
            return guard.map(|expr| wording.expr(expr, &self.reader)).collect();
        }
        let mut guard: Vec<Expr> = match self.reader.all(sure.into_iter()) {
            Form::Truth(true) => Vec::new(),
            Form::Apply(Op::Binary(BinaryOp::And), Order::Free, conjuncts) => {
                conjuncts.iter().map(|form| wording.express(form, &[])).collect()
            }
            form => vec![wording.express(&form, &[])],
        };
        guard.extend(can_fault.iter().map(|expr| wording.expr(expr, &self.reader)));
        guard
    }
}
