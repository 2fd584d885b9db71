//! What the codes mean, at more length than a message has room for.

/// What one code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code, such as `E0203`.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters, and what to do.
    pub text: &'static str,
}

/// What the codes of a front end mean: a text in which each explanation starts with a line that has its
/// code and its title, `# E0203 A variable without a value`.
#[derive(Clone, Copy, Debug)]
pub struct Explanations(pub &'static str);

impl Explanations {
    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Explanation> {
        let (_, all) = self.0.split_once("# ").unwrap_or_default();
        all.split("\n# ").map(|one| {
            let (head, text) = one.split_once('\n').unwrap_or((one, ""));
            let (code, title) = head.split_once(' ').unwrap_or((head, ""));
            Explanation { code, title, text: text.trim() }
        })
    }

    /// That of a code.
    #[must_use]
    pub fn find(self, code: &str) -> Option<Explanation> {
        self.iter().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_found_by_their_code() {
        let all = Explanations("# E1 One\n\nThe first.\n\n# E2 Two words\n\nThe\nsecond.\n");
        assert_eq!(all.iter().map(|one| one.code).collect::<Vec<_>>(), ["E1", "E2"]);
        let second = Explanation { code: "E2", title: "Two words", text: "The\nsecond." };
        assert_eq!(all.find("e2"), Some(second));
        assert_eq!(all.find("E3"), None);
    }
}
