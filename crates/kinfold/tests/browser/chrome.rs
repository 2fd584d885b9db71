//! The browser, and a tab of it that shows a page.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value as Json, json};

use crate::devtools::DevTools;

/// Nothing that a page is asked to do may take longer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time between two looks at a page.
const PACE: Duration = Duration::from_millis(20);

/// A browser that is there.
pub struct Chrome {
    path: PathBuf,
}

impl Chrome {
    /// The one that `CHROME` names, or the first on the path.
    pub fn found() -> Option<Chrome> {
        if let Some(path) = env::var_os("CHROME") {
            let path = PathBuf::from(path);
            assert!(path.is_file(), "CHROME is {}, which is no file", path.display());
            return Some(Chrome { path });
        }
        // It is spoken to over descriptors that a shell gives it.
        if !cfg!(unix) {
            return None;
        }
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
        let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        all.into_iter().find(|path| path.is_file()).map(|path| Chrome { path })
    }

    /// A new browser.
    pub fn start(&self) -> Window {
        let flags = [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-quic",
            "--no-first-run",
            "--force-color-profile=srgb",
            "--hide-scrollbars",
        ];
        Window { browser: Arc::new(DevTools::start(&self.path, &flags)) }
    }
}

/// A running browser.
pub struct Window {
    browser: Arc<DevTools>,
}

impl Window {
    /// A new tab of 1,400 × 900 that shows an address.
    pub fn open(&self, address: &str) -> Page {
        let page = Page { browser: Arc::clone(&self.browser), session: self.browser.tab() };
        page.size(1400, 900);
        let gone = page.ask("Page.navigate", &json!({ "url": address }));
        assert!(gone["errorText"].is_null(), "{address}: {gone}");
        page.until("document.readyState === 'complete'");
        page
    }
}

/// A page in a tab.
pub struct Page {
    browser: Arc<DevTools>,
    session: String,
}

impl Page {
    fn ask(&self, method: &str, parameters: &Json) -> Json {
        self.browser.ask(Some(&self.session), method, parameters)
    }

    /// What an expression is in the page. Promises are waited for.
    pub fn value(&self, expression: &str) -> Json {
        let told = format!("(async () => JSON.stringify([await ({expression})]))()");
        let parameters = json!({ "expression": told, "awaitPromise": true, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", &parameters);
        let fault = &answer["exceptionDetails"]["exception"]["description"];
        let Some(text) = answer["result"]["value"].as_str() else {
            panic!("{expression}: {fault}")
        };
        let value: Json = serde_json::from_str(text).expect("it was made by the page");
        value[0].clone()
    }

    /// The text of an expression.
    pub fn text(&self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// Waits until something is true in the page.
    pub fn until(&self, expression: &str) {
        let began = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            if began.elapsed() > PATIENCE {
                let file = env::temp_dir().join("kinfold_browser_failure.png");
                let _ = fs::write(&file, self.screenshot());
                let body = self.value("document.body.innerText");
                panic!("never true: {expression}\nsee {}\n{body}", file.display());
            }
            thread::sleep(PACE);
        }
    }

    /// Clicks on the first element in sight that a selector finds, once there is one.
    pub fn click(&self, selector: &str) {
        let seen = format!(
            "[...document.querySelectorAll({})].find((one) => one.getClientRects().length > 0)",
            Json::from(selector)
        );
        self.until(&format!("{seen} && !{seen}.disabled"));
        let at = self.value(&format!(
            "(() => {{ const one = {seen}; one.scrollIntoView({{ block: 'nearest' }}); \
             const {{ x, y, width, height }} = one.getClientRects()[0]; \
             return [x + width / 2, y + height / 2]; }})()"
        ));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event =
                json!({ "type": kind, "x": at[0], "y": at[1], "button": button, "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", &event);
        }
    }

    /// Presses keys one after the other: what they write, `Enter` or `Escape`.
    pub fn press(&self, keys: &[&str]) {
        for key in keys {
            let (text, code) = match *key {
                "Enter" => ("\r", 13),
                "Escape" => ("", 27),
                key => (key, u32::from(key.to_ascii_uppercase().as_bytes()[0])),
            };
            let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
            if !text.is_empty() {
                event["text"] = text.into();
            }
            self.ask("Input.dispatchKeyEvent", &event);
            event["type"] = "keyUp".into();
            self.ask("Input.dispatchKeyEvent", &event);
        }
    }

    /// Types into an element, in place of what is there.
    pub fn write(&self, selector: &str, text: &str) {
        let quoted = Json::from(selector);
        self.until(&format!("document.querySelector({quoted})"));
        self.value(&format!(
            "(() => {{ const field = document.querySelector({quoted}); field.focus(); field.select(); }})()"
        ));
        self.ask("Input.insertText", &json!({ "text": text }));
    }

    /// Gives the page a size, as of a window.
    pub fn size(&self, width: u32, height: u32) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Lets the page believe that the user wants it dark, or light.
    pub fn dark(&self, is_dark: bool) {
        let scheme = if is_dark { "dark" } else { "light" };
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.ask("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// Keeps a picture of the page, if `PICTURES` says where.
    pub fn picture(&self, name: &str) {
        if let Some(folder) = env::var_os("PICTURES") {
            let folder = Path::new(&folder);
            fs::create_dir_all(folder).expect("the folder for pictures");
            fs::write(folder.join(format!("{name}.png")), self.screenshot()).expect("a picture");
        }
    }

    fn screenshot(&self) -> Vec<u8> {
        let picture = self.ask("Page.captureScreenshot", &json!({ "format": "png" }));
        let text = picture["data"].as_str().expect("a picture");
        BASE64_STANDARD.decode(text).expect("a picture")
    }
}
