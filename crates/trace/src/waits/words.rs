//! Why a process of a program cannot go on, in words.

use std::collections::BTreeSet;

use state::Pid;

use super::MOST_REASONS;

/// What is said of a condition of which nothing else is known.
pub(crate) const OTHER_REASON: &str = "a condition does not hold";

/// The reasons, each with the statement that it is about, which is said if there are several.
pub(crate) fn reasons(texts: Vec<(&str, String)>) -> Vec<String> {
    let statements: BTreeSet<&str> = texts.iter().map(|(statement, _)| *statement).collect();
    let mut reasons: Vec<String> = Vec::new();
    for (statement, reason) in texts {
        let which = if statements.len() > 1 { format!("{statement}: ") } else { String::new() };
        let reason = format!("{which}{reason}");
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons.truncate(MOST_REASONS);
    reasons
}

/// Where a process is for which another one waits.
pub(crate) fn whereabouts_text(pid: &Pid, own: &Pid, name: &str, place: Option<String>) -> String {
    match place {
        _ if pid == own => format!("{name} itself"),
        Some(place) => format!("{name}, which is at {place}"),
        None => format!("{pid}, which has ended"),
    }
}

/// That nobody comes to an object at which two meet.
pub(crate) fn alone_reason(object: &str) -> String {
    format!("nobody is at the other side of {object}")
}

/// That a process is asleep.
pub(crate) fn sleep_reason(object: &str) -> String {
    format!("asleep on {object}")
}

/// That an object has these values, among which are processes; the only one may be who holds it.
pub(crate) fn object_reason(
    object: &str,
    values: &str,
    (is_held, pids): (bool, &[Pid]),
    own: &Pid,
    where_is: &dyn Fn(&Pid) -> String,
) -> String {
    match pids {
        [holder] if is_held => format!("{object} is held by {}", where_is(holder)),
        [] => format!("{object} has {values}"),
        // It waits for what is its own affair, whoever else is there.
        pids if pids.contains(own) => format!("{object} has {values}"),
        pids => {
            let who: Vec<String> = pids.iter().map(where_is).collect();
            format!("{object} has {values}, that is {}", who.join(", and "))
        }
    }
}
