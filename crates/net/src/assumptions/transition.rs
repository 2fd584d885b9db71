//! Assumption 3: about transitions.

use std::collections::HashSet;

use super::owners;
use super::typing::{breaks_of_symmetry, may_be_nothing};
use crate::transition::plain_variables;
use crate::{Arc, EnumId, Expr, Fate, Kind, Net, Place, PlaceId, Sort, Transition, Var, Variable};

/// The largest number of inputs, parameters or definitions of one transition.
pub(crate) const MOST_INPUTS: usize = 256;

/// What is wrong with a transition.
pub(super) fn check(net: &Net, transition: &Transition) -> Vec<String> {
    let mut checker = Checker { net, transition, breaches: Vec::new() };
    checker.check();
    checker.breaches
}

struct Checker<'a> {
    net: &'a Net,
    transition: &'a Transition,
    breaches: Vec<String>,
}

impl Checker<'_> {
    fn breach(&mut self, what: impl Into<String>) {
        self.breaches.push(what.into());
    }

    fn check(&mut self) {
        let (net, t) = (self.net, self.transition);
        let inputs = t.participants.len() + t.takes.len() + t.reads.len() + t.parameters.len();
        if inputs > MOST_INPUTS
            || t.definitions.len() > MOST_INPUTS
            || t.inhibitors.iter().map(|inhibitor| inhibitor.arcs.len()).sum::<usize>()
                > MOST_INPUTS
        {
            self.breach(format!(
                "it has more than {MOST_INPUTS} inputs, definitions or inhibitors"
            ));
            return;
        }
        let mut listed = true;
        let mut check = |var: &mut Var| listed &= var.index() < t.variables.len();
        t.clone().for_each_variable(&mut check);
        if !listed {
            self.breach("it uses a variable that is not listed");
            return;
        }
        if t.probe && t.failure.is_some() {
            self.breach("a probe never fires, so it cannot fail");
        }
        if self.reuses_each() {
            return;
        }
        self.check_members();
        let bound = self.check_inputs();
        let with_definitions = self.check_definitions(bound);
        self.check_inhibitors(&with_definitions);
        for condition in &t.guard {
            self.expect(condition, Kind::Bool, &with_definitions, "the guard");
        }
        if self.breaches.is_empty() {
            self.breaches.extend(owners::check(net, t));
        }
        self.check_outputs(with_definitions);
    }

    /// Whether a variable that goes through all members is used for anything else.
    fn reuses_each(&mut self) -> bool {
        let t = self.transition;
        let occurrences = |exprs: &mut dyn Iterator<Item = &Expr>, of: Var| {
            let mut count = 0;
            exprs.for_each(|expr| expr.variables(&mut |var| count += usize::from(var == of)));
            count
        };
        let mut others: HashSet<Var> = t.parameters.iter().map(|(var, _)| *var).collect();
        others.extend(t.participants.iter().map(|participant| participant.thread));
        others.extend(t.definitions.iter().map(|(var, _)| *var));
        others.extend(t.spawns.iter().filter_map(|spawn| spawn.child));
        for arc in t.arcs() {
            for var in &arc.each {
                let within = occurrences(&mut arc.expressions(), *var);
                if !others.insert(*var) || occurrences(&mut t.expressions(), *var) > within {
                    let name = self.name(*var).to_owned();
                    self.breach(format!(
                        "`{name}` goes through all members, and is used elsewhere"
                    ));
                    return true;
                }
            }
        }
        false
    }

    fn check_members(&mut self) {
        let mut said = HashSet::new();
        for expr in self.transition.expressions() {
            let of = |var: Var| self.transition.variables[var.index()].kind;
            for what in breaks_of_symmetry(self.net, &of, expr) {
                if said.insert(what.clone()) {
                    self.breach(what);
                }
            }
        }
    }

    fn name(&self, var: Var) -> &str {
        &self.transition.variables[var.index()].name
    }

    /// The place that something is said of, if it is there and is a flow place, or an ordinary one.
    fn place(&mut self, id: PlaceId, is_flow: bool, what: &str) -> Option<&Place> {
        let place = self.net.places.get(id.index());
        match place {
            Some(place) if place.is_flow() == is_flow => {}
            Some(Place { name, .. }) if is_flow => {
                self.breach(format!("{what} `{name}`, which is no flow place"));
            }
            Some(Place { name, .. }) => {
                self.breach(format!("{what} `{name}`, which is a flow place"));
            }
            None => self.breach(format!("{what} a place that does not exist")),
        }
        place.filter(|place| place.is_flow() == is_flow)
    }

    /// Checks parameters, participants, takes and reads. Gives the variables they bind.
    fn check_inputs(&mut self) -> Vec<bool> {
        let t = self.transition;
        let mut bound = vec![false; t.variables.len()];
        let mut patterns: Vec<(PlaceId, usize, &[Option<Expr>])> = Vec::new();
        for &(var, sort) in &t.parameters {
            let kind = t.variables[var.index()].kind;
            if bound[var.index()] {
                let name = self.name(var).to_owned();
                self.breach(format!("the parameter `{name}` is listed twice"));
            }
            match self.net.check_sort(sort) {
                Err(what) => self.breach(what),
                Ok(()) if sort == Sort::Pid => {
                    self.breach("a parameter cannot range over all pids");
                }
                Ok(()) if matches!(sort, Sort::Object(_)) => {
                    self.breach("a parameter cannot range over a fresh class");
                }
                Ok(()) if kind != sort.into() => {
                    self.breach("a parameter is not of the type of its variable");
                }
                Ok(()) => bound[var.index()] = true,
            }
        }
        let mut threads = HashSet::new();
        for participant in &t.participants {
            let var = participant.thread;
            if t.variables[var.index()].kind != Kind::Pid {
                self.breach("a participant is named by a variable that is no pid");
                continue;
            }
            if !threads.insert(var) {
                let name = self.name(var).to_owned();
                self.breach(format!("the thread `{name}` takes part twice (Assumption 3.2)"));
            }
            bound[var.index()] = true;
            if self.place(participant.from, true, "a thread comes from").is_some() {
                patterns.push((participant.from, 1, &participant.pattern));
            }
        }
        for arc in &t.takes {
            let place = self.place(arc.place, false, "tokens are taken from");
            if place.is_some() && arc.each.is_empty() {
                patterns.push((arc.place, 0, &arc.pattern));
            }
        }
        for arc in &t.puts {
            self.place(arc.place, false, "tokens are put into");
        }
        for arc in &t.reads {
            if self.net.places.get(arc.place.index()).is_none() {
                self.breach("it reads a place that does not exist");
            } else if arc.each.is_empty() {
                patterns.push((arc.place, 0, &arc.pattern));
            }
        }
        for arc in t.arcs() {
            self.check_arc(arc);
        }
        for var in patterns.iter().flat_map(|(_, _, pattern)| plain_variables(pattern)) {
            bound[var.index()] |= !t.defines(var);
        }
        let mut known = bound.clone();
        t.definitions.iter().for_each(|(var, _)| known[var.index()] = true);
        for (place, skip, pattern) in &patterns {
            self.check_pattern(*place, *skip, pattern, &known, false);
        }
        let mut given: Vec<Var> = t.parameters.iter().map(|(var, _)| *var).collect();
        given.extend(threads);
        given.extend(t.definitions.iter().map(|(var, _)| *var));
        self.check_something(&patterns, &given);
        for arc in t.takes.iter().chain(&t.reads).filter(|arc| !arc.each.is_empty()) {
            self.check_each(arc, &known, false);
        }
        bound
    }

    fn check_arc(&mut self, arc: &Arc) {
        if arc.count == 0 {
            self.breach("an arc carries no token");
        }
        if arc.each.is_empty() && arc.condition.is_some() {
            self.breach("an arc has a condition, but goes through no members");
        }
        if !arc.each.is_empty() {
            let kind = |var: &Var| self.transition.variables[var.index()].kind;
            let ids = arc.each.iter().map(|var| match kind(var) {
                Kind::Enum(id) => Some(id),
                _ => None,
            });
            match ids.collect::<Option<Vec<EnumId>>>() {
                None => self.breach("an arc goes through what is no enumeration"),
                Some(ids) => {
                    if let Err(what) = self.net.check_each(&ids) {
                        self.breach(format!("an arc is too wide: {what}"));
                    }
                }
            }
        }
    }

    /// Checks what an arc that goes through members says of them, given what else is known.
    fn check_each(&mut self, arc: &Arc, known: &[bool], is_put: bool) {
        let mut known = known.to_vec();
        arc.each.iter().for_each(|var| known[var.index()] = true);
        if self.net.places.get(arc.place.index()).is_some() {
            self.check_pattern(arc.place, 0, &arc.pattern, &known, is_put);
        }
        if arc.pattern.iter().any(Option::is_none) {
            self.breach("an arc that goes through all members leaves a component open");
        }
        if let Some(condition) = &arc.condition {
            self.expect(condition, Kind::Bool, &known, "the condition of an arc");
        }
    }

    fn check_pattern(
        &mut self,
        place: PlaceId,
        skip: usize,
        pattern: &[Option<Expr>],
        known: &[bool],
        is_put: bool,
    ) {
        let net = self.net;
        let columns = &net.place(place).columns;
        let columns = columns.get(skip..).unwrap_or_default();
        if pattern.len() != columns.len() {
            let (name, n, m) = (&net.place(place).name, columns.len(), pattern.len());
            self.breach(format!("a pattern of `{name}` has {n} components, not {m}"));
        }
        for (expr, column) in pattern.iter().zip(columns) {
            if let Some(expr) = expr {
                let what = format!("a component of `{}`", net.place(place).name);
                let optional = column.optional || !is_put;
                self.expect_optional(expr, column.sort.into(), optional, known, &what);
            }
        }
    }

    /// Checks that a variable that is always something is bound by a column that is, unless it is given.
    fn check_something(&mut self, patterns: &[(PlaceId, usize, &[Option<Expr>])], given: &[Var]) {
        let net = self.net;
        let columns = patterns.iter().flat_map(|(place, skip, pattern)| {
            let columns = net.place(*place).columns.get(*skip..).unwrap_or_default();
            pattern.iter().zip(columns).map(|(expr, column)| (*place, expr, column))
        });
        let plain = columns.filter_map(|(place, expr, column)| match expr {
            Some(Expr::Var(var)) => Some((place, *var, column.optional)),
            _ => None,
        });
        let plain: Vec<(PlaceId, Var, bool)> = plain.collect();
        let mut said = HashSet::new();
        for &(place, var, _) in plain.iter().filter(|(.., optional)| *optional) {
            let is_sure = given.contains(&var)
                || plain.iter().any(|&(_, other, optional)| other == var && !optional);
            if !is_sure && !self.transition.variables[var.index()].optional && said.insert(var) {
                let (name, place) = (self.name(var).to_owned(), &net.place(place).name);
                self.breach(format!(
                    "a component of `{place}` may be nothing, but `{name}` may not"
                ));
            }
        }
    }

    fn check_definitions(&mut self, mut bound: Vec<bool>) -> Vec<bool> {
        for (var, expr) in &self.transition.definitions {
            if bound[var.index()] {
                self.breach("a definition names a variable that is bound already");
                continue;
            }
            let Variable { kind, optional, .. } = self.transition.variables[var.index()];
            self.expect_optional(expr, kind, optional, &bound, "a definition");
            bound[var.index()] = true;
        }
        bound
    }

    fn check_inhibitors(&mut self, bound: &[bool]) {
        for inhibitor in &self.transition.inhibitors {
            let places = inhibitor.arcs.iter().map(|arc| self.net.places.get(arc.place.index()));
            if { places }.any(|place| place.is_none()) {
                self.breach("an inhibitor looks at a place that does not exist");
                continue;
            }
            if inhibitor.arcs.is_empty() || inhibitor.arcs.iter().any(|arc| arc.count == 0) {
                self.breach("an inhibitor of no token always disables");
            }
            if inhibitor.arcs.len() > 1 && inhibitor.arcs.iter().any(|arc| arc.count > 1) {
                self.breach("an inhibitor of several places counts the tokens of one of them");
            }
            if inhibitor.arcs.iter().any(|arc| !arc.each.is_empty() || arc.condition.is_some()) {
                self.breach("an arc of an inhibitor goes through members, or has a condition");
            }
            let mut known = bound.to_vec();
            let patterns = inhibitor.arcs.iter().flat_map(|arc| plain_variables(&arc.pattern));
            patterns.for_each(|var| known[var.index()] = true);
            let mut patterns: Vec<(PlaceId, usize, &[Option<Expr>])> = Vec::new();
            for arc in &inhibitor.arcs {
                self.check_pattern(arc.place, 0, &arc.pattern, &known, false);
                patterns.push((arc.place, 0, &arc.pattern));
            }
            let outer: Vec<Var> = (0..)
                .map(Var)
                .zip(bound)
                .filter(|(_, bound)| **bound)
                .map(|(var, _)| var)
                .collect();
            self.check_something(&patterns, &outer);
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
                self.breach("a thread that takes no part creates a child (Assumption 3.1)");
            }
            let Some(child) = spawn.child else { continue };
            if spawn.count != 1 {
                self.breach("several children share one name");
            }
            if t.variables[child.index()].kind != Kind::Pid || bound[child.index()] {
                self.breach("a child is named by a variable that is not free for it");
            }
            bound[child.index()] = true;
        }
        for (var, class) in &t.news {
            let variable = &t.variables[var.index()];
            if self.net.fresh.get(class.index()).is_none() {
                self.breach("it creates an object of a class that does not exist");
            } else if variable.kind != Kind::Object(*class) || bound[var.index()] {
                self.breach("an object is named by a variable that is not free for it");
            }
            bound[var.index()] = true;
        }
        for participant in &t.participants {
            if let Fate::Move { to, values } = &participant.fate {
                self.check_token(*to, values, &bound, "a thread moves to");
            }
        }
        for spawn in &t.spawns {
            match spawn.to {
                Some(to) => self.check_token(to, &spawn.values, &bound, "a child starts at"),
                None if !spawn.values.is_empty() => {
                    self.breach("a child that ends at once has no token, yet values for it");
                }
                None => {}
            }
        }
        for arc in &t.puts {
            if !arc.each.is_empty() {
                self.check_each(arc, &bound, true);
                continue;
            }
            if arc.pattern.iter().any(Option::is_none) {
                self.breach("a token is put of which a component is left open");
            }
            if self.net.places.get(arc.place.index()).is_some_and(|p| !p.is_flow()) {
                self.check_pattern(arc.place, 0, &arc.pattern, &bound, true);
            }
        }
    }

    fn check_token(&mut self, to: PlaceId, values: &[Expr], bound: &[bool], what: &str) {
        let net = self.net;
        if self.place(to, true, what).is_some() {
            let Place { name, columns, .. } = net.place(to);
            let columns = columns.get(1..).unwrap_or_default();
            if values.len() != columns.len() {
                let width = columns.len();
                self.breach(format!("a token of `{name}` has {width} components after its thread"));
            }
            for (expr, column) in values.iter().zip(columns) {
                let what = format!("a component of `{name}`");
                self.expect_optional(expr, column.sort.into(), column.optional, bound, &what);
            }
        }
    }

    /// Checks that `expr` is of a type, never nothing, and uses only variables that are known.
    fn expect(&mut self, expr: &Expr, kind: Kind, known: &[bool], what: &str) {
        self.expect_optional(expr, kind, false, known, what);
    }

    /// Checks that `expr` is of a type, perhaps nothing, and uses only variables that are known.
    fn expect_optional(
        &mut self,
        expr: &Expr,
        kind: Kind,
        optional: bool,
        known: &[bool],
        what: &str,
    ) {
        let mut unknown = None;
        expr.variables(&mut |var| {
            if !known[var.index()] {
                unknown = Some(var);
            }
        });
        if let Some(var) = unknown {
            let name = self.name(var).to_owned();
            self.breach(format!("{what} uses `{name}`, which nothing binds (Assumption 3.5)"));
        }
        let of = |var: Var| self.transition.variables[var.index()].kind;
        match super::kind(self.net, &of, expr) {
            None => self.breach(format!("{what} mixes pids, numbers, truth values or members")),
            Some(found) if found != kind => {
                self.breach(format!("{what} is {found:?} where {kind:?} is expected"));
            }
            Some(_) => {}
        }
        let may_be = |var: Var| self.transition.variables[var.index()].optional;
        match may_be_nothing(self.net, &may_be, expr) {
            None => self.breach(format!("{what} computes with what may be nothing")),
            Some(true) if !optional => self.breach(format!("{what} may be nothing")),
            Some(_) => {}
        }
    }
}
