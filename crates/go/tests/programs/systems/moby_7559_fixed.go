// A proxy takes its lock, and a failed dial goes on without giving it back.
//
// expect: holds
package moby7559

import (
	"sync"
	"testing"
)

type UDPProxy struct {
	connTrackTable map[string]*int
	connTrackLock  sync.Mutex
}

func (proxy *UDPProxy) Run() {
	for i := 0; i < 2; i++ {
		fromKey := "a"
		proxy.connTrackLock.Lock() //@lock
		_, hit := proxy.connTrackTable[fromKey]
		if !hit {
			continue_ := proxy.dial() != nil
			if continue_ {
				proxy.connTrackLock.Unlock()
				continue
			}
		}
		proxy.connTrackLock.Unlock()
	}
}

type dialError struct{}

func (dialError) Error() string { return "refused" }

func (proxy *UDPProxy) dial() error { return dialError{} }

func TestMoby7559(t *testing.T) {
	proxy := &UDPProxy{connTrackTable: make(map[string]*int)}
	go proxy.Run()
}
