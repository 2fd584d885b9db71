// Deactivating devices leaves in the middle of a loop, with the lock.
//
// expect: holds
package moby17176

import (
	"errors"
	"sync"
	"testing"
	"time"
)

type DeviceSet struct {
	sync.Mutex
	nrDeletedDevices int
}

func (devices *DeviceSet) cleanupDeletedDevices() error {
	devices.Lock() //@lock
	if devices.nrDeletedDevices == 0 {
		devices.Unlock()
		return nil
	}
	devices.Unlock()
	return errors.New("Error")
}

func testDevmapperLockReleasedDeviceDeletion() {
	ds := &DeviceSet{nrDeletedDevices: 0}
	ds.cleanupDeletedDevices()
	doneChan := make(chan bool, 1)
	go func() {
		ds.Lock() //@second
		defer ds.Unlock()
		doneChan <- true
	}()
	select {
	case <-time.After(time.Millisecond):
	case <-doneChan:
	}
}

func TestMoby17176(t *testing.T) {
	testDevmapperLockReleasedDeviceDeletion()
}
