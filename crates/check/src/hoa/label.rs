//! Labels: boolean expressions over atoms, read into alternatives of conjunctions.

use super::scan::Token;
use super::{HoaError, Reader};
use crate::automaton::{Cube, Label};

/// The most alternatives of a label, and how deep parentheses may go.
const MOST: usize = 1 << 12;
const DEEPEST: usize = 200;

/// A label as the format has it.
pub(super) fn text(label: &Label) -> String {
    let cubes: Vec<String> = label.cubes.iter().map(conjunction).collect();
    if cubes.is_empty() { "f".into() } else { cubes.join(" | ") }
}

fn conjunction(cube: &Cube) -> String {
    let holds = cube.holds.iter().map(|atom| atom.to_string());
    let fails = cube.fails.iter().map(|atom| format!("!{atom}"));
    let all: Vec<String> = holds.chain(fails).collect();
    if all.is_empty() { "t".into() } else { all.join("&") }
}

impl Reader<'_> {
    /// The alternatives of a label.
    pub(super) fn label(&mut self) -> Result<Vec<Cube>, HoaError> {
        self.or(0)
    }

    fn or(&mut self, depth: usize) -> Result<Vec<Cube>, HoaError> {
        let mut all = self.and(depth)?;
        while self.scanner.takes('|') {
            all.extend(self.and(depth)?);
            if all.len() > MOST {
                return self.error("the label has too many alternatives");
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn and(&mut self, depth: usize) -> Result<Vec<Cube>, HoaError> {
        let mut all = self.operand(depth)?;
        while self.scanner.takes('&') {
            let operand = self.operand(depth)?;
            all = self.both(&all, &operand)?;
        }
        Ok(all)
    }

    fn both(&self, a: &[Cube], b: &[Cube]) -> Result<Vec<Cube>, HoaError> {
        let pairs = a.iter().flat_map(|x| b.iter().filter_map(|y| x.and(y)));
        let all: Vec<Cube> = pairs.take(MOST + 1).collect();
        if all.len() > MOST { self.error("the label has too many alternatives") } else { Ok(all) }
    }

    fn operand(&mut self, depth: usize) -> Result<Vec<Cube>, HoaError> {
        if depth == DEEPEST {
            return self.error("the label is nested too deeply");
        }
        Ok(match self.scanner.next() {
            Some(Token::Word("t")) => vec![Cube::default()],
            Some(Token::Word("f")) => Vec::new(),
            Some(Token::Number(atom)) if atom < self.names.len() as u64 => {
                vec![Cube::of(atom as u32, true)]
            }
            Some(Token::Number(_)) => return self.error("there is no such atom"),
            Some(Token::Alias(name)) => {
                match self.aliases.iter().find(|(known, _)| known == name) {
                    Some((_, alternatives)) => alternatives.clone(),
                    None => return self.error(format!("there is no alias `@{name}`")),
                }
            }
            Some(Token::Symbol('!')) => {
                let operand = self.operand(depth + 1)?;
                self.opposite(&operand)?
            }
            Some(Token::Symbol('(')) => {
                let inner = self.or(depth + 1)?;
                if self.scanner.next() != Some(Token::Symbol(')')) {
                    return self.error("expected `)`");
                }
                inner
            }
            _ => return self.error("expected an atom's number, `t`, `f`, `!`, `(` or an alias"),
        })
    }

    fn opposite(&self, alternatives: &[Cube]) -> Result<Vec<Cube>, HoaError> {
        let mut all = vec![Cube::default()];
        for Cube { holds, fails } in alternatives {
            let not = holds.iter().map(|&a| Cube::of(a, false));
            let is = fails.iter().map(|&a| Cube::of(a, true));
            all = self.both(&all, &not.chain(is).collect::<Vec<_>>())?;
        }
        Ok(all)
    }
}
