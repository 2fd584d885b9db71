//! Mutated Go texts: a refusal or processes that the language takes, never a panic, a hang or processes that it refuses
//! for a reason that is no limit.

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

/// A text with a few mistakes in it.
fn mutated(rng: &mut Random) -> String {
    let program = PROGRAMS[rng.below(PROGRAMS.len())];
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
        let text = mutated(rng);
        let source = go::Source { name: "main.go", text: &text };
        let found = go::translate(&[source], &go::Options::default());
        let has_errors = found.diagnostics.errors() > 0;
        assert_eq!(found.kin.is_none(), has_errors, "seed {seed}: errors and processes\n{text}");
    });
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
