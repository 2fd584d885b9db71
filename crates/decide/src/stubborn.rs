//! What stubborn sets have to keep for the goals that are pending, where they can.
//!
//! They keep deadlocks, what can fire at all, who can act and who can end; and runs, up to repetition of what is in
//! the places that atoms look at. So invariants and reachability are decided by them, linear time without `next`,
//! deadlock, and whether threads are stuck. They do not keep which runs are fair, how runs branch, which transitions
//! are enabled in a state, and how many tokens there may be at most.

use std::cell::RefCell;

use net::{Fate, Keep, Net, PlaceId, Seen, Symmetry, TransitionId};
use unfold::Predicate;

use crate::atom::Atom;
use crate::board::Board;
use crate::explicit::Subject;
use crate::goal::{Goal, Goals};
use crate::predicate::is_any;

/// What has to be kept, if it can be.
pub(crate) fn kept(subject: &Subject, board: &Board<'_>) -> Option<Keep> {
    if !subject.net.has_threads() || subject.following.is_some() || !subject.assumed.is_empty() {
        return None;
    }
    // In which states everything may end is not kept.
    if subject.net.has_ends_of_all() {
        return None;
    }
    board.read(|goals, pending| {
        let mut seen = Seen::default();
        let all = pending.iter().all(|goal| is_kept(goals, *goal, subject.net, &mut seen));
        all.then_some(Keep::Runs(seen))
    })
}

/// The places that decide a goal in a single state, if it is one of a state and they do.
pub(crate) fn decisive(goals: &Goals, goal: usize, net: &Net) -> Option<Vec<PlaceId>> {
    let Goal::Somewhere(atom, _) = goals.goal(goal) else { return None };
    let mut seen = Seen::default();
    look(&mut seen, &goals.atoms.all()[*atom as usize], net).then(|| seen.places().to_vec())
}

/// Whether a goal is decided by what is kept, if what it looks at is.
fn is_kept(goals: &Goals, goal: usize, net: &Net, seen: &mut Seen) -> bool {
    let atoms = goals.atoms.all();
    match goals.goal(goal) {
        Goal::Initially(_) => true,
        Goal::Somewhere(atom, value) => match &atoms[*atom as usize] {
            Atom::Deadlock => *value,
            atom => look(seen, atom, net),
        },
        Goal::Linear(formula) => {
            let mut of = goals.atoms_of(goal).into_iter();
            !goals.ltl.has_next(*formula) && of.all(|atom| look(seen, &atoms[atom as usize], net))
        }
        // Members of classes are followed from state to state by all modes. A failure ends everybody, but not whoever
        // has crashed before it: then it matters when it comes.
        Goal::Everyone(_) => {
            net.enumerations.iter().all(|class| class.symmetry == Symmetry::None)
                && !(can_crash(net) && can_fail(net))
        }
        Goal::Branching(_) | Goal::Greatest(_) => false,
    }
}

/// Whether a thread can be made to end as it should not.
fn can_crash(net: &Net) -> bool {
    let mut participants = net.transitions.iter().flat_map(|transition| &transition.participants);
    participants.any(|participant| participant.fate == Fate::Crash)
}

fn can_fail(net: &Net) -> bool {
    net.transitions.iter().any(|transition| transition.failure.is_some())
}

/// Looks at what an atom looks at, too; `false` if that is not in places alone.
fn look(seen: &mut Seen, atom: &Atom, net: &Net) -> bool {
    if atom.asks_what_is_enabled(net) {
        return false;
    }
    match atom {
        Atom::Formula(formula) => seen.formula(net, formula),
        Atom::Counting(predicate) => {
            let seen = RefCell::new(seen);
            is_any(predicate, &|part| {
                match part {
                    Predicate::AtMost { terms, .. } => {
                        let places = terms.iter().map(|(place, _)| PlaceId(*place));
                        places.for_each(|place| seen.borrow_mut().place(place));
                    }
                    Predicate::Enabled(transition) => {
                        seen.borrow_mut().transition(net, TransitionId(transition.0));
                    }
                    _ => {}
                }
                false
            });
            true
        }
        Atom::Deadlock => false,
    }
}
