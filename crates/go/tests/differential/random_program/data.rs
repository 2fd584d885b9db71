//! Values: structs, pointers, slices, arrays, maps, closures, interfaces, generic functions; and panics.

use super::Writer;

/// What all programs have, if they use it: constants, generic functions and types, interfaces and what is behind them.
const DECLARATIONS: [&str; 12] = [
    "type key§ int",
    "const (",
    "\tred§ = iota",
    "\tgreen§",
    ")",
    "func pick§[T any](first bool, a, b T) T { if first { return a }; return b }",
    "type cell§[T any] struct{ v T }",
    "func (c *cell§[T]) set(v T) T { old := c.v; c.v = v; return old }",
    "type area§ interface{ area() int }",
    "type square§ struct{ n int }",
    "func (s square§) area() int { return s.n % 4 }",
    "type framed§ struct { square§; k int }",
];

impl Writer<'_> {
    pub(super) fn declarations(&mut self) {
        for line in DECLARATIONS {
            self.line(line);
        }
        self.line("func (f *framed§) area() int { return (f.square§.area() + f.k) % 4 }");
        self.line(
            "func count§(n int) int { if n <= 0 { return 0 }; return (1 + count§(n-1)) % 4 }",
        );
    }

    /// Writes a block that does something with values, and leaves a number in `y`.
    pub(super) fn data(&mut self) {
        let (n, k) = (self.number(), self.number());
        self.open("{");
        if self.random.percent(60) {
            let lines = self.typed(&n, &k);
            lines.iter().for_each(|line| self.line(line));
            return self.close("}");
        }
        let lines: Vec<String> = match self.random.below(if self.objects.sharing { 21 } else { 11 })
        {
            0 => vec![
                format!("q := pair§{{x, {n}}}"),
                "w := q".into(),
                "w.a = 3".into(),
                "y = (q.a + w.b) % 4".into(),
            ],
            1 => vec![
                format!("q := &pair§{{x, {n}}}"),
                "w := q".into(),
                "w.a = 2".into(),
                "y = (q.a + w.b) % 4".into(),
            ],
            2 => vec![
                format!("z := []int{{x, {n}}}"),
                "z = append(z, 2)".into(),
                format!("y = z[{k}]"),
            ],
            3 => vec![
                format!("m := map[int]int{{0: {n}}}"),
                "m[x] = 2".into(),
                format!("y, ok = m[{k}]"),
                "y = (y + len(m)) % 4".into(),
            ],
            4 => vec![
                format!("z := [2]int{{x, {n}}}"),
                "w := z".into(),
                "w[0] = 3".into(),
                "y = (z[0] + w[0]) % 4".into(),
            ],
            5 => vec![
                "add := func(k int) { y = (y + k) % 4 }".into(),
                format!("add({n})"),
                format!("add({k})"),
            ],
            6 => vec![
                format!("var v interface{{}} = {n}"),
                "switch w := v.(type) {".into(),
                "case string:".into(),
                "\ty = len(w)".into(),
                "case int:".into(),
                "\ty = (w + 1) % 4".into(),
                "}".into(),
            ],
            7 => vec![format!("y = sum§(x, {n}, {k})")],
            9 => vec![
                format!("q := struct{{ in pair§ }}{{pair§{{x, {n}}}}}"),
                "w := &q.in".into(),
                format!("q.in = pair§{{{k}, 1}}"),
                "y = (w.a + w.b) % 4".into(),
            ],
            10 => vec![format!("y = (x | ({n})) &^ ({k}) & 3 ^ 1")],
            11 => vec![
                format!("z := []int{{x, {n}, 1}}"),
                "w := z[1:]".into(),
                format!("w[0] = {k}"),
                "w = append(w, 2)".into(),
                "w[0] = 3".into(),
                "y = (z[1] + len(w) + cap(w)) % 4".into(),
            ],
            12 => vec![
                format!("z := []pair§{{{{x, {n}}}}}"),
                "w := &z[0]".into(),
                format!("z = append(z, pair§{{1, {k}}})"),
                "z[0].a = 3".into(),
                "y = (w.a + z[1].b) % 4".into(),
            ],
            13 => vec![
                format!("z := []int{{x, {n}, {k}}}"),
                "for i, w := range z {".into(),
                "\tif i == 0 {".into(),
                "\t\tz = append(z[:1], z[2:]...)".into(),
                "\t}".into(),
                "\ty = (y + w) % 4".into(),
                "}".into(),
                "y = (y + z[1]) % 4".into(),
            ],
            16 => vec![
                format!("z := []int{{x, {n}}}"),
                "v := &z[1]".into(),
                "w := &z[0]".into(),
                "z = append(z, 2)".into(),
                format!("*v = {k}"),
                "z[0] = *v".into(),
                "y = (z[0] + z[1] + *w) % 4".into(),
            ],
            17 => vec![
                format!("z := [2]int{{x, {n}}}"),
                "v := &z[0]".into(),
                "w := z".into(),
                format!("*v = {k}"),
                "y = (z[0] + w[0]) % 4".into(),
            ],
            18 => vec![
                "l := list.New()".into(),
                "e := l.PushBack(x)".into(),
                format!("l.PushFront({n})"),
                "l.MoveToFront(e)".into(),
                "y = (l.Front().Value.(int) + l.Len()) % 4".into(),
            ],
            19 => vec![
                "var p atomic.Pointer[pair§]".into(),
                format!("w := &pair§{{x, {n}}}"),
                "p.Store(w)".into(),
                format!("p.CompareAndSwap(w, &pair§{{{k}, 1}})"),
                "y = (p.Load().a + w.b) % 4".into(),
            ],
            20 => vec![
                "z := make([]pair§, 1, 2)".into(),
                "w := &z[:2][1]".into(),
                format!("z = append(z, pair§{{x, {k}}})"),
                "y = (w.a + w.b) % 4".into(),
            ],
            14 | 15 => vec![
                format!("z := make([]int, 1, 3)"),
                format!("w := append(z, {n})"),
                format!("_ = append(z, {k})"),
                "y = w[1]".into(),
            ],
            _ => vec![
                format!("q := pair§{{{n}, {k}}}"),
                "b := &q.b".into(),
                "*b = (*b + 1) % 4".into(),
                "q.a, q.b = q.b, q.a".into(),
                "y = q.a".into(),
            ],
        };
        for line in lines {
            self.line(&line);
        }
        self.close("}");
    }

    /// The same by what types and functions can do, and by statements about values.
    fn typed(&mut self, n: &str, k: &str) -> Vec<String> {
        let shape = ["var v area§ = square§{x}".to_owned(), "if x == 0 {".into()];
        let shape = || {
            let more = [format!("\tv = &framed§{{square§{{1}}, {k}}}"), "}".into()];
            shape.clone().into_iter().chain(more)
        };
        match self.random.below(16) {
            0 => vec![format!("y = pick§(ok, {n}, {k})")],
            1 => vec![
                "if pick§(x == 0, \"a\", \"b\") == \"a\" {".into(),
                "\ty = 1".into(),
                "}".into(),
            ],
            2 => vec![
                format!("c := &cell§[int]{{{n}}}"),
                format!("y = c.set({k})"),
                "y = (y + c.v) % 4".into(),
            ],
            3 => shape().chain(["y = v.area()".into()]).collect(),
            4 => shape()
                .chain([
                    "switch w := v.(type) {".into(),
                    "case square§:".into(),
                    "\ty = w.n".into(),
                    "case *framed§:".into(),
                    "\ty = w.k + w.n".into(),
                    "}".into(),
                ])
                .collect(),
            5 => shape()
                .chain(["if w, is := v.(*framed§); is {".into(), "\ty = w.k".into(), "}".into()])
                .collect(),
            6 => shape().chain(["f := v.area".into(), "y = f()".into()]).collect(),
            7 => vec!["f := square§.area".into(), format!("y = f(square§{{{n}}})")],
            8 => vec![format!("y = count§({n})")],
            9 => vec!["y = red§ + x*green§".into()],
            10 => vec![
                "w := \"a\"".into(),
                "if x > 1 {".into(),
                "\tw = \"b\"".into(),
                "}".into(),
                "switch w {".into(),
                "case \"a\":".into(),
                "\ty = 1".into(),
                "case \"b\":".into(),
                "\ty = 2".into(),
                "}".into(),
            ],
            11 => vec![
                format!("for i, w := range []int{{x, {n}, 1}} {{"),
                "\ty = (y + i*w) % 4".into(),
                "}".into(),
            ],
            12 => vec![
                format!("m := map[int]int{{0: {n}, 1: {k}}}"),
                "for i := range m {".into(),
                "\ty = i".into(),
                "}".into(),
                "delete(m, y)".into(),
                "y = m[0] % 4".into(),
            ],
            13 => vec![
                "for i := range \"abc\" {".into(),
                "\ty = (y + i) % 4".into(),
                "}".into(),
                format!("if (pair§{{x, {n}}}) == (pair§{{1, 2}}) {{"),
                "\ty = 3".into(),
                "}".into(),
            ],
            14 => vec!["y = rand.Intn(3)".into()],
            _ => vec![
                "switch {".into(),
                "case x == 0:".into(),
                format!("\ty = {n}"),
                "case y > 1 || ok:".into(),
                format!("\ty = {k}"),
                "default:".into(),
                "\ty = 3".into(),
                "}".into(),
            ],
        }
    }

    /// Writes a statement that panics, always or for some values.
    pub(super) fn fail(&mut self) {
        match self.random.below(5) {
            0 => {
                self.open("if x == 0 {");
                self.line("panic(\"p0\")");
                self.close("}");
            }
            1 => {
                self.open("{");
                self.line("z := []int{1, 2}");
                self.line("y = z[x]");
                self.close("}");
            }
            2 => {
                self.open("{");
                self.line("var q *pair§");
                self.open("if y != 1 {");
                self.line("y = q.a");
                self.close("}");
                self.close("}");
            }
            3 => {
                self.open("{");
                self.line("var m map[int]int");
                self.line("y = m[0]");
                self.open("if x != 2 {");
                self.line("m[0] = 1");
                self.close("}");
                self.close("}");
            }
            _ => {
                self.open("if y < 2 {");
                self.line("panic(\"p1\")");
                self.close("}");
            }
        }
    }
}
