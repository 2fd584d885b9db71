//! Formulas about programs, without `next`: random ones, as claims to be compiled, and by what they say.

use interpret::{State, Value};
use net::{BinaryOp, Literal, Origin, PathOp};
use program::Source;
use program::claim::{Claim, Meaning, Mention, Proposition};
use program::{Expr, Form, FunctionId, GlobalId, LabelId, LocalId, ProcessId, Program, Type};
use random::Random;

use crate::generate::{int, named, number};

/// What is said of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A global variable is a number, or true for 1.
    Global(GlobalId, i64),
    /// So many processes of a kind are active, at least.
    Active(ProcessId, i64),
    /// Some process of a kind is at a label.
    At(ProcessId, Source, LabelId),
}

/// A formula. What says on which paths something holds is of branching time, the rest is of linear time.
#[derive(Clone, Debug)]
pub enum Temporal {
    Atom(usize),
    Not(Box<Temporal>),
    And(Box<Temporal>, Box<Temporal>),
    Or(Box<Temporal>, Box<Temporal>),
    Path(PathOp, Box<Temporal>),
    Until(Box<Temporal>, Box<Temporal>),
    LeadsTo(Box<Temporal>, Box<Temporal>),
    AllUntil(Box<Temporal>, Box<Temporal>),
    SomeUntil(Box<Temporal>, Box<Temporal>),
}

impl Atom {
    /// Whether it holds in a state.
    pub fn holds(self, state: &State) -> bool {
        let threads = state.running().filter_map(|pid| state.thread(pid));
        match self {
            Atom::Global(id, wanted) => match state.global(id) {
                Value::Int(number) => *number == wanted,
                Value::Bool(bool) => i64::from(*bool) == wanted,
                other => panic!("{other:?} is neither a number nor a truth value"),
            },
            Atom::Active(kind, least) => {
                threads.filter(|thread| thread.kind == kind).count() as i64 >= least
            }
            Atom::At(kind, source, label) => {
                { threads }.any(|thread| thread.kind == kind && thread.is_at(source, label))
            }
        }
    }

    /// The condition, where things that are mentioned are added.
    fn condition(self, program: &Program, mentions: &mut Vec<Mention>) -> Expr {
        let mut count = |kind, label| {
            let local = LocalId(mentions.len() as u32);
            let of = int(0, 100);
            let variable = named(format!("count {}", local.0), of.clone());
            mentions.push(Mention { variable, meaning: Meaning::Count(kind, label) });
            Expr::local(local, of)
        };
        let (a, op, b) = match self {
            Atom::Global(id, wanted) => {
                let of = program.globals[id.index()].variable.of.clone();
                let is_truth = of == Type::Bool;
                let global = Expr { form: Form::Global(id), of };
                let truth = Form::Literal(Literal::Bool(wanted != 0));
                let truth = Expr { form: truth, of: Type::Bool };
                (global, BinaryOp::Equal, if is_truth { truth } else { number(wanted) })
            }
            Atom::Active(kind, least) => (count(kind, None), BinaryOp::GreaterEqual, number(least)),
            Atom::At(kind, source, label) => {
                (count(kind, Some(vec![(source, label)])), BinaryOp::Greater, number(0))
            }
        };
        let form = Form::Binary(op, Box::new(a), Box::new(b));
        Expr { form, of: Type::Bool }
    }
}

impl Temporal {
    /// What is claimed of a program.
    pub fn claim(&self, name: &str, atoms: &[Atom], program: &Program) -> Claim {
        let mut mentions = Vec::new();
        let proposition = self.proposition(atoms, program, &mut mentions);
        let (name, text, origin) = (name.into(), format!("{self:?}"), Origin::default());
        Claim { name, text, mentions, proposition, origin }
    }

    fn proposition(
        &self,
        atoms: &[Atom],
        program: &Program,
        mentions: &mut Vec<Mention>,
    ) -> Proposition {
        let mut boxed = |inner: &Temporal| Box::new(inner.proposition(atoms, program, mentions));
        match self {
            Temporal::Atom(index) => Proposition::Holds(atoms[*index].condition(program, mentions)),
            Temporal::Not(a) => Proposition::Not(boxed(a)),
            Temporal::And(a, b) => Proposition::Binary(BinaryOp::And, boxed(a), boxed(b)),
            Temporal::Or(a, b) => Proposition::Binary(BinaryOp::Or, boxed(a), boxed(b)),
            Temporal::Path(op, a) => Proposition::Path(*op, boxed(a)),
            Temporal::Until(a, b) => Proposition::Until(boxed(a), boxed(b)),
            Temporal::LeadsTo(a, b) => Proposition::LeadsTo(boxed(a), boxed(b)),
            Temporal::AllUntil(a, b) => Proposition::AllUntil(boxed(a), boxed(b)),
            Temporal::SomeUntil(a, b) => Proposition::SomeUntil(boxed(a), boxed(b)),
        }
    }

    /// A random formula of linear time.
    pub fn linear(random: &mut Random, atoms: usize, depth: usize) -> Temporal {
        let state = |random: &mut Random| Box::new(Temporal::of_state(random, atoms));
        let inner = |random: &mut Random| match depth {
            0 => Box::new(Temporal::of_state(random, atoms)),
            _ => Box::new(Temporal::linear(random, atoms, depth - 1)),
        };
        match random.below(9) {
            0 => Temporal::Path(PathOp::Always, inner(random)),
            8 => {
                // The last is about a process that is there.
                let gone = Temporal::Not(Box::new(Temporal::Atom(atoms - 1)));
                Temporal::Path(PathOp::Eventually, Box::new(gone))
            }
            1 | 2 => Temporal::Path(PathOp::Eventually, inner(random)),
            3 => Temporal::LeadsTo(state(random), state(random)),
            4 => Temporal::Until(state(random), inner(random)),
            5 => {
                let again = Box::new(Temporal::Path(PathOp::Eventually, state(random)));
                Temporal::Path(PathOp::Always, again)
            }
            6 => {
                let for_ever = Box::new(Temporal::Path(PathOp::Always, state(random)));
                Temporal::Path(PathOp::Eventually, for_ever)
            }
            _ => Temporal::Not(inner(random)),
        }
    }

    /// A random formula of branching time.
    pub fn branching(random: &mut Random, atoms: usize, depth: usize) -> Temporal {
        let state = |random: &mut Random| Box::new(Temporal::of_state(random, atoms));
        let inner = |random: &mut Random| match depth {
            0 => Box::new(Temporal::of_state(random, atoms)),
            _ => Box::new(Temporal::branching(random, atoms, depth - 1)),
        };
        let op = *random.pick(&[
            PathOp::AllGlobally,
            PathOp::AllFinally,
            PathOp::SomeGlobally,
            PathOp::SomeFinally,
        ]);
        match random.below(8) {
            0..=4 => Temporal::Path(op, inner(random)),
            5 => Temporal::AllUntil(state(random), inner(random)),
            6 => Temporal::SomeUntil(inner(random), inner(random)),
            _ => Temporal::Or(state(random), inner(random)),
        }
    }

    fn of_state(random: &mut Random, atoms: usize) -> Temporal {
        let atom = |random: &mut Random| Box::new(Temporal::Atom(random.below(atoms)));
        match random.below(7) {
            0 | 6 => Temporal::Not(atom(random)),
            1 => Temporal::And(atom(random), atom(random)),
            2 => Temporal::Or(atom(random), Box::new(Temporal::Not(atom(random)))),
            _ => *atom(random),
        }
    }
}

/// Something to say of the states of a program.
pub fn random_atoms(random: &mut Random, program: &Program) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
        match global.variable.of {
            Type::Int { max, .. } => {
                atoms.push(Atom::Global(id, i64::from(random.below(max as u32 + 1))));
            }
            Type::Bool => atoms.push(Atom::Global(id, 1)),
            _ => {}
        }
    }
    let kinds = program.processes.len() as u32;
    atoms.push(Atom::Active(ProcessId(random.below(kinds)), 2));
    let labelled = labels(program);
    for _ in 0..2 {
        if !labelled.is_empty() {
            let (source, label) = *random.pick(&labelled);
            let kind = match source {
                Source::Process(kind) => kind,
                Source::Function(_) => ProcessId(random.below(kinds)),
            };
            atoms.push(Atom::At(kind, source, label));
        }
    }
    let kind = if random.percent(60) { 0 } else { random.below(kinds) };
    atoms.push(Atom::Active(ProcessId(kind), 1));
    atoms
}

/// The labels that stand in the text of a program.
pub fn labels(program: &Program) -> Vec<(Source, LabelId)> {
    let processes = (0..).map(|id| Source::Process(ProcessId(id))).zip(&program.processes);
    let functions = (0..).map(|id| Source::Function(FunctionId(id))).zip(&program.functions);
    let mut found = Vec::new();
    for (source, routine) in processes.chain(functions) {
        let mut labels = Vec::new();
        note_labels(&routine.body, &mut labels);
        found.extend(labels.into_iter().map(|label| (source, label)));
    }
    found
}

fn note_labels(block: &program::Block, found: &mut Vec<LabelId>) {
    for statement in block {
        if let program::Action::Label(label) = statement.action {
            found.push(label);
        }
        // What is done at once has no points.
        if !matches!(statement.action, program::Action::Atomic(_)) {
            statement.action.blocks().into_iter().for_each(|block| note_labels(block, found));
        }
    }
}
