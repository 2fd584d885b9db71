// A goroutine reports what went wrong, and the test ends with that.
//
// expect: holds
package fatalingoroutine

import (
	"testing"
)

func answer(t *testing.T) int {
	n := 42
	if n != 42 {
		t.Fatal("wrong")
	}
	return n
}

func check(t *testing.T, done chan<- bool, want int) {
	if answer(t) != want {
		t.FailNow()
	}
	done <- true
}

func TestAnswer(t *testing.T) {
	done := make(chan bool)
	want := 42
	run := check
	go run(t, done, want)
	<-done
}
