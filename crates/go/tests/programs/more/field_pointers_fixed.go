// The field is used once the other is done.
//
// expect: holds
package fieldpointers

import (
	"sync"
	"testing"
)

var total int

type level int

func (l *level) raise() { *l++ }

type counter struct {
	mu    sync.Mutex
	hits  int
	grade level
}

func add(p *int) {
	*p = 1
}

func TestCounter(t *testing.T) {
	c := &counter{}
	p, q := &c.hits, &total
	*q = 3
	c.grade.raise()
	d := &counter{hits: c.hits}
	d.hits = 7
	if total != 3 || c.grade != 1 || c.hits != 0 {
		panic("not the same")
	}
	done := make(chan struct{})
	go func() {
		add(p)
		close(done)
	}()
	<-done
	if c.hits != 1 {
		panic("through the pointer")
	}
	c.hits = 2
}
