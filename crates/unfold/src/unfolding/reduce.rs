//! What can change is kept, what cannot is resolved.
//!
//! Of a token that no binding adds to there are never more than at first, and of one that no
//! binding changes always as many. Bindings that need more, or are inhibited by what is always
//! there, are never enabled and go; this is repeated until none goes. Each round looks at all arcs;
//! there are few rounds, since most of what is never enabled was not possible.

use std::collections::HashMap;

use net::TransitionId;
use num_bigint::BigUint;

use super::effort::Effort;
use super::ground::Rules;
use super::possible::{Possible, TokenId};
use super::saturate::{Change, Mode, Possibilities};
use super::{NotUnfolded, UnfoldedArc, UnfoldedNet, UnfoldedPlace, UnfoldedTransition};
use symbolic::{PlaceId, SymmetricNet};

/// What may become of a token.
#[derive(Clone, Copy, Default)]
struct Fate {
    grows: bool,
    shrinks: bool,
}

/// The unfolded net.
pub(super) fn reduced(
    net: &SymmetricNet,
    rules: &Rules,
    found: Possibilities,
    effort: &mut Effort<'_>,
) -> Result<UnfoldedNet, NotUnfolded> {
    let Possibilities { mut possible, mut initial, mut modes } = found;
    initial.resize(possible.len(), 0);
    for mode in &mut modes {
        find_inhibitors(rules, &mut possible, mode, effort)?;
    }
    let fates = loop {
        let mut fates = vec![Fate::default(); possible.len()];
        for change in modes.iter().flat_map(|mode| &mode.changes) {
            let fate = &mut fates[change.token as usize];
            fate.grows |= change.put > change.taken;
            fate.shrinks |= change.put < change.taken;
        }
        let before = modes.len();
        modes.retain(|mode| may_be_enabled(mode, &fates, &initial));
        if modes.len() == before {
            break fates;
        }
    };
    let mut writing = Writing::new(net, &possible, initial, &fates)?;
    for mode in &modes {
        writing.transition(mode, rules[mode.rule].label)?;
    }
    Ok(writing.unfolded)
}

/// Finds the possible tokens that inhibit a binding.
fn find_inhibitors(
    rules: &Rules,
    possible: &mut Possible,
    mode: &mut Mode,
    effort: &mut Effort<'_>,
) -> Result<(), NotUnfolded> {
    let mut scratch = Vec::new();
    for pattern in &rules[mode.rule].inhibitors {
        let columns = pattern.outer_columns();
        let known = columns.iter().map_while(|c| pattern.tuple[*c].value(&mode.values));
        let key: Vec<u32> = known.collect();
        let mut tokens = Vec::new();
        if key.len() == columns.len() {
            let index = possible.index(pattern.place, &columns);
            for &token in possible.with(pattern.place, index, &key) {
                effort.spend()?;
                if pattern.has(&mode.values, possible.tuple(token), &mut scratch) {
                    tokens.push(token);
                    effort.spend_arc()?;
                }
            }
        }
        mode.inhibitors.push((tokens, u64::from(pattern.count)));
    }
    Ok(())
}

fn may_be_enabled(mode: &Mode, fates: &[Fate], initial: &[u64]) -> bool {
    let enough = |change: &Change| {
        fates[change.token as usize].grows || change.need <= initial[change.token as usize]
    };
    // Of tokens that may shrink there may be none.
    let inhibits = |(tokens, least): &(Vec<TokenId>, u64)| {
        let always = tokens.iter().filter(|token| !fates[**token as usize].shrinks);
        always.map(|token| initial[*token as usize]).sum::<u64>() >= *least
    };
    mode.changes.iter().all(enough) && !mode.inhibitors.iter().any(inhibits)
}

/// The unfolded net as it is written down.
struct Writing<'p> {
    net: &'p SymmetricNet,
    possible: &'p Possible,
    initial: Vec<u64>,
    /// The unfolded place of each token, unless it is fixed.
    places: Vec<Option<u32>>,
    unfolded: UnfoldedNet,
    /// The transitions so far, without their bindings.
    known: HashMap<UnfoldedTransition, usize>,
}

impl<'p> Writing<'p> {
    fn new(
        net: &'p SymmetricNet,
        possible: &'p Possible,
        initial: Vec<u64>,
        fates: &[Fate],
    ) -> Result<Self, NotUnfolded> {
        let unfolded = UnfoldedNet {
            places: Vec::new(),
            transitions: Vec::new(),
            fixed: vec![BigUint::ZERO; net.places.len()],
            most_fixed: 0,
        };
        let (places, known) = (vec![None; possible.len()], HashMap::new());
        let mut writing = Self { net, possible, initial, places, unfolded, known };
        // By place and tuple, whatever the order in which they were found.
        let mut tokens: Vec<TokenId> = (0..possible.len() as TokenId).collect();
        tokens.sort_unstable_by_key(|token| (possible.place(*token), possible.tuple(*token)));
        for token in tokens {
            writing.place(token, fates[token as usize])?;
        }
        Ok(writing)
    }

    fn place(&mut self, token: TokenId, fate: Fate) -> Result<(), NotUnfolded> {
        let initial = self.initial[token as usize];
        let place = self.possible.place(token);
        let UnfoldedNet { places, fixed, most_fixed, .. } = &mut self.unfolded;
        if !fate.grows && !fate.shrinks {
            fixed[place as usize] += initial;
            *most_fixed = initial.max(*most_fixed);
            return Ok(());
        }
        self.places[token as usize] = Some(places.len() as u32);
        places.push(UnfoldedPlace {
            place: PlaceId(place),
            tuple: self.possible.tuple(token).to_vec(),
            initial: small(self.net, place, initial)?,
        });
        Ok(())
    }

    fn transition(&mut self, mode: &Mode, label: TransitionId) -> Result<(), NotUnfolded> {
        let mut arcs = Vec::new();
        for Change { token, need, taken, put } in &mode.changes {
            let Some(place) = self.places[*token as usize] else { continue };
            let small = |count| small(self.net, self.possible.place(*token), count);
            let change = small(*put)? - small(*taken)?;
            arcs.push(UnfoldedArc { place, least: small(*need)?, most: i32::MAX, change });
        }
        let mut sums = Vec::new();
        for (tokens, least) in &mode.inhibitors {
            let fixed = tokens.iter().filter(|token| self.places[**token as usize].is_none());
            let fixed: u64 = fixed.map(|token| self.initial[*token as usize]).sum();
            // More than can be counted is never there.
            let Ok(less_than) = i32::try_from(least.saturating_sub(fixed)) else { continue };
            let mut places: Vec<u32> =
                tokens.iter().filter_map(|token| self.places[*token as usize]).collect();
            places.sort_unstable();
            if less_than == 1 || places.len() == 1 {
                let most = less_than - 1;
                arcs.extend(places.into_iter().map(|place| UnfoldedArc {
                    place,
                    least: 0,
                    most,
                    change: 0,
                }));
            } else if places.len() > 1 {
                sums.push((places, less_than));
            }
        }
        arcs.sort_unstable_by_key(|arc| arc.place);
        arcs.dedup_by(|next, sum| {
            let same = next.place == sum.place;
            if same {
                sum.least = sum.least.max(next.least);
                sum.most = sum.most.min(next.most);
                sum.change += next.change;
            }
            same
        });
        if arcs.iter().all(|arc| arc.least <= arc.most) {
            let transition = UnfoldedTransition { arcs, sums, bindings: 0, labels: Vec::new() };
            self.add(transition, label);
        }
        Ok(())
    }

    fn add(&mut self, transition: UnfoldedTransition, label: TransitionId) {
        let transitions = &mut self.unfolded.transitions;
        let at = *self.known.entry(transition).or_insert_with_key(|transition| {
            transitions.push(transition.clone());
            transitions.len() - 1
        });
        let UnfoldedTransition { bindings, labels, .. } = &mut transitions[at];
        *bindings += 1;
        if let Err(at) = labels.binary_search(&label) {
            labels.insert(at, label);
        }
    }
}

/// A number of tokens, as diagrams count them.
fn small(net: &SymmetricNet, place: u32, count: u64) -> Result<i32, NotUnfolded> {
    let name = || net.places[place as usize].name.clone();
    i32::try_from(count).map_err(|_| NotUnfolded::Tokens(name()))
}
