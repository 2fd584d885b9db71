//! Random transitions: every clause there is, over variables that are bound.

use net::{
    Arc, BinaryOp, EnumId, Expr, Fate, Kind, Literal, Net, Participant, PlaceId, PlaceKind, Sort,
    Spawn, Symmetry, Transition, UnaryOp, Var, Variable,
};
use random::Random;
use state::Relation;

use crate::random_net::{FUEL, classes, places_of, random_literal, random_sort};

/// A transition of `net`, of which only the places are looked at. Conditions use no other relations
/// than those `observed`.
pub fn random_transition(
    net: &Net,
    observed: &[Relation],
    number: usize,
    random: &mut Random,
) -> Transition {
    let transition = Transition { name: format!("t{number}"), ..Transition::default() };
    let lively = lively(net);
    let (classes, known) = (classes(net), Vec::new());
    let mut author = Author { net, classes, observed, random, transition, known, lively };
    author.inputs();
    author.definitions();
    author.inputs_for_each();
    author.conditions();
    author.inhibitors();
    author.spawns();
    author.fates();
    author.puts();
    author.fuel();
    author.transition
}

struct Author<'a> {
    net: &'a Net,
    classes: Vec<EnumId>,
    observed: &'a [Relation],
    random: &'a mut Random,
    transition: Transition,
    /// The variables bound so far.
    known: Vec<(Var, Sort)>,
    /// The places that may hold a token, as far as the transitions before this one show.
    lively: Vec<PlaceId>,
}

fn lively(net: &Net) -> Vec<PlaceId> {
    let mut lively: Vec<PlaceId> = net.start.iter().map(|thread| thread.place).collect();
    lively.extend(net.tokens.iter().map(|token| token.place));
    for transition in &net.transitions {
        lively.extend(transition.spawns.iter().map(|spawn| spawn.to));
        lively.extend(transition.puts.iter().map(|arc| arc.place));
        lively.extend(transition.participants.iter().filter_map(|p| match p.fate {
            Fate::Move { to, .. } => Some(to),
            Fate::Stay | Fate::End => None,
        }));
    }
    lively
}

impl Author<'_> {
    fn fresh(&mut self, sort: Sort) -> Var {
        let var = Var(self.transition.variables.len() as u32);
        let letter = if sort == Sort::Pid { 't' } else { 'x' };
        let name = format!("{letter}{}", var.0);
        self.transition.variables.push(Variable { name, kind: sort.into() });
        self.known.push((var, sort));
        var
    }

    fn known(&mut self, kind: Kind) -> Option<(Var, Sort)> {
        let known = self.known.iter().filter(|(_, sort)| Kind::from(*sort) == kind);
        let known: Vec<(Var, Sort)> = known.copied().collect();
        (!known.is_empty()).then(|| *self.random.pick(&known))
    }

    fn flow(&mut self) -> PlaceId {
        *self.random.pick(&places_of(self.net, PlaceKind::Flow))
    }

    fn ordinary(&mut self) -> PlaceId {
        *self.random.pick(&places_of(self.net, PlaceKind::Ordinary))
    }

    /// A place of this kind, most often a lively one.
    fn source(&mut self, kind: PlaceKind) -> PlaceId {
        let mut places = places_of(self.net, kind);
        if self.random.percent(90) {
            let lively: Vec<PlaceId> =
                self.lively.iter().filter(|place| places.contains(place)).copied().collect();
            if !lively.is_empty() {
                places = lively;
            }
        }
        *self.random.pick(&places)
    }

    fn sorts(&self, place: PlaceId, skip: usize) -> Vec<Sort> {
        self.net.place(place).columns[skip..].iter().map(|column| column.sort).collect()
    }

    fn inputs(&mut self) {
        if self.random.percent(12) {
            let sort = self.sort(0);
            self.parameter(sort);
        }
        let has_threads = !self.net.start.is_empty();
        let participants = self.random.weighted(&[6, 64, 26, 4]);
        for _ in 0..if has_threads { participants } else { 0 } {
            let from = self.source(PlaceKind::Flow);
            let thread = self.fresh(Sort::Pid);
            let pattern = self.pattern(self.sorts(from, 1));
            let participant = Participant { thread, from, pattern, fate: Fate::Stay };
            self.transition.participants.push(participant);
        }
        let takes = if has_threads { [68, 26, 6] } else { [6, 60, 34] };
        for _ in 0..self.random.weighted(&takes) {
            let arc = self.input_from_ordinary();
            self.transition.takes.push(arc);
        }
        for _ in 0..self.random.weighted(&[80, 16, 4]) {
            let arc = if !has_threads || self.random.percent(50) {
                self.input_from_ordinary()
            } else {
                let place = self.source(PlaceKind::Flow);
                Arc::new(place, self.pattern(self.sorts(place, 0)), 1)
            };
            self.transition.reads.push(arc);
        }
    }

    /// A sort, a class more often than not if there are some.
    fn sort(&mut self, pids: u32) -> Sort {
        match self.classes.is_empty() || self.random.percent(40) {
            true => random_sort(pids, self.random),
            false => Sort::Enum(*self.random.pick(&self.classes)),
        }
    }

    fn parameter(&mut self, sort: Sort) -> Var {
        let var = self.fresh(sort);
        self.transition.parameters.push((var, sort));
        var
    }

    fn input_from_ordinary(&mut self) -> Arc {
        let place = self.source(PlaceKind::Ordinary);
        let count = 1 + self.random.weighted(&[92, 8]) as u32;
        Arc::new(place, self.pattern(self.sorts(place, 0)), count)
    }

    fn pattern(&mut self, sorts: Vec<Sort>) -> Vec<Option<Expr>> {
        sorts
            .into_iter()
            .map(|sort| match self.random.weighted(&[15, 72, 7, 4, 2]) {
                0 => None,
                1 => Some(Expr::Var(self.fresh(sort))),
                2 => self.known(sort.into()).map(|(var, _)| Expr::Var(var)),
                3 => random_literal(self.net, sort, self.random).map(Expr::Literal),
                _ => self.value(sort),
            })
            .collect()
    }

    fn definitions(&mut self) {
        for _ in 0..self.random.weighted(&[75, 20, 5]) {
            let sort = self.sort(35);
            let expr = match sort {
                Sort::Int { .. } => self.number(),
                Sort::Pid => self.one_of_two_pids(),
                _ => self.value(sort),
            };
            if let Some(expr) = expr {
                // Nothing is known of the range of a number that is computed.
                let sort =
                    if let Sort::Int { .. } = sort { Sort::Int { min: 0, max: 0 } } else { sort };
                let var = self.fresh(sort);
                self.transition.definitions.push((var, expr));
            }
        }
    }

    fn one_of_two_pids(&mut self) -> Option<Expr> {
        let (a, _) = self.known(Kind::Pid)?;
        let (b, _) = self.known(Kind::Pid)?;
        let condition = self.condition()?;
        Some(Expr::If(condition.into(), Expr::Var(a).into(), Expr::Var(b).into()))
    }

    fn conditions(&mut self) {
        let pids = self.known.iter().filter(|(_, sort)| *sort == Sort::Pid).count();
        if pids > 1 && !self.observed.is_empty() && self.random.percent(40) {
            let related = self.relation();
            self.transition.guard.extend(related);
        }
        for _ in 0..self.random.weighted(&[70, 25, 5]) {
            let condition = self.condition();
            self.transition.guard.extend(condition);
        }
    }

    fn inhibitors(&mut self) {
        if self.random.percent(18) {
            let flow = self.random.percent(35);
            let has_threads = !self.net.start.is_empty();
            let place = if flow && has_threads { self.flow() } else { self.ordinary() };
            let before = self.known.len();
            let pattern = self.pattern(self.sorts(place, 0));
            let condition = if self.random.percent(50) { self.condition() } else { None };
            self.known.truncate(before);
            let count = 1 + self.random.weighted(&[60, 30, 10]) as u32;
            let arc = Arc { condition, ..Arc::new(place, pattern, count) };
            self.transition.inhibitors.push(arc);
        }
    }

    fn spawns(&mut self) {
        let parents: Vec<Var> = self.transition.participants.iter().map(|p| p.thread).collect();
        if parents.is_empty() {
            return;
        }
        for _ in 0..self.random.weighted(&[48, 34, 14, 4]) {
            let parent = *self.random.pick(&parents);
            let count = 1 + self.random.weighted(&[80, 20]) as u32;
            let child = (count == 1 && self.random.percent(60)).then(|| self.fresh(Sort::Pid));
            let to = self.flow();
            self.transition.spawns.push(Spawn { parent, child, count, to, values: Vec::new() });
        }
        for i in 0..self.transition.spawns.len() {
            let to = self.transition.spawns[i].to;
            self.transition.spawns[i].values = self.values(self.sorts(to, 1));
        }
    }

    fn fates(&mut self) {
        for i in 0..self.transition.participants.len() {
            let fate = match self.random.weighted(&[50, 22, 28]) {
                0 => {
                    let to = self.flow();
                    Fate::Move { to, values: self.values(self.sorts(to, 1)) }
                }
                1 => Fate::Stay,
                _ => Fate::End,
            };
            self.transition.participants[i].fate = fate;
        }
    }

    /// One value for each sort; there is a pid, since a thread takes part.
    fn values(&mut self, sorts: Vec<Sort>) -> Vec<Expr> {
        sorts.into_iter().map(|sort| self.value(sort).expect("a thread takes part")).collect()
    }

    fn puts(&mut self) {
        for _ in 0..self.random.weighted(&[45, 45, 10]) {
            let place = self.ordinary();
            let sorts = self.sorts(place, 0);
            let pattern: Vec<Option<Expr>> = sorts.into_iter().map(|s| self.value(s)).collect();
            let count = 1 + self.random.weighted(&[90, 10]) as u32;
            if pattern.iter().all(Option::is_some) {
                self.transition.puts.push(Arc::new(place, pattern, count));
            }
        }
        if self.random.percent(if self.classes.is_empty() { 3 } else { 20 }) {
            let place = self.ordinary();
            let arc = self.arc_for_each(place);
            self.transition.puts.extend(arc);
        }
    }

    /// Arcs for each member that take or read. They bind nothing.
    fn inputs_for_each(&mut self) {
        let percent = if self.classes.is_empty() { 2 } else { 16 };
        if self.random.percent(percent) {
            let place = self.source(PlaceKind::Ordinary);
            let arc = self.arc_for_each(place);
            self.transition.takes.extend(arc);
        }
        if self.random.percent(percent) {
            let has_threads = !self.net.start.is_empty();
            let flow = has_threads && self.random.percent(20);
            let kind = if flow { PlaceKind::Flow } else { PlaceKind::Ordinary };
            let place = self.source(kind);
            let arc = self.arc_for_each(place);
            self.transition.reads.extend(arc);
        }
    }

    /// An arc that goes through members; none where there is nothing to go through, or not enough known.
    fn arc_for_each(&mut self, place: PlaceId) -> Option<Arc> {
        let mut arc = Arc::new(place, Vec::new(), 1 + self.random.weighted(&[92, 8]) as u32);
        let mut ids: Vec<EnumId> = Vec::new();
        for sort in self.sorts(place, 0) {
            let expr = match sort {
                Sort::Enum(id) if self.random.percent(65) => {
                    let before = ids.iter().position(|&other| other == id);
                    let var = match before {
                        Some(at) if self.random.percent(40) => arc.each[at],
                        _ => {
                            let var = self.unknown(sort);
                            arc.each.push(var);
                            ids.push(id);
                            var
                        }
                    };
                    let class = &self.net.enumerations[id.index()];
                    let shifts = class.symmetry == Symmetry::Rotations && self.random.percent(20);
                    match shifts {
                        true => Expr::Shift(Expr::Var(var).into(), id, 1),
                        false => Expr::Var(var),
                    }
                }
                _ => self.value(sort)?,
            };
            arc.pattern.push(Some(expr));
        }
        if arc.each.is_empty() {
            return None;
        }
        if self.random.percent(8) {
            // Each token is there once for each of these.
            let var = self.unknown(Sort::Enum(EnumId(1)));
            arc.each.push(var);
        }
        if self.random.percent(50) {
            arc.condition = self.condition_on(arc.each[0], ids[0]);
        }
        Some(arc)
    }

    /// A variable that only an arc knows.
    fn unknown(&mut self, sort: Sort) -> Var {
        let var = self.fresh(sort);
        self.known.pop();
        var
    }

    /// Something about a member that is true or false.
    fn condition_on(&mut self, var: Var, id: EnumId) -> Option<Expr> {
        let class = &self.net.enumerations[id.index()];
        let this = Expr::Var(var);
        if !class.parts.is_empty() && self.random.percent(60) {
            let part = self.random.below(class.parts.len()) as u32;
            return Some(Expr::Within(this.into(), id, part));
        }
        let other = self.value(Sort::Enum(id))?;
        let ops = match class.symmetry {
            Symmetry::None => [BinaryOp::Less, BinaryOp::GreaterEqual, BinaryOp::LessEqual],
            _ => [BinaryOp::Equal, BinaryOp::NotEqual, BinaryOp::NotEqual],
        };
        Some(Expr::binary(*self.random.pick(&ops), this, other))
    }

    /// Lets what grows burn fuel, and what shrinks give some back.
    fn fuel(&mut self) {
        let t = &self.transition;
        let born: u32 = t.spawns.iter().map(|spawn| spawn.count).sum();
        let members = |var: &Var| match t.variables[var.index()].kind {
            Kind::Enum(id) => self.net.enumerations[id.index()].members.len() as u32,
            _ => 1,
        };
        let size = |arc: &Arc| arc.count * arc.each.iter().map(members).product::<u32>();
        let tokens = |arcs: &[Arc]| arcs.iter().map(size).sum::<u32>();
        let ended = t.participants.iter().filter(|p| p.fate == Fate::End).count() as u32;
        let growth = born + tokens(&t.puts).saturating_sub(tokens(&t.takes));
        let arc = |count| Arc::new(FUEL, Vec::new(), count);
        if growth > ended && self.random.percent(90) {
            self.transition.takes.push(arc(growth - ended));
        } else if ended > growth && self.random.percent(40) {
            self.transition.puts.push(arc(ended - growth));
        }
    }

    /// A value for a column of this sort; none for a pid when none is known.
    fn value(&mut self, sort: Sort) -> Option<Expr> {
        let known = self.known(sort.into());
        match sort {
            Sort::Pid => {
                if self.random.percent(10)
                    && let Some(expr) = self.one_of_two_pids()
                {
                    return Some(expr);
                }
                known.map(|(var, _)| Expr::Var(var))
            }
            Sort::Int { min, max } => {
                if let Some((var, of)) = known
                    && self.random.percent(70)
                {
                    return Some(self.number_within(var, of == sort, min, max));
                }
                random_literal(self.net, sort, self.random).map(Expr::Literal)
            }
            Sort::Enum(id) => Some(self.member(id, known)),
            Sort::Bool => {
                if self.random.percent(35)
                    && let Some(condition) = self.condition()
                {
                    return Some(condition);
                }
                match known {
                    Some((var, _)) if self.random.percent(60) => Some(Expr::Var(var)),
                    _ => random_literal(self.net, sort, self.random).map(Expr::Literal),
                }
            }
        }
    }

    /// A member: one that is known, one near it, one that may be named, or any.
    fn member(&mut self, id: EnumId, known: Option<(Var, Sort)>) -> Expr {
        let symmetry = self.net.enumerations[id.index()].symmetry;
        if let Some((var, _)) = known
            && self.random.percent(if symmetry == Symmetry::None { 60 } else { 90 })
        {
            let var = Expr::Var(var);
            let shifts = match symmetry {
                Symmetry::None => {
                    self.random.percent(if self.classes.is_empty() { 15 } else { 40 })
                }
                Symmetry::Rotations => self.random.percent(40),
                Symmetry::Full => false,
            };
            return match (shifts, self.random.percent(60)) {
                (false, _) => var,
                (true, true) => Expr::Shift(var.into(), id, 1),
                (true, false) => Expr::Shift(var.into(), id, -1),
            };
        }
        match random_literal(self.net, Sort::Enum(id), self.random) {
            Some(literal) => Expr::Literal(literal),
            None => Expr::Var(self.parameter(Sort::Enum(id))),
        }
    }

    /// `var`, or a number made of it; nearly always one that is in the range.
    fn number_within(&mut self, var: Var, fits: bool, min: i64, max: i64) -> Expr {
        let by = |op, a, b| Expr::binary(op, a, Expr::int(b));
        let wrapped = |number| {
            let offset = by(BinaryOp::Subtract, number, min);
            by(BinaryOp::Add, by(BinaryOp::Remainder, offset, max - min + 1), min)
        };
        match self.random.weighted(&[25, 35, 20, 20]) {
            0 if fits => Expr::Var(var),
            1 => wrapped(by(BinaryOp::Add, Expr::Var(var), 1)),
            2 => {
                let below = by(BinaryOp::Less, Expr::Var(var), max);
                let next = wrapped(by(BinaryOp::Add, Expr::Var(var), 1));
                Expr::If(below.into(), next.into(), Expr::int(max).into())
            }
            3 => by(BinaryOp::Add, Expr::Var(var), 1),
            _ => wrapped(Expr::Var(var)),
        }
    }

    /// A number of any size; now and then a quotient, which may fault.
    fn number(&mut self) -> Option<Expr> {
        let (a, _) = self.known(Kind::Int)?;
        let (b, _) = self.known(Kind::Int)?;
        let ops = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::Divide];
        let op = ops[self.random.weighted(&[35, 25, 20, 20])];
        let b = if self.random.percent(60) { Expr::int(2) } else { Expr::Var(b) };
        let sum = Expr::binary(op, Expr::Var(a), b);
        Some(if self.random.percent(10) { Expr::Unary(UnaryOp::Negate, sum.into()) } else { sum })
    }

    fn relation(&mut self) -> Option<Expr> {
        let relation = *self.random.pick(self.observed);
        let (a, _) = self.known(Kind::Pid)?;
        let (b, _) = self.known(Kind::Pid)?;
        let related = Expr::Relation(relation, a, b);
        // A thread is in no relation to itself.
        let refused = a == b || self.random.percent(30);
        Some(if refused { Expr::Unary(UnaryOp::Not, related.into()) } else { related })
    }

    /// Something that is true or false.
    fn condition(&mut self) -> Option<Expr> {
        let of_members = if self.classes.is_empty() { 10 } else { 50 };
        match self.random.weighted(&[25, 25, 25, of_members, 15]) {
            0 if !self.observed.is_empty() => self.relation(),
            0 | 1 => {
                let (a, _) = self.known(Kind::Pid)?;
                let (b, _) = self.known(Kind::Pid)?;
                let op = if self.random.percent(30) { BinaryOp::Equal } else { BinaryOp::NotEqual };
                Some(Expr::binary(op, Expr::Var(a), Expr::Var(b)))
            }
            2 => {
                let (var, sort) = self.known(Kind::Int)?;
                let ops = [
                    BinaryOp::Less,
                    BinaryOp::LessEqual,
                    BinaryOp::Greater,
                    BinaryOp::GreaterEqual,
                    BinaryOp::Equal,
                    BinaryOp::NotEqual,
                ];
                let op = *self.random.pick(&ops);
                let limit = match self.random.below(4) {
                    0 => self.number()?,
                    _ => Expr::Literal(random_literal(self.net, sort, self.random)?),
                };
                // A division that a condition before it keeps from faulting, or does not.
                if self.random.percent(20) {
                    let quotient = Expr::binary(BinaryOp::Divide, Expr::int(2), Expr::Var(var));
                    let large = Expr::binary(op, quotient, limit);
                    let safe = Expr::binary(BinaryOp::NotEqual, Expr::Var(var), Expr::int(0));
                    let connective =
                        if self.random.percent(70) { BinaryOp::And } else { BinaryOp::Or };
                    return Some(Expr::binary(connective, safe, large));
                }
                Some(Expr::binary(op, Expr::Var(var), limit))
            }
            3 => {
                let sort = self.sort(0);
                let (var, _) = self.known(sort.into())?;
                if let Sort::Enum(id) = sort {
                    return self.condition_on(var, id);
                }
                let literal: Literal = random_literal(self.net, sort, self.random)?;
                Some(Expr::binary(BinaryOp::NotEqual, Expr::Var(var), Expr::Literal(literal)))
            }
            _ => {
                let (a, b) = (self.condition()?, self.condition()?);
                let ops = [BinaryOp::Or, BinaryOp::And, BinaryOp::Implies];
                Some(Expr::binary(*self.random.pick(&ops), a, b))
            }
        }
    }
}
