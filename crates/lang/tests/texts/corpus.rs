//! The corpus: texts in which everything of the language occurs, from which `fuzz/` starts.

const CORPUS: &[&str] = &[
    include_str!("../corpus/server.kin"),
    include_str!("../corpus/everything.kin"),
    include_str!("../corpus/properties.kin"),
    include_str!("../corpus/comments.kin"),
    include_str!("../corpus/long_lines.kin"),
    include_str!("../corpus/classes.kin"),
    include_str!("../corpus/names.kin"),
    include_str!("../corpus/fairness.kin"),
    include_str!("../corpus/soft_words.kin"),
    include_str!("../corpus/processes.kin"),
    include_str!("../corpus/objects.kin"),
    include_str!("../corpus/groups.kin"),
];

#[test]
fn there_is_nothing_to_say_about_the_corpus() {
    for text in CORPUS {
        let compilation = lang::compile(text, &[]);
        let drawn = compilation.diagnostics.render("model.kin", text, false);
        assert!(drawn.is_empty(), "{drawn}");
    }
}
