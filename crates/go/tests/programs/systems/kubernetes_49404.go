// A server for tests runs its handler in a goroutine, which waits for a channel that the test closes twice.
//
// expect: fault
// fault: close of closed channel@end
package kubernetes49404

import (
	"testing"
)

type ResponseWriter interface{ Write([]byte) (int, error) }
type Request struct{ path string }
type HandlerFunc func(w ResponseWriter, r *Request)

func (f HandlerFunc) ServeHTTP(w ResponseWriter, r *Request) { f(w, r) }

type Handler interface {
	ServeHTTP(w ResponseWriter, r *Request)
}

type recorder struct{ n int }

func (r *recorder) Write(b []byte) (int, error) {
	r.n += len(b)
	return len(b), nil
}

func serve(h Handler, paths ...string) {
	for _, p := range paths {
		h.ServeHTTP(&recorder{}, &Request{path: p})
	}
}

func TestKubernetes49404(t *testing.T) {
	closed := make(chan struct{})
	done := make(chan struct{})
	h := HandlerFunc(func(w ResponseWriter, r *Request) {
		w.Write([]byte("ok"))
		if r.path == "/end" {
			close(closed) //@end
		}
	})
	go func() {
		defer close(done)
		serve(h, "/", "/end", "/end")
	}()
	<-closed
	<-done
}
