// What was never opened is not closed.
//
// expect: holds
package closeofnil

import (
	"math/rand"
	"testing"
)

type file struct{ done chan struct{} }

func (f *file) open() { f.done = make(chan struct{}) }

func (f *file) close() {
	if f == nil || f.done == nil {
		return
	}
	close(f.done)
}

func TestFile(t *testing.T) {
	var none *file
	none.close()
	f := new(file)
	if rand.Intn(2) == 0 {
		f.open()
	}
	f.close()
}
