// Package io, of which this is the pipe: who writes waits until all of it is read, or one of both ends is closed.
package io

import "io"
import "sync"
import "sync/atomic"

type pipe struct {
	// Writes take turns.
	turn    sync.Mutex
	written chan []byte
	read    chan int
	// One of both ends is closed, and what each has said of why; the first counts.
	over       chan struct{}
	ending     sync.Once
	readerSaid atomic.Pointer[reason]
	writerSaid atomic.Pointer[reason]
}

type reason struct {
	err error
}

type PipeReader struct {
	p *pipe
}

type PipeWriter struct {
	p *pipe
}

func Pipe() (*PipeReader, *PipeWriter) {
	p := &pipe{written: make(chan []byte), read: make(chan int), over: make(chan struct{})}
	return &PipeReader{p}, &PipeWriter{p}
}

func (p *pipe) end() {
	p.ending.Do(func() { close(p.over) })
}

// Why reading has ended: since the writer has said so, unless the reader has.
func (p *pipe) noMore() error {
	said := p.writerSaid.Load()
	if p.readerSaid.Load() == nil && said != nil {
		return said.err
	}
	return io.ErrClosedPipe
}

// Why writing has ended: since the reader has said so, unless the writer has.
func (p *pipe) noReader() error {
	own := p.writerSaid.Load()
	said := p.readerSaid.Load()
	if own == nil && said != nil {
		return said.err
	}
	return io.ErrClosedPipe
}

func (r *PipeReader) Read(data []byte) (int, error) {
	p := r.p
	select {
	case <-p.over:
		return 0, p.noMore()
	default:
	}
	select {
	case part := <-p.written:
		n := copy(data, part)
		p.read <- n
		return n, nil
	case <-p.over:
		return 0, p.noMore()
	}
}

func (w *PipeWriter) Write(data []byte) (int, error) {
	p := w.p
	select {
	case <-p.over:
		return 0, p.noReader()
	default:
	}
	p.turn.Lock()
	defer p.turn.Unlock()
	n := 0
	for once := true; once || n < len(data); once = false {
		select {
		case p.written <- data[n:]:
			n += <-p.read
		case <-p.over:
			return n, p.noReader()
		}
	}
	return n, nil
}

func (r *PipeReader) Close() error {
	return r.CloseWithError(nil)
}

func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = io.ErrClosedPipe
	}
	r.p.readerSaid.CompareAndSwap(nil, &reason{err})
	r.p.end()
	return nil
}

func (w *PipeWriter) Close() error {
	return w.CloseWithError(nil)
}

func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = io.EOF
	}
	w.p.writerSaid.CompareAndSwap(nil, &reason{err})
	w.p.end()
	return nil
}
