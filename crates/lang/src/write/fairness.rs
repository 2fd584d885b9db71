//! What is assumed of runs: a declaration for each assumption.

use std::collections::HashSet;

use net::{Fairness, Net, Strength, Whom};

use super::quote::quoted;

/// The assumptions. What a name is of is written where it is a transition and a class.
pub(super) fn write_fairness(net: &Net) -> Vec<String> {
    let transitions: HashSet<&str> = net.transitions.iter().map(|t| t.name.as_str()).collect();
    let classes: HashSet<&str> = net.enumerations.iter().map(|class| class.name.as_str()).collect();
    let either = |name: &str, word: &str| match name {
        _ if transitions.contains(name) && classes.contains(name) => {
            format!("{word} {}", quoted(name))
        }
        // Not the word for threads.
        "threads" => "`threads`".into(),
        _ => quoted(name),
    };
    let write = |Fairness { strength, of }: &Fairness| {
        let whom = match *of {
            Whom::Threads => "threads".into(),
            Whom::Transition(id) => either(&net.transition(id).name, "transition"),
            Whom::Action(id) => either(&net.actions[id.index()].name, "transition"),
            Whom::Class(id) => either(&net.enumerations[id.index()].name, "class"),
        };
        match strength {
            Strength::Weak => format!("fair {whom}"),
            Strength::Strong => format!("strongly fair {whom}"),
        }
    };
    net.fairness.iter().map(write).collect()
}
