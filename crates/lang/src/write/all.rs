//! Tokens for all members of a class.
//!
//! The condition of such a token is a conjunction, as `lang` makes it: what `in` and `except` demand, in
//! the order of the components, and then what `with` says. It is taken apart in the same way, so that
//! what is written is read as the same.

use net::{BinaryOp, EnumId, Expr, Var};

use super::expression::Expressions;
use super::quote::quoted;
use crate::operator::Level;

/// How a token for all members is written.
pub(super) struct Plan<'e> {
    /// For each component, how it goes through members, if it does.
    through: Vec<Option<Through<'e>>>,
    /// What `with` says: all of these.
    with: Vec<&'e Expr>,
}

#[derive(Clone)]
struct Through<'e> {
    var: Var,
    part: Option<(EnumId, u32)>,
    except: Vec<&'e Expr>,
}

impl<'e> Plan<'e> {
    /// `components` are the variables that components consist of; those in `each` go through members.
    pub(super) fn new(
        components: &[Option<Var>],
        each: &[Var],
        condition: Option<&'e Expr>,
        is_unnamed: impl Fn(Var) -> bool,
    ) -> Plan<'e> {
        let binds = |(i, var): (usize, &Option<Var>)| {
            let var = var.filter(|var| each.contains(var))?;
            let first = !components[..i].contains(&Some(var));
            first.then(|| Through { var, part: None, except: Vec::new() })
        };
        let through: Vec<Option<Through>> = components.iter().enumerate().map(binds).collect();
        let conjuncts = condition.map(spine).unwrap_or_default();
        let mut split = Plan { through: through.clone(), with: conjuncts.clone() };
        split.split();
        let whole = Plan { through, with: conjuncts };
        let can_be_whole = each.iter().all(|var| !is_unnamed(*var) || !whole.mentions(*var));
        // One conjunct that remains is read as it is; several would be grouped in another way.
        if split.with.len() <= 1 || !can_be_whole { split } else { whole }
    }

    /// Gives each component the conditions that are its own.
    fn split(&mut self) {
        let mut conjuncts = self.with.iter().copied().peekable();
        for through in self.through.iter_mut().flatten() {
            let is_it = |expr: &Expr| *expr == Expr::Var(through.var);
            if let Some(Expr::Within(member, id, part)) = conjuncts.peek()
                && is_it(member)
            {
                through.part = Some((*id, *part));
                conjuncts.next();
            }
            while let Some(Expr::Binary(BinaryOp::NotEqual, member, other)) = conjuncts.peek()
                && is_it(member)
            {
                through.except.push(other);
                conjuncts.next();
            }
        }
        self.with = conjuncts.collect();
    }

    /// Whether a variable is spoken of in a condition.
    pub(super) fn mentions(&self, var: Var) -> bool {
        let except = self.through.iter().flatten().flat_map(|through| through.except.iter());
        let mut found = false;
        except.chain(&self.with).for_each(|expr| expr.variables(&mut |v| found |= v == var));
        found
    }

    /// The components; `other` gives those that go through nothing, `name` the names that are shown.
    pub(super) fn components(
        &self,
        other: impl Fn(usize) -> String,
        name: impl Fn(Var) -> Option<String>,
        expressions: &Expressions<'_>,
    ) -> Vec<String> {
        let component = |(i, through): (usize, &Option<Through>)| {
            let Some(Through { var, part, except }) = through else { return other(i) };
            let mut text = "all".to_owned();
            if let Some(name) = name(*var) {
                text += &format!(" {name}");
            }
            if let Some((id, part)) = part {
                let part = &expressions.net.enumerations[id.index()].parts[*part as usize];
                text += &format!(" in {}", quoted(&part.name));
            }
            match &except[..] {
                [] => {}
                [one] => text += &format!(" except {}", expressions.at(one, Level::Sum)),
                several => {
                    let list: Vec<String> = several.iter().map(|e| expressions.expr(e)).collect();
                    text += &format!(" except ({})", list.join(", "));
                }
            }
            text
        };
        self.through.iter().enumerate().map(component).collect()
    }

    /// What follows the token: nothing, or ` with …`.
    pub(super) fn with(&self, expressions: &Expressions<'_>) -> String {
        if self.with.is_empty() {
            return String::new();
        }
        format!(" with {}", expressions.all_of(self.with.iter().copied()))
    }
}

/// The operands of `a and b and c`, which groups to the left.
fn spine(expr: &Expr) -> Vec<&Expr> {
    let mut list = Vec::new();
    let mut rest = expr;
    while let Expr::Binary(BinaryOp::And, a, b) = rest {
        list.push(&**b);
        rest = a;
    }
    list.push(rest);
    list.reverse();
    list
}
