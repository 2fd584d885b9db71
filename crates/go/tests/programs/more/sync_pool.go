// A buffer is put back while it is still written to.
//
// expect: race
// race: write, write
package syncpool

import (
	"sync"
	"testing"
)

type buffer struct{ n int }

var buffers = sync.Pool{
	New: func() interface{} { return new(buffer) },
}

func use() {
	b := buffers.Get().(*buffer)
	buffers.Put(b)
	b.n = 1 //@write
}

func TestPool(t *testing.T) {
	go use()
	go use()
}
