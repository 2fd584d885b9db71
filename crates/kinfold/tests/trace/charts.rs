//! Sequence charts and logs: who does what with whom.

use std::collections::{BTreeMap, BTreeSet};

use kinfold::{Trace, TraceFormat};
use net::Net;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::traces::{
    all, compiled, deadlock_of_locks, loop_of_relay, mailbox, pool, random, run, server,
};

fn written((net, trace): &(Net, Trace), format: TraceFormat) -> String {
    trace.write(format, net, Some("shown"))
}

#[test]
fn charts_as_pictures() {
    insta::assert_snapshot!("svg_loop", written(&loop_of_relay(), TraceFormat::Svg));
    insta::assert_snapshot!("svg_pool", written(&pool(), TraceFormat::Svg));
}

#[test]
fn charts_for_mermaid() {
    insta::assert_snapshot!("mermaid_server", written(&server(), TraceFormat::Mermaid));
    insta::assert_snapshot!("mermaid_mailbox", written(&mailbox(), TraceFormat::Mermaid));
    insta::assert_snapshot!(
        "mermaid_deadlock",
        written(&deadlock_of_locks(), TraceFormat::Mermaid)
    );
    insta::assert_snapshot!("mermaid_loop", written(&loop_of_relay(), TraceFormat::Mermaid));
}

#[test]
fn logs_for_shiviz() {
    insta::assert_snapshot!("shiviz_server", written(&server(), TraceFormat::ShiViz));
    insta::assert_snapshot!("shiviz_mailbox", written(&mailbox(), TraceFormat::ShiViz));
}

/// A line of text in a picture: its left, right, top and bottom, and what it says.
struct Words {
    sides: [f64; 4],
    text: String,
}

/// The texts of a document that is well-formed.
fn words(svg: &str) -> Vec<Words> {
    let mut reader = Reader::from_str(svg);
    reader.config_mut().check_end_names = true;
    let (mut found, mut open, mut depth, mut in_title) = (Vec::new(), None, 0, false);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {svg}")) {
            Event::Eof => break,
            Event::Start(element) => {
                depth += 1;
                in_title = element.name().as_ref() == "title";
                if element.name().as_ref() == "text" {
                    let attributes: BTreeMap<String, String> = element
                        .attributes()
                        .map(|attribute| {
                            let attribute = attribute.unwrap();
                            let key: &str = attribute.key.as_ref();
                            (key.to_owned(), attribute.value.into_owned())
                        })
                        .collect();
                    open = Some((attributes, String::new()));
                }
            }
            Event::End(_) => {
                depth -= 1;
                if std::mem::take(&mut in_title) {
                    continue;
                }
                if let Some((attributes, text)) = open.take() {
                    let number = |key: &str| attributes[key].parse::<f64>().unwrap();
                    let (x, y, size) = (number("x"), number("y"), number("font-size"));
                    let width = 0.602 * size * text.chars().count() as f64;
                    let left = match attributes["text-anchor"].as_str() {
                        "start" => x,
                        "middle" => x - width / 2.0,
                        _ => x - width,
                    };
                    let sides = [left, left + width, y - 0.75 * size, y + 0.2 * size];
                    found.push(Words { sides, text });
                }
            }
            Event::Text(_) | Event::GeneralRef(_) if in_title => {}
            Event::Text(text) => {
                if let Some((_, words)) = &mut open {
                    words.push_str(&text);
                }
            }
            Event::GeneralRef(_) => {
                if let Some((_, words)) = &mut open {
                    words.push('?');
                }
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0, "all elements are closed");
    found
}

#[test]
fn pictures_are_well_formed_and_no_text_is_over_another() {
    let mut seen = 0;
    for (name, (net, trace)) in
        all().into_iter().map(|one| ("fixed".to_owned(), one)).chain(random())
    {
        let svg = trace.write(TraceFormat::Svg, &net, None);
        let size = |key: &str| -> f64 {
            let rest = &svg[svg.find(&format!(" {key}=\"")).unwrap() + key.len() + 3..];
            rest[..rest.find('"').unwrap()].parse().unwrap()
        };
        let (width, height) = (size("width"), size("height"));
        let words = words(&svg);
        for (i, one) in words.iter().enumerate() {
            let [left, right, top, bottom] = one.sides;
            assert!(
                left >= 0.0 && right <= width && top >= 0.0 && bottom <= height,
                "{name}: {} is outside",
                one.text
            );
            for other in &words[..i] {
                let [l, r, t, b] = other.sides;
                let apart = right <= l || r <= left || bottom <= t || b <= top;
                assert!(apart, "{name}: {} is over {}\n{svg}", one.text, other.text);
            }
        }
        seen += words.len();
    }
    assert!(seen > 5_000, "{seen}");
}

/// What a lock is held by, and that both wait for it, can be seen.
#[test]
fn a_place_that_threads_compete_for_has_a_lifeline() {
    let svg = written(&deadlock_of_locks(), TraceFormat::Svg);
    assert_eq!(svg.matches("<title>place lock</title>").count(), 1);
    for said in ["take red", "take blue", ">empty<", ">blue, red<"] {
        assert!(svg.contains(said), "{said}: {svg}");
    }
    let diagram = written(&deadlock_of_locks(), TraceFormat::Mermaid);
    assert!(diagram.contains("participant p2 as place lock"), "{diagram}");
    // What one puts and another takes is a message between them.
    let text = "model post\nflow a, b, c\nplace letter\nstart a, b
                transition send { move x: a -> c   put letter }
                transition receive { move x: b -> c   take letter }";
    let net = compiled(text, &[]);
    let trace = run(&net, &["send", "receive"]).into();
    let svg = written(&(net, trace), TraceFormat::Svg);
    assert!(svg.contains("<title>2 takes letter of 1</title>") && !svg.contains("<title>place"));
}

#[test]
fn at_most_four_places_have_lifelines() {
    let places = ["a", "b", "c", "d", "e", "f"];
    let declared: String = places.iter().map(|name| format!("place {name} = 1\n")).collect();
    let text = format!(
        "model many\n{declared}flow p, q, r\nstart p, p\n
         transition first {{ move t: p -> q   take a, b, c, d, e, f }}
         transition second {{ move t: q -> r   put a, b, c, d, e, f }}"
    );
    let net = compiled(&text, &[]);
    let trace = run(&net, &["first", "second", "first", "second"]).into();
    assert_eq!(written(&(net, trace), TraceFormat::Svg).matches("<title>place").count(), 4);
}

#[test]
fn the_boxes_of_a_long_chart_are_repeated() {
    let text = "model long\nflow p(n: 0..=1)\nstart p(0)\n
                transition turn { move t: p(n) -> p(1 - n) }";
    let net = compiled(text, &[]);
    let boxes = |steps: usize| {
        let trace = run(&net, &vec!["turn"; steps]).into();
        let svg = written(&(net.clone(), trace), TraceFormat::Svg);
        words(&svg).iter().filter(|words| words.text == "1" && words.sides[0] > 60.0).count()
    };
    assert_eq!((boxes(5), boxes(100) > 4), (1, true));
}

#[test]
fn labels_that_are_cut_are_said_in_full() {
    let name = "a_place_with_a_name_that_is_so_long_that_it_is_cut";
    let text =
        format!("model cut\nflow p, {name}\nstart p\ntransition t {{ move x: p -> {name} }}");
    let net = compiled(&text, &[]);
    let trace = run(&net, &["t"]).into();
    let svg = written(&(net, trace), TraceFormat::Svg);
    assert!(svg.contains(&format!("<title>{name}</title>{}…</text>", &name[..35])), "{svg}");
}

#[test]
fn the_born_are_created_and_the_ended_destroyed() {
    for (name, (net, trace)) in random() {
        let diagram = trace.write(TraceFormat::Mermaid, &net, None);
        let lines: Vec<&str> = diagram.lines().map(str::trim).collect();
        let mut there = BTreeSet::new();
        let born: usize = trace.run.steps.iter().map(|step| step.children.len()).sum();
        let mut created = 0;
        for (i, line) in lines.iter().enumerate() {
            if let Some(rest) = line.strip_prefix("create participant ") {
                let id = rest.split(' ').next().unwrap();
                assert!(lines[i + 1].contains(&format!(">{id}: born at")), "{name}: {line}");
                assert!(there.insert(id), "{name}: {id} twice");
                created += 1;
            } else if let Some(rest) = line.strip_prefix("participant ") {
                assert!(there.insert(rest.split(' ').next().unwrap()), "{name}");
            } else if let Some(id) = line.strip_prefix("destroy ") {
                assert!(lines[i + 1].ends_with(&format!("-x{id}: ends")), "{name}: {line}");
                // The arrow of the end is the last.
                for later in &lines[i + 2..] {
                    let arrow = later.split(": ").next().unwrap();
                    assert!(
                        arrow.starts_with("Note")
                            || !arrow.split([')', '>', '-', 'x']).any(|end| end == id),
                        "{name}: {later} after {id} was destroyed"
                    );
                }
            }
        }
        assert_eq!(created, born, "{name}");
    }
}

#[test]
fn clocks_count_and_never_run_backwards() {
    for (name, (net, trace)) in random() {
        let log = trace.write(TraceFormat::ShiViz, &net, None);
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!(lines[0], r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)");
        assert_eq!(lines[1], "");
        let mut last: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
        for pair in lines[2..].chunks(2) {
            let (host, clock) = pair[0].split_once(' ').unwrap();
            let clock: BTreeMap<String, u64> = serde_json::from_str(clock).unwrap();
            let before = last.get(host).cloned().unwrap_or_default();
            assert_eq!(clock[host], before.get(host).unwrap_or(&0) + 1, "{name}: {}", pair[0]);
            for (other, count) in &before {
                assert!(clock[other] >= *count, "{name}: {} forgets {other}", pair[0]);
            }
            for (other, count) in clock.iter().filter(|(other, _)| *other != host) {
                let known = last.get(other.as_str()).map_or(0, |clock| clock[other]);
                assert!(*count <= known, "{name}: {} knows the future of {other}", pair[0]);
            }
            // Who knows of an event knows all that was known there.
            for (other, count) in clock.iter().filter(|(other, _)| *other != host) {
                let theirs = &last[other.as_str()];
                if theirs[other] == *count {
                    assert!(theirs.iter().all(|(third, n)| clock.get(third) >= Some(n)), "{name}");
                }
            }
            last.insert(host, clock);
        }
    }
}

/// What is put by one and taken by another is known to be before, and what the sender did later is not.
#[test]
fn messages_make_clocks_meet() {
    let (net, trace) = mailbox();
    let log = trace.write(TraceFormat::ShiViz, &net, None);
    let discarded = log.lines().rev().nth(1).unwrap();
    assert_eq!(discarded, r#"2 {"1":1,"1.1":4,"2":2}"#, "{log}");
}
