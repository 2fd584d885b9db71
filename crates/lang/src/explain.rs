//! What the codes mean, at more length than a message has room for.

/// All codes, in order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().map(|(code, _)| *code)
}

/// What a code means.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    CODES.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

const CODES: &[(&str, &str)] = &[];
