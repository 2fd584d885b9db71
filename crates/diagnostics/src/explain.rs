//! What the codes mean, at more length than a message has room for.

/// What one code means.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The code, such as `E0203`.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters, and what to do.
    pub text: &'static str,
}

/// The explanation of a code, in the table of a front end.
#[must_use]
pub fn explain(table: &'static [Explanation], code: &str) -> Option<&'static Explanation> {
    table.iter().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
}
