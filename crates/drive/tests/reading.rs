//! What is read, what is refused, and who is who.

use drive::{Identities, Suite, Value};

#[test]
fn what_is_no_suite_is_refused_with_a_reason() {
    let refused = |text: &str| Suite::read(text).expect_err("it is no suite").to_string();
    assert!(refused("").contains("line 1"), "{}", refused(""));
    assert!(refused("{}").contains("schema_version"));
    let other = r#"{ "schema_version": 7, "model": "m", "runs": [] }"#;
    assert_eq!(refused(other), "this is version 7 of the form, and only 1 is known");
    let wrong = r#"{ "schema_version": 1, "model": "m", "constants": { "k": [1] }, "runs": [] }"#;
    assert!(refused(wrong).starts_with("`[1]` is no value"), "{}", refused(wrong));
}

#[test]
fn an_identity_is_one_of_the_model() {
    let mut who = Identities::default();
    let [one, two] = ["1.1", "1.2"].map(Value::pid);
    who.bind(&one, 'a').expect("nobody is bound");
    who.bind(&one, 'a').expect("that is so already");
    let mismatch = who.bind(&two, 'a').expect_err("it is 1.1");
    assert_eq!(mismatch.seen, "'a', who is 1.1 already");
    assert!(who.real(&two).is_err());
    who.forget(&one);
    who.bind(&two, 'a').expect("1.1 is forgotten");
    assert_eq!((who.real(&two), who.name_of(&'a')), (Ok(&'a'), Some(&two)));
}
