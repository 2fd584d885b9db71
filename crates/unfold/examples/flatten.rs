//! Writes the unfolded net of a PNML document as a document of a P/T net, as the contest's P/T instances are:
//! `cargo run --release -p kinfold-unfold --example flatten -- model.pnml [SEED] > flat.pnml`. With a seed, places and
//! transitions are written in a random order.
//!
//! Only what can change is in the unfolded net, so that tokens that stay where they are do not count in it.

#![expect(clippy::print_stdout, reason = "the net is what is asked for")]

use std::env;
use std::error::Error;
use std::fs;

use budget::Budget;
use random::Random;
use symbolic::Translation;
use unfold::{UnfoldLimits, UnfoldedNet};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("flatten MODEL.pnml [SEED]")?;
    let seed = arguments.next().map(|seed| seed.parse::<u64>()).transpose()?;
    let text = fs::read_to_string(path)?;
    println!("{}", flat(&text, seed)?);
    Ok(())
}

fn flat(text: &str, seed: Option<u64>) -> Result<String, Box<dyn Error>> {
    let document = pnml::read(text, &pnml::Limits::default()).map_err(|_| "it is no PNML")?;
    let net = pnml::to_net(&document, text).map_err(|_| "it is no net")?;
    let translation = Translation::of(&net.into(), &Budget::unlimited())?;
    let symmetric = translation.symmetric_net();
    let net = UnfoldedNet::of(symmetric, &UnfoldLimits::default())?;
    let names: Vec<String> = net
        .places
        .iter()
        .map(|place| {
            let elements = place.tuple.iter().map(|element| format!("_{element}"));
            let name = symmetric.places[place.place.0 as usize].name.replace(['-', ' '], "_");
            name + &elements.collect::<String>()
        })
        .collect();
    let places = net.places.iter().zip(&names).map(|(place, name)| {
        let marking = format!("<initialMarking><text>{}</text></initialMarking>", place.initial);
        format!("<place id=\"{name}\"><name><text>{name}</text></name>{marking}</place>\n")
    });
    let mut nodes: Vec<String> = places.collect();
    let mut arcs = String::new();
    for (i, transition) in net.transitions.iter().enumerate() {
        if !transition.sums.is_empty() || transition.arcs.iter().any(|arc| arc.most < i32::MAX) {
            return Err("P/T nets have no inhibitors".into());
        }
        for binding in 0..transition.bindings {
            let name = format!("t{i}_{binding}");
            nodes.push(format!(
                "<transition id=\"{name}\"><name><text>{name}</text></name></transition>\n"
            ));
            for arc in &transition.arcs {
                let place = &names[arc.place as usize];
                for (from, to, weight) in
                    [(place, &name, arc.least), (&name, place, arc.least + arc.change)]
                {
                    if weight > 0 {
                        let weight = format!("<inscription><text>{weight}</text></inscription>");
                        arcs += &format!(
                            "<arc id=\"{from}-{to}\" source=\"{from}\" target=\"{to}\">{weight}</arc>\n"
                        );
                    }
                }
            }
        }
    }
    if let Some(seed) = seed {
        let mut random = Random::new(seed);
        random.shuffle(&mut nodes);
    }
    Ok(format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n<net id=\"flat\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n<name><text>flat</text></name>\n<page id=\"page\">\n{}{arcs}</page>\n</net>\n</pnml>",
        nodes.concat()
    ))
}
