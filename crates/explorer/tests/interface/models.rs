//! `models`, `model` and `write`.

use budget::Budget;
use explorer::{Code, Explorer, Host, Text};
use lang::Override;
use serde_json::{Value as Json, json};

use crate::asked::{ask, explorer, read, refusal, text_of};

#[test]
fn models_are_listed_in_the_order_in_which_they_were_read() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin"]);
    let models = ask(&explorer, "models", json!({}));
    assert_eq!((&models["version"], &models["host"]), (&json!(1), &json!("server")));
    assert_eq!(models["kinfold"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        models["models"],
        json!([{ "name": "lock", "file": "lock.kin" }, { "name": "abba", "file": "processes/abba.kin" }])
    );
    let formats = models["formats"].as_array().unwrap();
    assert!(formats.iter().any(|format| format["name"] == "json" && format["extension"] == "json"));
}

#[test]
fn a_model_says_what_is_in_it() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin", "pnml/client_server.pnml"]);
    let kinds = ["lock", "abba", "client_server"].map(|name| {
        let model = ask(&explorer, "model", json!({ "model": name }));
        assert_eq!(model["is_right"], true);
        assert_eq!(model["can_write"], false);
        assert_eq!(model["generation"], 1);
        assert_eq!(model["diagnostics"], json!([]), "{name}");
        model["kind"].clone()
    });
    assert_eq!(kinds, ["net", "processes", "pnml"]);
    let lock = ask(&explorer, "model", json!({ "model": "lock" }));
    assert_eq!(lock["has_threads"], true);
    assert_eq!(lock["places"], json!(["manager", "waiting", "holding", "satisfied", "desk"]));
    let names: Vec<&Json> =
        lock["properties"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["exclusive", "somewhere", "deadlock_free"]);
    let abba = ask(&explorer, "model", json!({ "model": "abba" }));
    assert_eq!(abba["processes"], json!(["main", "other"]));
    assert_eq!(abba["objects"], json!(["mutex"]));
    assert_eq!(abba["places"], json!([]));
}

/// A statement is where its text is, and its name is that of the transition of a net.
#[test]
fn statements_are_where_they_are_written() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin", "pnml/client_server.pnml"]);
    let pieces = |name: &str| -> Vec<(String, Json)> {
        let model = ask(&explorer, "model", json!({ "model": name }));
        let source = model["source"].as_str().unwrap().to_owned();
        let lines: Vec<&str> = source.lines().collect();
        let statements = model["statements"].as_array().unwrap().iter();
        statements
            .map(|one| {
                let number = |field: &str| one[field].as_u64().unwrap() as usize;
                let line: Vec<char> = lines[number("line") - 1].chars().collect();
                let end = match number("end_line") == number("line") {
                    true => number("end_column") - 1,
                    false => line.len(),
                };
                let text = line[number("column") - 1..end].iter().collect();
                (text, one["transitions"][0].clone())
            })
            .collect()
    };
    for (text, name) in pieces("lock") {
        assert!(text.starts_with(name.as_str().unwrap()), "{text}");
    }
    let abba: Vec<String> = pieces("abba").into_iter().map(|(text, _)| text).collect();
    assert_eq!(abba[0], "spawn other()");
    assert!(
        abba.contains(&"with a.lock()".to_owned()) || abba.contains(&"with a.lock() ".to_owned()),
        "{abba:?}"
    );
    for (text, name) in pieces("client_server") {
        assert!(text.starts_with("<transition"), "{text} {name}");
    }
}

/// Every token is a piece of its line, and together with blanks they are all of it.
#[test]
fn tokens_cover_the_text() {
    let paths = ["lock.kin", "processes/abba.kin", "philosophers.kin"];
    let explorer = explorer(&paths);
    for name in ["lock", "abba", "philosophers"] {
        let model = ask(&explorer, "model", json!({ "model": name }));
        let source = model["source"].as_str().unwrap();
        let tokens = model["tokens"].as_array().unwrap();
        assert_eq!(tokens.len(), source.split('\n').count());
        for (line, tokens) in source.split('\n').zip(tokens) {
            let mut left: Vec<char> = line.chars().collect();
            for token in tokens.as_array().unwrap() {
                let column = token[0].as_u64().unwrap() as usize;
                let length = token[1].as_u64().unwrap() as usize;
                left[column - 1..column - 1 + length].fill(' ');
            }
            assert!(left.iter().all(|c| c.is_whitespace()), "{name}: {line}");
        }
    }
}

#[test]
fn mistakes_are_told_with_their_places() {
    let explorer = Explorer::new(Host::Server);
    let text = "model m\nplace p = 1\ntransition t { take q }\n";
    let first = read(&explorer, "m", "some/m.kin", text);
    assert_eq!((first.generation, first.is_right), (1, false));
    let model = ask(&explorer, "model", json!({ "model": "m" }));
    assert_eq!(model["is_right"], false);
    assert!(model.get("statements").is_none());
    let found = &model["diagnostics"][0];
    assert_eq!((&found["severity"], &found["code"]), (&json!("error"), &json!("E0201")));
    assert_eq!((&found["line"], &found["column"]), (&json!(3), &json!(21)));
    assert_eq!((&found["end_line"], &found["end_column"]), (&json!(3), &json!(22)));
    assert!(found["text"].as_str().unwrap().contains("some/m.kin:3:21"), "{found:#}");
    for operation in ["run", "state", "layers", "graph"] {
        let refusal = refusal(&explorer, operation, json!({ "model": "m", "run": [] }));
        assert_eq!(refusal.code(), Code::ModelWrong, "{operation}");
    }
    let second = read(&explorer, "m", "some/m.kin", &text.replace("take q", "take p"));
    assert_eq!((second.generation, second.is_right), (2, true));
    assert_eq!(ask(&explorer, "model", json!({ "model": "m" }))["generation"], 2);
}

#[test]
fn bytes_that_are_no_text_are_a_mistake() {
    let explorer = Explorer::new(Host::Server);
    let budget = Budget::unlimited();
    let files: [(&str, &[u8], &str); 3] = [
        ("m.kin", b"model m\n\xFF\xFE", "E0003"),
        ("m.pnml", b"<pnml>\xFF", "P0005"),
        ("m.pnml", b"\xFF\xFE<\0", "P0005"),
    ];
    for (file, bytes, code) in files {
        let text = Text { file: file.into(), bytes: bytes.to_vec(), ..Text::default() };
        assert!(!explorer.read("m", text, &budget).is_right);
        let model = ask(&explorer, "model", json!({ "model": "m" }));
        assert_eq!(model["diagnostics"][0]["code"], code, "{file}");
    }
}

#[test]
fn constants_are_given_from_outside() {
    let explorer = Explorer::new(Host::Server);
    let set = |pairs: &[(&str, &str)]| -> Vec<Override> {
        pairs
            .iter()
            .map(|(name, value)| Override { name: (*name).into(), value: (*value).into() })
            .collect()
    };
    let text = "model m\nconst k = 1\nplace p = k\ntransition t { take p }\n";
    let read = |set: Vec<Override>| {
        let text =
            Text { file: "m.kin".into(), bytes: text.as_bytes().to_vec(), set, ..Text::default() };
        explorer.read("m", text, &Budget::unlimited()).is_right
    };
    assert!(read(set(&[("k", "3")])));
    let state = ask(&explorer, "state", json!({ "model": "m", "run": [] }));
    assert_eq!(state["places"][0]["tokens"][0]["count"], 3);
    assert!(!read(set(&[("k", "3"), ("k", "4")])), "twice");
    assert!(!read(set(&[("j", "3")])), "there is no such constant");
    let pnml = Text {
        file: "m.pnml".into(),
        bytes: text_of("pnml/client_server.pnml").into_bytes(),
        set: set(&[("k", "3")]),
        ..Text::default()
    };
    assert!(!explorer.read("pnml", pnml, &Budget::unlimited()).is_right);
}

#[test]
fn texts_are_written_in_the_playground_only() {
    let text = "model m\nplace p = 1\ntransition t { take p }\n";
    let longer = text.replace("p = 1", "p = 2");
    let request = json!({ "model": "m", "source": longer });
    let explorer = Explorer::new(Host::Server);
    read(&explorer, "m", "m.kin", text);
    assert_eq!(refusal(&explorer, "write", request.clone()).code(), Code::Refused);
    let explorer = Explorer::new(Host::Playground);
    read(&explorer, "m", "m.kin", text);
    assert_eq!(ask(&explorer, "models", json!({}))["host"], "playground");
    let model = ask(&explorer, "write", request);
    assert_eq!((&model["generation"], &model["can_write"]), (&json!(2), &json!(true)));
    assert_eq!(model["source"], longer);
    let wrong = ask(&explorer, "write", json!({ "model": "m", "source": "nonsense" }));
    assert_eq!((&wrong["generation"], &wrong["is_right"]), (&json!(3), &json!(false)));
}
