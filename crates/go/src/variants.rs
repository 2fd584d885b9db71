//! Variants of what the library has in `.kin`: what only some programs ask of contexts costs the others nothing.

use crate::world::World;

/// What is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Variants {
    /// Why contexts are over, be it by their causes or by errors of the program's own.
    pub(crate) reasons: bool,
    /// Contexts of the program's own.
    pub(crate) own: bool,
}

impl World<'_> {
    pub(crate) fn variants(&self) -> Variants {
        let text = &self.text[..self.own as usize];
        Variants { reasons: self.own_contexts || text.contains("Cause"), own: self.own_contexts }
    }
}

impl Variants {
    /// The lines of a text, of those that begin with `+` or `-` and a word only what is asked, or is not.
    pub(crate) fn lines(self, text: &str) -> Vec<String> {
        let given = |line: &str| -> Option<String> {
            let is_asked = |word: &str| match word {
                "reasons" => self.reasons,
                _ => self.own,
            };
            let Some(sign) = line.chars().next().filter(|c| matches!(c, '+' | '-')) else {
                return (!line.is_empty()).then(|| line.to_owned());
            };
            let (word, rest) = line[1..].split_once(' ')?;
            ((sign == '+') == is_asked(word)).then(|| rest.to_owned())
        };
        text.lines().filter_map(given).collect()
    }

    /// The parameters that channels of contexts have besides.
    pub(crate) fn parameters(self) -> &'static str {
        if self.reasons { ", why_late: Any = any_nil" } else { "" }
    }
}
