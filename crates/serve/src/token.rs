//! Who has the link.

use std::fmt;

use subtle::ConstantTimeEq;

use crate::ServeError;

/// 128 random bits, written as 32 hexadecimal digits: whoever knows them may ask.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token that nobody knows yet.
    ///
    /// # Errors
    ///
    /// If the system gives no random numbers.
    pub fn random() -> Result<Token, ServeError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(ServeError::NoRandomness)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether this is what somebody says. Takes as long wherever the first difference is.
    #[must_use]
    pub fn is(&self, said: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(said).into()
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Does not show it.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tokens_are_alike() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.as_str().len(), 32);
        assert!(one.as_str().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(one.is(one.as_str().as_bytes()));
        assert!(!one.is(other.as_str().as_bytes()));
    }

    #[test]
    fn a_part_of_a_token_is_not_the_token() {
        let token = Token::random().unwrap();
        assert!(!token.is(b""));
        assert!(!token.is(&token.as_str().as_bytes()[..31]));
        assert!(!token.is(format!("{}0", token.as_str()).as_bytes()));
        assert!(!format!("{token:?}").contains(token.as_str()));
    }
}
