//! What the tests look for in the explorer page. Elements that matter to them have `data-test`.

use crate::chrome::Page;

/// The selector of an element by what it is called for tests.
pub fn test(name: &str) -> String {
    format!("[data-test=\"{name}\"]")
}

impl Page {
    /// Waits until the page shows a run of these numbers, such as `0.1`, and the state at its end.
    pub fn until_run(&self, run: &str) {
        self.until(&format!(
            "document.body.dataset.run === '{run}' && document.body.dataset.busy === '0' \
             && document.body.dataset.stateAt === document.body.dataset.at"
        ));
    }

    /// Waits until the page has been loaded and shows a state.
    pub fn until_ready(&self) {
        self.until(
            "document.body.dataset.ready === 'true' && document.body.dataset.stateAt !== undefined",
        );
    }

    /// Waits until an element has a text in it.
    pub fn until_says(&self, name: &str, text: &str) {
        let (selector, text) = (serde_json::json!(test(name)), serde_json::json!(text));
        self.until(&format!(
            "[...document.querySelectorAll({selector})].some((one) => one.textContent.includes({text}))"
        ));
    }

    /// Clicks on an element by what it is called for tests.
    pub fn click_on(&self, name: &str) {
        self.click(&test(name));
    }

    /// How many elements there are by that name.
    pub fn count(&self, name: &str) -> u64 {
        let selector = serde_json::json!(test(name));
        let count = self.value(&format!("document.querySelectorAll({selector}).length"));
        count.as_u64().expect("a number")
    }

    /// Takes the step at a place in the list of those that can be taken.
    pub fn take(&self, position: usize) {
        self.click(&format!("{}[data-position=\"{position}\"]", test("next-step")));
    }
}
