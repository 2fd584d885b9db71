//! What depends on data that is not kept.
//!
//! Where such data is tested, something is found for certain only if a run shows it that makes no such test, or if it is
//! come to whichever outcomes are real ([`check::Certainty`]). What is merely possible is no answer: it depends on a test,
//! and it is said on which.
//!
//! - That a state is reachable: a run without tests leads there; or each test leads there, whatever its outcome.
//! - That somebody is stuck: the same of such a state. That nobody is: all have hope for certain ([`check::Outlook`]).
//! - A formula of branching time: for certain, possibly, or not even that.
//! - A run that violates a formula of linear time: one without tests. That there is none: there is none with tests,
//!   either.

use std::collections::VecDeque;

use budget::{Budget, Exhausted};
use check::{Bits, Branching, Certainty, Ctl, Graph, Hop, Outlook, Prospect};
use explore::StateId;
use num_bigint::BigInt;
use survey::Reader;

use super::everyone::Look;
use super::{Explicit, Known, Root, Stage};
use crate::evidence::{GraphPath, Steps};
use crate::goal::{Answer, Goal};

/// The states that runs from one state come to, and how.
pub(super) struct Runs {
    start: u32,
    states: Bits,
    /// The step into each, its source and label.
    steps: Vec<(u32, u32)>,
}

impl Runs {
    /// Those from the initial state that make no test.
    pub(super) fn untested(known: &Known, budget: &Budget) -> Result<Runs, Exhausted> {
        Runs::from(0, &Known { without_tests: true, ..*known }, budget)
    }

    fn from(start: u32, known: &Known, budget: &Budget) -> Result<Runs, Exhausted> {
        budget.require(u64::from(known.states) * size_of::<(u32, u32)>() as u64)?;
        let steps = vec![(0, 0); known.states as usize];
        let mut found = Runs { start, states: Bits::new(known.states), steps };
        let mut open = VecDeque::new();
        if start < known.states {
            found.states.set(start);
            open.push_back(start);
        }
        while let Some(source) = open.pop_front() {
            for (label, target) in known.successors(source) {
                if !found.states.get(target) {
                    found.states.set(target);
                    found.steps[target as usize] = (source, label);
                    open.push_back(target);
                }
            }
            budget.check()?;
        }
        Ok(found)
    }

    /// Whether a run comes to a state.
    pub(super) fn has(&self, state: u32) -> bool {
        self.states.get(state)
    }

    /// The steps to a state that is come to.
    fn stem(&self, state: u32) -> Steps {
        let mut stem = Vec::new();
        let mut at = state;
        while at != self.start {
            let (source, label) = self.steps[at as usize];
            stem.push((label, StateId(at)));
            at = source;
        }
        stem.reverse();
        stem
    }

    /// The path to a state, if a run comes to it.
    pub(super) fn path(&self, state: u32) -> Option<GraphPath> {
        let stem = || Some(self.stem(state));
        self.has(state).then(|| GraphPath { stem: stem(), ..GraphPath::to(state) })
    }
}

/// Whether some states are come to.
enum Reached {
    Surely(GraphPath),
    /// A state that is if tests turn out so, and one of these tests.
    Perhaps(u32, u32),
    Never,
    /// That is not known yet.
    Open,
}

impl Explicit<'_, '_, '_, '_> {
    /// Settles what can be settled, of a net in which data is tested that is not kept.
    pub(super) fn settle_uncertain(
        &mut self,
        known: &Known,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<(), Exhausted> {
        let untested = Runs::untested(known, look.budget)?;
        let is_over = look.stage != Stage::Exploring;
        for (goal, what) in self.findings.pending() {
            match what {
                Goal::Initially(atom) if known.expanded > 0 => {
                    let holds = Answer::Holds(self.valuation.holds(atom, 0));
                    self.findings.found(goal, holds, Some(GraphPath::to(0)));
                }
                Goal::Somewhere(atom, value) => {
                    let is_shown = |state| self.valuation.holds(atom, state) == value;
                    let shown = Bits::where_true(known.expanded, is_shown);
                    match reached(&shown, known, &untested, look)? {
                        Reached::Surely(path) => {
                            self.findings.found(goal, Answer::Holds(true), Some(path));
                        }
                        Reached::Perhaps(state, test) => {
                            self.depends(goal, test, Some(GraphPath::to(state)), look, reader);
                        }
                        Reached::Never => self.findings.found(goal, Answer::Holds(false), None),
                        Reached::Open => {}
                    }
                }
                Goal::Greatest(terms) if look.stage == Stage::Complete => {
                    match (known.choices.iter().next(), self.valuation.greatest(&terms)) {
                        (Some(test), _) => self.depends(goal, test, None, look, reader),
                        (None, Some(most)) => {
                            let most = Answer::Greatest(BigInt::from(most));
                            self.findings.found(goal, most, None);
                        }
                        (None, None) => {}
                    }
                }
                Goal::Branching(formula) if look.stage == Stage::Complete => {
                    self.settle_formula((goal, formula), known, &untested, look, reader)?;
                }
                Goal::Everyone(prospect) if is_over || self.showing.is_some() => {
                    self.settle_prospect((goal, prospect), known, &untested, look, reader)?;
                }
                _ => {}
            }
            self.publish(look.found, reader);
        }
        if is_over || self.showing.is_some() {
            self.settle_runs(known, &untested, look, reader)?;
        }
        Ok(())
    }

    /// Notes that it depends on a test, and the run that makes it so if tests turn out that way.
    fn depends(
        &mut self,
        goal: usize,
        test: u32,
        path: Option<GraphPath>,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) {
        let state = reader.state(look.found.store.get(StateId(test)));
        let on = self.subject.net.tested(&state).unwrap_or_default();
        self.findings.found(goal, Answer::Depends(on), path);
    }

    fn settle_prospect(
        &mut self,
        (goal, prospect): (usize, Prospect),
        known: &Known,
        untested: &Runs,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<(), Exhausted> {
        let Look { expanded, budget, stage, .. } = look;
        let is_over = stage != Stage::Exploring;
        let (sure, any, lost, open) = self.with_threads(look, reader, |threads| {
            let outlook = Outlook::of(expanded, threads, prospect, budget)?;
            let sure = outlook.hopeless(threads, |state| untested.has(state), budget)?;
            let sure = match sure {
                // Others may follow, if tests turn out so.
                Some(found) => {
                    let onward = Runs::from(found.state, known, budget)?;
                    let all = outlook.hopeless(threads, |state| onward.has(state), budget)?;
                    let all = all.unwrap_or(found.clone());
                    let steps = [untested.stem(found.state), onward.stem(all.state)].concat();
                    Some((all, steps))
                }
                None => None,
            };
            let any = match is_over && sure.is_none() {
                true => outlook.hopeless(threads, |_| true, budget)?,
                false => None,
            };
            let open = if stage == Stage::Complete { outlook.open() } else { None };
            Ok((sure, any, outlook.hopeless_states(), open))
        })?;
        let shown = |found: check::Hopeless, stem: Option<Steps>| {
            let hopeless = Some((prospect, found.threads));
            GraphPath { hopeless, stem, ..GraphPath::to(found.state) }
        };
        if let Some((found, steps)) = sure {
            let path = shown(found, Some(steps));
            self.findings.found(goal, Answer::Holds(false), Some(path));
            return Ok(());
        }
        match (any, open) {
            (Some(found), _) => match reached(&lost, known, untested, look)? {
                Reached::Surely(_) => {
                    let path = shown(found, None);
                    self.findings.found(goal, Answer::Holds(false), Some(path));
                }
                Reached::Perhaps(_, test) => {
                    let path = shown(found, None);
                    self.depends(goal, test, Some(path), look, reader);
                }
                Reached::Never | Reached::Open => {}
            },
            (None, Some(open)) => self.depends(goal, open.choice, None, look, reader),
            (None, None) if stage == Stage::Complete => {
                self.findings.found(goal, Answer::Holds(true), None);
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn settle_formula(
        &mut self,
        (goal, formula): (usize, Ctl),
        known: &Known,
        untested: &Runs,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<(), Exhausted> {
        let budget = look.budget;
        let atoms = self.valuation.values().to_vec();
        let mut checker = Branching::new(known, &atoms, budget)?;
        let sure = checker.satisfying(&formula, Certainty::Must, budget)?.clone();
        let possible = checker.satisfying(&formula, Certainty::May, budget)?.clone();
        let path_from = |checker: &mut Branching<'_, _>, shown: &Ctl, (root, entered): Root| {
            let evidence = checker.evidence(shown, Certainty::May, root, budget).ok();
            let steps = evidence.as_ref().map_or(&[][..], |evidence| &evidence.path);
            let hop =
                |&(label, target): &(u32, u32)| Hop { label: Some(label), target, chosen: None };
            let hops = steps.iter().map(hop).collect();
            let back = evidence.as_ref().and_then(|evidence| evidence.back);
            GraphPath { entered, hops, back, ..GraphPath::to(root) }
        };
        let wrong: Vec<Root> =
            self.roots.iter().copied().filter(|(root, _)| !possible.get(*root)).collect();
        for &root in &wrong {
            let source = source_of(root);
            let is_sure = root.1.is_none() || !known.choices.get(source);
            if is_sure && untested.has(source) {
                let stem = Some(untested.stem(source));
                let path = path_from(&mut checker, &formula.clone().not(), root);
                let path = GraphPath { stem, ..path };
                self.findings.found(goal, Answer::Holds(false), Some(path));
                return Ok(());
            }
        }
        let before = |state| {
            let mut roots = wrong.iter().filter(|root| source_of(**root) == state);
            roots.any(|root| root.1.is_none() || !known.choices.get(state))
        };
        let before = Bits::where_true(known.expanded, before);
        let is_sure = surely(&before, known, budget)?.get(0);
        let doubtful = self.roots.iter().copied().find(|(root, _)| !sure.get(*root));
        match (wrong.first(), doubtful) {
            (Some(&root), _) if is_sure => {
                let path = path_from(&mut checker, &formula.not(), root);
                self.findings.found(goal, Answer::Holds(false), Some(path));
            }
            (_, None) => {
                let only = self.roots.first().copied().filter(|_| self.roots.len() == 1);
                let path = only.map(|root| path_from(&mut checker, &formula, root));
                let path = path.filter(|path| !path.hops.is_empty());
                self.findings.found(goal, Answer::Holds(true), path);
            }
            (_, Some(root)) => {
                let decides = |test: &u32| {
                    let mut outcomes = known.successors(*test).map(|(_, to)| sure.get(to));
                    let first = outcomes.next();
                    outcomes.any(|other| Some(other) != first)
                };
                let test = known.choices.iter().find(decides);
                let test = test.or_else(|| known.choices.iter().next());
                let test = test.expect("without tests it would be certain");
                let path = path_from(&mut checker, &formula.not(), root);
                self.depends(goal, test, Some(path), look, reader);
            }
        }
        Ok(())
    }

    /// Looks for runs that violate formulas: first for those that make no tests.
    fn settle_runs(
        &mut self,
        known: &Known,
        untested: &Runs,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<(), Exhausted> {
        let is_sure = |root: &Root| {
            let source = source_of(*root);
            let is_entered = root.1.is_some();
            untested.has(source) && !(is_entered && known.choices.get(source))
        };
        let roots: Vec<Root> = self.roots.iter().copied().filter(is_sure).collect();
        let calm = Known { without_tests: true, ..*known };
        let (found, ended) = self.violating(&calm, &roots, look.found, reader, look.budget);
        for (goal, path) in found {
            let Some(path) = path else { continue };
            let stem = Some(untested.stem(source_of((path.root, path.entered))));
            self.findings.found(goal, Answer::Holds(false), Some(GraphPath { stem, ..path }));
        }
        ended?;
        if look.stage == Stage::Exploring {
            return Ok(());
        }
        self.search_anew();
        let roots = self.roots.clone();
        let (found, ended) = self.violating(known, &roots, look.found, reader, look.budget);
        for (goal, path) in found {
            match path {
                Some(path) => {
                    let stem = look.found.path_to(StateId(source_of((path.root, path.entered))));
                    let stem = stem.iter().map(|(_, state)| state.0);
                    let states = [0].into_iter().chain(stem).chain([path.root]);
                    let mut states = states.chain(path.hops.iter().map(|hop| hop.target));
                    let test = states.rfind(|state| known.choices.get(*state));
                    let test = test.expect("it was not found without tests");
                    self.depends(goal, test, Some(path), look, reader);
                }
                None if look.stage == Stage::Complete => {
                    self.findings.found(goal, Answer::Holds(true), None);
                }
                None => {}
            }
        }
        ended
    }
}

/// The state from which a run begins, or enters.
fn source_of((root, entered): Root) -> u32 {
    entered.map_or(root, |(source, _)| source)
}

/// The states from which some are come to whichever outcomes are real.
fn surely(states: &Bits, known: &Known, budget: &Budget) -> Result<Bits, Exhausted> {
    let atoms = [states.clone()];
    let mut checker = Branching::new(known, &atoms, budget)?;
    let there = Ctl::Atom(0).some_finally();
    Ok(checker.satisfying(&there, Certainty::Must, budget)?.clone())
}

/// Whether some states are come to, whichever outcomes are real.
fn reached(
    states: &Bits,
    known: &Known,
    untested: &Runs,
    look: Look<'_>,
) -> Result<Reached, Exhausted> {
    if let Some(path) = states.iter().find_map(|state| untested.path(state)) {
        return Ok(Reached::Surely(path));
    }
    let Some(first) = states.iter().next() else {
        let is_known = look.stage == Stage::Complete;
        return Ok(if is_known { Reached::Never } else { Reached::Open });
    };
    let path = look.found.path_to(StateId(first));
    let sources = [0].into_iter().chain(path.iter().map(|(_, state)| state.0));
    let tests: Vec<u32> = sources.filter(|state| known.choices.get(*state)).collect();
    let last_of = |tests: &mut dyn Iterator<Item = u32>| {
        tests.last().expect("runs without tests do not lead there")
    };
    Ok(match look.stage {
        Stage::Exploring => Reached::Open,
        Stage::Cut => Reached::Perhaps(first, last_of(&mut tests.into_iter())),
        Stage::Complete => {
            let sure = surely(states, known, look.budget)?;
            match sure.get(0) {
                true => Reached::Surely(GraphPath::to(first)),
                false => {
                    let mut deciding = tests.into_iter().filter(|test| !sure.get(*test));
                    Reached::Perhaps(first, last_of(&mut deciding))
                }
            }
        }
    })
}
