// A map of caches is filled by the one who registers and read by the runner.
//
// expect: race
// race: fill, look
// race: fill, ranged
package kubernetes89164

import (
	"sync"
	"testing"
)

type reason struct{ n int }

type registry struct {
	lock    sync.RWMutex
	reasons map[string]map[string]*reason
}

func (r *registry) add(ns, name string) {
	if _, ok := r.reasons[ns]; !ok {
		r.reasons[ns] = make(map[string]*reason) //@fill
	}
	r.reasons[ns][name] = &reason{}
}

func (r *registry) total() (n int) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	for _, one := range r.reasons { //@ranged
		n += len(one) //@look
	}
	return
}

func TestKubernetes89164(t *testing.T) {
	r := &registry{reasons: map[string]map[string]*reason{}}
	stop := make(chan struct{})
	go func() {
		r.add("default", "pod")
		close(stop)
	}()
	if n := r.total(); n > 1 {
		t.Fatalf("%d", n)
	}
	<-stop
}
