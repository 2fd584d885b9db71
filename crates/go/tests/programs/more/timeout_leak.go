// The classic: who asks gives up after a while, and who answers waits to be heard.
//
// expect: stuck
// blocked: answer@send
package timeoutleak

import (
	"testing"
	"time"
)

func ask(timeout time.Duration) (int, bool) {
	answer := make(chan int)
	go func() { // the answer
		answer <- 42 //@send
	}()
	select {
	case n := <-answer:
		return n, true
	case <-time.After(timeout):
		return 0, false
	}
}

func TestAsk(t *testing.T) {
	if n, ok := ask(time.Second); ok && n != 42 {
		t.Fatal("wrong")
	}
}
