//! The descriptions of the language are true: their models compile, in canonical layout, and their mistakes
//! are found.

use std::collections::BTreeSet;

const NETS: &str = include_str!("../../../../docs/language.md");
const PROCESSES: &str = include_str!("../../../../docs/processes.md");

/// The fenced blocks of a page: what follows the opening fence, the line it is in, the text.
fn blocks(page: &'static str) -> Vec<(&'static str, usize, String)> {
    let mut list: Vec<(&str, usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(page.lines()) {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                list.push((info, number, String::new()));
                open = true;
            }
            None if open => {
                let (_, _, text) = list.last_mut().expect("a block is open");
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a fence is not closed");
    list
}

#[test]
fn every_model_compiles_or_has_the_mistake_it_should() {
    hold("language.md", NETS);
    hold("processes.md", PROCESSES);
}

fn hold(name: &str, page: &'static str) {
    let mut models = 0;
    for (info, line, text) in blocks(page) {
        let Some(rest) = info.strip_prefix("kin") else { continue };
        models += 1;
        let compilation = lang::compile(&text, &[]);
        let drawn = compilation.diagnostics.render(name, &text, false);
        let codes: BTreeSet<&str> = compilation.diagnostics.iter().map(|d| d.code).collect();
        match rest.strip_prefix(",error=") {
            Some(code) => assert_eq!(codes, [code].into(), "{name}, line {line}: {drawn}"),
            None => {
                // What fails when it is checked: that is not for this test.
                assert!(rest.is_empty() || rest.starts_with(",fails="), "{name}, line {line}");
                assert!(drawn.is_empty(), "{name}, line {line}: {drawn}");
                assert_eq!(lang::format(&text).as_deref(), Ok(&*text), "{name}, line {line}");
            }
        }
    }
    assert!(models > 20, "{name}: only {models} models were found");
}

#[test]
fn the_reserved_words_are_listed() {
    let list = blocks(NETS).into_iter().find(|(_, _, text)| text.starts_with("model const enum"));
    let (_, _, text) = list.expect("the list is there");
    for word in text.split_whitespace() {
        let model = format!("model m\nflow {word}\nstart {word}\n");
        let compilation = lang::compile(&model, &[]);
        assert!(compilation.net.is_none(), "`{word}` is not reserved");
    }
    let dictionary = include_str!("../../../../fuzz/dictionaries/kin.dict");
    for word in text.split_whitespace() {
        let entry = format!("\"{word}\"");
        assert!(dictionary.lines().any(|line| line == entry), "the dictionary lacks `{word}`");
    }
    let soft = blocks(NETS).into_iter().find(|(_, _, text)| text.starts_with("at crash end"));
    let (_, _, soft) = soft.expect("the list is there");
    for word in soft.split_whitespace() {
        let model = format!("model m\nflow {word}({word}: bool)\nstart {word}(true)\n");
        assert!(lang::compile(&model, &[]).net.is_some(), "`{word}` is reserved");
    }
    let words = text.split_whitespace().chain(soft.split_whitespace()).count();
    let known = include_str!("../../src/keyword.rs").matches('"').count() / 2;
    assert_eq!(words, known, "reserved words listed, and in the source");
}
