// A buffer is put back when nobody writes to it any more.
//
// expect: holds
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
	b.n = 1
	buffers.Put(b)
}

func TestPool(t *testing.T) {
	go use()
	go use()
}
