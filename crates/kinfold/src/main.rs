//! The `kinfold` command.
fn main() {}
