//! Mutated Go texts: a refusal or processes, never a panic or a hang.
//!
//! The suite mutates a few programs. The programs of the collection, each many times:
//!
//! ```text
//! KINFOLD_TEST_MUTANTS=50 cargo test --release -p kinfold-go --test hostile
//! ```

use random::Random;

/// Programs over most constructs, to be mutated.
const PROGRAMS: [&str; 3] = [
    r#"package a
import ("sync"; "fmt"; "context"; "time"; "errors")
type S struct { sync.Mutex; n int; m map[string]*S; f func(int) (int, error); next *S }
type I interface { Get(k string) (v int, ok bool) }
func (s *S) Get(k string) (v int, ok bool) { s.Lock(); defer s.Unlock(); if x, ok := s.m[k]; ok { return x.n, true }; return }
const ( A = iota; B; C )
func use(i I, xs ...int) (total int) {
	for _, x := range xs { switch { case x == A: total++; case x > B: total += x; default: continue } }
	if v, ok := i.Get("k"); ok { total += v }
	return
}
func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	s := &S{m: map[string]*S{"k": {n: 3}}}
	ch := make(chan int, 2)
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ { wg.Add(1); go func(i int) { defer wg.Done(); select { case ch <- use(s, i, 1): case <-ctx.Done(): } }(i) }
	wg.Wait(); close(ch)
	for v := range ch { fmt.Println(v, errors.New("x")) }
}
"#,
    r#"package b
import ("sync/atomic"; "testing"; "time")
type Num interface { ~int | ~int64 }
type Stack[T any] struct { items []T }
func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }
func Map[T, U any](xs []T, f func(T) U) []U { var r []U; for _, x := range xs { r = append(r, f(x)) }; return r }
type E struct{ s string }
func (e *E) Error() string { return e.s }
func f(x interface{}) error { switch v := x.(type) { case int: return &E{"i"}; case error: return v; case nil: return nil }; return nil }
func TestX(t *testing.T) {
	st := &Stack[int]{}
	st.Push(1)
	var n int32
	timer := time.NewTimer(time.Second)
outer:
	for {
		for _, y := range Map(st.items, func(i int) int { return i * 2 }) { if y > 3 { continue outer }; break outer }
	}
	done := make(chan struct{})
	go func() { atomic.AddInt32(&n, 1); close(done) }()
	select { case <-done: case <-timer.C: t.Log("late") }
	if err := f(3); err != nil { t.Log(err) }
	a := [3]int{1, 2: 5}
	b := a
	b[0]++
	p := &n
	*p = 4
}
"#,
    "package c\nfunc main() { x := 1; f := func() int { x++; return x }; println(f(), `raw`, 'c', 0x1F, 1e3) }\n",
];

/// Programs of the collection.
fn collection() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let folders =
        std::fs::read_dir(folder).expect("the folder").map(|one| one.expect("one").path());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// A text with a few mistakes in it.
fn mutated(program: &str, rng: &mut Random) -> String {
    let mut tokens: Vec<&str> =
        program.split_inclusive([' ', '(', ')', '{', '}', ';', '\n', '.', ',', '[', ']']).collect();
    for _ in 0..=rng.below(4u32) {
        let at = rng.below(tokens.len());
        let other = rng.below(tokens.len());
        match rng.below(4u32) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other]),
            2 => tokens.swap(at, other),
            _ => {
                tokens[at] = ["\"", "'", "/*", "(", "}", "0", "go ", "chan ", "é", "func("]
                    [rng.below(10usize)]
            }
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

#[test]
fn mutated_programs_are_refused_or_translated() {
    random::for_seeds(0..600, |seed, rng| {
        let text = mutated(PROGRAMS[rng.below(PROGRAMS.len())], rng);
        is_refused_or_translated(&text, &format!("seed {seed}"));
    });
}

fn is_refused_or_translated(text: &str, which: &str) {
    let found = go::translate(&go::sources(text, "main.go"), &go::Options::default());
    let has_errors = found.diagnostics.errors() > 0;
    assert_eq!(found.kin.is_none(), has_errors, "{which}: errors and processes\n{text}");
}

#[test]
fn mutated_programs_of_the_collection_are_refused_or_translated() {
    let mutants = std::env::var("KINFOLD_TEST_MUTANTS");
    let mutants = mutants.map_or(1, |text| text.parse().expect("it is a number"));
    for (number, program) in collection().iter().enumerate() {
        random::for_seeds(0..mutants, |seed, rng| {
            let text = mutated(program, rng);
            is_refused_or_translated(&text, &format!("program {number}, seed {seed}"));
        });
    }
}

#[test]
fn several_files_in_one_text_are_refused_or_translated() {
    let files: Vec<(String, String)> = PROGRAMS
        .iter()
        .enumerate()
        .map(|(at, text)| (format!("{at}.go"), (*text).to_owned()))
        .collect();
    let whole = go::bundle(&files);
    assert_eq!(go::sources(&whole, "").len(), PROGRAMS.len());
    random::for_seeds(0..100, |seed, rng| {
        is_refused_or_translated(&mutated(&whole, rng), &format!("seed {seed}"));
    });
}

#[test]
fn a_large_file_is_translated() {
    // Types with methods, goroutines and locks, as generated code has them.
    let part = |at: usize| {
        format!(
            "type T{at} struct {{ mu sync.Mutex; c chan int; n map[string]int }}\n\
             func (t *T{at}) put(k string, v int) {{ t.mu.Lock(); defer t.mu.Unlock(); t.n[k] = v; t.c <- v }}\n\
             func run{at}() {{ t := &T{at}{{c: make(chan int, 1), n: map[string]int{{}}}}; go t.put(\"k{at}\", {at}); <-t.c }}\n"
        )
    };
    let parts: String = (0..400).map(part).collect();
    let calls: String = (0..400).map(|at| format!("run{at}()\n")).collect();
    let text = format!("package big\nimport \"sync\"\n{parts}func main() {{\n{calls}}}\n");
    is_refused_or_translated(&text, "large");
}

#[test]
fn what_is_nested_deeply_is_refused() {
    for part in ["(", "[]", "{", "func() {", "if x {", "a + (", "*", "&", "<-", "map[int]", "chan "]
    {
        let text = format!("package a\nfunc main() {{ x = {} }}\n", part.repeat(50_000));
        let source = go::Source { name: "main.go", text: &text };
        let found = go::translate(&[source], &go::Options::default());
        assert!(found.diagnostics.errors() > 0, "{part} is refused");
    }
}

#[test]
fn the_programs_themselves_are_translated() {
    for text in PROGRAMS {
        let source = go::Source { name: "main.go", text };
        let found = go::compile(&[source], &[], &go::Options::default());
        assert!(found.net.is_some(), "{}", found.diagnostics);
    }
}

#[test]
fn every_code_is_explained() {
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("the sources")
    {
        let path = file.expect("a file").path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for (at, _) in text.match_indices("\"G0") {
            let code = &text[at + 1..at + 6];
            assert!(go::EXPLANATIONS.find(code).is_some(), "{code} in {}", path.display());
        }
    }
}
