//! The canonical representative of a class of concrete states, itself a concrete state.
//!
//! Two states are equivalent when a bijection of their pids and next pids keeps activity, the step to
//! the next pid, the relations of Ω and the tokens (Klaudel et al. 2009, Def. 3.1, for the relations in
//! Ω). [`canonical`] gives equivalent states the same representative and others different ones:
//!
//! 1. the pids present and what Ω sees of them become a [`Kinship`] table, which is as much as the
//!    definition asks of a bijection ([`concrete::abstracted`]);
//! 2. table and tokens become a coloured structure. An atom's colour says whether the pid is active,
//!    pairs are links, and each token with pids is a tuple whose label is the rank of (place, data by
//!    position, multiplicity) among those of this state: equivalent states have the same ranks;
//! 3. the table is written down in the canonical order of the atoms, and digits are invented for it
//!    ([`concrete::realised`]), which depend on nothing but that table;
//! 4. the tokens are renamed. What differs in data, and was not in the structure but by rank, differs
//!    here.
//!
//! The representative is equivalent to the state it was made from, so no two classes share one; no
//! hash is involved but in the canoniser, which promises that none decides. The cost is that of sorting
//! the tokens and of the canonical labelling; unlike [`Folder`](crate::Folder) it allocates for each
//! state, which is the price of names.

use std::collections::BTreeMap;

use canon::{Canoniser, Structure};
use state::{Pid, Relations, State, Token, Value};

use crate::{Kinship, concrete};

/// Labels below are those of links: three kinds, each close or not.
const LINK_LABELS: u32 = 6;

/// A state that is equivalent to a given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equivalent {
    /// The state.
    pub state: State,
    /// The bijection that shows it: which pid of the given state became which, for all pids present.
    pub renamed: BTreeMap<Pid, Pid>,
}

impl Equivalent {
    /// The state with other pids, and the η that belongs to them.
    pub(crate) fn new(
        state: &State,
        renamed: BTreeMap<Pid, Pid>,
        eta: BTreeMap<Pid, u32>,
    ) -> Equivalent {
        let mut other = State::new();
        for place in state.marked() {
            for (token, count) in state.tokens(place) {
                let value = |value: &Value| match value {
                    Value::Pid(pid) => Value::Pid(renamed[pid].clone()),
                    data => data.clone(),
                };
                let fits = other.put(place, token.iter().map(value).collect(), count);
                assert!(fits, "renaming is one-to-one");
            }
        }
        eta.into_iter().for_each(|(pid, children)| other.activate(pid, children));
        Equivalent { state: other, renamed }
    }

    /// Which pid of the state given here is which of that given there, by way of the one that both are
    /// equivalent to.
    #[must_use]
    pub fn onto(&self, other: &Equivalent) -> BTreeMap<Pid, Pid> {
        let back: BTreeMap<&Pid, &Pid> = other.renamed.iter().map(|(pid, to)| (to, pid)).collect();
        let pairs = self.renamed.iter();
        pairs.filter_map(|(pid, to)| Some((pid.clone(), (*back.get(to)?).clone()))).collect()
    }
}

/// The representative of the class of `state` up to `relations`: two states are equivalent exactly when
/// their representatives are equal.
///
/// The state should be a consistent thread configuration ([`State::check`]), or it has no class; it is
/// given some representative nevertheless.
///
/// ```
/// use canon::Canoniser;
/// use fold::canonical;
/// use state::{Pid, Relation, Relations, State};
///
/// /// Thread `pid` is at `place`, having created `children` children.
/// fn at(place: &str, pid: &str, children: u32) -> State {
///     let pid: Pid = pid.parse().unwrap();
///     let mut state = State::new();
///     assert!(state.put(&place.into(), vec![pid.clone().into()], 1));
///     state.activate(pid, children);
///     state
/// }
///
/// let canoniser = &mut Canoniser::new();
/// let mut form = |state: &State| canonical(state, Relations::ALL, canoniser).state;
/// assert_eq!(form(&at("ready", "1", 0)), form(&at("ready", "2.7.1", 40)));
/// assert_ne!(form(&at("ready", "1", 0)), form(&at("done", "1", 0)));
/// ```
#[must_use]
pub fn canonical(state: &State, relations: Relations, canoniser: &mut Canoniser) -> Equivalent {
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    let kinship = concrete::abstracted(&pids, state.eta(), relations);
    let structure = structure(state, &pids, &kinship);
    let labelling = canoniser.canonise(&structure);
    let mut ordered = kinship.emptied();
    ordered.add_renamed(&kinship, labelling.order(), labelling.position());
    let (names, eta) = concrete::realised(&ordered);
    let position = labelling.position().iter();
    let names = position.map(|&at| names[at as usize].clone());
    Equivalent::new(state, pids.into_iter().zip(names).collect(), eta)
}

/// A bijection of the pids present that shows two states to be equivalent up to `relations`, if there is
/// one.
#[must_use]
pub fn equivalent(one: &State, other: &State, relations: Relations) -> Option<BTreeMap<Pid, Pid>> {
    let canoniser = &mut Canoniser::new();
    let one = canonical(one, relations, canoniser);
    let other = canonical(other, relations, canoniser);
    (one.state == other.state).then(|| one.onto(&other))
}

/// The structure over `pids`, sorted.
fn structure(state: &State, pids: &[Pid], kinship: &Kinship) -> Structure {
    let mut structure = Structure::new();
    for kin in kinship.kin() {
        structure.atom(u32::from(kin.active));
    }
    for (pid, kin) in (0..).zip(kinship.kin()) {
        for (kind, link) in (0..).zip([kin.ancestor, kin.elder, kin.youngest]) {
            if let Some((to, close)) = link.get() {
                structure.tuple(2 * kind + u32::from(close), &[pid, to]);
            }
        }
    }
    // Places in order, and within them what is left of a token without its pids: so the rank of each
    // kind of token is its rank in the state.
    let mut label = LINK_LABELS;
    for place in state.marked() {
        let mut kinds: BTreeMap<(Vec<Option<&Value>>, u32), Vec<&Token>> = BTreeMap::new();
        for (token, count) in state.tokens(place) {
            let data = token.iter().map(|value| value.as_pid().is_none().then_some(value));
            kinds.entry((data.collect(), count)).or_default().push(token);
        }
        for tokens in kinds.into_values() {
            for token in tokens {
                let atoms = token.iter().filter_map(Value::as_pid);
                let atoms = atoms.map(|pid| pids.binary_search(pid).expect("it is present") as u32);
                let atoms: Vec<u32> = atoms.collect();
                if !atoms.is_empty() {
                    structure.tuple(label, &atoms);
                }
            }
            label += 1;
        }
    }
    structure
}
