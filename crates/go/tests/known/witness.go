// Runs a program of the collection once, and says how the run ends: where goroutines are parked when nobody can go on.
// A panic ends it with what Go says of that.
//
//	witness NAME FILE
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var dump = make([]byte, 1<<20)

// parked says whether all goroutines but this one are, and at which lines of the file.
func parked(file string) (all bool, lines []int) {
	all = true
	texts := strings.Split(string(dump[:runtime.Stack(dump, true)]), "\n\n")
	for _, text := range texts[1:] {
		head, frames, _ := strings.Cut(text, "\n")
		state := head[strings.IndexByte(head, '[')+1:]
		is := false
		for _, one := range []string{"chan ", "select", "semacquire", "sync."} {
			is = is || strings.HasPrefix(state, one)
		}
		all = all && is
		for _, frame := range strings.Split(frames, "\n") {
			if at := strings.Index(frame, "/"+file+":"); at >= 0 && !strings.HasPrefix(frame, "created") {
				var line int
				fmt.Sscanf(frame[at+len(file)+2:], "%d", &line)
				lines = append(lines, line)
				break
			}
		}
	}
	sort.Ints(lines)
	return all, lines
}

func main() {
	name, file := os.Args[1], os.Args[2]
	var ended int32
	go func() {
		if test, ok := tests[name]; ok {
			// The second one keeps the process from ending.
			match := func(string, string) (bool, error) { return true, nil }
			rest := func(*testing.T) { atomic.StoreInt32(&ended, 1); select {} }
			os.Args = os.Args[:1]
			testing.Main(match, []testing.InternalTest{{Name: name, F: test}, {Name: "rest", F: rest}}, nil, nil)
		} else {
			mains[name]()
			atomic.StoreInt32(&ended, 1)
		}
	}()
	for begin := time.Now(); time.Since(begin) < 300*time.Millisecond; {
		time.Sleep(time.Millisecond)
		if all, lines := parked(file); all {
			fmt.Println("\nrests", atomic.LoadInt32(&ended), strings.Trim(fmt.Sprint(lines), "[]"))
			return
		}
	}
	fmt.Println("goes on")
}
