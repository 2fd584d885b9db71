// Two shelves, behind an interface, are locked in the order in which they are given.
//
// expect: stuck
// blocked: a@second, b@second
package interfacelocks

import (
	"sync"
	"testing"
)

type shelf interface {
	sync.Locker
	number() int
	put(n int)
}

type base struct {
	sync.Mutex
	id int
}

func (b *base) number() int { return b.id }

type wood struct {
	*base
	books int
}

func (w *wood) put(n int) { w.books += n }

type steel struct {
	base
	boxes [2]int
}

func (s *steel) put(n int) { s.boxes[n%2]++ }

func move(from, to shelf) {
	from.Lock()
	defer from.Unlock()
	to.Lock() //@second
	defer to.Unlock()
	to.put(1)
}

func TestMove(t *testing.T) {
	w := &wood{base: &base{id: 1}}
	s := &steel{base: base{id: 2}}
	go move(w, s) // a
	go move(s, w) // b
}
