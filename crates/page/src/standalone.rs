//! Runs and graphs as single HTML files that work from disk.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::embedded::content;
use crate::link::linked;

/// A run as one HTML file.
///
/// `data` is the answer of the operation `run`, or an object with this as `run` and that of `model` as `model`, whose
/// text is then shown beside it.
pub fn run_html(title: &str, data: &Value) -> String {
    let body = r#"<main class="standalone">
<section class="pane" id="source" aria-labelledby="source-title"><div class="pane-head"><h2 id="source-title">Source</h2></div><div class="pane-body" id="source-body" tabindex="0"></div></section>
<section class="pane" id="run" aria-labelledby="run-title"><div class="pane-head"><h2 id="run-title">Run</h2><div class="tools" id="run-tools"></div></div><div class="pane-body" id="run-body"></div></section>
</main>"#;
    let sheets = ["theme.css", "page.css", "panes.css", "lifelines.css"];
    let mut html = Vec::new();
    let written = write_document(&mut html, title, body, data, &sheets, "standalone_run.js");
    written.expect("memory can be written");
    String::from_utf8(html).expect("all of it is text")
}

/// Writes a graph of classes as one HTML file, piece by piece. `data` is the answer of the operation `graph`, which
/// need not be in memory as a whole.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_graph_html(out: impl Write, title: &str, data: &impl Serialize) -> io::Result<()> {
    let body = r#"<main class="standalone">
<section class="pane" id="graph" aria-labelledby="graph-title"><div class="pane-head"><h2 id="graph-title">Graph</h2><div class="tools" id="graph-tools"></div></div><div class="pane-body" id="graph-body"></div></section>
</main>"#;
    let sheets = ["theme.css", "page.css", "panes.css"];
    write_document(out, title, body, data, &sheets, "standalone_graph.js")
}

/// Writes a document with everything in it, which may load nothing from elsewhere.
fn write_document(
    mut out: impl Write,
    title: &str,
    body: &str,
    data: &impl Serialize,
    sheets: &[&str],
    script: &str,
) -> io::Result<()> {
    let title = escaped(title);
    let mut style: String = sheets.iter().map(|name| content(name)).collect();
    style += content("standalone.css");
    let style = style.replace(r#"url("icon.svg")"#, "none");
    write!(
        out,
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header class="bar"><h1 class="brand">{title}</h1><div class="group end"><button id="theme">Colours</button></div></header>
{body}
<script type="application/json" id="data">"#
    )?;
    serde_json::to_writer(Embedded(&mut out), data)?;
    let script = linked(script);
    write!(
        out,
        r#"</script>
<script>
{script}</script>
</body>
</html>
"#
    )
}

/// Writes JSON that can stand inside an element of a document: nothing in it ends the element or begins another.
struct Embedded<W>(W);

impl<W: Write> Write for Embedded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| matches!(byte, b'<' | b'>' | b'&')) {
            let (plain, last) = part.split_at(part.len() - 1);
            self.0.write_all(plain)?;
            match last {
                b"<" => self.0.write_all(b"\\u003c")?,
                b">" => self.0.write_all(b"\\u003e")?,
                b"&" => self.0.write_all(b"\\u0026")?,
                other => self.0.write_all(other)?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Text as it stands in HTML, in elements and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\'' => "&#39;".to_owned(),
        _ => c.to_string(),
    };
    text.chars().map(escape).collect()
}
