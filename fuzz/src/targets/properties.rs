//! Any bytes, as the contest's property files: what is read can be written and read again.

use pnml::{decode, properties};

use super::pnml::limits;
use super::sound;

pub(crate) fn run(input: &[u8]) -> String {
    let text = match decode(input) {
        Ok(text) => text,
        Err(report) => return super::kind(&report.to_string()),
    };
    match properties::read(&text, &limits()) {
        Ok(list) => {
            let written = properties::write(&list);
            assert_eq!(properties::read(&written, &limits()).as_ref(), Ok(&list), "{written}");
            format!("ok {} {}", list.len(), written.len() / 256)
        }
        Err(report) => sound(&report, &text, |code| pnml::EXPLANATIONS.find(code).is_some()),
    }
}
