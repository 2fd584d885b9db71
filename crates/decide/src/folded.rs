//! Formulas about paths, on symbolic markings, as far as they ask for them.
//!
//! Markings that differ only in who is who have the same numbers of tokens in places, the same transitions enabled, and
//! followers that differ in the same way. So both kinds of formulas say the same of symbolic markings. Most of them ask
//! for few: what violates a formula of linear time is often near the start, and so is what decides one of
//! branching time. A net need not be unfolded for this, however large it would become.
//!
//! Goals take turns, each longer than the last. Cost: the symbolic markings that are asked for, each expanded once for
//! each goal.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use budget::{Account, Budget, Phase};
use explore::{Space, Successors};
use plain::{Steps, Undecided, accepts_some_run, satisfies_at_start};
use random::Random;
use rustc_hash::FxHashMap;
use survey::Engine;
use symbolic::{SymbolicSpace, Translation};
use unfold::Predicate;

use crate::board::Board;
use crate::diagrams;
use crate::goal::Answer;
use crate::predicate::not;
use crate::unfolded::{Kind, path_kind};
use crate::view::View;

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(25);
const LONGER: u32 = 5;
/// The share of memory that a search may use.
const SHARE: f64 = 0.6;

/// Goals about paths, on the symbolic markings of a net.
pub(crate) struct Folded<'s, 'b, 't> {
    translation: &'s Translation,
    board: &'b Board<'t>,
    is_fair: bool,
    turns: u32,
    /// Those that cannot be decided here.
    given_up: BTreeSet<usize>,
}

impl<'s, 'b, 't> Folded<'s, 'b, 't> {
    /// Nothing was tried yet.
    pub(crate) fn new(translation: &'s Translation, board: &'b Board<'t>, is_fair: bool) -> Self {
        Folded { translation, board, is_fair, turns: 0, given_up: BTreeSet::new() }
    }

    /// Lets all goals have a turn, each longer than the last, within a budget. Whether another may decide more.
    pub(crate) fn turn(&mut self, budget: &Budget) -> bool {
        let _under = budget.progress().during(Phase::Deciding);
        let time = FIRST_TURN.saturating_mul(LONGER.saturating_pow(self.turns));
        let mut is_any_left = false;
        for goal in self.open() {
            if budget.is_exhausted() {
                break;
            }
            if !self.open().contains(&goal) {
                continue;
            }
            match self.tried(goal, &budget.share(SHARE).within(time)) {
                Some(Ok(holds)) => {
                    self.board.settle(Engine::Explicit, [(goal, Answer::Holds(holds))]);
                }
                Some(Err(Undecided::Exhausted(_))) => is_any_left = true,
                Some(Err(Undecided::TooManyTokens)) | None => {
                    self.given_up.insert(goal);
                }
            }
        }
        self.turns += 1;
        is_any_left
    }

    /// The goals about paths without answer.
    fn open(&self) -> Vec<usize> {
        self.board.read(|goals, pending| {
            let is_ours = |goal: &usize| {
                goals.goal(*goal).is_about_paths()
                    && !self.given_up.contains(goal)
                    && diagrams::refusal(goals, *goal, self.is_fair).is_none()
            };
            pending.into_iter().filter(is_ours).collect()
        })
    }

    /// Tries to decide a goal; `None` if it is not for this.
    fn tried(&self, goal: usize, budget: &Budget) -> Option<Result<bool, Undecided>> {
        let (kind, atoms) = self.board.read(|goals, _| {
            let mentioned = goals.atoms_of(goal);
            let atom = |atom: u32| match mentioned.contains(&atom) {
                true => goals.atoms.predicate(atom, true),
                false => Some(not(Predicate::True)),
            };
            let atoms = (0..goals.atoms.all().len() as u32).map(atom).collect::<Option<Vec<_>>>();
            Some((path_kind(goals, goals.goal(goal))?, atoms?))
        })?;
        let seed = (self.turns > 0).then_some(u64::from(self.turns));
        let space = self.translation.symbolic().space();
        let graph = match Graph::new(space, atoms, seed, budget) {
            Ok(graph) => graph,
            Err(why) => return Some(Err(why)),
        };
        match kind {
            Kind::Linear(violations) => Some(accepts_some_run(graph, &violations).map(|is| !is)),
            Kind::Branching(formula) => Some(satisfies_at_start(graph, &formula)),
            Kind::Reach | Kind::Greatest => None,
        }
    }
}

/// Symbolic markings with what follows them, found as far as they are asked for.
struct Graph<'b> {
    space: SymbolicSpace,
    atoms: Vec<Predicate>,
    budget: &'b Budget,
    account: Account,
    bytes: u64,
    /// In which order successors come.
    random: Option<Random>,
    numbers: FxHashMap<Arc<[u8]>, u32>,
    markings: Vec<Arc<[u8]>>,
    expanded: Vec<Option<Expanded>>,
    successors: Successors,
    view: View,
}

/// What follows a marking, and the atoms that hold in it, as bits.
struct Expanded {
    next: Vec<u32>,
    truths: Vec<u64>,
}

/// What a marking takes beside its bytes, about.
const OVERHEAD: u64 = 160;
/// Markings after which it is said how much memory they take.
const ACCOUNTED: usize = 1 << 8;

impl<'b> Graph<'b> {
    fn new(
        mut space: SymbolicSpace,
        atoms: Vec<Predicate>,
        seed: Option<u64>,
        budget: &'b Budget,
    ) -> Result<Self, Undecided> {
        let mut successors = Successors::within(budget);
        space.initial(&mut successors).map_err(|_| Undecided::TooManyTokens)?;
        budget.check()?;
        let first: Vec<Vec<u8>> = successors.iter().map(|(.., state)| state.to_vec()).collect();
        let [first] = &first[..] else { return Err(Undecided::TooManyTokens) };
        let mut graph = Graph {
            space,
            atoms,
            budget,
            account: budget.account(),
            bytes: 0,
            random: seed.map(Random::new),
            numbers: FxHashMap::default(),
            markings: Vec::new(),
            expanded: Vec::new(),
            successors,
            view: View::default(),
        };
        graph.number(first);
        Ok(graph)
    }

    fn number(&mut self, state: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(state) {
            return *number;
        }
        let number = self.markings.len() as u32;
        let state: Arc<[u8]> = state.into();
        self.bytes += state.len() as u64 + OVERHEAD;
        self.numbers.insert(Arc::clone(&state), number);
        self.markings.push(state);
        self.expanded.push(None);
        if self.markings.len().is_multiple_of(ACCOUNTED) {
            self.account.set(self.bytes + self.space.allocated_bytes());
        }
        number
    }
}

impl Steps for Graph<'_> {
    fn expand(&mut self, state: u32) -> Result<(), Undecided> {
        if self.expanded[state as usize].is_some() {
            return Ok(());
        }
        let marking = Arc::clone(&self.markings[state as usize]);
        let mut successors =
            std::mem::replace(&mut self.successors, Successors::within(self.budget));
        successors.clear();
        // A fault of the model is reported by those who explore all of it.
        self.space.expand(&marking, &mut successors).map_err(|_| Undecided::TooManyTokens)?;
        // Where the budget has cut the expansion short, it is not known what is not enabled.
        self.budget.check()?;
        self.view.see(&mut self.space, &marking, &successors);
        let mut truths = vec![0; self.atoms.len().div_ceil(64)];
        for (number, atom) in self.atoms.iter().enumerate() {
            truths[number / 64] |= u64::from(self.view.satisfies(atom)) << (number % 64);
        }
        let mut next: Vec<u32> = successors.iter().map(|(.., after)| self.number(after)).collect();
        next.sort_unstable();
        next.dedup();
        if let Some(random) = &mut self.random {
            random.shuffle(&mut next);
        }
        self.bytes += 4 * next.len() as u64;
        self.successors = successors;
        self.expanded[state as usize] = Some(Expanded { next, truths });
        Ok(())
    }

    fn successors(&self, state: u32) -> &[u32] {
        &self.expanded[state as usize].as_ref().expect("an expanded marking").next
    }

    fn holds(&self, state: u32, atom: u32) -> bool {
        let of = self.expanded[state as usize].as_ref().expect("an expanded marking");
        of.truths[atom as usize / 64] >> (atom % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::Statement;
    use crate::goal::{Claim, Goal, Goals};
    use crate::labelled::Labelled;
    use check::{Automaton, Ctl, Formula, Ltl};
    use net::TransitionId;
    use plain::{BranchingOptions, Condition, LinearOptions, PlainNet, accepts, satisfies};
    use random::for_seeds;
    use unfold::{UnfoldLimits, UnfoldedNet};

    const NETS: [&str; 3] = [
        "class Seat cyclic 3
        place thinking: Seat = all
        place waiting, eating: Seat
        place fork: Seat = all
        transition first { take thinking(x), fork(x)   put waiting(x) }
        transition second { take waiting(x), fork(succ(x))   put eating(x) }
        transition down { take eating(x)   put thinking(x), fork(x), fork(succ(x)) }",
        "class Site symmetric 3
        place idle: Site = all
        place waiting, performing: Site
        place mutex = 1
        place unused: Site * Site = (all s, all except s)
        place sent, received, acked: Site * Site
        transition update {
            take idle(s), mutex, unused(s, all except s)
            put waiting(s), sent(s, all except s)
        }
        transition receive { take idle(r), sent(s, r)   put performing(r), received(s, r) }
        transition acknowledge { take performing(r), received(s, r)   put idle(r), acked(s, r) }
        transition commit {
            take waiting(s), acked(s, all except s)
            put idle(s), mutex, unused(s, all except s)
        }",
        "class One symmetric 4
        place left: One = all
        place right, gone: One
        transition over { take left(x)   put right(x) }
        transition back { take right(x), right(y)   put left(x), gone(y) }",
    ];

    fn predicate(random: &mut Random, places: u32, transitions: u32) -> Predicate {
        let made = match random.below(8) {
            0..4 => Predicate::Enabled(TransitionId(random.below(transitions))),
            4 => Predicate::Dead,
            _ => {
                let terms = vec![(random.below(places), 1)];
                Predicate::AtMost { terms, bound: random.below(3_i64) }
            }
        };
        if random.percent(30) { not(made) } else { made }
    }

    fn branching(random: &mut Random, atoms: u32, depth: u32) -> Ctl {
        if depth == 0 {
            return Ctl::Atom(random.below(atoms));
        }
        let (a, b) = (branching(random, atoms, depth - 1), branching(random, atoms, depth - 1));
        match random.below(9) {
            0 => a.and(b),
            1 => a.or(b.not()),
            2 => a.some_finally(),
            3 => a.all_globally(),
            4 => a.some_globally(),
            5 => a.all_finally(),
            6 => a.some_until(b),
            7 => a.all_until(b),
            _ => a.some_next(),
        }
    }

    fn linear(random: &mut Random, ltl: &mut Ltl, atoms: u32, depth: u32) -> Formula {
        if depth == 0 {
            return ltl.atom(random.below(atoms));
        }
        let a = linear(random, ltl, atoms, depth - 1);
        let b = linear(random, ltl, atoms, depth - 1);
        match random.below(7) {
            0 => ltl.and(a, b),
            1 => ltl.implies(a, b),
            2 => ltl.eventually(a),
            3 => ltl.always(a),
            4 => ltl.until(a, b),
            5 => ltl.release(a, b),
            _ => ltl.next(a),
        }
    }

    /// What a goal comes to on the unfolded net: by conditions on places, and by what is enabled.
    fn on_unfolded(goals: &Goals, goal: usize, net: &UnfoldedNet) -> [bool; 2] {
        let whole = PlainNet::from(net);
        let atoms: Vec<u32> = (0..goals.atoms.all().len() as u32).collect();
        let of = |atom| Condition::of(&goals.atoms.predicate(atom, true)?, true, net);
        let conditions: Vec<Condition> = atoms.iter().map(|atom| of(*atom).unwrap()).collect();
        let labelled = Labelled::of(goals, &atoms, net).unwrap();
        let budget = Budget::unlimited();
        match goals.goal(goal) {
            Goal::Branching(formula) => {
                let how = BranchingOptions::default();
                let by = |atoms: &dyn plain::Valuation| {
                    satisfies(&whole, atoms, formula, how, &budget).unwrap()
                };
                [by(&conditions), by(&labelled)]
            }
            Goal::Linear(formula) => {
                let violations = Automaton::of(&goals.ltl, goals.ltl.not(*formula)).unwrap();
                if violations.states.is_empty() {
                    return [true; 2];
                }
                let how = LinearOptions::default();
                let by = |atoms: &dyn plain::Valuation| {
                    !accepts(&whole, atoms, &violations, how, &budget).unwrap().0
                };
                [by(&conditions), by(&labelled)]
            }
            _ => unreachable!("there are no others"),
        }
    }

    #[test]
    fn formulas_say_the_same_of_symbolic_markings_and_of_what_is_enabled() {
        let nets = NETS.map(|text| {
            let net = Arc::new(lang::compile(&format!("model m\n{text}"), &[]).net.unwrap());
            let translation = Translation::of(&net, &Budget::unlimited()).unwrap();
            let limits = UnfoldLimits::default();
            let unfolded = UnfoldedNet::of(translation.symmetric_net(), &limits).unwrap();
            (net, translation, unfolded)
        });
        let (mut yes, mut no) = (0, 0);
        for_seeds(0..150, |seed, random| {
            let (net, translation, unfolded) = &nets[random.below(nets.len())];
            let mut goals = Goals::new(None);
            let [places, transitions] = [net.places.len(), net.transitions.len()].map(|n| n as u32);
            while goals.atoms.all().len() < 3 {
                let predicate = predicate(random, places, transitions);
                assert!(!matches!(goals.atoms.stated(predicate), Statement::Constant(_)));
            }
            let branching = Goal::Branching(branching(random, 3, 3));
            let linear = Goal::Linear(linear(random, &mut goals.ltl, 3, 3));
            let numbers = [branching, linear].map(|goal| goals.number(goal));
            let expected = numbers.map(|goal| {
                let [by_conditions, by_labels] = on_unfolded(&goals, goal, unfolded);
                assert_eq!(by_labels, by_conditions, "seed {seed}: {:?}", goals.goal(goal));
                by_conditions
            });
            yes += expected.iter().filter(|holds| **holds).count();
            no += expected.iter().filter(|holds| !**holds).count();
            let claims = numbers.iter().enumerate().map(|(n, goal)| (n, Claim::Goal(*goal)));
            let mut hear = |_: usize, _: &Claim, _: &Goals| {};
            let budget = Budget::unlimited();
            let limits = (&budget, false);
            let board = Board::new(goals, claims.collect(), Vec::new(), limits, &mut hear);
            let mut folded = Folded::new(translation, &board, false);
            while folded.turn(&budget) {}
            drop(folded);
            let goals = board.into_goals();
            for (goal, expected) in numbers.into_iter().zip(expected) {
                let found = goals.answer(goal);
                // What has no automaton that accepts anything is not asked.
                let is_asked = path_kind(&goals, goals.goal(goal)).is_some();
                let expected = is_asked.then_some(Answer::Holds(expected));
                assert_eq!(found, expected, "seed {seed}: {:?}", goals.goal(goal));
            }
        });
        assert!(yes > 50 && no > 50, "{yes} {no}");
    }
}
