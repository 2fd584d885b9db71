//! `kinfold show`: the model as it was understood.

mod symmetry;

use std::fmt::Write;

use kinfold::draw::{self, Drawing};
use kinfold::trace::{ControlPoint, control_points};
use kinfold::{net_drawing, process_drawing};
use net::{Expr, Net};

use super::cli::{ModelArgs, ShowArgs, ShowFormat};
use super::convert::{is_of_arm, without_processes};
use super::output::Output;
use super::{Exit, Failure, load};

pub fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let output = Output::to(args.output.as_deref());
    let Some(model) = &args.model else {
        output.write(lang::PRELUDE)?;
        return Ok(Exit::Done);
    };
    let model = ModelArgs { model: model.clone(), set: args.set.clone(), go: args.go.clone() };
    let written = load::as_written(&model)?;
    let processes = written.processes.clone();
    let net = written.with_symmetry();
    let text = match args.format {
        // What a program became can be read better than the net of that.
        ShowFormat::Text if processes.is_some() => processes.unwrap_or_default(),
        ShowFormat::Text => text(&net),
        ShowFormat::Dot => draw::dot(&drawing(&net)),
        ShowFormat::Svg => draw::svg(&drawing(&net)),
    };
    output.write(text)?;
    Ok(Exit::Done)
}

/// Processes as they go from point to point, or the net.
fn drawing(net: &Net) -> Drawing {
    process_drawing(net).unwrap_or_else(|| net_drawing(net))
}

fn text(net: &Net) -> String {
    let mut text = control_points(net).map_or_else(String::new, |points| processes(&points));
    if net.listing.is_some() {
        let alone = without_processes(net.clone());
        text.push_str(&lang::write(&alone));
        let too_many = lang::with_too_many_orders(&alone).into_iter();
        let too_many: Vec<String> = too_many.map(|name| format!("`{name}`")).collect();
        if !too_many.is_empty() {
            let names = too_many.join(", ");
            write!(
                text,
                "\n// The records that these read are in too many orders for a model: {names}.\n"
            )
            .expect("strings do not fail");
        }
        // What the net by itself has no words for.
        let arms = net.fairness.iter().filter(|fairness| is_of_arm(net, fairness));
        let arms = arms.map(|fairness| fairness.text(net));
        let properties = net.properties.iter();
        let properties = properties.map(|one| format!("property {}: {}", one.name, one.text));
        for (number, said) in arms.chain(properties).enumerate() {
            let blank = if number == 0 { "\n" } else { "" };
            writeln!(text, "{blank}// {said}").expect("strings do not fail");
        }
    } else {
        text.push_str(&lang::write(net));
    }
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
    text.push_str(&observed(net));
    text.push_str(&symmetry::comments(net));
    if !net.properties.is_empty() {
        text.push_str("// The properties are not checked yet.\n");
    }
    text
}

/// What transitions can still observe of the identities in each column, as comments.
fn observed(net: &Net) -> String {
    let observed = net.observed(net.relations(), [], None);
    let words = observed.words(net);
    let mut text = String::new();
    if words.is_empty() {
        return text;
    }
    text.push_str(
        "// What can still be observed of an identity there; properties may ask for more:\n",
    );
    let width = words.iter().map(|(column, _)| column.chars().count()).max().unwrap_or(0);
    for (column, asked) in words {
        writeln!(text, "//   {column:<width$}  {asked}").expect("strings do not fail");
    }
    text
}

/// The processes with the points at which they stop, as comments.
fn processes(points: &[ControlPoint]) -> String {
    let mut text = "// Where the processes stop, the place of the net for each, and the variables kept there:\n".to_owned();
    let width = points.iter().map(|point| point.at.chars().count()).max().unwrap_or(0);
    let mut line = |line: String| {
        writeln!(text, "//{}", line.trim_end()).expect("strings do not fail");
    };
    for routine in points.chunk_by(|a, b| a.routine == b.routine) {
        line(String::new());
        line(format!(" {}", routine[0].routine));
        for ControlPoint { at, variables, is_idle, place, .. } in routine {
            let idle = if *is_idle { "  idle" } else { "" };
            let variables = match variables.is_empty() {
                true => String::new(),
                false => format!("  ({})", variables.join(", ")),
            };
            line(format!("     {at:<width$}  {place}{variables}{idle}"));
        }
    }
    line(String::new());
    line(" The net that they are translated to:".to_owned());
    text.push('\n');
    text
}
