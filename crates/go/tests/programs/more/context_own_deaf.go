// A context of the program's own that never ends, though the one in it does: who waits for it waits for ever.
//
// expect: stuck
// blocked: TestDeaf@wait
package deaf

import (
	"context"
	"testing"
)

type deaf struct{ context.Context }

func (deaf) Done() <-chan struct{} { return nil }

func TestDeaf(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	child, end := context.WithCancel(deaf{ctx})
	defer end()
	cancel()
	<-child.Done() //@wait
}
