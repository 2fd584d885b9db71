//! `kinfold show`: the model as it was understood.

mod symmetry;

use std::fmt::Write;

use kinfold::{draw, net_drawing};
use net::{Expr, Net};

use super::cli::{ShowArgs, ShowFormat};
use super::output::Output;
use super::{Exit, Failure, load};

pub fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let net = load::net(&args.model)?;
    let text = match args.format {
        ShowFormat::Text => text(&net),
        ShowFormat::Dot => draw::dot(&net_drawing(&net)),
        ShowFormat::Svg => draw::svg(&net_drawing(&net)),
    };
    Output::to(args.output.as_deref()).write(text)?;
    Ok(Exit::Done)
}

fn text(net: &Net) -> String {
    let mut text = lang::write(net);
    text.push_str("\n// Observed of pids: equality");
    for relation in net.relations().iter() {
        let observers: Vec<&str> = net
            .transitions
            .iter()
            .filter(|transition| {
                let mut observes = false;
                transition.expressions().for_each(|expr| {
                    expr.walk(&mut |expr| {
                        observes |= matches!(expr, Expr::Relation(found, ..) if *found == relation);
                    });
                });
                observes
            })
            .map(|transition| transition.name.as_str())
            .collect();
        write!(text, "; {relation} (by {})", observers.join(", ")).expect("strings do not fail");
    }
    text.push_str(".\n");
    text.push_str(&symmetry::comments(net));
    if !net.properties.is_empty() {
        text.push_str("// The properties are not checked yet.\n");
    }
    text
}
