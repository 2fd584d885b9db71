//! What `--fair` says.

use net::{ActionId, EnumId, Fairness, Net, Strength, TransitionId, Whom};

use super::Failure;

/// What is assumed: what the model declares, and what is given. `none` drops what was before it.
pub(super) fn assumed(net: &Net, given: &[String]) -> Result<Vec<Fairness>, Failure> {
    let mut fairness = net.fairness.clone();
    for text in given.iter().flat_map(|text| text.split(',')).map(str::trim) {
        if text == "none" {
            fairness.clear();
            continue;
        }
        // Also as it is written in models.
        let strong = ["strong:", "strongly fair "].iter().find_map(|word| text.strip_prefix(word));
        let weak = || ["weak:", "fair "].iter().find_map(|word| text.strip_prefix(word));
        let (strength, name) = match strong {
            Some(name) => (Strength::Strong, name),
            None => (Strength::Weak, weak().unwrap_or(text)),
        };
        let of = whom(net, name)?;
        // The strong one says more.
        let is_said = |other: &Fairness| other.of == of && other.strength >= strength;
        if !fairness.iter().any(is_said) {
            fairness.retain(|other| other.of != of);
            fairness.push(Fairness { strength, of });
        }
    }
    Ok(fairness)
}

fn whom(net: &Net, name: &str) -> Result<Whom, Failure> {
    let transitions = || net.transitions.iter().map(|transition| transition.name.as_str());
    let classes = || net.enumerations.iter().map(|class| class.name.as_str());
    if name == "threads" {
        return match net.has_threads() {
            true => Ok(Whom::Threads),
            false => Err(Failure::usage("--fair threads: the model has no threads")),
        };
    }
    if let Some(at) = transitions().position(|other| other == name) {
        return Ok(net.whom(TransitionId(at as u32)));
    }
    if let Some(at) = classes().position(|other| other == name) {
        return Ok(Whom::Class(EnumId(at as u32)));
    }
    let actions = || net.actions.iter().map(|action| action.name.as_str());
    if let Some(at) = actions().position(|other| other == name) {
        return Ok(Whom::Action(ActionId(at as u32)));
    }
    let known = transitions().chain(classes()).chain(actions()).chain(["threads"]);
    let help = match diagnostics::nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            "give `threads`, a transition, a class, an arm such as `worker.stopping`, or `none`; `strong:` may come \
             before"
                .into()
        }
    };
    Err(Failure::usage(format!(
        "--fair: there is no transition, class or arm named `{name}`; {help}"
    )))
}
