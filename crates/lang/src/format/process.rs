//! The layout of processes: what stands in braces goes on lines of its own, unless all of it was written on one
//! line and fits there.

use super::lines::Line;
use super::{INDENT, Layout, WIDTH, joined};
use crate::lexer::Token;
use crate::syntax::process::{Block, Member, MemberKind, Statement, StatementKind};
use crate::syntax::{Declaration, DeclarationKind};
use diagnostics::Span;

/// A stretch of the text, and what stands in braces in it.
pub(super) struct Shape {
    span: Span,
    groups: Vec<Group>,
}

struct Group {
    open: Span,
    close: Span,
    items: Vec<Shape>,
}

/// The shape of a declaration that belongs to processes.
pub(super) fn shape(declaration: &Declaration<'_>) -> Option<Shape> {
    let groups = match &declaration.kind {
        DeclarationKind::Process(decl) | DeclarationKind::Function(decl) => vec![block(&decl.body)],
        DeclarationKind::Object(object) => {
            let items = object.members.iter().map(member).collect();
            vec![Group { open: object.open, close: object.close, items }]
        }
        DeclarationKind::Record(_) | DeclarationKind::Shared(_) | DeclarationKind::Variant(_) => {
            Vec::new()
        }
        _ => return None,
    };
    Some(Shape { span: declaration.span, groups })
}

fn member(member: &Member<'_>) -> Shape {
    let groups = match &member.kind {
        MemberKind::Field { .. } => Vec::new(),
        MemberKind::Step(decl) | MemberKind::Function(decl) => vec![block(&decl.body)],
        MemberKind::Meet { body, .. } => vec![block(body)],
    };
    Shape { span: member.span, groups }
}

fn block(block: &Block<'_>) -> Group {
    let items = block.statements.iter().map(statement).collect();
    Group { open: block.open, close: block.close, items }
}

fn statement(statement: &Statement<'_>) -> Shape {
    Shape { span: statement.span, groups: groups(statement) }
}

fn groups(statement: &Statement<'_>) -> Vec<Group> {
    match &statement.kind {
        StatementKind::Match(found) => {
            let arms = found.arms.iter().map(|arm| (arm.span, &arm.body));
            let otherwise = found.otherwise.iter().map(|(span, body)| (*span, body));
            vec![arms_in(found.open, found.close, arms.chain(otherwise))]
        }
        StatementKind::Select(select) => {
            let arms = select.arms.iter().map(|arm| (arm.span, &arm.body));
            let otherwise = select.otherwise.iter().map(|(span, body)| (*span, body));
            vec![arms_in(select.open, select.close, arms.chain(otherwise))]
        }
        StatementKind::DeferOne(inner) | StatementKind::Idle(inner) => groups(inner),
        _ => statement.blocks().into_iter().map(block).collect(),
    }
}

fn arms_in<'s, 'a: 's>(
    open: Span,
    close: Span,
    arms: impl Iterator<Item = (Span, &'s Block<'a>)>,
) -> Group {
    let mut items: Vec<Shape> =
        arms.map(|(span, body)| Shape { span, groups: vec![block(body)] }).collect();
    // `else` may stand anywhere among the arms.
    items.sort_by_key(|item| item.span.start);
    Group { open, close, items }
}

impl Layout<'_> {
    /// Lays out a declaration, a member, a statement or an arm.
    pub(super) fn shape(&mut self, indent: usize, shape: &Shape) {
        if let Some(line) = self.shape_on_one_line(indent, shape) {
            self.lines.push(Line::code(indent, line));
            self.next = self.tokens.partition_point(|token| token.span.start < shape.span.end);
            self.end = shape.span.end;
            self.opened = false;
            return;
        }
        for group in &shape.groups {
            if group.items.is_empty() && !self.has_comments(group.open.to(group.close)) {
                continue;
            }
            self.chunk(indent, shape.span.to(group.open));
            self.opened = true;
            for item in &group.items {
                self.comments(indent + INDENT, item.span.start);
                self.blank(item.span.start);
                self.shape(indent + INDENT, item);
            }
            self.comments(indent + INDENT, group.close.start);
        }
        self.chunk(indent, shape.span);
    }

    fn has_comments(&self, span: Span) -> bool {
        let start = self.tokens.partition_point(|token| token.span.start < span.start);
        let tokens = self.tokens[start..].iter();
        tokens.take_while(|token| token.span.start < span.end).any(Token::is_comment)
    }

    /// All of it on one line, if it was written on one and fits.
    fn shape_on_one_line(&self, indent: usize, shape: &Shape) -> Option<String> {
        let length = (shape.span.end - shape.span.start) as usize;
        // Far too long, however it is spaced.
        if shape.groups.is_empty() || length > 4 * WIDTH {
            return None;
        }
        let text = shape.span.text(self.text);
        if text.contains('\n') || self.has_comments(shape.span) {
            return None;
        }
        let line = self.one_line_of(shape);
        (indent + line.chars().count() <= WIDTH).then_some(line)
    }

    fn one_line_of(&self, shape: &Shape) -> String {
        let mut line = String::new();
        let mut start = shape.span;
        let joined = |span| joined(self.text, self.tokens, span, self.in_process);
        for group in &shape.groups {
            let head = joined(start.to(group.open));
            line.push_str(&head);
            for (index, item) in group.items.iter().enumerate() {
                line.push_str(if index == 0 { " " } else { "   " });
                line.push_str(&self.one_line_of(item));
            }
            line.push_str(if group.items.is_empty() { "" } else { " " });
            start = Span { start: group.close.start, end: shape.span.end };
        }
        line.push_str(&joined(start));
        line
    }
}
