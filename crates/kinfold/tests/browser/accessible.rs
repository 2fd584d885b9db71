//! Dark, narrow, and examined by axe-core.

use std::{env, fs};

use crate::Test;
use crate::chrome::{Chrome, Page};
use crate::served::Served;

pub const TESTS: &[Test] = &[
    ("dark_and_narrow", dark_and_narrow),
    ("axe_finds_nothing_serious", axe_finds_nothing_serious),
];

/// The run that ends in the deadlock.
fn opened(chrome: &Chrome) -> (Served, crate::chrome::Window, Page) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(&served.link_to("model=abba&run=0.0.1"));
    page.until_run("0.0.1");
    (served, window, page)
}

fn dark_and_narrow(chrome: &Chrome) {
    let (_served, _window, page) = opened(chrome);
    let colour = "getComputedStyle(document.body).backgroundColor";
    let light = page.text(colour);
    page.dark(true);
    page.until(&format!("{colour} !== '{light}'"));
    page.picture("dark");
    page.size(360, 740);
    page.until("document.querySelector('#panes').dataset.layout === 'narrow'");
    assert_eq!(
        page.value("document.documentElement.scrollWidth <= 360"),
        true,
        "nothing sticks out"
    );
    page.click("#narrow-tabs [data-test=tab-next]");
    page.until_says("end-banner", "eadlock");
    page.picture("narrow");
}

fn axe_finds_nothing_serious(chrome: &Chrome) {
    let Some(axe) = env::var_os("AXE") else {
        println!("pages are not examined by axe-core: AXE is not set");
        return;
    };
    let axe = fs::read_to_string(axe).expect("AXE names a file");
    let (_served, _window, page) = opened(chrome);
    page.value(&format!("(() => {{ {axe}\n; return null }})()"));
    for is_dark in [false, true] {
        page.dark(is_dark);
        for tab in ["graph", "properties", "search", "coverage"] {
            page.click(&format!("#bottom-tabs [data-test=tab-{tab}]"));
            page.until("document.body.dataset.busy === '0'");
            examine(&page, &format!("{tab}, dark: {is_dark}"));
        }
        page.press(&["?"]);
        page.until("document.querySelector('[data-test=help-dialog]')?.open");
        examine(&page, &format!("help, dark: {is_dark}"));
        page.press(&["Escape"]);
    }
    page.size(360, 740);
    page.until("document.querySelector('#panes').dataset.layout === 'narrow'");
    for tab in ["source", "run", "next", "state", "graph", "properties", "search", "coverage"] {
        page.click(&format!("#narrow-tabs [data-test=tab-{tab}]"));
        examine(&page, &format!("{tab}, narrow"));
    }
}

fn examine(page: &Page, what: &str) {
    let found = page.value(
        "axe.run(document).then(({ violations }) => violations \
         .filter(({ impact }) => impact === 'serious' || impact === 'critical') \
         .map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) })))",
    );
    assert!(found.as_array().is_some_and(Vec::is_empty), "{what}: {found:#}");
}
