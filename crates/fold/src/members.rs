//! Members of classes as atoms.
//!
//! A permutation of members that makes no difference is a renaming just as one of pids is. So before a
//! state is folded or split, every member that is in a token becomes one more pid: inactive, unrelated,
//! and distinguished by the tokens it is in and by one more token for it:
//!
//! - of a symmetric class in parts, `(member, part)`;
//! - of a cyclic class, `(member, the next one that is in a token, how many steps further it is)`. These
//!   tokens are a ring, of which the bijections that keep the distances are the rotations.
//!
//! A bijection between the members that are in tokens of two states can be completed to a permutation of
//! the class exactly if it keeps these: parts, since the numbers of their absent members are the same; and
//! a rotation is determined by where it takes one member. No member is taken for a pid or for one of
//! another class: whatever is in a column stays in it. So two states are equivalent exactly when
//! what becomes of them is, pids alone considered; nothing else of this crate knows of classes.
//!
//! On the way back members are numbered anew, within their part in the order of their atoms, and round
//! the ring beginning at the first. Both ways cost the size of the state. Absent members cost nothing.

use num_bigint::BigUint;
use state::Relations;

use crate::{Class, Column, Hold, Kin, NONE, Schema, Shape, Working};

/// Turns members into atoms and back, for the states of a schema.
pub(crate) struct Members {
    /// The schema of the states.
    states: Schema,
    /// The schema of what comes of it. The places of the states come first.
    schema: Schema,
    layouts: Vec<Layout>,
    /// The columns that hold members: place, column, class.
    columns: Vec<(usize, usize, usize)>,
    /// The columns that hold members or pids.
    atom_columns: Vec<(usize, usize)>,
    /// The places that have groups, whose order of records changes with the names of members.
    grouped: Vec<usize>,
    /// The class of each member. Members are numbered through all classes.
    class_of: Vec<u32>,
    /// One more than the atom of each member, 0 for those that are absent.
    atoms: Vec<u32>,
    /// The members present, in the order of their atoms, and the number of atoms that are pids.
    present: Vec<u32>,
    pids: usize,
    embedded: Working,
    /// The atoms in canonical order, and the number that each pid has among the pids.
    order: Vec<u32>,
    labels: Vec<u32>,
    /// The members present of a cyclic class, in order.
    ring: Vec<u32>,
    kept: Vec<bool>,
}

/// Where the members of a class are among all, and how they are distinguished.
struct Layout {
    first: u32,
    size: u32,
    /// The first member of each part, counted from the first of the class; of a cyclic class, 0.
    parts: Vec<u32>,
    is_cyclic: bool,
    /// The place of the tokens that there is one of for each member.
    place: Option<usize>,
}

impl Layout {
    /// The number of members of each part.
    fn sizes(&self) -> Vec<u32> {
        let ends = self.parts.iter().skip(1).copied().chain([self.size]);
        self.parts.iter().zip(ends).map(|(start, end)| end - start).collect()
    }

    /// The part of a member, counted from the first of the class.
    fn part_of(&self, member: u32) -> u32 {
        self.parts.partition_point(|&start| start <= member) as u32 - 1
    }
}

/// The scratch memory of the way back.
#[derive(Default)]
pub(crate) struct Back {
    /// For each atom its class and part; `NONE` for pids.
    kinds: Vec<(u32, u32)>,
    /// For each atom of a cyclic class the next one, and how far it is.
    next: Vec<(u32, u32)>,
    /// How many members of each part have been numbered, for each class.
    used: Vec<Vec<u32>>,
    /// The number of each atom, among the pids or in its class.
    numbers: Vec<u32>,
}

impl Members {
    /// For the states of `schema`, if it has classes.
    pub(crate) fn of(schema: &Schema, relations: Relations) -> Option<Members> {
        if schema.classes.is_empty() {
            return None;
        }
        let mut embedded = Schema { places: schema.places.clone(), classes: Vec::new() };
        let (mut columns, mut atom_columns) = (Vec::new(), Vec::new());
        for (at, place) in embedded.places.iter_mut().enumerate() {
            for (column, kind) in place.columns.iter_mut().enumerate() {
                let (class, atom) = match *kind {
                    Column::Member(class) => (Some(class), Column::Pid),
                    Column::OptionalMember(class) => (Some(class), Column::OptionalPid),
                    other => (None, other),
                };
                columns.extend(class.map(|class| (at, column, class as usize)));
                *kind = atom;
                if kind.holds_pids() {
                    atom_columns.push((at, column));
                }
            }
        }
        let has_groups = |place: &usize| !schema.places[*place].groups.is_empty();
        let grouped = (0..schema.places.len()).filter(has_groups).collect();
        let mut class_of = Vec::new();
        let mut layouts = Vec::new();
        for (number, class) in (0..).zip(&schema.classes) {
            let (first, size) = (class_of.len() as u32, class.size());
            class_of.resize(class_of.len() + size as usize, number);
            let (parts, columns) = match class {
                Class::Symmetric(parts) => {
                    let start = |sum: &mut u32, &size: &u32| {
                        *sum += size;
                        Some(*sum - size)
                    };
                    let starts: Vec<u32> = parts.iter().scan(0, start).collect();
                    let part = Column::data(parts.len() as u32);
                    (starts, (parts.len() > 1).then(|| vec![Column::Pid, part]))
                }
                Class::Cyclic(size) => {
                    let distance = Column::data(*size);
                    (vec![0], Some(vec![Column::Pid, Column::Pid, distance]))
                }
            };
            let place = columns.map(|columns| {
                let (hold, groups) = (Hold::Weak, Vec::new());
                embedded.places.push(Shape { columns, flow: false, hold, groups });
                embedded.places.len() - 1
            });
            let is_cyclic = matches!(class, Class::Cyclic(_));
            layouts.push(Layout { first, size, parts, is_cyclic, place });
        }
        Some(Members {
            embedded: Working::new(&embedded, relations),
            states: schema.clone(),
            schema: embedded,
            layouts,
            kept: Vec::new(),
            columns,
            atom_columns,
            grouped,
            atoms: vec![0; class_of.len()],
            class_of,
            present: Vec::new(),
            pids: 0,
            order: Vec::new(),
            labels: Vec::new(),
            ring: Vec::new(),
        })
    }

    /// The schema of the states without members.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What `working` becomes. Atoms are its pids, then its members.
    pub(crate) fn embed(&mut self, working: &Working) -> &mut Working {
        self.present.drain(..).for_each(|member| self.atoms[member as usize] = 0);
        self.pids = working.kinship.kin().len();
        self.embedded.clear();
        self.embedded.copy(working);
        // Members that only garbage mentions are absent.
        self.embedded.collect(&self.states, &mut self.kept);
        for &(place, column, class) in &self.columns {
            let first = self.layouts[class].first;
            for word in self.embedded.column_mut(place, column).filter(|word| **word != NONE) {
                let member = first + *word;
                let atom = &mut self.atoms[member as usize];
                if *atom == 0 {
                    self.present.push(member);
                    *atom = (self.pids + self.present.len()) as u32;
                }
                *word = *atom - 1;
            }
        }
        for &place in &self.grouped {
            self.embedded.normalise(place, &self.states.places[place]);
        }
        for _ in &self.present {
            self.embedded.kinship.add(Kin::STRANGER);
        }
        for class in 0..self.layouts.len() {
            match self.layouts[class].place {
                Some(place) if self.layouts[class].is_cyclic => self.put_ring(class, place),
                Some(place) => self.put_parts(class, place),
                None => {}
            }
        }
        &mut self.embedded
    }

    /// What [`Members::embed`] has made.
    pub(crate) fn embedded(&self) -> &Working {
        &self.embedded
    }

    fn put_parts(&mut self, class: usize, place: usize) {
        let layout = &self.layouts[class];
        for (atom, &member) in (self.pids as u32..).zip(&self.present) {
            if self.class_of[member as usize] == class as u32 {
                let part = layout.part_of(member - layout.first);
                self.embedded.put_new(place, 1, |words| words.extend([atom, part]));
            }
        }
    }

    fn put_ring(&mut self, class: usize, place: usize) {
        let Members { ring, present, class_of, atoms, embedded, layouts, .. } = self;
        ring.clear();
        ring.extend(present.iter().filter(|&&member| class_of[member as usize] == class as u32));
        ring.sort_unstable();
        for (i, &member) in ring.iter().enumerate() {
            let next = ring[(i + 1) % ring.len()];
            let atom = |member: u32| atoms[member as usize] - 1;
            // From a member that is alone it is all the way round.
            let steps = (next + layouts[class].size - member - 1) % layouts[class].size;
            embedded.put_new(place, 1, |words| words.extend([atom(member), atom(next), steps]));
        }
    }

    /// The number of ways in which the members present in [`Members::embedded`] could be replaced by others
    /// that the classes allow.
    pub(crate) fn choices(&self) -> BigUint {
        let mut left: Vec<Vec<u32>> = self.layouts.iter().map(Layout::sizes).collect();
        let mut choices = BigUint::from(1_u32);
        for &member in &self.present {
            let class = self.class_of[member as usize] as usize;
            let layout = &self.layouts[class];
            let left = &mut left[class][layout.part_of(member - layout.first) as usize];
            choices *= *left;
            // Where one goes in a rotation the others follow.
            *left = if layout.is_cyclic { 1 } else { *left - 1 };
        }
        choices
    }

    /// Notes the canonical positions of the atoms of [`Members::embedded`].
    pub(crate) fn label(&mut self, position: &[u32]) {
        self.order.clear();
        self.order.resize(position.len(), 0);
        (0..).zip(position).for_each(|(atom, &at)| self.order[at as usize] = atom);
        self.labels.clear();
        self.labels.resize(self.pids, 0);
        let pids = self.order.iter().filter(|&&atom| (atom as usize) < self.pids);
        (0..).zip(pids).for_each(|(number, &pid)| self.labels[pid as usize] = number);
    }

    /// The number that each pid has among the pids, by the positions noted.
    pub(crate) fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// The numbers that the members of a class are given on the way back, by the positions noted; those
    /// that are absent get what is left.
    pub(crate) fn permutation(&self, class: usize) -> Vec<u32> {
        let layout = &self.layouts[class];
        let present = self.order.iter().filter_map(|&atom| {
            let member = *self.present.get((atom as usize).checked_sub(self.pids)?)?;
            (self.class_of[member as usize] == class as u32).then(|| member - layout.first)
        });
        if layout.is_cyclic {
            let first = present.clone().next().unwrap_or(0);
            return (0..layout.size)
                .map(|member| (member + layout.size - first) % layout.size)
                .collect();
        }
        let mut next = layout.parts.clone();
        let mut numbers = vec![NONE; layout.size as usize];
        for member in present.clone().chain(0..layout.size) {
            if numbers[member as usize] == NONE {
                let next = &mut next[layout.part_of(member) as usize];
                numbers[member as usize] = *next;
                *next += 1;
            }
        }
        numbers
    }

    /// Makes members of the atoms of a state again that are not pids.
    pub(crate) fn project(&self, embedded: &Working, into: &mut Working, back: &mut Back) {
        let kin = embedded.kinship.kin();
        back.read(embedded, &self.layouts, &self.columns);
        back.number(kin.len(), &self.layouts);
        into.clear();
        for (kin, _) in kin.iter().zip(&back.kinds).filter(|(_, (class, _))| *class == NONE) {
            into.kinship.add(kin.renamed(|pid| back.numbers[pid as usize]));
        }
        into.copy_tokens(embedded);
        for &(place, column) in &self.atom_columns {
            for word in into.column_mut(place, column).filter(|word| **word != NONE) {
                *word = back.numbers[*word as usize];
            }
        }
        for &place in &self.grouped {
            into.normalise(place, &self.states.places[place]);
        }
    }
}

impl Back {
    /// Finds out which atoms are members, and of what.
    fn read(&mut self, embedded: &Working, layouts: &[Layout], columns: &[(usize, usize, usize)]) {
        let atoms = embedded.kinship.kin().len();
        self.kinds.clear();
        self.kinds.resize(atoms, (NONE, 0));
        self.next.resize(atoms.max(self.next.len()), (NONE, 0));
        for &(place, column, class) in
            columns.iter().filter(|column| layouts[column.2].place.is_none())
        {
            let atoms = embedded.entries(place).map(|entry| entry[1 + column]);
            for atom in atoms.filter(|atom| *atom != NONE) {
                self.kinds[atom as usize] = (class as u32, 0);
            }
        }
        for (class, layout) in (0..).zip(layouts) {
            let Some(place) = layout.place else { continue };
            for entry in embedded.entries(place) {
                let atom = entry[1] as usize;
                if layout.is_cyclic {
                    self.kinds[atom] = (class, 0);
                    self.next[atom] = (entry[2], entry[3] + 1);
                } else {
                    self.kinds[atom] = (class, entry[2]);
                }
            }
        }
    }

    /// Numbers the atoms, each among its like.
    fn number(&mut self, atoms: usize, layouts: &[Layout]) {
        self.used.resize_with(layouts.len(), Vec::new);
        for (used, layout) in self.used.iter_mut().zip(layouts) {
            used.clear();
            used.resize(layout.parts.len(), 0);
        }
        self.numbers.clear();
        self.numbers.resize(atoms, NONE);
        let mut pids = 0;
        for atom in 0..atoms {
            let (class, part) = self.kinds[atom];
            if class == NONE {
                self.numbers[atom] = pids;
                pids += 1;
                continue;
            }
            let layout = &layouts[class as usize];
            if !layout.is_cyclic {
                let used = &mut self.used[class as usize][part as usize];
                self.numbers[atom] = layout.parts[part as usize] + *used;
                *used += 1;
            } else if self.numbers[atom] == NONE {
                let (mut at, mut number) = (atom, 0);
                while self.numbers[at] == NONE {
                    self.numbers[at] = number;
                    let (next, steps) = self.next[at];
                    (at, number) = (next as usize, number + steps);
                }
            }
        }
    }
}
