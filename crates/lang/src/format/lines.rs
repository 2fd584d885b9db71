//! The lines of a formatted text, with the comments at their ends lined up.

/// A line: code, and a comment behind it.
#[derive(Debug)]
pub(super) struct Line {
    indent: usize,
    code: String,
    comment: Option<String>,
    /// Nothing may be added at its end.
    sealed: bool,
}

impl Line {
    pub(super) fn code(indent: usize, code: String) -> Line {
        Line { indent, code, comment: None, sealed: false }
    }

    pub(super) fn blank() -> Line {
        Line { indent: 0, code: String::new(), comment: None, sealed: true }
    }

    /// Whether the comments of the two start in one column, if all between them do.
    fn lines_up_with(&self, other: &Line) -> bool {
        let brace = |line: &Line| line.code.ends_with('{') || line.code.ends_with('}');
        let alike = self.indent == other.indent && !brace(self) && !brace(other);
        self.comment.is_some() && other.comment.is_some() && (alike || std::ptr::eq(self, other))
    }

    fn width(&self) -> usize {
        self.indent + self.code.chars().count()
    }
}

#[derive(Debug, Default)]
pub(super) struct Lines(Vec<Line>);

impl Lines {
    pub(super) fn push(&mut self, line: Line) {
        self.0.push(line);
    }

    /// Lets nothing be added to the last line.
    pub(super) fn seal(&mut self) {
        if let Some(line) = self.0.last_mut() {
            line.sealed = true;
        }
    }

    /// Puts a comment at the end of the last line; tells whether that was possible.
    pub(super) fn trail(&mut self, comment: &str) -> bool {
        let Some(line) = self.0.last_mut().filter(|line| !line.sealed) else { return false };
        match &mut line.comment {
            None => line.comment = Some(comment.to_owned()),
            Some(before) => {
                before.push(' ');
                before.push_str(comment);
            }
        }
        line.sealed = comment.starts_with("//");
        true
    }

    /// The text. Comments at the ends of neighbouring lines start in one column.
    pub(super) fn finish(self) -> String {
        let mut text = String::new();
        let mut index = 0;
        while index < self.0.len() {
            let first = &self.0[index];
            let run = self.0[index..].iter().take_while(|line| line.lines_up_with(first)).count();
            let column = self.0[index..index + run].iter().map(Line::width).max().unwrap_or(0);
            for line in &self.0[index..index + run.max(1)] {
                if !line.code.is_empty() {
                    text.extend(std::iter::repeat_n(' ', line.indent));
                    text.push_str(&line.code);
                }
                if let Some(comment) = &line.comment {
                    text.extend(std::iter::repeat_n(' ', column - line.width() + 2));
                    text.push_str(comment);
                }
                text.push('\n');
            }
            index += run.max(1);
        }
        text
    }
}
