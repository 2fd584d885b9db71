//! Fairness that is not written in a model, but assumed by who asks.

use diagnostics::nearest;
use net::{ActionId, EnumId, Fairness, Net, Strength, TransitionId, Whom};

/// Why something cannot be assumed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unassumable {
    /// It is of threads, and there are none.
    #[error("the model has no threads")]
    NoThreads,
    /// There is nobody with this name.
    #[error("there is no transition, class or arm named `{name}`; {help}")]
    NoSuch {
        /// The name.
        name: String,
        /// What to write instead.
        help: String,
    },
}

/// What is assumed: what the model declares, and what is given, perhaps several with commas between. `none` drops
/// what was before it.
///
/// # Errors
/// If something cannot be assumed.
pub fn assumed<'t>(
    net: &Net,
    given: impl IntoIterator<Item = &'t str>,
) -> Result<Vec<Fairness>, Unassumable> {
    let mut fairness = net.fairness.clone();
    for text in given.into_iter().flat_map(|text| text.split(',')).map(str::trim) {
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

fn whom(net: &Net, name: &str) -> Result<Whom, Unassumable> {
    let transitions = || net.transitions.iter().map(|transition| transition.name.as_str());
    let classes = || net.enumerations.iter().map(|class| class.name.as_str());
    if name == "threads" {
        return if net.has_threads() { Ok(Whom::Threads) } else { Err(Unassumable::NoThreads) };
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
    let help = match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            "give `threads`, a transition, a class, an arm such as `worker.stopping`, or `none`; `strong:` may come \
             before"
                .into()
        }
    };
    Err(Unassumable::NoSuch { name: name.to_owned(), help })
}
