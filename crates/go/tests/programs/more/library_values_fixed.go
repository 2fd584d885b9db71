// Functions of packages slices, maps and sync, as they came with Go 1.21 and later.
//
// expect: holds

//go:build go1.22

package values

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"testing"
)

type row []int

func (r row) first() int { return r[0] }

type person struct{ age int }

func attempt(f func()) (raised any) {
	defer func() { raised = recover() }()
	f()
	return nil
}

func TestValues(t *testing.T) {
	r := row{3, 1, 2}
	slices.Sort(r)
	copied := slices.Clone(r)
	copied[0] = 9
	slices.Reverse(r)
	if r.first() != 3 || copied.first() != 9 || !slices.Equal(r, row{3, 2, 1}) {
		t.Fatal("not sorted")
	}
	r = slices.Insert(slices.Delete(r, 0, 1), 1, 5, 6)
	if !slices.Equal(r, []int{2, 5, 6, 1}) || slices.Max(r) != 6 || slices.Index(r, 5) != 1 {
		t.Fatal("not inserted")
	}
	people := []person{{3}, {2}}
	slices.SortFunc(people, func(a, b person) int { return cmp.Compare(a.age, b.age) })
	if people[0].age != 2 || slices.ContainsFunc(people, func(p person) bool { return p.age > 3 }) {
		t.Fatal("not in order")
	}
	table := map[int]int{1: 2, 3: 4}
	other := maps.Clone(table)
	maps.DeleteFunc(other, func(k, v int) bool { return v > 2 })
	keys := slices.Sorted(maps.Keys(table))
	if len(other) != 1 || keys[1] != 3 || maps.Equal(table, other) {
		t.Fatal("not cloned")
	}
	var wg sync.WaitGroup
	calls := 0
	get := sync.OnceValues(func() (int, bool) {
		calls++
		return 7, true
	})
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if n, ok := get(); n != 7 || !ok {
				t.Error("not the value")
			}
		}()
	}
	wg.Wait()
	fails := sync.OnceFunc(func() { panic("none") })
	if calls != 1 || attempt(fails) != "none" || attempt(fails) != "none" {
		t.Fatal("not once")
	}
}
