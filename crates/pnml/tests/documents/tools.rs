//! The same net as several tools would write it: it is read as the standard has it, and what is not in the
//! standard is one warning for each kind.

use std::path::Path;

use diagnostics::Severity;
use pnml::{Limits, read, to_net};

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools").join(name);
    let bytes = std::fs::read(path).expect("the file is there");
    pnml::decode(&bytes).expect("it is text").into_owned()
}

#[test]
fn every_dialect_means_the_same() {
    let standard = sample("standard.pnml");
    let document = read(&standard, &Limits::default()).expect("this is the standard");
    assert!(document.warnings.is_empty());
    let net = to_net(&document, &standard).expect("it is a net");
    for tool in ["contest", "pipe", "prom", "tapaal", "tina", "woped"] {
        let text = sample(&format!("{tool}.pnml"));
        let document = read(&text, &Limits::default())
            .unwrap_or_else(|errors| panic!("{}", errors.render(tool, &text, false)));
        assert_eq!(to_net(&document, &text).as_ref(), Ok(&net), "{tool}");
        assert_eq!(document.warnings.errors(), 0);
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(tool, document.warnings.render(tool, &text, false));
        });
    }
}

/// 9,455 arcs with an attribute of their own are one warning that says how many, not as many errors.
#[test]
fn what_is_of_one_kind_is_said_once() {
    let arcs: String = (0..9455)
        .map(|i| format!("<arc id=\"b{i}\" source=\"p\" target=\"t\" type=\"normal\"/>\n"))
        .collect();
    let text = sample("standard.pnml")
        .replace("</page>", &format!("<place id=\"p\"/>$<transition id=\"t\"/>$\n{arcs}</page>"));
    let document = read(&text, &Limits::default()).expect("it can be read");
    let warnings: Vec<_> = document.warnings.iter().map(|w| (w.code, w.times)).collect();
    assert_eq!(warnings, [("P0104", 2), ("P0106", 9455)]);
    let drawn = document.warnings.render("big.pnml", &text, false);
    assert!(drawn.contains("found 9455 times; this is the first"), "{drawn}");

    let refused = read(&text.replace("\"normal\"", "\"inhibitor\""), &Limits::default());
    let report = refused.expect_err("inhibitors are not read");
    let errors = report.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.map(|e| (e.code, e.times)).collect::<Vec<_>>(), [("P0113", 9455)]);
}

/// What would change the meaning is refused, whichever way it is written.
#[test]
fn another_meaning_is_refused() {
    let changes = [
        ("tina.pnml", "<cn>0</cn>", "<cn>2</cn>"),
        ("tina.pnml", "<ci>infty</ci>", "<cn>5</cn>"),
        ("tina.pnml", "value=\"normal\"", "value=\"reset\""),
        ("pipe.pnml", "<capacity><value>0<", "<capacity><value>4<"),
        ("pipe.pnml", "<priority><value>1<", "<priority><value>2<"),
        ("pipe.pnml", "<timed><value>false<", "<timed><value>true<"),
        ("pipe.pnml", "value=\"normal\"", "value=\"read\""),
        ("tapaal.pnml", "&lt; inf", "&lt;= 4"),
        ("tapaal.pnml", "[0,inf)", "[1,2]"),
        ("tapaal.pnml", "priority=\"0\"", "priority=\"3\""),
        ("tapaal.pnml", "urgent=\"false\"", "urgent=\"true\""),
        ("tapaal.pnml", "type=\"timed\"", "type=\"tapnInhibitor\""),
        ("tapaal.pnml", "type=\"timed\"", "type=\"transport\""),
        ("prom.pnml", "<text>normal<", "<text>inhibitor<"),
    ];
    for (name, from, to) in changes {
        let text = sample(name);
        assert!(text.contains(from), "{name} {from}");
        let report = read(&text.replacen(from, to, 1), &Limits::default()).expect_err(to);
        let errors = report.iter().filter(|found| found.severity == Severity::Error);
        assert_eq!(errors.map(|e| e.code).collect::<Vec<_>>(), ["P0113"], "{name} {to}");
    }
    let colours = sample("pipe.pnml").replacen("Default,3", "Default,3,Red,1", 1);
    let report = read(&colours, &Limits::default()).expect_err("two colours");
    assert!(report.to_string().contains("[P0109]"));
}
