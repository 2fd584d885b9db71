//! What a thread may do next: a transition in which it takes the part of one of the participants.
//!
//! As long as the thread stays where it is, the components of its token are known. So it is known which atoms the
//! transition asks other tokens for, and, often, that a condition never holds.

use fold::Reach;
use state::Relation;

use super::access::{Access, atoms, is_atom};
use super::future::firing;
use super::touch::Touch;
use crate::compile::{Cell, bounds};
use crate::{BinaryOp, Expr, Fallibility, Net, Participant, Transition, Var};

/// A participant of a transition.
pub(super) struct Instance {
    /// Where the thread is.
    pub(super) place: usize,
    /// What its token binds.
    pub(super) cells: Vec<Cell>,
    /// What must hold of that, and cannot fault.
    pub(super) tests: Vec<Expr>,
    /// The others who take part.
    pub(super) partners: Vec<Partner>,
    /// The tokens that must be there.
    pub(super) inputs: Vec<Wanted>,
    /// The tokens that it has to do with in any way.
    pub(super) accesses: Vec<Known>,
    /// Nothing else may be left out where it fires.
    pub(super) is_sticky: bool,
    /// Whether it may look at more than one family and the tokens without pids.
    pub(super) is_wide: bool,
}

/// Tokens, and what is known of them.
pub(super) struct Known {
    pub(super) place: usize,
    pub(super) touch: Touch,
    /// Whether it is the token of the thread.
    pub(super) is_own: bool,
    /// Columns in which an atom is, with the columns of the thread's token in one of which it is, too.
    pub(super) keys: Vec<(usize, Vec<usize>)>,
    /// Whether that is so of all columns with atoms.
    pub(super) is_all: bool,
}

/// A token that must be there, and what must hold of it.
pub(super) struct Wanted {
    pub(super) token: Known,
    /// How many of it.
    pub(super) count: u32,
    /// What it binds beside the token of the thread.
    pub(super) cells: Vec<Cell>,
    /// What must hold of both tokens, and cannot fault.
    pub(super) tests: Vec<Expr>,
}

/// Another who takes part.
pub(super) struct Partner {
    pub(super) token: Known,
    /// Relations that must hold, and whether the thread comes first.
    pub(super) relations: Vec<(Relation, bool)>,
}

impl Instance {
    /// The instances of a net; `sticky` says where nothing may be left out.
    pub(super) fn all(net: &Net, sticky: &[bool]) -> Vec<Instance> {
        let mut all = Vec::new();
        for (number, transition) in firing(net) {
            let reading = Reading { net, transition };
            for at in 0..transition.participants.len() {
                all.push(reading.instance(at, sticky[number]));
            }
        }
        all
    }
}

/// A transition that is read for what its participants know.
struct Reading<'a> {
    net: &'a Net,
    transition: &'a Transition,
}

impl Reading<'_> {
    fn instance(&self, at: usize, is_sticky: bool) -> Instance {
        let Reading { net, transition } = self;
        let tokens: Vec<Access> = Access::participants(transition).collect();
        let own = &tokens[at];
        let cells = self.cells(own, &[]);
        let tests = self.tests(&cells, None);
        let partners = tokens.iter().enumerate().filter(|(other, _)| *other != at);
        let partners = partners.map(|(other, token)| Partner {
            token: Known { touch: Touch::READS, ..self.known(own, token) },
            relations: self.relations(at, other),
        });
        Instance {
            place: own.place.index(),
            partners: partners.collect(),
            inputs: Access::inputs(transition)
                .filter(|access| access.is_needed)
                .map(|access| self.wanted(own, &access, &cells))
                .collect(),
            accesses: Access::all(transition)
                .enumerate()
                .map(|(number, access)| Known { is_own: number == at, ..self.known(own, &access) })
                .collect(),
            tests,
            cells,
            is_sticky,
            is_wide: net.reach(transition) == Reach::State,
        }
    }

    /// What a token binds beside others.
    fn cells(&self, token: &Access, others: &[Cell]) -> Vec<Cell> {
        let Reading { net, transition } = self;
        let columns = &net.place(token.place).columns;
        let mut cells: Vec<Cell> = Vec::new();
        for (column, expr) in token.pattern.iter().enumerate() {
            if let Some(Expr::Var(var)) = expr
                && !transition.defines(*var)
            {
                let (slot, bounds) = (var.index(), bounds(net, &columns[column]));
                let binds = others.iter().chain(&cells).all(|cell| cell.slot != slot);
                cells.push(Cell { column, bounds, slot, binds });
            }
        }
        cells
    }

    /// The conditions that are about what is bound here and nothing else, and not about what was `asked` before.
    fn tests(&self, cells: &[Cell], asked: Option<&[Cell]>) -> Vec<Expr> {
        let Reading { net, transition } = self;
        let fallibility = Fallibility::of(net, transition);
        let is_about = |expr: &Expr, cells: &[Cell]| {
            let mut known = true;
            expr.variables(&mut |var| known &= cells.iter().any(|cell| cell.slot == var.index()));
            known
        };
        let conditions = transition.guard.iter().flat_map(parts);
        let tests = conditions.filter(|expr| {
            !fallibility.can_fault(expr)
                && is_about(expr, cells)
                && !asked.is_some_and(|asked| is_about(expr, asked))
        });
        tests.cloned().collect()
    }

    /// A token that must be there beside that of a thread.
    fn wanted(&self, own: &Access, access: &Access, cells: &[Cell]) -> Wanted {
        let more = self.cells(access, cells);
        let all = [cells, &more].concat();
        let tests = self.tests(&all, Some(cells));
        Wanted { token: self.known(own, access), count: access.count, cells: more, tests }
    }

    /// What is known of tokens by the token of a thread.
    fn known(&self, own: &Access, access: &Access) -> Known {
        let Reading { net, transition } = self;
        let source = |var: &Var| {
            let holds = |expr: &Option<Expr>| *expr == Some(Expr::Var(*var));
            own.pattern.iter().position(holds).filter(|_| !transition.defines(*var))
        };
        let columns = &net.place(access.place).columns;
        let mut keys = Vec::new();
        let mut is_all = true;
        for column in (0..columns.len()).filter(|column| is_atom(columns[*column].sort)) {
            let known = atoms(net, transition, access, column);
            match known.and_then(|vars| vars.iter().map(source).collect::<Option<Vec<usize>>>()) {
                Some(sources) => keys.push((column, sources)),
                None => is_all = false,
            }
        }
        Known { place: access.place.index(), touch: access.touch, is_own: false, keys, is_all }
    }

    /// The relations of descent that a mode needs between two who take part.
    fn relations(&self, one: usize, other: usize) -> Vec<(Relation, bool)> {
        let [one, other] = [one, other].map(|at| self.transition.participants[at].thread);
        let conditions = self.transition.guard.iter().flat_map(parts);
        let relations = conditions.filter_map(|condition| match condition {
            Expr::Relation(relation @ (Relation::Parent | Relation::Ancestor), a, b) => {
                match (*a == one && *b == other, *a == other && *b == one) {
                    (true, _) => Some((*relation, true)),
                    (_, true) => Some((*relation, false)),
                    _ => None,
                }
            }
            _ => None,
        });
        relations.collect()
    }
}

/// The conditions that a condition consists of.
fn parts(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::Binary(BinaryOp::And, a, b) => [parts(a), parts(b)].concat(),
        other => vec![other],
    }
}

/// The slots of those who take part in a transition.
pub(crate) fn threads(transition: &Transition) -> Vec<usize> {
    let slot = |participant: &Participant| participant.thread.index();
    transition.participants.iter().map(slot).collect()
}
