//! The files of the page, embedded in the binary.

/// A file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Where the page expects it: `/` for the document, `/web/run.js` for a module.
    pub path: &'static str,
    /// What it is, as HTTP says it.
    pub media_type: &'static str,
    /// The text of it.
    pub content: &'static str,
}

/// Lists files of `web/` by their names.
macro_rules! files {
    ($($media_type:ident: $($name:literal)*;)*) => {
        &[$($(File {
            path: concat!("/web/", $name),
            media_type: $media_type,
            content: include_str!(concat!("../web/", $name)),
        },)*)*]
    };
}

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

const DOCUMENT: File =
    File { path: "/", media_type: HTML, content: include_str!("../web/index.html") };

const PARTS: &[File] = files! {
    CSS: "page.css";
    JS: "main.js";
};

const ALL: [File; PARTS.len() + 1] = {
    let mut all = [DOCUMENT; PARTS.len() + 1];
    let mut i = 0;
    while i < PARTS.len() {
        all[i + 1] = PARTS[i];
        i += 1;
    }
    all
};

/// All files of the page. The one with the path `/` is the document.
///
/// Addresses in them are relative, so that the page can be served from any folder.
pub fn files() -> &'static [File] {
    static FILES: [File; PARTS.len() + 1] = ALL;
    &FILES
}
