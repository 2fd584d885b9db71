//! Runs and graphs as single HTML files that work from disk.

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
    document(
        title,
        body,
        data,
        &["theme.css", "page.css", "panes.css", "lifelines.css"],
        "standalone_run.js",
    )
}

/// A graph of classes as one HTML file. `data` is the answer of the operation `graph`.
pub fn graph_html(title: &str, data: &Value) -> String {
    let body = r#"<main class="standalone">
<section class="pane" id="graph" aria-labelledby="graph-title"><div class="pane-head"><h2 id="graph-title">Graph</h2><div class="tools" id="graph-tools"></div></div><div class="pane-body" id="graph-body"></div></section>
</main>"#;
    document(title, body, data, &["theme.css", "page.css", "panes.css"], "standalone_graph.js")
}

/// A document with everything in it, which may load nothing from elsewhere.
fn document(title: &str, body: &str, data: &Value, sheets: &[&str], script: &str) -> String {
    let title = escaped(title);
    let mut style: String = sheets.iter().map(|name| content(name)).collect();
    style += content("standalone.css");
    let style = style.replace(r#"url("icon.svg")"#, "none");
    let (data, script) = (embedded_json(data), linked(script));
    format!(
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
<script type="application/json" id="data">{data}</script>
<script>
{script}</script>
</body>
</html>
"#
    )
}

/// JSON that can stand inside an element of a document: nothing in it ends the element or begins another.
fn embedded_json(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
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
