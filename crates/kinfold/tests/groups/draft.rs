//! Random nets with groups, as they are thought of, and as text.

use std::fmt::Write;

use random::Random;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sort {
    Int,
    Pid,
    MaybePid,
}

/// A column, or records in any order.
#[derive(Clone, Debug)]
pub enum Columns {
    One(Sort),
    Group(usize, Vec<Columns>),
}

#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    pub is_flow: bool,
    pub columns: Vec<Columns>,
}

/// What stands in a pattern, or in what is put.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Any,
    Var(String),
    Int(i64),
    Nothing,
}

/// A token: the place, its thread if it is a flow place, and its columns one after the other.
#[derive(Clone, Debug)]
pub struct Atom {
    pub place: usize,
    pub thread: Option<String>,
    pub terms: Vec<Term>,
}

#[derive(Clone, Debug)]
pub enum Item {
    Move(Atom, Atom),
    Stay(Atom),
    End(Atom),
    Take(Atom),
    Read(Atom),
    Put(Atom),
    Spawn(String, Atom),
    /// With what must hold then.
    Unless(Vec<Atom>, Option<Test>),
}

/// Whether two are equal, or not.
#[derive(Clone, Debug)]
pub struct Test(pub Term, pub bool, pub Term);

#[derive(Clone, Debug)]
pub struct Transition {
    pub name: String,
    pub items: Vec<Item>,
    pub when: Vec<Test>,
}

#[derive(Clone, Debug)]
pub struct Draft {
    pub places: Vec<Place>,
    /// The initial threads `t0`, `t1`, …, and the initial tokens. Variables are threads.
    pub start: Vec<Atom>,
    pub tokens: Vec<Atom>,
    pub transitions: Vec<Transition>,
}

/// The sorts of columns, one after the other.
pub fn sorts(columns: &[Columns]) -> Vec<Sort> {
    let of = |one: &Columns| match one {
        Columns::One(sort) => vec![*sort],
        Columns::Group(count, record) => sorts(record).repeat(*count),
    };
    columns.iter().flat_map(of).collect()
}

/// Whether there is a group, and whether there is one in another.
pub fn has_groups(columns: &[Columns]) -> bool {
    columns.iter().any(|one| matches!(one, Columns::Group(..)))
}

pub fn is_nested(columns: &[Columns]) -> bool {
    columns.iter().any(|one| matches!(one, Columns::Group(_, record) if has_groups(record)))
}

fn random_sort(random: &mut Random) -> Sort {
    [Sort::Int, Sort::Pid, Sort::MaybePid][random.weighted(&[4, 1, 5])]
}

fn random_columns(random: &mut Random, depth: usize) -> Vec<Columns> {
    let number = 1 + random.below(2_usize);
    let one = |_| match depth < 2 && random.percent(if depth == 0 { 65 } else { 30 }) {
        true => {
            let count = 2 + usize::from(depth == 0 && random.percent(35));
            Columns::Group(count, random_columns(random, depth + 1))
        }
        false => Columns::One(random_sort(random)),
    };
    (0..number).map(one).collect()
}

/// What the variables of a transition are: name, whether it is a pid, and whether it may be nothing.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    is_pid: bool,
    may_be_nothing: bool,
}

struct Maker<'r> {
    random: &'r mut Random,
    places: Vec<Place>,
    variables: Vec<Variable>,
    next: usize,
}

pub fn random_draft(random: &mut Random) -> Draft {
    let place = |(number, is_flow): (usize, bool), random: &mut Random| loop {
        let columns = match is_flow && random.percent(50) {
            true => Vec::new(),
            false => random_columns(random, 0),
        };
        if sorts(&columns).len() <= 6 {
            let name = format!("{}{number}", if is_flow { "f" } else { "p" });
            return Place { name, is_flow, columns };
        }
    };
    let kinds = [(0, true), (1, true), (2, false), (3, false)];
    let places: Vec<Place> = kinds.into_iter().map(|kind| place(kind, random)).collect();
    let threads = 1 + random.below(3_usize);
    let variables = (0..threads).map(|number| Variable {
        name: format!("t{number}"),
        is_pid: true,
        may_be_nothing: false,
    });
    let variables = variables.collect();
    let mut maker = Maker { random, places, variables, next: 0 };
    let start = (0..threads).map(|_| {
        let place = maker.random.below(2_usize);
        maker.output(place).expect("there are threads")
    });
    let start = start.collect();
    let tokens = [2, 2, 3, 3].into_iter().filter(|place| *place == 2 || maker.random.percent(70));
    let tokens: Vec<usize> = tokens.collect();
    let tokens = tokens.into_iter().filter_map(|place| maker.output(place)).collect();
    let mut transitions = Vec::new();
    while transitions.len() < 3 {
        let name = format!("go{}", transitions.len());
        transitions.extend(maker.transition(name));
    }
    Draft { places: maker.places, start, tokens, transitions }
}

impl Maker<'_> {
    fn transition(&mut self, name: String) -> Option<Transition> {
        (self.variables, self.next) = (Vec::new(), 0);
        let mut items = Vec::new();
        let mut taken = Vec::new();
        for place in [0, 1].into_iter().take(self.random.weighted(&[2, 5, 2])) {
            let place = if self.random.percent(50) { place } else { 0 };
            let atom = self.pattern(place);
            items.push(match self.random.weighted(&[5, 2, 1]) {
                0 => Item::Move(atom.clone(), atom),
                1 => Item::Stay(atom),
                _ => Item::End(atom),
            });
        }
        for _ in 0..self.random.weighted(&[2, 5, 2]) {
            let place = 2 + self.random.below(2_usize);
            let atom = self.pattern(place);
            taken.push(atom.clone());
            items.push(Item::Take(atom));
        }
        if self.random.percent(25) {
            let place = self.random.below(4_usize);
            items.push(Item::Read(self.pattern(place)));
        }
        if items.is_empty() {
            return None;
        }
        if let (true, Some(Item::Move(from, _) | Item::Stay(from))) =
            (self.random.percent(15), items.first())
        {
            let (parent, child) = (from.thread.clone()?, "child".to_owned());
            let place = self.random.below(2_usize);
            let mut atom = self.output(place)?;
            atom.thread = Some(child.clone());
            self.variables.push(Variable { name: child, is_pid: true, may_be_nothing: false });
            items.push(Item::Spawn(parent, atom));
        }
        for item in &mut items {
            if let Item::Move(from, to) = item {
                *to = self.changed(from)?;
            }
        }
        let puts = taken.iter().map(|atom| self.changed(atom)).collect::<Option<Vec<Atom>>>()?;
        items.extend(puts.into_iter().map(Item::Put));
        self.variables.retain(|variable| variable.name != "child");
        let when = (0..self.random.weighted(&[4, 3, 1])).filter_map(|_| self.test()).collect();
        if self.random.percent(35) {
            items.push(self.unless());
        }
        Some(Transition { name, items, when })
    }

    /// A pattern that binds variables, which are known from then on.
    fn pattern(&mut self, place: usize) -> Atom {
        let Place { is_flow, columns, .. } = self.places[place].clone();
        let thread = is_flow.then(|| {
            self.next += 1;
            let name = format!("h{}", self.next);
            self.variables.push(Variable {
                name: name.clone(),
                is_pid: true,
                may_be_nothing: false,
            });
            name
        });
        let sorts = sorts(&columns);
        let terms = sorts.iter().map(|sort| self.term(*sort)).collect();
        Atom { place, thread, terms }
    }

    fn term(&mut self, sort: Sort) -> Term {
        let is_pid = sort != Sort::Int;
        let known: Vec<usize> =
            (0..self.variables.len()).filter(|at| self.variables[*at].is_pid == is_pid).collect();
        match (self.random.weighted(&[11, 2, 3, 4]), sort) {
            (1, _) => Term::Any,
            (2, Sort::Int) => Term::Int(self.random.below(2)),
            (2, Sort::MaybePid) => Term::Nothing,
            (3, _) if !known.is_empty() => {
                let variable = &mut self.variables[*self.random.pick(&known)];
                variable.may_be_nothing &= sort == Sort::MaybePid;
                Term::Var(variable.name.clone())
            }
            _ => {
                self.next += 1;
                let name = format!("v{}", self.next);
                let may_be_nothing = sort == Sort::MaybePid;
                self.variables.push(Variable { name: name.clone(), is_pid, may_be_nothing });
                Term::Var(name)
            }
        }
    }

    /// What can be put into a column, if something can.
    fn value(&mut self, sort: Sort) -> Option<Term> {
        let fits = |one: &&Variable| match sort {
            Sort::Int => !one.is_pid,
            Sort::Pid => one.is_pid && !one.may_be_nothing,
            Sort::MaybePid => one.is_pid,
        };
        let known: Vec<&Variable> = self.variables.iter().filter(fits).collect();
        let is_free = known.is_empty() || self.random.percent(30);
        match sort {
            Sort::Int if is_free => Some(Term::Int(self.random.below(2))),
            Sort::MaybePid if is_free => Some(Term::Nothing),
            _ if known.is_empty() => None,
            _ => Some(Term::Var(self.random.pick(&known).name.clone())),
        }
    }

    fn output(&mut self, place: usize) -> Option<Atom> {
        let sorts = sorts(&self.places[place].columns);
        let terms = sorts.into_iter().map(|sort| self.value(sort)).collect::<Option<_>>()?;
        Some(Atom { place, thread: None, terms })
    }

    /// The same token with little changed, or another one.
    fn changed(&mut self, atom: &Atom) -> Option<Atom> {
        if self.random.percent(35) {
            let place = match self.places[atom.place].is_flow {
                true => self.random.below(2_usize),
                false => 2 + self.random.below(2_usize),
            };
            let output = self.output(place)?;
            return Some(Atom { thread: atom.thread.clone(), ..output });
        }
        let mut new = atom.clone();
        let sorts = sorts(&self.places[atom.place].columns);
        for (term, sort) in new.terms.iter_mut().zip(sorts) {
            if *term == Term::Any || self.random.percent(25) {
                *term = self.value(sort)?;
            }
        }
        Some(new)
    }

    fn test(&mut self) -> Option<Test> {
        if self.variables.is_empty() {
            return None;
        }
        let one = self.random.pick(&self.variables).clone();
        let others = self.variables.iter().filter(|other| other.is_pid == one.is_pid);
        let mut others: Vec<Term> = others.map(|other| Term::Var(other.name.clone())).collect();
        match one.is_pid {
            true if one.may_be_nothing => others.push(Term::Nothing),
            true => {}
            false => others.push(Term::Int(1)),
        }
        let other = self.random.pick(&others).clone();
        let one = Term::Var(one.name);
        (one != other).then(|| Test(one, self.random.percent(40), other))
    }

    /// Variables that are known only here come after those that are known anyhow.
    fn unless(&mut self) -> Item {
        let shared = self.variables.clone();
        let number = 1 + usize::from(self.random.percent(30));
        let places: Vec<usize> = (0..number).map(|_| self.random.below(4_usize)).collect();
        let mut atoms: Vec<Atom> = places.into_iter().map(|place| self.pattern(place)).collect();
        for atom in &mut atoms {
            if self.random.percent(60) {
                atom.thread = atom.thread.as_ref().map(|_| "_".to_owned());
            }
        }
        let named = |variable: &Variable| {
            let is_it = |term: &Term| *term == Term::Var(variable.name.clone());
            let is_thread = |atom: &Atom| atom.thread.as_ref() == Some(&variable.name);
            shared.iter().any(|other| other.name == variable.name)
                || atoms.iter().any(|atom| is_thread(atom) || atom.terms.iter().any(is_it))
        };
        self.variables.retain(named);
        let test = if self.random.percent(40) { self.test() } else { None };
        self.variables = shared;
        Item::Unless(atoms, test)
    }
}

impl Draft {
    /// The model that it is.
    pub fn text(&self) -> String {
        let mut text = "model random\n".to_owned();
        for (number, place) in self.places.iter().enumerate() {
            let word = if place.is_flow { "flow" } else { "place" };
            let columns = columns_text(&place.columns);
            let columns = if columns.is_empty() { columns } else { format!("({columns})") };
            let tokens = self.tokens.iter().filter(|atom| atom.place == number);
            let tokens: Vec<String> =
                tokens.map(|atom| format!("({})", terms(&atom.terms))).collect();
            let tokens = match tokens.is_empty() {
                true => String::new(),
                false => format!(" = {}", tokens.join(", ")),
            };
            writeln!(text, "{word} {}{columns}{tokens}", place.name).unwrap();
        }
        for (number, atom) in self.start.iter().enumerate() {
            writeln!(text, "start t{number}: {}", self.atom(atom)).unwrap();
        }
        for transition in &self.transitions {
            writeln!(text, "transition {} {{", transition.name).unwrap();
            transition
                .items
                .iter()
                .for_each(|item| writeln!(text, "    {}", self.item(item)).unwrap());
            if !transition.when.is_empty() {
                let tests: Vec<String> = transition.when.iter().map(test).collect();
                writeln!(text, "    when {}", tests.join(" and ")).unwrap();
            }
            text.push_str("}\n");
        }
        text
    }

    fn item(&self, item: &Item) -> String {
        let thread = |atom: &Atom| atom.thread.clone().unwrap_or_default();
        match item {
            Item::Move(from, to) => {
                format!("move {} -> {}", self.with_thread(from), self.atom(to))
            }
            Item::Stay(atom) => format!("stay {}", self.with_thread(atom)),
            Item::End(atom) => format!("end {}", self.with_thread(atom)),
            Item::Take(atom) => format!("take {}", self.atom(atom)),
            Item::Read(atom) => format!("read {}", self.with_thread(atom)),
            Item::Put(atom) => format!("put {}", self.atom(atom)),
            Item::Spawn(parent, atom) => {
                format!("spawn {} from {parent}: {}", thread(atom), self.atom(atom))
            }
            Item::Unless(atoms, with) => {
                let atoms: Vec<String> = atoms.iter().map(|atom| self.with_thread(atom)).collect();
                let with = with.as_ref().map(|with| format!(" with {}", test(with)));
                format!("unless {}{}", atoms.join(", "), with.unwrap_or_default())
            }
        }
    }

    fn with_thread(&self, atom: &Atom) -> String {
        match &atom.thread {
            Some(thread) => format!("{thread}: {}", self.atom(atom)),
            None => self.atom(atom),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let name = &self.places[atom.place].name;
        match atom.terms.is_empty() {
            true => name.clone(),
            false => format!("{name}({})", terms(&atom.terms)),
        }
    }
}

fn columns_text(columns: &[Columns]) -> String {
    let of = |one: &Columns| match one {
        Columns::One(Sort::Int) => "0..=1".to_owned(),
        Columns::One(Sort::Pid) => "pid".to_owned(),
        Columns::One(Sort::MaybePid) => "pid?".to_owned(),
        Columns::Group(count, record) => format!("{{{count} of ({})}}", columns_text(record)),
    };
    columns.iter().map(of).collect::<Vec<_>>().join(", ")
}

fn terms(terms: &[Term]) -> String {
    terms.iter().map(term).collect::<Vec<_>>().join(", ")
}

fn term(term: &Term) -> String {
    match term {
        Term::Any => "_".to_owned(),
        Term::Var(name) => name.clone(),
        Term::Int(number) => number.to_string(),
        Term::Nothing => "none".to_owned(),
    }
}

fn test(Test(one, is_equal, other): &Test) -> String {
    format!("{} {} {}", term(one), if *is_equal { "==" } else { "!=" }, term(other))
}
