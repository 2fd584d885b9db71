// A pipe: who reads all of it waits for more, as the writer does not close its end.
//
// expect: stuck
// blocked: TestPipe@read
package pipe

import (
	"io"
	"testing"
)

func TestPipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		w.Write([]byte{1, 2, 3})
	}()
	part := make([]byte, 2)
	for {
		if _, err := r.Read(part); err != nil { //@read
			return
		}
	}
}
