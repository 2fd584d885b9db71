//! Names in backticks, and members that go round.

use lang::{compile, format, write};
use net::Net;

/// Words that may be names: the model is what is meant, however it is laid out and written.
#[test]
fn words_may_be_names_where_nothing_is_ambiguous() {
    let text = include_str!("../corpus/soft_words.kin");
    let compilation = compile(text, &[]);
    let drawn = compilation.diagnostics.render("soft_words.kin", text, false);
    let net = compilation.net.unwrap_or_else(|| panic!("{drawn}"));
    assert_eq!(format(text).as_deref(), Ok(text));
    let quoted = write(&net);
    assert_eq!(compile(&quoted, &[]).net.as_ref(), Some(&net), "{quoted}");
    let properties: Vec<String> = net.properties.iter().map(|p| p.name.clone()).collect();
    assert_eq!(properties, ["at", "from", "end", "next"]);
}

const NAMES: &str = include_str!("../corpus/names.kin");

fn net(text: &str) -> Net {
    let compilation = compile(text, &[]);
    compilation
        .net
        .unwrap_or_else(|| panic!("{}", compilation.diagnostics.render("names.kin", text, false)))
}

#[test]
fn names_are_what_stands_between_the_backticks() {
    let net = net(NAMES);
    assert_eq!(net.check(), []);
    assert_eq!(net.name, "names of all kinds, and members that go round");
    let places: Vec<&str> = net.places.iter().map(|place| &*place.name).collect();
    assert_eq!(places, ["in", "out", "clock"]);
    assert_eq!(net.places[0].columns[2].name.as_deref(), Some("a column"));
    assert_eq!(net.transitions[0].name, "Check-Out 1");
    let variables: Vec<&str> =
        net.transitions[0].variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(variables, ["x'", "p", "n.1", "y", "d", "n + 1", "b c"]);
    assert_eq!(
        net.properties[0].text,
        "never count(`out`(`true`, _)) > 4 and enabled(`Check-Out 1`)"
    );
}

#[test]
fn backticks_change_nothing_where_they_are_not_needed() {
    let plain = "model m\nplace p = 1\ntransition t { take p }\n";
    let quoted = "model `m`\nplace p = 1\ntransition `t` { take `p` }\n";
    assert_eq!(net(plain), net(quoted));
    assert_eq!(write(&net(quoted)), write(&net(plain)));
    // But they are kept where they are.
    assert_eq!(format(quoted).as_deref(), Ok(quoted));
}

#[test]
fn what_is_written_is_read_again() {
    let net = net(NAMES);
    let text = write(&net);
    assert_eq!(self::net(&text), net, "{text}");
    assert_eq!(format(NAMES).as_deref(), Ok(NAMES));
    insta::assert_snapshot!(text);
}

#[test]
fn any_printable_name_can_be_written() {
    let names =
        ["a b", "-", "101", "move", "_", "all", "été", "x\"y'z", "//", "/*", "*/", "a:b", "✓", "{"];
    for name in names {
        let text = format!(
            "model `{name}`\nenum `E{name}` {{ `{name}`, other }}\nplace `{name}`: `E{name}` = `{name}`\n\
             transition `{name}` {{ take `{name}`(`v{name}`)   put `{name}`(other)   when `v{name}` == `{name}` }}\n"
        );
        let net = net(&text);
        assert_eq!(&*net.places[0].name, name);
        assert_eq!(&*net.enumerations[0].members[0], name);
        assert_eq!(self::net(&write(&net)), net, "{}", write(&net));
        assert_eq!(format(&text).as_deref(), Ok(&*text));
    }
}

#[test]
fn the_first_member_follows_the_last() {
    let net = net(NAMES);
    let round = |name: &str| {
        let class = net.enumerations.iter().find(|class| class.name == name);
        class.map(|class| (class.round, class.parts.len()))
    };
    assert_eq!(round("Hour"), Some((true, 0)));
    assert_eq!(round("week day"), Some((true, 2)));
    assert_eq!(round("Turn"), Some((false, 2)), "a part of this name");
    let hour = &net.enumerations[1];
    assert_eq!((hour.shifted(11, 1), hour.shifted(0, -1)), (Some(0), Some(11)));
}
