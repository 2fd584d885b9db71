//! `kinfold equiv`: whether two states are equivalent.
//!
//! The verdict is that of the canonical forms. A bijection is checked against the definition before it
//! is shown, and where an invariant differs the verdict must be no: were either check to fail, this
//! would be a fault of Kinfold, and is reported as one.

use std::collections::BTreeMap;
use std::fmt::Write;

use canon::Canoniser;
use fold::layers::{Layers, difference};
use fold::{Equivalent, canonical};
use serde_json::json;
use state::{Pid, State, Value};

use super::cli::EquivArgs;
use super::output::Output;
use super::{Exit, Failure, states};

pub fn run(args: &EquivArgs) -> Result<Exit, Failure> {
    if args.first.as_os_str() == "-" && args.second.as_os_str() == "-" {
        return Err(Failure::usage("only one of the states can come from standard input"));
    }
    let states = [states::one(&args.first, None)?, states::one(&args.second, None)?];
    // Objects have names that do not matter, and may be in sets, whose order does not; a state alone does not say so.
    let is_object = |value: &Value| matches!(value, Value::Object(..));
    if states.iter().any(|state| state.values().any(is_object)) {
        return Err(Failure::usage(
            "the states have objects, and only their model tells whether they are equivalent; `kinfold graph MODEL \
             --format json` has each class of its states once",
        ));
    }
    let canoniser = &mut Canoniser::new();
    let forms = states.each_ref().map(|state| canonical(state, args.relations, canoniser));
    let graphs = states.each_ref().map(|state| Layers::new(state, args.relations));
    let equivalent = forms[0].state == forms[1].state;
    let output = if equivalent {
        let bijection = forms[0].onto(&forms[1]);
        assert!(
            graphs[0].is_carried_by(&bijection, &graphs[1]),
            "canonical forms are equal, but {bijection:?} is no isomorphism"
        );
        yes(args, &states, &bijection)
    } else {
        let difference = difference(&graphs[0], &graphs[1]);
        no(args, &forms, difference)
    };
    Output::Stdout.write(output)?;
    Ok(if equivalent { Exit::Done } else { Exit::No })
}

fn yes(args: &EquivArgs, states: &[State; 2], bijection: &BTreeMap<Pid, Pid>) -> String {
    let next = |side: usize, pid: &Pid| {
        let children = states[side].eta().get(pid).copied();
        children.map(|n| format!("{pid}.{}", u64::from(n) + 1))
    };
    let pairs: Vec<[String; 2]> =
        bijection.iter().map(|(a, b)| [a.to_string(), b.to_string()]).collect();
    let nexts: Vec<[String; 2]> =
        bijection.iter().filter_map(|(a, b)| Some([next(0, a)?, next(1, b)?])).collect();
    if args.json {
        let object = |pairs: &[[String; 2]]| -> serde_json::Map<String, serde_json::Value> {
            pairs.iter().map(|[a, b]| (a.clone(), b.clone().into())).collect()
        };
        let report = json!({
            "schema_version": 1,
            "relations": args.relations.iter().map(|r| r.name()).collect::<Vec<_>>(),
            "equivalent": true,
            "bijection": object(&pairs),
            "next_pids": object(&nexts),
        });
        return format!("{report:#}\n");
    }
    let width = pairs.iter().chain(&nexts).map(|pair| pair[0].chars().count()).max().unwrap_or(0);
    let mut text = format!("equivalent, observing {}\n", args.relations);
    for ([a, b], note) in
        pairs.iter().map(|pair| (pair, "")).chain(nexts.iter().map(|pair| (pair, "  (next pids)")))
    {
        writeln!(text, "  {a:width$} ↦ {b}{note}").expect("strings do not fail");
    }
    text
}

fn no(args: &EquivArgs, forms: &[Equivalent; 2], difference: Option<String>) -> String {
    let [first, second] = forms.each_ref().map(|form| &form.state);
    let searched = difference.is_none();
    let reason =
        difference.unwrap_or_else(|| "there is no bijection, although all counts agree".to_owned());
    if args.json {
        let mut report = json!({
            "schema_version": 1,
            "relations": args.relations.iter().map(|r| r.name()).collect::<Vec<_>>(),
            "equivalent": false,
            "reason": reason,
        });
        if searched {
            report["canonical"] = json!([first.to_json(), second.to_json()]);
        }
        return format!("{report:#}\n");
    }
    let mut text = format!("not equivalent, observing {}\n  {reason}\n", args.relations);
    if searched {
        let shown = "the search over all bijections ended with different canonical states";
        write!(text, "  {shown}:\n  {}\n  {}\n", first.to_json(), second.to_json())
            .expect("strings do not fail");
    }
    text
}
