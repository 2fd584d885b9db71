//! Prints a Go program as processes: `cargo run -p kinfold-go --example to_kin main.go`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

fn main() {
    let name = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(&name).expect("a text");
    let entry = std::env::args().nth(2);
    let options = go::Options { entry, ..go::Options::default() };
    let found = go::translate(&[go::Source { name: &name, text: &text }], &options);
    eprintln!("{}", found.diagnostics.render(&name, &found.text, false));
    match found.kin {
        Some(kin) => println!("{kin}"),
        None => std::process::exit(3),
    }
}
