// Runs programs that were made at random, many times each, and says how each run ends.
//
// The programs are in files of their own, p0.go, p1.go and so on, with calls of p before what others can see, and
// of born and left where a goroutine begins and ends. A run has ended when all its goroutines have, or those that
// are left are parked, which a dump of all stacks shows: the world stands still while it is taken, so that nobody can wake
// them any more. In a program with timers, which are all very short, it is looked at again after some time.
//
//	harness run PROGRAM SEED RUNS    runs with random pauses, each said in a line
//	harness force PROGRAM            one run, in the order of the lines of the input
//
// A line for a run is `ok EVENTS | LINES`, where LINES are those at which goroutines are parked, or `panic KIND`.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type program struct {
	reset  func()
	run    func()
	events func() []int
	timers bool
}

var (
	live     int32
	forced   bool
	noise    uint64
	failures struct {
		sync.Mutex
		first string
	}
)

// --- Called by programs ---------------------------------------------------------------------------

// spawn is called by who starts a goroutine: the name of the new one.
func spawn() string {
	atomic.AddInt32(&live, 1)
	if !forced {
		return ""
	}
	return batons.child(goid())
}

// born is called by a new goroutine.
func born(name string) {
	if forced {
		batons.enter(goid(), name)
	}
}

// came is called by a goroutine that a timer has started.
func came() {
	atomic.AddInt32(&live, 1)
}

// left is deferred by each goroutine, so that it comes last.
func left() {
	if r := recover(); r != nil {
		failures.Lock()
		if failures.first == "" {
			failures.first = fmt.Sprint(r)
		}
		failures.Unlock()
	}
	if forced {
		batons.leave(goid())
	}
	atomic.AddInt32(&live, -1)
}

// p is called before what others can see, with its line.
func p(line int) {
	if forced {
		batons.await(goid(), line)
		return
	}
	z := atomic.AddUint64(&noise, 0x9e3779b97f4a7c15)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	switch z >> 60 {
	case 0, 1, 2, 3:
		runtime.Gosched()
	case 4, 5:
		for i := z >> 20 & 15; i > 0; i-- {
			runtime.Gosched()
		}
	case 6:
		time.Sleep(time.Duration(1+z>>20&31) * time.Microsecond)
	}
}

func goid() int {
	var buf [40]byte
	n := runtime.Stack(buf[:], false)
	id, _ := strconv.Atoi(strings.Fields(string(buf[:n]))[1])
	return id
}

// --- Stacks ---------------------------------------------------------------------------------------

type goroutine struct {
	id     int
	parked bool
	baton  bool
	line   int
}

var dump = make([]byte, 1<<20)

// goroutines are those that are not known, as they are all at one moment.
func goroutines(known map[int]bool, file string) (all []goroutine) {
	n := runtime.Stack(dump, true)
	for n == len(dump) {
		dump = make([]byte, 2*len(dump))
		n = runtime.Stack(dump, true)
	}
	for _, text := range strings.Split(string(dump[:n]), "\n\n") {
		var g goroutine
		head, frames, _ := strings.Cut(text, "\n")
		fmt.Sscanf(head, "goroutine %d ", &g.id)
		if known[g.id] {
			continue
		}
		state := head[strings.IndexByte(head, '[')+1:]
		for _, parked := range []string{"chan ", "select", "semacquire", "sync."} {
			g.parked = g.parked || strings.HasPrefix(state, parked)
		}
		g.baton = strings.Contains(frames, "main.(*conductor).await")
		for _, frame := range strings.Split(frames, "\n") {
			if at := strings.Index(frame, "/"+file+":"); at >= 0 {
				fmt.Sscanf(frame[at+len(file)+2:], "%d", &g.line)
				break
			}
		}
		all = append(all, g)
	}
	return all
}

func end(program program) string {
	failures.Lock()
	defer failures.Unlock()
	if failures.first != "" {
		return "panic " + failures.first
	}
	return "ok " + strings.Trim(fmt.Sprint(program.events()), "[]")
}

func start(program program) {
	failures.first = ""
	atomic.StoreInt32(&live, 0)
	program.reset()
	name := spawn()
	go func() {
		defer left()
		born(name)
		program.run()
	}()
}

// lines are those at which goroutines are, in order.
func lines(gs []goroutine) string {
	var ls []int
	for _, g := range gs {
		ls = append(ls, g.line)
	}
	sort.Ints(ls)
	return strings.Trim(fmt.Sprint(ls), "[]")
}

// once runs a program, and adds those who are left of it to the known.
func once(program program, file string, seed uint64, known map[int]bool) string {
	atomic.StoreUint64(&noise, seed)
	start(program)
	looks := 0
	for tries := 0; ; tries++ {
		for i := 0; i < 50 && atomic.LoadInt32(&live) > 0; i++ {
			runtime.Gosched()
		}
		if atomic.LoadInt32(&live) == 0 && !program.timers {
			return end(program) + " |"
		}
		if tries < 3 {
			time.Sleep(20 * time.Microsecond)
			continue
		}
		gs := goroutines(known, file)
		parked := len(gs) == int(atomic.LoadInt32(&live))
		for _, g := range gs {
			parked = parked && g.parked
		}
		if !parked {
			looks = 0
		} else if program.timers && looks < 2 {
			looks++
			time.Sleep(time.Millisecond)
		} else {
			for _, g := range gs {
				known[g.id] = true
			}
			return end(program) + " | " + lines(gs)
		}
		if tries > 100000 {
			return "endless"
		}
	}
}

func main() {
	number, _ := strconv.Atoi(os.Args[2])
	program, file := programs[number], fmt.Sprintf("p%d.go", number)
	known := make(map[int]bool)
	for _, g := range goroutines(known, file) {
		known[g.id] = true
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if os.Args[1] == "force" {
		fmt.Fprintln(out, force(program, file, known))
		return
	}
	seed, _ := strconv.ParseUint(os.Args[3], 10, 64)
	runs, _ := strconv.ParseUint(os.Args[4], 10, 64)
	for i := uint64(0); i < runs; i++ {
		fmt.Fprintln(out, once(program, file, (seed+i)*0xd1342543de82ef95, known))
		out.Flush()
	}
}

// drained is what was logged; of a log that is full only that. Who waits there to log more would go on if it were read, and
// write into the log of the next run.
func drained(log chan int) (all []int) {
	if len(log) == cap(log) {
		return []int{-1}
	}
	for n := len(log); n > 0; n-- {
		all = append(all, <-log)
	}
	return all
}
