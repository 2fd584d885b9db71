//! A condition that is not met, in words.

use std::collections::BTreeSet;

use lang::{write_arc, write_expr, write_inhibitor, write_pattern};
use net::interpret::Mode;
use net::{Arc, Expr, Participant, Var};
use state::{State, Value};

use super::conditions::{Condition, Conditions};

impl Conditions<'_> {
    /// Why no mode is left with this condition; `before` are the modes without it.
    pub(super) fn reason(&self, condition: &Condition, state: &State, before: &[Mode]) -> String {
        let name = &self.rule.name;
        match condition {
            Condition::Thread(participant) => {
                format!("`{name}` needs {}", self.thread(participant, state, before))
            }
            Condition::Take(arc) | Condition::Read(arc) => {
                format!("`{name}` needs {}", self.token(arc, state, before))
            }
            Condition::Guard(guard) => {
                let text = write_expr(self.net, self.rule, guard);
                match values(self, [&**guard], before) {
                    Some(values) => format!("`{name}` needs `{text}`, but {values}"),
                    None => format!("`{name}` needs `{text}`, which holds for none"),
                }
            }
            Condition::Unless(inhibitor) => {
                let tokens = write_inhibitor(self.net, self.rule, inhibitor);
                format!("`{name}` cannot fire while there is `{tokens}`")
            }
        }
    }

    fn thread(&self, participant: &Participant, state: &State, before: &[Mode]) -> String {
        let place = &self.net.place(participant.from).name;
        if state.tokens(place).next().is_none() {
            return format!("a thread at `{place}`, where there is none");
        }
        let pattern = write_pattern(self.net, self.rule, &participant.pattern);
        if participant.pattern.iter().all(Option::is_none) {
            return format!("one more thread at `{place}`");
        }
        let with = values(self, participant.pattern.iter().flatten(), before);
        format!("a thread at `{place}({pattern})`{}", there_is_none(with))
    }

    fn token(&self, arc: &Arc, state: &State, before: &[Mode]) -> String {
        let place = &self.net.place(arc.place).name;
        let (mut kinds, mut held) = (0_usize, 0_u64);
        for (_, count) in state.tokens(place) {
            kinds += 1;
            held += u64::from(count);
        }
        let is_flow = self.net.place(arc.place).is_flow();
        match (arc.count, kinds) {
            (1, 0) if is_flow => return format!("a thread at `{place}`, where there is none"),
            (1, 0) if arc.each.is_empty() => {
                return format!("a token in `{place}`, which is empty");
            }
            (count, 0) if arc.pattern.is_empty() => {
                return format!("{count} tokens in `{place}`, which is empty");
            }
            (count, 1) if arc.pattern.is_empty() => {
                return format!("{count} tokens in `{place}`, which has {held}");
            }
            _ => {}
        }
        let pattern = write_arc(self.net, self.rule, arc);
        let times = if arc.count == 1 { String::new() } else { format!("{}×", arc.count) };
        if !arc.each.is_empty() {
            return format!("`{times}{place}({pattern})`, not all of which is there");
        }
        let with = values(self, arc.pattern.iter().flatten(), before);
        format!("`{times}{place}({pattern})`{}", there_is_none(with))
    }
}

fn there_is_none(values: Option<String>) -> String {
    match values {
        Some(values) => format!(" with {values}, and there is none"),
        None => ", and none fits".to_owned(),
    }
}

/// `x = 1, c = 2`: what the variables of expressions are bound to, where all modes agree and one is bound.
fn values<'e>(
    conditions: &Conditions,
    exprs: impl IntoIterator<Item = &'e Expr>,
    modes: &[Mode],
) -> Option<String> {
    let mut variables: BTreeSet<Var> = BTreeSet::new();
    for expr in exprs {
        expr.variables(&mut |var| {
            variables.insert(var);
        });
    }
    let mut texts = Vec::new();
    for var in variables {
        let mut found = modes.iter().map(|mode| mode.binding.get(&var));
        let first: Option<&Value> = found.next().flatten();
        if !found.all(|value| value == first) {
            return None;
        }
        if let Some(value) = first {
            texts.push(format!("{} = {value}", conditions.rule.variables[var.index()].name));
        }
    }
    (!texts.is_empty()).then(|| texts.join(", "))
}
