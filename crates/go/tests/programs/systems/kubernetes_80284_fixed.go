// A context for a request is made from one that another goroutine replaces.
//
// expect: holds
package kubernetes80284

import (
	"context"
	"sync"
	"testing"
)

type key string

type authenticator struct {
	mu  sync.Mutex
	ctx context.Context
}

func (a *authenticator) refresh(user string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ctx = context.WithValue(context.Background(), key("user"), user) //@replaced
}

func (a *authenticator) user() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	u, ok := a.ctx.Value(key("user")).(string) //@used
	if !ok {
		return ""
	}
	return u
}

func TestKubernetes80284(t *testing.T) {
	a := &authenticator{ctx: context.Background()}
	done := make(chan bool)
	go func() {
		a.refresh("bob")
		done <- true
	}()
	if u := a.user(); u != "" && u != "bob" {
		t.Fatalf("unexpected %q", u)
	}
	<-done
}
