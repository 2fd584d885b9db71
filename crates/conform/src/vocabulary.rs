//! What the words of a log mean in a model: a mapping, resolved in a net.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use diagnostics::nearest;
use net::{Kind, Net, TransitionId};
use serde_json::Value as Json;

use crate::engine::{Asked, Said, nothing};
use crate::entry::{Entry, LogError};
use crate::event::{Alternative, Given, Occurrence, Source};
use crate::mapping::{EventRule, Mapping, MappingError};
use crate::names::Names;
use crate::order::Ordering;
use crate::selector;
use crate::variables::{Variable, variables};

/// Fields that most logs have and that say nothing about a model.
const COMMON_FIELDS: [&str; 4] = ["time", "timestamp", "ts", "level"];
/// How much of a line is shown.
const LONGEST_TEXT: usize = 160;

/// A mapping in terms of a net.
#[derive(Debug)]
pub struct Vocabulary {
    net: Arc<Net>,
    rules: HashMap<String, Vec<Rule>>,
    ignored: BTreeSet<String>,
    logged: Vec<TransitionId>,
    unlogged: Vec<TransitionId>,
    /// How each transition that is logged is told.
    told: BTreeMap<TransitionId, Told>,
    kinds: BTreeSet<Kind>,
    names_reused: bool,
    ordering: Ordering,
    thread: Option<String>,
    clock: Option<String>,
    /// Fields that need not be variables.
    other_fields: Vec<String>,
}

/// What an event may be, if its fields are as they must be.
#[derive(Debug)]
struct Rule {
    when: BTreeMap<String, Json>,
    alternatives: Vec<(TransitionId, Vec<ValueRule>)>,
    /// Whether fields are variables by their names.
    by_name: bool,
}

/// Where the value of a variable is in the log.
#[derive(Clone, Debug)]
struct ValueRule {
    field: String,
    /// Whether the field may be missing.
    may_lack: bool,
    variable: Variable,
}

/// The event by which a transition is logged, and its fields.
#[derive(Debug)]
struct Told {
    event: String,
    fields: Vec<String>,
    asked: Vec<Asked>,
}

impl Vocabulary {
    /// Resolves a mapping.
    ///
    /// # Errors
    /// If the model has no such steps or variables, or if it is not said of some steps whether they are logged.
    pub fn new(net: &Arc<Net>, mapping: &Mapping) -> Result<Vocabulary, MappingError> {
        let mut rules: HashMap<String, Vec<Rule>> = HashMap::new();
        for rule in &mapping.events {
            rules.entry(rule.event.clone()).or_default().push(resolved(net, rule)?);
        }
        let mut unlogged = BTreeSet::new();
        for word in mapping.unlogged.iter().filter(|word| *word != "*") {
            let found = selector::select(net, word);
            unlogged.extend(found.map_err(|what| MappingError(format!("`unlogged`: {what}")))?);
        }
        if mapping.events.is_empty() {
            let names: BTreeSet<String> =
                selector::steps(net).flat_map(|id| selector::names(net, id)).collect();
            for event in names {
                let rule = EventRule { event, when: BTreeMap::new(), step: None, values: None };
                let mut found = resolved(net, &rule)?;
                found.alternatives.retain(|(id, _)| !unlogged.contains(id));
                if !found.alternatives.is_empty() {
                    rules.insert(rule.event, vec![found]);
                }
            }
        }
        let all = rules.values().flatten().flat_map(|rule| &rule.alternatives);
        let logged: BTreeSet<TransitionId> = all.map(|(id, _)| *id).collect();
        let open: Vec<TransitionId> = selector::steps(net)
            .filter(|id| !logged.contains(id) && !unlogged.contains(id))
            .collect();
        if mapping.unlogged.iter().any(|word| word == "*") {
            unlogged.extend(&open);
        } else if !open.is_empty() {
            return Err(MappingError(open_steps(net, &open)));
        }
        let told = told(net, &rules, mapping);
        let kinds = told.values().flat_map(|told| told.asked.iter().map(|(_, kind)| *kind));
        let mut kinds: BTreeSet<Kind> = kinds.filter(|kind| is_identity(net, *kind)).collect();
        let given = rules.values().flatten().flat_map(|rule| &rule.alternatives);
        let given = given.flat_map(|(_, values)| values.iter().map(|value| value.variable.kind));
        kinds.extend(given.filter(|kind| is_identity(net, *kind)));
        let form = &mapping.log;
        let mut other_fields: Vec<String> = COMMON_FIELDS.map(str::to_owned).to_vec();
        other_fields.extend(form.ignored_fields.iter().cloned());
        other_fields
            .extend([&form.event, &form.thread, &form.clock].into_iter().flatten().cloned());
        other_fields.push("event".to_owned());
        Ok(Vocabulary {
            net: net.clone(),
            rules,
            ignored: mapping.ignored.iter().cloned().collect(),
            logged: logged.into_iter().collect(),
            unlogged: unlogged.into_iter().collect(),
            told,
            kinds,
            names_reused: mapping.names_reused,
            ordering: mapping.ordering(),
            thread: form.thread.clone(),
            clock: form.clock.clone(),
            other_fields,
        })
    }

    /// What is known of the order of the log.
    #[must_use]
    pub fn ordering(&self) -> Ordering {
        self.ordering
    }

    pub(crate) fn net(&self) -> &Arc<Net> {
        &self.net
    }

    pub(crate) fn logged(&self) -> &[TransitionId] {
        &self.logged
    }

    pub(crate) fn unlogged(&self) -> &[TransitionId] {
        &self.unlogged
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.kinds.iter().copied()
    }

    pub(crate) fn names_reused(&self) -> bool {
        self.names_reused
    }

    /// What is asked of the modes of a transition to tell them as the log would.
    pub(crate) fn asked(&self, transition: TransitionId) -> &[Asked] {
        self.told.get(&transition).map_or(&[], |told| &told.asked)
    }

    /// The event by which a transition is logged.
    pub(crate) fn event_of(&self, transition: TransitionId) -> &str {
        let name = || self.net.transition(transition).name.as_str();
        self.told.get(&transition).map_or_else(name, |told| &told.event)
    }

    /// A mode, as the log would tell it.
    pub(crate) fn text(&self, transition: TransitionId, said: &[Said], names: &Names) -> String {
        let Some(Told { event, fields, asked }) = self.told.get(&transition) else {
            return self.net.transition(transition).name.clone();
        };
        let values = said.iter().zip(asked).map(|(said, (_, kind))| match said {
            Said::Name(slot) => names.name(*slot).to_owned(),
            Said::Unnamed => "(a new name)".to_owned(),
            Said::Data(number) => self.datum(*kind, *number),
        });
        let fields: Vec<String> =
            fields.iter().zip(values).map(|(field, value)| format!("{field}={value}")).collect();
        if fields.is_empty() { event.clone() } else { format!("{event} {}", fields.join(" ")) }
    }

    fn datum(&self, kind: Kind, number: i64) -> String {
        match kind {
            _ if number == nothing() => "none".to_owned(),
            Kind::Bool => (number == 1).to_string(),
            Kind::Enum(id) => {
                let members = &self.net.enumerations[id.index()].members;
                let member = usize::try_from(number).ok().and_then(|at| members.get(at));
                member.map_or_else(|| number.to_string(), ToString::to_string)
            }
            _ => number.to_string(),
        }
    }

    /// What an entry says, unless it says nothing about the model.
    ///
    /// # Errors
    /// If it cannot be understood.
    pub(crate) fn read(&self, entry: &Entry) -> Result<Option<Occurrence>, LogError> {
        let wrong = |what: String| LogError::new(entry.line, what);
        let Some(rules) = self.rules.get(&entry.event) else {
            if self.ignored.contains(&entry.event) || self.ignored.contains("*") {
                return Ok(None);
            }
            return Err(wrong(self.no_such_event(&entry.event)));
        };
        let is_meant = |rule: &&Rule| {
            rule.when.iter().all(|(field, value)| {
                entry.fields.get(field).is_some_and(|found| is_same(found, value))
            })
        };
        let mut meant = rules.iter().filter(is_meant).peekable();
        if meant.peek().is_none() {
            if self.ignored.contains(&entry.event) {
                return Ok(None);
            }
            return Err(wrong(format!(
                "no rule for the event `{}` has a `when` that fits these fields; add one, or add the event to `ignored`",
                entry.event
            )));
        }
        let mut alternatives: Vec<Alternative<Given>> = Vec::new();
        // What does not fit one of several is another; if it fits none, why it does not fit the first.
        let mut misfit = None;
        for rule in meant {
            if rule.by_name {
                self.check_fields(rule, entry).map_err(wrong)?;
            }
            for (transition, values) in &rule.alternatives {
                let known = match self.known(values, entry) {
                    Ok(known) => known,
                    Err(why) => {
                        misfit.get_or_insert(why);
                        continue;
                    }
                };
                let alternative = Alternative { transition: *transition, known };
                if !alternatives.contains(&alternative) {
                    alternatives.push(alternative);
                }
            }
        }
        if let (true, Some(why)) = (alternatives.is_empty(), misfit) {
            return Err(wrong(why));
        }
        let thread = match &self.thread {
            Some(field) if self.ordering != Ordering::Lines => {
                let value = entry.fields.get(field).and_then(name_of);
                let missing =
                    || wrong(format!("the field `{field}` must say which thread it is of"));
                Some(value.ok_or_else(missing)?.into())
            }
            _ => None,
        };
        let clock = match &self.clock {
            Some(field) if self.ordering == Ordering::Clocks => {
                self.clock(field, entry, thread.as_ref()).map_err(wrong)?
            }
            _ => BTreeMap::new(),
        };
        let mut text: String = entry.text.chars().take(LONGEST_TEXT).collect();
        if text.len() < entry.text.len() {
            text.push('…');
        }
        Ok(Some(Occurrence {
            line: entry.line,
            text: text.into(),
            event: entry.event.as_str().into(),
            alternatives: alternatives.into(),
            thread,
            clock,
        }))
    }

    fn clock(
        &self,
        field: &str,
        entry: &Entry,
        thread: Option<&Rc<str>>,
    ) -> Result<BTreeMap<Rc<str>, u64>, String> {
        let wrong = || {
            format!(
                "the field `{field}` must be a vector clock, such as {{\"a\": 2, \"b\": 1}}, with a number for the thread itself"
            )
        };
        let parsed: Json;
        let clock = match entry.fields.get(field).ok_or_else(wrong)? {
            Json::String(text) => {
                parsed = serde_json::from_str(text).map_err(|_| wrong())?;
                &parsed
            }
            other => other,
        };
        let clock = clock.as_object().ok_or_else(wrong)?.iter();
        let clock: Option<BTreeMap<Rc<str>, u64>> =
            clock.map(|(name, count)| Some((name.as_str().into(), count.as_u64()?))).collect();
        let clock = clock.ok_or_else(wrong)?;
        let has_own = thread.is_some_and(|thread| clock.contains_key(thread));
        if has_own { Ok(clock) } else { Err(wrong()) }
    }

    /// What is known of a mode by the fields of an entry.
    fn known(&self, values: &[ValueRule], entry: &Entry) -> Result<Vec<(Source, Given)>, String> {
        let mut known = Vec::new();
        for ValueRule { field, may_lack, variable } in values {
            match entry.fields.get(field) {
                Some(value) => known.push((variable.source, self.given(field, variable, value)?)),
                None if *may_lack => {}
                None => {
                    let names: Vec<&str> = entry.fields.names().collect();
                    let help = match nearest(field, names.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => {
                            "write a `?` after its name in the mapping if it may be missing".into()
                        }
                    };
                    let event = &entry.event;
                    return Err(format!("the event `{event}` has no field `{field}`; {help}"));
                }
            }
        }
        Ok(known)
    }

    /// What the value of a field says of a variable.
    fn given(&self, field: &str, variable: &Variable, value: &Json) -> Result<Given, String> {
        let Variable { name, kind, optional, .. } = variable;
        if *optional && (value.is_null() || value == "none") {
            return Ok(Given::Data(nothing()));
        }
        let wrong =
            |needed: &str| format!("the field `{field}` is {value}, and `{name}` must be {needed}");
        if is_identity(&self.net, *kind) {
            let text = name_of(value).ok_or_else(|| wrong("a name: a text or a whole number"))?;
            return Ok(Given::Name((*kind, text.into())));
        }
        let text = value.as_str().map(str::trim);
        let number = match kind {
            Kind::Int => {
                let number = value.as_i64().or_else(|| text?.parse().ok());
                number.ok_or_else(|| wrong("a whole number"))?
            }
            Kind::Bool => {
                let truth = value.as_bool().or_else(|| text?.parse().ok());
                truth.ok_or_else(|| wrong("true or false"))?.into()
            }
            Kind::Enum(id) => {
                let enumeration = &self.net.enumerations[id.index()];
                let members = || enumeration.members.iter().map(|member| &**member);
                let Some(at) = text.and_then(|text| members().position(|one| one == text)) else {
                    let near = text.and_then(|text| nearest(text, members()));
                    let near =
                        near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    return Err(wrong(&format!("a member of `{}`{near}", enumeration.name)));
                };
                at as i64
            }
            Kind::Pid | Kind::Object(_) => unreachable!("these are identities"),
        };
        Ok(Given::Data(number))
    }

    /// Where fields are variables by their names, every field must be one.
    fn check_fields(&self, rule: &Rule, entry: &Entry) -> Result<(), String> {
        let known = |field: &str| {
            let values = rule.alternatives.iter().flat_map(|(_, values)| values);
            let is_it = |value: &ValueRule| value.field == field;
            values.clone().any(is_it) || self.other_fields.iter().any(|other| other == field)
        };
        let Some(field) = entry.fields.names().find(|field| !known(field)) else { return Ok(()) };
        let values = rule.alternatives.iter().flat_map(|(_, values)| values);
        let names: BTreeSet<&str> = values.map(|value| value.field.as_str()).collect();
        let help = match nearest(field, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "the step has no variables".to_owned(),
            None => {
                let names: Vec<&str> = names.into_iter().collect();
                format!("there are `{}`", names.join("`, `"))
            }
        };
        Err(format!(
            "the field `{field}` is no variable of `{}`; {help} (a mapping can give it another name, or ignore it by `log.ignored_fields`)",
            entry.event
        ))
    }

    fn no_such_event(&self, event: &str) -> String {
        let known: BTreeSet<&str> = self.rules.keys().map(String::as_str).collect();
        let help = match nearest(event, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let known: Vec<&str> = known.iter().copied().take(16).collect();
                format!("known are `{}`", known.join("`, `"))
            }
        };
        format!(
            "the event `{event}` is not in the mapping; {help} Add it to `events`, or to `ignored`"
        )
    }
}

/// Whether values of a kind are identities, which the system names as it likes.
fn is_identity(net: &Net, kind: Kind) -> bool {
    match kind {
        Kind::Pid | Kind::Object(_) => true,
        Kind::Int | Kind::Bool => false,
        Kind::Enum(id) => {
            let class = &net.enumerations[id.index()];
            (0..class.members.len() as u32).any(|member| class.has_likes(member))
        }
    }
}

/// A name, if a value is one.
fn name_of(value: &Json) -> Option<String> {
    match value {
        Json::String(name) => Some(name.clone()),
        Json::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// Whether a value is one that is asked for; in text, everything is text.
fn is_same(found: &Json, wanted: &Json) -> bool {
    let is_written = |text: &str| {
        let wanted = wanted.to_string();
        text == wanted
    };
    found == wanted || found.as_str().is_some_and(is_written)
}

/// A rule in terms of the net.
fn resolved(net: &Net, rule: &EventRule) -> Result<Rule, MappingError> {
    let event = &rule.event;
    let wrong = |what: String| MappingError(format!("event `{event}`: {what}"));
    let words = rule.step.as_ref().map_or(std::slice::from_ref(event), |words| words.all());
    let mut steps = BTreeSet::new();
    for word in words {
        steps.extend(selector::select(net, word).map_err(wrong)?);
    }
    let mut alternatives = Vec::new();
    let mut names = BTreeSet::new();
    for &step in &steps {
        let variables = variables(net, step);
        names.extend(variables.iter().map(|variable| variable.name.clone()));
        let Some(values) = &rule.values else {
            let by_name = |variable: Variable| ValueRule {
                field: variable.name.clone(),
                may_lack: true,
                variable,
            };
            alternatives.push((step, variables.into_iter().map(by_name).collect()));
            continue;
        };
        let value = |(name, field): (&String, &String)| {
            let variable = variables.iter().find(|variable| variable.name == *name)?.clone();
            let (field, may_lack) = match field.strip_suffix('?') {
                Some(field) => (field.to_owned(), true),
                None => (field.clone(), false),
            };
            Some(ValueRule { field, may_lack, variable })
        };
        // A step that has no such variable is not the one that is meant.
        let values: Option<Vec<ValueRule>> = values.iter().map(value).collect();
        alternatives.extend(values.map(|values| (step, values)));
    }
    for name in rule.values.iter().flat_map(|values| values.keys()) {
        if !names.contains(name) {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are `{}`", known.join("`, `")),
            };
            return Err(wrong(format!("the step has no variable `{name}`; {help}")));
        }
    }
    if alternatives.is_empty() {
        return Err(wrong("no step has all of these variables at once".to_owned()));
    }
    Ok(Rule { when: rule.when.clone(), alternatives, by_name: rule.values.is_none() })
}

/// How transitions are told: by the first rule that has them.
fn told(
    net: &Net,
    rules: &HashMap<String, Vec<Rule>>,
    mapping: &Mapping,
) -> BTreeMap<TransitionId, Told> {
    let mut order: Vec<&str> = mapping.events.iter().map(|rule| rule.event.as_str()).collect();
    if order.is_empty() {
        order = net.transitions.iter().map(|transition| transition.name.as_str()).collect();
    }
    let mut told = BTreeMap::new();
    for event in order {
        let rules = rules.get(event).into_iter().flatten();
        for (transition, values) in rules.flat_map(|rule| &rule.alternatives) {
            let of = |value: &ValueRule| (value.variable.source, value.variable.kind);
            told.entry(*transition).or_insert_with(|| Told {
                event: event.to_owned(),
                fields: values.iter().map(|value| value.field.clone()).collect(),
                asked: values.iter().map(of).collect(),
            });
        }
    }
    told
}

/// That it is not said of some steps whether they are logged.
fn open_steps(net: &Net, open: &[TransitionId]) -> String {
    let said = |id: &TransitionId| match trace::told_transition(net, *id) {
        Some(told) => format!("`{}` ({told})", net.transition(*id).name),
        None => format!("`{}`", net.transition(*id).name),
    };
    let names: Vec<String> = open.iter().take(8).map(said).collect();
    let more = match open.len().checked_sub(8) {
        None | Some(0) => String::new(),
        Some(more) => format!(" and {more} more"),
    };
    format!(
        "it is not said whether these steps are logged: {}{more}; add them to `events` or to `unlogged`, or add `\"*\"` to `unlogged` for all that no event is",
        names.join(", ")
    )
}
