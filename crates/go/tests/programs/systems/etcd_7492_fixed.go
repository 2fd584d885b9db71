// Tokens of users: assigning one waits for the keeper, who waits for the lock.
//
// expect: holds
package etcd7492

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

type TokenProvider interface {
	assign(username string) string
	enable()
	disable()
}

type simpleTokenTTLKeeper struct {
	tokens           map[string]time.Time
	addSimpleTokenCh chan struct{}
	stopCh           chan chan struct{}
	deleteTokenFunc  func(string)
}

type authStore struct {
	tokenProvider TokenProvider
}

func (as *authStore) Authenticate(username string) string {
	return as.tokenProvider.assign(username)
}

func NewSimpleTokenTTLKeeper(deletefunc func(string)) *simpleTokenTTLKeeper {
	stk := &simpleTokenTTLKeeper{
		tokens:           make(map[string]time.Time),
		addSimpleTokenCh: make(chan struct{}, 1),
		stopCh:           make(chan chan struct{}),
		deleteTokenFunc:  deletefunc,
	}
	go stk.run()
	return stk
}

func (tm *simpleTokenTTLKeeper) run() {
	tokenTicker := time.NewTicker(time.Nanosecond)
	defer tokenTicker.Stop()
	for {
		select {
		case <-tm.addSimpleTokenCh:
		case <-tokenTicker.C:
			tm.deleteTokenFunc("1")
		case waitCh := <-tm.stopCh:
			waitCh <- struct{}{}
			return
		}
	}
}

func (tm *simpleTokenTTLKeeper) addSimpleToken(token string) {
	tm.addSimpleTokenCh <- struct{}{} //@add
}

func (tm *simpleTokenTTLKeeper) stop() {
	waitCh := make(chan struct{})
	tm.stopCh <- waitCh
	<-waitCh
	close(tm.stopCh)
}

type tokenSimple struct {
	simpleTokenKeeper *simpleTokenTTLKeeper
	simpleTokensMu    sync.RWMutex
}

func newDeleterFunc(t *tokenSimple) func(string) {
	return func(token string) {
		t.simpleTokensMu.Lock() //@delete
		defer t.simpleTokensMu.Unlock()
	}
}

func (t *tokenSimple) assign(username string) string {
	token := fmt.Sprintf("%s.%d", username, 1)
	t.simpleTokensMu.Lock() //@lock
	t.simpleTokensMu.Unlock()
	t.simpleTokenKeeper.addSimpleToken(token)
	return token
}

func (t *tokenSimple) enable() {
	t.simpleTokenKeeper = NewSimpleTokenTTLKeeper(newDeleterFunc(t))
}

func (t *tokenSimple) disable() {
	t.simpleTokenKeeper.stop()
}

func setupAuthStore() *authStore {
	as := &authStore{tokenProvider: &tokenSimple{}}
	as.tokenProvider.enable()
	return as
}

func TestEtcd7492(t *testing.T) {
	as := setupAuthStore()
	var wg sync.WaitGroup
	wg.Add(3)
	for i := 0; i < 3; i++ {
		go func() {
			as.Authenticate("u")
			wg.Done()
		}()
	}
	wg.Wait() //@wait
	as.tokenProvider.disable()
}
