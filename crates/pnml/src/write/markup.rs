//! XML put together, indented.

use std::fmt::{self, Write as _};

use draw::xml;

/// No line is indented by more levels than this, so that deep documents are not mostly blanks.
const DEEPEST: usize = 40;

/// A text of elements. Two spaces for each level; an element of text alone stays on one line.
#[derive(Default)]
pub(crate) struct Markup {
    text: String,
    open: Vec<&'static str>,
    /// Whether the last start tag still lacks its end, since nothing may follow in its element.
    pending: bool,
}

impl Markup {
    /// Begins a document.
    pub(crate) fn new() -> Markup {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        Markup { text, ..Markup::default() }
    }

    /// Opens an element.
    pub(crate) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.open.push(name);
        self.pending = true;
    }

    /// Closes the element that was opened last.
    pub(crate) fn close(&mut self) {
        let name = self.open.pop().expect("as many are closed as are opened");
        if std::mem::take(&mut self.pending) {
            self.text.push_str("/>\n");
        } else {
            self.indent();
            self.write(format_args!("</{name}>\n"));
        }
    }

    /// An element with nothing in it.
    pub(crate) fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.open(name, attributes);
        self.close();
    }

    /// An element with text.
    pub(crate) fn leaf(&mut self, name: &'static str, content: &str) {
        self.tag(name, &[]);
        self.write(format_args!(">{}</{name}>\n", xml::Text(content)));
    }

    pub(crate) fn finish(self) -> String {
        debug_assert!(self.open.is_empty(), "as many are closed as are opened");
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        if std::mem::take(&mut self.pending) {
            self.text.push_str(">\n");
        }
        self.indent();
        self.write(format_args!("<{name}"));
        for (attribute, value) in attributes {
            self.write(format_args!(" {attribute}=\"{}\"", xml::Attribute(value)));
        }
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("strings do not fail");
    }

    fn indent(&mut self) {
        for _ in self.open.iter().take(DEEPEST) {
            self.text.push_str("  ");
        }
    }
}
