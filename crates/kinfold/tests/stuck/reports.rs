//! What the command says of threads that are stuck or cannot end, of idle ones, and of assertions.

use crate::command::{Done, kinfold_fed};

/// Two threads want a key of which there is one, and the first never gives it back; the main thread goes on.
const LEAK: &str = "model leak
flow main, ready, waiting
idle flow resting
place key = 1
start main
transition go { move m: main -> resting   spawn 2 times from m: ready }
transition acquire { move r: ready -> waiting   take key }
transition rest { stay m: resting }
";

fn check(model: &str, property: &str, args: &[&str]) -> Done {
    let text = format!("{model}property p: {property}\n");
    kinfold_fed(&[&["check", "-"], args].concat(), text.as_bytes())
}

fn verdict(model: &str, property: &str, args: &[&str]) -> (i32, String, String) {
    let done = check(model, property, &[args, &["--json"]].concat());
    let found = done.json()["properties"][0].clone();
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    (done.status, text("verdict"), text("remark"))
}

#[test]
fn who_is_stuck_is_said_in_every_format() {
    let done = check(LEAK, "no_one_stuck", &[]);
    assert_eq!(done.status, 11, "{}", done.stderr);
    for said in [
        "  FAILS    p  no_one_stuck\n           threads 1.1, 1.2 are stuck\n",
        "\nthreads 1.1, 1.2 are stuck: never to act again",
        "\n    thread 1.1 at waiting: no transition goes on from there\n",
        "\n    thread 1.2 at ready: `acquire` needs a token in `key`, which is empty\n",
    ] {
        assert!(done.stdout.contains(said), "{said}\n{}", done.stdout);
    }
    let json = check(LEAK, "no_one_stuck", &["--json"]).json();
    let hopeless = &json["properties"][0]["hopeless"];
    assert_eq!(hopeless["summary"], "threads 1.1, 1.2 are stuck");
    assert_eq!(hopeless["threads"][1]["thread"], "1.2");
    assert_eq!(hopeless["threads"][1]["at"], "ready");
    assert_eq!(hopeless["waits"].as_array().unwrap().len(), 2);
    for format in ["github", "sarif"] {
        let done = check(LEAK, "no_one_stuck", &["--format", format]);
        let said = "no_one_stuck: threads 1.1, 1.2 are stuck";
        assert!(done.stdout.contains(said), "{}", done.stdout);
    }
    for format in ["svg", "mermaid", "text"] {
        let done = check(LEAK, "no_one_stuck", &["--trace", "-", "--trace-format", format]);
        assert!(done.stdout.contains("1.1, 1.2 are stuck"), "{}", done.stdout);
    }
}

#[test]
fn who_cannot_end_is_said() {
    let (status, found, remark) = verdict(LEAK, "everyone_can_end", &[]);
    assert_eq!((status, &*found, &*remark), (12, "fails", "threads 1.1, 1.2 can never end"));
    let spinning = "model spin
flow main, child
start main
transition go { end m: main   spawn c from m: child }
transition spin { stay c: child }
";
    assert_eq!(verdict(spinning, "no_one_stuck", &[]).1, "holds");
    let done = check(spinning, "everyone_can_end", &[]);
    assert_eq!(done.status, 12);
    let said = "thread 1.1 at child: goes on, but never to an end";
    assert!(done.stdout.contains(said), "{}", done.stdout);
}

#[test]
fn the_idle_are_in_no_deadlock() {
    let server = |idle: &str| {
        format!(
            "model server\n{idle}flow listening\nflow client\nstart listening, client\ntransition serve {{ stay s: listening   end c: client }}\n"
        )
    };
    for (idle, status, verdicts) in [("", 11, ["fails"; 3]), ("idle ", 0, ["holds"; 3])] {
        let properties = ["deadlock_free", "no_one_stuck", "everyone_can_end"];
        assert_eq!(check(&server(idle), "deadlock_free", &[]).status, status);
        let found = properties.map(|property| verdict(&server(idle), property, &[]).1);
        assert_eq!(found, verdicts, "{idle}");
    }
    for (idle, full, counts) in
        [("", false, (1, 0)), ("idle ", false, (0, 1)), ("", true, (1, 0)), ("idle ", true, (0, 1))]
    {
        let full: &[&str] = if full { &["--full"] } else { &[] };
        let args = [&["explore", "-", "--json"], full].concat();
        let json = kinfold_fed(&args, server(idle).as_bytes()).json();
        let found = (json["deadlocks"].as_u64().unwrap(), json["terminated"].as_u64().unwrap());
        assert_eq!(found, counts, "{idle} {full:?}");
    }
}

#[test]
fn what_is_done_to_a_thread_is_no_act_of_it() {
    let model = |passive: &str, fate: &str| {
        format!(
            "model killing\nflow main, working\nstart main, working\ntransition tick {{ stay m: main }}\ntransition kill {{ stay m: main   {passive}{fate} w: working }}\n"
        )
    };
    let ended = "forall w entering working: eventually ended(w)";
    let fair: &[&str] = &["--fair", "threads"];
    // Whoever is enabled has to act; whoever is killed is not enabled by that.
    assert_eq!(verdict(&model("", "end"), ended, fair).1, "holds");
    assert_eq!(verdict(&model("passive ", "end"), ended, fair).1, "fails");
    assert_eq!(verdict(&model("", "crash"), ended, fair).1, "holds");
    let of_main = |text: String| text.replace("transition tick { stay", "transition tick { end");
    for (passive, fate, stuck, ends) in [
        ("", "end", "holds", "holds"),
        ("passive ", "end", "holds", "holds"),
        ("", "crash", "holds", "fails"),
        ("passive ", "crash", "fails", "fails"),
        ("passive ", "stay", "fails", "fails"),
        ("", "stay", "holds", "fails"),
    ] {
        let text = model(passive, fate);
        assert_eq!(verdict(&text, "no_one_stuck", &[]).1, stuck, "{passive}{fate}");
        assert_eq!(verdict(&text, "everyone_can_end", &[]).1, "fails", "main never ends");
        // Once the main thread has ended, nobody is left to do anything to the other.
        let text = of_main(text);
        assert_eq!(verdict(&text, "no_one_stuck", &[]).1, "fails", "{passive}{fate}");
        let idle = text.replace("flow main, working", "flow main\nidle flow working");
        assert_eq!(verdict(&idle, "no_one_stuck", &[]).1, "holds", "{passive}{fate}");
        assert_eq!(verdict(&idle, "everyone_can_end", &[]).1, "holds", "{passive}{fate}");
        let idle =
            model(passive, fate).replace("flow main, working", "idle flow main\nflow working");
        assert_eq!(verdict(&idle, "everyone_can_end", &[]).1, ends, "{passive}{fate}");
    }
}

#[test]
fn they_stand_by_themselves_or_beside_others() {
    let both = "no_one_stuck and deadlock_free";
    assert_eq!(verdict(LEAK, both, &[]).1, "fails");
    assert_eq!(verdict(LEAK, "not no_one_stuck and not everyone_can_end", &[]).1, "holds");
    assert_eq!(verdict(LEAK, "no_one_stuck or always count(key) <= 1", &[]).1, "holds");
    for property in ["AG no_one_stuck", "forall r entering ready: everyone_can_end"] {
        let (status, found, remark) = verdict(LEAK, property, &[]);
        assert_eq!((status, &*found), (20, "refused"), "{property}");
        assert!(remark.contains("a property of its own"), "{property}: {remark}");
    }
    let nobody = "model nobody\nplace a = 1\ntransition t { take a }\n";
    let (status, found, remark) = verdict(nobody, "no_one_stuck", &[]);
    assert!(status == 0 && found == "holds" && remark.starts_with("vacuously"), "{remark}");
    // The words are names where something else has them.
    let named = format!("const no_one_stuck = true\n{}", LEAK.replace("model leak\n", ""));
    assert_eq!(verdict(&format!("model leak\n{named}"), "no_one_stuck", &[]).1, "holds");
}

const ASSERTION: &str = "model critical
flow outside, inside
start 2 times outside
transition enter { move p: outside -> inside }
transition two fails `two threads are inside` { stay p: inside   stay q: inside }
property few: always count(inside) <= 2
property none: never count(inside) == 1
";

#[test]
fn an_assertion_that_fails_is_a_verdict() {
    let done = kinfold_fed(&["check", "-", "--property", "few"], ASSERTION.as_bytes());
    assert_eq!(done.status, 14, "{}{}", done.stdout, done.stderr);
    for said in [
        "\n  holds    few  always count(inside) <= 2\n",
        "\n  FAILS    assertion  two threads are inside\n           5:12\n",
        "\nassertion fails: two threads are inside\ninitially\n",
        "\nassertion fails: two threads are inside\n    by two(p = 1, q = 2)\n",
    ] {
        assert!(done.stdout.contains(said), "{said}\n{}", done.stdout);
    }
    // What fails before it fails.
    assert_eq!(kinfold_fed(&["check", "-"], ASSERTION.as_bytes()).status, 12);
    let json = kinfold_fed(&["check", "-", "--json"], ASSERTION.as_bytes()).json();
    let assertion = &json["assertion"];
    assert_eq!(assertion["message"], "two threads are inside");
    assert_eq!((&assertion["line"], &assertion["column"]), (&5.into(), &12.into()));
    assert_eq!(assertion["trace"]["steps"].as_array().unwrap().len(), 2);
    assert!(json["fault"].is_null());
    for (format, said) in [
        ("github", "::error title=an assertion fails::assertion fails: two threads are inside"),
        ("sarif", "\"ruleId\": \"assertion\""),
    ] {
        let done = kinfold_fed(&["check", "-", "--format", format], ASSERTION.as_bytes());
        assert!(done.stdout.contains(said), "{}", done.stdout);
    }
    let args = ["check", "-", "--property", "few", "--trace", "-", "--trace-format", "mermaid"];
    let done = kinfold_fed(&args, ASSERTION.as_bytes());
    assert!(done.stdout.contains("assertion fails: two threads are inside"), "{}", done.stdout);
}

#[test]
fn explore_reports_assertions_too() {
    let done = kinfold_fed(&["explore", "-"], ASSERTION.as_bytes());
    assert_eq!(done.status, 14);
    let said =
        "assertion fails: two threads are inside (5:12)\nwith two(p = 1, q = 2)\nafter this run:\n";
    assert!(done.stderr.contains(said), "{}", done.stderr);
    let safe = ASSERTION.replace("-> inside }", "-> inside   unless _: inside }");
    assert_eq!(kinfold_fed(&["explore", "-"], safe.as_bytes()).status, 0);
}
