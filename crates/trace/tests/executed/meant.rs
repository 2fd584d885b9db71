//! Where a run of a program is told otherwise than that of its net, since it is told better.

use crate::pairs::Waits;

/// Compares what threads wait for, but for what is meant to differ.
pub fn compare_waits([of_net, of_program]: &[Waits; 2]) -> Result<(), String> {
    if !of_net.keys().eq(of_program.keys()) {
        return Err(format!("  - {of_net:?}\n  + {of_program:?}"));
    }
    for ((name, net), program) in of_net.iter().zip(of_program.values()) {
        if net.0 != program.0 || !is_meant(&net.1, &program.1) {
            return Err(format!("  {name}\n  - {net:?}\n  + {program:?}"));
        }
    }
    Ok(())
}

fn is_meant(of_net: &[String], of_program: &[String]) -> bool {
    // Nets have no transition for what can never be done, and say little of one for each of several.
    let says_nothing = |reasons: &[String]| {
        reasons.iter().all(|reason| reason.ends_with("a condition does not hold"))
    };
    // Nets look first at who has ended, then at what else a condition says.
    let is_of_ends =
        |reasons: &[String]| reasons.iter().all(|reason| reason.starts_with("for the end of"));
    of_net == of_program
        || says_nothing(of_net)
        || is_of_ends(of_net) && !of_program.is_empty()
        || of_net.len() == of_program.len()
            && of_net.iter().zip(of_program).all(|(net, program)| is_same(net, program))
}

/// Whether two reasons are the same. A channel on which nobody ever sends is known by nets to be empty, and it is not said of
/// one without a buffer that nobody sends.
fn is_same(net: &str, program: &str) -> bool {
    let said = program.replace("has items = [], closed", "has closed");
    let closed = || net.strip_suffix(" has closed = false");
    let object = |text: &str| text.rsplit(": ").next().unwrap_or_default().to_owned();
    net == said
        || closed().is_some_and(|channel| {
            program.ends_with(&format!("nobody is at the other side of {}", object(channel)))
        })
}
