// A buffer of a broadcaster is written by goroutines that share a slice of bytes.
//
// expect: race
// race: fill, fill
package moby18412

import (
	"bytes"
	"io"
	"sync"
	"testing"
)

type broadcaster struct {
	sync.Mutex
	buf []byte
	out []io.Writer
}

func (b *broadcaster) Write(p []byte) (int, error) {
	b.buf = append(b.buf[:0], p...) //@fill
	for _, w := range b.out {
		if _, err := w.Write(p); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { return len(p), nil }

func TestMoby18412(t *testing.T) {
	b := &broadcaster{out: []io.Writer{&counter{}}}
	var log bytes.Buffer
	log.WriteString("begin")
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.Write([]byte("a"))
		}()
	}
	wg.Wait()
}
