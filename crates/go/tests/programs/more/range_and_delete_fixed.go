// A copy is gone through.
//
// expect: holds
package rangeanddelete

import (
	"testing"
)

type watcher struct{ closed int }

func TestWatchers(t *testing.T) {
	a, b, c := &watcher{}, &watcher{}, &watcher{}
	all := []*watcher{a, b, c}
	for i, w := range append([]*watcher(nil), all...) {
		w.closed++
		if i == 0 {
			all = append(all[:i], all[i+1:]...)
		}
	}
	if b.closed != 1 || c.closed != 1 {
		panic("left out")
	}
}
