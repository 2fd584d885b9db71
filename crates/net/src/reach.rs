//! How much of a state a transition can look at: see [`Reach`].
//!
//! The tokens of a mode are of one family if the inputs hang together: by a pid variable that occurs
//! in both, or by a condition that relates, or equates, a pid of one to a pid of the other. A token
//! that inhibits is of that family too if its pids are tied to those of the inputs in the same way.
//! Whatever is put holds pids of the inputs and of their children.

use fold::Reach;

use crate::{BinaryOp, Expr, Kind, Net, PlaceId, Sort, Transition, Var};

impl Net {
    /// The reach of a transition.
    #[must_use]
    pub fn reach(&self, transition: &Transition) -> Reach {
        let mut ties = Ties { transition, group: (0..transition.variables.len()).collect() };
        transition.guard.iter().for_each(|condition| ties.by_condition(condition));
        let mut rest = transition.puts.iter().any(|arc| !self.holds_pids(arc.place));
        let mut family: Option<usize> = None;
        let threads = transition.participants.iter().map(|p| (p.from, &p.pattern, Some(p.thread)));
        let arcs = transition.takes.iter().chain(&transition.reads);
        let arcs = arcs.map(|arc| (arc.place, &arc.pattern, None));
        let inputs: Vec<_> = threads.chain(arcs).collect();
        for (place, pattern, thread) in &inputs {
            if self.holds_pids(*place) {
                let pids = ties.pids(pattern).into_iter().chain(*thread).collect();
                family = family.or(ties.tie(pids));
            } else {
                rest = true;
            }
        }
        // Only now is known what hangs together.
        for (place, pattern, thread) in &inputs {
            if self.holds_pids(*place) {
                let pids: Vec<Var> = ties.pids(pattern).into_iter().chain(*thread).collect();
                let alone =
                    inputs.iter().filter(|(place, ..)| self.holds_pids(*place)).count() == 1;
                if !alone && !pids.iter().any(|&pid| ties.same(family, pid)) {
                    return Reach::State;
                }
            }
        }
        for inhibitor in &transition.inhibitors {
            if !self.holds_pids(inhibitor.place) {
                rest = true;
                continue;
            }
            let mut ties = ties.clone();
            inhibitor.condition.iter().for_each(|condition| ties.by_condition(condition));
            if !ties.pids(&inhibitor.pattern).iter().any(|&pid| ties.same(family, pid)) {
                return Reach::State;
            }
        }
        let has_family = inputs.iter().any(|(place, ..)| self.holds_pids(*place));
        match (has_family, rest) {
            (false, _) => Reach::Rest,
            (true, true) => Reach::FamilyAndRest,
            (true, false) => Reach::Family,
        }
    }

    fn holds_pids(&self, place: PlaceId) -> bool {
        self.place(place).columns.iter().any(|column| column.sort == Sort::Pid)
    }
}

/// Which variables are known to be pids of the same family: those of the same group.
#[derive(Clone)]
struct Ties<'a> {
    transition: &'a Transition,
    group: Vec<usize>,
}

impl Ties<'_> {
    /// The variables in a pattern that are plainly pids.
    fn pids(&self, pattern: &[Option<Expr>]) -> Vec<Var> {
        let defined = |var: &Var| self.transition.definitions.iter().any(|(d, _)| d == var);
        let plain = pattern.iter().flatten().filter_map(|expr| match expr {
            Expr::Var(var) => Some(*var),
            _ => None,
        });
        plain.filter(|var| self.is_pid(*var) && !defined(var)).collect()
    }

    fn is_pid(&self, var: Var) -> bool {
        self.transition.variables[var.index()].kind == Kind::Pid
    }

    /// Makes one group of the pids of a token, and gives one of them.
    fn tie(&mut self, pids: Vec<Var>) -> Option<usize> {
        let (first, others) = pids.split_first()?;
        for other in others {
            self.unite(*first, *other);
        }
        Some(first.index())
    }

    fn by_condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Relation(_, a, b) => self.unite(*a, *b),
            Expr::Binary(BinaryOp::And, a, b) => {
                self.by_condition(a);
                self.by_condition(b);
            }
            Expr::Binary(BinaryOp::Equal, a, b) => {
                if let (Expr::Var(a), Expr::Var(b)) = (&**a, &**b)
                    && self.is_pid(*a)
                {
                    self.unite(*a, *b);
                }
            }
            _ => {}
        }
    }

    fn unite(&mut self, a: Var, b: Var) {
        let (from, to) = (self.group[a.index()], self.group[b.index()]);
        self.group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }

    fn same(&self, family: Option<usize>, pid: Var) -> bool {
        family.is_some_and(|family| self.group[family] == self.group[pid.index()])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc as Shared;

    use state::Relation;

    use super::*;
    use crate::{Arc, Column, Fate, Inhibitor, Participant, Place, PlaceKind, Variable};

    /// Places: 0 a flow place, 1 an ordinary one of pids, 2 one of dots. Variables: four pids.
    fn net(transition: Transition) -> Net {
        let place = |name: &str, kind, columns: usize| Place {
            name: Shared::from(name),
            kind,
            columns: vec![Column { name: None, sort: Sort::Pid }; columns],
        };
        let places = vec![
            place("flow", PlaceKind::Flow, 1),
            place("pids", PlaceKind::Ordinary, 2),
            place("dots", PlaceKind::Ordinary, 0),
        ];
        let pid = |name: &str| Variable { name: name.into(), kind: Kind::Pid };
        let variables = ["a", "b", "c", "d"].map(pid).to_vec();
        let transition = Transition { name: "t".into(), variables, ..transition };
        Net { places, transitions: vec![transition], ..Net::default() }
    }

    fn reach(transition: Transition) -> Reach {
        let net = net(transition);
        net.reach(&net.transitions[0])
    }

    fn stays(var: u32) -> Participant {
        let from = PlaceId(0);
        Participant { thread: Var(var), from, pattern: Vec::new(), fate: Fate::Stay }
    }

    fn pids(a: Option<u32>, b: Option<u32>) -> Arc {
        let expr = |var: Option<u32>| var.map(|var| Expr::Var(Var(var)));
        Arc::new(PlaceId(1), vec![expr(a), expr(b)], 1)
    }

    fn dot() -> Arc {
        Arc::new(PlaceId(2), Vec::new(), 1)
    }

    fn no_thread(var: u32, condition: Option<Expr>) -> Inhibitor {
        let pattern = vec![Some(Expr::Var(Var(var)))];
        Inhibitor { place: PlaceId(0), pattern, condition, count: 1 }
    }

    fn related(a: u32, b: u32) -> Expr {
        Expr::Relation(Relation::Parent, Var(a), Var(b))
    }

    #[test]
    fn inputs_that_hang_together_are_of_one_family() {
        let t = Transition::default;
        let two = || vec![stays(0), stays(1)];
        assert_eq!(reach(Transition { participants: vec![stays(0)], ..t() }), Reach::Family);
        assert_eq!(reach(Transition { participants: two(), ..t() }), Reach::State);
        let guard = vec![related(0, 1)];
        assert_eq!(reach(Transition { participants: two(), guard, ..t() }), Reach::Family);
        let takes = vec![pids(Some(0), Some(1))];
        assert_eq!(reach(Transition { participants: two(), takes, ..t() }), Reach::Family);
        let takes = vec![pids(Some(0), None)];
        assert_eq!(reach(Transition { participants: two(), takes, ..t() }), Reach::State);
        let takes = vec![pids(None, None)];
        assert_eq!(reach(Transition { takes, ..t() }), Reach::Family);
        let takes = vec![pids(None, None), pids(None, None)];
        assert_eq!(reach(Transition { takes, ..t() }), Reach::State);
        // The tie may come from a later input.
        let takes = vec![pids(Some(0), Some(2)), pids(Some(2), Some(3))];
        let guard = vec![related(3, 1)];
        assert_eq!(reach(Transition { participants: two(), takes, guard, ..t() }), Reach::Family);
    }

    #[test]
    fn tokens_without_pids_belong_to_the_rest() {
        let t = Transition::default;
        assert_eq!(reach(Transition { takes: vec![dot()], ..t() }), Reach::Rest);
        assert_eq!(reach(t()), Reach::Rest);
        let participants = || vec![stays(0)];
        let reads = vec![dot()];
        assert_eq!(
            reach(Transition { participants: participants(), reads, ..t() }),
            Reach::FamilyAndRest
        );
        let puts = vec![dot()];
        assert_eq!(
            reach(Transition { participants: participants(), puts, ..t() }),
            Reach::FamilyAndRest
        );
    }

    #[test]
    fn what_inhibits_may_be_anywhere() {
        let t = || Transition { participants: vec![stays(0)], ..Transition::default() };
        let inhibitors = vec![no_thread(1, None)];
        assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::State);
        let inhibitors = vec![no_thread(1, Some(related(0, 1)))];
        assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::Family);
        let inhibitors = vec![no_thread(1, None)];
        assert_eq!(reach(Transition { inhibitors, ..Transition::default() }), Reach::State);
    }
}
