//! Tokens of Go, with the semicolons that line ends stand for.
//!
//! By hand: what a line end means depends on the token before it, raw strings and nested quotes are easier by hand than
//! by rules, and there are few enough of them. Comments are dropped but for those that start with `//kinfold:`.

use diagnostics::{Diagnostic, Diagnostics, Span};

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Name(String),
    /// A reserved word.
    Word(&'static str),
    Int(Option<i128>),
    Float(f64),
    Char(i128),
    Str(String),
    /// An operator or a delimiter; `;` also stands for a line end.
    Op(&'static str),
    End,
}

/// A remark to us: `//kinfold:assert n < 3`.
#[derive(Clone, Debug)]
pub(crate) struct Directive {
    pub(crate) text: String,
    pub(crate) start: u32,
}

const WORDS: [&str; 25] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// Longest first.
const OPERATORS: [&str; 48] = [
    "<<=", ">>=", "&^=", "...", "&&", "||", "<-", "++", "--", "==", "!=", "<=", ">=", ":=", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "&^", "+", "-", "*", "/", "%", "&", "|",
    "^", "<", ">", "=", "!", "(", ")", "[", "]", "{", "}", ",", ";", ".", ":", "~",
];

/// The tokens of a text that begins at an offset, and the remarks in it.
pub(crate) fn tokens(
    text: &str,
    base: u32,
    found: &mut Diagnostics,
) -> (Vec<Token>, Vec<Directive>) {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, base, out: Vec::new(), found };
    let mut directives = Vec::new();
    lexer.run(&mut directives);
    (lexer.out, directives)
}

struct Lexer<'t, 'd> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    base: u32,
    out: Vec<Token>,
    found: &'d mut Diagnostics,
}

impl Lexer<'_, '_> {
    fn push(&mut self, kind: Kind, start: usize) {
        let (start, end) = (self.base + start as u32, self.base + self.at as u32);
        self.out.push(Token { kind, start, end });
    }

    fn wrong(&mut self, start: usize, message: &str, help: &str) {
        let span = self.since(start);
        let error = || Diagnostic::error("G0101", message).at(span, "here").help(help);
        self.found.report(error);
    }

    /// What is said to us is not passed over in silence.
    fn unknown_remark(&mut self, start: usize) {
        let span = self.since(start);
        self.found.report(|| {
            Diagnostic::error("G0104", "this remark is not understood")
                .at(span, "there are `assert`, `range` and `any`")
                .help("write `//kinfold:assert CONDITION`, `//kinfold:range LOW..HIGH` or `//kinfold:any`, or take it out")
        });
    }

    /// What was read since.
    fn since(&self, start: usize) -> Span {
        let base = self.base as usize;
        Span::new(base + start..base + self.at.max(start + 1).min(self.bytes.len()).max(start))
    }

    /// A line end is a semicolon after a token that can end a statement.
    fn line_end(&mut self, at: usize) {
        let ends = match self.out.last().map(|token| &token.kind) {
            Some(Kind::Name(_) | Kind::Int(_) | Kind::Float(_) | Kind::Char(_) | Kind::Str(_)) => {
                true
            }
            Some(Kind::Word(word)) => {
                matches!(*word, "break" | "continue" | "fallthrough" | "return")
            }
            Some(Kind::Op(op)) => matches!(*op, "++" | "--" | ")" | "]" | "}"),
            _ => false,
        };
        if ends {
            let at = self.base + at as u32;
            self.out.push(Token { kind: Kind::Op(";"), start: at, end: at });
        }
    }

    fn run(&mut self, directives: &mut Vec<Directive>) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let start = self.at;
            match byte {
                b'\n' => {
                    self.line_end(start);
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.bytes.get(start + 1) == Some(&b'/') => {
                    let rest = &self.text[start..];
                    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                    self.at += line.len();
                    if let Some(text) = line.strip_prefix("//kinfold:") {
                        let text = text.trim().to_owned();
                        match text.split_whitespace().next() {
                            Some("assert" | "range" | "any") => {
                                let start = self.base + start as u32;
                                directives.push(Directive { text, start });
                            }
                            // The name of a file of several.
                            Some("file") if start == 0 => {}
                            _ => self.unknown_remark(start),
                        }
                    }
                }
                b'/' if self.bytes.get(start + 1) == Some(&b'*') => self.block_comment(start),
                b'"' => self.string(start),
                b'`' => self.raw_string(start),
                b'\'' => self.character(start),
                b'0'..=b'9' => self.number(start),
                b'.' if self.bytes.get(start + 1).is_some_and(u8::is_ascii_digit) => {
                    self.number(start);
                }
                _ => self.word_or_operator(start),
            }
        }
        let at = self.bytes.len();
        self.line_end(at);
        self.push(Kind::End, at);
    }

    fn block_comment(&mut self, start: usize) {
        let rest = &self.text[start + 2..];
        let Some(length) = rest.find("*/") else {
            self.at = self.bytes.len();
            self.wrong(start, "this comment has no end", "write `*/`");
            return;
        };
        self.at = start + 4 + length;
        if rest[..length].contains('\n') {
            self.line_end(start);
        }
    }

    fn word_or_operator(&mut self, start: usize) {
        let rest = &self.text[start..];
        let first = rest.chars().next().expect("there is a byte");
        if first.is_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            self.at += length;
            let name = &rest[..length];
            let kind = match WORDS.iter().find(|word| **word == name) {
                Some(word) => Kind::Word(word),
                None => Kind::Name(name.to_owned()),
            };
            return self.push(kind, start);
        }
        match OPERATORS.iter().find(|op| rest.starts_with(**op)) {
            Some(op) => {
                self.at += op.len();
                self.push(Kind::Op(op), start);
            }
            None => {
                self.at += first.len_utf8();
                self.wrong(start, "this character is no part of Go", "remove it");
            }
        }
    }

    fn number(&mut self, start: usize) {
        let rest = &self.bytes[start..];
        let mut length = 0;
        let hex = rest.len() > 1 && rest[0] == b'0' && matches!(rest[1], b'x' | b'X');
        while let Some(&byte) = rest.get(length) {
            let signed = matches!(byte, b'+' | b'-')
                && length > 0
                && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P')
                && (!hex || matches!(rest[length - 1], b'p' | b'P'));
            if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || signed {
                length += 1;
            } else {
                break;
            }
        }
        self.at += length;
        let digits: String = self.text[start..self.at].chars().filter(|c| *c != '_').collect();
        let lower = digits.to_ascii_lowercase();
        let radix = |prefix: &str, radix| {
            lower.strip_prefix(prefix).map(|rest| i128::from_str_radix(rest, radix).ok())
        };
        let kind = if let Some(n) = radix("0x", 16) {
            Kind::Int(n)
        } else if let Some(n) = radix("0b", 2).or_else(|| radix("0o", 8)) {
            Kind::Int(n)
        } else if lower.bytes().all(|b| b.is_ascii_digit()) {
            let octal = lower.len() > 1 && lower.starts_with('0');
            Kind::Int(i128::from_str_radix(&lower, if octal { 8 } else { 10 }).ok())
        } else {
            match lower.trim_end_matches('i').parse::<f64>() {
                Ok(value) => Kind::Float(value),
                Err(_) => {
                    self.wrong(start, "this is no number", "write a number");
                    Kind::Int(None)
                }
            }
        };
        self.push(kind, start);
    }

    fn string(&mut self, start: usize) {
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                None | Some(b'\n') => {
                    self.wrong(start, "this string has no end", "write `\"` at its end");
                    break;
                }
                Some(b'\\') => {
                    if let Some(c) = self.escape() {
                        value.push(c);
                    }
                }
                Some(_) => {
                    let c = self.text[self.at..].chars().next().expect("there is a byte");
                    value.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        self.push(Kind::Str(value), start);
    }

    fn raw_string(&mut self, start: usize) {
        let rest = &self.text[start + 1..];
        match rest.find('`') {
            Some(length) => {
                self.at = start + 2 + length;
                let value = rest[..length].replace('\r', "");
                self.push(Kind::Str(value), start);
            }
            None => {
                self.at = self.bytes.len();
                self.wrong(start, "this string has no end", "write a backquote at its end");
                self.push(Kind::Str(String::new()), start);
            }
        }
    }

    fn character(&mut self, start: usize) {
        self.at += 1;
        let value = match self.bytes.get(self.at) {
            Some(b'\\') => self.escape(),
            Some(b'\n' | b'\'') | None => None,
            Some(_) => {
                let c = self.text[self.at..].chars().next();
                self.at += c.map_or(0, char::len_utf8);
                c
            }
        };
        if self.bytes.get(self.at) == Some(&b'\'') {
            self.at += 1;
        } else {
            self.wrong(start, "this character has no end", "write `'` after one character");
        }
        self.push(Kind::Char(value.map_or(0, |c| i128::from(u32::from(c)))), start);
    }

    /// The character that a backslash and what follows stand for.
    fn escape(&mut self) -> Option<char> {
        let rest = &self.text[self.at + 1..];
        let c = rest.chars().next()?;
        let digits = |from: usize, count: usize, radix| {
            let digits = rest.get(from..from + count)?;
            char::from_u32(u32::from_str_radix(digits, radix).ok()?)
        };
        let (value, length) = match c {
            'n' => (Some('\n'), 1),
            't' => (Some('\t'), 1),
            'r' => (Some('\r'), 1),
            'a' => (Some('\u{7}'), 1),
            'b' => (Some('\u{8}'), 1),
            'f' => (Some('\u{c}'), 1),
            'v' => (Some('\u{b}'), 1),
            'x' => (digits(1, 2, 16), 3),
            'u' => (digits(1, 4, 16), 5),
            'U' => (digits(1, 8, 16), 9),
            '0'..='7' => (digits(0, 3, 8), 3),
            '\n' => (None, 0),
            other => (Some(other), other.len_utf8()),
        };
        let mut end = (self.at + 1 + length).min(self.bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.at = end;
        value
    }
}
