//! Compiled rules: a net made ready to be fired on working states.
//!
//! For each transition a *plan* is drawn up once: in which order to go through the places, what each
//! column binds or must equal, and after which step each condition can be tested. An input is scanned
//! early if many of its columns are bound already, or if a relation ties it to a bound pid, since then
//! few tokens fit. Conditions that can fault come last (see `fallible`). In the loop there are only
//! slots and words: no names.

use std::ops::Range;
use std::sync::Arc;

use fold::{Reach, Schema, Working};
use state::{Pid, Relations, State};

use crate::encode;
use crate::fallible::Fallibility;
use crate::fire::Machine;
use crate::{
    BinaryOp, Enumeration, Expr, Fate, Inhibitor, Net, Participant, PlaceId, Sort, Symmetry,
    Transition, Var,
};

/// A net whose transitions are compiled for a given Ω. Holds the scratch memory of firing too: one for
/// each worker.
#[derive(Clone)]
pub struct Compiled {
    net: Arc<Net>,
    relations: Relations,
    schema: Schema,
    pub(crate) rules: Arc<[Rule]>,
    pub(crate) machine: Machine,
    pub(crate) successor: Working,
}

/// A compiled transition.
pub(crate) struct Rule {
    pub reach: Reach,
    /// The places that must not be empty.
    pub inputs: Vec<Input>,
    pub steps: Vec<Step>,
    /// Conditions that can fault, in order.
    pub late: Vec<Step>,
    /// Inputs by index in `inputs` whose tokens go away.
    pub taken: Vec<usize>,
    /// Variables of the threads that create children, with the slot of a single child.
    pub spawns: Vec<(usize, Option<usize>, u32)>,
    pub outputs: Vec<Output>,
    /// Slots of the threads that end.
    pub ending: Vec<usize>,
    pub slots: usize,
}

/// A place that is gone through in search of a token.
pub(crate) struct Input {
    pub place: usize,
    pub count: u32,
    pub cells: Vec<Cell>,
    /// The inputs scanned before it that may claim the same token.
    pub rivals: Vec<usize>,
}

/// What is done with a column of a token: it binds a slot, must equal it, or is passed over. The
/// value is the word plus `min`.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub column: usize,
    pub min: i64,
    pub slot: usize,
    pub binds: bool,
}

/// A step of the search for modes.
pub(crate) enum Step {
    /// Try every token of an input, by its index.
    Scan(usize),
    /// Try every value of a parameter.
    Range { slot: usize, min: i64, max: i64 },
    /// A parameter that an input has bound must be in its range.
    Within { slot: usize, min: i64, max: i64 },
    /// Evaluate a definition.
    Define(usize, Expr),
    /// Go on only if it holds.
    Test(Expr),
    /// Go on only if too few tokens match.
    Inhibit(Inhibit),
}

/// A compiled inhibitor.
pub(crate) struct Inhibit {
    pub place: usize,
    pub count: u32,
    pub cells: Vec<Cell>,
    pub tests: Vec<Expr>,
}

/// A token that is put: the slots or expressions of its columns.
pub(crate) struct Output {
    pub place: usize,
    pub count: u32,
    /// For threads: the slot of the thread that moves, or the children of a spawn by its index.
    pub owner: Owner,
    pub values: Vec<(Expr, Bounds)>,
}

/// Whose token is put.
pub(crate) enum Owner {
    Nobody,
    Slot(usize),
    Children(usize),
}

/// The range of a column; pids, truth values and members fit by their types.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub min: i64,
    pub max: i64,
}

/// What is asked of the members of an enumeration, by their indices.
pub(crate) struct Members {
    pub count: i64,
    /// Whether the first comes after the last.
    pub go_round: bool,
    pub parts: Vec<Range<i64>>,
}

impl Members {
    fn of(enumeration: &Enumeration) -> Members {
        let part = |part: usize| {
            let Range { start, end } = enumeration.part(part);
            start.into()..end.into()
        };
        Members {
            count: enumeration.members.len() as i64,
            go_round: enumeration.symmetry == Symmetry::Rotations,
            parts: (0..enumeration.parts.len()).map(part).collect(),
        }
    }
}

impl Compiled {
    /// Compiles `net` for exploration up to `relations`.
    ///
    /// # Panics
    /// If the net breaches what [`Net::check`] checks, or `relations` lacks one that it observes.
    #[must_use]
    pub fn new(net: Arc<Net>, relations: Relations) -> Compiled {
        let breaches = net.check();
        assert!(breaches.is_empty(), "not a thread net: {breaches:?}");
        assert!(relations.includes(net.relations()), "{relations:?} lacks what the net observes");
        let arcs =
            net.transitions.iter().flat_map(|t| t.takes.iter().chain(&t.reads).chain(&t.puts));
        let plain = arcs.into_iter().all(|arc| arc.each.is_empty());
        assert!(plain, "arcs for each member are fired by the plain interpreter only");
        let rules: Arc<[Rule]> = net.transitions.iter().map(|t| rule(&net, t)).collect();
        let schema = encode::schema(&net);
        let slots = rules.iter().map(|rule| rule.slots).max().unwrap_or(0);
        let inputs = rules.iter().map(|rule| rule.inputs.len()).max().unwrap_or(0);
        let machine =
            Machine::new(slots, inputs, net.enumerations.iter().map(Members::of).collect());
        let successor = Working::new(&schema, relations);
        Compiled { net, relations, schema, rules, machine, successor }
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Ω.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// The shapes of the places.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The working state of a concrete one, and the pid that each index stands for.
    ///
    /// # Panics
    /// If the state is not one of this net.
    #[must_use]
    pub fn working(&self, state: &State) -> (Working, Vec<Pid>) {
        encode::working(&self.net, state, self.relations)
    }

    /// A concrete state of the class of a working one.
    #[must_use]
    pub fn state(&self, working: &Working) -> State {
        encode::state(&self.net, working)
    }

    /// Puts the initial threads and tokens into `working`, which is empty.
    pub(crate) fn start(&self, working: &mut Working) {
        let (initial, _) = self.working(&crate::interpret::initial(&self.net));
        working.copy(&initial);
    }
}

/// What a plan is drawn up from.
struct Planner<'a> {
    net: &'a Net,
    transition: &'a Transition,
    bound: Vec<bool>,
    /// Conditions that cannot fault and are not tested yet.
    tests: Vec<Expr>,
    late: Vec<Step>,
    steps: Vec<Step>,
    inputs: Vec<Input>,
    slots: usize,
}

/// An input before its place in the plan is known.
struct Candidate {
    place: PlaceId,
    count: u32,
    /// The slot of each column that matters.
    columns: Vec<(usize, usize)>,
    takes: bool,
}

fn rule(net: &Net, transition: &Transition) -> Rule {
    let fallibility = Fallibility::of(net, transition);
    let mut planner = Planner {
        net,
        transition,
        bound: vec![false; transition.variables.len()],
        tests: Vec::new(),
        late: Vec::new(),
        steps: Vec::new(),
        inputs: Vec::new(),
        slots: transition.variables.len(),
    };
    let mut conditions = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for participant in &transition.participants {
        let pattern = with_thread(participant);
        let takes = participant.fate != Fate::Stay;
        candidates.push(planner.candidate(participant.from, 1, &pattern, takes, &mut conditions));
    }
    let takes = transition.takes.iter().map(|arc| (arc, true));
    for (arc, takes) in takes.chain(transition.reads.iter().map(|arc| (arc, false))) {
        let (place, count) = (arc.place, arc.count);
        candidates.push(planner.candidate(place, count, &arc.pattern, takes, &mut conditions));
    }
    conditions.extend(transition.guard.iter().cloned());
    for condition in conditions {
        if fallibility.can_fault(&condition) {
            planner.late.push(Step::Test(condition));
        } else {
            planner.tests.push(condition);
        }
    }
    planner.plan(candidates, &fallibility)
}

fn with_thread(participant: &Participant) -> Vec<Option<Expr>> {
    let thread = std::iter::once(Some(Expr::Var(participant.thread)));
    thread.chain(participant.pattern.iter().cloned()).collect()
}

impl Planner<'_> {
    /// The slots of a pattern. What is not a plain variable gets a slot of its own, and a condition.
    fn candidate(
        &mut self,
        place: PlaceId,
        count: u32,
        pattern: &[Option<Expr>],
        takes: bool,
        conditions: &mut Vec<Expr>,
    ) -> Candidate {
        let mut columns = Vec::new();
        for (column, expr) in pattern.iter().enumerate() {
            match expr {
                None => {}
                Some(Expr::Var(var)) if !self.is_defined(*var) => {
                    columns.push((column, var.index()))
                }
                Some(expr) => {
                    let slot = self.slots;
                    self.slots += 1;
                    self.bound.push(false);
                    columns.push((column, slot));
                    let value = Expr::Var(Var(slot as u32));
                    conditions.push(Expr::binary(BinaryOp::Equal, expr.clone(), value));
                }
            }
        }
        Candidate { place, count, columns, takes }
    }

    fn is_defined(&self, var: Var) -> bool {
        self.transition.definitions.iter().any(|(defined, _)| *defined == var)
    }

    fn plan(mut self, mut candidates: Vec<Candidate>, fallibility: &Fallibility) -> Rule {
        let transition = self.transition;
        let outer = self.outer_variables(&candidates);
        let mut inhibitors = Vec::new();
        for inhibitor in &transition.inhibitors {
            let compiled = self.inhibitor(inhibitor, &outer);
            if fallibility.inhibitor_can_fault(inhibitor) {
                self.late.push(Step::Inhibit(compiled));
            } else {
                inhibitors.push((self.outer_of(inhibitor, &outer), compiled));
            }
        }
        let mut definitions = transition.definitions.as_slice();
        let mut parameters = transition.parameters.clone();
        let mut taken = Vec::new();
        loop {
            while let [(var, expr), rest @ ..] = definitions
                && self.is_bound(expr)
            {
                self.bound[var.index()] = true;
                self.steps.push(Step::Define(var.index(), expr.clone()));
                definitions = rest;
            }
            for (var, sort) in parameters.extract_if(.., |(var, _)| self.bound[var.index()]) {
                let Bounds { min, max } = self.bounds(sort);
                self.steps.push(Step::Within { slot: var.index(), min, max });
            }
            for test in std::mem::take(&mut self.tests) {
                if self.is_bound(&test) {
                    self.steps.push(Step::Test(test));
                } else {
                    self.tests.push(test);
                }
            }
            let bound = &self.bound;
            let ready = |(vars, _): &mut (Vec<usize>, Inhibit)| vars.iter().all(|&v| bound[v]);
            self.steps.extend(inhibitors.extract_if(.., ready).map(|(_, i)| Step::Inhibit(i)));
            if let Some(best) = self.most_bound(&candidates) {
                let candidate = candidates.remove(best);
                if candidate.takes {
                    taken.push(self.inputs.len());
                }
                self.scan(&candidate);
            } else if !parameters.is_empty() {
                let (var, sort) = parameters.remove(0);
                let Bounds { min, max } = self.bounds(sort);
                self.bound[var.index()] = true;
                self.steps.push(Step::Range { slot: var.index(), min, max });
            } else {
                break;
            }
        }
        assert!(self.tests.is_empty() && definitions.is_empty(), "the net was checked");
        let spawns = transition.spawns.iter();
        let ending = transition.participants.iter().filter(|p| p.fate == Fate::End);
        Rule {
            reach: self.net.reach(transition),
            spawns: spawns.map(|s| (s.parent.index(), s.child.map(Var::index), s.count)).collect(),
            outputs: self.outputs(),
            ending: ending.map(|p| p.thread.index()).collect(),
            taken,
            inputs: self.inputs,
            steps: self.steps,
            late: self.late,
            slots: self.slots,
        }
    }

    /// The variables that are bound once all inputs, parameters and definitions are.
    fn outer_variables(&self, candidates: &[Candidate]) -> Vec<bool> {
        let mut outer = vec![false; self.slots];
        let columns = candidates.iter().flat_map(|c| c.columns.iter().map(|&(_, slot)| slot));
        let parameters = self.transition.parameters.iter().map(|(var, _)| var.index());
        let definitions = self.transition.definitions.iter().map(|(var, _)| var.index());
        columns.chain(parameters).chain(definitions).for_each(|slot| outer[slot] = true);
        outer
    }

    fn outer_of(&self, inhibitor: &Inhibitor, outer: &[bool]) -> Vec<usize> {
        let mut variables = Vec::new();
        for expr in inhibitor.pattern.iter().flatten().chain(&inhibitor.condition) {
            expr.variables(&mut |var| variables.push(var.index()));
        }
        variables.retain(|&slot| outer[slot]);
        variables
    }

    fn inhibitor(&mut self, inhibitor: &Inhibitor, outer: &[bool]) -> Inhibit {
        let mut cells = Vec::new();
        let mut tests = Vec::new();
        let mut local = vec![false; outer.len()];
        for (column, expr) in inhibitor.pattern.iter().enumerate() {
            let Some(expr) = expr else { continue };
            let min = self.column_min(inhibitor.place, column);
            match expr {
                Expr::Var(var) if !self.is_defined(*var) => {
                    let slot = var.index();
                    let binds = !outer[slot] && !std::mem::replace(&mut local[slot], true);
                    cells.push(Cell { column, min, slot, binds });
                }
                _ => {
                    let slot = self.slots;
                    self.slots += 1;
                    self.bound.push(false);
                    cells.push(Cell { column, min, slot, binds: true });
                    let value = Expr::Var(Var(slot as u32));
                    tests.push(Expr::binary(BinaryOp::Equal, expr.clone(), value));
                }
            }
        }
        tests.extend(inhibitor.condition.clone());
        Inhibit { place: inhibitor.place.index(), count: inhibitor.count, cells, tests }
    }

    fn is_bound(&self, expr: &Expr) -> bool {
        let mut bound = true;
        expr.variables(&mut |var| bound &= self.bound[var.index()]);
        bound
    }

    /// The input of which most is bound; of equal ones the first.
    fn most_bound(&self, candidates: &[Candidate]) -> Option<usize> {
        let score = |candidate: &Candidate| {
            let bound = candidate.columns.iter().filter(|(_, slot)| self.bound[*slot]).count();
            let binds = |var: Var| candidate.columns.iter().any(|&(_, slot)| slot == var.index());
            let related = self.tests.iter().filter(|test| match test {
                Expr::Relation(_, a, b) => {
                    binds(*a) && self.bound[b.index()] || binds(*b) && self.bound[a.index()]
                }
                _ => false,
            });
            2 * bound + related.count()
        };
        let best = candidates.iter().map(score).max()?;
        candidates.iter().position(|candidate| score(candidate) == best)
    }

    fn scan(&mut self, candidate: &Candidate) {
        let mut cells = Vec::new();
        for &(column, slot) in &candidate.columns {
            let binds = !std::mem::replace(&mut self.bound[slot], true);
            let min = self.column_min(candidate.place, column);
            cells.push(Cell { column, min, slot, binds });
        }
        let place = candidate.place.index();
        let before = self.inputs.iter().enumerate();
        let rivals = before.filter(|(_, input)| input.place == place).map(|(i, _)| i).collect();
        self.steps.push(Step::Scan(self.inputs.len()));
        self.inputs.push(Input { place, count: candidate.count, cells, rivals });
    }

    fn column_min(&self, place: PlaceId, column: usize) -> i64 {
        self.bounds(self.net.place(place).columns[column].sort).min
    }

    fn bounds(&self, sort: Sort) -> Bounds {
        match sort {
            Sort::Pid => Bounds { min: 0, max: i64::MAX },
            Sort::Int { min, max } => Bounds { min, max },
            Sort::Bool => Bounds { min: 0, max: 1 },
            Sort::Enum(id) => {
                let members = self.net.enumerations[id.index()].members.len();
                Bounds { min: 0, max: members as i64 - 1 }
            }
        }
    }

    fn outputs(&self) -> Vec<Output> {
        let mut outputs = Vec::new();
        let mut put = |place: PlaceId, count, owner, values: &mut dyn Iterator<Item = &Expr>| {
            let skip = usize::from(!matches!(owner, Owner::Nobody));
            let columns = self.net.place(place).columns[skip..].iter();
            let values = values.zip(columns).map(|(e, c)| (e.clone(), self.bounds(c.sort)));
            outputs.push(Output { place: place.index(), count, owner, values: values.collect() });
        };
        for participant in &self.transition.participants {
            if let Fate::Move { to, values } = &participant.fate {
                put(*to, 1, Owner::Slot(participant.thread.index()), &mut values.iter());
            }
        }
        for (i, spawn) in self.transition.spawns.iter().enumerate() {
            put(spawn.to, 1, Owner::Children(i), &mut spawn.values.iter());
        }
        for arc in &self.transition.puts {
            put(arc.place, arc.count, Owner::Nobody, &mut arc.pattern.iter().flatten());
        }
        outputs
    }
}
