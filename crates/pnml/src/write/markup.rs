//! XML put together, indented.

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
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
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
        self.text.push('>');
        escape(&mut self.text, content, false);
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
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
        self.text.push('<');
        self.text.push_str(name);
        for (attribute, value) in attributes {
            self.text.push(' ');
            self.text.push_str(attribute);
            self.text.push_str("=\"");
            escape(&mut self.text, value, true);
            self.text.push('"');
        }
    }

    fn indent(&mut self) {
        for _ in self.open.iter().take(DEEPEST) {
            self.text.push_str("  ");
        }
    }
}

/// Adds characters so that they are read as themselves. What no XML can hold becomes U+FFFD.
fn escape(text: &mut String, content: &str, in_attribute: bool) {
    for c in content.chars() {
        match c {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '"' if in_attribute => text.push_str("&quot;"),
            '\r' => text.push_str("&#13;"),
            '\n' if in_attribute => text.push_str("&#10;"),
            '\t' if in_attribute => text.push_str("&#9;"),
            '\n' | '\t' => text.push(c),
            '\0'..'\u{20}' | '\u{FFFE}' | '\u{FFFF}' => text.push('\u{FFFD}'),
            _ => text.push(c),
        }
    }
}
