//! Any text, as a state in JSON: what is read can be written and read again, and its canonical representative
//! is that of itself and of a state in disguise, whatever is observed.

use canon::Canoniser;
use fold::audit::disguised;
use fold::canonical;
use random::Random;
use state::{Relations, State};

/// Finding representatives of larger states takes too long here.
const LARGEST: usize = 40;

pub(crate) fn run(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let state = match State::from_json(&text) {
        Ok(state) => state,
        Err(error) => return super::kind(&error.to_string()),
    };
    assert_eq!(state.check(), Ok(()));
    let written = state.to_json().to_string();
    assert_eq!(State::from_json(&written).as_ref().ok(), Some(&state), "{written}");
    let tokens = || state.marked().map(|place| state.tokens(place).count()).sum::<usize>();
    if state.eta().len() > LARGEST || tokens() > LARGEST {
        return "ok, large".into();
    }
    let canoniser = &mut Canoniser::new();
    let random = &mut Random::new(input.len() as u64);
    for relations in [Relations::NONE, Relations::ALL] {
        let form = canonical(&state, relations, canoniser).state;
        assert_eq!(form.check(), Ok(()), "{relations}");
        assert_eq!(canonical(&form, relations, canoniser).state, form, "{relations}");
        let other = disguised(&state, relations, true, random).state;
        assert_eq!(canonical(&other, relations, canoniser).state, form, "{relations}: {other:?}");
    }
    format!("ok {} {}", state.eta().len(), tokens())
}

/// States of the models of the project.
pub(crate) fn examples() -> Vec<Vec<u8>> {
    let random = &mut Random::new(0);
    let models = super::models();
    let runs = models.iter().flat_map(|net| [3, 20].map(|steps| super::run(net, steps, random)));
    runs.map(|run| run.last().to_json().to_string().into_bytes()).collect()
}
