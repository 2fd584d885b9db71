//! Models as somebody writes them who knows other languages: every mistake has a place and a way out.

use std::path::Path;

#[test]
fn all_mistakes_of_newcomers_are_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/newcomers");
    let names = [
        "as_in_go",
        "channels_as_in_go",
        "names",
        "braces",
        "types",
        "as_in_rust",
        "bank",
        "cache",
        "elevator",
        "pipeline_as_in_go",
        "readers",
        "pool",
        "handles",
        "chat",
        "lift",
        "philosophers",
    ];
    for name in names {
        let text =
            std::fs::read_to_string(folder.join(format!("{name}.kin"))).expect("it is there");
        let compilation = lang::compile(&text, &[]);
        assert!(compilation.net.is_none());
        let file = format!("{name}.kin");
        insta::assert_snapshot!(name, compilation.diagnostics.render(&file, &text, false));
    }
}
