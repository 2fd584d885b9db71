// A handler's write goes to a channel that its transport closes.
//
// expect: holds
package grpc1687

import (
	"fmt"
	"io"
	"sync"
	"testing"
)

type ServerTransport interface {
	HandleStreams()
	Write(fn func()) error
	Close() error
}

type serverHandlerTransport struct {
	closeOnce sync.Once
	closedCh  chan struct{}
	writes    chan func()
}

func (ht *serverHandlerTransport) Write(fn func()) error { return ht.do(fn) }

func (ht *serverHandlerTransport) do(fn func()) error {
	select {
	case <-ht.closedCh:
		return io.EOF
	default:
		select {
		case ht.writes <- fn:
			return nil
		case <-ht.closedCh:
			return io.EOF
		}
	}
}

func (ht *serverHandlerTransport) HandleStreams() {
	for fn := range ht.writes {
		fn()
	}
}

func (ht *serverHandlerTransport) Close() error {
	ht.closeOnce.Do(func() {
		close(ht.closedCh)
	})
	return nil
}

func TestGrpc1687(t *testing.T) {
	var st ServerTransport = &serverHandlerTransport{closedCh: make(chan struct{}), writes: make(chan func(), 2)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if err := st.Write(func() { fmt.Println("written") }); err != nil && err != io.EOF {
			t.Error(err)
		}
	}()
	st.Close()
	wg.Wait()
}
