//! From text to tokens. Comments are tokens too, for the formatter; the parser does not see them.
//!
//! Nothing is an error to the lexer itself but characters that belong to no token, a comment or a name in
//! backticks that does not end, and digits followed by letters. These are reported here and left out, or
//! read as meant, so that they are reported once.

use logos::{Lexer, Logos};

use crate::keyword::Keyword;
use crate::region::{self, Word};
use crate::soft::soften;
use diagnostics::{Diagnostic, Diagnostics, Span};

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0C]+")]
pub(crate) enum TokenKind {
    /// Plain, or anything printable in backticks.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", priority = 3)]
    #[token("`", quoted)]
    Name,
    /// Made of a name after the fact.
    Keyword(Keyword),
    /// A word with which a declaration of processes starts; made of a name after the fact.
    Word(Word),
    #[token("_", priority = 10)]
    Underscore,
    #[regex(r"[0-9][0-9A-Za-z_]*")]
    Int,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    /// "Always", as logicians write it.
    #[token("[]")]
    Box,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("..=")]
    DotDotEqual,
    #[token("?")]
    Question,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,
    #[token("=")]
    Assign,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<>")]
    LessGreater,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&&")]
    #[token("&")]
    AndAnd,
    #[token("||")]
    #[token("|")]
    OrOr,
    #[token("!")]
    Bang,
    #[token("//", line_comment)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    /// The end of the text.
    End,
}

impl TokenKind {
    /// Whether an operand ends with it, so that a minus after it is between two operands.
    pub(crate) fn ends_operand(self) -> bool {
        use Keyword::{All, DeadlockFree, False, True};
        match self {
            TokenKind::Name
            | TokenKind::Underscore
            | TokenKind::Int
            | TokenKind::RightParen
            | TokenKind::RightBracket => true,
            TokenKind::Keyword(keyword) => matches!(keyword, True | False | DeadlockFree | All),
            _ => false,
        }
    }
}

/// A name in backticks. One that is not right goes as far as the next blank.
fn quoted(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), ()> {
    let rest = lexer.remainder();
    match rest.find(|c: char| c == '`' || c.is_control()) {
        Some(end) if end > 0 && rest[end..].starts_with('`') => {
            lexer.bump(end + 1);
            Ok(())
        }
        _ => {
            lexer.bump(rest.find(char::is_whitespace).unwrap_or(rest.len()));
            Err(())
        }
    }
}

fn line_comment(lexer: &mut Lexer<'_, TokenKind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
}

fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), ()> {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(position) => {
            lexer.bump(position + 2);
            Ok(())
        }
        None => {
            lexer.bump(rest.len());
            Err(())
        }
    }
}

/// How long the rest of a text in quotes is, if it ends on the same line.
fn text_length(rest: &str) -> Option<usize> {
    let end = rest.find(['"', '\n'])?;
    rest[end..].starts_with('"').then_some(end + 1)
}

/// A token and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

impl Token {
    /// Whether it is a comment.
    pub(crate) fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }
}

/// The tokens of a text, comments included, with one [`TokenKind::End`] after the last.
pub(crate) fn tokens(text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut tokens: Vec<Token> = Vec::new();
    let mut stray: Option<Span> = None;
    let mut lexer = TokenKind::lexer(&text[start..]);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start + start..range.end + start);
        match result {
            Ok(TokenKind::Name) => {
                // In backticks, words of the language are names like others.
                let kind =
                    Keyword::parse(lexer.slice()).map_or(TokenKind::Name, TokenKind::Keyword);
                tokens.push(Token { kind, span });
            }
            Ok(kind) => tokens.push(Token { kind, span }),
            Err(()) if lexer.slice().starts_with("/*") => {
                Diagnostic::error("E0103", "a comment does not end")
                    .at(Span { end: span.start + 2, ..span }, "it starts here")
                    .help("close it with `*/`")
                    .report(diagnostics);
            }
            // A text is one mistake, and stands for a value.
            Err(()) if lexer.slice() == "\"" && text_length(lexer.remainder()).is_some() => {
                lexer.bump(text_length(lexer.remainder()).unwrap_or_default());
                let span = Span { end: (lexer.span().end + start) as u32, ..span };
                Diagnostic::error("E0102", "there are no texts")
                    .at(span, "this is one")
                    .help("declare an `enum` for what differs, and leave out the rest")
                    .report(diagnostics);
                tokens.push(Token { kind: TokenKind::Name, span });
            }
            Err(()) if lexer.slice().starts_with('`') => {
                Diagnostic::error("E0102", "a name in backticks is not complete")
                    .at(span, "")
                    .help("it ends with a backtick on the same line, and holds something")
                    .report(diagnostics);
                tokens.push(Token { kind: TokenKind::Name, span });
            }
            Err(()) => match &mut stray {
                Some(run) if run.end == span.start => run.end = span.end,
                _ => report(&mut stray, Some(span), text, diagnostics),
            },
        }
    }
    report(&mut stray, None, text, diagnostics);
    tokens.push(Token { kind: TokenKind::End, span: Span::new(text.len()..text.len()) });
    let inside = region::regions(text, &mut tokens);
    signs_of_nets(text, &mut tokens, &inside, diagnostics);
    soften(&mut tokens);
    tokens
}

/// What only processes are written with means nothing elsewhere: brackets are read as parentheses, question marks
/// that follow no sort left out.
fn signs_of_nets(
    text: &str,
    tokens: &mut Vec<Token>,
    inside: &[bool],
    diagnostics: &mut Diagnostics,
) {
    let mut brackets = Brackets::default();
    let mut stray = None;
    let mut last = "";
    let mut may_be_sort = false;
    let mut at = 0;
    tokens.retain_mut(|token| {
        let is_inside = inside[at];
        at += 1;
        // `pid?`, `Lock?`, `0..=3?`.
        let follows_sort = std::mem::replace(&mut may_be_sort, may_end_sort(token.kind));
        if is_inside {
            return true;
        }
        if token.kind == TokenKind::Question && !follows_sort {
            match &mut stray {
                Some(Span { end, .. }) if *end == token.span.start => *end = token.span.end,
                _ => report(&mut stray, Some(token.span), text, diagnostics),
            }
            return false;
        }
        // `A[p U q]` is reported by the parser.
        brackets.is_formula |= token.kind == TokenKind::LeftBracket && matches!(last, "A" | "E");
        token.kind = brackets.read(token.kind, token.span, diagnostics);
        last = token.span.text(text);
        true
    });
    report(&mut stray, None, text, diagnostics);
}

fn may_end_sort(kind: TokenKind) -> bool {
    use Keyword::{Bool, Pid};
    match kind {
        // A brace ends a group, of which it is reported then.
        TokenKind::Name | TokenKind::Int | TokenKind::RightParen | TokenKind::RightBrace => true,
        TokenKind::Keyword(keyword) => matches!(keyword, Pid | Bool),
        _ => false,
    }
}

/// Brackets are reported, one for each pair, and read as the parentheses that were meant.
#[derive(Default)]
struct Brackets {
    open: usize,
    /// Whether the next bracket belongs to a formula of CTL.
    is_formula: bool,
}

impl Brackets {
    fn read(&mut self, kind: TokenKind, span: Span, diagnostics: &mut Diagnostics) -> TokenKind {
        let (kind, report) = match kind {
            TokenKind::LeftBracket => {
                self.open += 1;
                (TokenKind::LeftParen, !std::mem::take(&mut self.is_formula))
            }
            TokenKind::RightBracket => {
                let alone = self.open == 0;
                self.open = self.open.saturating_sub(1);
                (TokenKind::RightParen, alone)
            }
            kind => (kind, false),
        };
        if report {
            Diagnostic::error("E0102", "brackets mean nothing here")
                .at(span, "")
                .help("write `(` and `)`")
                .report(diagnostics);
        }
        kind
    }
}

/// Reports the run of stray characters before, and starts another.
fn report(stray: &mut Option<Span>, next: Option<Span>, text: &str, diagnostics: &mut Diagnostics) {
    let Some(span) = std::mem::replace(stray, next) else { return };
    let run = span.text(text);
    let several = run.chars().nth(1).is_some();
    let (message, help) = match run {
        "^" => ("`^` is no operator".into(), "write `!=` for exclusive or"),
        "\"" | "'" => {
            (format!("`{run}` means nothing here"), "there are no texts; declare an `enum`")
        }
        "#" => ("`#` means nothing here".into(), "a comment starts with `//`"),
        _ => (
            match (several, run.chars().next()) {
                (false, Some(c)) => {
                    format!("the character `{}` means nothing here", c.escape_debug())
                }
                _ => "these characters mean nothing here".into(),
            },
            "names are made of the letters a to z, A to Z, digits and `_`; others stand in backticks",
        ),
    };
    diagnostics.push(Diagnostic::error("E0102", message).at(span, "").help(help));
}
