//! The canonical layout of a model.
//!
//! The tokens stay exactly what they are and where they are, so formatting cannot change the meaning;
//! only the space between them is decided anew, from the tokens alone. One declaration a line; the
//! items of a transition one a line, unless the transition was written on one line and fits there; one
//! blank line at most. Statements of processes likewise: one a line, unless the block was written on one line and
//! fits there. Comments stay behind what they trail and before what they precede. Formatting
//! twice is formatting once.

mod lines;
mod process;
mod spacing;

use lines::{Line, Lines};
use spacing::{Piece, pieces};

use crate::lexer::{self, Token, TokenKind};
use crate::parser;
use crate::syntax::{Declaration, DeclarationKind, TransitionDecl};
use diagnostics::{Diagnostics, Report, Span};

/// No line is longer than this, where it can be helped.
pub(crate) const WIDTH: usize = 100;
const INDENT: usize = 4;

/// The text in its canonical layout. A text that does not parse has none; names and types do not
/// matter here.
///
/// # Errors
/// What keeps the text from being parsed.
pub fn format(text: &str) -> Result<String, Report> {
    if let Some(report) = crate::too_long(text) {
        return Err(report);
    }
    let mut diagnostics = Diagnostics::default();
    let model = parser::parse(text, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics.finish(text));
    }
    let tokens = lexer::tokens(text, &mut diagnostics);
    let mut layout = Layout {
        text,
        tokens: &tokens,
        next: 0,
        end: tokens[0].span.start,
        lines: Lines::default(),
        opened: true,
        in_process: false,
    };
    for declaration in &model.declarations {
        layout.declaration(declaration);
    }
    layout.comments(0, u32::MAX);
    Ok(layout.lines.finish())
}

/// A stretch of the text on one line, without its comments.
pub(crate) fn on_one_line(text: &str, tokens: &[Token], span: Span) -> String {
    joined(text, tokens, span, false)
}

fn joined(text: &str, tokens: &[Token], span: Span, in_process: bool) -> String {
    let start = tokens.partition_point(|token| token.span.start < span.start);
    let end = tokens.partition_point(|token| token.span.start < span.end);
    let code: Vec<Token> =
        tokens[start..end].iter().copied().filter(|token| !token.is_comment()).collect();
    let mut line = String::new();
    for piece in pieces(text, &code, in_process) {
        line.push_str(if piece.space { " " } else { "" });
        line.push_str(piece.text);
    }
    line
}

struct Layout<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The first token that is not laid out yet.
    next: usize,
    /// Where the last one that is ends.
    end: u32,
    lines: Lines,
    /// Whether nothing has been laid out since the start, or since a brace was opened: no blank line
    /// comes here.
    opened: bool,
    /// Whether what is laid out belongs to a process.
    in_process: bool,
}

impl Layout<'_> {
    fn declaration(&mut self, declaration: &Declaration<'_>) {
        self.comments(0, declaration.span.start);
        self.blank(declaration.span.start);
        match &declaration.kind {
            DeclarationKind::Transition(transition) => {
                self.transition(declaration.span, transition);
            }
            _ => match process::shape(declaration) {
                Some(shape) => {
                    self.in_process = true;
                    self.shape(0, &shape);
                    self.in_process = false;
                }
                None => self.chunk(0, declaration.span),
            },
        }
    }

    fn transition(&mut self, span: Span, transition: &TransitionDecl<'_>) {
        if let Some(line) = self.one_line(span, transition) {
            self.lines.push(Line::code(0, line));
            self.next = self.tokens.partition_point(|token| token.span.start < span.end);
            self.end = span.end;
            self.opened = false;
            return;
        }
        self.chunk(0, span.to(transition.open));
        self.opened = true;
        for item in &transition.items {
            self.comments(INDENT, item.span.start);
            self.blank(item.span.start);
            self.chunk(INDENT, item.span);
        }
        self.comments(INDENT, transition.close.start);
        self.chunk(0, transition.close);
    }

    /// The transition on one line, if it was written on one and fits.
    fn one_line(&self, span: Span, transition: &TransitionDecl<'_>) -> Option<String> {
        let start = self.tokens.partition_point(|token| token.span.start < span.start);
        let end = self.tokens.partition_point(|token| token.span.start < span.end);
        let commented = self.tokens[start..end].iter().any(Token::is_comment);
        if commented || span.text(self.text).contains('\n') {
            return None;
        }
        let mut line = on_one_line(self.text, self.tokens, span.to(transition.open));
        for (index, item) in transition.items.iter().enumerate() {
            line.push_str(if index == 0 { " " } else { "   " });
            line.push_str(&on_one_line(self.text, self.tokens, item.span));
        }
        line.push_str(if transition.items.is_empty() { "}" } else { " }" });
        (line.chars().count() <= WIDTH).then_some(line)
    }

    fn newlines_before(&self, start: u32) -> usize {
        self.text[self.end as usize..start as usize].matches('\n').count()
    }

    /// Keeps a blank line before what starts here.
    fn blank(&mut self, start: u32) {
        if self.newlines_before(start) > 1 && !self.opened {
            self.lines.push(Line::blank());
        }
    }

    /// Lays out the comments before `until`.
    fn comments(&mut self, indent: usize, until: u32) {
        while self.tokens[self.next].is_comment() && self.tokens[self.next].span.start < until {
            let token = self.tokens[self.next];
            let comment = token.span.text(self.text).trim_end();
            let trails = self.newlines_before(token.span.start) == 0 && !comment.contains('\n');
            if !(trails && self.lines.trail(comment)) {
                self.blank(token.span.start);
                self.lines.push(Line::code(indent, comment.to_owned()));
                self.lines.seal();
            }
            self.opened = false;
            self.end = token.span.end;
            self.next += 1;
        }
    }

    /// Lays out all tokens of a declaration or an item.
    fn chunk(&mut self, indent: usize, span: Span) {
        let start = self.next;
        let end = self.tokens.partition_point(|token| token.span.start < span.end);
        let tokens = &self.tokens[start..end];
        let list = pieces(self.text, tokens, self.in_process);
        self.fill(indent, &list);
        self.next = end;
        self.end = span.end;
        self.opened = false;
    }

    /// Puts as many pieces on a line as fit.
    fn fill(&mut self, indent: usize, list: &[Piece<'_>]) {
        let mut line = String::new();
        let mut width = indent;
        let mut margin = indent;
        let mut index = 0;
        while index < list.len() {
            // What cannot be broken is laid out together.
            let length = list[index + 1..].iter().take_while(|p| p.may_break.is_none()).count() + 1;
            let run = &list[index..index + length];
            let forced = run[0].breaks && !line.is_empty();
            if forced || (width + needed(&list[index..]) > WIDTH && !line.is_empty()) {
                self.lines.push(Line::code(margin, std::mem::take(&mut line)));
                margin = indent + INDENT;
                width = margin;
            }
            for piece in run {
                if piece.kind == TokenKind::LineComment {
                    let trails = !piece.own_line && !line.is_empty();
                    if !line.is_empty() {
                        self.lines.push(Line::code(margin, std::mem::take(&mut line)));
                        margin = indent + INDENT;
                    }
                    if !(trails && self.lines.trail(piece.text)) {
                        self.lines.push(Line::code(margin, piece.text.to_owned()));
                        self.lines.seal();
                    }
                    width = margin;
                    continue;
                }
                if piece.space && !line.is_empty() {
                    line.push(' ');
                    width += 1;
                }
                line.push_str(piece.text);
                width += piece.width();
            }
            index += length;
        }
        if !line.is_empty() {
            self.lines.push(Line::code(margin, line));
        }
    }
}

/// How much room the first piece needs on its line: that of all pieces up to the next break that is
/// held no more tightly. Counting stops when it is too much anyway.
fn needed(list: &[Piece<'_>]) -> usize {
    let level = list[0].may_break.unwrap_or(0);
    let mut width = 0;
    for (index, piece) in list.iter().enumerate() {
        let outside = piece.may_break.is_some_and(|held| held <= level);
        if (index > 0 && outside) || width > WIDTH {
            break;
        }
        width += piece.width() + usize::from(piece.space);
    }
    width
}
