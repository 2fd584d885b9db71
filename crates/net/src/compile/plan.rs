//! Plans: how the modes of a transition are searched for.
//!
//! A plan says in which order to go through the places, what each column binds or must equal, and after
//! which step each condition can be tested. An input is scanned early if many of its columns are bound
//! already, or if a relation ties it to a bound pid, since then few tokens fit. The tokens of an arc for
//! each member are looked for as soon as all is bound that they depend on; where others may claim the
//! same tokens, they are counted together at the end. What can fault comes last (see `fallible`).

use super::{
    Births, Bounds, Cell, Choices, Effect, Inhibit, Input, Output, Owner, Rule, Step, bounds, range,
};
use crate::expr::NO_VALUE;
use crate::fallible::Fallibility;
use crate::stubborn::threads;
use crate::{
    Arc, BinaryOp, Expr, Fate, Kind, Net, Participant, PlaceId, Sort, Spawn, Transition, Var,
};
use inhibit::outer_of;

mod inhibit;

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
    swarms: Vec<Output>,
    taken_swarms: Vec<usize>,
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

pub(super) fn rule(net: &Net, transition: &Transition) -> Rule {
    let fallibility = Fallibility::of(net, transition);
    let mut planner = Planner {
        net,
        transition,
        bound: vec![false; transition.variables.len()],
        tests: Vec::new(),
        late: Vec::new(),
        steps: Vec::new(),
        inputs: Vec::new(),
        swarms: Vec::new(),
        taken_swarms: Vec::new(),
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
    let arcs = takes.chain(transition.reads.iter().map(|arc| (arc, false)));
    for (arc, takes) in arcs.clone().filter(|(arc, _)| arc.each.is_empty()) {
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
    let swarms = arcs.filter(|(arc, _)| !arc.each.is_empty());
    let (doubtful, sure): (Vec<_>, Vec<_>) =
        swarms.partition(|(arc, _)| fallibility.arc_can_fault(arc));
    for (arc, takes) in sure.iter().chain(&doubtful) {
        if *takes {
            planner.taken_swarms.push(planner.swarms.len());
        }
        planner.swarms.push(planner.tokens(arc));
    }
    let late = (sure.len()..planner.swarms.len()).map(|index| Step::FindTogether(index + 1));
    planner.late.extend(late);
    let sure: Vec<&Arc> = sure.into_iter().map(|(arc, _)| arc).collect();
    planner.plan(candidates, &sure, &fallibility)
}

/// Whether an arc for each member may claim a token that another input, or itself once more, claims.
fn have_rivals(net: &Net, candidates: &[Candidate], arcs: &[&Arc]) -> bool {
    arcs.iter().enumerate().any(|(i, arc)| {
        let is_plain = |var: &Var| arc.pattern.contains(&Some(Expr::Var(*var)));
        // Records that trade places make the same token of two choices.
        let has_groups = !net.place(arc.place).groups.is_empty();
        let tokens_differ = !has_groups && arc.each.iter().all(is_plain);
        !tokens_differ
            || candidates.iter().any(|candidate| candidate.place == arc.place)
            || arcs[..i].iter().any(|other| other.place == arc.place)
    })
}

fn births(spawn: &Spawn) -> Births {
    Births {
        parent: spawn.parent.index(),
        child: spawn.child.map(Var::index),
        count: spawn.count,
        end: spawn.to.is_none(),
    }
}

fn effect(transition: &Transition) -> Effect {
    match &transition.failure {
        _ if transition.probe => Effect::Probes,
        Some(_) => Effect::Fails,
        None => Effect::Fires,
    }
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
        let columns = self.columns(pattern, conditions);
        Candidate { place, count, columns, takes }
    }

    /// A new slot, and the condition that it equals an expression.
    fn slot_equal_to(&mut self, expr: &Expr, conditions: &mut Vec<Expr>) -> usize {
        let slot = self.slots;
        self.slots += 1;
        self.bound.push(false);
        let value = Expr::Var(Var(slot as u32));
        conditions.push(Expr::binary(BinaryOp::Equal, expr.clone(), value));
        slot
    }

    /// `sure` are the arcs for each member that cannot fault.
    fn plan(
        mut self,
        mut candidates: Vec<Candidate>,
        sure: &[&Arc],
        fallibility: &Fallibility,
    ) -> Rule {
        let transition = self.transition;
        let have_rivals = have_rivals(self.net, &candidates, sure);
        let mut swarms: Vec<(usize, &Arc)> = sure.iter().copied().enumerate().collect();
        let outer = self.outer_variables(&candidates);
        let mut inhibitors = Vec::new();
        for inhibitor in &transition.inhibitors {
            let compiled = self.inhibitor(inhibitor, &outer, fallibility);
            if fallibility.inhibitor_can_fault(inhibitor) {
                self.late.push(Step::Inhibit(compiled));
            } else {
                inhibitors.push((outer_of(inhibitor, &outer), compiled));
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
                let (min, max) = range(self.net, sort);
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
            let ready = swarms.extract_if(.., |(_, arc)| self.is_bound_but_for_members(arc));
            let ready: Vec<Step> = ready.map(|(index, _)| Step::Find(index)).collect();
            self.steps.extend(ready);
            if let Some(best) = self.most_bound(&candidates) {
                let candidate = candidates.remove(best);
                if candidate.takes {
                    taken.push(self.inputs.len());
                }
                self.scan(&candidate);
            } else if !parameters.is_empty() {
                let (var, sort) = parameters.remove(0);
                let (min, max) = range(self.net, sort);
                self.bound[var.index()] = true;
                self.steps.push(Step::Range { slot: var.index(), min, max });
            } else {
                break;
            }
        }
        assert!(self.tests.is_empty() && definitions.is_empty(), "the net was checked");
        assert!(swarms.is_empty(), "the net was checked");
        if have_rivals {
            self.steps.push(Step::FindTogether(sure.len()));
        }
        let spawns = transition.spawns.iter();
        let ending = transition.participants.iter().filter(|p| p.fate.ends());
        Rule {
            reach: (!transition.probe).then(|| self.net.reach(transition)),
            spawns: spawns.map(births).collect(),
            effect: effect(transition),
            is_outcome: self.net.is_outcome(transition),
            news: transition.news.iter().map(|(var, _)| var.index()).collect(),
            outputs: self.outputs(),
            threads: threads(transition),
            ending: ending.map(|p| p.thread.index()).collect(),
            taken,
            swarms: self.swarms,
            taken_swarms: self.taken_swarms,
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

    fn is_bound(&self, expr: &Expr) -> bool {
        let mut bound = true;
        expr.variables(&mut |var| bound &= self.bound[var.index()]);
        bound
    }

    /// Whether all is bound that the tokens of an arc for each member depend on.
    fn is_bound_but_for_members(&self, arc: &Arc) -> bool {
        let mut bound = true;
        for expr in arc.expressions() {
            expr.variables(&mut |var| bound &= self.bound[var.index()] || arc.each.contains(&var));
        }
        bound
    }

    /// The tokens of an arc that are put, or must be there.
    fn tokens(&self, arc: &Arc) -> Output {
        let values = arc.pattern.iter().flatten().cloned();
        let (at, choices) = ((arc.place, arc.count), self.choices(arc));
        Output::new(self.net, at, Owner::Nobody, choices, values)
    }

    fn choices(&self, arc: &Arc) -> Choices {
        let slot = |var: &Var| match self.transition.variables[var.index()].kind {
            Kind::Enum(id) => (var.index(), range(self.net, Sort::Enum(id)).1 + 1),
            _ => unreachable!("the net was checked, yet {var:?} goes through no enumeration"),
        };
        Choices { slots: arc.each.iter().map(slot).collect(), condition: arc.condition.clone() }
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
            let bounds = self.bounds(candidate.place, column);
            cells.push(Cell { column, bounds, slot, binds });
        }
        let place = candidate.place.index();
        let before = self.inputs.iter().enumerate();
        let rivals = before.filter(|(_, input)| input.place == place).map(|(i, _)| i).collect();
        self.steps.push(Step::Scan(self.inputs.len()));
        // What is always something must not be used while it may be nothing.
        let columns = &self.net.place(candidate.place).columns;
        for cell in cells.iter().filter(|cell| cell.binds && columns[cell.column].optional) {
            if self.is_something(cell.slot) {
                let (min, max) = (NO_VALUE + 1, i64::MAX);
                self.steps.push(Step::Within { slot: cell.slot, min, max });
            }
        }
        self.inputs.push(Input { place, count: candidate.count, cells, rivals });
    }

    /// Whether a slot is that of a variable that is always something.
    fn is_something(&self, slot: usize) -> bool {
        self.transition.variables.get(slot).is_some_and(|variable| !variable.optional)
    }

    fn bounds(&self, place: PlaceId, column: usize) -> Bounds {
        bounds(self.net, &self.net.place(place).columns[column])
    }

    fn outputs(&self) -> Vec<Output> {
        let t = self.transition;
        let of_thread = |to: PlaceId, owner, values: &[Expr]| {
            Output::new(self.net, (to, 1), owner, Choices::default(), values.iter().cloned())
        };
        let moves = t.participants.iter().filter_map(|participant| match &participant.fate {
            Fate::Move { to, values } => {
                Some(of_thread(*to, Owner::Slot(participant.thread.index()), values))
            }
            Fate::Stay | Fate::End | Fate::Crash => None,
        });
        let spawns = t.spawns.iter().enumerate();
        let children =
            spawns.filter_map(|(i, s)| Some(of_thread(s.to?, Owner::Children(i), &s.values)));
        moves.chain(children).chain(t.puts.iter().map(|arc| self.tokens(arc))).collect()
    }
}
