//! Between concrete states and working states.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use fold::{Class, Column, Kin, Regarded, Schema, Shape, Working, concrete};
use state::{Pid, State, Value};

use crate::compile::bounds;
use crate::expr::NO_VALUE;
use crate::interpret::in_normal_form;
use crate::{Compiled, EnumId, Enumeration, FreshId, Net, Place, Sort, Symmetry};

/// The shapes of the places of a net, and its classes.
pub(crate) fn schema(net: &Net) -> Schema {
    Schema {
        places: net.places.iter().map(|place| shape(net, place)).collect(),
        classes: net.enumerations.iter().filter_map(class).collect(),
    }
}

/// The shape of a place.
pub(crate) fn shape(net: &Net, place: &Place) -> Shape {
    let class_of = |id: EnumId| {
        let (before, from) = net.enumerations.split_at(id.index());
        let classes = before.iter().filter_map(class).count() as u32;
        class(&from[0]).map(|_| classes)
    };
    let column = |of: &crate::Column| {
        // Where there may be nothing, data have one more value.
        let data = |values: i64| Column::data((values + i64::from(of.optional)) as u32);
        match (of.sort, of.optional) {
            (Sort::Pid | Sort::Object(_), false) => Column::Pid,
            (Sort::Pid | Sort::Object(_), true) => Column::OptionalPid,
            (Sort::Int { min, max }, _) => data(max - min + 1),
            (Sort::Bool, _) => data(2),
            (Sort::Enum(id), optional) => match (class_of(id), optional) {
                (Some(class), true) => Column::OptionalMember(class),
                (Some(class), false) => Column::Member(class),
                (None, _) => data(net.enumerations[id.index()].members.len() as i64),
            },
        }
    };
    Shape {
        columns: place.columns.iter().map(column).collect(),
        flow: place.is_flow(),
        hold: place.hold,
        groups: place.groups.clone(),
    }
}

/// Whether it makes no difference who is who among the values of a sort.
pub(crate) fn is_atom(net: &Net, sort: Sort) -> bool {
    match sort {
        Sort::Pid | Sort::Object(_) => true,
        Sort::Enum(id) => class(&net.enumerations[id.index()]).is_some(),
        Sort::Int { .. } | Sort::Bool => false,
    }
}

/// The class that an enumeration is, if any of its members may be permuted.
pub(crate) fn class(enumeration: &Enumeration) -> Option<Class> {
    let size = enumeration.members.len() as u32;
    match enumeration.symmetry {
        Symmetry::Rotations if size > 1 => Some(Class::Cyclic(size)),
        Symmetry::Full => {
            let sizes: Vec<u32> = enumeration.part_ranges().map(|p| p.len() as u32).collect();
            sizes.iter().any(|&size| size > 1).then_some(Class::Symmetric(sizes))
        }
        _ => None,
    }
}

impl Compiled {
    /// The working state of a concrete one, and the pid that each of its indices stands for. Those after them are
    /// objects, in the order of their classes and numbers.
    ///
    /// # Panics
    /// If the state is not one of this net.
    #[must_use]
    pub fn working(&self, state: &State) -> (Working, Vec<Pid>) {
        let (net, relations) = (self.projected(), self.relations());
        let pids: Vec<Pid> = state.pids().into_iter().collect();
        let is_object = |value: &&Value| matches!(value, Value::Object(..));
        let objects: BTreeSet<&Value> = state.values().filter(is_object).collect();
        let values: Vec<Value> = pids.iter().cloned().map(Value::Pid).collect();
        let index: HashMap<&Value, u32> =
            values.iter().chain(objects.iter().copied()).zip(0..).collect();
        let mut working = Working::new(self.schema(), relations);
        working.kinship = concrete::abstracted(&pids, state.eta(), relations);
        objects.iter().for_each(|_| _ = working.kinship.add(Kin::STRANGER));
        for (i, place) in net.places.iter().enumerate() {
            for (token, count) in state.tokens(&place.name) {
                let words = token.iter().zip(&place.columns).map(|(value, column)| {
                    let number = match (value, column.sort) {
                        (Value::Pid(_), Sort::Pid) | (Value::Object(..), Sort::Object(_)) => {
                            index[value].into()
                        }
                        (Value::Int(number), Sort::Int { .. }) => *number,
                        (Value::Bool(truth), Sort::Bool) => i64::from(*truth),
                        (Value::Enum(name), Sort::Enum(id)) => {
                            let members = &net.enumerations[id.index()].members;
                            members.iter().position(|m| m == name).expect("a member") as i64
                        }
                        (Value::None, _) => NO_VALUE,
                        // Of dead columns it is not kept who it is.
                        (Value::Pid(_) | Value::Object(..), Sort::Int { .. }) => 0,
                        _ => panic!("{value} is not of the sort of its column in {}", place.name),
                    };
                    bounds(net, column).word(number).expect("a value of the column")
                });
                let mut words: Vec<u32> = words.collect();
                self.schema().places[i].normalise(&mut words);
                assert!(working.put(i, &words, count), "as many as in the state");
            }
        }
        if let Some((interests, _)) = &self.kept {
            working.keep_links(self.schema(), interests, &mut Regarded::default());
        }
        (working, pids)
    }

    /// The working state of a concrete one without what it does not keep, as it is folded; and the value that each of
    /// its indices stands for.
    ///
    /// # Panics
    /// If the state is not one of this net.
    #[must_use]
    pub fn settled(&self, state: &State) -> (Working, Vec<Value>) {
        let (mut working, pids) = self.working(state);
        let is_object = |value: &&Value| matches!(value, Value::Object(..));
        // Objects come after the pids, in their order.
        let objects: BTreeSet<&Value> = state.values().filter(is_object).collect();
        let atoms = pids.into_iter().map(Value::Pid).chain(objects.into_iter().cloned());
        let (mut used, mut renamed) = (Vec::new(), Vec::new());
        working.collect(self.schema(), &mut used);
        working.sweep(self.schema(), &mut used, &mut renamed);
        let stays = atoms.zip(renamed).filter(|(_, renamed)| *renamed != u32::MAX);
        let atoms = stays.map(|(value, _)| value).collect();
        (working, atoms)
    }

    /// The tokens of a working state whose indices stand for these values. Of dead columns it shows whether there is
    /// something.
    #[must_use]
    pub fn named(&self, working: &Working, atoms: &[Value]) -> State {
        self.tokens(working, &|word, _| atoms[word as usize].clone(), &|_| Value::Int(0))
    }

    /// A concrete state of the class of a working one. In dead columns there are pids and objects that are
    /// nowhere else.
    #[must_use]
    pub fn state(&self, working: &Working) -> State {
        let names = names(self.projected(), working);
        let is_pid = |atom: u32| names[atom as usize].is_none();
        let (pids, eta) = concrete::realised_among(&working.kinship, is_pid);
        let first = pids.iter().flatten().map(|pid| pid.digits()[0]).max().unwrap_or(0);
        let stranger = |sort: Sort| match sort {
            Sort::Object(class) => {
                let used = names.iter().flatten().filter_map(|name| match name {
                    Value::Object(of, number) if *of == self.net().fresh[class.index()].name => {
                        Some(*number)
                    }
                    _ => None,
                });
                let number = used.max().unwrap_or(0) + 1;
                Value::Object(self.net().fresh[class.index()].name.clone(), number)
            }
            _ => Value::Pid(Pid::initial(first + 1)),
        };
        let atom = |word: u32, sort: Sort| match sort {
            Sort::Pid => Value::Pid(pids[word as usize].clone().expect("a pid")),
            _ => names[word as usize].clone().expect("an object"),
        };
        let mut state = self.tokens(working, &atom, &stranger);
        for (pid, children) in eta {
            state.activate(pid, children);
        }
        state
    }

    /// The tokens of a working state; `atom` is what an index stands for, and `stranger` what is in a dead column.
    fn tokens(
        &self,
        working: &Working,
        atom: &dyn Fn(u32, Sort) -> Value,
        stranger: &dyn Fn(Sort) -> Value,
    ) -> State {
        let net = self.projected();
        let mut state = State::new();
        for (i, (place, given)) in net.places.iter().zip(&self.net().places).enumerate() {
            for entry in working.entries(i) {
                let columns = place.columns.iter().zip(&given.columns);
                let values = entry[1..].iter().zip(columns).map(|(&word, (column, given))| {
                    let number = bounds(net, column).value(word);
                    match column.sort {
                        _ if number == NO_VALUE => Value::None,
                        sort @ (Sort::Pid | Sort::Object(_)) => atom(word, sort),
                        Sort::Int { .. } if given.sort != column.sort => stranger(given.sort),
                        Sort::Int { .. } => Value::Int(number),
                        Sort::Bool => Value::Bool(number == 1),
                        Sort::Enum(id) => Value::Enum(Arc::clone(net.member(id, number as u32))),
                    }
                });
                let token = in_normal_form(net, place, values.collect());
                assert!(state.put(&place.name, token, entry[0]), "as many as there are");
            }
        }
        state
    }
}

/// Names for the objects of a working state, numbered in their classes; nothing for pids.
fn names(net: &Net, working: &Working) -> Vec<Option<Value>> {
    let mut class_of: Vec<Option<FreshId>> = vec![None; working.kinship.kin().len()];
    for (i, place) in net.places.iter().enumerate() {
        for (column, of) in place.columns.iter().enumerate() {
            let Sort::Object(class) = of.sort else { continue };
            let atoms = working.entries(i).map(|entry| entry[1 + column]);
            for atom in atoms.filter(|atom| *atom != fold::NONE) {
                class_of[atom as usize] = Some(class);
            }
        }
    }
    let mut used = vec![0; net.fresh.len()];
    let mut name = |class: FreshId| {
        used[class.index()] += 1;
        Value::Object(net.fresh[class.index()].name.clone(), used[class.index()])
    };
    class_of.into_iter().map(|class| class.map(&mut name)).collect()
}
