//! `kinfold convert`: a model in the other format.
//!
//! What is written means the model that was read. PNML cannot say all of it: then everything that it cannot
//! say is listed, and nothing is written. Properties go to a file of their own, as far as the contest's format
//! has words for them. The language can say whatever PNML can, except for a few names;
//! what is written in it is read again before it is given away. It declares the symmetry of classes, so that
//! which was found in a PNML document is written with it; members may be in another order then.

use std::path::Path;

use diagnostics::Severity;
use lang::Compilation;
use net::{Fairness, Net, Whom};

use super::cli::{ConvertArgs, ModelFormat};
use super::load::{self, Written};
use super::output::{self, Output};
use super::{Exit, Failure};

pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let format = match (args.to, load::format_of(&args.output)) {
        (Some(to), Some(named)) if to != named => {
            let name = load::name(&args.output);
            return Err(Failure::usage(format!("--to says another format than {name}")));
        }
        (Some(format), _) | (None, Some(format)) => format,
        (None, None) => {
            return Err(Failure::usage(
                "in which format? write to a file that ends in .kin or .pnml, or say --to",
            ));
        }
    };
    let Written { mut net, format: written_in, processes, .. } = load::as_written(&args.model)?;
    if format == ModelFormat::Go {
        return Err(Failure::usage("Go programs are read and not written; convert to .kin"));
    }
    if let (Some(processes), ModelFormat::Kin) = (processes, format) {
        write_text(args, processes)?;
        return Ok(Exit::Done);
    }
    if net.listing.is_some() {
        if format == ModelFormat::Pnml {
            return Err(Failure::model(
                "nothing is written: PNML has no processes, nor threads and objects; convert to .kin for the net \
                 that they are translated to",
            ));
        }
        let lost: Vec<&str> = [
            (!net.properties.is_empty()).then_some("the properties"),
            net.fairness
                .iter()
                .any(|fairness| is_of_arm(&net, fairness))
                .then_some("assumptions about arms"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !args.net_only && !lost.is_empty() {
            let lost = lost.join(" and ");
            output::tell(format_args!(
                "{lost} are left out, as they speak of processes (with --net-only, silently)"
            ));
        }
        net = without_processes(net);
        // Its variables may be declared in another order when it is read again.
        let text = lang::write(&net);
        let again = lang::compile(&text, &[]);
        if again.net.is_none() {
            return Err(unsayable("the language", &errors(&again)));
        }
        write_text(args, text)?;
        return Ok(Exit::Done);
    }
    if args.net_only {
        net.properties.clear();
    }
    let text = match (written_in, format) {
        // The language declares symmetry. Where it cannot say what was found, it says what was written.
        (ModelFormat::Pnml, ModelFormat::Kin) => {
            kin(&net.find_symmetry(&[]).net).or_else(|_| kin(&net))?
        }
        (_, ModelFormat::Kin) => kin(&net)?,
        (_, ModelFormat::Pnml | ModelFormat::Go) => document(&net)?,
    };
    write_text(args, text)?;
    if format == ModelFormat::Pnml && !net.properties.is_empty() {
        write_properties(&net, args)?;
    }
    Ok(Exit::Done)
}

/// Whether an assumption is about the arms of a `select`, which only processes have.
pub fn is_of_arm(net: &Net, fairness: &Fairness) -> bool {
    matches!(fairness.of, Whom::Action(id) if !net.is_transition(id))
}

/// The net that processes are translated to, by itself: without the words in which it is told, the properties and the
/// assumptions, which speak of processes, and the probes that they ask, which never fire.
pub fn without_processes(net: Net) -> Net {
    let probes = net.transitions.iter().rev().take_while(|transition| transition.probe).count();
    let (properties, listing) = (Vec::new(), None);
    let mut net = Net { properties, listing, ..net };
    net.transitions.truncate(net.transitions.len() - probes);
    let mut fairness = std::mem::take(&mut net.fairness);
    fairness.retain(|fairness| !is_of_arm(&net, fairness));
    net.fairness = fairness;
    // The language has them with their places.
    net.tokens.sort_by_key(|token| token.place);
    assert!(net.transitions.iter().all(|transition| !transition.probe), "probes come last");
    net
}

/// Writes the properties that the contest's files can say: beside the document, or where it is said. The
/// others are listed.
fn write_properties(net: &Net, args: &ConvertArgs) -> Result<(), Failure> {
    let said = net.properties.iter().map(|property| pnml::properties::from_net(property, net));
    let (said, left): (Vec<_>, Vec<_>) = said.partition(Result::is_ok);
    let left: String =
        left.iter().filter_map(|one| one.as_ref().err()).map(|one| format!("\n  {one}")).collect();
    if !left.is_empty() {
        output::tell(format_args!(
            "left out (with --net-only, all properties are left out silently):{left}"
        ));
    }
    let said: Vec<_> = said.into_iter().flatten().collect();
    let beside =
        (args.output.as_os_str() != "-").then(|| args.output.with_extension("properties.xml"));
    match args.properties.clone().or(beside) {
        Some(_) if said.is_empty() => Ok(()),
        Some(path) => {
            output::tell(format_args!("properties written to {}", load::name(&path)));
            Output::to(Some(&path)).write(pnml::properties::write(&said))
        }
        None => {
            output::tell(format_args!(
                "the properties are left out; --properties FILE says where to write them"
            ));
            Ok(())
        }
    }
}

fn write_text(args: &ConvertArgs, text: String) -> Result<(), Failure> {
    let path: Option<&Path> = (args.output.as_os_str() != "-").then_some(&args.output);
    Output::to(path).write(text)
}

fn kin(net: &Net) -> Result<String, Failure> {
    let text = lang::write(net);
    let again = lang::compile(&text, &[]);
    match again.net.as_ref() == Some(net) {
        true => Ok(text),
        false => Err(unsayable("the language", &errors(&again))),
    }
}

fn errors(compilation: &Compilation) -> Vec<String> {
    let found = compilation.diagnostics.iter();
    let errors = found.filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| error.message.clone()).collect()
}

fn document(net: &Net) -> Result<String, Failure> {
    match pnml::from_net(net) {
        Ok(document) => Ok(pnml::write(&document)),
        Err(list) => {
            let list: Vec<String> = list.iter().map(ToString::to_string).collect();
            Err(unsayable("PNML", &list))
        }
    }
}

fn unsayable(by: &str, list: &[String]) -> Failure {
    let lines: String = list.iter().map(|what| format!("\n  {what}")).collect();
    Failure::model(format!("nothing is written, since {by} cannot say this:{lines}"))
}
