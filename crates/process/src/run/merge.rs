//! Branches whose ways come together again, as one path.
//!
//! Where both ways do nothing but assign local variables, the path need not be split: after them, the values depend on
//! the condition. So a statement with many small branches after it is not one transition for each way through them.

use net::{Expr as NetExpr, Sort};

use super::{Runner, innermost};
use crate::formula::either;
use crate::path::{Env, Path, Row};
use program::graph::{Graph, Node, NodeId, RoutineId};
use program::{Action, Root, Statement, Type};

/// Ways with more nodes than this are not looked at.
const LONGEST_WAY: usize = 64;
/// A value that mentions variables more often than this is worth a path of its own.
const MOST_MENTIONS: usize = 100;

impl Runner<'_> {
    /// The path after a branch, at the node where its ways come together; nothing if they are to be told apart.
    pub(super) fn merged(
        &self,
        branch: NodeId,
        condition: &NetExpr,
        path: &Path,
    ) -> Option<(Path, NodeId)> {
        let routine = innermost(path);
        let graph = self.routines.graph(routine);
        let join = self.junction(routine, branch)?;
        let Node::Branch(_, [yes, no]) = graph.node(branch) else { unreachable!("a branch") };
        let [with, without] = path.clone().split(condition);
        let with = self.assigned(*yes, join, with?)?;
        let without = self.assigned(*no, join, without?)?;
        let condition = path.told_apart(condition.clone());
        let mut env = Env::new();
        for local in self.routines.live(routine).at(join) {
            let of = &graph.locals[local.index()].of;
            let rows = [&with, &without].map(|path| {
                let calls = &path.threads[path.acting].calls;
                let known = calls.last().and_then(|call| call.env.get(local).cloned());
                known.unwrap_or_else(|| self.layout.absent(of))
            });
            env.insert(*local, self.either(&condition, rows, of)?);
        }
        let mut path = path.clone();
        *path.env() = env;
        Some((path, join))
    }

    /// One value or the other, if it is no identity and not too large.
    fn either(&self, condition: &NetExpr, [a, b]: [Row; 2], of: &Type) -> Option<Row> {
        if a == b {
            return Some(a);
        }
        let is_data = |sort: Sort| !matches!(sort, Sort::Pid | Sort::Object(_));
        if !self.layout.scalars(of).iter().all(|scalar| is_data(scalar.sort)) {
            return None;
        }
        let row: Row = a.into_iter().zip(b).map(|(a, b)| either(condition, a, b)).collect();
        let mut mentions = 0;
        row.iter().for_each(|expr| expr.variables(&mut |_| mentions += 1));
        (mentions <= MOST_MENTIONS).then_some(row)
    }

    /// A path from a node to another, by assignments; nothing if it is split on the way.
    fn assigned(&self, from: NodeId, to: NodeId, path: Path) -> Option<Path> {
        let graph = self.routines.graph(innermost(&path));
        let (mut at, mut path) = (from, path);
        while at != to {
            match graph.node(at) {
                Node::Next(next) => at = *next,
                Node::Do(statement, next) => {
                    path = one(self.block(std::slice::from_ref(statement), path.clone()), &path)?.0;
                    at = *next;
                }
                Node::Branch(condition, [yes, no]) => {
                    let evaluated = self.layout.condition(condition, path.clone());
                    let (_, holds) = one(evaluated, &path)?;
                    match path.clone().split(&holds) {
                        [Some(_), Some(_)] => (path, at) = self.merged(at, &holds, &path)?,
                        [Some(_), None] => at = *yes,
                        [None, Some(_)] => at = *no,
                        [None, None] => return None,
                    }
                }
                _ => return None,
            }
        }
        Some(path)
    }

    /// The node where the ways of a branch come together, if they do after assignments alone.
    fn junction(&self, routine: RoutineId, branch: NodeId) -> Option<NodeId> {
        if let Some(known) = self.joins.borrow().get(&(routine, branch)) {
            return *known;
        }
        self.joins.borrow_mut().insert((routine, branch), None);
        let graph = self.routines.graph(routine);
        let Node::Branch(_, ways) = graph.node(branch) else { unreachable!("a branch") };
        let [yes, no] = ways.map(|way| self.way(routine, graph, way));
        let join = yes.into_iter().find(|node| no.contains(node));
        self.joins.borrow_mut().insert((routine, branch), join);
        join
    }

    /// The nodes that a way comes to by assignments alone, where its branches have come together again.
    fn way(&self, routine: RoutineId, graph: &Graph, from: NodeId) -> Vec<NodeId> {
        let mut way = vec![from];
        while way.len() < LONGEST_WAY {
            let at = *way.last().expect("it has a beginning");
            let next = match graph.node(at) {
                Node::Next(next) => Some(*next),
                Node::Do(statement, next) if is_assignment(statement) => Some(*next),
                Node::Branch(..) => self.junction(routine, at),
                _ => None,
            };
            match next {
                Some(next) => way.push(next),
                None => break,
            }
        }
        way
    }
}

/// Whether a statement assigns to a local variable.
fn is_assignment(statement: &Statement) -> bool {
    matches!(&statement.action, Action::Assign(target, _) if matches!(target.root, Root::Local(_)))
}

/// The only part of a path, if it has come to know nothing more on it.
fn one<T>(mut parts: crate::evaluate::Parts<T>, before: &Path) -> Option<(Path, T)> {
    let (path, found) = parts.pop().filter(|_| parts.is_empty())?;
    let is_same = path.guard.len() == before.guard.len()
        && path.variables.len() == before.variables.len()
        && path.endings.len() == before.endings.len()
        && path.objects.len() == before.objects.len();
    found.ok().filter(|_| is_same).map(|found| (path, found))
}
