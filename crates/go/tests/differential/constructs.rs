//! Which constructs of Go the programs use that were made at random.

/// Constructs, each with what is written in a program that uses it; several are separated by bars.
const CONSTRUCTS: &[(&str, &str)] = &[
    ("goroutines", "\tgo "),
    ("goroutines in loops", "i++ {\n\t\tgo "),
    ("goroutines by methods", "go s.r"),
    ("loop variables that closures share", "x = i\n"),
    ("closures", ":= func("),
    ("methods", "func (s *world"),
    ("method values and expressions", "f := v.area\n|f := square.area"),
    ("variadic calls", "= sum("),
    ("recursion", "= count("),
    ("generic functions", "= pick(|if pick("),
    ("generic types", "cell[int]{"),
    ("structs as values", "w := q\n"),
    ("pointers to fields", "&q."),
    ("embedding", "&framed{"),
    ("interfaces with methods", "var v area "),
    ("switch on types", ".(type)"),
    ("type assertions", ".(*framed)|.(int)"),
    ("slices", "[]int{"),
    ("slices that share elements", "w := z[1:]|make([]int, 1, 3)|append(z[:1]"),
    ("arrays", "[2]int{"),
    ("pointers to elements", "v := &z[|w := &z[:2]"),
    ("container/list", "list.New"),
    ("atomic.Pointer", "atomic.Pointer["),
    ("maps", "map[int]int"),
    ("constants and iota", "red + "),
    ("strings", "switch w {|pick(x == 0, \"a\""),
    ("operators on bits", "&^"),
    ("switch", "\tswitch "),
    ("fallthrough", "fallthrough"),
    ("labels with break or continue", "outer|drained"),
    ("goto", "goto "),
    ("range over channels", "for v := range "),
    ("range over slices, maps, strings", "range []int|range m|range \"|range z"),
    ("defer", "\tdefer "),
    ("defer in loops", "defer func(k int)"),
    ("panic", "panic("),
    ("recover", "recover()"),
    ("runtime.Goexit", "runtime.Goexit"),
    ("unbuffered channels", "= make(chan int)"),
    ("channels with room", "= make(chan int, "),
    ("nil channels", "one = nil"),
    ("channels by direction", "\tpass("),
    ("channels of channels", "r := <-"),
    ("close", "close("),
    ("len and cap of channels", "y = len(|y = cap("),
    ("select", "select {"),
    ("select with default", "\tdefault:"),
    ("sync.Mutex", "mu0.Lock()|mu1.Lock()"),
    ("TryLock, TryRLock", ".Try"),
    ("sync.RWMutex", "rw.Lock()|rw.RLock()"),
    ("sync.WaitGroup", "wg.Wait()|wg.Add("),
    ("sync.Cond", "cond.Wait()|cond.Signal()|cond.Broadcast()"),
    ("sync.Once", "once.Do("),
    ("sync.Map", "sm.Store(|sm.Load|sm.Delete("),
    ("sync/atomic functions", "atomic.Load|atomic.Store|atomic.Swap|atomic.Compare"),
    ("sync/atomic types", "an.Load|an.Store|an.Add|an.Compare"),
    ("context", "context.WithCancel|context.WithTimeout"),
    ("context with values", "context.WithValue"),
    ("context with a deadline", "context.WithTimeout"),
    ("errgroup", "eg.Go("),
    ("semaphore", ".Acquire("),
    ("time.Sleep", "time.Sleep"),
    ("time.After", "time.After("),
    ("time.NewTimer, NewTicker", "time.NewT"),
    ("time.AfterFunc", "time.AfterFunc"),
    ("math/rand", "rand.Intn"),
];

/// How many of the programs use each of the constructs.
pub fn table<'p>(programs: impl Iterator<Item = &'p str>) -> Vec<(&'static str, usize)> {
    let mut counts = vec![0; CONSTRUCTS.len()];
    for text in programs {
        // What all programs declare says nothing of what they do.
        let body = text.split_once("func TestRandom").map_or(text, |(_, body)| body);
        let methods = text.lines().skip_while(|line| !line.starts_with("type world"));
        let methods: String = methods.flat_map(|line| [line, "\n"]).collect();
        for (count, (_, marks)) in counts.iter_mut().zip(CONSTRUCTS) {
            let uses = |mark: &str| body.contains(mark) || methods.contains(mark);
            *count += usize::from(marks.split('|').any(uses));
        }
    }
    CONSTRUCTS.iter().map(|(name, _)| *name).zip(counts).collect()
}
