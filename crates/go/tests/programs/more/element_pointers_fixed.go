// Pointers to elements of slices and arrays, which stay what they are when a slice grows or an array is copied.
//
// expect: holds
package counts

import (
	"sync"
	"sync/atomic"
	"testing"
)

type level int

func (l *level) up() { *l++ }

type row struct{ cells [2]int }

func first(of ...int) *int { return &of[0] }

func TestCounts(t *testing.T) {
	var wg sync.WaitGroup
	levels := make([]level, 2)
	total := make([]int64, 1)
	for i := range levels {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			levels[i].up()
			sum := &total[0]
			atomic.AddInt64(sum, 1)
		}(i)
	}
	wg.Wait()
	if levels[0] != 1 || levels[1] != 1 || total[0] != 2 {
		t.Fatal("lost")
	}
	s := make([]int, 2, 3)
	p := &s[1]
	grown := append(s, 7)
	*p = 5
	if grown[1] != 5 || *first(grown...) != 0 {
		t.Fatal("not shared")
	}
	behind := &s[:3][2]
	again := append(s, 9)
	if *behind != 9 || again[2] != 9 {
		t.Fatal("not in place")
	}
	moved := append(grown, 8)
	*p = 6
	if moved[1] != 5 || s[1] != 6 {
		t.Fatal("not moved")
	}
	a := row{}
	cell := &a.cells[1]
	*cell = 1
	b := a
	*cell = 2
	if b.cells[1] != 1 || a.cells[1] != 2 || a.cells == b.cells {
		t.Fatal("not copied")
	}
}
