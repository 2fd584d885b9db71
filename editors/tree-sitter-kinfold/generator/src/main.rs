//! Generates the parser from `grammar.js`, as `tree-sitter generate` does, whose library this calls.

use std::path::Path;

/// The version of the interface between parsers and editors: the one that all of them know.
const ABI: usize = 14;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of grammar.js");
    let made = tree_sitter_generate::generate_parser_in_directory(
        Path::new(&folder),
        None,
        None,
        ABI,
        None,
        Some("node"),
    );
    if let Err(error) = made {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
