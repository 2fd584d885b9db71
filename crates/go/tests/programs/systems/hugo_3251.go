// Downloads: a lock for each address is made under a read lock that is kept on.
//
// expect: stuck
// blocked: main@wait, get@inner, get@unlock, get@outer*0..1
package hugo3251

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

type remoteLock struct {
	sync.RWMutex
	m map[string]*sync.Mutex
}

func (l *remoteLock) URLLock(url string) {
	l.Lock() //@outer
	if _, ok := l.m[url]; !ok {
		l.m[url] = &sync.Mutex{}
	}
	l.m[url].Lock() //@inner
	l.Unlock()
}

func (l *remoteLock) URLUnlock(url string) {
	l.RLock() //@unlock
	defer l.RUnlock()
	if um, ok := l.m[url]; ok {
		um.Unlock()
	}
}

func resGetRemote(remoteURLLock *remoteLock, url string) error {
	remoteURLLock.URLLock(url)
	defer func() { remoteURLLock.URLUnlock(url) }()
	return nil
}

func TestHugo3251(t *testing.T) {
	url := "http://Foo.Bar/foo_Bar-Foo"
	remoteURLLock := &remoteLock{m: make(map[string]*sync.Mutex)}
	for range []bool{false} {
		var wg sync.WaitGroup
		for i := 0; i < 3; i++ {
			wg.Add(1)
			go func(gor int) {
				defer wg.Done()
				for j := 0; j < 1; j++ {
					err := resGetRemote(remoteURLLock, url)
					if err != nil {
						fmt.Printf("Error getting resource content: %s\n", err)
					}
					time.Sleep(300 * time.Nanosecond)
				}
			}(i)
		}
		wg.Wait() //@wait
	}
}
