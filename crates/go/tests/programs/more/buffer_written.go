// What is written into a buffer is not kept; how much it is, is.
//
// expect: holds
package bufferwritten

import (
	"bytes"
	"testing"
)

func TestWrite(t *testing.T) {
	var buffer bytes.Buffer
	n, err := buffer.Write([]byte{1, 2, 3})
	if err != nil || n != 3 {
		t.Fatal("not all was written")
	}
	if err := buffer.WriteByte(4); err != nil {
		t.Fatal(err)
	}
}
