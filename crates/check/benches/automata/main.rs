//! x
mod formulas;
use check::{Automaton, Ltl, Reductions};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let atoms: u32 = args[1].parse().unwrap();
    let size: usize = args[2].parse().unwrap();
    let all = formulas::formulas(0, 200, atoms, size);
    let text: String = all.iter().map(|p| p.text.clone() + "\n").collect();
    std::fs::write(&args[3], text).unwrap();
    let start = std::time::Instant::now();
    let mut autos = Vec::new();
    for p in &all {
        let mut ltl = Ltl::new();
        let f = p.formula(&mut ltl);
        autos.push(Automaton::of(&ltl, f).unwrap());
    }
    println!("{:?}", start.elapsed());
    let names: Vec<String> = (0..atoms).map(|a| format!("p{a}")).collect();
    let text: String = autos.iter().map(|a| check::hoa::write(a, &names)).collect();
    std::fs::write(&args[4], text).unwrap();
}
