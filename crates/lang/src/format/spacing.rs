//! The space between neighbouring tokens, and where a line may be broken.

use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};
use crate::operator::{Level, binary_op};

/// A token as it is written.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// Whether there is a space before it.
    pub(super) space: bool,
    /// Whether a line may be broken before it, and how tightly it is held: the more parentheses are
    /// open and the tighter the operator binds, the more.
    pub(super) may_break: Option<usize>,
    /// Whether a line must be broken before it.
    pub(super) breaks: bool,
    /// Whether it is a comment that starts its line.
    pub(super) own_line: bool,
}

impl Piece<'_> {
    pub(super) fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// The tokens with the space between them.
pub(super) fn pieces<'t>(text: &'t str, tokens: &[Token], in_process: bool) -> Vec<Piece<'t>> {
    let mut list = Vec::with_capacity(tokens.len());
    // The last token that is not a comment, and whether it was a minus before its operand.
    let mut before: Option<TokenKind> = None;
    let mut unary = false;
    let mut after_comment = false;
    let mut broken = false;
    let mut depth: usize = 0;
    let first = match tokens.first() {
        Some(Token { kind: TokenKind::Keyword(keyword), .. }) => Some(*keyword),
        _ => None,
    };
    let property = first == Some(Keyword::Property);
    // Braces in columns are those of groups.
    let columns =
        matches!(first, Some(Keyword::Flow | Keyword::Idle | Keyword::Forgotten | Keyword::Place));
    for (index, token) in tokens.iter().enumerate() {
        let own_line = index > 0 && {
            let gap = tokens[index - 1].span.end as usize..token.span.start as usize;
            text[gap].contains('\n')
        };
        let written = token.span.text(text).trim_end();
        let kind = match in_process && is_word(text, tokens, index) {
            true => TokenKind::Keyword(Keyword::When),
            false => token.kind,
        };
        let comment = token.is_comment();
        let space = match before {
            None => after_comment,
            Some(_) if comment || after_comment => true,
            Some(TokenKind::LeftBrace) if columns => false,
            Some(_) if columns && kind == TokenKind::RightBrace => false,
            Some(before) => spaced(before, kind) && !unary,
        };
        let inner = match before {
            Some(_) if comment => None,
            Some(TokenKind::Comma) => Some(0),
            Some(TokenKind::Colon) if property => Some(0),
            Some(before) if ends_operand(before) => tightness(kind),
            _ => None,
        };
        let long = comment && written.contains('\n');
        list.push(Piece {
            kind: token.kind,
            text: written,
            space,
            may_break: inner.or((broken || long).then_some(0)).map(|inner| depth * LEVELS + inner),
            breaks: broken || long,
            own_line,
        });
        broken = long;
        after_comment = comment;
        if !comment {
            unary = kind == TokenKind::Minus && !before.is_some_and(ends_operand);
            before = Some(kind);
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket => depth += 1,
                TokenKind::LeftBrace if columns => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket => depth = depth.saturating_sub(1),
                TokenKind::RightBrace if columns => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    list
}

/// Whether an operand ends with a token. In what parses, `!` follows one.
fn ends_operand(kind: TokenKind) -> bool {
    kind.ends_operand() || matches!(kind, TokenKind::Bang | TokenKind::Box)
}

/// Whether a name is a word that an expression follows.
fn is_word(text: &str, tokens: &[Token], index: usize) -> bool {
    let is_name = tokens[index].kind == TokenKind::Name;
    let is_known = || {
        matches!(
            tokens[index].span.text(text),
            "await"
                | "assert"
                | "require"
                | "return"
                | "match"
                | "while"
                | "repeat"
                | "kill"
                | "crash"
                | "join"
                | "when"
                | "where"
                | "forgotten"
                | "idle"
                | "defer"
                | "with"
        )
    };
    let follows_dot = index > 0 && tokens[index - 1].kind == TokenKind::Dot;
    let goes_on = !tokens.get(index + 1).is_none_or(|next| {
        matches!(
            next.kind,
            TokenKind::Assign
                | TokenKind::PlusAssign
                | TokenKind::MinusAssign
                | TokenKind::Dot
                | TokenKind::Colon
                | TokenKind::RightParen
                | TokenKind::Comma
        )
    });
    is_name && is_known() && !follows_dot && goes_on
}

fn spaced(before: TokenKind, after: TokenKind) -> bool {
    use TokenKind::*;
    match (before, after) {
        (LeftParen | LeftBracket | Dot | DotDot | DotDotEqual, _) => false,
        (_, RightParen | RightBracket | Comma | Colon | Semicolon | Dot | DotDot | DotDotEqual) => {
            false
        }
        (_, Question | Bang) => false,
        (Name | RightParen | RightBracket | Bang, LeftParen | LeftBracket) => false,
        (Keyword(keyword), LeftParen) => !keyword.is_called(),
        (LeftBrace, RightBrace) => false,
        _ => true,
    }
}

/// How many kinds of operators there are that a line may be broken before.
const LEVELS: usize = 9;

/// How tightly an operator binds that a line may be broken before, if it stands between two operands.
fn tightness(kind: TokenKind) -> Option<usize> {
    use Keyword::{AU, EU, Else, From, LeadsTo, Then, Until, With};
    match kind {
        TokenKind::Arrow => Some(1),
        TokenKind::Keyword(Until | LeadsTo | AU | EU | Then | Else | With | From) => Some(1),
        kind => binary_op(kind).map(|op| 1 + Level::of(op) as usize),
    }
}
