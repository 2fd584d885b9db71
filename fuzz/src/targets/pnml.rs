//! Any bytes: decoding, reading and drawing do not panic; diagnostics lie within the text; what is read can
//! be written and read again; a document means a net, and the net can be written as a document again, or what
//! keeps it from that is said.

use pnml::{Document, Limits, decode, from_net, read, to_net, write};

use super::sound;

/// Small limits, so that they are met, and so that a document of a few lines does not mean a net of millions.
pub(super) fn limits() -> Limits {
    Limits { class: 1000, product: 100_000, columns: 8, depth: 100, ..Limits::default() }
}

fn is_known(code: &str) -> bool {
    pnml::EXPLANATIONS.find(code).is_some()
}

pub(crate) fn run(input: &[u8]) -> String {
    let text = match decode(input) {
        Ok(text) => text,
        Err(report) => return super::kind(&report.to_string()),
    };
    let document = match read(&text, &limits()) {
        Ok(document) => document,
        Err(report) => return sound(&report, &text, is_known),
    };
    let written = write(&document);
    assert_eq!(read(&written, &limits()).as_ref(), Ok(&document), "{written}");
    meaning(&document, &text)
}

fn meaning(document: &Document, text: &str) -> String {
    let net = match to_net(document, text) {
        Ok(net) => net,
        Err(report) => return sound(&report, text, is_known),
    };
    // Checking writes the initial marking out.
    let size = |id: &net::EnumId| net.enumerations[id.index()].members.len();
    let choices = net.tokens.iter().map(|token| token.each.iter().map(size).product::<usize>());
    if choices.sum::<usize>() < 10_000 {
        assert_eq!(net.check(), []);
    }
    let answer =
        format!("ok {} {} {}", net.places.len(), net.transitions.len(), net.enumerations.len());
    match from_net(&net) {
        Ok(document) => {
            let written = write(&document);
            assert_eq!(read(&written, &Limits::default()).as_ref(), Ok(&document), "{written}");
            assert_eq!(to_net(&document, &written), Ok(net), "{written}");
            answer
        }
        Err(unsayable) => format!("{answer}, {}", super::kind(&unsayable[0].to_string())),
    }
}
