//! Bindings of a transition, as joins over possible tokens.
//!
//! The takes and reads of single tuples are what is joined. A plan begins with one of them and a
//! token for it, and goes on with the one of which most is known; a variable that an equation of the
//! guard gives is solved for, what is left ranges over its class, and each condition is tested as
//! soon as its variables are known.
//!
//! Each binding is to be found once, though it may be found from any of its tokens: it is found
//! from the newest, and if several arcs match that, from the first of them. So an arc before the
//! one begun with matches older tokens only, one after it no newer ones.

use super::NotUnfolded;
use super::effort::Effort;
use super::ground::{Pattern, Rule, RuleId};
use super::possible::{IndexId, Possible, TokenId};
use symbolic::operand::{Operand, Test};

/// The value of a variable that has none; classes have fewer elements.
const UNKNOWN: u32 = u32::MAX;

/// How the bindings of a transition are found from a token of one arc, or without any.
pub(super) struct Plan {
    /// The tuple to begin with.
    start: Vec<Operand>,
    steps: Vec<Step>,
    variables: usize,
}

enum Step {
    Test(Test),
    /// An equation, which gives the value of a variable of the first.
    Solve(Operand, Operand),
    /// All elements.
    Range(u32, u32),
    Match(Match),
}

/// Tokens for an arc.
struct Match {
    place: u32,
    tuple: Vec<Operand>,
    index: IndexId,
    /// The components that are known.
    key: Vec<Operand>,
    /// Whether the token must be older than the one begun with.
    older: bool,
}

/// The arcs that are joined.
fn joined(rule: &Rule) -> impl Iterator<Item = &Pattern> {
    rule.takes.iter().chain(&rule.reads).filter(|pattern| pattern.is_single())
}

/// The plans of a transition, each with the place whose tokens it begins with. If it begins with
/// none, it is the only one.
pub(super) fn plans(rule: &Rule, possible: &mut Possible) -> Vec<(Option<u32>, Plan)> {
    if joined(rule).count() == 0 {
        return vec![(None, Planning::new(rule).plan(None, possible))];
    }
    let plan = |(start, pattern): (usize, &Pattern)| {
        (Some(pattern.place), Planning::new(rule).plan(Some(start), possible))
    };
    joined(rule).enumerate().map(plan).collect()
}

struct Planning<'r> {
    rule: &'r Rule,
    known: Vec<bool>,
    tests: Vec<&'r Test>,
    steps: Vec<Step>,
}

impl<'r> Planning<'r> {
    fn new(rule: &'r Rule) -> Self {
        let known = vec![false; rule.variables.len()];
        Self { rule, known, tests: rule.guard.iter().collect(), steps: Vec::new() }
    }

    fn knows(&self, operand: Operand) -> bool {
        operand.var().is_none_or(|var| self.known[var as usize])
    }

    fn learn(&mut self, tuple: &[Operand]) {
        tuple.iter().filter_map(|operand| operand.var()).for_each(|var| {
            self.known[var as usize] = true;
        });
    }

    /// Tests what can be tested, and solves what can be solved.
    fn settle(&mut self) {
        loop {
            let known = &self.known;
            let (ready, rest) = self.tests.iter().partition(|test| {
                let mut all = true;
                test.for_each_var(&mut |var| all &= known[var as usize]);
                all
            });
            self.tests = rest;
            let ready: Vec<&Test> = ready;
            self.steps.extend(ready.into_iter().map(|test| Step::Test(test.clone())));
            let equation = self.tests.iter().find_map(|test| match test {
                Test::Equal(a, b) if self.knows(*b) => Some((*a, *b)),
                Test::Equal(a, b) if self.knows(*a) => Some((*b, *a)),
                _ => None,
            });
            let Some((unknown, given)) = equation else { return };
            self.learn(&[unknown]);
            self.steps.push(Step::Solve(unknown, given));
        }
    }

    fn plan(mut self, start: Option<usize>, possible: &mut Possible) -> Plan {
        let mut arcs: Vec<(usize, &Pattern)> = joined(self.rule).enumerate().collect();
        let first = start.map_or(Vec::new(), |start| arcs.remove(start).1.tuple.clone());
        self.learn(&first);
        self.settle();
        while !arcs.is_empty() {
            let missing = |pattern: &Pattern| {
                let unknown = pattern.tuple.iter().filter(|operand| !self.knows(**operand)).count();
                (unknown, std::cmp::Reverse(pattern.tuple.len()))
            };
            let next = (0..arcs.len()).min_by_key(|i| missing(arcs[*i].1)).expect("not empty");
            let (number, pattern) = arcs.remove(next);
            let tuple = &pattern.tuple;
            let columns: Vec<usize> = (0..tuple.len()).filter(|c| self.knows(tuple[*c])).collect();
            self.steps.push(Step::Match(Match {
                place: pattern.place,
                tuple: tuple.clone(),
                index: possible.index(pattern.place, &columns),
                key: columns.iter().map(|column| tuple[*column]).collect(),
                older: start.is_some_and(|start| number < start),
            }));
            self.learn(tuple);
            self.settle();
        }
        while let Some(var) = self.known.iter().position(|known| !known) {
            self.steps.push(Step::Range(var as u32, self.rule.variables[var]));
            self.known[var] = true;
            self.settle();
        }
        Plan { start: first, steps: self.steps, variables: self.known.len() }
    }
}

/// A binding whose guard holds and which the tokens of the joined arcs allow.
pub(super) struct Candidate {
    /// The transition.
    pub(super) rule: RuleId,
    /// The values of its variables.
    pub(super) values: Box<[u32]>,
}

/// A join under way.
pub(super) struct Join<'j, 'l> {
    pub(super) possible: &'j Possible,
    pub(super) effort: &'j mut Effort<'l>,
    pub(super) rule: RuleId,
    /// The values of variables so far.
    pub(super) values: Vec<u32>,
    /// What is found is added here.
    pub(super) found: &'j mut Vec<Candidate>,
}

impl Join<'_, '_> {
    /// Finds the bindings in which a token is the newest.
    pub(super) fn run(&mut self, plan: &Plan, newest: Option<TokenId>) -> Result<(), NotUnfolded> {
        self.values.clear();
        self.values.resize(plan.variables, UNKNOWN);
        let tuple = newest.map_or(&[][..], |id| self.possible.tuple(id));
        if self.matches(&plan.start, tuple, &mut Vec::new()) {
            self.go_on(&plan.steps, newest)?;
        }
        Ok(())
    }

    /// Gives values to unknown variables such that a pattern is a tuple, if there are such.
    fn matches(&mut self, pattern: &[Operand], tuple: &[u32], learnt: &mut Vec<u32>) -> bool {
        pattern.iter().zip(tuple).all(|(operand, value)| match operand.var() {
            Some(var) if self.values[var as usize] == UNKNOWN => match operand.solved(*value) {
                Some(solution) => {
                    self.values[var as usize] = solution;
                    learnt.push(var);
                    true
                }
                None => false,
            },
            _ => operand.value(&self.values) == Some(*value),
        })
    }

    fn go_on(&mut self, steps: &[Step], newest: Option<TokenId>) -> Result<(), NotUnfolded> {
        self.effort.spend()?;
        let Some((step, rest)) = steps.split_first() else {
            self.found.push(Candidate { rule: self.rule, values: self.values.as_slice().into() });
            return self.effort.allow_transitions(self.found.len());
        };
        match step {
            Step::Test(test) => {
                if test.holds(&self.values, &[]) {
                    self.go_on(rest, newest)?;
                }
            }
            Step::Solve(unknown, given) => {
                let value = given.value(&self.values).and_then(|value| unknown.solved(value));
                if let (Some(value), Some(var)) = (value, unknown.var()) {
                    self.values[var as usize] = value;
                    self.go_on(rest, newest)?;
                    self.values[var as usize] = UNKNOWN;
                }
            }
            Step::Range(var, size) => {
                for value in 0..*size {
                    self.values[*var as usize] = value;
                    self.go_on(rest, newest)?;
                }
                self.values[*var as usize] = UNKNOWN;
            }
            Step::Match(arc) => {
                let key: Vec<u32> = arc.key.iter().map_while(|o| o.value(&self.values)).collect();
                if key.len() < arc.key.len() {
                    return Ok(());
                }
                let mut learnt = Vec::new();
                for &token in self.possible.with(arc.place, arc.index, &key) {
                    let newest_id = newest.unwrap_or(TokenId::MAX);
                    if token > newest_id || arc.older && token == newest_id {
                        break;
                    }
                    if self.matches(&arc.tuple, self.possible.tuple(token), &mut learnt) {
                        self.go_on(rest, newest)?;
                    }
                    learnt.drain(..).for_each(|var| self.values[var as usize] = UNKNOWN);
                }
            }
        }
        Ok(())
    }
}
