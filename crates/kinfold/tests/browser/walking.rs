//! Steps, undone and branched; a deadlock explained; links; the keyboard alone.

use crate::Test;
use crate::chrome::Chrome;
use crate::seen::test;
use crate::served::Served;

pub const TESTS: &[Test] = &[
    ("step_undo_branch", step_undo_branch),
    ("deadlock_is_explained", deadlock_is_explained),
    ("statement_says_who_can_take_it", statement_says_who_can_take_it),
    ("run_until", run_until),
    ("link_opens_the_same_run", link_opens_the_same_run),
    ("keyboard_alone", keyboard_alone),
    ("other_tokens_are_refused", other_tokens_are_refused),
];

const ABBA: &str = "models/processes/abba.kin";

fn step_undo_branch(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.take(0);
    page.until_run("0");
    page.until_says("changes", "spawns other 1.1");
    page.take(0);
    page.until_run("0.0");
    page.until_says("object", "holder");
    page.picture("walking");
    page.click_on("undo");
    page.until("document.body.dataset.at === '1'");
    page.until_run("0.0");
    // Another step than the one taken before: that run is left, and can be come back to.
    page.take(1);
    page.until_run("0.1");
    page.click_on("earlier");
    page.click_on("earlier-run");
    page.until_run("0.0");
}

fn deadlock_is_explained(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA]), chrome.start());
    let page = window.open(&served.link_to("model=abba&run=0.0.1"));
    page.until_run("0.0.1");
    page.until("document.querySelector('[data-test=end-banner]')?.dataset.end === 'deadlock'");
    page.until_says("waits", "is held by other 1.1");
    page.until_says("waits", "is held by main 1");
    // The locks that are waited for have lifelines.
    page.until("[...document.querySelectorAll('[data-test=lifeline]')].filter((one) => one.textContent.includes('mutex')).length === 2");
    assert_eq!(page.count("next-step"), 0, "nobody can go on");
    page.picture("deadlock");
}

fn statement_says_who_can_take_it(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA]), chrome.start());
    let page = window.open(&served.link_to("model=abba&run=0.0"));
    page.until_run("0.0");
    let line = page.value(
        "Number([...document.querySelectorAll('[data-test=thread-mark]')].map((one) => one.dataset.line).sort()[0])",
    );
    page.click(&format!("[data-statement^=\"{line}:\"]"));
    page.until(
        "document.querySelectorAll('[data-test=why-can], [data-test=why-cannot]').length > 0",
    );
    page.until("!document.querySelector('[data-test=why]').hidden");
    page.click_on("why-close");
    page.until("document.querySelector('[data-test=why]').hidden");
}

fn run_until(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.write(&test("random-steps"), "1000");
    page.value(
        "(() => { const kind = document.querySelector('[data-test=until-kind]'); \
        kind.value = 'deadlock'; kind.dispatchEvent(new Event('change', { bubbles: true })); })()",
    );
    page.click_on("random-go");
    // Either the processes get into each other's way, or they end.
    page.until("document.querySelector('[data-test=end-banner]')");
}

fn link_opens_the_same_run(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA, "models/pool.kin"]), chrome.start());
    let first = window.open(served.link());
    first.until_ready();
    first.take(0);
    first.until_run("0");
    first.take(1);
    first.until_run("0.1");
    let link = first.text("location.href");
    let second = window.open(&link);
    second.until_run("0.1");
    let state = "document.querySelector('[data-test=state-content]').innerText";
    first.until_run("0.1");
    assert_eq!(first.text(state), second.text(state));
}

fn keyboard_alone(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.press(&["Enter"]);
    page.until_run("0");
    page.press(&["j", "Enter"]);
    page.until_run("0.1");
    page.press(&["u"]);
    page.until("document.body.dataset.at === '1' && document.body.dataset.stateAt === '1'");
    page.press(&["k", "Enter"]);
    page.until_run("0.0");
    page.press(&["?"]);
    page.until("document.querySelector('[data-test=help-dialog]')?.open");
    page.picture("help");
    page.press(&["Escape"]);
    page.until("!document.querySelector('[data-test=help-dialog]')?.open");
    // Everything that can be clicked can be focused.
    let unreachable = page.value(
        "[...document.querySelectorAll('button, input, select, a[href], summary')] \
         .filter((one) => one.tabIndex < 0 && !one.closest('[role=tablist], [role=listbox], [hidden], .run-heads')).map((one) => one.outerHTML)",
    );
    assert!(
        unreachable.as_array().is_some_and(|all| all
            .iter()
            .all(|one| { one.as_str().is_some_and(|one| one.contains("data-test=\"lifeline\"")) })),
        "{unreachable:#}"
    );
}

fn other_tokens_are_refused(chrome: &Chrome) {
    let (served, window) = (Served::models(&[ABBA]), chrome.start());
    let address = served.link().split('#').next().expect("an address");
    let page = window.open(&format!("{address}#token=00000000000000000000000000000000"));
    page.until(
        "document.body.dataset.ready === 'failed' || document.body.innerText.includes('token')",
    );
}
