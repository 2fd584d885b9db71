//! Smaller programs that still show a difference.

use std::cell::Cell;

use crate::program::{Block, Kind, Program, Statement};

/// A way to make a program smaller, at one of its statements.
#[derive(Clone, Copy)]
enum Cut {
    Statement,
    /// Its blocks stand in its place.
    Unwrap,
    Label,
}

/// So many programs are tried.
const TRIES: usize = 250;

/// Makes a program smaller as long as it is still of interest.
pub fn shrunk(mut program: Program, is_of_interest: &dyn Fn(&Program) -> bool) -> Program {
    let tries = Cell::new(TRIES);
    let is_of_interest = |program: &Program| {
        let left = tries.get();
        tries.set(left.saturating_sub(1));
        left > 0 && is_of_interest(program)
    };
    loop {
        let before = program.clone();
        let mut property = 0;
        while property < program.properties.len() && program.properties.len() > 1 {
            let mut smaller = program.clone();
            smaller.properties.remove(property);
            match is_of_interest(&smaller) {
                true => program = smaller,
                false => property += 1,
            }
        }
        for cut in [Cut::Statement, Cut::Unwrap, Cut::Label] {
            let mut number = 0;
            while let Some(smaller) = without(&program, cut, number) {
                match is_of_interest(&smaller) {
                    true => program = smaller,
                    false => number += 1,
                }
            }
        }
        if statements(&program) == statements(&before)
            && program.properties.len() == before.properties.len()
        {
            return program;
        }
    }
}

fn statements(program: &Program) -> usize {
    let mut number = 0;
    for body in program.bodies() {
        body.each(&mut |statement| number += 1 + usize::from(statement.label.is_some()));
    }
    number
}

/// A program with a cut at the statement of a number, if there are so many.
fn without(program: &Program, cut: Cut, number: usize) -> Option<Program> {
    let mut program = program.clone();
    let mut left = number;
    let routines = program.functions.iter_mut().chain(&mut program.processes);
    let bodies = program.steps.iter_mut().chain(routines.map(|routine| &mut routine.body));
    for body in bodies {
        if cut_at(body, cut, &mut left) {
            return Some(program);
        }
    }
    None
}

fn cut_at(block: &mut Block, cut: Cut, left: &mut usize) -> bool {
    for index in 0..block.statements.len() {
        let here = &mut block.statements[index];
        let fits = match cut {
            Cut::Statement => true,
            Cut::Unwrap => !here.kind.blocks().is_empty() && !matches!(here.kind, Kind::Atomic(_)),
            Cut::Label => here.label.is_some(),
        };
        if fits && *left == 0 {
            match cut {
                Cut::Statement => {
                    block.statements.remove(index);
                }
                Cut::Unwrap => {
                    let Statement { mut kind, .. } = block.statements.remove(index);
                    let inner: Vec<Statement> = kind
                        .blocks_mut()
                        .into_iter()
                        .flat_map(|block| std::mem::take(&mut block.statements))
                        .collect();
                    block.statements.splice(index..index, inner);
                }
                Cut::Label => here.label = None,
            }
            return true;
        }
        *left -= usize::from(fits);
        for inner in here.kind.blocks_mut() {
            if cut_at(inner, cut, left) {
                return true;
            }
        }
    }
    false
}
