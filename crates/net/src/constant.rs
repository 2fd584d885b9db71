//! Columns that hold the same in every token that can ever be there, and failures that need another value.
//!
//! The least fixpoint of what is put into each column, as if every transition could fire whose inputs have tokens at all:
//! more than can happen. So a failure whose condition is false of these values never happens; of others it is not known.
//!
//! Cost: each transition is looked at as often as some column gets a second value, or a first one.

use crate::{
    BinaryOp, Column, Expr, Fate, InitialValue, Literal, Net, Place, PlaceId, Sort, Transition,
    UnaryOp, Var,
};

/// What was put into a column.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Nothing,
    Always(Literal),
    Several,
}

/// For each place, what was put into its columns.
struct Columns<'n> {
    net: &'n Net,
    seen: Vec<Vec<Seen>>,
}

/// The variables of a transition that have the same value in every mode.
type Values = Vec<Option<Literal>>;

impl Net {
    /// Whether some failure may happen that is not just a limit of how the model was made, or something ends everything.
    #[must_use]
    pub fn can_end_all(&self) -> bool {
        if self.has_ends_of_all() {
            return true;
        }
        let fails = |one: &&Transition| one.failure.is_some() && !one.is_limit;
        let mut failing = self.transitions.iter().filter(fails).peekable();
        failing.peek().is_some() && {
            let columns = Columns::of(self);
            failing.any(|transition| columns.may_fire(transition))
        }
    }
}

impl Columns<'_> {
    fn of(net: &Net) -> Columns<'_> {
        let nothing = |place: &Place| vec![Seen::Nothing; place.columns.len()];
        let mut columns = Columns { net, seen: net.places.iter().map(nothing).collect() };
        let datum = |value: &InitialValue| match value {
            InitialValue::Data(literal) => Some(*literal),
            _ => None,
        };
        for token in &net.tokens {
            columns.put(token.place, token.values.iter().map(datum));
        }
        for thread in &net.start {
            columns.put(thread.place, [None].into_iter().chain(thread.values.iter().map(datum)));
        }
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for transition in &net.transitions {
                has_changed |= columns.fire(transition);
            }
        }
        columns
    }

    /// Adds a token, and says whether that makes a difference.
    fn put(&mut self, place: PlaceId, mut token: impl Iterator<Item = Option<Literal>>) -> bool {
        let mut has_changed = false;
        let columns = self.net.place(place).columns.iter();
        for (seen, column) in self.seen[place.index()].iter_mut().zip(columns) {
            let value = token.next().flatten().or_else(|| only_value(column));
            let now = match (*seen, value) {
                (Seen::Nothing, Some(value)) => Seen::Always(value),
                (Seen::Always(other), Some(value)) if other == value => *seen,
                _ => Seen::Several,
            };
            has_changed |= *seen != now;
            *seen = now;
        }
        has_changed
    }

    /// Adds what a transition puts, if there may be what it needs.
    fn fire(&mut self, transition: &Transition) -> bool {
        let Some(values) = self.values(transition) else { return false };
        let value = |expr: &Expr| evaluated(expr, &values);
        let mut has_changed = false;
        for participant in &transition.participants {
            if let Fate::Move { to, values } = &participant.fate {
                has_changed |= self.put(*to, [None].into_iter().chain(values.iter().map(value)));
            }
        }
        for spawn in &transition.spawns {
            if let Some(to) = spawn.to {
                let token = [None].into_iter().chain(spawn.values.iter().map(value));
                has_changed |= self.put(to, token);
            }
        }
        for arc in &transition.puts {
            let token = arc.pattern.iter().map(|expr| expr.as_ref().and_then(value));
            has_changed |= self.put(arc.place, token);
        }
        has_changed
    }

    /// The values of variables; nothing if there is never a token that the transition needs.
    fn values(&self, transition: &Transition) -> Option<Values> {
        let mut values = vec![None; transition.variables.len()];
        let threads = transition.participants.iter();
        let threads = threads.map(|one| (&self.seen[one.from.index()][1..], &one.pattern));
        let arcs =
            transition.takes.iter().chain(&transition.reads).filter(|arc| arc.each.is_empty());
        let arcs = arcs.map(|arc| (&self.seen[arc.place.index()][..], &arc.pattern));
        for (columns, pattern) in threads.chain(arcs) {
            for (seen, expr) in columns.iter().zip(pattern) {
                match (seen, expr) {
                    (Seen::Nothing, _) => return None,
                    (Seen::Always(value), Some(Expr::Var(Var(var)))) => {
                        values[*var as usize] = Some(*value);
                    }
                    _ => {}
                }
            }
        }
        Some(values)
    }

    /// Whether a transition may ever fire.
    fn may_fire(&self, transition: &Transition) -> bool {
        let Some(mut values) = self.values(transition) else { return false };
        let mut conditions = Vec::new();
        transition.guard.iter().for_each(|guard| conjuncts(guard, &mut conditions));
        for condition in &conditions {
            if let Expr::Binary(BinaryOp::Equal, a, b) = condition
                && let (Expr::Var(Var(var)), Expr::Literal(value)) = (&**a, &**b)
            {
                values[*var as usize].get_or_insert(*value);
            }
        }
        let is_false =
            |condition: &&Expr| evaluated(condition, &values) == Some(Literal::Bool(false));
        !conditions.iter().any(is_false)
    }
}

/// The value of a column that has room for one.
fn only_value(column: &Column) -> Option<Literal> {
    match column.sort {
        Sort::Int { min, max } if min == max && !column.optional => Some(Literal::Int(min)),
        _ => None,
    }
}

fn conjuncts<'e>(condition: &'e Expr, found: &mut Vec<&'e Expr>) {
    match condition {
        Expr::Binary(BinaryOp::And, a, b) => {
            conjuncts(a, found);
            conjuncts(b, found);
        }
        _ => found.push(condition),
    }
}

/// The value of an expression, if it has the same in every mode.
fn evaluated(expr: &Expr, values: &Values) -> Option<Literal> {
    let truth = |expr: &Expr| match evaluated(expr, values) {
        Some(Literal::Bool(value)) => Some(value),
        _ => None,
    };
    match expr {
        Expr::Literal(literal) => Some(*literal),
        Expr::Var(Var(var)) => values.get(*var as usize).copied().flatten(),
        Expr::Unary(UnaryOp::Not, a) => Some(Literal::Bool(!truth(a)?)),
        Expr::Binary(BinaryOp::And, a, b) => match (truth(a), truth(b)) {
            (Some(false), _) | (_, Some(false)) => Some(Literal::Bool(false)),
            (a, b) => Some(Literal::Bool(a? && b?)),
        },
        Expr::Binary(BinaryOp::Or, a, b) => match (truth(a), truth(b)) {
            (Some(true), _) | (_, Some(true)) => Some(Literal::Bool(true)),
            (a, b) => Some(Literal::Bool(a? || b?)),
        },
        Expr::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
            let is_same = evaluated(a, values)? == evaluated(b, values)?;
            Some(Literal::Bool(is_same == (*op == BinaryOp::Equal)))
        }
        Expr::Binary(
            op
            @ (BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual),
            a,
            b,
        ) => match (evaluated(a, values)?, evaluated(b, values)?) {
            (Literal::Int(a), Literal::Int(b)) => Some(Literal::Bool(op.apply(a, b).ok()? != 0)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arc, InitialToken, Kind, PlaceKind, Variable};

    /// A place of a truth value, which is false at first, and a failure where it is true.
    fn failing(others: Vec<Transition>) -> Net {
        let columns = vec![Column::of(Sort::Bool)];
        let datum = InitialValue::Data(Literal::Bool(false));
        let (place, values) = (PlaceId(0), vec![datum]);
        let token = InitialToken { place, values, count: 1, each: Vec::new(), condition: None };
        let fails = Transition { failure: Some("it is true".into()), ..looking() };
        let guard = vec![Expr::Var(Var(0))];
        let transitions = others.into_iter().chain([Transition { guard, ..fails }]);
        Net {
            places: vec![Place::new("cell", PlaceKind::Ordinary, columns)],
            transitions: transitions.collect(),
            tokens: vec![token],
            ..Net::default()
        }
    }

    fn looking() -> Transition {
        let reads = vec![Arc::new(PlaceId(0), vec![Some(Expr::Var(Var(0)))], 1)];
        Transition {
            variables: vec![Variable::new("x", Kind::Bool)],
            reads,
            ..Transition::default()
        }
    }

    fn putting(value: Expr) -> Transition {
        Transition { puts: vec![Arc::new(PlaceId(0), vec![Some(value)], 1)], ..looking() }
    }

    fn not(value: Expr) -> Expr {
        Expr::Unary(UnaryOp::Not, Box::new(value))
    }

    #[test]
    fn failures_need_a_value_that_is_put_somewhere() {
        let (no, it) = (Expr::Literal(Literal::Bool(false)), Expr::Var(Var(0)));
        let can_fail =
            |others: &[Expr]| failing(others.iter().cloned().map(putting).collect()).can_end_all();
        assert!(!can_fail(&[]));
        assert!(!can_fail(&[no.clone(), it.clone(), not(not(it.clone()))]));
        assert!(can_fail(&[not(no)]));
        assert!(can_fail(&[it.clone(), not(it)]));
    }

    #[test]
    fn limits_end_nothing() {
        let mut net = failing(vec![putting(Expr::Literal(Literal::Bool(true)))]);
        assert!(net.can_end_all());
        net.transitions.last_mut().expect("the failure").is_limit = true;
        assert!(!net.can_end_all());
        net.transitions[0].ends_all = true;
        assert!(net.can_end_all());
    }
}
