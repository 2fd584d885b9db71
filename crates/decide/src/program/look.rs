//! What is looked at in a graph as far as it is known: single states, how paths branch, runs.

use check::{Automaton, Bits, Branching, Certainty, Graph, Prospect, Question, find_lasso};
use explore::{Exploration, StateId};
use machine::{Machine, Survey};
use net::{Expr, Formula};
use program::Failure;
use survey::Engine;
use unfold::Predicate;

use super::lives::Population;
use super::{Asked, Assumed};
use crate::atom::Atom;
use crate::goal::{Answer, Claim, Goal, Goals};

/// What is known of a graph.
pub(super) struct Looking<'a> {
    asked: Asked<'a>,
    machine: Machine<'a>,
    /// Whether it is about a thread that is followed.
    follows: bool,
    /// The states in which each atom holds.
    values: Vec<Bits>,
    /// Those below this number were looked at.
    seen: u32,
    /// In those below this number it was looked for what is somewhere.
    searched: u32,
    /// The failures that were met.
    failures: Vec<Failure>,
    /// Why something is not decided.
    problem: Option<String>,
}

/// The part of a graph that is known.
struct Known<'f> {
    found: &'f Exploration,
    expanded: u32,
}

impl Graph for Known<'_> {
    fn states(&self) -> u32 {
        self.found.store.len()
    }

    fn is_expanded(&self, state: u32) -> bool {
        state < self.expanded
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let quotient =
            self.found.quotient.as_ref().expect("edges are kept where paths are asked for");
        let row = self.is_expanded(state).then(|| quotient.successors(StateId(state)));
        row.into_iter().flatten().map(|(label, target)| (label, target.0))
    }
}

impl<'a> Looking<'a> {
    pub(super) fn new(asked: Asked<'a>, machine: Machine<'a>, follows: bool) -> Looking<'a> {
        let (values, failures, problem) = Default::default();
        Looking { asked, machine, follows, values, seen: 0, searched: 0, failures, problem }
    }

    /// Whether some goal asks what can happen next in a state.
    pub(super) fn asks_what_is_next(&self, goals: &Goals) -> bool {
        let mut asks = false;
        for atom in goals.atoms.all() {
            if let Atom::Formula(formula) = atom {
                each_statement(formula, &mut |number| {
                    asks |= self.asked.code.asks_what_is_next(number)
                });
            }
        }
        asks
    }

    pub(super) fn failures(&mut self) -> Vec<Failure> {
        std::mem::take(&mut self.failures)
    }

    /// Whether no run begins that goals are about: nobody ever comes who is to be followed.
    pub(super) fn has_no_roots(&self, found: &Exploration) -> bool {
        self.follows && self.roots(found).is_empty()
    }

    /// Why claims are left without answer.
    pub(super) fn why(&self, found: &Exploration) -> String {
        match (&self.problem, found.reason) {
            (Some(why), _) => why.clone(),
            (None, Some(stop)) => stop.to_string(),
            (None, None) => "it was not decided".into(),
        }
    }

    /// Settles what can be known of a graph, of which all is found that will be if it is the last look.
    pub(super) fn look(
        &mut self,
        goals: &mut Goals,
        claims: &[Claim],
        found: &Exploration,
        is_last: bool,
    ) {
        let pending = goals.pending(claims.iter());
        let is_complete = is_last && found.complete;
        if self.look_at_states(goals, &pending, found).is_err() {
            return;
        }
        let new = std::mem::replace(&mut self.searched, self.seen)..self.seen;
        for &goal in &pending {
            let answer = match goals.goal(goal).clone() {
                Goal::Initially(atom) if self.seen > 0 => {
                    Some(Answer::Holds(self.values[atom as usize].get(0)))
                }
                Goal::Somewhere(atom, value) => {
                    let is_one = |state: &u32| {
                        self.values[atom as usize].get(*state) == value
                            && !self.has_failed(found, *state)
                    };
                    let is_there = new.clone().any(|state| is_one(&state));
                    (is_there || is_complete).then_some(Answer::Holds(is_there))
                }
                _ if !is_last => None,
                Goal::Everyone(prospect) if is_complete => self.everyone(prospect, found),
                Goal::Branching(formula) if is_complete => self.branching(&formula, found),
                Goal::Linear(formula) => {
                    let automaton = Automaton::of(&goals.ltl, goals.ltl.not(formula));
                    match automaton {
                        Ok(automaton) => self.linear(&automaton, found, is_complete),
                        Err(error) => {
                            self.problem = Some(error.to_string());
                            None
                        }
                    }
                }
                _ => None,
            };
            if let Some(answer) = answer {
                goals.settle(goal, answer, Engine::Explicit);
            }
        }
    }

    fn has_failed(&self, found: &Exploration, state: u32) -> bool {
        self.machine.failure(found.store.get(StateId(state))).is_some()
    }

    /// Evaluates atoms in the states that were expanded since the last time.
    fn look_at_states(
        &mut self,
        goals: &Goals,
        pending: &[usize],
        found: &Exploration,
    ) -> Result<(), budget::Exhausted> {
        let atoms = goals.atoms.all();
        self.values.resize_with(atoms.len(), Bits::default);
        self.values.iter_mut().for_each(|values| values.grow(found.store.len()));
        let mut numbers: Vec<u32> = pending.iter().flat_map(|goal| goals.atoms_of(*goal)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut statements = Vec::new();
        for atom in &numbers {
            if let Atom::Formula(formula) = &atoms[*atom as usize] {
                each_statement(formula, &mut |number| statements.push(number));
            }
        }
        statements.sort_unstable();
        statements.dedup();
        let (mut holding, mut next) = (Vec::new(), Vec::new());
        for id in (self.seen..found.expanded as u32).map(StateId) {
            self.asked.budget.check()?;
            let state = found.store.get(id);
            self.failures.extend(self.machine.failure(state));
            next.clear();
            if let Some(quotient) = &found.quotient {
                next.extend(quotient.successors(id).map(|(label, _)| label));
            }
            if !statements.is_empty() {
                self.machine.holding(state, &next, &statements, &mut holding);
            }
            let is_last = found.is_deadlock(id) || found.is_terminated(id);
            let says = |statement: u32| {
                let at = statements.binary_search(&statement).expect("it was looked at");
                holding[at]
            };
            for &atom in &numbers {
                let holds = match &atoms[atom as usize] {
                    Atom::Counting(predicate) => satisfies(predicate, is_last),
                    Atom::Deadlock => found.is_deadlock(id) && self.machine.is_deadlock(state),
                    Atom::Formula(formula) => holds(formula, is_last, &says),
                };
                if holds {
                    self.values[atom as usize].set(id.0);
                }
            }
            self.seen = id.0 + 1;
        }
        Ok(())
    }

    fn everyone(&mut self, prospect: Prospect, found: &Exploration) -> Option<Answer> {
        let mut survey = Survey::new(&mut self.machine, found);
        let hopeless = survey.hopeless(prospect, self.asked.budget).ok()?;
        Some(Answer::Holds(hopeless.is_none()))
    }

    /// The states in which runs begin that goals are about.
    fn roots(&self, found: &Exploration) -> Vec<u32> {
        if !self.follows {
            return vec![0];
        }
        // Where the first thread is followed from the start there is another initial state.
        let mut roots: Vec<u32> = found.initial().skip(1).map(|id| id.0).collect();
        let quotient = found.quotient.as_ref().expect("edges are kept where a thread is followed");
        let entered = quotient.iter().filter(|(_, label, _)| self.machine.enters(*label));
        roots.extend(entered.map(|(_, _, target)| target.0).filter(|target| *target < self.seen));
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// What is asked of all runs is decided only where nothing goes wrong: it would have to be said what a run is that does.
    fn goes_wrong(&mut self) -> bool {
        if let Some(failure) = self.failures.first() {
            let what = failure.kind.describe();
            self.problem = Some(format!(
                "{what}, and what all runs do is decided only where nothing goes wrong"
            ));
        }
        !self.failures.is_empty()
    }

    fn branching(&mut self, formula: &check::Ctl, found: &Exploration) -> Option<Answer> {
        if self.goes_wrong() {
            return None;
        }
        let roots = self.roots(found);
        let known = Known { found, expanded: self.seen };
        let budget = self.asked.budget;
        let mut checker = Branching::new(&known, &self.values, budget).ok()?;
        let satisfying = checker.satisfying(formula, Certainty::Must, budget).ok()?;
        Some(Answer::Holds(roots.iter().all(|root| satisfying.get(*root))))
    }

    fn linear(
        &mut self,
        violations: &Automaton,
        found: &Exploration,
        is_complete: bool,
    ) -> Option<Answer> {
        if self.goes_wrong() {
            return None;
        }
        let roots = self.roots(found);
        let known = Known { found, expanded: self.seen };
        let assumed = Assumed::of(self.asked).expect("it was refused before");
        let labels = |arms: &[_]| -> Vec<u32> {
            let fired = found.fired.iter().map(|(label, _)| label);
            fired.filter(|label| self.machine.takes_arm(*label, arms)).collect()
        };
        let fairness: Vec<_> =
            assumed.arms.iter().map(|(arms, strength)| (labels(arms), *strength)).collect();
        let question = Question {
            graph: &known,
            roots: &roots,
            atoms: &self.values,
            automaton: violations,
            fairness: &fairness,
        };
        let mut population = Population::new(&mut self.machine, &found.store);
        let individuals = assumed.threads.map(|strength| (strength, &mut population as _));
        let lasso = find_lasso(&question, individuals, self.asked.budget).ok()?;
        (lasso.is_some() || is_complete).then_some(Answer::Holds(lasso.is_none()))
    }
}

/// Calls `visit` with the statements in a formula.
fn each_statement(formula: &Formula, visit: &mut dyn FnMut(u32)) {
    formula.for_each_term(&mut |term| {
        if let Expr::Var(var) = term {
            visit(var.0);
        }
    });
}

/// Whether a formula of one state holds.
fn holds(formula: &Formula, is_last: bool, says: &dyn Fn(u32) -> bool) -> bool {
    match formula {
        Formula::Deadlock => is_last,
        Formula::Term(Expr::Var(var)) => says(var.0),
        Formula::Not(a) => !holds(a, is_last, says),
        Formula::Binary(op, a, b) => {
            let (a, b) = (holds(a, is_last, says), holds(b, is_last, says));
            match op {
                net::BinaryOp::And => a && b,
                net::BinaryOp::Or => a || b,
                _ => !a || b,
            }
        }
        other => unreachable!("{other:?} is not said of states of programs"),
    }
}

fn satisfies(predicate: &Predicate, is_last: bool) -> bool {
    match predicate {
        Predicate::True => true,
        Predicate::Dead => is_last,
        Predicate::Not(inner) => !satisfies(inner, is_last),
        Predicate::And(parts) => parts.iter().all(|part| satisfies(part, is_last)),
        Predicate::Or(parts) => parts.iter().any(|part| satisfies(part, is_last)),
        other => unreachable!("{other:?} is not said of states of programs"),
    }
}
