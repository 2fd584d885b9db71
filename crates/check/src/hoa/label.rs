//! Labels: boolean expressions over atoms, read into alternatives of conjunctions.

use super::HoaError;
use super::scan::{Scanner, Token};
use crate::automaton::Label;

/// The most alternatives of a label, and how deep parentheses may go.
const MOST: usize = 1 << 12;
const DEEPEST: usize = 200;

/// A label as the format has it.
pub(super) fn text(label: &Label) -> String {
    let holds = label.holds.iter().map(|atom| atom.to_string());
    let fails = label.fails.iter().map(|atom| format!("!{atom}"));
    let all: Vec<String> = holds.chain(fails).collect();
    if all.is_empty() { "t".into() } else { all.join("&") }
}

/// Reads a label.
pub(super) fn read(
    scanner: &mut Scanner,
    atoms: u64,
    aliases: &[(String, Vec<Label>)],
) -> Result<Vec<Label>, HoaError> {
    let mut reader = Reader { scanner, atoms, aliases, depth: 0 };
    let alternatives = reader.or()?;
    Ok(alternatives)
}

struct Reader<'r, 't> {
    scanner: &'r mut Scanner<'t>,
    atoms: u64,
    aliases: &'r [(String, Vec<Label>)],
    depth: usize,
}

impl Reader<'_, '_> {
    fn error<T>(&self, what: &str) -> Result<T, HoaError> {
        Err(HoaError { line: self.scanner.line(), what: what.to_owned() })
    }

    fn or(&mut self) -> Result<Vec<Label>, HoaError> {
        let mut all = self.and()?;
        while self.scanner.peek() == Some(Token::Symbol('|')) {
            self.scanner.next();
            all.extend(self.and()?);
            if all.len() > MOST {
                return self.error("the label has too many alternatives");
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn and(&mut self) -> Result<Vec<Label>, HoaError> {
        let mut all = self.operand()?;
        while self.scanner.peek() == Some(Token::Symbol('&')) {
            self.scanner.next();
            let operand = self.operand()?;
            all = self.both(&all, &operand)?;
        }
        Ok(all)
    }

    fn both(&self, a: &[Label], b: &[Label]) -> Result<Vec<Label>, HoaError> {
        let pairs = a.iter().flat_map(|x| b.iter().filter_map(|y| both(x, y)));
        let all: Vec<Label> = pairs.take(MOST + 1).collect();
        if all.len() > MOST { self.error("the label has too many alternatives") } else { Ok(all) }
    }

    fn operand(&mut self) -> Result<Vec<Label>, HoaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("the label is nested too deeply");
        }
        let alternatives = match self.scanner.next() {
            Some(Token::Word("t")) => vec![Label::default()],
            Some(Token::Word("f")) => Vec::new(),
            Some(Token::Number(atom)) if atom < self.atoms => {
                vec![Label { holds: vec![atom as u32], fails: Vec::new() }]
            }
            Some(Token::Number(_)) => return self.error("there is no such atom"),
            Some(Token::Alias(name)) => {
                match self.aliases.iter().find(|(known, _)| known == name) {
                    Some((_, alternatives)) => alternatives.clone(),
                    None => return self.error(&format!("no alias is called `@{name}`")),
                }
            }
            Some(Token::Symbol('!')) => {
                let operand = self.operand()?;
                self.opposite(&operand)?
            }
            Some(Token::Symbol('(')) => {
                let inner = self.or()?;
                if self.scanner.next() != Some(Token::Symbol(')')) {
                    return self.error("expected `)`");
                }
                inner
            }
            _ => return self.error("expected an atom's number, `t`, `f`, `!`, `(` or an alias"),
        };
        self.depth -= 1;
        Ok(alternatives)
    }

    fn opposite(&self, alternatives: &[Label]) -> Result<Vec<Label>, HoaError> {
        let mut all = vec![Label::default()];
        for Label { holds, fails } in alternatives {
            let not = holds.iter().map(|&a| Label { holds: Vec::new(), fails: vec![a] });
            let is = fails.iter().map(|&a| Label { holds: vec![a], fails: Vec::new() });
            all = self.both(&all, &not.chain(is).collect::<Vec<_>>())?;
        }
        Ok(all)
    }
}

/// Both labels, unless they contradict each other.
fn both(a: &Label, b: &Label) -> Option<Label> {
    let union = |a: &[u32], b: &[u32]| {
        let mut all = [a, b].concat();
        all.sort_unstable();
        all.dedup();
        all
    };
    let both = Label { holds: union(&a.holds, &b.holds), fails: union(&a.fails, &b.fails) };
    let contradicts = both.holds.iter().any(|atom| both.fails.binary_search(atom).is_ok());
    (!contradicts).then_some(both)
}
