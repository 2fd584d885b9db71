// A goroutine that fails the test ends, and whoever waits for its word is not told.
//
// expect: stuck, fault
// blocked: main@wait
// fault: t.FailNow@fatal
package fatalingoroutine

import (
	"testing"
)

func answer(t *testing.T) int {
	n := 42
	if n != 42 {
		t.Fatal("wrong") //@unreachable
	}
	return n
}

func check(t *testing.T, done chan<- bool, want int) {
	if answer(t) != want {
		t.FailNow() //@fatal
	}
	done <- true
}

func TestAnswer(t *testing.T) {
	done := make(chan bool)
	want := 41
	run := check
	go run(t, done, want)
	<-done //@wait
}
