//! One model, or more, for each mistake that can be made: it is found, alone, and reads well.
//!
//! The name of a file starts with the code that everything said about it has. Values for constants
//! stand in its first line, after `// set`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use diagnostics::Severity;
use lang::{Compilation, Override, compile};

fn overrides(text: &str) -> Vec<Override> {
    let first = text.lines().next().unwrap_or_default();
    let Some((_, list)) = first.split_once("// set ") else { return Vec::new() };
    let pairs = list.split_whitespace().filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| Override { name: name.into(), value: value.into() }).collect()
}

fn gallery() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gallery");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().expect("files have names").to_string_lossy().into_owned();
        models.push((name, std::fs::read_to_string(&path).expect("it is a text")));
    }
    models.sort();
    models
}

fn codes(compilation: &Compilation) -> BTreeSet<&'static str> {
    compilation.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn every_mistake_is_found_and_reads_well() {
    let mut wrong = String::new();
    for (name, text) in gallery() {
        let compilation = compile(&text, &overrides(&text));
        let expected = name.split('_').next().expect("a part before the first `_`");
        let found = codes(&compilation);
        if found.iter().copied().ne([expected]) {
            writeln!(wrong, "{name}: {found:?}").expect("strings do not fail");
        }
        let errors = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
        assert_eq!(compilation.net.is_none(), errors, "{name}");
        let drawn = compilation.diagnostics.render("model.kin", &text, false);
        insta::with_settings!({ description => text.as_str(), omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, drawn);
        });
    }
    assert!(wrong.is_empty(), "other codes than the name of the file says:\n{wrong}");
}

/// Whoever made a mistake in a process is told where, and what to do instead.
#[test]
fn every_mistake_in_processes_has_a_place_and_a_way_out() {
    for (name, text) in gallery() {
        let compilation = compile(&text, &overrides(&text));
        for one in compilation.diagnostics.iter().filter(|one| one.code.starts_with("E10")) {
            // What is expected is the way out.
            let has_way_out = one.labels.iter().any(|label| label.text.contains("did you mean"))
                || one.message.starts_with("expected")
                || one.code == "E1018";
            assert!(!one.labels.is_empty(), "{name}: {}", one.message);
            assert!(has_way_out || one.help.is_some(), "{name}: {}", one.message);
        }
    }
}

#[test]
fn every_code_has_a_model_and_an_explanation() {
    let shown: BTreeSet<String> = gallery()
        .iter()
        .map(|(name, _)| name.chars().take_while(|&c| c != '_').collect())
        .collect();
    let made: BTreeSet<String> =
        ["E0001", "E0002", "E0003", "E0410", "E0411"].map(String::from).into();
    let known: BTreeSet<String> = lang::EXPLANATIONS.iter().map(|one| one.code.into()).collect();
    assert_eq!(shown.union(&made).cloned().collect::<BTreeSet<_>>(), known);
    for one in lang::EXPLANATIONS.iter() {
        assert!(one.text.len() > 20 && !one.title.is_empty(), "{one:?}");
    }
    assert_eq!(lang::EXPLANATIONS.find("E9999"), None);
}

#[test]
fn what_is_too_large_is_refused() {
    let long = format!("model m\n// {}\n", "x".repeat(lang::LONGEST_TEXT));
    assert_eq!(codes(&compile(&long, &[])), ["E0001"].into());
    assert!(lang::format(&long).is_err());

    let columns = vec!["bool"; 65].join(", ");
    let wide = format!("model m\nplace p({columns})\nflow a\nstart a\n");
    assert_eq!(codes(&compile(&wide, &[])), ["E0410"].into());

    for items in ["take lock ", "unless lock ", "read lock "] {
        let items = items.repeat(257);
        let large = format!("model m\nplace lock = 1\ntransition t {{ {items} }}\n");
        assert_eq!(codes(&compile(&large, &[])), ["E0411"].into());
    }

    let names: Vec<String> = (0..100_003).map(|i| format!("p{i}")).collect();
    let many = format!("model m\nplace {}\nflow a\nstart a\n", names.join(", "));
    let compilation = compile(&many, &[]);
    assert_eq!(codes(&compilation), ["E0410"].into());
    assert_eq!(compilation.diagnostics.errors(), 1);
}

#[test]
fn depth_is_limited_however_it_comes_about() {
    let deep = [
        format!("{}1{}", "(".repeat(5000), ")".repeat(5000)),
        format!("{}1", "-".repeat(5000)),
        format!("1{}", " + 1".repeat(5000)),
        format!("{}true", "not ".repeat(5000)),
        format!("true{}", " implies true".repeat(5000)),
        format!("{}1", "if true then 1 else ".repeat(5000)),
        format!("{}true", "always ".repeat(5000)),
        "(".repeat(5000),
        format!("{}x", "count(p(".repeat(5000)),
    ];
    for expression in deep {
        let text = format!("model m\nconst k = {expression}\nflow a\nstart a\n");
        let compilation = compile(&text, &[]);
        assert_eq!(codes(&compilation), ["E0002"].into(), "{}", &expression[..20]);
        assert_eq!(compilation.diagnostics.errors(), 1);
    }
}

/// Test threads have 2 MiB of stack, as most threads have.
#[test]
fn what_is_allowed_fits_the_stack() {
    let around = |before: &str, times: usize, after: &str| {
        format!("{}true{}", before.repeat(times), after.repeat(times))
    };
    for formula in [
        around("(", 195, ")"),
        around("not ", 195, ""),
        around("always ", 195, ""),
        around("true and (", 95, ")"),
        around("if true then true else ", 95, ""),
        around("count(b(if ", 60, " then 1 else 0)) > 0"),
        around("true implies ", 195, ""),
    ] {
        let text = format!(
            "model m\nplace b: 0..=1 = 1\nflow a\nstart a\nproperty p: {formula}\n\
             transition t {{ stay p: a   when {formula} }}\n"
        );
        let compilation = compile(&text, &[]);
        assert!(compilation.diagnostics.iter().all(|d| d.code != "E0002"), "{formula}");
        drop(compilation.diagnostics.render("model.kin", &text, false));
        assert!(lang::format(&text).is_ok(), "{formula}");
    }
}

#[test]
fn a_flood_of_mistakes_is_cut_short() {
    let text = format!("model m\nflow a\nstart a\n{}", "const k = ;\n".repeat(5000));
    let compilation = compile(&text, &[]);
    assert_eq!(compilation.diagnostics.errors(), 5000);
    let drawn = compilation.diagnostics.render("model.kin", &text, false);
    assert!(drawn.ends_with("\nand 4950 more\n"), "{drawn}");
}

/// Where lines are long or labels far apart, only what is near the labels is shown.
#[test]
fn long_lines_are_drawn_in_part() {
    let names: Vec<String> = (0..500).map(|i| format!("place_{i}")).collect();
    let text = format!(
        "model m\nplace lock = 1\nplace {}, lock, {}\n",
        names[..250].join(", "),
        names[250..].join(", ")
    );
    let drawn = compile(&text, &[]).diagnostics.render("model.kin", &text, false);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("long_line", drawn);
    });
}
