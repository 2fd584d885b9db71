// What is sorted by an interface, searched, and kept in a ring, by one goroutine.
//
// expect: holds
package rings

import (
	"container/ring"
	"sort"
	"testing"
)

func TestRings(t *testing.T) {
	down := []int{1, 3, 2}
	sort.Sort(sort.Reverse(sort.IntSlice(down)))
	at := sort.Search(len(down), func(i int) bool { return down[i] <= 2 })
	if down[0] != 3 || down[2] != 1 || at != 1 {
		t.Fatal("not sorted")
	}
	r := ring.New(3)
	for i := range down {
		r.Value = down[i]
		r = r.Next()
	}
	sum := 0
	r.Unlink(1)
	r.Do(func(v interface{}) { sum += v.(int) })
	if sum != 4 || r.Len() != 2 {
		t.Fatal("no ring")
	}
}
