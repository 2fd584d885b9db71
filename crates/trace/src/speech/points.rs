//! The points at which processes stop, as `show` lists them.

use net::Net;
use net::listing::{LineKind, Listed};

use super::{Speech, seen_names};
use crate::words::place_text;

/// A point at which a thread stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlPoint {
    /// `process worker`, or `fn fill, called by worker`: what is executed there.
    pub routine: String,
    /// `line 14: lock.lock()`: the statement before which it is.
    pub at: String,
    /// The variables that are still needed there.
    pub variables: Vec<String>,
    /// Whether waiting there for ever is meant.
    pub is_idle: bool,
    /// The place in the net.
    pub place: String,
}

/// The points at which the processes stop that a net was made of: process by process, in the order of lines.
#[must_use]
pub fn control_points(net: &Net) -> Option<Vec<ControlPoint>> {
    let speech = Speech::of(net)?;
    let mut points = Vec::new();
    for (id, listed) in &speech.listing.places {
        let Listed::Point { process, routine, is_function, label, line, variables } = listed else {
            continue;
        };
        let routine = match is_function {
            true => format!("fn {routine}, called by {process}"),
            false => format!("process {process}"),
        };
        let place = net.place(*id);
        let point = ControlPoint {
            routine,
            at: place_text(label.as_deref(), &[line]),
            variables: seen_names(variables).map(str::to_owned).collect(),
            is_idle: place.idle,
            place: place.name.to_string(),
        };
        // Blocks end in the reverse of the order in which they begin.
        let column = match line.kind {
            LineKind::End => usize::MAX - line.column,
            _ => line.column,
        };
        points.push(((process, *is_function, line.in_prelude, line.line, column), point));
    }
    // Processes in the order in which they are written.
    let first = |process: &String| {
        let own = points
            .iter()
            .filter(|((other, _, in_prelude, ..), _)| *other == process && !in_prelude);
        own.map(|((.., line, _), _)| *line).min()
    };
    let mut sorted = points.clone();
    sorted.sort_by_key(|((process, is_function, in_prelude, line, column), point)| {
        let routine = is_function.then(|| point.routine.clone());
        (first(process), (*process).clone(), routine, *in_prelude, *line, *column)
    });
    Some(sorted.into_iter().map(|(_, point)| point).collect())
}
