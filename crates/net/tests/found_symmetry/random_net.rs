//! Random nets with classes of which nothing is declared.
//!
//! Each class has a hidden partition. What a net says of members mostly treats those of a hidden part alike:
//! disjunctions, sums of constants and lists of initial tokens go through all of one. Now and then a
//! literal is thrown in, or an order or a successor is used.

use std::sync::Arc as Shared;

use net::{
    Arc, BinaryOp, Column, EnumId, Enumeration, Expr, Fate, Inhibitor, InitialToken, InitialValue,
    Kind, Literal, Net, Part, Participant, Place, PlaceId, PlaceKind, Sort, StartThread,
    Transition, UnaryOp, Var, Variable,
};
use random::Random;

/// The most arcs: the plain interpreter tries all combinations of their tokens.
const MOST_INPUTS: usize = 4;

const NEXT: usize = 2;

/// What is used of a class besides equality.
#[derive(Clone, Copy, PartialEq)]
enum Flavour {
    Plain,
    Successors,
    Order,
}

struct Class {
    flavour: Flavour,
    /// The hidden parts.
    parts: Vec<Vec<u32>>,
}

pub fn random_net(seed: u64) -> Net {
    let random = &mut Random::new(seed);
    let mut net = Net { name: format!("random_{seed}"), ..Net::default() };
    let mut classes = Vec::new();
    for c in 0..1 + random.weighted(&[50, 50]) {
        let size = 2 + random.weighted(if c == 0 { &[20, 50, 30] } else { &[60, 40] }) as u32;
        let members = (0..size).map(|m| Shared::from(format!("c{c}m{m}"))).collect();
        let flavour = match random.weighted(&[60, 28, 12]) {
            0 => Flavour::Plain,
            1 => Flavour::Successors,
            _ => Flavour::Order,
        };
        let round = random.percent(if flavour == Flavour::Successors { 88 } else { 60 });
        let cut = random.below(size as usize) as u32;
        let parts = [("front", cut), ("back", size - cut)];
        let part = |(name, size): &(&str, u32)| Part { name: format!("c{c}{name}"), size: *size };
        let parts =
            if cut > 0 && random.percent(25) { parts.iter().map(part).collect() } else { vec![] };
        let name = format!("C{c}");
        net.enumerations.push(Enumeration {
            name,
            members,
            round,
            parts,
            ..Enumeration::default()
        });
        let mut members: Vec<u32> = (0..size).collect();
        random.shuffle(&mut members);
        let mut parts: Vec<Vec<u32>> = match flavour {
            Flavour::Successors => vec![Vec::new()],
            _ => vec![Vec::new(); 1 + random.weighted(&[55, 35, 10])],
        };
        let count = parts.len();
        members.iter().for_each(|member| parts[random.below(count)].push(*member));
        parts.retain(|part| !part.is_empty());
        classes.push(Class { flavour, parts });
    }
    for p in 0..2 + random.below(2) {
        let width = random.weighted(&[10, 55, 35]);
        let columns = (0..width).map(|_| Column::of(sort(&classes, random)));
        let (name, kind) = (format!("p{p}"), PlaceKind::Ordinary);
        net.places.push(Place::new(name, kind, columns.collect()));
    }
    if random.percent(if classes[0].flavour == Flavour::Successors { 5 } else { 20 }) {
        let sorts = [Sort::Pid, Sort::Enum(EnumId(0))];
        let columns = sorts.into_iter().map(Column::of).collect();
        net.places.push(Place::new("flow", PlaceKind::Flow, columns));
        let value = InitialValue::Data(Literal::Enum(EnumId(0), 0));
        let place = PlaceId(net.places.len() as u32 - 1);
        net.start.push(StartThread { place, values: vec![value] });
    }
    let mut author = Author { net, classes, random, transition: Transition::default() };
    author.marking();
    for number in 0..1 + author.random.below(3) {
        author.transition(number);
    }
    author.net
}

fn sort(classes: &[Class], random: &mut Random) -> Sort {
    match random.weighted(&[85, 8, 7]) {
        0 => Sort::Enum(EnumId(random.below(classes.len()) as u32)),
        1 => Sort::Int { min: 0, max: 1 },
        _ => Sort::Bool,
    }
}

struct Author<'a> {
    net: Net,
    classes: Vec<Class>,
    random: &'a mut Random,
    transition: Transition,
}

/// A component of a token before it is known which tokens are listed.
#[derive(Clone, Copy)]
enum Slot {
    Expr(usize),
    /// A member of a hidden part of a class, by a number: different numbers are different members. The
    /// number `NEXT` is for the one after that of another slot.
    Of(EnumId, usize, usize),
}

impl Author<'_> {
    fn size(&self, id: EnumId) -> u32 {
        self.net.enumerations[id.index()].members.len() as u32
    }

    fn place(&mut self) -> PlaceId {
        let places = (0..).map(PlaceId).zip(&self.net.places).filter(|(_, place)| !place.is_flow());
        let places: Vec<PlaceId> = places.map(|(id, _)| id).collect();
        *self.random.pick(&places)
    }

    fn any_member(&mut self, id: EnumId) -> u32 {
        let size = self.size(id);
        self.random.below(size as usize) as u32
    }

    /// Whether literals are thrown in, rarely where rotations would be lost.
    fn is_named(&mut self, id: EnumId, percent: u32) -> bool {
        let turns = self.classes[id.index()].flavour == Flavour::Successors;
        self.random.percent(if turns { percent / 8 } else { percent })
    }

    fn literal(&mut self, sort: Sort) -> Literal {
        match sort {
            Sort::Int { min, max } => {
                Literal::Int(min + self.random.below((max - min + 1) as usize) as i64)
            }
            Sort::Bool => Literal::Bool(self.random.percent(50)),
            Sort::Enum(id) => Literal::Enum(id, self.any_member(id)),
            Sort::Pid | Sort::Object(_) => unreachable!("no literal is asked for"),
        }
    }

    /// All ways to fill slots with members, different numbers of one part being different members.
    fn fillings(&self, slots: &[Slot]) -> Vec<Vec<Option<u32>>> {
        let mut found: Vec<Vec<Option<u32>>> = vec![Vec::new()];
        for (i, slot) in slots.iter().enumerate() {
            let Slot::Of(id, part, number) = *slot else {
                found.iter_mut().for_each(|filling| filling.push(None));
                continue;
            };
            let mut next = Vec::new();
            for filling in &found {
                for member in &self.classes[id.index()].parts[part] {
                    let fits = slots[..i].iter().zip(filling).all(|(other, with)| match *other {
                        Slot::Of(of, ..) if of == id && number == NEXT => {
                            with.map(|before| (before + 1) % self.size(id)) == Some(*member)
                        }
                        Slot::Of(of, in_part, as_number) if (of, in_part) == (id, part) => {
                            (as_number == number) == (*with == Some(*member))
                        }
                        _ => true,
                    });
                    if fits {
                        next.push([&filling[..], &[Some(*member)]].concat());
                    }
                }
            }
            found = next;
        }
        found
    }

    fn slot_of(&mut self, id: EnumId) -> Slot {
        let parts = self.classes[id.index()].parts.len();
        let nexts = if self.classes[id.index()].flavour == Flavour::Successors { 60 } else { 0 };
        Slot::Of(id, self.random.below(parts), self.random.weighted(&[70, 30, nexts]))
    }

    fn marking(&mut self) {
        for _ in 0..2 + self.random.below(2) {
            let place = self.place();
            let columns = self.net.place(place).columns.clone();
            let count = 1 + self.random.weighted(&[75, 25]) as u32;
            if self.random.percent(35) {
                self.for_each(place, &columns, count);
                continue;
            }
            let mut values = Vec::new();
            let mut slots = Vec::new();
            for column in &columns {
                match column.sort {
                    Sort::Enum(id) if !self.is_named(id, 12) => slots.push(self.slot_of(id)),
                    sort => {
                        values.push(self.literal(sort));
                        slots.push(Slot::Expr(values.len() - 1));
                    }
                }
            }
            let mut fillings = self.fillings(&slots);
            self.random.shuffle(&mut fillings);
            if self.random.percent(8) {
                fillings.pop();
            }
            for filling in fillings {
                let token =
                    slots.iter().zip(&filling).map(|(slot, member)| match (*slot, member) {
                        (Slot::Of(id, ..), Some(member)) => Literal::Enum(id, *member),
                        (Slot::Expr(index), _) => values[index],
                        _ => unreachable!("slots are filled"),
                    });
                let token: Vec<_> = token.map(InitialValue::Data).collect();
                // Now and then the copies are listed one by one.
                let split = count == 2 && self.random.percent(50);
                for _ in 0..if split { 2 } else { 1 } {
                    let count = if split { 1 } else { count };
                    self.net.tokens.push(InitialToken::new(place, token.clone(), count));
                }
            }
        }
    }

    fn for_each(&mut self, place: PlaceId, columns: &[Column], count: u32) {
        let mut token = InitialToken::new(place, Vec::new(), count);
        for column in columns {
            let value = match column.sort {
                Sort::Enum(id) if !self.is_named(id, 10) => {
                    token.each.push(id);
                    InitialValue::Each(token.each.len() - 1)
                }
                sort => InitialValue::Data(self.literal(sort)),
            };
            token.values.push(value);
        }
        if let [a, ..] = token.each[..]
            && self.random.percent(30)
        {
            let known: Vec<_> =
                token.each.iter().enumerate().map(|(i, id)| (Var(i as u32), *id)).collect();
            token.condition = Some(self.about(Var(0), a, &known));
        }
        self.net.tokens.push(token);
    }

    fn fresh(&mut self, kind: Kind) -> Var {
        let var = Var(self.transition.variables.len() as u32);
        self.transition.variables.push(Variable::new(format!("x{}", var.0), kind));
        var
    }

    fn transition(&mut self, number: usize) {
        self.transition = Transition { name: format!("t{number}"), ..Transition::default() };
        let mut known: Vec<(Var, EnumId)> = Vec::new();
        if let Some(flow) = self.net.places.iter().position(|place| place.is_flow())
            && self.random.percent(60)
        {
            let (thread, id) = (self.fresh(Kind::Pid), EnumId(0));
            let var = self.fresh(Kind::Enum(id));
            known.push((var, id));
            let from = PlaceId(flow as u32);
            let then = match self.is_named(id, 25) {
                false => Expr::Var(var),
                true => Expr::Literal(self.literal(Sort::Enum(id))),
            };
            let fate = Fate::Move { to: from, values: vec![then] };
            let pattern = vec![Some(Expr::Var(var))];
            self.transition.participants.push(Participant {
                thread,
                from,
                pattern,
                fate,
                passive: false,
            });
        }
        if self.random.percent(30) {
            let id = EnumId(self.random.below(self.classes.len()) as u32);
            let var = self.fresh(Kind::Enum(id));
            self.transition.parameters.push((var, Sort::Enum(id)));
            known.push((var, id));
        }
        for _ in 0..1 + self.random.weighted(&[65, 35]) {
            let before = (known.clone(), self.transition.clone());
            let arcs = self.arcs(&mut known, true);
            let inputs = self.transition.takes.len() + self.transition.reads.len() + arcs.len();
            if inputs > MOST_INPUTS {
                (known, self.transition) = before;
                continue;
            }
            match self.random.percent(80) {
                true => self.transition.takes.extend(arcs),
                false => self.transition.reads.extend(arcs),
            }
        }
        let named = known.last().copied().filter(|(_, id)| self.is_named(*id, 12));
        if let Some((var, id)) = named {
            let defined = self.fresh(Kind::Enum(id));
            let condition = self.about(var, id, &known);
            let other = Expr::Literal(self.literal(Sort::Enum(id)));
            let expr = Expr::If(condition.into(), Expr::Var(var).into(), other.into());
            self.transition.definitions.push((defined, expr));
            known.push((defined, id));
        }
        for _ in 0..self.random.weighted(&[25, 45, 30]) {
            if !known.is_empty() {
                let condition = self.condition(&known);
                self.transition.guard.push(condition);
            }
        }
        if self.random.percent(25) {
            self.inhibitors(&mut known);
        }
        for _ in 0..1 + self.random.weighted(&[50, 50]) {
            let arcs = self.arcs(&mut known, false);
            self.transition.puts.extend(arcs);
        }
        let transition = std::mem::take(&mut self.transition);
        self.net.transitions.push(transition);
    }

    /// Arcs: one token, a sum over a hidden part, or a token for each member.
    fn arcs(&mut self, known: &mut Vec<(Var, EnumId)>, binds: bool) -> Vec<Arc> {
        let place = self.place();
        let columns = self.net.place(place).columns.clone();
        let count = 1 + self.random.weighted(&[85, 15]) as u32;
        let goes_through = self.random.percent(20);
        let mut each: Vec<(Var, EnumId)> = Vec::new();
        let mut exprs: Vec<Option<Expr>> = Vec::new();
        let mut slots = Vec::new();
        for column in &columns {
            let expr = match column.sort {
                Sort::Enum(id) => match self.random.weighted(&[55, 30, 8]) {
                    _ if self.is_named(id, 8) => Some(Expr::Literal(self.literal(column.sort))),
                    1 if !goes_through => {
                        slots.push(self.slot_of(id));
                        continue;
                    }
                    2 if binds && !goes_through => None,
                    _ if goes_through && self.random.percent(70) => {
                        let var = self.fresh(Kind::Enum(id));
                        each.push((var, id));
                        Some(Expr::Var(var))
                    }
                    _ => Some(self.member(id, known, binds && !goes_through)),
                },
                sort => Some(Expr::Literal(self.literal(sort))),
            };
            exprs.push(expr);
            slots.push(Slot::Expr(exprs.len() - 1));
        }
        let condition =
            each.first().copied().filter(|_| self.random.percent(60)).map(|(var, id)| {
                let known = [&known[..], &each[..]].concat();
                self.about(var, id, &known)
            });
        let each: Vec<Var> = each.into_iter().map(|(var, _)| var).collect();
        let mut fillings = self.fillings(&slots);
        fillings.truncate(4);
        self.random.shuffle(&mut fillings);
        let mut arcs = Vec::new();
        for filling in fillings {
            let pattern = slots.iter().zip(&filling).map(|(slot, member)| match (*slot, member) {
                (Slot::Of(id, ..), Some(member)) => Some(Expr::Literal(Literal::Enum(id, *member))),
                (Slot::Expr(index), _) => exprs[index].clone(),
                _ => unreachable!("slots are filled"),
            });
            let pattern: Vec<_> = pattern.collect();
            let split = count == 2 && self.random.percent(50);
            for _ in 0..if split { 2 } else { 1 } {
                let count = if split { 1 } else { count };
                let (pattern, each, condition) = (pattern.clone(), each.clone(), condition.clone());
                arcs.push(Arc { place, pattern, count, each, condition });
            }
        }
        // Each has its own variables.
        if !each.is_empty() {
            arcs.truncate(1);
        }
        arcs
    }

    /// A member that is known, or one that is bound by this.
    fn member(&mut self, id: EnumId, known: &mut Vec<(Var, EnumId)>, binds: bool) -> Expr {
        let of_class: Vec<Var> =
            known.iter().filter(|(_, of)| *of == id).map(|(var, _)| *var).collect();
        if binds && (of_class.is_empty() || self.random.percent(50)) {
            let var = self.fresh(Kind::Enum(id));
            known.push((var, id));
            return Expr::Var(var);
        }
        if of_class.is_empty() {
            let var = self.fresh(Kind::Enum(id));
            self.transition.parameters.push((var, Sort::Enum(id)));
            known.push((var, id));
            return Expr::Var(var);
        }
        let var = Expr::Var(*self.random.pick(&of_class));
        match self.classes[id.index()].flavour {
            Flavour::Successors if self.random.percent(50) => {
                Expr::Shift(var.into(), id, *self.random.pick(&[1, -1, 2, 4]))
            }
            _ => var,
        }
    }

    fn inhibitors(&mut self, known: &mut Vec<(Var, EnumId)>) {
        let place = self.place();
        let columns = self.net.place(place).columns.clone();
        let count = 1 + self.random.weighted(&[70, 30]) as u32;
        let mut own: Vec<(Var, EnumId)> = Vec::new();
        let mut exprs = Vec::new();
        let mut slots = Vec::new();
        for column in &columns {
            let expr = match column.sort {
                Sort::Enum(id) => match self.random.weighted(&[40, 25, 20, 15]) {
                    0 => {
                        slots.push(self.slot_of(id));
                        continue;
                    }
                    1 => {
                        let var = self.fresh(Kind::Enum(id));
                        own.push((var, id));
                        Some(Expr::Var(var))
                    }
                    2 => None,
                    _ => Some(self.member(id, known, false)),
                },
                sort => Some(Expr::Literal(self.literal(sort))),
            };
            exprs.push(expr);
            slots.push(Slot::Expr(exprs.len() - 1));
        }
        let condition =
            own.first().copied().filter(|_| self.random.percent(50)).map(|(var, id)| {
                let known = [&known[..], &own[..]].concat();
                self.about(var, id, &known)
            });
        for filling in self.fillings(&slots) {
            // Variables of its own have the same names in each of them, which makes no difference.
            let pattern = slots.iter().zip(&filling).map(|(slot, member)| match (*slot, member) {
                (Slot::Of(id, ..), Some(member)) => Some(Expr::Literal(Literal::Enum(id, *member))),
                (Slot::Expr(index), _) => exprs[index].clone(),
                _ => unreachable!("slots are filled"),
            });
            let (pattern, condition) = (pattern.collect(), condition.clone());
            let arcs = vec![Arc::new(place, pattern, count)];
            self.transition.inhibitors.push(Inhibitor { arcs, condition });
        }
    }

    fn condition(&mut self, known: &[(Var, EnumId)]) -> Expr {
        let (var, id) = *self.random.pick(known);
        match self.random.weighted(&[70, 24, 6]) {
            0 => self.about(var, id, known),
            1 => {
                let (a, b) = (self.condition(known), self.condition(known));
                let ops = [BinaryOp::And, BinaryOp::Or, BinaryOp::Implies, BinaryOp::Equal];
                Expr::binary(*self.random.pick(&ops), a, b)
            }
            _ if !self.is_named(id, 100) => self.about(var, id, known),
            _ => {
                // Two members by turns.
                let (other, _) =
                    *known.iter().rev().find(|(_, of)| *of == id).expect("it is known itself");
                let (a, b) = (self.any_member(id), self.any_member(id));
                let is = |var: Var, member: u32| {
                    let literal = Expr::Literal(Literal::Enum(id, member));
                    Expr::binary(BinaryOp::Equal, Expr::Var(var), literal)
                };
                let both = |a, b| Expr::binary(BinaryOp::And, is(var, a), is(other, b));
                Expr::binary(BinaryOp::Or, both(a, b), both(b, a))
            }
        }
    }

    /// Something about a member.
    fn about(&mut self, var: Var, id: EnumId, known: &[(Var, EnumId)]) -> Expr {
        let this = Expr::Var(var);
        let others: Vec<Var> =
            known.iter().filter(|(other, of)| *of == id && *other != var).map(|k| k.0).collect();
        let flavour = self.classes[id.index()].flavour;
        if !others.is_empty() && self.random.percent(45) {
            let other = Expr::Var(*self.random.pick(&others));
            let op = *self.random.pick(&[BinaryOp::Equal, BinaryOp::NotEqual]);
            return match flavour {
                Flavour::Order if self.random.percent(60) => {
                    let ops = [BinaryOp::Less, BinaryOp::GreaterEqual];
                    Expr::binary(*self.random.pick(&ops), this, other)
                }
                Flavour::Successors if self.random.percent(60) => {
                    Expr::binary(op, Expr::Shift(this.into(), id, 1), other)
                }
                _ => Expr::binary(op, this, other),
            };
        }
        let has_parts = !self.net.enumerations[id.index()].parts.is_empty();
        let named = self.is_named(id, 30);
        match if named { 1 + self.random.weighted(&[10, 8, 12]) } else { 0 } {
            1 => {
                let ops = [BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater];
                let literal = Expr::Literal(self.literal(Sort::Enum(id)));
                Expr::binary(*self.random.pick(&ops), this, literal)
            }
            2 => {
                let literal = Expr::Literal(self.literal(Sort::Enum(id)));
                Expr::binary(BinaryOp::Equal, this, literal)
            }
            3 if has_parts => Expr::Within(this.into(), id, self.random.below(2) as u32),
            _ => {
                let parts = self.classes[id.index()].parts.clone();
                let mut members = self.random.pick(&parts).clone();
                self.random.shuffle(&mut members);
                self.one_of(&this, id, &members)
            }
        }
    }

    /// Whether an expression is one of some members, said in one of several ways.
    fn one_of(&mut self, this: &Expr, id: EnumId, members: &[u32]) -> Expr {
        let not = |expr: Expr| Expr::Unary(UnaryOp::Not, expr.into());
        let negates = self.random.percent(50);
        let (op, junction) = match negates {
            true => (BinaryOp::NotEqual, BinaryOp::And),
            false => (BinaryOp::Equal, BinaryOp::Or),
        };
        let mut said: Option<Expr> = None;
        for member in members {
            let literal = Expr::Literal(Literal::Enum(id, *member));
            let one = match self.random.below(4) {
                0 => Expr::binary(op, literal, this.clone()),
                1 if negates => not(Expr::binary(BinaryOp::Equal, this.clone(), literal)),
                _ => Expr::binary(op, this.clone(), literal),
            };
            said = Some(match said {
                None => one,
                Some(before) if self.random.percent(50) => Expr::binary(junction, before, one),
                Some(before) => Expr::binary(junction, one, before),
            });
        }
        let said = said.expect("parts have members");
        if self.random.percent(20) { not(said) } else { said }
    }
}
