// What is deleted while a slice is gone through moves the rest, so that one is left out and the last comes twice.
//
// expect: fault
// fault: panic@left
package rangeanddelete

import (
	"testing"
)

type watcher struct{ closed int }

func TestWatchers(t *testing.T) {
	a, b, c := &watcher{}, &watcher{}, &watcher{}
	all := []*watcher{a, b, c}
	for i, w := range all {
		w.closed++
		if i == 0 {
			all = append(all[:i], all[i+1:]...)
		}
	}
	if b.closed != 1 || c.closed != 1 {
		panic("left out") //@left
	}
}
