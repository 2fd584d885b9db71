// A pipe whose writer closes its end; and one whose reader does, so that the writer is told.
//
// expect: holds
package pipe

import (
	"errors"
	"io"
	"testing"
)

func TestPipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		w.Write([]byte{1, 2, 3})
		w.Close()
	}()
	part := make([]byte, 2)
	sum := 0
	for {
		n, err := r.Read(part)
		for _, b := range part[:n] {
			sum += int(b)
		}
		if err == io.EOF {
			break
		}
	}
	if sum != 6 {
		t.Fatal("not all")
	}
	enough := errors.New("enough")
	r, w = io.Pipe()
	told := make(chan error)
	go func() {
		_, err := w.Write([]byte{1, 2, 3})
		told <- err
	}()
	n, err := r.Read(part)
	if n != 2 || err != nil || part[1] != 2 {
		t.Fatal("not written")
	}
	r.CloseWithError(enough)
	if <-told != enough {
		t.Fatal("not told")
	}
	if _, err := r.Read(part); err != io.ErrClosedPipe {
		t.Fatal("not closed")
	}
}
