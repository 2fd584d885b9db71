// Runs in a given order: before each statement that others can see a goroutine waits for the baton, and gets it when
// the order says that it is its turn.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// conductor knows the goroutines by name: the first is 1, and 1.2 is the second that it has started.
type conductor struct {
	sync.Mutex
	names    map[int]string
	children map[string]int
	waiting  map[string]*waiter
}

type waiter struct {
	line int
	goOn chan struct{}
}

var batons = conductor{names: map[int]string{}, children: map[string]int{}, waiting: map[string]*waiter{}}

func (c *conductor) child(id int) string {
	c.Lock()
	defer c.Unlock()
	parent, ok := c.names[id]
	if !ok {
		return "1"
	}
	c.children[parent]++
	return fmt.Sprintf("%s.%d", parent, c.children[parent])
}

func (c *conductor) enter(id int, name string) {
	c.Lock()
	defer c.Unlock()
	c.names[id] = name
}

func (c *conductor) leave(id int) {
	c.Lock()
	defer c.Unlock()
	delete(c.names, id)
}

func (c *conductor) await(id, line int) {
	c.Lock()
	w := &waiter{line, make(chan struct{})}
	c.waiting[c.names[id]] = w
	c.Unlock()
	<-w.goOn
}

// pass gives the baton to a goroutine if it waits for it before this line, or before any, if none is given.
func (c *conductor) pass(name string, line int) bool {
	c.Lock()
	w, ok := c.waiting[name]
	if ok && (line == 0 || w.line == line) {
		delete(c.waiting, name)
		c.Unlock()
		close(w.goOn)
		return true
	}
	c.Unlock()
	return false
}

// rest waits until all goroutines are parked.
func rest(file string, known map[int]bool) []goroutine {
	for begin := time.Now(); time.Since(begin) < 5*time.Second; {
		for i := 0; i < 20; i++ {
			runtime.Gosched()
		}
		gs := goroutines(known, file)
		parked := len(gs) == int(atomic.LoadInt32(&live))
		for _, g := range gs {
			parked = parked && g.parked
		}
		if parked {
			return gs
		}
	}
	fmt.Println("endless")
	os.Exit(1)
	return nil
}

// force runs a program in the order of the input: each line names those who act together, each with its line.
// Whoever acts a second time without having come to another statement is within one that takes several steps.
// At the end everybody may go on, and comes to what it can never do.
func force(program program, file string, known map[int]bool) string {
	forced = true
	start(program)
	rest(file, known)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		for i := 0; i+1 < len(words); i += 2 {
			line, _ := strconv.Atoi(words[i+1])
			batons.pass(words[i], line)
		}
		rest(file, known)
	}
	for _, name := range names() {
		batons.pass(name, 0)
	}
	gs := rest(file, known)
	for _, g := range gs {
		if g.baton {
			return "goes on"
		}
	}
	return end(program) + " | " + lines(gs)
}

func names() (all []string) {
	batons.Lock()
	defer batons.Unlock()
	for name := range batons.waiting {
		all = append(all, name)
	}
	return all
}
