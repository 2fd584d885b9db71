// The first answer is taken, or none, and the others are never received.
//
// expect: stuck
// blocked: ask@answered*2
// blocked: ask@answered, ask@failed
// blocked: ask@answered*2, ask@failed
package fetch

import (
	"errors"
	"testing"
	"time"
)

type answer struct {
	body string
	err  error
}

func ask(server int, out chan<- answer) {
	if server == 2 {
		out <- answer{err: errors.New("unreachable")} //@failed
		return
	}
	out <- answer{body: "hello"} //@answered
}

func fetch(servers int) (string, error) {
	answers := make(chan answer)
	for i := 0; i < servers; i++ {
		go ask(i, answers)
	}
	select {
	case first := <-answers:
		return first.body, first.err
	case <-time.After(time.Second):
		return "", errors.New("too late")
	}
}

func TestFetch(t *testing.T) {
	body, err := fetch(3)
	if err == nil && body == "" {
		t.Fatal("nothing was said")
	}
}
