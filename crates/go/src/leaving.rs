//! Whether statements leave what is around them, so that it needs a loop that can be left.

use crate::syntax::*;

/// Whether a `break` in a block leaves what is around it, or what has that label.
pub(crate) fn breaks(block: &Block, label: Option<&str>, plain: bool) -> bool {
    block.statements.iter().any(|statement| stmt_breaks(statement, label, plain))
}

fn stmt_breaks(statement: &Stmt, label: Option<&str>, plain: bool) -> bool {
    use StmtKind::*;
    match &statement.kind {
        Break(None) => plain,
        Break(Some(found)) => Some(found.name.as_str()) == label,
        Block(block) => breaks(block, label, plain),
        If(found) => {
            breaks(&found.then, label, plain)
                || found.otherwise.as_ref().is_some_and(|other| stmt_breaks(other, label, plain))
        }
        Switch(found) => found.clauses.iter().any(|clause| breaks(&clause.body, label, false)),
        TypeSwitch(found) => found.clauses.iter().any(|clause| breaks(&clause.body, label, false)),
        Select(clauses) => clauses.iter().any(|clause| breaks(&clause.body, label, false)),
        For(found) => breaks(&found.body, label, false),
        Range(found) => breaks(&found.body, label, false),
        Labeled(_, inner) => stmt_breaks(inner, label, plain),
        _ => false,
    }
}

/// Whether a `continue` in a block goes on with the loop around it, or with that of a label.
pub(crate) fn continues(block: &Block, label: Option<&str>, plain: bool) -> bool {
    block.statements.iter().any(|statement| stmt_continues(statement, label, plain))
}

fn stmt_continues(statement: &Stmt, label: Option<&str>, plain: bool) -> bool {
    use StmtKind::*;
    let cases =
        |clauses: &[CaseClause]| clauses.iter().any(|clause| continues(&clause.body, label, plain));
    match &statement.kind {
        Continue(None) => plain,
        Continue(Some(found)) => Some(found.name.as_str()) == label,
        Block(block) => continues(block, label, plain),
        If(found) => {
            continues(&found.then, label, plain)
                || found.otherwise.as_ref().is_some_and(|other| stmt_continues(other, label, plain))
        }
        Switch(found) => cases(&found.clauses),
        TypeSwitch(found) => cases(&found.clauses),
        Select(clauses) => clauses.iter().any(|clause| continues(&clause.body, label, plain)),
        For(found) => continues(&found.body, label, false),
        Range(found) => continues(&found.body, label, false),
        Labeled(_, inner) => stmt_continues(inner, label, plain),
        _ => false,
    }
}
