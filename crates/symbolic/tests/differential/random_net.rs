//! Random symmetric nets, small enough to be unfolded.

use net::TransitionId;
use random::Random;
use symbolic::{
    ClassId, Condition, Element, PlaceId, SymmetricNet, Symmetry, Term, Transition, Variable,
};

/// The name of the place that is often fixed.
pub const TABLE: &str = "table";

/// What kinds of nets to make.
#[derive(Clone, Copy)]
pub struct Taste {
    /// The most elements of a symmetric class.
    pub elements: u32,
    /// The most components of a token.
    pub columns: usize,
    /// The most variables of a transition.
    pub variables: usize,
    /// The most classes.
    pub classes: usize,
}

pub fn random_net(random: &mut Random, taste: Taste) -> SymmetricNet {
    let mut making = Making { random, taste, net: SymmetricNet::new(), table: None };
    making.classes();
    for i in 0..2 + making.random.below(4) {
        let arity = (*making.random.pick(&[0, 1, 1, 1, 2, 2, 2, 3])).min(taste.columns);
        let domain: Vec<ClassId> = (0..arity).map(|_| making.any_class()).collect();
        making.net.place(&format!("p{i}"), &domain);
    }
    making.initial();
    if making.random.percent(35) {
        making.table();
    }
    for i in 0..1 + making.random.below(4) {
        making.transition(&format!("t{i}"));
    }
    if making.random.percent(40) {
        making.labels();
    }
    making.net
}

struct Making<'r> {
    random: &'r mut Random,
    taste: Taste,
    net: SymmetricNet,
    /// A place from which most transitions take only what they put back.
    table: Option<PlaceId>,
}

impl Making<'_> {
    fn classes(&mut self) {
        for i in 0..1 + self.random.below(self.taste.classes) {
            let symmetry = match self.random.below(10) {
                0..=5 => Symmetry::Symmetric(self.static_subclasses()),
                6 | 7 => Symmetry::Cyclic(1 + self.random.below(4) as u32),
                _ => Symmetry::Plain(1 + self.random.below(3) as u32),
            };
            self.net.class(&format!("c{i}"), symmetry);
        }
    }

    /// Makes several transitions parts of one, as translations do; there may be numbers that nobody has.
    fn labels(&mut self) {
        let count = self.net.transitions.len();
        for transition in &mut self.net.transitions {
            transition.label = Some(TransitionId(self.random.below(count + 1) as u32));
        }
    }

    fn static_subclasses(&mut self) -> Vec<u32> {
        let mut left = 1 + self.random.below(self.taste.elements as usize) as u32;
        if self.random.percent(50) {
            left = self.taste.elements;
        }
        let mut sizes = Vec::new();
        for _ in 0..*self.random.pick(&[0, 0, 0, 1, 1, 2]) {
            let size = self.random.below(left as usize + 1).min(2) as u32;
            sizes.push(size);
            left -= size;
        }
        sizes.push(left);
        if self.random.percent(50) {
            sizes.reverse();
        }
        sizes
    }

    fn any_class(&mut self) -> ClassId {
        ClassId(self.random.below(self.net.classes.len()) as u32)
    }

    fn any_place(&mut self) -> PlaceId {
        let table = self.table.filter(|_| !self.random.percent(4));
        let places = table.map_or(self.net.places.len(), |table| table.0 as usize);
        PlaceId(self.random.below(places) as u32)
    }

    /// Adds a place for data, with some tokens.
    fn table(&mut self) {
        let is_plain =
            |class: &ClassId| matches!(self.symmetry(*class), Symmetry::Plain(size) if size > 1);
        let all = 0..self.net.classes.len() as u32;
        let mut plain: Vec<ClassId> = all.map(ClassId).filter(is_plain).collect();
        if plain.is_empty() {
            let size = 2 + self.random.below(2) as u32;
            plain.push(self.net.class("data", Symmetry::Plain(size)));
        }
        let arity = (*self.random.pick(&[0, 1, 1, 2, 2, 2, 3])).min(self.taste.columns);
        let domain: Vec<ClassId> = (0..arity).map(|_| *self.random.pick(&plain)).collect();
        let table = self.net.place(TABLE, &domain);
        for _ in 0..1 + self.random.below(3) {
            let tuple: Vec<Element> =
                domain.iter().map(|&class| self.constant(class).expect("not empty")).collect();
            let count = *self.random.pick(&[1, 1, 1, 2]);
            self.net.initially(table, Term::times(count, &tuple));
        }
        self.table = Some(table);
    }

    /// Looks something up in the table.
    fn look_up(&mut self, table: PlaceId, transition: Transition) -> Transition {
        let tuple = self.domain(table).into_iter().map(|class| {
            let constant = if self.random.percent(15) { self.constant(class) } else { None };
            let variable = self.variable(class, &transition.variables);
            constant.or(variable).or(self.constant(class)).expect("not empty")
        });
        let tuple: Vec<Element> = tuple.collect();
        let mut term = Term::times(*self.random.pick(&[1, 1, 1, 2]), &tuple);
        if self.random.percent(10) {
            term = self.term(table, &transition.variables, 30);
        }
        match self.random.below(10) {
            0..=5 => transition.take(table, term.clone()).put(table, term),
            6..=7 => transition.read(table, term),
            8 => transition.unless(table, term),
            _ => transition,
        }
    }

    fn domain(&self, place: PlaceId) -> Vec<ClassId> {
        self.net.places[place.0 as usize].domain.clone()
    }

    fn symmetry(&self, class: ClassId) -> Symmetry {
        self.net.classes[class.0 as usize].symmetry.clone()
    }

    /// A constant of a class, if it has any that may be named.
    fn constant(&mut self, class: ClassId) -> Option<Element> {
        match self.symmetry(class) {
            Symmetry::Symmetric(sizes) => {
                let single: Vec<u32> =
                    (0..sizes.len() as u32).filter(|&i| sizes[i as usize] == 1).collect();
                (!single.is_empty()).then(|| Element::Constant(*self.random.pick(&single)))
            }
            Symmetry::Plain(size) => {
                Some(Element::Constant(self.random.below(size as usize) as u32))
            }
            Symmetry::Cyclic(_) => None,
        }
    }

    /// A variable in scope, or near it where there is an order.
    fn variable(&mut self, class: ClassId, scope: &[ClassId]) -> Option<Element> {
        let fitting: Vec<u32> =
            (0..scope.len() as u32).filter(|&i| scope[i as usize] == class).collect();
        if fitting.is_empty() {
            return None;
        }
        let of = Variable(*self.random.pick(&fitting));
        let symmetric = matches!(self.symmetry(class), Symmetry::Symmetric(_));
        Some(if !symmetric && self.random.percent(30) {
            let by = *self.random.pick(&[1, -1, 2]);
            Element::Shift { of, by, wraps: self.random.percent(60) }
        } else {
            Element::Var(of)
        })
    }

    fn condition(&mut self, scope: &[ClassId], depth: usize) -> Condition {
        if depth > 0 && self.random.percent(40) {
            let inner = |making: &mut Self| {
                (0..1 + making.random.below(2))
                    .map(|_| making.condition(scope, depth - 1))
                    .collect()
            };
            return match self.random.below(3) {
                0 => Condition::Not(Box::new(self.condition(scope, depth - 1))),
                1 => Condition::All(inner(self)),
                _ => Condition::Any(inner(self)),
            };
        }
        if scope.is_empty() {
            return Condition::always();
        }
        let variable = self.random.below(scope.len());
        let class = scope[variable];
        let a = self.variable(class, scope).expect("a variable of the class");
        let b = if self.random.percent(30) { self.constant(class) } else { None };
        let b = b.unwrap_or_else(|| self.variable(class, scope).expect("a variable of the class"));
        match self.symmetry(class) {
            Symmetry::Symmetric(sizes) if self.random.percent(35) => {
                Condition::Within(Variable(variable as u32), self.random.below(sizes.len()) as u32)
            }
            Symmetry::Plain(_) if self.random.percent(40) => Condition::Less(a, b),
            _ if self.random.percent(60) => Condition::Not(Box::new(Condition::Equal(a, b))),
            _ => Condition::Equal(a, b),
        }
    }

    /// A term at a place; locals are made where no variable fits, or at will.
    fn term(&mut self, place: PlaceId, variables: &[ClassId], locals_percent: u32) -> Term {
        let mut scope = variables.to_vec();
        let mut tuple = Vec::new();
        for class in self.domain(place) {
            let constant = if self.random.percent(10) { self.constant(class) } else { None };
            let variable = if self.random.percent(100 - locals_percent) {
                self.variable(class, variables)
            } else if self.random.percent(20) {
                self.variable(class, &scope[variables.len()..]).map(|element| {
                    let moved = |of: Variable| Variable(of.0 + variables.len() as u32);
                    match element {
                        Element::Var(of) => Element::Var(moved(of)),
                        Element::Shift { of, by, wraps } => {
                            Element::Shift { of: moved(of), by, wraps }
                        }
                        constant => constant,
                    }
                })
            } else {
                None
            };
            tuple.push(constant.or(variable).unwrap_or_else(|| {
                scope.push(class);
                Element::Var(Variable(scope.len() as u32 - 1))
            }));
        }
        let locals = &scope[variables.len()..];
        let condition = if self.random.percent(if locals.is_empty() { 10 } else { 65 }) {
            self.condition(&scope, 1)
        } else {
            Condition::always()
        };
        let count = *self.random.pick(&[1, 1, 1, 1, 1, 2, 3]);
        Term::times(count, &tuple).for_all(locals, condition)
    }

    fn initial(&mut self) {
        for place in 0..self.net.places.len() as u32 {
            let place = PlaceId(place);
            if self.random.percent(65) {
                let mut term = self.term(place, &[], 0);
                term.count = *self.random.pick(&[1, 1, 1, 1, 2]);
                self.net.initially(place, term);
            }
        }
    }

    fn transition(&mut self, name: &str) {
        let mut variables: Vec<ClassId> =
            (0..self.random.below(self.taste.variables + 1)).map(|_| self.any_class()).collect();
        for class in self.table.map_or(Vec::new(), |table| self.domain(table)) {
            if variables.len() < self.taste.variables.max(2) && self.random.percent(60) {
                variables.push(class);
            }
        }
        let mut transition = Transition::new(name, &variables);
        if self.random.percent(35) {
            transition = transition.guard(self.condition(&variables, 2));
        }
        for _ in 0..*self.random.pick(&[1, 1, 1, 2, 2, 3]) {
            let from = self.any_place();
            let term = self.term(from, &variables, 8);
            // Tokens often move to another place as they are.
            let domain = self.domain(from);
            let alike: Vec<PlaceId> = (0..self.net.places.len() as u32)
                .map(PlaceId)
                .filter(|&place| place != from && self.domain(place) == domain)
                .collect();
            transition = transition.take(from, term.clone());
            if !alike.is_empty() && self.random.percent(60) {
                transition = transition.put(*self.random.pick(&alike), term);
            } else if self.random.percent(75) {
                let to = self.any_place();
                let mut term = self.term(to, &variables, 8);
                if self.random.percent(70) {
                    term.count = 1;
                }
                transition = transition.put(to, term);
            }
        }
        if let Some(table) = self.table {
            transition = self.look_up(table, transition);
            if self.random.percent(35) {
                transition = self.look_up(table, transition);
            }
        }
        if self.random.percent(20) {
            let place = self.any_place();
            let term = self.term(place, &variables, 15);
            transition = transition.read(place, term);
        }
        if self.random.percent(25) {
            let place = self.any_place();
            let term = self.term(place, &variables, 50);
            transition = transition.unless(place, term);
        }
        self.net.transition(transition);
    }
}
