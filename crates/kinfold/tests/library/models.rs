//! The models under `models/`, each against what its header says of it.
//!
//! A line of a model that starts with `// expect` states an outcome:
//!
//! ```text
//! // expect: states 22, edges 37, modes 43, deadlocks 0, terminated 0
//! // expect k=2 m=2 relations=parent,next_sibling: states 3722, fires reap, never bad
//! // expect precise: states 30
//! // expect full: states 7
//! // expect full incomplete after 2000
//! ```
//!
//! Before the colon: constants with other values, the relations kept (those that the model observes
//! if not given), `precise` to keep them also where nothing can observe them any more, `full` for the concrete states. After it: any of the counts, transitions that
//! fire, and transitions that never do. `incomplete after N`: when N states have been stored there
//! is more to see.
//!
//! The numbers come from programs that share nothing with Kinfold: a brute force over concrete
//! states with dotted pids that searches for bijections as the definition of equivalence has it;
//! for the server also nauty orbits and closed forms.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinfold::explore::{Exploration, StateId, Stop};
use kinfold::lang::{self, Override};
use kinfold::net::{Net, TransitionId};
use kinfold::state::{Relation, Relations};
use kinfold::{Plan, Survey, survey};

// --- Expectations --------------------------------------------------------------------------------

/// What a line `// expect …` says.
#[derive(Debug, Default, PartialEq)]
struct Expectation {
    overrides: Vec<Override>,
    relations: Option<Relations>,
    precise: bool,
    full: bool,
    outcome: Vec<Outcome>,
}

#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Count(Count, u64),
    Fires(String),
    Never(String),
    IncompleteAfter(u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Count {
    States,
    Edges,
    Modes,
    Deadlocks,
    Terminated,
}

impl Count {
    const ALL: [(&str, Count); 5] = [
        ("states", Count::States),
        ("edges", Count::Edges),
        ("modes", Count::Modes),
        ("deadlocks", Count::Deadlocks),
        ("terminated", Count::Terminated),
    ];

    fn name(self) -> &'static str {
        Count::ALL.into_iter().find(|&(_, count)| count == self).expect("all are listed").0
    }

    fn of(self, survey: &Survey) -> u64 {
        let exploration = survey.exploration();
        match self {
            Count::States => exploration.states(),
            Count::Edges => exploration.edges,
            Count::Modes => survey.modes(),
            Count::Deadlocks => exploration.deadlocks.len() as u64,
            Count::Terminated => exploration.terminated.len() as u64,
        }
    }
}

/// The expectation in a line of a model; none if the line is something else.
fn expectation(line: &str) -> Option<Result<Expectation, String>> {
    let comment = line.trim_start().strip_prefix("//")?;
    if !comment.trim_start().to_lowercase().starts_with("expect") {
        return None;
    }
    let said = comment.strip_prefix(" expect").filter(|said| said.starts_with([' ', ':']));
    Some(said.ok_or_else(|| "write `// expect`".to_owned()).and_then(parse))
}

fn parse(said: &str) -> Result<Expectation, String> {
    let mut expectation = Expectation::default();
    let settings = if let Some((settings, items)) = said.split_once(':') {
        for item in items.split(',') {
            expectation.outcome.push(parse_item(item.trim())?);
        }
        settings
    } else {
        let (settings, number) =
            said.split_once("incomplete after ").ok_or("expected `:` or `incomplete after`")?;
        expectation.outcome.push(Outcome::IncompleteAfter(parse_number(number.trim())?));
        settings
    };
    for setting in settings.split_whitespace() {
        parse_setting(setting, &mut expectation)?;
    }
    for (i, outcome) in expectation.outcome.iter().enumerate() {
        let same = |other: &Outcome| match (other, outcome) {
            (Outcome::Count(a, _), Outcome::Count(b, _)) => a == b,
            (other, outcome) => other == outcome,
        };
        if expectation.outcome[..i].iter().any(same) {
            return Err(format!("{outcome:?} is said twice"));
        }
    }
    Ok(expectation)
}

fn parse_setting(setting: &str, expectation: &mut Expectation) -> Result<(), String> {
    match setting.split_once('=') {
        None if setting == "full" && !expectation.full => expectation.full = true,
        None if setting == "precise" && !expectation.precise => expectation.precise = true,
        Some(("relations", list)) if expectation.relations.is_none() => {
            let relations = list.parse::<Relations>();
            expectation.relations = Some(relations.map_err(|error| error.to_string())?);
        }
        Some((name, value)) if !name.is_empty() && !value.is_empty() && name != "relations" => {
            let (name, value) = (name.to_owned(), value.to_owned());
            expectation.overrides.push(Override { name, value });
        }
        _ => return Err(format!("`{setting}` is no setting")),
    }
    Ok(())
}

fn parse_item(item: &str) -> Result<Outcome, String> {
    let (word, rest) = item.split_once(' ').ok_or_else(|| format!("`{item}` is no outcome"))?;
    let rest = rest.trim();
    if let Some((_, count)) = Count::ALL.into_iter().find(|&(name, _)| name == word) {
        return Ok(Outcome::Count(count, parse_number(rest)?));
    }
    match word {
        "fires" => Ok(Outcome::Fires(rest.to_owned())),
        "never" => Ok(Outcome::Never(rest.to_owned())),
        _ => Err(format!("`{item}` is no outcome")),
    }
}

fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

// --- Checking them -------------------------------------------------------------------------------

impl Expectation {
    fn plan(&self) -> Plan {
        let after = self.outcome.iter().find_map(|outcome| match outcome {
            Outcome::IncompleteAfter(states) => Some(*states),
            _ => None,
        });
        let Expectation { relations, precise, full, .. } = *self;
        Plan { relations, precise, full, states: after, ..Plan::default() }
    }

    /// What is not as expected.
    fn disappointments(&self, net: &Arc<Net>) -> Vec<String> {
        let survey = match survey(net, &self.plan()) {
            Ok(survey) => survey,
            Err(error) => return vec![error.to_string()],
        };
        self.outcome.iter().filter_map(|outcome| outcome.disappointment(&survey)).collect()
    }
}

impl Outcome {
    fn disappointment(&self, survey: &Survey) -> Option<String> {
        let exploration = survey.exploration();
        match self {
            Outcome::IncompleteAfter(states) => {
                let found = (exploration.complete, exploration.reason, exploration.states());
                (found != (false, Some(Stop::States), *states)).then(|| {
                    format!(
                        "expected to be incomplete after {states} states; complete: {}, {} states",
                        exploration.complete,
                        exploration.states()
                    )
                })
            }
            _ if !exploration.complete => Some("the exploration is not complete".to_owned()),
            Outcome::Count(count, expected) => {
                let found = count.of(survey);
                (found != *expected)
                    .then(|| format!("{}: expected {expected}, found {found}", count.name()))
            }
            Outcome::Fires(name) => match fired(survey, name) {
                None => Some(format!("there is no transition `{name}`")),
                Some(0) => Some(format!("expected `{name}` to fire, it never does")),
                Some(_) => None,
            },
            Outcome::Never(name) => match fired(survey, name) {
                None => Some(format!("there is no transition `{name}`")),
                Some(0) => None,
                Some(times) => Some(format!("expected `{name}` never to fire, it does {times}×")),
            },
        }
    }
}

/// How many modes of a transition were fired; none if there is no such transition.
fn fired(survey: &Survey, name: &str) -> Option<u64> {
    let index = survey.net().transitions.iter().position(|t| t.name == name)?;
    let id = TransitionId(u32::try_from(index).expect("few transitions"));
    Some(survey.exploration().fired.of(id.0))
}

// --- The models ----------------------------------------------------------------------------------

struct Model {
    /// Its path from `models/` on.
    name: String,
    text: String,
}

impl Model {
    fn read(name: &str) -> Model {
        let text = fs::read_to_string(directory().join(name)).expect("the model can be read");
        Model { name: name.to_owned(), text }
    }

    /// The lines that start with `// expect`, by number.
    fn expectations(&self) -> Vec<(usize, Result<Expectation, String>)> {
        let lines = (1..).zip(self.text.lines());
        lines.filter_map(|(number, line)| Some((number, expectation(line)?))).collect()
    }

    fn compile(&self, overrides: &[Override]) -> Result<Arc<Net>, String> {
        let compilation = lang::compile(&self.text, overrides);
        if !compilation.diagnostics.is_empty() {
            return Err(compilation.diagnostics.render(&self.name, &self.text, false));
        }
        Ok(Arc::new(compilation.net.expect("nothing is wrong with it")))
    }

    /// Its net, where nothing can be wrong with it.
    fn net(&self, constants: &[(&str, u64)]) -> Arc<Net> {
        let given = |&(name, value): &(&str, u64)| Override {
            name: name.to_owned(),
            value: value.to_string(),
        };
        let overrides: Vec<Override> = constants.iter().map(given).collect();
        self.compile(&overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// All models that are nets, also those in folders, in the order of their names.
fn models() -> Vec<Model> {
    all_models().into_iter().filter(|model| !model.text.contains("\nprocess main")).collect()
}

/// All models, also those of processes.
fn all_models() -> Vec<Model> {
    let mut models = Vec::new();
    let mut folders = vec![directory()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "kin") {
                let name = path.strip_prefix(directory()).expect("it is in there");
                models.push(Model::read(name.to_str().expect("names are plain")));
            }
        }
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(models.len() >= 18, "only {} models were found", models.len());
    models
}

/// Collects what is wrong, so that one failure does not hide the others.
#[derive(Default)]
struct Complaints(Vec<String>);

impl Complaints {
    fn add(&mut self, model: &Model, line: usize, what: impl Display) {
        self.0.push(format!("models/{}:{line}: {what}", model.name));
    }

    fn finish(self) {
        assert!(self.0.is_empty(), "\n{}\n", self.0.join("\n"));
    }
}

#[test]
fn every_model_does_as_its_header_says() {
    let mut complaints = Complaints::default();
    for model in models() {
        let expectations = model.expectations();
        if expectations.is_empty() {
            complaints.add(&model, 1, "no line starts with `// expect`");
        }
        for (line, expectation) in expectations {
            let disappointments = expectation.and_then(|expectation| {
                let net = model.compile(&expectation.overrides)?;
                Ok(expectation.disappointments(&net))
            });
            match disappointments {
                Ok(list) => list.iter().for_each(|what| complaints.add(&model, line, what)),
                Err(wrong) => complaints.add(&model, line, wrong),
            }
        }
    }
    complaints.finish();
}

/// What must not depend on the number of threads: everything but time and memory.
fn assert_same(one: &Survey, many: &Survey, what: &str) {
    let (a, b) = (one.exploration(), many.exploration());
    let counts = |x: &Exploration| [x.states(), x.expanded, x.edges, x.modes];
    assert_eq!(counts(a), counts(b), "{what}");
    assert_eq!((a.complete, a.reason), (b.complete, b.reason), "{what}");
    assert_eq!(a.fired, b.fired, "{what}");
    assert_eq!(a.deadlocks, b.deadlocks, "{what}");
    assert_eq!(a.terminated, b.terminated, "{what}");
    assert_eq!(one.most_tokens(), many.most_tokens(), "{what}");
    let edges = |x: &Exploration| x.quotient.as_ref().map(|q| q.iter().collect::<Vec<_>>());
    assert_eq!(edges(a), edges(b), "{what}");
    for id in (0..a.states() as u32).map(StateId) {
        assert_eq!(a.predecessor(id), b.predecessor(id), "{what}");
        assert_eq!(a.depth_of(id), b.depth_of(id), "{what}");
        assert_eq!(one.state(id), many.state(id), "{what}");
    }
}

#[test]
fn threads_change_nothing() {
    for model in models() {
        let net = model.compile(&[]).expect("the model is right");
        for full in [false, true] {
            let plan = |threads, share_from| {
                let states = Some(if full { 500 } else { 3_000 });
                Plan { threads, share_from, states, full, keep_edges: true, ..Plan::default() }
            };
            let one = survey(&net, &plan(1, None)).expect("no fault");
            for (threads, from) in [(2, Some(1)), (5, Some(1)), (5, Some(20)), (2, None)] {
                let many = survey(&net, &plan(threads, from)).expect("no fault");
                let what = format!("{}, {threads} threads, shared from {from:?}", model.name);
                assert_same(&one, &many, &what);
            }
        }
    }
}

#[test]
fn every_model_is_formatted() {
    let mut complaints = Complaints::default();
    for model in all_models() {
        match lang::format(&model.text) {
            Ok(formatted) => {
                let lines = (1..).zip(formatted.lines().zip(model.text.lines()));
                let differs = lines.into_iter().find(|(_, (a, b))| a != b);
                if let Some((line, (formatted, _))) = differs {
                    complaints.add(&model, line, format!("formatted: {formatted}"));
                } else if formatted != model.text {
                    complaints.add(&model, model.text.lines().count(), "ends differently");
                }
            }
            Err(list) => complaints.add(&model, 1, list.render("", &model.text, false)),
        }
    }
    complaints.finish();
}

/// What is written for a net is a model of the same net, under all constants of the header.
#[test]
fn every_model_survives_being_written() {
    let mut complaints = Complaints::default();
    for model in models() {
        for (line, expectation) in model.expectations() {
            let overrides = expectation.map(|expectation| expectation.overrides);
            let overrides = overrides.unwrap_or_default();
            let net = match model.compile(&overrides) {
                Ok(net) => net,
                Err(wrong) => {
                    complaints.add(&model, line, wrong);
                    continue;
                }
            };
            let written = lang::write(&net);
            let again = lang::compile(&written, &[]);
            match again.net {
                Some(again) if again == *net => {}
                Some(_) => complaints.add(&model, line, format!("another net:\n{written}")),
                None => {
                    let wrong = again.diagnostics.render("written", &written, false);
                    complaints.add(&model, line, wrong);
                }
            }
        }
    }
    complaints.finish();
}

#[test]
fn an_expectation_is_understood_or_refused() {
    let understood = |line: &str| expectation(line).expect("it is one").expect("it is right");
    assert_eq!(
        understood("// expect k=2 b=true relations=parent,ancestor: states 22, fires bad"),
        Expectation {
            overrides: vec![
                Override { name: "k".into(), value: "2".into() },
                Override { name: "b".into(), value: "true".into() },
            ],
            relations: Some([Relation::Parent, Relation::Ancestor].into_iter().collect()),
            precise: false,
            full: false,
            outcome: vec![Outcome::Count(Count::States, 22), Outcome::Fires("bad".into())],
        }
    );
    let full = understood("// expect full incomplete after 2000");
    assert!(full.full && full.outcome == [Outcome::IncompleteAfter(2000)]);
    assert!(expectation("flow expected").is_none());
    assert!(expectation("// What to expect: nothing").is_none());
    for refused in [
        "//expect: states 1",
        "// Expect: states 1",
        "// expects: states 1",
        "// expect",
        "// expect:",
        "// expect states 1",
        "// expect: states",
        "// expect: states one",
        "// expect: state 1",
        "// expect: states 1,",
        "// expect: states 1, states 2",
        "// expect k: states 1",
        "// expect k=: states 1",
        "// expect full full: states 1",
        "// expect relations=sister: states 1",
        "// expect incomplete after",
        "// expect incomplete after many",
    ] {
        let parsed = expectation(refused).expect("it is one, if a wrong one");
        assert!(parsed.is_err(), "{refused} is understood as {parsed:?}");
    }
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let text = "
        model m
        flow a, b, c
        start a
        transition go { move p: a -> b }
        transition bad { end p: c }
    ";
    let net = Arc::new(lang::compile(text, &[]).net.expect("the model is right"));
    let said = |line: &str| {
        let expectation = expectation(line).expect("it is one").expect("it is right");
        expectation.disappointments(&net).join("; ")
    };
    let right = "states 2, edges 1, modes 1, deadlocks 1, terminated 0, fires go, never bad";
    assert_eq!(said(&format!("// expect: {right}")), "");
    assert_eq!(said(&format!("// expect full: {right}")), "");
    assert_eq!(said("// expect: states 3"), "states: expected 3, found 2");
    assert_eq!(said("// expect: edges 2"), "edges: expected 2, found 1");
    assert_eq!(said("// expect: modes 2"), "modes: expected 2, found 1");
    assert_eq!(said("// expect: deadlocks 0"), "deadlocks: expected 0, found 1");
    assert_eq!(said("// expect: terminated 1"), "terminated: expected 1, found 0");
    assert_eq!(said("// expect: fires bad"), "expected `bad` to fire, it never does");
    assert_eq!(said("// expect: never go"), "expected `go` never to fire, it does 1×");
    assert_eq!(said("// expect: never elsewhere"), "there is no transition `elsewhere`");
    assert_eq!(said("// expect incomplete after 1"), "");
    assert_eq!(
        said("// expect incomplete after 5"),
        "expected to be incomplete after 5 states; complete: true, 2 states"
    );
}

// --- Known counts --------------------------------------------------------------------------------

/// The number of states, after checking that they are all.
fn states(net: &Arc<Net>, relations: Relations) -> u64 {
    let plan = Plan { relations: Some(relations), ..Plan::default() };
    let survey = survey(net, &plan).unwrap_or_else(|error| panic!("{error}"));
    assert!(survey.exploration().complete);
    survey.exploration().states()
}

#[test]
fn two_infinite_models_are_finite_whatever_is_observed() {
    for (name, expected) in [("chain.kin", 1), ("replace.kin", 2)] {
        let net = Model::read(name).net(&[]);
        for relations in Relations::every() {
            assert_eq!(states(&net, relations), expected, "{name} under {relations:?}");
        }
    }
}

/// The server N(k, m): relations, k, m; classes, edges, modes, deadlocks. Counted by brute force
/// over concrete states with nauty orbits, by pairwise VF2, and by a literal checker of the
/// definitions.
const SERVER: [(&str, u64, u64, [u64; 4]); 18] = [
    ("parent", 1, 1, [7, 7, 7, 0]),
    ("parent", 1, 2, [22, 37, 42, 0]),
    ("parent", 1, 3, [57, 127, 162, 0]),
    ("parent", 2, 1, [22, 37, 43, 0]),
    ("parent", 2, 2, [232, 757, 903, 0]),
    ("parent", 2, 3, [1597, 7057, 9178, 0]),
    ("parent", 3, 1, [57, 127, 169, 0]),
    ("parent", 3, 2, [1772, 8317, 10374, 0]),
    ("parent,next_sibling", 1, 1, [7, 7, 7, 0]),
    ("parent,next_sibling", 1, 2, [62, 122, 122, 0]),
    ("parent,next_sibling", 2, 1, [37, 73, 73, 0]),
    ("parent,next_sibling", 2, 2, [3722, 14763, 14763, 0]),
    ("parent,next_sibling", 3, 1, [217, 649, 649, 0]),
    ("parent,ancestor,next_sibling,elder_sibling", 1, 1, [7, 7, 7, 0]),
    ("parent,ancestor,next_sibling,elder_sibling", 1, 2, [62, 122, 122, 0]),
    ("parent,ancestor,next_sibling,elder_sibling", 1, 3, [612, 1810, 1822, 0]),
    ("parent,ancestor,next_sibling,elder_sibling", 2, 1, [37, 73, 73, 0]),
    ("parent,ancestor,next_sibling,elder_sibling", 3, 1, [217, 649, 649, 0]),
];

#[test]
fn the_server_has_the_counts_of_the_oracles() {
    let model = Model::read("server.kin");
    for (relations, k, m, expected) in SERVER {
        let net = model.net(&[("k", k), ("m", m)]);
        let plan = Plan { relations: Some(relations.parse().unwrap()), ..Plan::default() };
        let survey = survey(&net, &plan).unwrap_or_else(|error| panic!("{error}"));
        let found = survey.exploration();
        assert!(found.complete);
        assert_eq!(
            [found.states(), found.edges, found.modes, found.deadlocks.len() as u64],
            expected,
            "N({k}, {m}) under {relations}"
        );
    }
}

fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n - k + i) / i)
}

/// With `parent` alone the k listeners are a multiset, and so are the handlers of each: a listener
/// with its handlers has C(m+5, 5) states.
#[test]
fn the_server_folds_to_multisets_of_listeners() {
    let model = Model::read("server.kin");
    let parent = Relations::NONE.with(Relation::Parent);
    for (k, m) in [(1, 4), (1, 5), (1, 6), (2, 4), (4, 1), (5, 1), (6, 1), (8, 1), (4, 2), (3, 3)] {
        let listener = binomial(m + 5, 5);
        let expected = 1 + binomial(listener + k - 1, k);
        let net = model.net(&[("k", k), ("m", m)]);
        assert_eq!(states(&net, parent), expected, "N({k}, {m})");
    }
}

/// With all relations listeners are told apart by age, and so are the handlers of each.
#[test]
fn the_server_with_all_relations_is_a_product_of_listeners() {
    let model = Model::read("server.kin");
    for (k, m) in [(1, 4), (2, 2), (4, 1), (5, 1), (6, 1)] {
        let (k_, m_) = (u32::try_from(k).unwrap(), u32::try_from(m).unwrap());
        let tens: u64 = (0..m_).map(|j| 10_u64.pow(j)).sum();
        let listener = tens + 5_u64.pow(m_) * 2_u64.pow(m_ - 1);
        let net = model.net(&[("k", k), ("m", m)]);
        assert_eq!(states(&net, Relations::ALL), 1 + listener.pow(k_), "N({k}, {m})");
    }
}

/// With `parent` and `next_sibling` N(k, m) is a product of listeners, too.
#[test]
fn the_server_with_next_siblings_is_a_product_of_listeners() {
    let model = Model::read("server.kin");
    let relations = [Relation::Parent, Relation::NextSibling].into_iter().collect();
    let count = |k: u64, m: u64| states(&model.net(&[("k", k), ("m", m)]), relations);
    for (k, m) in [(2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (2, 2)] {
        let listener = count(1, m) - 1;
        assert_eq!(count(k, m), 1 + listener.pow(u32::try_from(k).unwrap()), "N({k}, {m})");
    }
}

// --- The table of the 2004 paper -----------------------------------------------------------------

/// The rows of the table as corrected: concrete states, symbolic markings, edges, concrete edges, deadlocked
/// markings, from independent programs.
#[test]
fn the_table_of_symmetric_nets_is_reproduced() {
    let table = fs::read_to_string(directory().join("papers/symmetric.tsv")).expect("the table");
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (name, apart) = match cells[0] {
            "clientserver" => ("client_server.kin", None),
            "distdb" => ("distributed_database.kin", None),
            "wave_flow" => ("waves.kin", Some("false")),
            "wave_flowp1" => ("waves.kin", Some("true")),
            _ => ("peterson.kin", None),
        };
        let sizes = cells[1].split(',').filter_map(|size| size.split_once('='));
        let sizes = sizes.map(|(name, value)| match name {
            "c" => ("clients", value),
            "s" => ("servers", value),
            name => (name, value),
        });
        let set = sizes.chain(apart.map(|apart| ("apart", apart)));
        let overrides: Vec<Override> =
            set.map(|(name, value)| Override { name: name.into(), value: value.into() }).collect();
        let net = Model::read(name).compile(&overrides).unwrap_or_else(|wrong| panic!("{wrong}"));
        let mut survey = survey(&net, &Plan::default()).expect("no fault");
        let census = survey.census().expect("complete, and without threads").clone();
        let exploration = survey.exploration();
        let found = [
            census.concrete_states.to_string(),
            exploration.states().to_string(),
            exploration.edges.to_string(),
            census.concrete_edges.to_string(),
            exploration.deadlocks.len().to_string(),
        ];
        assert_eq!(found[..], cells[2..], "{} {}", cells[0], cells[1]);
        rows += 1;
    }
    assert_eq!(rows, 30, "all rows of the table");
}
