// The new value is looked at as it is.
//
// expect: holds
package structassigned

import (
	"sync"
	"testing"
)

type limits struct {
	most int
	used int
}

type server struct {
	mu  sync.Mutex
	now limits
	all [2]limits
}

func TestServer(t *testing.T) {
	s := &server{now: limits{most: 2}}
	kept, first := &s.now, &s.all[0]
	fresh := limits{most: 1}
	s.now = fresh
	s.all[0] = fresh
	fresh.most = 5
	if kept.most != 1 || first.most != 1 || s.now.most != 1 {
		panic("structs are values")
	}
	done := make(chan struct{})
	if kept.most == 1 {
		close(done)
	}
	<-done
}
