//! What a document means, as slowly as can be: terms are evaluated to multisets, one binding of the
//! variables after the other. Shares nothing with the translation but the syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use net::BinaryOp;
use pnml::{
    Declared, Document, Id, Index, Net, Node, Operator, Part, Shape, Sort, Term, Tokens,
    UserOperator,
};
use random::Random;

/// A component of an element that has no components; the dot is none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// A constant of an enumeration, by its position.
    Constant(usize),
    Integer(i64),
    Truth(bool),
    /// A part of a partition, by its position.
    Part(usize),
}

pub type Element = Vec<Atom>;
pub type Multiset = BTreeMap<Element, u64>;
/// By place.
pub type Marking = Vec<Multiset>;
pub type Binding<'d> = BTreeMap<&'d str, Element>;

/// A way to fire a transition, by its position, and what then is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step<'d> {
    pub transition: usize,
    pub binding: Binding<'d>,
    pub after: Marking,
}

/// A sort without names and products.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf<'d> {
    Class(usize),
    Range(pnml::Range),
    Bool,
    Partition(&'d [Part]),
}

enum Value {
    Multiset(Multiset),
    Number(u64),
}

pub struct Oracle<'d> {
    pub net: &'d Net,
    index: Index<'d>,
    pub places: Vec<&'d pnml::Place>,
    pub transitions: Vec<&'d pnml::Transition>,
}

impl<'d> Oracle<'d> {
    pub fn new(document: &'d Document) -> Oracle<'d> {
        let net = &document.nets[0];
        Oracle {
            net,
            index: Index::new(net),
            places: net.all_pages().flat_map(|page| &page.places).collect(),
            transitions: net.all_pages().flat_map(|page| &page.transitions).collect(),
        }
    }

    pub fn leaves(&self, sort: &'d Sort) -> Vec<Leaf<'d>> {
        match &sort.shape {
            Shape::Dot => Vec::new(),
            Shape::Bool => vec![Leaf::Bool],
            Shape::Range(range) => vec![Leaf::Range(*range)],
            Shape::Enumeration { constants, .. } => vec![Leaf::Class(constants.len())],
            Shape::Product(factors) => factors.iter().flat_map(|f| self.leaves(f)).collect(),
            Shape::User(id) => {
                self.declared(&self.index.sort(&id.text).expect("it is declared").value)
            }
        }
    }

    fn declared(&self, declared: &'d Declared) -> Vec<Leaf<'d>> {
        match declared {
            Declared::Sort(sort) | Declared::Variable(sort) => self.leaves(sort),
            Declared::Partition { parts, .. } => vec![Leaf::Partition(parts)],
            Declared::Operator { definition, .. } => self.term_leaves(definition),
        }
    }

    fn parts(&self, partition: &Id) -> &'d [Part] {
        match self.index.sort(&partition.text).map(|declaration| &declaration.value) {
            Some(Declared::Partition { parts, .. }) => parts,
            _ => panic!("no partition {partition}"),
        }
    }

    pub fn place_leaves(&self, place: usize) -> Vec<Leaf<'d>> {
        let sort = self.places[place].sort.as_ref();
        sort.map(|label| self.leaves(&label.value)).unwrap_or_default()
    }

    /// The sort of a variable, or of the parameter of an operator: none are called alike and differ.
    pub fn variable_leaves(&self, id: &str) -> Vec<Leaf<'d>> {
        let declared = self.net.all_declarations().map(|declaration| &declaration.value);
        let mut parameters = declared.flat_map(|declared| match declared {
            Declared::Operator { parameters, .. } => &parameters[..],
            _ => &[],
        });
        let parameter = || parameters.find(|p| p.id.text == id).map(|parameter| &parameter.value);
        self.leaves(self.index.variable(id).or_else(parameter).expect("it is declared"))
    }

    fn elements(leaves: &[Leaf<'d>]) -> Vec<Element> {
        let Some((first, rest)) = leaves.split_first() else { return vec![Vec::new()] };
        let atoms: Vec<Atom> = match first {
            Leaf::Class(size) => (0..*size).map(Atom::Constant).collect(),
            Leaf::Range(range) => (range.start..=range.end).map(Atom::Integer).collect(),
            Leaf::Bool => vec![Atom::Truth(false), Atom::Truth(true)],
            Leaf::Partition(parts) => (0..parts.len()).map(Atom::Part).collect(),
        };
        let rest = Oracle::elements(rest);
        let with = |atom: &Atom| {
            let atom = *atom;
            rest.iter().map(move |more| [&[atom], &more[..]].concat())
        };
        atoms.iter().flat_map(with).collect()
    }

    pub fn initial(&self) -> Marking {
        let marking = |(place, node): (usize, &&'d pnml::Place)| match &node.marking {
            None => Multiset::new(),
            Some(tokens) => self.carried(tokens, place, &Binding::new()),
        };
        self.places.iter().enumerate().map(marking).collect()
    }

    /// A marking with some of all elements.
    pub fn any_marking(&self, random: &mut Random) -> Marking {
        let place = |place: usize| {
            let elements = Oracle::elements(&self.place_leaves(place));
            let counted = elements.into_iter().map(|element| (element, random.below(4) as u64));
            counted.filter(|(_, count)| *count > 0).collect()
        };
        (0..self.places.len()).map(place).collect()
    }

    fn carried(&self, tokens: &'d Tokens, place: usize, binding: &Binding<'d>) -> Multiset {
        match tokens {
            Tokens::Number { count, .. } => [(Vec::new(), *count)].into_iter().collect(),
            Tokens::Term(label) => {
                let leaves = self.place_leaves(place);
                self.multiset(&label.value, Some(&leaves), binding)
            }
        }
    }

    /// All ways to fire from a marking.
    pub fn steps(&self, marking: &Marking) -> Vec<Step<'d>> {
        let mut steps = Vec::new();
        for (transition, node) in self.transitions.iter().enumerate() {
            let mut arcs: Vec<(usize, bool, Option<&'d Tokens>)> = Vec::new();
            let mut terms: Vec<&'d Term> = Vec::new();
            terms.extend(node.condition.iter().map(|label| &label.value));
            for arc in self.net.all_pages().flat_map(|page| &page.arcs) {
                let ends = [&arc.source, &arc.target].map(|end| self.index.node(&end.text));
                let (place, taken) = match ends {
                    [Some(Node::Place(p)), Some(Node::Transition(t))] if t.id == node.id => {
                        (p, true)
                    }
                    [Some(Node::Transition(t)), Some(Node::Place(p))] if t.id == node.id => {
                        (p, false)
                    }
                    _ => continue,
                };
                let number = self.places.iter().position(|other| other.id == place.id);
                arcs.push((number.expect("it is there"), taken, arc.inscription.as_ref()));
                if let Some(Tokens::Term(label)) = &arc.inscription {
                    terms.push(&label.value);
                }
            }
            let names: Vec<&'d str> = variables(&terms).into_iter().collect();
            for binding in self.bindings(&names) {
                let condition = node.condition.as_ref();
                if condition.is_some_and(|label| !self.holds(&label.value, &binding)) {
                    continue;
                }
                if let Some(after) = self.fired(marking, &arcs, &binding) {
                    steps.push(Step { transition, binding, after });
                }
            }
        }
        steps
    }

    fn bindings(&self, names: &[&'d str]) -> Vec<Binding<'d>> {
        let Some((first, rest)) = names.split_first() else { return vec![Binding::new()] };
        let elements = Oracle::elements(&self.variable_leaves(first));
        let mut list = Vec::new();
        for binding in self.bindings(rest) {
            for element in &elements {
                let mut binding = binding.clone();
                binding.insert(first, element.clone());
                list.push(binding);
            }
        }
        list
    }

    fn fired(
        &self,
        marking: &Marking,
        arcs: &[(usize, bool, Option<&'d Tokens>)],
        binding: &Binding<'d>,
    ) -> Option<Marking> {
        let mut after = marking.clone();
        for wanted in [true, false] {
            for (place, taken, tokens) in arcs.iter().filter(|(_, taken, _)| *taken == wanted) {
                let carried = match tokens {
                    Some(tokens) => self.carried(tokens, *place, binding),
                    None => [(Vec::new(), 1)].into_iter().collect(),
                };
                for (element, count) in carried {
                    let held = after[*place].entry(element.clone()).or_default();
                    *held = match taken {
                        true => held.checked_sub(count)?,
                        false => *held + count,
                    };
                    if *held == 0 {
                        after[*place].remove(&element);
                    }
                }
            }
        }
        Some(after)
    }

    fn holds(&self, term: &'d Term, binding: &Binding<'d>) -> bool {
        match self.element(term, binding)[..] {
            [Atom::Truth(holds)] => holds,
            ref other => panic!("{other:?} is no truth value"),
        }
    }

    fn element(&self, term: &'d Term, binding: &Binding<'d>) -> Element {
        let multiset = self.multiset(term, None, binding);
        let mut elements = multiset.into_iter();
        match (elements.next(), elements.next()) {
            (Some((element, 1)), None) => element,
            other => panic!("{other:?} is no element"),
        }
    }

    /// A multiset; parts are their elements where the class is wanted.
    fn multiset(
        &self,
        term: &'d Term,
        wanted: Option<&[Leaf<'d>]>,
        binding: &Binding<'d>,
    ) -> Multiset {
        match self.value(term, wanted, binding) {
            Value::Multiset(mut multiset) => {
                multiset.retain(|_, count| *count > 0);
                match wanted {
                    Some(wanted) => self.divided(multiset, &self.term_leaves(term), wanted),
                    None => multiset,
                }
            }
            Value::Number(number) => panic!("{number} is no multiset"),
        }
    }

    fn divided(&self, multiset: Multiset, own: &[Leaf<'d>], wanted: &[Leaf<'d>]) -> Multiset {
        let mut result = Multiset::new();
        for (element, count) in multiset {
            let mut elements = vec![Element::new()];
            for (column, atom) in element.iter().enumerate() {
                let atoms = match (atom, &own[column], &wanted[column]) {
                    (Atom::Part(_), _, Leaf::Partition(_)) => vec![*atom],
                    (Atom::Part(part), Leaf::Partition(parts), _) => {
                        let constants = parts[*part].value.iter();
                        constants.map(|c| self.element(c, &Binding::new())[0]).collect()
                    }
                    _ => vec![*atom],
                };
                let longer = |element: Element| {
                    let more = atoms.iter().map(move |atom| [&element[..], &[*atom]].concat());
                    more.collect::<Vec<_>>()
                };
                elements = elements.into_iter().flat_map(longer).collect();
            }
            for element in elements {
                *result.entry(element).or_default() += count;
            }
        }
        result
    }

    /// The sort of a term.
    fn term_leaves(&self, term: &'d Term) -> Vec<Leaf<'d>> {
        match &term.operator {
            Operator::Variable(id) => self.variable_leaves(&id.text),
            Operator::User(id) => {
                let operator = self.index.operator(&id.text).expect("it is declared");
                self.declared(&operator.declaration.value)
            }
            Operator::PartOf(id) => vec![Leaf::Partition(self.parts(id))],
            Operator::All(sort) | Operator::Empty(sort) => self.leaves(sort),
            Operator::RangeConstant { range, .. } => vec![Leaf::Range(*range)],
            Operator::Tuple => term.subterms.iter().flat_map(|t| self.term_leaves(t)).collect(),
            Operator::Dot => Vec::new(),
            Operator::NumberOf | Operator::ScalarProduct => {
                self.term_leaves(term.subterms.last().expect("it has one"))
            }
            Operator::Successor | Operator::Predecessor => self.term_leaves(&term.subterms[0]),
            // Parts beside elements stand for their elements.
            Operator::Add | Operator::Subtract => {
                let lists: Vec<Vec<Leaf<'d>>> =
                    term.subterms.iter().map(|subterm| self.term_leaves(subterm)).collect();
                let column = |column: usize| {
                    let mut leaves = lists.iter().map(|list| &list[column]);
                    let is_part = |leaf: &&Leaf<'d>| matches!(leaf, Leaf::Partition(_));
                    leaves.clone().find(|leaf| !is_part(leaf)).or(leaves.next()).cloned()
                };
                (0..lists[0].len()).filter_map(column).collect()
            }
            _ => vec![Leaf::Bool],
        }
    }

    fn number(&self, term: &'d Term, binding: &Binding<'d>) -> u64 {
        match self.value(term, None, binding) {
            Value::Number(number) => number,
            Value::Multiset(multiset) => panic!("{multiset:?} is no number"),
        }
    }

    fn is_number(&self, term: &Term) -> bool {
        use Operator::{Cardinality, CardinalityOf, Number};
        matches!(term.operator, Number { .. } | Cardinality | CardinalityOf)
    }

    fn value(&self, term: &'d Term, wanted: Option<&[Leaf<'d>]>, binding: &Binding<'d>) -> Value {
        let one = |element: Element| Value::Multiset([(element, 1)].into_iter().collect());
        let sub = &term.subterms;
        let own: Vec<Leaf<'d>>;
        let wanted = match (&term.operator, wanted) {
            (Operator::Add | Operator::Subtract, None) => {
                own = self.term_leaves(term);
                Some(&own[..])
            }
            (_, wanted) => wanted,
        };
        match &term.operator {
            Operator::Variable(id) => one(binding[id.text.as_str()].clone()),
            Operator::User(id) => self.user(id, term, wanted, binding),
            Operator::Dot => one(Vec::new()),
            Operator::Boolean(holds) => one(vec![Atom::Truth(*holds)]),
            Operator::Number { value, .. } => Value::Number(*value),
            Operator::RangeConstant { value, .. } => one(vec![Atom::Integer(*value)]),
            Operator::Tuple => {
                let mut tuples: Multiset = [(Element::new(), 1)].into_iter().collect();
                let mut start = 0;
                for part in sub {
                    let end = start + self.term_leaves(part).len();
                    let wanted = wanted.map(|wanted| &wanted[start..end]);
                    start = end;
                    let mut longer = Multiset::new();
                    for (left, n) in &tuples {
                        for (right, m) in self.multiset(part, wanted, binding) {
                            *longer.entry([&left[..], &right[..]].concat()).or_default() += n * m;
                        }
                    }
                    tuples = longer;
                }
                Value::Multiset(tuples)
            }
            Operator::All(sort) => {
                let elements = Oracle::elements(&self.leaves(sort)).into_iter();
                Value::Multiset(elements.map(|element| (element, 1)).collect())
            }
            Operator::Empty(_) => Value::Multiset(Multiset::new()),
            Operator::NumberOf | Operator::ScalarProduct => {
                let (count, term) = match &sub[..] {
                    [number, term] => (self.number(number, binding), term),
                    _ => (1, &sub[0]),
                };
                let mut multiset = self.multiset(term, wanted, binding);
                multiset.values_mut().for_each(|held| *held *= count);
                Value::Multiset(multiset)
            }
            Operator::Add => {
                let mut sum = Multiset::new();
                for part in sub {
                    for (element, count) in self.multiset(part, wanted, binding) {
                        *sum.entry(element).or_default() += count;
                    }
                }
                Value::Multiset(sum)
            }
            Operator::Subtract => {
                let mut left = self.multiset(&sub[0], wanted, binding);
                for part in &sub[1..] {
                    for (element, count) in self.multiset(part, wanted, binding) {
                        let held = left.entry(element).or_default();
                        *held = held.saturating_sub(count);
                    }
                }
                Value::Multiset(left)
            }
            Operator::Cardinality => {
                Value::Number(self.multiset(&sub[0], None, binding).values().sum())
            }
            Operator::CardinalityOf => {
                let multiset = self.multiset(&sub[0], None, binding);
                let element = self.element(&sub[1], binding);
                Value::Number(multiset.get(&element).copied().unwrap_or(0))
            }
            Operator::Successor | Operator::Predecessor => {
                let size = match &self.term_leaves(&sub[0])[..] {
                    [Leaf::Class(size)] => *size,
                    other => panic!("{other:?} has no successors"),
                };
                let [Atom::Constant(index)] = self.element(&sub[0], binding)[..] else {
                    panic!("{term:?}")
                };
                let steps = if term.operator == Operator::Successor { 1 } else { size - 1 };
                one(vec![Atom::Constant((index + steps) % size)])
            }
            Operator::PartOf(id) => {
                let element = self.element(&sub[0], binding);
                let is_in = |part: &Part| {
                    part.value.iter().any(|c| self.element(c, &Binding::new()) == element)
                };
                let part = self.parts(id).iter().position(is_in).expect("it is in one");
                one(vec![Atom::Part(part)])
            }
            _ => one(vec![Atom::Truth(self.truth(term, binding))]),
        }
    }

    fn user(
        &self,
        id: &'d Id,
        term: &'d Term,
        wanted: Option<&[Leaf<'d>]>,
        binding: &Binding<'d>,
    ) -> Value {
        let one = |atom: Atom| Value::Multiset([(vec![atom], 1)].into_iter().collect());
        let UserOperator { declaration, position } =
            self.index.operator(&id.text).expect("it is declared");
        match &declaration.value {
            Declared::Sort(_) => one(Atom::Constant(position)),
            Declared::Partition { .. } => one(Atom::Part(position)),
            Declared::Variable(_) => panic!("{id} is a variable"),
            Declared::Operator { parameters, definition } => {
                let arguments = parameters.iter().zip(&term.subterms);
                let arguments = arguments.map(|(parameter, subterm)| {
                    (parameter.id.text.as_str(), self.element(subterm, binding))
                });
                self.value(definition, wanted, &arguments.collect())
            }
        }
    }

    fn truth(&self, term: &'d Term, binding: &Binding<'d>) -> bool {
        let sub = &term.subterms;
        let order = || match self.is_number(&sub[0]) {
            true => self.number(&sub[0], binding).cmp(&self.number(&sub[1], binding)),
            false => self.element(&sub[0], binding).cmp(&self.element(&sub[1], binding)),
        };
        let multisets =
            || (self.multiset(&sub[0], None, binding), self.multiset(&sub[1], None, binding));
        match &term.operator {
            Operator::Binary(BinaryOp::And) => sub.iter().all(|term| self.holds(term, binding)),
            Operator::Binary(BinaryOp::Or) => sub.iter().any(|term| self.holds(term, binding)),
            Operator::Not => !self.holds(&sub[0], binding),
            Operator::Binary(BinaryOp::Implies) => {
                !self.holds(&sub[0], binding) || self.holds(&sub[1], binding)
            }
            Operator::Binary(BinaryOp::Equal) | Operator::Binary(BinaryOp::NotEqual) => {
                let same = match self.is_number(&sub[0]) {
                    true => order().is_eq(),
                    false => {
                        let (a, b) = multisets();
                        a == b
                    }
                };
                same == (term.operator == Operator::Binary(BinaryOp::Equal))
            }
            Operator::Contains => {
                let (whole, part) = multisets();
                part.iter().all(|(element, count)| whole.get(element).is_some_and(|n| n >= count))
            }
            Operator::Binary(BinaryOp::Less)
            | Operator::NumberOrder(BinaryOp::Less)
            | Operator::PartOrder(BinaryOp::Less) => order().is_lt(),
            Operator::Binary(BinaryOp::LessEqual) | Operator::NumberOrder(BinaryOp::LessEqual) => {
                order().is_le()
            }
            Operator::Binary(BinaryOp::Greater)
            | Operator::NumberOrder(BinaryOp::Greater)
            | Operator::PartOrder(BinaryOp::Greater) => order().is_gt(),
            Operator::Binary(BinaryOp::GreaterEqual)
            | Operator::NumberOrder(BinaryOp::GreaterEqual) => order().is_ge(),
            other => panic!("{other:?} neither holds nor not"),
        }
    }
}

/// The variables that occur in terms.
fn variables<'d>(terms: &[&'d Term]) -> BTreeSet<&'d str> {
    let mut left = terms.to_vec();
    let mut names = BTreeSet::new();
    while let Some(term) = left.pop() {
        if let Operator::Variable(id) = &term.operator {
            names.insert(id.text.as_str());
        }
        left.extend(&term.subterms);
    }
    names
}

/// The columns that an element has in a net: the number of each member in its enumeration.
pub fn columns(element: &[Atom], leaves: &[Leaf<'_>]) -> Vec<u64> {
    let column = |(atom, leaf): (&Atom, &Leaf<'_>)| match (atom, leaf) {
        (Atom::Integer(number), Leaf::Range(range)) => number.abs_diff(range.start),
        (Atom::Constant(index) | Atom::Part(index), _) => *index as u64,
        (Atom::Truth(holds), _) => u64::from(*holds),
        other => panic!("{other:?} do not fit"),
    };
    element.iter().zip(leaves).map(column).collect()
}

/// How often each step is there.
pub fn counted<T: Ord>(list: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    list.into_iter().for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}
