//! The modules keep to the form that can be linked, and what is written into documents stays inside.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::embedded::{content, files};
use crate::link::{export, import, linked};
use crate::{playground_index, run_html, write_graph_html};

/// A graph as one HTML file.
fn graph_html(title: &str, data: &Value) -> String {
    let mut html = Vec::new();
    write_graph_html(&mut html, title, data).unwrap();
    String::from_utf8(html).unwrap()
}

fn modules() -> impl Iterator<Item = (&'static str, &'static str)> {
    files().iter().filter_map(|file| {
        let name = file.path.strip_prefix("/web/").filter(|name| name.ends_with(".js"))?;
        Some((name, file.content))
    })
}

/// The names that a module exports.
fn exports(module: &str) -> BTreeSet<&'static str> {
    content(module).lines().filter_map(export).collect()
}

#[test]
fn imports_and_exports_have_the_form_that_can_be_linked() {
    for (name, text) in modules() {
        for line in text.lines() {
            if line.starts_with("import ") {
                assert!(import(line).is_some(), "{name}: {line}");
            }
            if line.trim_start().starts_with("export ") {
                assert!(export(line).is_some(), "{name}: {line}");
            }
            assert!(!line.contains("import("), "{name}: {line}");
            assert!(!line.contains("import.meta"), "{name}: {line}");
        }
    }
}

#[test]
fn every_import_is_exported_by_a_file_that_is_there() {
    for (name, text) in modules() {
        for import in text.lines().filter_map(import) {
            let there = exports(import.module);
            for wanted in import.names.split(", ") {
                assert!(there.contains(wanted), "{name} imports {wanted} from {}", import.module);
            }
        }
    }
}

#[test]
fn no_module_imports_itself() {
    let mut left: Vec<(&str, Vec<&str>)> = modules()
        .map(|(name, text)| (name, text.lines().filter_map(import).map(|one| one.module).collect()))
        .collect();
    while !left.is_empty() {
        let free: Vec<&str> =
            left.iter().filter(|(_, uses)| uses.is_empty()).map(|(name, _)| *name).collect();
        assert!(!free.is_empty(), "a cycle among {left:?}");
        left.retain(|(name, _)| !free.contains(name));
        for (_, uses) in &mut left {
            uses.retain(|name| !free.contains(name));
        }
    }
}

#[test]
fn linked_scripts_have_modules_before_those_that_use_them_and_no_imports() {
    for main in ["standalone_run.js", "standalone_graph.js", "main.js"] {
        let script = linked(main);
        assert!(
            !script.lines().any(|line| line.starts_with("import ") || line.starts_with("export "))
        );
        let mut made = BTreeSet::new();
        for line in script.lines() {
            if let Some((_, module)) = line.rsplit_once("} = module_") {
                assert!(made.contains(module.trim_end_matches(';')), "{main}: {line}");
            }
            if let Some(module) = line.strip_prefix("const module_") {
                made.insert(module.split(' ').next().unwrap());
            }
        }
    }
}

#[test]
fn nothing_is_fetched_from_elsewhere_and_nothing_is_inline() {
    const NAMESPACE: &str = "http://www.w3.org/2000/svg";
    for file in files() {
        let text = file.content.replace(NAMESPACE, "");
        for word in [
            "http://",
            "https://",
            "//cdn",
            "eval(",
            "new Function",
            "innerHTML",
            "document.write",
            "@import",
        ] {
            assert!(!text.contains(word), "{} has {word}", file.path);
        }
    }
    let document = files()[0].content;
    for word in [" style=", "<style", " onclick", " onload", "javascript:"] {
        assert!(!document.contains(word), "the document has {word}");
    }
    for script in document.split("<script").skip(1) {
        assert!(script.contains(" src=\"web/") && script.contains("></script>"), "{script}");
    }
}

#[test]
fn all_that_the_document_names_is_there() {
    let document = files()[0].content;
    for attribute in ["src=\"", "href=\""] {
        for address in document.split(attribute).skip(1) {
            let address = address.split('"').next().unwrap();
            if !address.starts_with('#') {
                assert!(files().iter().any(|file| file.path == format!("/{address}")), "{address}");
            }
        }
    }
}

#[test]
fn every_id_that_modules_ask_for_is_in_a_document() {
    let standalone = run_html("", &json!({})) + &graph_html("", &json!({}));
    for (name, text) in modules() {
        for id in text.split("byId('").skip(1) {
            let id = id.split('\'').next().unwrap();
            let attribute = format!("id=\"{id}\"");
            let documents = [files()[0].content, &standalone];
            assert!(documents.iter().any(|one| one.contains(&attribute)), "{name} asks for {id}");
        }
    }
}

#[test]
fn data_stays_inside_its_element() {
    let hostile = "</script><script>alert(1)</script><!--<script>&amp; ' \" \u{2028}";
    let data = json!({ "steps": [{ "text": hostile }] });
    for html in [run_html(hostile, &data), graph_html(hostile, &data)] {
        assert!(!html.contains("alert(1)</script>"), "the data is no markup");
        assert_eq!(html.matches("</script").count(), 2, "one for the data, one for the code");
        let embedded =
            html.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(serde_json::from_str::<Value>(embedded).unwrap(), data);
        assert!(html.contains("<title>&lt;/script&gt;"), "the title is text");
    }
}

#[test]
fn scripts_and_styles_do_not_end_their_elements() {
    for file in files().iter().skip(1) {
        assert!(
            !file.content.contains("</script") && !file.content.contains("</style"),
            "{}",
            file.path
        );
    }
}

#[test]
fn the_playground_names_its_worker() {
    let document = playground_index("engine.js\"><script>");
    assert!(document.contains(r#"<meta name="kinfold-host" content="playground">"#));
    assert!(document.contains(r#"content="engine.js&quot;&gt;&lt;script&gt;""#));
}

/// Whether node can read a text as a script or a module.
fn checked_by_node(kind: &str, text: &str) -> std::io::Result<(bool, String)> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new("node")
        .args([&format!("--input-type={kind}"), "--check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    child.stdin.take().unwrap().write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn modules_are_sound_javascript() {
    if checked_by_node("commonjs", "").is_err() {
        eprintln!("left out: there is no node to check the modules with");
        return;
    }
    assert!(!checked_by_node("module", "const a = ;").unwrap().0, "mistakes are found");
    for (name, text) in modules() {
        let (is_sound, message) = checked_by_node("module", text).unwrap();
        assert!(is_sound, "{name}: {message}");
    }
    for main in ["standalone_run.js", "standalone_graph.js"] {
        let (is_sound, message) = checked_by_node("commonjs", &linked(main)).unwrap();
        assert!(is_sound, "{main}: {message}");
    }
}
