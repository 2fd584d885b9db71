//! Deciding claims on the graph of states, while it is being explored.
//!
//! Each time the number of states has doubled, what is new is looked at. What fails somewhere is found
//! then, at the first state in the order of depth; a run that goes on for ever and violates something is one
//! also in the part of the graph that is known. What holds is known when all states are.

use budget::{Budget, Exhausted};
use check::{Automaton, Bits, Branching, Ctl, Graph, Hop, Lasso, Question};
use explore::{Quotient, SoFar, StateId};
use net::{Compiled, FaultKind, Net, Strength, Whom};

use super::claim::{Atoms, Claim, Shape};
use super::follow::Following;
use super::individuals::{Everyone, Memory};
use super::valuation::Valuation;
use survey::Reader;

/// A walk through the graph that shows something.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Where it begins.
    pub(super) root: u32,
    /// The step into it, source and label, if it matters by which: the followed thread enters by it.
    pub(super) entered: Option<(u32, u32)>,
    /// How it goes on.
    pub(super) hops: Vec<Hop>,
    /// The number of hops after which the part begins that is repeated for ever.
    pub(super) back: Option<usize>,
}

/// What was found of a claim.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) holds: bool,
    pub(super) vacuously: bool,
    pub(super) shown: Option<Shown>,
}

/// What is assumed of runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumed {
    labels: check::Fairness,
    whom: Vec<Whom>,
    strength: Option<check::Strength>,
}

impl Assumed {
    /// What the assumptions come to; they are of one strength where they are about individuals.
    pub(super) fn of(fairness: &[net::Fairness]) -> Result<Assumed, String> {
        let mut assumed = Assumed::default();
        for net::Fairness { strength, of } in fairness {
            let strength = match strength {
                Strength::Weak => check::Strength::Weak,
                Strength::Strong => check::Strength::Strong,
            };
            match (*of, strength) {
                (Whom::Transition(t), check::Strength::Weak) => {
                    assumed.labels.weak_labels.push(t.0);
                }
                (Whom::Transition(t), check::Strength::Strong) => {
                    assumed.labels.strong_labels.push(t.0);
                }
                (whom, strength) => {
                    if assumed.strength.is_some_and(|other| other != strength) {
                        return Err(
                            "fairness of threads and of members of classes is either weak for \
                             all or strong for all; assume the strong one of both"
                                .into(),
                        );
                    }
                    assumed.strength = Some(strength);
                    assumed.whom.push(whom);
                }
            }
        }
        Ok(assumed)
    }

    /// Whether nothing is assumed.
    pub(super) fn is_empty(&self) -> bool {
        let labels = &self.labels;
        labels.weak_labels.is_empty() && labels.strong_labels.is_empty() && self.whom.is_empty()
    }
}

/// Whether fairness could make a difference: only what says that a path goes on for ever.
pub(super) fn depends_on_fairness(formula: &Ctl) -> bool {
    match formula {
        Ctl::True | Ctl::Atom(_) => false,
        Ctl::Not(a) | Ctl::SomeNext(a) => depends_on_fairness(a),
        Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::SomeUntil(a, b) => {
            depends_on_fairness(a) || depends_on_fairness(b)
        }
        Ctl::SomeGlobally(_) => true,
    }
}

/// The part of the graph that is known.
struct Known<'q> {
    quotient: &'q Quotient,
    states: u32,
    expanded: u32,
}

impl Graph for Known<'_> {
    fn states(&self) -> u32 {
        self.states
    }

    fn is_expanded(&self, state: u32) -> bool {
        state < self.expanded
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let row = (state < self.expanded).then(|| self.quotient.successors(StateId(state)));
        row.into_iter().flatten().map(|(label, target)| (label, target.0))
    }
}

/// The states at which a violating run is looked for first, so that a near one is found.
const NEAREST: u32 = 16;

/// A question that is asked of parts of a graph.
struct InParts<'a> {
    known: &'a Known<'a>,
    roots: &'a [Root],
    atoms: &'a [Bits],
    automaton: &'a Automaton,
    assumed: &'a Assumed,
}

impl InParts<'_> {
    /// Looks for a violating run, first in a small part of the graph near its start and then in ever larger
    /// ones: a run in a part is one in the whole, and a short one. All parts together are about as large as
    /// twice the whole. Parts have the same sizes whenever this is asked, so what is found does not depend on
    /// that; those up to `searched` are known to hold nothing.
    fn lasso(
        &self,
        everyone: &mut Everyone,
        searched: &mut u32,
        budget: &Budget,
    ) -> Result<Option<Lasso>, Exhausted> {
        let InParts { known, roots, atoms, automaton, assumed } = *self;
        let is_whole = known.expanded == known.states;
        let mut expanded = searched.saturating_mul(2).max(NEAREST);
        loop {
            if expanded >= known.expanded {
                if !is_whole {
                    return Ok(None);
                }
                expanded = known.expanded;
            }
            let part = Known { expanded, ..*known };
            let is_in = |(root, entered): &&Root| {
                *root < expanded && entered.is_none_or(|(source, _)| source < expanded)
            };
            let roots: Vec<u32> = roots.iter().filter(is_in).map(|(root, _)| *root).collect();
            let fairness = &assumed.labels;
            let question = Question { graph: &part, roots: &roots, atoms, automaton, fairness };
            let individuals = assumed.strength.map(|strength| (strength, &mut *everyone as _));
            let lasso = check::find_lasso(&question, individuals, budget)?;
            if lasso.is_some() || expanded == known.expanded {
                return Ok(lasso);
            }
            *searched = expanded;
            expanded = expanded.saturating_mul(2);
        }
    }
}

/// Where runs begin that a claim is about, and the step into it, source and label, if it matters by which.
type Root = (u32, Option<(u32, u32)>);

/// A claim, and what is known about it.
struct Case {
    claim: Claim,
    automaton: Option<Automaton>,
    /// The part of the graph in which no violating run was found.
    searched: u32,
    decision: Option<Decision>,
}

/// Claims about one graph.
pub(super) struct Cases<'n> {
    net: &'n Net,
    compiled: &'n Compiled,
    atoms: Atoms,
    following: Option<&'n Following>,
    assumed: &'n Assumed,
    cases: Vec<Case>,
    valuation: Valuation,
    memory: Memory,
    /// What was wrong when a statement was looked at.
    pub(super) fault: Option<FaultKind>,
}

impl<'n> Cases<'n> {
    pub(super) fn new(
        compiled: &'n Compiled,
        net: &'n Net,
        (atoms, claims): (Atoms, Vec<Claim>),
        following: Option<&'n Following>,
        assumed: &'n Assumed,
    ) -> Self {
        let case = |claim| Case { claim, automaton: None, searched: 0, decision: None };
        Cases {
            net,
            compiled,
            atoms,
            following,
            assumed,
            cases: claims.into_iter().map(case).collect(),
            valuation: Valuation::default(),
            memory: Memory::default(),
            fault: None,
        }
    }

    /// Whether nothing is left to be found.
    pub(super) fn are_settled(&self) -> bool {
        self.fault.is_some() || self.cases.iter().all(|case| case.decision.is_some())
    }

    /// What was found of each claim.
    pub(super) fn decisions(&self) -> Vec<Option<Decision>> {
        self.cases.iter().map(|case| case.decision.clone()).collect()
    }

    /// Looks at what is known of the graph, which may be all.
    pub(super) fn look(
        &mut self,
        so_far: &SoFar,
        reader: &mut dyn Reader,
        is_complete: bool,
        budget: &Budget,
    ) -> Result<(), String> {
        let seen_before = self.valuation.seen;
        let followed = self.following.zip(self.cases[0].claim.followed);
        let followed = followed.map(|(following, (thread, _))| (following, thread));
        let looked = self.valuation.look(self.net, &self.atoms, followed, so_far, reader);
        if let Err(fault) = looked {
            self.fault = Some(fault);
            return Ok(());
        }
        let known = Known {
            quotient: so_far.quotient().expect("edges are kept"),
            states: so_far.store().len(),
            expanded: self.valuation.seen,
        };
        let roots = self.roots(&known);
        let Cases { net, compiled, assumed, cases, valuation, memory, .. } = self;
        let mut branching = None;
        for case in cases.iter_mut().filter(|case| case.decision.is_none()) {
            let found = match &case.claim.shape {
                Shape::Everywhere(atom) | Shape::Nowhere(atom) | Shape::Somewhere(atom) => {
                    let wanted = !matches!(case.claim.shape, Shape::Everywhere(_));
                    let bits = &valuation.values[*atom as usize];
                    let state = (seen_before..valuation.seen).find(|&s| bits.get(s) == wanted);
                    let holds = matches!(case.claim.shape, Shape::Somewhere(_));
                    let shown = state.map(|root| Shown {
                        root,
                        entered: None,
                        hops: Vec::new(),
                        back: None,
                    });
                    match shown {
                        Some(shown) => Some((holds, Some(shown))),
                        None => is_complete.then_some((!holds, None)),
                    }
                }
                Shape::Branching(formula) if is_complete => {
                    let checker = match &mut branching {
                        Some(checker) => checker,
                        none => {
                            let Ok(new) = Branching::new(&known, &valuation.values, budget) else {
                                continue;
                            };
                            none.insert(new)
                        }
                    };
                    let Ok(satisfying) = checker.satisfying(formula, budget) else { continue };
                    let bad = roots.iter().find(|(root, _)| !satisfying.get(*root));
                    let holds = bad.is_none();
                    // One state shows what some path does; that all do, none can.
                    let (formula, start) = match bad {
                        Some(bad) => (formula.clone().not(), Some(bad)),
                        None => (formula.clone(), roots.first().filter(|_| roots.len() == 1)),
                    };
                    let shown = start.and_then(|&(root, entered)| {
                        let evidence = checker.evidence(&formula, root, budget).ok();
                        let path = evidence.as_ref().map(|evidence| evidence.path.as_slice());
                        let hop = |&(label, target): &(u32, u32)| Hop {
                            label: Some(label),
                            target,
                            chosen: None,
                        };
                        let hops: Vec<Hop> = path.unwrap_or_default().iter().map(hop).collect();
                        let back = evidence.and_then(|evidence| evidence.back);
                        (!hops.is_empty() || !holds).then_some(Shown { root, entered, hops, back })
                    });
                    Some((holds, shown))
                }
                Shape::Branching(_) => None,
                Shape::Linear(ltl, formula) => {
                    let automaton = match &mut case.automaton {
                        Some(automaton) => automaton,
                        none => {
                            let mut ltl = (**ltl).clone();
                            let negated = ltl.not(*formula);
                            let new = Automaton::of(&ltl, negated);
                            none.insert(new.map_err(|error| error.to_string())?)
                        }
                    };
                    let store = so_far.store();
                    let mut everyone =
                        Everyone::new(compiled, net, &assumed.whom, store, reader, memory);
                    let atoms = &valuation.values;
                    let question =
                        InParts { known: &known, roots: &roots, atoms, automaton, assumed };
                    let found = question.lasso(&mut everyone, &mut case.searched, budget);
                    match found {
                        Ok(Some(lasso)) => {
                            let root = roots.iter().find(|(root, _)| *root == lasso.root);
                            let entered = root.and_then(|(_, entered)| *entered);
                            let back = Some(lasso.stem.len());
                            let hops = lasso.stem.into_iter().chain(lasso.cycle).collect();
                            Some((false, Some(Shown { root: lasso.root, entered, hops, back })))
                        }
                        Ok(None) => is_complete.then_some((true, None)),
                        Err(_) => None,
                    }
                }
            };
            case.decision = found.map(|(holds, shown)| {
                let premise = case.claim.premise.map(|atom| &valuation.values[atom as usize]);
                let vacuously = holds
                    && is_complete
                    && (roots.is_empty() || premise.is_some_and(Bits::is_empty));
                Decision { holds, vacuously, shown }
            });
        }
        Ok(())
    }

    /// Where runs begin that claims are about: at the initial state, or where a thread has entered that is
    /// followed from then on; then with the step by which it did.
    fn roots(&self, known: &Known) -> Vec<Root> {
        let Some(following) = self.following.filter(|following| following.has_choice()) else {
            return vec![(0, None)];
        };
        let mut roots = std::collections::BTreeMap::new();
        for state in 0..known.expanded {
            for (label, target) in known.successors(state).filter(|(l, _)| following.enters(*l)) {
                // What follows such a state has to be known, or nothing can be said of it.
                if target < known.expanded {
                    roots.entry(target).or_insert((state, label));
                }
            }
        }
        roots.into_iter().map(|(root, entered)| (root, Some(entered))).collect()
    }
}
