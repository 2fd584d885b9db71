//! What disables, by the definition, and probes.
//!
//! An inhibitor disables a mode of the rest of the transition exactly when the transition that reads its tokens
//! as well, and has its condition in the guard, has a mode that goes on from that one. That is so where the inputs
//! are in other places, so that the tokens need not be there beside theirs.

use net::interpret::{is_enabled, modes};
use net::{Compiled, Inhibitor, Net, TransitionId};
use state::State;

/// Compares inhibitors with what reads the same. Gives how many modes of several arcs were disabled, and passed.
pub fn check_inhibitors(net: &Net, states: &[State]) -> Result<[usize; 2], String> {
    let mut seen = [0; 2];
    for id in (0..net.transitions.len() as u32).map(TransitionId) {
        let Some(forms) = Forms::of(net, id) else { continue };
        for state in states {
            let (Ok(all), Ok(left)) = (modes(&forms.free, state, id), modes(net, state, id)) else {
                continue;
            };
            let Ok(disabling) = modes(&forms.reading, state, id) else { continue };
            for mode in all {
                let goes_on = |longer: &net::interpret::Mode| {
                    mode.binding.iter().all(|(var, value)| longer.binding.get(var) == Some(value))
                        && longer.tokens.starts_with(&mode.tokens)
                };
                let is_disabled = disabling.iter().any(goes_on);
                if is_disabled == left.contains(&mode) {
                    let name = &net.transition(id).name;
                    return Err(format!("{state}: `{name}` is not inhibited as reading says"));
                }
                seen[usize::from(!is_disabled)] += usize::from(forms.is_joint);
            }
        }
    }
    Ok(seen)
}

/// A net in which a transition has no inhibitor, and one in which it reads instead.
struct Forms {
    free: Net,
    reading: Net,
    is_joint: bool,
}

impl Forms {
    fn of(net: &Net, id: TransitionId) -> Option<Forms> {
        let transition = net.transition(id);
        let [Inhibitor { arcs, condition }] = &transition.inhibitors[..] else { return None };
        let threads = transition.participants.iter().map(|participant| participant.from);
        let tokens = transition.takes.iter().chain(&transition.reads).map(|arc| arc.place);
        let inputs: Vec<_> = threads.chain(tokens).collect();
        let is_apart = arcs.iter().all(|arc| arc.count == 1 && !inputs.contains(&arc.place));
        if transition.probe || !is_apart {
            return None;
        }
        let mut free = net.clone();
        free.transitions[id.index()].inhibitors.clear();
        let mut reading = free.clone();
        let form = &mut reading.transitions[id.index()];
        form.reads.extend(arcs.iter().cloned());
        form.guard.extend(condition.clone());
        Some(Forms { free, reading, is_joint: arcs.len() > 1 })
    }
}

/// Compares what both engines say of probes with the modes they would have if they fired. Gives how many were
/// enabled, and not.
pub fn check_probes(
    net: &Net,
    states: &[State],
    compiled: &mut Compiled,
) -> Result<[usize; 2], String> {
    let mut firing = net.clone();
    firing.transitions.iter_mut().for_each(|transition| transition.probe = false);
    let mut seen = [0; 2];
    for id in (0..net.transitions.len() as u32).map(TransitionId) {
        if !net.transition(id).probe {
            continue;
        }
        for state in states {
            let would = modes(&firing, state, id).map(|modes| !modes.is_empty()).map_err(drop);
            let plain = is_enabled(net, state, id).map_err(drop);
            let compiled = compiled.probes(&compiled.working(state).0, id).map_err(drop);
            let has_modes = modes(net, state, id) != Ok(Vec::new());
            if would != plain || would != compiled || has_modes {
                let name = &net.transition(id).name;
                return Err(format!(
                    "{state}: the probe `{name}` is {would:?}, but plain {plain:?}, compiled {compiled:?}"
                ));
            }
            seen[usize::from(would != Ok(true))] += 1;
        }
    }
    Ok(seen)
}
