//! Firing compiled rules on working states.
//!
//! A depth-first walk through the steps of a plan: scans and ranges try their values one after the
//! other, tests cut off. At the end of the plan the successor is made in scratch memory: a copy of the
//! source from which tokens are taken, in which children are created, tokens put and threads ended.

mod inhibit;
mod probe;
mod single;
mod swarm;

use std::sync::Arc;

use fold::{Interests, Kin, Kinship, Reach, Regarded, Role, Rules, Schema, Sink, Working};

use crate::compile::{Births, Cell, Compiled, Effect, Members, Output, Owner, Rule, Step};
use crate::expr::something;
use crate::{
    BinaryOp, Expr, Fate, Fault, FaultKind, Participant, PlaceId, Transition, TransitionId,
    UnaryOp, Var,
};

/// How many combinations are tried between two questions whether there is still time.
const TRIES_PER_ASK: u32 = 1024;

/// The scratch memory of firing.
#[derive(Clone)]
pub(crate) struct Machine {
    /// The values of the slots: pids by index, data as they are.
    values: Vec<i64>,
    /// The definitions that have faulted.
    faulty: Vec<Option<FaultKind>>,
    any_faulty: bool,
    /// The entry chosen for each input, by index.
    chosen: Vec<usize>,
    token: Vec<u32>,
    /// The entries chosen for the arcs of an inhibitor.
    forbidden: Vec<usize>,
    /// The tokens claimed: their places, entries, and how often.
    claims: Vec<(usize, usize, u32)>,
    /// The first child of each spawn; the others follow it.
    first_child: Vec<u32>,
    members: Arc<[Members]>,
    tries: u32,
    /// There is a mode.
    found: bool,
    /// The limits of the run are passed.
    stopped: bool,
}

impl Machine {
    pub(crate) fn new(slots: usize, inputs: usize, members: Arc<[Members]>) -> Machine {
        Machine {
            values: vec![0; slots],
            faulty: vec![None; slots],
            any_faulty: false,
            chosen: vec![0; inputs],
            token: Vec::new(),
            forbidden: Vec::new(),
            claims: Vec::new(),
            first_child: Vec::new(),
            members,
            tries: 0,
            found: false,
            stopped: false,
        }
    }
}

impl Rules for Compiled {
    type Fault = Fault;

    fn schema(&self) -> &Schema {
        Compiled::schema(self)
    }

    fn has_threads(&self) -> bool {
        self.net().has_threads()
    }

    fn is_idle(&self, place: usize) -> bool {
        self.net().places[place].idle
    }

    fn is_forgotten(&self, place: usize) -> bool {
        self.net().places[place].forgotten
    }

    fn roles(&self) -> Vec<Vec<(usize, Role)>> {
        let of = |rule: &Transition| {
            let role = |participant: &Participant| {
                let (acts, ends) = (!participant.passive, participant.fate == Fate::End);
                (participant.thread.index(), Role { acts, ends, ends_all: rule.ends_all })
            };
            rule.participants.iter().map(role).collect()
        };
        self.net().transitions.iter().map(of).collect()
    }

    fn can_end_all(&self) -> bool {
        self.net().can_end_all()
    }

    fn has_reach(&self, reach: Reach) -> bool {
        self.rules.iter().any(|rule| rule.reach == Some(reach))
    }

    fn needed_beside_rest(&self) -> Vec<Vec<usize>> {
        let rules = self.rules.iter().zip(&self.net().transitions);
        let with_rest = rules.filter(|(rule, _)| rule.reach == Some(Reach::FamilyAndRest));
        let from = |transition: &Transition| {
            transition.participants.iter().map(|participant| participant.from.index()).collect()
        };
        with_rest.map(|(_, transition)| from(transition)).collect()
    }

    fn initial(&mut self, working: &mut Working) {
        self.start(working);
    }

    fn fire(&mut self, working: &Working, reach: Reach, sink: &mut dyn Sink) -> Result<(), Fault> {
        self.fire_all(working, &|rule| rule.reach == Some(reach), None, sink).map(drop)
    }

    fn is_reduced(&self) -> bool {
        self.stubborn.is_some()
    }

    fn fire_some(&mut self, state: &Working, sink: &mut dyn Sink) -> Result<bool, Fault> {
        self.fire_chosen(state, None, &|rule| rule.reach.is_some(), sink)
    }

    fn fire_alone(
        &mut self,
        part: &Working,
        outside: &[usize],
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let is_within = |rule: &Rule| rule.reach.is_some_and(|reach| reach != Reach::State);
        self.fire_chosen(part, Some(outside), &is_within, sink)
    }
}

impl Compiled {
    /// Whether a transition cannot fire before it is known how a test on data that is not kept turns out.
    fn has_to_wait(&self, working: &Working, transition: TransitionId) -> bool {
        !self.rules[transition.index()].is_outcome && is_forgotten_choice(&self.forgotten, working)
    }

    /// Fires the modes of some rules in which a set of threads takes part that may move alone and can; `false` where
    /// there is none. If `outside` is given, the state is a part of one: see [`Choice::find`].
    fn fire_chosen(
        &mut self,
        working: &Working,
        outside: Option<&[usize]>,
        is_meant: &dyn Fn(&Rule) -> bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let Some((stubborn, mut choice)) = self.stubborn.take() else { return Ok(false) };
        let mut fired = Ok(false);
        for number in 0..choice.find(&stubborn, working, outside, &mut self.machine) {
            let chosen = choice.chosen(number);
            let is_theirs = |rule: &Rule| !rule.threads.is_empty() && is_meant(rule);
            fired = self.fire_all(working, &is_theirs, Some(chosen), sink);
            if !matches!(fired, Ok(false)) {
                break;
            }
        }
        self.stubborn = Some((stubborn, choice));
        fired
    }

    /// Fires the modes of some rules; where threads are chosen, those in which one of them takes part. Says whether
    /// there were any, as far as was looked.
    fn fire_all(
        &mut self,
        working: &Working,
        is_meant: &dyn Fn(&Rule) -> bool,
        chosen: Option<&[bool]>,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let Compiled { rules, machine, successor, kept, schema, forgotten, .. } = self;
        (machine.stopped, machine.found) = (false, false);
        let only_outcomes = is_forgotten_choice(forgotten, working);
        for (transition, rule) in (0..).zip(&**rules) {
            if only_outcomes && !rule.is_outcome && rule.effect != Effect::Probes {
                continue;
            }
            if !is_meant(rule) || rule.inputs.iter().any(|i| working.is_empty(i.place)) {
                continue;
            }
            machine.forget_faults();
            let kept = kept.as_mut().map(|kept| (&*schema, kept));
            let mut firing =
                Firing { transition, rule, working, machine, successor, kept, sink, chosen };
            firing
                .run(&rule.steps)
                .map_err(|kind| Fault { transition: TransitionId(transition), kind })?;
            if machine.stopped {
                break;
            }
        }
        Ok(machine.found || machine.stopped)
    }
}

/// Whether some thread is where one learns how a test on data that is not kept turns out.
fn is_forgotten_choice(forgotten: &[usize], working: &Working) -> bool {
    forgotten.iter().any(|&place| !working.is_empty(place))
}

/// A rule being fired in a state.
struct Firing<'a> {
    transition: u32,
    rule: &'a Rule,
    working: &'a Working,
    machine: &'a mut Machine,
    successor: &'a mut Working,
    /// Which links are kept, if not all.
    kept: Option<(&'a Schema, &'a mut (Arc<Interests>, Regarded))>,
    sink: &'a mut dyn Sink,
    /// By pid, those of whom one has to take part, if not all modes are meant.
    chosen: Option<&'a [bool]>,
}

impl Firing<'_> {
    /// Goes through the rest of a plan.
    fn run(&mut self, mut steps: &[Step]) -> Result<(), FaultKind> {
        while let [step, rest @ ..] = steps {
            match step {
                Step::Scan(input) => return self.scan(*input, rest),
                Step::Range { slot, min, max } => {
                    for value in *min..=*max {
                        if self.stopped() {
                            break;
                        }
                        self.machine.values[*slot] = value;
                        self.run(rest)?;
                    }
                    return Ok(());
                }
                _ if !self.passes(step)? => return Ok(()),
                _ => steps = rest,
            }
        }
        let rule = self.rule;
        if !self.is_meant() {
            return Ok(());
        }
        for step in &rule.late {
            if !self.passes(step)? {
                return Ok(());
            }
        }
        self.emit()
    }

    /// Whether one of those chosen takes part.
    fn is_meant(&self) -> bool {
        self.chosen.is_none_or(|chosen| {
            let mut threads = self.rule.threads.iter();
            threads.any(|slot| chosen[self.machine.values[*slot] as usize])
        })
    }

    fn scan(&mut self, index: usize, rest: &[Step]) -> Result<(), FaultKind> {
        let input = &self.rule.inputs[index];
        for (at, entry) in self.working.entries(input.place).enumerate() {
            if self.stopped() {
                break;
            }
            let claimed = input.rivals.iter().filter(|&&rival| self.machine.chosen[rival] == at);
            let claimed = claimed.map(|&rival| u64::from(self.rule.inputs[rival].count));
            if u64::from(entry[0]) >= u64::from(input.count) + claimed.sum::<u64>()
                && matches(&input.cells, entry, &mut self.machine.values)
            {
                self.machine.chosen[index] = at;
                self.run(rest)?;
            }
        }
        Ok(())
    }

    fn stopped(&mut self) -> bool {
        self.machine.tries += 1;
        if self.machine.tries == TRIES_PER_ASK {
            self.machine.tries = 0;
            self.machine.stopped |= self.sink.enough();
        }
        self.machine.stopped
    }

    fn passes(&mut self, step: &Step) -> Result<bool, FaultKind> {
        let kinship = &self.working.kinship;
        match step {
            Step::Within { slot, min, max } => {
                Ok((*min..=*max).contains(&self.machine.values[*slot]))
            }
            Step::Define(slot, expr) => {
                match self.machine.eval(kinship, expr) {
                    Ok(value) => {
                        self.machine.values[*slot] = value;
                        self.machine.faulty[*slot] = None;
                    }
                    Err(kind) => {
                        self.machine.faulty[*slot] = Some(kind);
                        self.machine.any_faulty = true;
                    }
                }
                Ok(true)
            }
            Step::Test(expr) => Ok(self.machine.eval(kinship, expr)? != 0),
            Step::Inhibit(inhibit) => self.machine.is_free_of(inhibit, self.working),
            Step::Find(swarm) => self.machine.finds(&self.rule.swarms[*swarm], self.working),
            Step::FindTogether(swarms) => {
                let swarms = &self.rule.swarms[..*swarms];
                self.machine.finds_together(&self.rule.inputs, swarms, self.working)
            }
            Step::Scan(_) | Step::Range { .. } => unreachable!("these are walked through"),
        }
    }

    fn emit(&mut self) -> Result<(), FaultKind> {
        match self.rule.effect {
            Effect::Fires => {}
            Effect::Fails => {
                return Err(FaultKind::Failure { transition: TransitionId(self.transition) });
            }
            Effect::Probes => {
                self.machine.found = true;
                // What can fault is looked at in any case.
                self.machine.stopped |= self.rule.late.is_empty();
                return Ok(());
            }
        }
        self.machine.found = true;
        self.successor.copy(self.working);
        self.machine.make(self.rule, self.working, self.successor)?;
        if let Some((schema, (interests, regarded))) = &mut self.kept {
            self.successor.keep_links(schema, interests, regarded);
        }
        self.sink.emit_mode(self.transition, &self.machine.values, self.successor);
        self.machine.stopped |= self.sink.enough();
        Ok(())
    }
}

/// Binds and compares the columns of an entry.
pub(crate) fn matches(cells: &[Cell], entry: &[u32], values: &mut [i64]) -> bool {
    cells.iter().all(|cell| {
        let value = cell.bounds.value(entry[1 + cell.column]);
        if cell.binds {
            values[cell.slot] = value;
        }
        values[cell.slot] == value
    })
}

impl Machine {
    /// Slots mean something else in the next rule.
    fn forget_faults(&mut self) {
        if std::mem::take(&mut self.any_faulty) {
            self.faulty.fill(None);
        }
    }

    /// Turns a copy of `working` into the successor under the mode that the slots hold.
    fn make(
        &mut self,
        rule: &Rule,
        working: &Working,
        successor: &mut Working,
    ) -> Result<(), FaultKind> {
        for &index in &rule.taken {
            let input = &rule.inputs[index];
            let entry = working.entry(input.place, self.chosen[index]);
            successor.take(input.place, &entry[1..], input.count);
        }
        for &index in &rule.taken_swarms {
            self.take_swarm(&rule.swarms[index], working, successor)?;
        }
        self.first_child.clear();
        for &Births { parent, child, count, .. } in &rule.spawns {
            let first = successor.kinship.kin().len() as u32;
            for _ in 0..count {
                successor.kinship.spawn(self.values[parent] as u32);
            }
            if let Some(child) = child {
                self.values[child] = i64::from(first);
            }
            self.first_child.push(first);
        }
        for &slot in &rule.news {
            self.values[slot] = successor.kinship.add(Kin::STRANGER).into();
        }
        for output in &rule.outputs {
            self.put(rule, output, successor)?;
        }
        for &slot in &rule.ending {
            successor.kinship.end(self.values[slot] as u32);
        }
        for (births, first) in rule.spawns.iter().zip(&self.first_child) {
            if births.end {
                (0..births.count).for_each(|child| successor.kinship.end(first + child));
            }
        }
        Ok(())
    }

    /// Puts the tokens of an output: one for each thread, or for each choice.
    fn put(
        &mut self,
        rule: &Rule,
        output: &Output,
        successor: &mut Working,
    ) -> Result<(), FaultKind> {
        let (threads, owned) = match output.owner {
            Owner::Nobody if !output.choices.slots.is_empty() => {
                return self.put_swarm(output, successor);
            }
            Owner::Nobody => (0..1, false),
            Owner::Slot(slot) => {
                let thread = self.values[slot] as u32;
                (thread..thread + 1, true)
            }
            Owner::Children(spawn) => {
                let first = self.first_child[spawn];
                (first..first + rule.spawns[spawn].count, true)
            }
        };
        if threads.is_empty() {
            return Ok(());
        }
        self.make_token(output, owned, &successor.kinship)?;
        for thread in threads {
            if owned {
                self.token[0] = thread;
            }
            self.put_token(output, successor)?;
        }
        Ok(())
    }

    /// Works out the token of an output, all but the thread that owns it.
    fn make_token(
        &mut self,
        output: &Output,
        owned: bool,
        kinship: &Kinship,
    ) -> Result<(), FaultKind> {
        self.token.clear();
        self.token.resize(usize::from(owned), 0);
        for (expr, bounds) in &output.values {
            let value = self.eval(kinship, expr)?;
            let Some(word) = bounds.word(value) else {
                let place = PlaceId(output.place as u32);
                return Err(FaultKind::OutOfRange { place, column: self.token.len(), value });
            };
            self.token.push(word);
        }
        self.normalise(output);
        Ok(())
    }

    /// Brings the token into normal form.
    #[inline]
    fn normalise(&mut self, output: &Output) {
        if let Some(shape) = &output.grouped {
            shape.normalise(&mut self.token);
        }
    }

    fn put_token(&self, output: &Output, successor: &mut Working) -> Result<(), FaultKind> {
        if successor.put(output.place, &self.token, output.count) {
            Ok(())
        } else {
            Err(FaultKind::TooManyTokens { place: PlaceId(output.place as u32) })
        }
    }

    pub(crate) fn values(&mut self) -> &mut [i64] {
        &mut self.values
    }

    pub(crate) fn eval(&self, kinship: &Kinship, expr: &Expr) -> Result<i64, FaultKind> {
        Ok(match expr {
            Expr::Literal(literal) => literal.number(),
            Expr::Var(var) => self.value(*var)?,
            Expr::Unary(UnaryOp::Not, a) => i64::from(self.eval(kinship, a)? == 0),
            Expr::Unary(UnaryOp::Value, a) => something(self.eval(kinship, a)?)?,
            Expr::Unary(UnaryOp::Negate, a) => {
                self.eval(kinship, a)?.checked_neg().ok_or(FaultKind::Overflow)?
            }
            Expr::Binary(op, a, b) => {
                let x = self.eval(kinship, a)?;
                match op {
                    BinaryOp::And if x == 0 => return Ok(0),
                    BinaryOp::Or if x != 0 => return Ok(1),
                    BinaryOp::Implies if x == 0 => return Ok(1),
                    _ => op.apply(x, self.eval(kinship, b)?)?,
                }
            }
            Expr::If(condition, a, b) => {
                self.eval(kinship, if self.eval(kinship, condition)? != 0 { a } else { b })?
            }
            Expr::Relation(relation, a, b) => {
                let (a, b) = (self.value(*a)? as u32, self.value(*b)? as u32);
                i64::from(kinship.holds(*relation, a, b))
            }
            Expr::Shift(a, id, steps) => {
                let members = &self.members[id.index()];
                let shifted = self.eval(kinship, a)? + i64::from(*steps);
                match members.go_round {
                    true => shifted.rem_euclid(members.count),
                    false if (0..members.count).contains(&shifted) => shifted,
                    false => return Err(FaultKind::NoMember { enumeration: *id }),
                }
            }
            Expr::Within(a, id, part) => {
                let part = &self.members[id.index()].parts[*part as usize];
                i64::from(part.contains(&self.eval(kinship, a)?))
            }
            _ => unreachable!("the net was checked, yet a transition asks for the state"),
        })
    }

    fn value(&self, var: Var) -> Result<i64, FaultKind> {
        match &self.faulty[var.index()] {
            None => Ok(self.values[var.index()]),
            Some(kind) => Err(kind.clone()),
        }
    }
}
