// Runs a program of the collection once. When nobody can go on and no timer is pending, the runtime itself says so, with
// where each goroutine is blocked: there is no clock in that, so a slow machine gives the same answer. A panic ends the
// run with what Go says of that, and what goes on for ever is ended by whoever has started this.
//
//	witness NAME
package main

import (
	"os"
	"testing"
)

// atRest is where a goroutine stands that has done all it had to do.
//
//go:noinline
func atRest() { select {} }

func main() {
	name := os.Args[1]
	if test, ok := tests[name]; ok {
		// The second one keeps the process from ending.
		match := func(string, string) (bool, error) { return true, nil }
		rest := func(*testing.T) { atRest() }
		os.Args = os.Args[:1]
		testing.Main(match, []testing.InternalTest{{Name: name, F: test}, {Name: "rest", F: rest}}, nil, nil)
		return
	}
	go func() {
		mains[name]()
		atRest()
	}()
	select {}
}
