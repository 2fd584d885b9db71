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

const CSS: &str = "text/css; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Lists the document, and files of `web/` by their names.
macro_rules! files {
    ($($media_type:ident: $($name:literal)*;)*) => {
        &[
            File { path: "/", media_type: HTML, content: include_str!("../web/index.html") },
            $($(File {
                path: concat!("/web/", $name),
                media_type: $media_type,
                content: include_str!(concat!("../web/", $name)),
            },)*)*
        ]
    };
}

static FILES: &[File] = files! {
    CSS: "theme.css" "page.css" "panes.css" "lifelines.css" "standalone.css";
    SVG: "icon.svg";
    JS: "canvas.js" "client.js" "coverage.js" "dom.js" "editor.js" "exports.js" "frames.js" "graph.js"
        "graphview.js" "jobs.js" "keys.js" "layered.js" "layout.js" "lifelines.js" "link.js" "listing.js"
        "main.js" "menu.js" "mistake.js" "next.js" "painter.js" "picture.js" "plot.js" "properties.js" "rows.js"
        "run.js" "runtext.js" "runview.js" "search.js" "session.js" "source.js" "standalone_graph.js"
        "standalone_run.js" "state.js" "strokes.js" "theme.js" "tooltip.js" "viewport.js" "why.js" "wording.js";
};

/// All files of the page. The one with the path `/` is the document.
///
/// Addresses in them are relative, so that the page can be served from any folder.
pub fn files() -> &'static [File] {
    FILES
}

/// The text of a file of `web/`. All names that are asked for are of files that are there.
pub(crate) fn content(name: &str) -> &'static str {
    let path = format!("/web/{name}");
    let file = FILES.iter().find(|file| file.path == path);
    file.unwrap_or_else(|| panic!("{name} is embedded")).content
}

/// The document for a page whose engine runs in a worker of the same browser; `worker` is the address of its script.
///
/// Everything else of the page is as [`files`] has it.
pub fn playground_index(worker: &str) -> String {
    let worker = crate::standalone::escaped(worker);
    let host = r#"<meta name="kinfold-host" content="server">"#;
    let script = r#"<meta name="kinfold-worker" content="worker.js">"#;
    let document = FILES[0].content;
    assert!(document.contains(host) && document.contains(script), "the document names its host");
    document
        .replace(host, r#"<meta name="kinfold-host" content="playground">"#)
        .replace(script, &format!(r#"<meta name="kinfold-worker" content="{worker}">"#))
}
