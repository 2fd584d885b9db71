//! Whether a net is a thread net.
//!
//! The assumptions of Klaudel et al. 2008, §3, with these changes. The generator place is implied, so
//! what the paper says of it (3.3) holds by construction, an ending thread's counter being consumed
//! only. There may be several initial threads, siblings in their order, with data, and ordinary places
//! may be filled (2). A transition need not involve a thread, and all threads that take part may end
//! (3.1). The counter of the generator cannot be named at all, so no guard can mention it (3.6).

use std::collections::HashSet;

use thiserror::Error;

use crate::{
    Arc, BinaryOp, Expr, Fate, InitialValue, Kind, Net, Place, PlaceId, Sort, Transition, UnaryOp,
    Var,
};

/// The largest number of inputs, parameters or definitions of one transition.
const MOST: usize = 256;

/// A way in which a net is not a thread net.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Breach {
    /// Assumption 1: about places.
    #[error("place `{place}`: {what}")]
    Place {
        /// The place.
        place: String,
        /// What is wrong with it.
        what: String,
    },
    /// Assumption 2: about the initial marking.
    #[error("initial marking: {0}")]
    Initial(String),
    /// Assumption 3: about transitions.
    #[error("transition `{transition}`: {what}")]
    Transition {
        /// The transition.
        transition: String,
        /// What is wrong with it.
        what: String,
    },
}

impl Net {
    /// Everything that keeps the net from being a thread net; nothing for one that `lang` has made.
    #[must_use]
    pub fn check(&self) -> Vec<Breach> {
        let mut breaches = Vec::new();
        let mut names = HashSet::new();
        for place in &self.places {
            let mut breach = |what: String| {
                breaches.push(Breach::Place { place: place.name.to_string(), what });
            };
            if !names.insert(&place.name) {
                breach("there is another place of this name".into());
            }
            self.check_place(place, &mut breach);
        }
        self.check_initial(&mut |what| breaches.push(Breach::Initial(what)));
        let mut names = HashSet::new();
        for transition in &self.transitions {
            let name = &transition.name;
            let mut breach =
                |what: String| breaches.push(Breach::Transition { transition: name.clone(), what });
            if !names.insert(name) {
                breach("there is another transition of this name".into());
            }
            Checker { net: self, transition, breach: &mut breach }.check();
        }
        breaches
    }

    fn check_place(&self, place: &Place, breach: &mut dyn FnMut(String)) {
        if place.is_flow() && place.columns.first().is_none_or(|c| c.sort != Sort::Pid) {
            breach("the first column of a flow place is the thread, a pid".into());
        }
        for column in &place.columns {
            if let Err(what) = self.check_sort(column.sort) {
                breach(what);
            }
        }
    }

    fn check_sort(&self, sort: Sort) -> Result<(), String> {
        match sort {
            Sort::Int { min, max } if min > max => Err(format!("the range {min}..={max} is empty")),
            Sort::Int { min, max } if max.abs_diff(min) >= u64::from(u32::MAX) => {
                Err(format!("the range {min}..={max} has 2³² values or more"))
            }
            Sort::Int { min, max } if min < -(1 << 53) || max > 1 << 53 => {
                Err(format!("the range {min}..={max} goes beyond 2⁵³"))
            }
            Sort::Enum(id) => match self.enumerations.get(id.index()) {
                None => Err("there is no such enumeration".into()),
                Some(e) if e.members.is_empty() => Err(format!("`{}` has no member", e.name)),
                Some(e) => {
                    // Concrete states know members by their names.
                    let names: HashSet<_> = e.members.iter().collect();
                    let twice = names.len() < e.members.len();
                    let what = || format!("`{}` has two members of one name", e.name);
                    if twice { Err(what()) } else { Ok(()) }
                }
            },
            _ => Ok(()),
        }
    }

    fn check_initial(&self, breach: &mut dyn FnMut(String)) {
        for thread in &self.start {
            match self.places.get(thread.place.index()) {
                None => breach("a thread starts at a place that does not exist".into()),
                Some(p) if !p.is_flow() => {
                    breach(format!("a thread starts at `{}`, which is no flow place", p.name));
                }
                Some(p) if p.columns.is_empty() => {}
                Some(p) => self.check_values(p, 1, &thread.values, breach),
            }
        }
        let mut totals = std::collections::HashMap::new();
        for token in &self.tokens {
            match self.places.get(token.place.index()) {
                None => breach("a token is in a place that does not exist".into()),
                Some(p) if p.is_flow() => {
                    breach(format!("a token without a thread is in the flow place `{}`", p.name));
                }
                Some(p) => self.check_values(p, 0, &token.values, breach),
            }
            *totals.entry(token.place).or_insert(0_u64) += u64::from(token.count);
        }
        if totals.values().any(|&total| total > u64::from(u32::MAX)) {
            breach("a place holds more than 2³² tokens".into());
        }
    }

    fn check_values(
        &self,
        place: &Place,
        skip: usize,
        values: &[InitialValue],
        breach: &mut dyn FnMut(String),
    ) {
        let columns = &place.columns[skip..];
        if values.len() != columns.len() {
            let (name, n, m) = (&place.name, columns.len(), values.len());
            breach(format!("a token of `{name}` has {n} components, not {m}"));
        }
        for (value, column) in values.iter().zip(columns) {
            let fits = match (*value, column.sort) {
                (InitialValue::Thread(index), Sort::Pid) => index < self.start.len(),
                (InitialValue::Data(crate::Literal::Int(n)), Sort::Int { min, max }) => {
                    (min..=max).contains(&n)
                }
                (InitialValue::Data(crate::Literal::Enum(id, i)), Sort::Enum(other)) => {
                    let members = self.enumerations.get(id.index()).map_or(0, |e| e.members.len());
                    id == other && (i as usize) < members
                }
                (InitialValue::Data(crate::Literal::Bool(_)), Sort::Bool) => true,
                _ => false,
            };
            // A sort that does not exist is reported with its place.
            if !fits && self.check_sort(column.sort).is_ok() {
                let (name, sort) = (&place.name, self.sort_name(column.sort));
                breach(format!("a token of `{name}` has {value:?} where {sort} is expected"));
            }
        }
    }
}

struct Checker<'a> {
    net: &'a Net,
    transition: &'a Transition,
    breach: &'a mut dyn FnMut(String),
}

impl Checker<'_> {
    fn check(&mut self) {
        let t = self.transition;
        let inputs = t.participants.len() + t.takes.len() + t.reads.len() + t.parameters.len();
        if inputs > MOST || t.definitions.len() > MOST || t.inhibitors.len() > MOST {
            (self.breach)(format!("it has more than {MOST} inputs, definitions or inhibitors"));
            return;
        }
        let mut listed = true;
        let mut check = |var: Var| listed &= var.index() < t.variables.len();
        t.expressions().for_each(|expr| expr.variables(&mut check));
        t.parameters.iter().for_each(|(var, _)| check(*var));
        t.participants.iter().for_each(|participant| check(participant.thread));
        t.definitions.iter().for_each(|(var, _)| check(*var));
        t.spawns.iter().flat_map(|spawn| spawn.child).for_each(check);
        if !listed {
            (self.breach)("it uses a variable that is not listed".into());
            return;
        }
        self.check_members();
        let bound = self.check_inputs();
        let with_definitions = self.check_definitions(bound);
        self.check_inhibitors(&with_definitions);
        for condition in &t.guard {
            self.expect(condition, Kind::Bool, &with_definitions, "the guard");
        }
        self.check_outputs(with_definitions);
    }

    fn check_members(&mut self) {
        let mut missing = false;
        for expr in self.transition.expressions() {
            expr.walk(&mut |expr| {
                if let Expr::Literal(crate::Literal::Enum(id, index)) = expr {
                    let enumeration = self.net.enumerations.get(id.index());
                    missing |= enumeration.is_none_or(|e| e.members.len() <= *index as usize);
                }
            });
        }
        if missing {
            (self.breach)("it names a member of an enumeration that does not exist".into());
        }
    }

    fn name(&self, var: Var) -> &str {
        &self.transition.variables[var.index()].name
    }

    fn flow(&mut self, id: PlaceId, what: &str) -> Option<usize> {
        match self.net.places.get(id.index()) {
            Some(place) if place.is_flow() => Some(place.columns.len().saturating_sub(1)),
            Some(place) => {
                (self.breach)(format!("{what} `{}`, which is no flow place", place.name));
                None
            }
            None => {
                (self.breach)(format!("{what} a place that does not exist"));
                None
            }
        }
    }

    fn ordinary(&mut self, id: PlaceId, what: &str) -> bool {
        match self.net.places.get(id.index()) {
            Some(place) if !place.is_flow() => true,
            Some(place) => {
                (self.breach)(format!("{what} `{}`, which is a flow place", place.name));
                false
            }
            None => {
                (self.breach)(format!("{what} a place that does not exist"));
                false
            }
        }
    }

    /// Checks parameters, participants, takes and reads. Gives the variables they bind.
    fn check_inputs(&mut self) -> Vec<bool> {
        let t = self.transition;
        let mut bound = vec![false; t.variables.len()];
        let defined: Vec<Var> = t.definitions.iter().map(|(var, _)| *var).collect();
        let mut patterns: Vec<(PlaceId, usize, &[Option<Expr>])> = Vec::new();
        for &(var, sort) in &t.parameters {
            let kind = t.variables[var.index()].kind;
            if bound[var.index()] {
                let name = self.name(var).to_owned();
                (self.breach)(format!("the parameter `{name}` is listed twice"));
            }
            match self.net.check_sort(sort) {
                Err(what) => (self.breach)(what),
                Ok(()) if sort == Sort::Pid => {
                    (self.breach)("a parameter cannot range over all pids".into());
                }
                Ok(()) if kind != sort.into() => {
                    (self.breach)("a parameter is not of the type of its variable".into());
                }
                Ok(()) => bound[var.index()] = true,
            }
        }
        let mut threads = HashSet::new();
        for participant in &t.participants {
            let var = participant.thread;
            if t.variables[var.index()].kind != Kind::Pid {
                (self.breach)("a participant is named by a variable that is no pid".into());
                continue;
            }
            if !threads.insert(var) {
                let name = self.name(var).to_owned();
                (self.breach)(format!("the thread `{name}` takes part twice (Assumption 3.2)"));
            }
            bound[var.index()] = true;
            if self.flow(participant.from, "a thread comes from").is_some() {
                patterns.push((participant.from, 1, &participant.pattern));
            }
        }
        for (arcs, what) in [(&t.takes, "tokens are taken from"), (&t.puts, "tokens are put into")]
        {
            for arc in arcs {
                if self.ordinary(arc.place, what) && what.contains("taken") {
                    patterns.push((arc.place, 0, &arc.pattern));
                }
            }
        }
        for arc in &t.reads {
            if self.net.places.get(arc.place.index()).is_some() {
                patterns.push((arc.place, 0, &arc.pattern));
            } else {
                (self.breach)("it reads a place that does not exist".into());
            }
        }
        for arc in t.takes.iter().chain(&t.reads).chain(&t.puts) {
            self.check_count(arc);
        }
        for (_, _, pattern) in &patterns {
            for expr in pattern.iter().flatten() {
                if let Expr::Var(var) = expr
                    && !defined.contains(var)
                {
                    bound[var.index()] = true;
                }
            }
        }
        let mut known = bound.clone();
        defined.iter().for_each(|var| known[var.index()] = true);
        for (place, skip, pattern) in patterns {
            self.check_pattern(place, skip, pattern, &known);
        }
        bound
    }

    fn check_count(&mut self, arc: &Arc) {
        if arc.count == 0 {
            (self.breach)("an arc carries no token".into());
        }
    }

    fn check_pattern(
        &mut self,
        place: PlaceId,
        skip: usize,
        pattern: &[Option<Expr>],
        known: &[bool],
    ) {
        let net = self.net;
        let columns = &net.place(place).columns;
        let columns = columns.get(skip..).unwrap_or_default();
        if pattern.len() != columns.len() {
            let (name, n, m) = (&net.place(place).name, columns.len(), pattern.len());
            (self.breach)(format!("a pattern of `{name}` has {n} components, not {m}"));
        }
        for (expr, column) in pattern.iter().zip(columns) {
            if let Some(expr) = expr {
                let what = format!("a component of `{}`", net.place(place).name);
                self.expect(expr, column.sort.into(), known, &what);
            }
        }
    }

    fn check_definitions(&mut self, mut bound: Vec<bool>) -> Vec<bool> {
        for (var, expr) in &self.transition.definitions {
            if bound[var.index()] {
                (self.breach)("a definition names a variable that is bound already".into());
                continue;
            }
            let kind = self.transition.variables[var.index()].kind;
            self.expect(expr, kind, &bound, "a definition");
            bound[var.index()] = true;
        }
        bound
    }

    fn check_inhibitors(&mut self, bound: &[bool]) {
        for inhibitor in &self.transition.inhibitors {
            if self.net.places.get(inhibitor.place.index()).is_none() {
                (self.breach)("an inhibitor looks at a place that does not exist".into());
                continue;
            }
            if inhibitor.count == 0 {
                (self.breach)("an inhibitor of no token always disables".into());
            }
            let mut known = bound.to_vec();
            for expr in inhibitor.pattern.iter().flatten() {
                if let Expr::Var(var) = expr {
                    known[var.index()] = true;
                }
            }
            self.check_pattern(inhibitor.place, 0, &inhibitor.pattern, &known);
            if let Some(condition) = &inhibitor.condition {
                self.expect(condition, Kind::Bool, &known, "the condition of an inhibitor");
            }
        }
    }

    fn check_outputs(&mut self, mut bound: Vec<bool>) {
        let t = self.transition;
        let parents: HashSet<Var> = t.participants.iter().map(|p| p.thread).collect();
        for spawn in &t.spawns {
            if !parents.contains(&spawn.parent) {
                (self.breach)(
                    "a thread that takes no part creates a child (Assumption 3.1)".into(),
                );
            }
            let Some(child) = spawn.child else { continue };
            if spawn.count != 1 {
                (self.breach)("several children share one name".into());
            }
            if t.variables[child.index()].kind != Kind::Pid || bound[child.index()] {
                (self.breach)("a child is named by a variable that is not free for it".into());
            }
            bound[child.index()] = true;
        }
        for participant in &t.participants {
            if let Fate::Move { to, values } = &participant.fate {
                self.check_token(*to, values, &bound, "a thread moves to");
            }
        }
        for spawn in &t.spawns {
            self.check_token(spawn.to, &spawn.values, &bound, "a child starts at");
        }
        for arc in &t.puts {
            if arc.pattern.iter().any(Option::is_none) {
                (self.breach)("a token is put of which a component is left open".into());
            }
            if self.net.places.get(arc.place.index()).is_some_and(|p| !p.is_flow()) {
                self.check_pattern(arc.place, 0, &arc.pattern, &bound);
            }
        }
    }

    fn check_token(&mut self, to: PlaceId, values: &[Expr], bound: &[bool], what: &str) {
        if let Some(width) = self.flow(to, what) {
            let net = self.net;
            let name = &net.place(to).name;
            if values.len() != width {
                (self.breach)(format!(
                    "a token of `{name}` has {width} components after its thread"
                ));
            }
            let columns = net.place(to).columns.get(1..).unwrap_or_default();
            for (expr, column) in values.iter().zip(columns) {
                self.expect(expr, column.sort.into(), bound, &format!("a component of `{name}`"));
            }
        }
    }

    /// Checks that `expr` is of a type and uses only variables that are known.
    fn expect(&mut self, expr: &Expr, kind: Kind, known: &[bool], what: &str) {
        let mut unknown = None;
        expr.variables(&mut |var| {
            if !known[var.index()] {
                unknown = Some(var);
            }
        });
        if let Some(var) = unknown {
            let name = self.name(var).to_owned();
            (self.breach)(format!("{what} uses `{name}`, which nothing binds (Assumption 3.5)"));
        }
        match self.kind(expr) {
            None => (self.breach)(format!("{what} mixes pids, numbers, truth values or members")),
            Some(found) if found != kind => {
                (self.breach)(format!("{what} is {found:?} where {kind:?} is expected"));
            }
            Some(_) => {}
        }
    }

    /// The type of an expression, if it has one.
    fn kind(&self, expr: &Expr) -> Option<Kind> {
        let var = |var: Var| self.transition.variables[var.index()].kind;
        match expr {
            Expr::Literal(literal) => Some(literal.kind()),
            Expr::Var(v) => Some(var(*v)),
            Expr::Relation(_, a, b) => {
                (var(*a) == Kind::Pid && var(*b) == Kind::Pid).then_some(Kind::Bool)
            }
            Expr::Unary(UnaryOp::Not, a) => (self.kind(a)? == Kind::Bool).then_some(Kind::Bool),
            Expr::Unary(UnaryOp::Negate, a) => (self.kind(a)? == Kind::Int).then_some(Kind::Int),
            Expr::If(condition, a, b) => {
                let kind = self.kind(a)?;
                (self.kind(condition)? == Kind::Bool && self.kind(b)? == kind).then_some(kind)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.kind(a)?, self.kind(b)?);
                let (operands, result) = match op {
                    BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::Divide
                    | BinaryOp::Remainder => (Kind::Int, Kind::Int),
                    BinaryOp::Less
                    | BinaryOp::LessEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEqual => (Kind::Int, Kind::Bool),
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => (Kind::Bool, Kind::Bool),
                    BinaryOp::Equal | BinaryOp::NotEqual => (a, Kind::Bool),
                };
                (a == operands && b == operands).then_some(result)
            }
        }
    }
}
