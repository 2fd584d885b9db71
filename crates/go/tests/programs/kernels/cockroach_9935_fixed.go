// CockroachDB 9935, fixed: the logger unlocks before it leaves.
//
// expect: holds
package cockroach9935

import (
	"errors"
	"math/rand"
	"sync"
	"testing"
)

type loggingT struct {
	mu sync.Mutex
}

func (l *loggingT) outputLogEntry() {
	l.mu.Lock()
	if err := l.createFile(); err != nil {
		l.mu.Unlock()
		l.exit(err)
		return
	}
	l.mu.Unlock()
}

func (l *loggingT) createFile() error {
	if rand.Intn(8)%4 > 0 {
		return errors.New("cannot open the file")
	}
	return nil
}

func (l *loggingT) exit(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
}

func TestCockroach9935(t *testing.T) {
	l := &loggingT{}
	go l.outputLogEntry() // the logger
}
