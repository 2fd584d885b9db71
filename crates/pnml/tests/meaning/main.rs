//! Nets mean what their documents mean: the same initial marking, the same ways to fire, the same
//! successors; found on the net by its plain interpreter, and on the document by an evaluator of terms
//! that knows nothing of the translation.

mod oracle;
mod random_document;
mod round_trip;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use net::{Sort, TransitionId, interpret};
use oracle::{Leaf, Marking, Multiset, Oracle, columns, counted};
use pnml::{Document, Limits, read, to_net};
use random::Random;
use state::{State, Value};

/// A step of the net: transition, binding by name, and the marking after it.
type Step = (usize, BTreeMap<String, u64>, Vec<BTreeMap<Vec<u64>, u64>>);

/// Markings in which the interpreter would try more combinations are left out.
const MOST_TRIES: f64 = 1e5;

struct Comparison<'d> {
    oracle: Oracle<'d>,
    net: net::Net,
    leaves: Vec<Vec<Leaf<'d>>>,
}

impl<'d> Comparison<'d> {
    fn new(document: &'d Document, net: net::Net) -> Comparison<'d> {
        let oracle = Oracle::new(document);
        let leaves = (0..oracle.places.len()).map(|place| oracle.place_leaves(place)).collect();
        Comparison { oracle, net, leaves }
    }

    fn numbered(&self, marking: &Marking) -> Vec<BTreeMap<Vec<u64>, u64>> {
        let place = |(multiset, leaves): (&Multiset, &Vec<Leaf<'d>>)| {
            multiset.iter().map(|(element, count)| (columns(element, leaves), *count)).collect()
        };
        marking.iter().zip(&self.leaves).map(place).collect()
    }

    fn state(&self, marking: &Marking) -> State {
        let mut state = State::new();
        for (place, tokens) in self.net.places.iter().zip(self.numbered(marking)) {
            for (token, count) in tokens {
                let value = |(number, column): (&u64, &net::Column)| match column.sort {
                    Sort::Enum(id) => {
                        Value::Enum(self.net.member(id, u32::try_from(*number).unwrap()).clone())
                    }
                    _ => Value::Bool(*number == 1),
                };
                let values = token.iter().zip(&place.columns).map(value).collect();
                assert!(state.put(&place.name, values, u32::try_from(count).unwrap()));
            }
        }
        state
    }

    fn number(&self, value: &Value, sort: Sort) -> u64 {
        match (value, sort) {
            (Value::Bool(holds), _) => u64::from(*holds),
            (Value::Enum(name), Sort::Enum(id)) => {
                let members = &self.net.enumerations[id.index()].members;
                members.iter().position(|member| member == name).unwrap() as u64
            }
            other => panic!("{other:?}"),
        }
    }

    fn marking_of(&self, state: &State) -> Vec<BTreeMap<Vec<u64>, u64>> {
        let place = |place: &net::Place| {
            let tokens = state.tokens(&place.name).map(|(token, count)| {
                let values = token.iter().zip(&place.columns);
                let values = values.map(|(value, column)| self.number(value, column.sort));
                (values.collect(), u64::from(count))
            });
            tokens.collect()
        };
        self.net.places.iter().map(place).collect()
    }

    fn steps_of_net(&self, state: &State) -> BTreeMap<Step, usize> {
        let mut steps = Vec::new();
        for (number, transition) in self.net.transitions.iter().enumerate() {
            let id = TransitionId(number as u32);
            for mode in interpret::modes(&self.net, state, id).expect("no fault") {
                let after = interpret::fire(&self.net, state, &mode).expect("no fault").state;
                let named = mode.binding.iter().map(|(var, value)| {
                    let variable = &transition.variables[var.index()];
                    let sort = match variable.kind {
                        net::Kind::Enum(id) => Sort::Enum(id),
                        _ => Sort::Bool,
                    };
                    (variable.name.clone(), self.number(value, sort))
                });
                steps.push((number, named.collect(), self.marking_of(&after)));
            }
        }
        counted(steps)
    }

    fn steps_of_document(&self, marking: &Marking) -> (BTreeMap<Step, usize>, Vec<Marking>) {
        let steps = self.oracle.steps(marking);
        let named = steps.iter().map(|step| {
            let mut binding = BTreeMap::new();
            for (name, element) in &step.binding {
                let numbers = columns(element, &self.oracle.variable_leaves(name));
                for (column, number) in numbers.iter().enumerate() {
                    let name = match numbers.len() {
                        1 => (*name).to_owned(),
                        _ => format!("{name}_{}", column + 1),
                    };
                    binding.insert(name, *number);
                }
            }
            (step.transition, binding, self.numbered(&step.after))
        });
        (counted(named), steps.iter().map(|step| step.after.clone()).collect())
    }

    /// How many combinations the plain interpreter tries: it chooses tokens first and asks then.
    fn tries(&self, state: &State) -> f64 {
        let transition = |transition: &net::Transition| {
            let takes = transition.takes.iter().filter(|arc| arc.each.is_empty());
            let tokens = takes.map(|arc| state.tokens(&self.net.place(arc.place).name).count());
            let parameters = transition.parameters.iter().map(|(_, sort)| match sort {
                Sort::Enum(id) => self.net.enumerations[id.index()].members.len(),
                _ => 2,
            });
            tokens.chain(parameters).map(|count| count as f64).product::<f64>()
        };
        self.net.transitions.iter().map(transition).sum()
    }

    /// Compares the initial marking, and this many steps from there on, breadth-first.
    fn compare(&self, most: usize, context: &str) -> Compared {
        let places: Vec<&str> = self.oracle.places.iter().map(|p| p.id.text.as_str()).collect();
        assert_eq!(
            self.net.places.iter().map(|p| &*p.name).collect::<Vec<_>>(),
            places,
            "{context}"
        );
        let first = self.oracle.initial();
        let initial = self.marking_of(&interpret::initial(&self.net));
        assert_eq!(initial, self.numbered(&first), "the initial marking of {context}");
        self.compare_from(first, most, context)
    }

    /// Compares this many markings that can be reached from one.
    fn compare_from(&self, first: Marking, most: usize, context: &str) -> Compared {
        let mut seen: BTreeSet<Marking> = [first.clone()].into();
        let mut left = VecDeque::from([first]);
        let mut compared = Compared::default();
        while let Some(marking) = left.pop_front().filter(|_| compared.markings < most) {
            let state = self.state(&marking);
            if self.tries(&state) > MOST_TRIES {
                continue;
            }
            let (expected, successors) = self.steps_of_document(&marking);
            let found = self.steps_of_net(&state);
            if found != expected {
                let missing = expected.iter().find(|(step, n)| found.get(*step) != Some(n));
                let surplus = found.iter().find(|(step, n)| expected.get(*step) != Some(n));
                panic!(
                    "{context}\nat {:?}\nin the document: {missing:?}\nin the net: {surplus:?}\n{:#?}",
                    self.numbered(&marking),
                    self.net.transitions,
                );
            }
            compared.markings += 1;
            compared.steps += successors.len();
            for next in successors {
                if seen.insert(next.clone()) {
                    left.push_back(next);
                }
            }
        }
        compared
    }
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    markings: usize,
    steps: usize,
}

fn compare_text(text: &str, name: &str, most: usize) -> Compared {
    let document = read(text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render(name, text, false)));
    let net = to_net(&document, text)
        .unwrap_or_else(|errors| panic!("{}", errors.render(name, text, false)));
    assert_eq!(net.check(), [], "{name}");
    Comparison::new(&document, net).compare(most, name)
}

#[test]
fn every_operator_means_what_it_says() {
    for (name, text) in [
        ("operators", include_str!("../nets/operators.pnml")),
        ("partitions", include_str!("../nets/partitions.pnml")),
    ] {
        let compared = compare_text(text, name, 40);
        assert!(compared.markings > 3 && compared.steps > 3, "{name}: {compared:?}");
    }
}

#[test]
fn random_documents_mean_what_they_say() {
    const DOCUMENTS: u64 = 1500;
    let mut accepted = 0;
    let mut all = Compared::default();
    for seed in 0..DOCUMENTS {
        let document = random_document::document(seed);
        let text = pnml::write(&document);
        let again = match read(&text, &Limits::default()) {
            Ok(again) => again,
            // A part in one column of a tuple stands for itself, and in another for its elements.
            Err(errors) if errors.iter().all(|error| error.code == "P0305") => continue,
            Err(errors) => panic!("seed {seed}\n{}", errors.render("random", &text, false)),
        };
        assert_eq!(again, document, "seed {seed}");
        let net = match to_net(&document, &text) {
            Ok(net) => net,
            Err(errors) => {
                // What cannot be said is said to be so, and is nothing else.
                assert!(errors.iter().all(|error| error.code == "P0504"), "seed {seed}: {errors}");
                continue;
            }
        };
        assert_eq!(net.check(), [], "seed {seed}");
        accepted += 1;
        let comparison = Comparison::new(&document, net);
        let context = format!("seed {seed}");
        let mut compared = vec![comparison.compare(6, &context)];
        // Markings that are full enough for transitions to fire, reachable or not.
        for number in 0..4 {
            let marking = comparison.oracle.any_marking(&mut Random::named(&[seed, number]));
            compared.push(comparison.compare_from(marking, 3, &context));
        }
        all.markings += compared.iter().map(|compared| compared.markings).sum::<usize>();
        all.steps += compared.iter().map(|compared| compared.steps).sum::<usize>();
    }
    assert!(accepted > DOCUMENTS * 9 / 10, "only {accepted} of {DOCUMENTS} can be said");
    assert!(all.markings > 10_000 && all.steps > 20_000, "{all:?}");
}

/// The files beside the project that are small enough to be unfolded like this. Without them there is
/// nothing to compare.
fn shared() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let names = [
        "mcc/col/BridgeAndVehicles-COL-V04P05N02",
        "mcc/col/CSRepetitions-COL-02",
        "mcc/col/DatabaseWithMutex-COL-02",
        "mcc/col/DrinkVendingMachine-COL-02",
        "mcc/col/GlobalResAllocation-COL-03",
        "mcc/col/LamportFastMutEx-COL-2",
        "mcc/col/NeoElection-COL-2",
        "mcc/col/PermAdmissibility-COL-01",
        "mcc/col/Peterson-COL-2",
        "mcc/col/Philosophers-COL-000010",
        "mcc/col/PhilosophersDyn-COL-03",
        "mcc/col/QuasiCertifProtocol-COL-02",
        "mcc/col/Referendum-COL-0020",
        "mcc/col/SafeBus-COL-03",
        "mcc/col/SharedMemory-COL-000010",
        "mcc/col/Sudoku-COL-AN02",
        "mcc/col/TokenRing-COL-010",
        "mcc/col/UtilityControlRoom-COL-Z2T4N02",
        "mcc/pt/FMS-PT-00010",
        "mcc/pt/SwimmingPool-PT-01",
        "expected/pnml/clientserver-c2-s2.pnml",
        "expected/pnml/distdb-n5.pnml",
        "expected/pnml/peterson-n3.pnml",
        "expected/pnml/wave_flowp1-n5.pnml",
    ];
    let path = |name: &str| match name.ends_with(".pnml") {
        true => folder.join(name),
        false => folder.join(name).join("model.pnml"),
    };
    names.into_iter().map(path).filter(|path| path.is_file()).collect()
}

#[test]
fn models_of_the_contest_mean_what_they_say() {
    const MARKINGS: usize = 60;
    for path in shared() {
        let bytes = std::fs::read(&path).expect("it can be read");
        let text = pnml::decode(&bytes).expect("it is text");
        let compared = compare_text(&text, &path.to_string_lossy(), MARKINGS);
        assert!(compared.markings > 0 && compared.steps > 0, "{}", path.display());
    }
}
