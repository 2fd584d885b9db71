//! Names that a net does not have: those of start threads, of members that are only numbered, and of what
//! initial tokens go through. They must not be names that the net has.

use std::collections::{HashMap, HashSet};

use net::{EnumId, Net};

/// The names of a net, as far as new ones must differ from them.
pub(super) struct Names<'a> {
    /// Constants, classes, parts and members.
    values: HashSet<&'a str>,
    classes: HashMap<&'a str, EnumId>,
    /// By class: whether something else is called like its members.
    clashes: Vec<bool>,
    thread: String,
    object: String,
}

impl<'a> Names<'a> {
    pub(super) fn of(net: &'a Net) -> Names<'a> {
        let mut values: HashSet<&str> = net.constants.iter().map(|c| c.name.as_str()).collect();
        for class in &net.enumerations {
            values.insert(&class.name);
            values.extend(class.members.iter().map(|member| &**member));
            values.extend(class.parts.iter().map(|part| part.name.as_str()));
        }
        values.extend(net.fresh.iter().map(|class| &*class.name));
        let ids = (0..).map(EnumId);
        let classes = net.enumerations.iter().map(|class| class.name.as_str()).zip(ids).collect();
        let clashes = vec![false; net.enumerations.len()];
        let mut names =
            Names { values, classes, clashes, thread: "thread".into(), object: "object".into() };
        while names.values.iter().any(|name| name.starts_with(&names.thread)) {
            names.thread.push('_');
        }
        while names.values.iter().any(|name| name.starts_with(&names.object)) {
            names.object.push('_');
        }
        names.find_clashes(net);
        names
    }

    fn find_clashes(&mut self, net: &'a Net) {
        let of_transitions = net.transitions.iter().flat_map(|t| &t.variables);
        let variables = of_transitions.chain(net.properties.iter().flat_map(|p| &p.variables));
        let variables = variables.map(|variable| variable.name.as_str());
        let constants = net.constants.iter().map(|constant| constant.name.as_str());
        let mut others: Vec<(Option<EnumId>, &str)> =
            variables.chain(constants).map(|name| (None, name)).collect();
        for (id, class) in (0..).map(EnumId).zip(&net.enumerations) {
            let parts = class.parts.iter().map(|part| part.name.as_str());
            others.extend(parts.chain([class.name.as_str()]).map(|name| (None, name)));
            others.extend(class.members.iter().map(|member| (Some(id), &**member)));
        }
        for (own, name) in others {
            for id in self.called_like_members_of(name) {
                self.clashes[id.index()] |= own != Some(id);
            }
        }
    }

    /// The classes whose name, with a number after it, this is.
    fn called_like_members_of(&self, name: &str) -> Vec<EnumId> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let prefixes = (1..=digits).map(|length| &name[..name.len() - length]);
        prefixes.filter_map(|prefix| self.classes.get(prefix).copied()).collect()
    }

    /// Whether the members of a class may be called by numbers without being written down.
    pub(super) fn may_be_numbered(&self, id: EnumId) -> bool {
        !self.clashes[id.index()]
    }

    /// The name of a start thread.
    pub(super) fn thread(&self, index: usize) -> String {
        format!("{}{}", self.thread, index + 1)
    }

    /// The name of an initial object.
    pub(super) fn object(&self, index: usize) -> String {
        format!("{}{}", self.object, index + 1)
    }

    /// This many names for variables; none of them is a value or one of those `taken`.
    pub(super) fn fresh(&self, taken: &[&str], count: usize) -> Vec<String> {
        let letters = ["x", "y", "z"].map(String::from).into_iter();
        let names = letters.chain((1..).map(|i| format!("member{i}_")));
        let is_free =
            |name: &String| !self.values.contains(name.as_str()) && !taken.contains(&name.as_str());
        names.filter(is_free).take(count).collect()
    }
}
