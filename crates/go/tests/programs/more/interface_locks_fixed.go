// The shelf with the smaller number is locked first.
//
// expect: holds
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
	first, second := from, to
	if second.number() < first.number() {
		first, second = second, first
	}
	first.Lock()
	defer first.Unlock()
	second.Lock()
	defer second.Unlock()
	to.put(1)
}

func TestMove(t *testing.T) {
	w := &wood{base: &base{id: 1}}
	s := &steel{base: base{id: 2}}
	go move(w, s) // a
	go move(s, w) // b
}
