// A stream is closed, and the reader of its buffer waits for a message that does not come.
//
// expect: stuck
// blocked: stream@recv
// blocked: stream@case
package grpc1275

import (
	"io"
	"testing"
	"time"
)

type recvBuffer struct {
	c chan bool
}

func (b *recvBuffer) get() <-chan bool { return b.c }

type recvBufferReader struct {
	recv *recvBuffer
}

func (r *recvBufferReader) Read(p []byte) (int, error) {
	select { //@recv
	case <-r.recv.get(): //@case
	}
	return 0, nil
}

type Stream struct {
	trReader io.Reader
}

func (s *Stream) Read(p []byte) (int, error) {
	return io.ReadFull(s.trReader, p)
}

type http2Client struct {
	buf *recvBuffer
}

func (t *http2Client) CloseStream(s *Stream) {
}

func (t *http2Client) NewStream() *Stream {
	return &Stream{trReader: &recvBufferReader{recv: t.buf}}
}

func testInflightStreamClosing() {
	client := &http2Client{buf: &recvBuffer{c: make(chan bool)}}
	stream := client.NewStream()
	donec := make(chan bool)
	go func() { // the stream
		defer close(donec)
		stream.Read([]byte{1})
	}()
	client.CloseStream(stream)
	timeout := time.NewTimer(300 * time.Nanosecond)
	select {
	case <-donec: //@done
		if !timeout.Stop() {
			<-timeout.C
		}
	case <-timeout.C:
	}
}

func TestGrpc1275(t *testing.T) {
	go func() {
		testInflightStreamClosing()
	}()
}
