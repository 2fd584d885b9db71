//! How small automata of random formulas are, and how fast they are made; beside `ltl2tgba` of Spot, if it is installed.
//!
//! ```text
//! cargo bench -p kinfold-check --bench automata               compares sizes with those kept
//! cargo bench -p kinfold-check --bench automata -- --record   keeps the sizes
//! cargo bench -p kinfold-check --bench automata -- --rival P  runs P in place of `ltl2tgba`
//! cargo bench -p kinfold-check --bench automata -- --seed N   draws other formulas; nothing is compared
//! ```
//!
//! Edges are transitions with a formula as their label; transitions are counted as Spot counts them: one for
//! each edge and each valuation, of the atoms that the formula speaks of, for which its label holds. It fails
//! where a total is greater than the one kept in `sizes.tsv` beside this benchmark. The rival reads the formulas
//! from a file (`-F`), writes automata in the HOA format (`-H`), and is run as a whole, the same number of times
//! and in turn; CPU time counts for both.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints")]

mod formulas;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use check::{Automaton, Ltl, hoa};
use cpu_time::ProcessTime;
use formulas::Plain;

/// Atoms, and nodes of each formula's tree.
const DRAWS: [(u32, usize); 4] = [(3, 15), (4, 15), (4, 20), (5, 20)];
const FORMULAS: usize = 200;
const ROUNDS: u32 = 5;

/// The sizes of automata, in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    states: u64,
    edges: u64,
    transitions: u64,
}

impl Totals {
    fn add(&mut self, automaton: &Automaton, atoms: &[u32]) {
        self.states += automaton.states.len().max(1) as u64;
        for edge in automaton.states.iter().flatten() {
            self.edges += 1;
            let holds = |letter: &u64| {
                edge.label.holds_where(|atom| {
                    atoms
                        .iter()
                        .position(|other| *other == atom)
                        .is_some_and(|at| letter >> at & 1 == 1)
                })
            };
            self.transitions += (0..1_u64 << atoms.len()).filter(holds).count() as u64;
        }
    }

    fn numbers(self) -> [u64; 3] {
        [self.states, self.edges, self.transitions]
    }
}

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let record = args.iter().any(|arg| arg == "--record");
    let after = |name| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let rival = after("--rival").map_or("ltl2tgba", String::as_str);
    let seed = after("--seed").map_or(0, |seed| seed.parse().expect("a seed is a number"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/automata/sizes.tsv");
    let kept = if seed == 0 { kept(&file) } else { Vec::new() };
    let (mut lines, mut has_grown) = (String::new(), false);
    println!("| atoms, nodes | | states | edges | transitions | CPU-ms |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (at, (atoms, size)) in DRAWS.into_iter().enumerate() {
        let all = formulas::formulas(seed, FORMULAS, atoms, size);
        let text = written(&all, at);
        let (mut own, mut other) = ((Totals::default(), 0.0), None);
        for _ in 0..ROUNDS {
            let (totals, time) = translated(&all);
            own = (totals, own.1 + time);
            if let Some((totals, time)) = asked(rival, &text, &all) {
                let before = other.map_or(0.0, |(_, before)| before);
                other = Some((totals, before + time));
            }
        }
        fs::remove_file(&text).expect("it was written");
        row(&format!("{atoms}, {size}"), "Kinfold", own);
        match other {
            Some(other) => row("", rival, other),
            None => println!("| | {rival} is not installed, and left out | | | | |"),
        }
        let numbers = own.0.numbers();
        lines += &format!("{atoms}\t{size}\t{}\t{}\t{}\n", numbers[0], numbers[1], numbers[2]);
        let before = kept.iter().find(|(draw, _)| *draw == (atoms, size)).map(|(_, before)| before);
        if let Some(before) =
            before.filter(|before| numbers.iter().zip(*before).any(|(n, b)| n > b))
        {
            println!("\n{numbers:?} for {atoms} atoms and {size} nodes: kept were {before:?}\n");
            has_grown = true;
        }
    }
    if record && seed == 0 {
        fs::write(&file, lines).expect("the sizes can be kept");
    } else if has_grown {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn row(draw: &str, who: &str, (totals, time): (Totals, f64)) {
    let Totals { states, edges, transitions } = totals;
    let time = time / f64::from(ROUNDS);
    println!("| {draw} | {who} | {states} | {edges} | {transitions} | {time:.0} |");
}

/// The sizes that are kept, for each draw.
fn kept(file: &Path) -> Vec<((u32, usize), [u64; 3])> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = |line: &str| {
        let numbers: Vec<u64> =
            line.split('\t').map(|number| number.parse().expect("a number")).collect();
        let [atoms, size, states, edges, transitions] = numbers[..] else {
            panic!("five numbers are expected: {line}");
        };
        ((atoms as u32, size as usize), [states, edges, transitions])
    };
    text.lines().map(line).collect()
}

/// The formulas in a file.
fn written(all: &[Plain], at: usize) -> PathBuf {
    let text: String = all.iter().map(|plain| format!("{}\n", plain.text)).collect();
    let file = env::temp_dir().join(format!("kinfold-formulas-{}-{at}.ltl", std::process::id()));
    fs::write(&file, text).expect("there is room for temporary files");
    file
}

/// The automata that are made here, and the CPU time in milliseconds.
fn translated(all: &[Plain]) -> (Totals, f64) {
    let start = ProcessTime::now();
    let automata: Vec<Automaton> = all
        .iter()
        .map(|plain| {
            let mut ltl = Ltl::new();
            let formula = plain.formula(&mut ltl);
            Automaton::of(&ltl, formula).expect("small enough")
        })
        .collect();
    let time = start.elapsed().as_secs_f64() * 1e3;
    let mut totals = Totals::default();
    automata.iter().zip(all).for_each(|(automaton, plain)| totals.add(automaton, &plain.atoms()));
    (totals, time)
}

/// The automata of the rival, and its CPU time in milliseconds; none if it is not there.
fn asked(rival: &str, file: &Path, all: &[Plain]) -> Option<(Totals, f64)> {
    let before = time_of_children();
    let output = Command::new(rival).arg("-H").arg("-F").arg(file).output().ok()?;
    let time = time_of_children() - before;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("HOA is text");
    let mut totals = Totals::default();
    let ends: Vec<&str> = text.split_inclusive("--END--").filter(|t| t.contains("HOA:")).collect();
    assert_eq!(ends.len(), all.len(), "an automaton for each formula");
    for (text, plain) in ends.into_iter().zip(all) {
        let (automaton, names) = hoa::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        // The atoms by the names that they have in the formula.
        let number = |name: &String| name[1..].parse::<u32>().expect("p and a number");
        let named: Vec<u32> = names.iter().map(number).collect();
        let rest = plain.atoms().into_iter().filter(|atom| !named.contains(atom));
        let order: Vec<u32> = (0..named.len() as u32)
            .chain(rest.map(|atom| named.len() as u32 + 100 + atom))
            .collect();
        totals.add(&automaton, &order);
    }
    Some((totals, time))
}

/// The CPU time of processes that were waited for, in milliseconds; in hundredths of a second, where the system tells.
fn time_of_children() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks = after.split_whitespace().skip(13).take(2);
    ticks.map(|ticks| ticks.parse::<f64>().unwrap_or(0.0) * 10.0).sum()
}
