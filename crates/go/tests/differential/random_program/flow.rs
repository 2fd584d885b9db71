//! Ways through a program: labels, channels that become nil, channels by their direction, channels of channels, what is
//! deferred in a loop.

use super::{Place, Writer};

impl Writer<'_> {
    /// A loop in a loop that is left, or goes on, by its label.
    pub(super) fn labels(&mut self, place: Place) {
        let label = format!("outer{}", self.next_line());
        let inner = Place { in_loop: true, depth: place.depth + 1, ..place };
        let word = *self.random.pick(&["continue", "break"]);
        self.line(&format!("{label}:"));
        self.open("for i := 0; i < 2; i++ {");
        self.open("for j := 0; j < 2; j++ {");
        let condition = self.condition();
        self.open(&format!("if {condition} || j == 1 {{"));
        self.line(&format!("{word} {label}"));
        self.close("}");
        self.block(2, inner);
        self.close("}");
        self.close("}");
    }

    /// Receives until there is nothing more, or the channel is closed.
    pub(super) fn drain(&mut self, place: Place) {
        let (label, c) = (format!("drained{}", self.next_line()), self.channel());
        let inner = Place { in_loop: true, depth: place.depth + 1, ..place };
        self.line(&format!("{label}:"));
        self.open("for {");
        self.open_seen("select {");
        self.indent -= 1;
        self.open(&format!("case v, open := <-{c}:"));
        self.open("if !open {");
        self.line(&format!("break {label}"));
        self.close("}");
        self.line("y = v");
        self.block(1, inner);
        self.indent -= 1;
        self.open("default:");
        self.line(&format!("break {label}"));
        self.indent -= 1;
        self.line("}");
        self.close("}");
    }

    /// One number from each of two channels, in any order: what has come makes its channel nil.
    pub(super) fn either(&mut self, place: Place) {
        let (a, b) = (self.channel_for(false), self.channel_for(false));
        let inner = Place { in_loop: true, depth: place.depth + 1, ..place };
        self.open("{");
        self.line(&format!("one, other := {a}, {b}"));
        self.open("for one != nil || other != nil {");
        self.open_seen("select {");
        self.indent -= 1;
        self.open("case y = <-one:");
        self.line("one = nil");
        self.block(1, inner);
        self.indent -= 1;
        self.open("case x = <-other:");
        self.line("other = nil");
        self.indent -= 1;
        self.line("}");
        self.close("}");
        self.close("}");
    }

    /// A number is taken from a channel and given to another, by a function that may do only that with each.
    pub(super) fn pass(&mut self) {
        let (from, to) = (self.channel_for(false), self.channel_for(true));
        self.line(&format!("pass§({from}, {to})"));
    }

    /// The function for that.
    pub(super) fn pass_function(&mut self) {
        self.open("func pass§(in <-chan int, out chan<- int) {");
        self.seen("v := <-in");
        self.seen("out <- v");
        self.close("}");
    }

    /// Asks for a number by a channel for the answer, or answers.
    pub(super) fn request(&mut self) {
        let (q, n) = (self.object("q"), self.number());
        self.open("{");
        if self.random.percent(50) {
            let capacity = self.random.below(2);
            self.line(&format!("r := make(chan int, {capacity})"));
            self.seen(&format!("{q} <- r"));
            self.seen("y = <-r");
        } else {
            self.seen(&format!("r := <-{q}"));
            self.seen(&format!("r <- {n}"));
        }
        self.close("}");
    }

    /// Defers a call in each round of a loop.
    pub(super) fn deferred_in_rounds(&mut self) {
        self.events += 2;
        self.open("for i := 0; i < 2; i++ {");
        let line = self.next_line();
        self.both(
            "defer func(k int) { log§ <- 8 + k }(i)",
            &format!("defer func(k int) {{ p({line}); log§ <- 8 + k }}(i)"),
        );
        self.close("}");
    }
}
