// Addresses of fields and of variables of the package: all see the same.
//
// expect: race
// race: through, direct
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
	*p = 1 //@through
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
	go add(p)
	c.hits = 2 //@direct
}
