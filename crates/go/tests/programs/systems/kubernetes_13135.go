// A cache waits until it is ready by a lock that it takes when it is made; its watcher never lets it go.
//
// expect: stuck
// blocked: cache@lock, main@init
package kubernetes13135

import (
	"sync"
	"testing"
	"time"
)

var StopChannel chan struct{}

func Util(f func(), period time.Duration, stopCh <-chan struct{}) {
	for {
		select {
		case <-stopCh:
			return
		default:
		}
		func() {
			f()
		}()
		time.Sleep(period)
	}
}

type Store interface {
	Add(obj interface{})
	Replace(obj interface{})
}

type Reflector struct {
	store Store
}

func (r *Reflector) ListAndWatch(stopCh <-chan struct{}) error {
	r.syncWith()
	return nil
}

func (r *Reflector) syncWith() { r.store.Replace(nil) }

func NewReflector(store Store) *Reflector { return &Reflector{store: store} }

type Cacher struct {
	sync.Mutex
	initialized sync.WaitGroup
	initOnce    sync.Once
	watchCache  *WatchCache
	reflector   *Reflector
}

type WatchCache struct {
	sync.RWMutex
	cache     map[string]interface{}
	onReplace func()
}

func (w *WatchCache) SetOnReplace(onReplace func()) {
	w.Lock()
	defer w.Unlock()
	w.onReplace = onReplace
}

func (w *WatchCache) Add(obj interface{}) {}

func (w *WatchCache) Replace(obj interface{}) {
	w.Lock()
	defer w.Unlock()
	if w.onReplace != nil {
		w.onReplace()
	}
}

func NewCacher(stopCh <-chan struct{}) *Cacher {
	watchCache := &WatchCache{cache: map[string]interface{}{}}
	c := &Cacher{
		watchCache: watchCache,
		reflector:  NewReflector(watchCache),
	}
	c.initialized.Add(1)
	watchCache.SetOnReplace(func() {
		c.initOnce.Do(func() { c.initialized.Done() })
		c.Unlock()
	})
	c.Lock()
	go Util(func() {
		c.startCaching(stopCh)
	}, 0, stopCh)
	return c
}

func (c *Cacher) startCaching(stopChannel <-chan struct{}) {
	c.Lock() //@lock
	c.reflector.ListAndWatch(stopChannel)
}

func TestKubernetes13135(t *testing.T) {
	StopChannel = make(chan struct{})
	c := NewCacher(StopChannel)
	c.initialized.Wait() //@init
	close(StopChannel)
}
