//! `kinfold fmt`.

use std::fs;

use super::cli::FmtArgs;
use super::output::Output;
use super::{Exit, Failure, load};

pub fn run(args: &FmtArgs) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut wrong = Vec::new();
    for path in &args.files {
        let text = load::text(path)?;
        let name = load::name(path);
        let formatted = match lang::format(&text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                load::report(&diagnostics, &name, &text);
                wrong.push(name);
                continue;
            }
        };
        if args.check {
            if formatted != text {
                Output::Stdout.write(format!("{name}\n"))?;
                exit = Exit::No;
            }
        } else if path.as_os_str() == "-" {
            Output::Stdout.write(formatted)?;
        } else if formatted != text {
            fs::write(path, formatted)
                .map_err(|error| Failure::system(format!("cannot write {name}: {error}")))?;
        }
    }
    match wrong.as_slice() {
        [] => Ok(exit),
        names => Err(Failure::model(format!("left as it is: {}", names.join(", ")))),
    }
}
