//! Groups of columns in random nets: which there are, and what transitions do with them.
//!
//! A transition must not depend on the order of records. So it reads all of a group or nothing, goes through the
//! records by a parameter, asks whether something is in any of them, and puts back all of them with one changed, or
//! makes new ones.

use net::{BinaryOp, Column, EnumId, Expr, FreshId, Group, Hold, Literal, Net, Place, PlaceId};
use net::{PlaceKind, Sort, Var};
use random::Random;

use crate::random_net::{classes, random_sort};
use crate::random_transition::Author;

/// No more records are chosen where there are as many ways as these.
const MOST_POSITIONS: i64 = 4;

/// A group that an input has bound, or that is in a record which was chosen.
#[derive(Clone)]
pub struct Source {
    /// The columns of a record, and what they are bound to, record by record.
    columns: Vec<Column>,
    vars: Vec<Var>,
    group: Group,
    chosen: Option<Chosen>,
}

/// A record that was chosen: by which parameter, and the groups within it.
#[derive(Clone)]
struct Chosen {
    parameter: Var,
    within: Vec<Source>,
}

impl Source {
    fn is_like(&self, columns: &[Column], group: &Group) -> bool {
        self.columns == columns
            && (self.group.count, &self.group.groups) == (group.count, &group.groups)
    }
}

/// Places of which most have groups. There are few kinds of these, so that records can go from one to another.
pub fn group_places(net: &mut Net, random: &mut Random) {
    net.places.push(Place::new("fuel", PlaceKind::Ordinary, Vec::new()));
    let templates = [(); 2].map(|()| template(net, random));
    for i in 0..2 + random.below(2) {
        let mut columns = vec![Column::of(Sort::Pid)];
        if random.percent(25) {
            columns.push(Column::of(random_sort(30, random)));
        }
        let place = Place::new(format!("f{i}"), PlaceKind::Flow, columns);
        let place = with_groups(place, &templates, [45, 45, 10], random);
        net.places.push(place);
    }
    for i in 0..1 + random.below(3) {
        let fixed = random.weighted(&[40, 40, 20]);
        let mut columns: Vec<Column> =
            (0..fixed).map(|_| Column::of(random_sort(50, random))).collect();
        let mut hold = Hold::Root;
        if random.percent(35) {
            let owner = if random.percent(40) { Sort::Pid } else { Sort::Object(FreshId(0)) };
            columns.insert(0, Column::of(owner));
            hold = Hold::Owned(0);
        }
        let place = Place { hold, ..Place::new(format!("p{i}"), PlaceKind::Ordinary, columns) };
        let place = with_groups(place, &templates, [10, 70, 20], random);
        net.places.push(place);
    }
}

/// The columns of a record, and how many there are of it.
type Template = (Vec<Column>, Group);

fn template(net: &Net, random: &mut Random) -> Template {
    let optional = |sort: Sort| Column { optional: true, ..Column::of(sort) };
    let pid = optional(Sort::Pid);
    let atom = match (classes(net).first(), random.percent(50)) {
        (Some(class), true) => optional(Sort::Enum(*class)),
        (_, true) => optional(Sort::Object(FreshId(0))),
        _ => pid.clone(),
    };
    let datum = Column::of(if random.percent(50) { Sort::Bool } else { Sort::Enum(EnumId(0)) });
    let count = 2 + random.weighted(&[60, 40]);
    let flat = |columns: Vec<Column>| {
        let width = columns.len();
        (columns, Group::new(0, width, count))
    };
    match random.weighted(&[25, 25, 15, 5, 8, 22]) {
        0 => flat(vec![atom]),
        1 => flat(vec![pid, atom]),
        2 => flat(vec![atom, datum]),
        3 => flat(vec![datum]),
        4 => flat(vec![Column::of(Sort::Pid)]),
        _ => {
            let inner = vec![Group::new(1, 1, 2)];
            (vec![atom, pid.clone(), pid], Group { groups: inner, ..Group::new(0, 3, 2) })
        }
    }
}

/// The place with no group, one or two.
fn with_groups(
    mut place: Place,
    templates: &[Template],
    weights: [usize; 3],
    random: &mut Random,
) -> Place {
    for _ in 0..random.weighted(&weights) {
        let (columns, group) = random.pick(templates).clone();
        place.groups.push(Group { first: place.columns.len(), ..group });
        place.columns.extend((0..group.count).flat_map(|_| columns.clone()));
    }
    if random.percent(20) && !place.groups.is_empty() {
        place.columns.push(Column::of(random_sort(40, random)));
    }
    place
}

impl Author<'_> {
    /// The pattern of a place from a column on; groups are read as a whole, or not at all.
    pub fn pattern_from(&mut self, place: PlaceId, skip: usize) -> Vec<Option<Expr>> {
        let Place { columns, groups, .. } = self.net.place(place).clone();
        let mut pattern: Vec<Option<Expr>> = Vec::new();
        while skip + pattern.len() < columns.len() {
            let at = skip + pattern.len();
            let Some(group) = groups.iter().find(|group| group.first == at) else {
                pattern.extend(self.pattern(vec![columns[at].clone()]));
                continue;
            };
            let all = &columns[at..group.end()];
            if self.random.percent(20) {
                pattern.extend(all.iter().map(|_| None));
                continue;
            }
            let vars: Vec<Var> = all.iter().map(|column| self.unknown_of(column)).collect();
            pattern.extend(vars.iter().map(|var| Some(Expr::Var(*var))));
            let columns = all[..group.width].to_vec();
            let group = group.clone();
            self.sources.push(Source { columns, vars, group, chosen: None });
        }
        pattern
    }

    /// Chooses records of the groups bound since the first of these.
    pub fn choose_records(&mut self, first: usize) {
        for at in first..self.sources.len() {
            if self.positions() < MOST_POSITIONS && self.random.percent(75) {
                let mut source = self.sources[at].clone();
                self.choose_record(&mut source);
                self.sources[at] = source;
            }
        }
    }

    fn choose_record(&mut self, source: &mut Source) {
        let Group { width, count, groups, .. } = &source.group;
        let parameter = self.position(*count);
        let mut record = Vec::new();
        for (at, column) in source.columns.iter().enumerate() {
            let mut value = Expr::Var(source.vars[at]);
            for number in 1..*count {
                let this = Expr::Var(source.vars[number * width + at]);
                value = if_at(parameter, number, this, value);
            }
            let var = self.unknown_of(column);
            self.transition.definitions.push((var, value));
            record.push(var);
        }
        let mut within = Vec::new();
        for group in groups {
            let columns = source.columns[group.first..][..group.width].to_vec();
            let vars = record[group.first..group.end()].to_vec();
            let mut inner = Source { columns, vars, group: group.clone(), chosen: None };
            if self.positions() < MOST_POSITIONS && self.random.percent(70) {
                self.choose_record(&mut inner);
            }
            within.push(inner);
        }
        let is_within = |at: usize| groups.iter().any(|g| (g.first..g.end()).contains(&at));
        for (at, var) in record.iter().enumerate().filter(|(at, _)| !is_within(*at)) {
            self.known.push((*var, source.columns[at].sort));
        }
        source.chosen = Some(Chosen { parameter, within });
    }

    /// In how many ways records are chosen so far.
    fn positions(&self) -> i64 {
        let size = |(_, sort): &(Var, Sort)| match sort {
            Sort::Int { min, max } => max - min + 1,
            _ => 1,
        };
        self.transition.parameters.iter().map(size).product()
    }

    /// A parameter that goes through the positions of records, of which nothing else may depend.
    fn position(&mut self, count: usize) -> Var {
        let sort = Sort::Int { min: 0, max: count as i64 - 1 };
        let var = self.unknown_of(&Column::of(sort));
        self.transition.parameters.push((var, sort));
        var
    }

    /// Whether something known is in some record of the groups bound since the first of these.
    pub fn is_contained(&mut self, first: usize) -> Option<Expr> {
        let sources = self.sources.get(first..).filter(|sources| !sources.is_empty())?;
        let source = self.random.pick(sources).clone();
        let at = self.random.below(source.columns.len());
        let Column { sort, optional, .. } = source.columns[at];
        let other = match self.known_or_nothing(sort.into(), false) {
            Some((var, _)) if self.random.percent(80) => Expr::Var(var),
            _ if optional => Expr::Literal(Literal::None(sort.into())),
            _ => self.value(sort)?,
        };
        let records = source.vars.chunks(source.group.width);
        let alike = alike(at, &source.group.groups);
        let vars = records.flat_map(|record| alike.iter().map(|&at| record[at]));
        let equal = vars.map(|var| Expr::binary(BinaryOp::Equal, Expr::Var(var), other.clone()));
        let contained = { equal }.reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))?;
        Some(match self.random.percent(40) {
            true => Expr::Unary(net::UnaryOp::Not, contained.into()),
            false => contained,
        })
    }

    /// What is put into a place from a column on; nothing if not enough is known.
    pub fn outputs_from(&mut self, place: PlaceId, skip: usize) -> Option<Vec<Expr>> {
        let Place { columns, groups, .. } = self.net.place(place).clone();
        let mut sources = self.sources.clone();
        let within = |source: &Source| source.chosen.as_ref().map(|chosen| chosen.within.clone());
        let inner: Vec<Source> = sources.iter().filter_map(within).flatten().collect();
        sources.extend(inner);
        self.row(&columns, skip, &groups, &sources)
    }

    /// Values for columns, from one on.
    fn row(
        &mut self,
        columns: &[Column],
        skip: usize,
        groups: &[Group],
        sources: &[Source],
    ) -> Option<Vec<Expr>> {
        let mut row = Vec::new();
        while skip + row.len() < columns.len() {
            let at = skip + row.len();
            match groups.iter().find(|group| group.first == at) {
                Some(group) => row.extend(self.records(&columns[at..], group, sources)?),
                None => row.push(self.output(&columns[at])?),
            }
        }
        Some(row)
    }

    /// The records of a group: those of one that was read, perhaps with one changed, or new ones.
    fn records(
        &mut self,
        columns: &[Column],
        group: &Group,
        sources: &[Source],
    ) -> Option<Vec<Expr>> {
        let columns = &columns[..group.width];
        let likes = sources.iter().filter(|source| source.is_like(columns, group));
        let likes: Vec<&Source> = likes.collect();
        if likes.is_empty() || self.random.percent(15) {
            let mut all = Vec::new();
            for _ in 0..group.count {
                all.extend(self.record(columns, group, &[])?);
            }
            return Some(all);
        }
        let source = (*self.random.pick(&likes)).clone();
        let mut all: Vec<Expr> = source.vars.iter().map(|var| Expr::Var(*var)).collect();
        if let Some(Chosen { parameter, within }) = source.chosen
            && self.random.percent(80)
        {
            let record = self.record(columns, group, &within)?;
            for (at, value) in all.iter_mut().enumerate() {
                let (number, column) = (at / group.width, at % group.width);
                *value = if_at(parameter, number, record[column].clone(), value.clone());
            }
        }
        Some(all)
    }

    /// A record: one that is not used, or any.
    fn record(
        &mut self,
        columns: &[Column],
        group: &Group,
        within: &[Source],
    ) -> Option<Vec<Expr>> {
        if self.random.percent(30) {
            let absent: Option<Vec<Expr>> = columns.iter().map(absent).collect();
            if absent.is_some() {
                return absent;
            }
        }
        self.row(columns, 0, &group.groups, within)
    }
}

/// The columns of a record that differ from one only by the order of records within.
fn alike(column: usize, groups: &[Group]) -> Vec<usize> {
    match groups.iter().find(|group| (group.first..group.end()).contains(&column)) {
        None => vec![column],
        Some(group) => {
            let of_record = (column - group.first) % group.width;
            (0..group.count).map(|number| group.first + number * group.width + of_record).collect()
        }
    }
}

/// What a column holds that is not used.
fn absent(column: &Column) -> Option<Expr> {
    Some(Expr::Literal(match column.sort {
        sort if column.optional => Literal::None(sort.into()),
        Sort::Int { min, .. } => Literal::Int(min),
        Sort::Bool => Literal::Bool(false),
        Sort::Enum(id) => Literal::Enum(id, 0),
        Sort::Pid | Sort::Object(_) => return None,
    }))
}

fn if_at(parameter: Var, number: usize, this: Expr, other: Expr) -> Expr {
    let is_it = Expr::binary(BinaryOp::Equal, Expr::Var(parameter), Expr::int(number as i64));
    Expr::If(is_it.into(), this.into(), other.into())
}
