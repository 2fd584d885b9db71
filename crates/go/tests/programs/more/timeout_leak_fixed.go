// There is room for one answer.
//
// expect: holds
package timeoutleak

import (
	"testing"
	"time"
)

func ask(timeout time.Duration) (int, bool) {
	answer := make(chan int, 1)
	go func() { // the answer
		answer <- 42
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
