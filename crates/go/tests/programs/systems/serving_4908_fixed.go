// A test's log is used by a goroutine that may outlive the test.
//
// expect: holds
package serving4908

import (
	"sync"
	"testing"
)

type logger struct{ t *testing.T }

func (l *logger) Infof(format string, args ...interface{}) {
	l.t.Logf(format, args...) //@log
}

type Reconciler struct {
	log *logger
	wg  sync.WaitGroup
}

func (r *Reconciler) Reconcile(key string) {
	r.wg.Add(1)
	go func() {
		defer r.wg.Done()
		r.log.Infof("reconciling %s", key)
	}()
}

func TestServing4908(t *testing.T) {
	r := &Reconciler{log: &logger{t: t}}
	r.Reconcile("a")
	r.wg.Wait()
}
