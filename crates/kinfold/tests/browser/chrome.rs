//! The browser, and a tab of it that shows a page.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::Emulation::{
    MediaFeature, SetDeviceMetricsOverride, SetEmulatedMedia,
};
use headless_chrome::protocol::cdp::Page::CaptureScreenshotFormatOption;
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value as Json;

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
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
        let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        all.into_iter().find(|path| path.is_file()).map(|path| Chrome { path })
    }

    /// A new browser, with a window of 1,400 × 900.
    pub fn start(&self) -> Window {
        let flags = [
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-quic",
            "--no-first-run",
            "--force-color-profile=srgb",
            "--hide-scrollbars",
        ];
        let options = LaunchOptions::default_builder()
            .path(Some(self.path.clone()))
            .sandbox(false)
            .window_size(Some((1400, 900)))
            .idle_browser_timeout(Duration::from_secs(300))
            .args(flags.iter().map(OsStr::new).collect())
            .build()
            .expect("the options are complete");
        Window { browser: Browser::new(options).expect("the browser starts") }
    }
}

/// A running browser.
pub struct Window {
    browser: Browser,
}

impl Window {
    /// A new tab that shows an address.
    pub fn open(&self, address: &str) -> Page {
        let tab = self.browser.new_tab().expect("a tab");
        tab.set_default_timeout(PATIENCE);
        let page = Page { tab };
        page.size(1400, 900);
        page.go(address);
        page
    }
}

/// A page in a tab.
pub struct Page {
    tab: Arc<Tab>,
}

impl Page {
    /// Shows another address.
    pub fn go(&self, address: &str) {
        self.tab.navigate_to(address).expect("it is an address");
        self.tab.wait_until_navigated().unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// What an expression is in the page. Promises are waited for.
    pub fn value(&self, expression: &str) -> Json {
        let told = format!(
            "(async () => {{ try {{ return JSON.stringify([await ({expression})]) }} \
             catch (fault) {{ return `!${{fault}} ${{fault.stack}}` }} }})()"
        );
        let object = self.tab.evaluate(&told, true);
        let object = object.unwrap_or_else(|error| panic!("{expression}: {error}"));
        let text = object.value.and_then(|value| value.as_str().map(str::to_owned));
        let text = text.unwrap_or_else(|| panic!("{expression} gives nothing"));
        let value: Json = serde_json::from_str(&text)
            .unwrap_or_else(|_| panic!("{expression}: {}", text.trim_start_matches('!')));
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
                let folder = env::temp_dir().join("kinfold_browser_failure.png");
                let _ = fs::write(&folder, self.screenshot());
                let body = self.value("document.body.innerText");
                panic!("never true: {expression}\nsee {}\n{body}", folder.display());
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
             const {{ x, y, width, height }} = one.getClientRects()[0]; return [x + width / 2, y + height / 2]; }})()"
        ));
        let [x, y] = [0, 1].map(|i| at[i].as_f64().expect("a number"));
        let clicked = self.tab.click_point(Point { x, y });
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses keys one after the other, each by its name: `j`, `Enter`, `ArrowDown`.
    pub fn press(&self, keys: &[&str]) {
        for key in keys {
            self.tab.press_key(key).unwrap_or_else(|error| panic!("{key}: {error}"));
        }
    }

    /// Types into an element, in place of what is there.
    pub fn write(&self, selector: &str, text: &str) {
        let quoted = Json::from(selector);
        self.until(&format!("document.querySelector({quoted})"));
        self.value(&format!(
            "(() => {{ const field = document.querySelector({quoted}); field.focus(); field.select(); }})()"
        ));
        self.tab.type_str(text).unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Gives the page a size, as of a window.
    pub fn size(&self, width: u32, height: u32) {
        let metrics = SetDeviceMetricsOverride {
            width,
            height,
            device_scale_factor: 1.0,
            mobile: false,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        };
        self.tab.call_method(metrics).expect("a page has any size");
    }

    /// Lets the page believe that the user wants it dark, or light.
    pub fn dark(&self, is_dark: bool) {
        let scheme = if is_dark { "dark" } else { "light" };
        let feature =
            MediaFeature { name: "prefers-color-scheme".to_owned(), value: scheme.to_owned() };
        let media = SetEmulatedMedia { media: None, features: Some(vec![feature]) };
        self.tab.call_method(media).expect("a page has any colours");
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
        let format = CaptureScreenshotFormatOption::Png;
        self.tab.capture_screenshot(format, None, None, true).expect("a picture")
    }
}
