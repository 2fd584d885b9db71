//! Operators: which tokens they are, and how tightly they bind.

use net::{BinaryOp, PathOp};

use crate::keyword::Keyword;
use crate::lexer::TokenKind;

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Until,
    Implies,
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Negate,
    Atom,
}

impl Level {
    pub(crate) fn of(op: BinaryOp) -> Level {
        use BinaryOp::{Add, And, Divide, Implies, Multiply, Or, Remainder, Subtract};
        match op {
            Implies => Level::Implies,
            Or => Level::Or,
            And => Level::And,
            Add | Subtract => Level::Sum,
            Multiply | Divide | Remainder => Level::Product,
            _ => Level::Compare,
        }
    }

    fn tighter(self) -> Level {
        use Level::*;
        let levels = [Implies, Or, And, Not, Compare, Sum, Product, Negate, Atom, Atom];
        levels[self as usize]
    }

    /// How tightly the operands of an operator of this level have to bind. `implies` groups to the right,
    /// comparisons and `until` do not chain, all others group to the left.
    pub(crate) fn operands(self) -> (Level, Level) {
        match self {
            Level::Implies => (self.tighter(), self),
            Level::Compare | Level::Until => (self.tighter(), self.tighter()),
            _ => (self, self.tighter()),
        }
    }
}

/// The operator that a token stands for between two operands.
pub(crate) fn binary_op(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Keyword(Keyword::And) => BinaryOp::And,
        TokenKind::Keyword(Keyword::Or) => BinaryOp::Or,
        TokenKind::Keyword(Keyword::Implies) => BinaryOp::Implies,
        TokenKind::Equal => BinaryOp::Equal,
        TokenKind::NotEqual => BinaryOp::NotEqual,
        TokenKind::Less => BinaryOp::Less,
        TokenKind::LessEqual => BinaryOp::LessEqual,
        TokenKind::Greater => BinaryOp::Greater,
        TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Subtract,
        TokenKind::Star => BinaryOp::Multiply,
        TokenKind::Slash => BinaryOp::Divide,
        TokenKind::Percent => BinaryOp::Remainder,
        _ => return None,
    })
}

/// The operator on the future that a word stands for before its operand.
pub(crate) fn path_op(keyword: Keyword) -> Option<PathOp> {
    Some(match keyword {
        Keyword::Always => PathOp::Always,
        Keyword::Never => PathOp::Never,
        Keyword::Reachable => PathOp::Reachable,
        Keyword::Eventually => PathOp::Eventually,
        Keyword::Next => PathOp::Next,
        Keyword::AG => PathOp::AllGlobally,
        Keyword::AF => PathOp::AllFinally,
        Keyword::AX => PathOp::AllNext,
        Keyword::EG => PathOp::SomeGlobally,
        Keyword::EF => PathOp::SomeFinally,
        Keyword::EX => PathOp::SomeNext,
        _ => return None,
    })
}

/// The token that is meant by an operator of other languages.
pub(crate) fn meant(kind: TokenKind) -> Option<TokenKind> {
    Some(match kind {
        TokenKind::AndAnd => TokenKind::Keyword(Keyword::And),
        TokenKind::OrOr => TokenKind::Keyword(Keyword::Or),
        TokenKind::Bang => TokenKind::Keyword(Keyword::Not),
        TokenKind::FatArrow => TokenKind::Keyword(Keyword::Implies),
        TokenKind::Assign => TokenKind::Equal,
        TokenKind::LessGreater => TokenKind::NotEqual,
        _ => return None,
    })
}
