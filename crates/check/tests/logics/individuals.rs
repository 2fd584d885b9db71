//! Runs that are fair to individuals which are born and die.
//!
//! What is found is unrolled into a run of individuals with names of their own, until those that stay are
//! back in their places, and the names are asked whether it was fair to them. Where nothing is found, all
//! closed walks of up to eight moves are tried likewise.

use budget::{Budget, Exhausted};
use check::{
    Automaton, Fate, Formula, Individuals, Ltl, Move, Moves, Question, Strength, find_lasso,
};
use random::{Random, for_seeds};

use crate::graphs::{self, Steps};
use crate::runs;

const LABELS: u64 = 3;
const ATOMS: u64 = 2;
/// The longest closed walks that are tried.
const WALK: usize = 8;

/// The moves of each state, and the states for which they were asked.
#[derive(Debug)]
struct Crowd {
    states: Vec<Moves>,
    asked: Vec<bool>,
}

impl Individuals for Crowd {
    fn moves(&mut self, state: u32) -> Result<&Moves, Exhausted> {
        self.asked[state as usize] = true;
        Ok(&self.states[state as usize])
    }
}

impl Crowd {
    fn random(random: &mut Random) -> Self {
        let states = 1 + random.below(4);
        // Where crowds are of one size few are born or die.
        let usual = 1 + random.below(3) as usize;
        let crowd = |random: &mut Random| match random.below(3) {
            0 => random.below(4) as usize,
            _ => usual,
        };
        let crowds: Vec<usize> = (0..states).map(|_| crowd(random)).collect();
        let dying = random.below(4_u64).saturating_sub(1);
        let most = if states == 4 { 2 } else { 3 };
        let moves = |random: &mut Random, source: usize| {
            let count = if random.below(20) == 0 { 0 } else { 1 + random.below(most) };
            (0..count)
                .map(|_| {
                    // Who acts often leads out of where one may want to stay.
                    let actors = random.below(1 << crowds[source]) * random.below(2);
                    let leads_out = actors > 0 && random.below(6) > 0;
                    let target = if leads_out { 0 } else { random.below(states) as usize };
                    let mut free: Vec<u32> = (0..crowds[target] as u32).collect();
                    let fate = |individual: usize| {
                        let acts = actors >> individual & 1 == 1;
                        let stays = !free.is_empty() && random.below(8) >= dying;
                        let place = stays.then(|| random.below(free.len()));
                        Fate { acts, becomes: place.map(|place| free.swap_remove(place)) }
                    };
                    let fates = (0..crowds[source]).map(fate).collect();
                    Move { label: random.below(LABELS) as u32, target: target as u32, fates }
                })
                .collect::<Vec<Move>>()
        };
        let state = |source: usize| {
            let moves = moves(random, source);
            let acts = |i: usize| moves.iter().any(|step| step.fates[i].acts);
            Moves { enabled: (0..crowds[source]).map(acts).collect(), moves }
        };
        let states: Vec<Moves> = (0..crowds.len()).map(state).collect();
        Self { asked: vec![false; states.len()], states }
    }

    fn graph(&self) -> Steps {
        let row = |state: &Moves| {
            let mut row: Vec<_> = state.moves.iter().map(|m| (m.label, m.target)).collect();
            row.sort_unstable();
            row.dedup();
            row
        };
        let steps = self.states.iter().map(row).collect();
        Steps { steps, expanded: vec![true; self.states.len()] }
    }

    /// Makes the moves of a walk. `seen` is told the name of each individual that is there before a move,
    /// whether it can act, whether it acts, and whether it goes on. Newborns get names from `next`.
    fn walk(
        &self,
        start: u32,
        walk: &[usize],
        names: &mut Vec<u32>,
        next: &mut u32,
        seen: &mut dyn FnMut(u32, bool, bool, bool),
    ) {
        let mut at = start as usize;
        for &number in walk {
            let moves = &self.states[at].moves;
            let step = &moves[number];
            let mut after = vec![None; self.states[step.target as usize].enabled.len()];
            for (individual, &name) in names.iter().enumerate() {
                let fate = step.fates[individual];
                let can_act = moves.iter().any(|step| step.fates[individual].acts);
                seen(name, can_act, fate.acts, fate.becomes.is_some());
                if let Some(place) = fate.becomes {
                    assert_eq!(after[place as usize].replace(name), None, "two become one");
                }
            }
            let born = |name: Option<u32>| {
                name.unwrap_or_else(|| {
                    *next += 1;
                    *next - 1
                })
            };
            *names = after.into_iter().map(born).collect();
            at = step.target as usize;
        }
        assert_eq!(at, start as usize, "a walk that is not closed");
    }

    /// Whether going round a closed walk for ever is fair to all individuals.
    fn is_fair(&self, start: u32, walk: &[usize], strength: Strength) -> bool {
        let count = self.states[start as usize].enabled.len() as u32;
        let (mut names, mut next): (Vec<u32>, u32) = ((0..count).collect(), count);
        // After as many rounds as there are individuals, who is still there stays: nobody comes into the
        // place of one that stays but those that stay.
        for _ in 0..count {
            self.walk(start, walk, &mut names, &mut next, &mut |_, _, _, _| {});
        }
        let stay: Vec<u32> = names.iter().copied().filter(|&name| name < count).collect();
        let (before, mut acted, mut enabled, mut disabled) = (
            names.clone(),
            vec![false; stay.len()],
            vec![false; stay.len()],
            vec![false; stay.len()],
        );
        loop {
            self.walk(start, walk, &mut names, &mut next, &mut |name, can_act, acts, goes_on| {
                if let Some(who) = stay.iter().position(|&other| other == name) {
                    assert!(goes_on, "one that stays has died");
                    acted[who] |= acts;
                    enabled[who] |= can_act;
                    disabled[who] |= !can_act;
                }
            });
            let place = |names: &[u32], who| names.iter().position(|&name| name == who);
            if stay.iter().all(|&who| place(&names, who) == place(&before, who)) {
                break;
            }
        }
        (0..stay.len()).all(|who| match strength {
            Strength::Weak => acted[who] || disabled[who],
            Strength::Strong => acted[who] || !enabled[who],
        })
    }
}

/// What is asked of states that are visited again and again.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Anything,
    Often(u32),
    Only(u32),
    OftenBoth,
    OftenAndOnly,
}

impl Wanted {
    fn formula(self, ltl: &mut Ltl) -> Formula {
        let often = |ltl: &mut Ltl, atom| {
            let atom = ltl.atom(atom);
            let eventually = ltl.eventually(atom);
            ltl.always(eventually)
        };
        let only = |ltl: &mut Ltl, atom| {
            let atom = ltl.atom(atom);
            let always = ltl.always(atom);
            ltl.eventually(always)
        };
        match self {
            Wanted::Anything => ltl.truth(),
            Wanted::Often(atom) => often(ltl, atom),
            Wanted::Only(atom) => only(ltl, atom),
            Wanted::OftenBoth => {
                let (a, b) = (often(ltl, 0), often(ltl, 1));
                ltl.and(a, b)
            }
            Wanted::OftenAndOnly => {
                let (a, b) = (often(ltl, 0), only(ltl, 1));
                ltl.and(a, b)
            }
        }
    }

    fn is_met(self, letters: &[u32]) -> bool {
        let often = |atom: u32| letters.iter().any(|letter| letter >> atom & 1 == 1);
        let only = |atom: u32| letters.iter().all(|letter| letter >> atom & 1 == 1);
        match self {
            Wanted::Anything => true,
            Wanted::Often(atom) => often(atom),
            Wanted::Only(atom) => only(atom),
            Wanted::OftenBoth => often(0) && often(1),
            Wanted::OftenAndOnly => often(0) && only(1),
        }
    }
}

/// Everything about a case but the moves.
#[derive(Debug)]
struct Case {
    letters: Vec<u32>,
    wanted: Wanted,
    fairness: Vec<(Vec<u32>, Strength)>,
    strength: Strength,
}

impl Case {
    /// Whether going round a closed walk for ever is accepted, and fair to labels and individuals.
    fn is_met(&self, crowd: &Crowd, graph: &Steps, start: u32, walk: &[usize]) -> bool {
        let (mut states, mut labels, mut at) = (Vec::new(), Vec::new(), start);
        for &number in walk {
            states.push(at);
            let step = &crowd.states[at as usize].moves[number];
            labels.push(step.label);
            at = step.target;
        }
        let letters: Vec<u32> = states.iter().map(|&at| self.letters[at as usize]).collect();
        let enabled_in = |set: &[u32]| {
            let steps = states.iter().map(|&at| &graph.steps[at as usize]);
            steps.filter(|steps| steps.iter().any(|(label, _)| set.contains(label))).count()
        };
        let is_fair = self.fairness.iter().all(|(set, strength)| match strength {
            _ if labels.iter().any(|label| set.contains(label)) => true,
            Strength::Weak => enabled_in(set) < states.len(),
            Strength::Strong => enabled_in(set) == 0,
        });
        self.wanted.is_met(&letters) && is_fair && crowd.is_fair(start, walk, self.strength)
    }

    /// A short closed walk that is accepted and fair, or an end that is.
    fn try_all(&self, crowd: &Crowd, graph: &Steps, root: u32) -> Option<(u32, Vec<usize>)> {
        let mut reached = vec![root];
        let mut at = 0;
        while at < reached.len() {
            let state = reached[at];
            let moves = &crowd.states[state as usize].moves;
            if moves.is_empty() && self.wanted.is_met(&[self.letters[state as usize]]) {
                return Some((state, Vec::new()));
            }
            for step in moves {
                if !reached.contains(&step.target) {
                    reached.push(step.target);
                }
            }
            let mut open = vec![(state, Vec::new())];
            while let Some((at, walk)) = open.pop() {
                if at == state && !walk.is_empty() && self.is_met(crowd, graph, state, &walk) {
                    return Some((state, walk));
                }
                if walk.len() < WALK {
                    for (number, step) in crowd.states[at as usize].moves.iter().enumerate() {
                        let mut longer = walk.clone();
                        longer.push(number);
                        open.push((step.target, longer));
                    }
                }
            }
            at += 1;
        }
        None
    }
}

#[test]
fn runs_are_fair_to_those_who_come_and_go() {
    let (mut found, mut none, mut turning, mut in_part) = (0, 0, 0, 0);
    for_seeds(0..12_000, |seed, random| {
        let mut crowd = Crowd::random(random);
        let graph = crowd.graph();
        let states = graph.steps.len() as u64;
        let mut fairness = Vec::new();
        for strength in [Strength::Weak, Strength::Strong] {
            let labels = (0..LABELS as u32).filter(|_| random.below(6) == 0);
            fairness.extend(labels.map(|label| (vec![label], strength)));
        }
        let mut letters = graphs::random_letters(random, states, ATOMS);
        letters.iter_mut().for_each(|letter| *letter |= u32::from(random.below(2) == 0));
        letters[0] = 0;
        let case = Case {
            letters,
            wanted: match random.below(8) {
                0 => Wanted::Often(0),
                1 => Wanted::OftenBoth,
                2 => Wanted::OftenAndOnly,
                3 => Wanted::Anything,
                _ => Wanted::Only(0),
            },
            fairness,
            strength: if random.below(2) == 0 { Strength::Weak } else { Strength::Strong },
        };
        let shown = format!("seed {seed}: {case:?} {graph:?} {:?}", crowd.states);
        let atoms = &graphs::atoms(&case.letters, ATOMS);
        let mut ltl = Ltl::new();
        let wanted = case.wanted.formula(&mut ltl);
        let automaton = &Automaton::of(&ltl, wanted).unwrap();
        let roots = &[random.below(states) as u32];
        let question =
            Question { graph: &graph, roots, atoms, automaton, fairness: &case.fairness };
        if find_lasso(&question, None, &Budget::unlimited()) == Ok(None) {
            return;
        }
        let mut ask = |graph: &Steps, crowd: &mut Crowd| {
            let question = Question { graph, roots, atoms, automaton, fairness: &case.fairness };
            let individuals = Some((case.strength, crowd as &mut dyn Individuals));
            let Ok(Some(lasso)) = find_lasso(&question, individuals, &Budget::unlimited()) else {
                return false;
            };
            runs::check(&lasso, graph, roots, &|| shown.clone());
            let start = runs::states(&lasso)[lasso.stem.len()];
            if lasso.cycle[0].label.is_none() {
                assert!(case.wanted.is_met(&[case.letters[start as usize]]), "{shown}");
                return true;
            }
            let mut at = start as usize;
            let mut walk = Vec::new();
            for hop in &lasso.cycle {
                let number = hop.chosen.expect("a move") as usize;
                let step = &crowd.states[at].moves[number];
                assert_eq!((hop.label, hop.target), (Some(step.label), step.target), "{shown}");
                walk.push(number);
                at = step.target as usize;
            }
            assert!(case.is_met(crowd, graph, start, &walk), "{lasso:?} in {shown}");
            turning += u32::from(crowd.states[start as usize].enabled.len() > 1);
            true
        };
        let is_found = ask(&graph, &mut crowd);
        crowd.asked.fill(false);
        let part = graph.known_in_part(random);
        let is_in_part = ask(&part, &mut crowd);
        assert!(is_found || !is_in_part, "{shown}");
        let is_asked_in_vain = |state: usize| crowd.asked[state] && !part.expanded[state];
        assert!(!(0..crowd.asked.len()).any(is_asked_in_vain), "{shown}");
        if is_found {
            found += 1;
        } else {
            none += 1;
            let missed = case.try_all(&crowd, &graph, roots[0]);
            assert_eq!(missed, None, "{shown}");
        }
        in_part += u32::from(is_in_part);
    });
    assert!(found > 1_000 && none > 200, "{found} found, {none} not");
    assert!(turning > 500 && in_part > 500, "{turning} with several, {in_part} in part");
}

/// A single state in which two wait, and each move ends one of them while another comes.
fn waiting_line(moves: Vec<Move>) -> Crowd {
    let acts = |who: usize| moves.iter().any(|step| step.fates[who].acts);
    Crowd { states: vec![Moves { enabled: vec![acts(0), acts(1)], moves }], asked: vec![false] }
}

#[test]
fn who_comes_last_may_not_always_be_first() {
    let ends = Fate { acts: true, becomes: None };
    let stays_at = |place| Fate { acts: false, becomes: Some(place) };
    let first = Move { label: 0, target: 0, fates: vec![ends, stays_at(0)] };
    let last = Move { label: 1, target: 0, fates: vec![stays_at(0), ends] };
    let automaton = &Automaton::of(&Ltl::new(), Ltl::new().truth()).unwrap();
    let fairness = &[];
    let ask = |crowd: &mut Crowd, strength, graph: &Steps| {
        let question = Question { graph, roots: &[0], atoms: &[], automaton, fairness };
        let lasso = find_lasso(&question, Some((strength, crowd)), &Budget::unlimited());
        lasso.expect("there is no limit").map(|lasso| lasso.cycle.len())
    };
    for strength in [Strength::Weak, Strength::Strong] {
        // In turn: each comes to the front, and ends there.
        let mut line = waiting_line(vec![first.clone()]);
        let graph = line.graph();
        // The one that is last cannot act, and is served by that under weak fairness.
        let length = if strength == Strength::Weak { 1 } else { 2 };
        assert_eq!(ask(&mut line, strength, &graph), Some(length));
        // Always the last: the first can never act, so that it is fair to it.
        let mut stack = waiting_line(vec![last.clone()]);
        let graph = stack.graph();
        assert_eq!(ask(&mut stack, strength, &graph), Some(1));
        // The first could act, but the run is to go by the last for ever.
        let mut both = waiting_line(vec![first.clone(), last.clone()]);
        both.states.push(Moves::default());
        both.asked.push(false);
        both.states[0].moves[0].target = 1;
        both.states[0].moves[0].fates = vec![ends, Fate { acts: false, becomes: None }];
        let mut graph = both.graph();
        // What comes after the first has acted is left unknown.
        graph.expanded[1] = false;
        assert_eq!(ask(&mut both, strength, &graph), None);
    }
}
