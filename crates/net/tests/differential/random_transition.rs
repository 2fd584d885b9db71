//! Random transitions: every clause there is, over variables that are bound.

use net::{
    Arc, BinaryOp, Column, EnumId, Expr, Fate, Hold, Inhibitor, Kind, Literal, Net, Participant,
    PlaceId, PlaceKind, Sort, Spawn, Symmetry, Transition, UnaryOp, Var, Variable,
};
use random::Random;
use state::Relation;

use crate::random_groups::Source;
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
    let (classes, known, joins) = (classes(net), Vec::new(), false);
    let sources = Vec::new();
    let mut author =
        Author { net, classes, observed, random, transition, known, sources, joins, lively };
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

pub struct Author<'a> {
    pub net: &'a Net,
    classes: Vec<EnumId>,
    observed: &'a [Relation],
    pub random: &'a mut Random,
    pub transition: Transition,
    /// The variables bound so far, but for those of groups.
    pub known: Vec<(Var, Sort)>,
    /// The groups bound so far.
    pub sources: Vec<Source>,
    /// Whether patterns are often about what is known.
    joins: bool,
    /// The places that may hold a token, as far as the transitions before this one show.
    lively: Vec<PlaceId>,
}

fn lively(net: &Net) -> Vec<PlaceId> {
    let mut lively: Vec<PlaceId> = net.start.iter().map(|thread| thread.place).collect();
    lively.extend(net.tokens.iter().map(|token| token.place));
    for transition in &net.transitions {
        lively.extend(transition.spawns.iter().filter_map(|spawn| spawn.to));
        lively.extend(transition.puts.iter().map(|arc| arc.place));
        lively.extend(transition.participants.iter().filter_map(|p| match p.fate {
            Fate::Move { to, .. } => Some(to),
            Fate::Stay | Fate::End | Fate::Crash => None,
        }));
    }
    lively
}

impl Author<'_> {
    fn fresh(&mut self, sort: Sort) -> Var {
        self.bound(&Column::of(sort))
    }

    /// A new variable, bound by a column.
    fn bound(&mut self, column: &Column) -> Var {
        let var = Var(self.transition.variables.len() as u32);
        let letter = if column.sort == Sort::Pid { 't' } else { 'x' };
        let name = format!("{letter}{}", var.0);
        let variable = Variable::new(name, column.sort.into());
        self.transition.variables.push(Variable { optional: column.optional, ..variable });
        self.known.push((var, column.sort));
        var
    }

    /// A variable that is known, and always something.
    fn known(&mut self, kind: Kind) -> Option<(Var, Sort)> {
        self.known_or_nothing(kind, false)
    }

    /// A variable that is known; perhaps one that may be nothing, and only such a one.
    pub fn known_or_nothing(&mut self, kind: Kind, optional: bool) -> Option<(Var, Sort)> {
        let variables = &self.transition.variables;
        let known = self.known.iter().filter(|(var, sort)| {
            Kind::from(*sort) == kind && variables[var.index()].optional == optional
        });
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
        // What is only mentioned in a place that keeps nothing may own nothing any more.
        let is_weak = |place: &PlaceId| self.net.place(*place).hold == Hold::Weak;
        if !places.iter().all(is_weak) {
            places.retain(|place| !is_weak(place));
        }
        if self.random.percent(90) {
            let lively: Vec<PlaceId> =
                self.lively.iter().filter(|place| places.contains(place)).copied().collect();
            if !lively.is_empty() {
                places = lively;
            }
        }
        *self.random.pick(&places)
    }

    fn columns(&self, place: PlaceId, skip: usize) -> Vec<Column> {
        self.net.place(place).columns[skip..].to_vec()
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
            let groups = self.sources.len();
            let pattern = self.pattern_from(from, 1);
            self.choose_records(groups);
            let participant =
                Participant { thread, from, pattern, fate: Fate::Stay, passive: false };
            self.transition.participants.push(participant);
        }
        let takes = if has_threads { [68, 26, 6] } else { [6, 60, 34] };
        for _ in 0..self.random.weighted(&takes) {
            let groups = self.sources.len();
            let arc = self.input_from_ordinary();
            self.choose_records(groups);
            self.transition.takes.extend(arc);
        }
        for _ in 0..self.random.weighted(&[80, 16, 4]) {
            let groups = self.sources.len();
            let arc = if !has_threads || self.random.percent(50) {
                self.input_from_ordinary()
            } else {
                let place = self.source(PlaceKind::Flow);
                Some(Arc::new(place, self.pattern_from(place, 0), 1))
            };
            self.choose_records(groups);
            self.transition.reads.extend(arc);
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

    /// Nothing if the place is owned, and no owner is known.
    fn input_from_ordinary(&mut self) -> Option<Arc> {
        let place = self.source(PlaceKind::Ordinary);
        let count = 1 + self.random.weighted(&[92, 8]) as u32;
        Some(Arc::new(place, self.pattern_of(place)?, count))
    }

    /// A pattern of a place, in which the owner is known; nothing if there is none.
    fn pattern_of(&mut self, place: PlaceId) -> Option<Vec<Option<Expr>>> {
        let Hold::Owned(column) = self.net.place(place).hold else {
            return Some(self.pattern_from(place, 0));
        };
        let sort = self.net.place(place).columns[column].sort;
        let optional = self.random.percent(40);
        let owner = match self.known_or_nothing(sort.into(), optional) {
            Some((var, _)) => Expr::Var(var),
            None => Expr::Var(self.known_or_nothing(sort.into(), !optional)?.0),
        };
        if !self.net.place(place).groups.is_empty() {
            // The owner comes first.
            let others = self.pattern_from(place, 1);
            return Some(std::iter::once(Some(owner)).chain(others).collect());
        }
        let mut others = self.columns(place, 0);
        others.remove(column);
        let mut pattern = self.pattern(others);
        pattern.insert(column, Some(owner));
        Some(pattern)
    }

    pub fn pattern(&mut self, columns: Vec<Column>) -> Vec<Option<Expr>> {
        let weights = if self.joins { [10, 40, 44, 4, 2] } else { [15, 72, 7, 4, 2] };
        columns
            .into_iter()
            .map(|column| match self.random.weighted(&weights) {
                0 => None,
                1 => Some(Expr::Var(self.bound(&column))),
                2 => {
                    // What is bound by something else may be looked for where there may be nothing.
                    let optional = column.optional && self.random.percent(60);
                    let known = self.known_or_nothing(column.sort.into(), optional);
                    known.map(|(var, _)| Expr::Var(var))
                }
                3 if column.optional => Some(Expr::Literal(Literal::None(column.sort.into()))),
                3 => random_literal(self.net, column.sort, self.random).map(Expr::Literal),
                _ => self.value(column.sort).filter(|value| {
                    // What is always something cannot be bound by what may be nothing.
                    !column.optional || !matches!(value, Expr::Var(_))
                }),
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
        if !self.net.fresh.is_empty() && self.random.percent(40) {
            let condition = self.about_atoms();
            self.transition.guard.extend(condition);
        }
        for _ in 0..self.random.weighted(&[70, 25, 5]) {
            let condition = self.condition();
            self.transition.guard.extend(condition);
        }
        if !self.sources.is_empty() && self.random.percent(30) {
            let condition = self.is_contained(0);
            self.transition.guard.extend(condition);
        }
    }

    /// Whether something is nothing, or the same as something else.
    fn about_atoms(&mut self) -> Option<Expr> {
        if self.known.is_empty() {
            return None;
        }
        let (var, sort) = *self.random.pick(&self.known);
        let optional = self.random.percent(50);
        let other = match self.known_or_nothing(sort.into(), optional) {
            Some((other, _)) if self.random.percent(60) => Expr::Var(other),
            _ => Expr::Literal(Literal::None(sort.into())),
        };
        let op = if self.random.percent(50) { BinaryOp::Equal } else { BinaryOp::NotEqual };
        Some(Expr::binary(op, Expr::Var(var), other))
    }

    fn inhibitors(&mut self) {
        if !self.random.percent(22) {
            return;
        }
        let (before, groups) = (self.known.len(), self.sources.len());
        let mut inhibitor = Inhibitor::default();
        let has_threads = !self.net.start.is_empty();
        let more = if has_threads { self.random.weighted(&[65, 25, 10]) } else { 0 };
        for _ in 0..=more {
            let flow = self.random.percent(35);
            let place = if flow && has_threads { self.flow() } else { self.ordinary() };
            let known = self.known.len();
            self.joins = known > before;
            let Some(pattern) = self.pattern_of(place) else { continue };
            if self.net.place(place).hold == Hold::Weak {
                self.known.truncate(known);
            }
            inhibitor.arcs.push(Arc::new(place, pattern, 1));
        }
        if self.random.percent(50) {
            inhibitor.condition = self.condition();
        }
        if self.sources.len() > groups {
            inhibitor.condition = self.is_contained(groups);
        }
        self.known.truncate(before);
        self.sources.truncate(groups);
        self.joins = false;
        if let [arc] = &mut inhibitor.arcs[..] {
            arc.count = 1 + self.random.weighted(&[60, 30, 10]) as u32;
        }
        if !inhibitor.arcs.is_empty() {
            self.transition.inhibitors.push(inhibitor);
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
            let to = (!self.random.percent(15)).then(|| self.flow());
            self.transition.spawns.push(Spawn { parent, child, count, to, values: Vec::new() });
        }
        for i in 0..self.transition.spawns.len() {
            let Some(to) = self.transition.spawns[i].to else { continue };
            self.transition.spawns[i].values = self.values(to);
        }
    }

    fn fates(&mut self) {
        for i in 0..self.transition.participants.len() {
            let fate = match self.random.weighted(&[50, 22, 28]) {
                0 => {
                    let to = self.flow();
                    Fate::Move { to, values: self.values(to) }
                }
                1 => Fate::Stay,
                _ => Fate::End,
            };
            self.transition.participants[i].fate = fate;
        }
    }

    /// One value for each column but the thread; there is a pid, since a thread takes part.
    fn values(&mut self, place: PlaceId) -> Vec<Expr> {
        self.outputs_from(place, 1).expect("a thread takes part")
    }

    /// What is put into a column: perhaps nothing, perhaps an object that is created.
    pub fn output(&mut self, column: &Column) -> Option<Expr> {
        let kind = Kind::from(column.sort);
        if column.optional {
            if self.random.percent(25) {
                return Some(Expr::Literal(Literal::None(kind)));
            }
            if let Some((var, _)) = self.known_or_nothing(kind, true)
                && self.random.percent(50)
            {
                return Some(Expr::Var(var));
            }
        }
        match column.sort {
            Sort::Object(class) if self.random.percent(30) || self.known(kind).is_none() => {
                let var = self.fresh(column.sort);
                self.transition.news.push((var, class));
                Some(Expr::Var(var))
            }
            sort => self.value(sort),
        }
    }

    fn puts(&mut self) {
        for _ in 0..self.random.weighted(&[45, 45, 10]) {
            let place = self.ordinary();
            let values = self.outputs_from(place, 0);
            let count = 1 + self.random.weighted(&[90, 10]) as u32;
            if let Some(values) = values {
                let pattern = values.into_iter().map(Some).collect();
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
        for Column { sort, .. } in self.columns(place, 0) {
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
        // Nor may it be a fault to ask who owns the tokens.
        if let Hold::Owned(column) = self.net.place(place).hold
            && !matches!(arc.pattern[column], Some(Expr::Var(_)))
        {
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
        self.unknown_of(&Column::of(sort))
    }

    /// A variable for a column, which is not known.
    pub fn unknown_of(&mut self, column: &Column) -> Var {
        let var = self.bound(column);
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

    /// A value for a column of this sort; none for a pid or an object when none is known.
    pub fn value(&mut self, sort: Sort) -> Option<Expr> {
        if !self.net.fresh.is_empty()
            && self.random.percent(15)
            && let Some((var, _)) = self.known_or_nothing(sort.into(), true)
        {
            return Some(Expr::Unary(UnaryOp::Value, Expr::Var(var).into()));
        }
        let known = self.known(sort.into());
        match sort {
            Sort::Object(_) => known.map(|(var, _)| Expr::Var(var)),
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
