// Device mapper: devices have locks, the set has one, and they are taken in both orders.
//
// expect: stuck
// blocked: delete@device, delete@set
package moby4951

import (
	"sync"
	"testing"
	"time"
)

type DeviceSet struct {
	sync.Mutex
	infos            map[string]*DevInfo
	nrDevices        int
}

func (devices *DeviceSet) DeleteDevice(hash string) {
	devices.Lock()
	defer devices.Unlock()
	info := devices.lookupDevice(hash)
	info.lock.Lock() //@device
	devices.deleteDevice(info)
	info.lock.Unlock()
}

func (devices *DeviceSet) lookupDevice(hash string) *DevInfo {
	info := devices.infos[hash]
	if info == nil {
		info = &DevInfo{}
	}
	return info
}

func (devices *DeviceSet) deleteDevice(info *DevInfo) { devices.removeDeviceAndWait(info.Name()) }

func (devices *DeviceSet) removeDeviceAndWait(devname string) {
	devices.Unlock()
	time.Sleep(300 * time.Nanosecond)
	devices.Lock() //@set
}

type DevInfo struct {
	lock sync.Mutex
	name string
}

func (info *DevInfo) Name() string { return info.name }

func NewDeviceSet() *DeviceSet {
	devices := &DeviceSet{infos: make(map[string]*DevInfo)}
	info1 := &DevInfo{name: "info1"}
	info2 := &DevInfo{name: "info2"}
	devices.infos[info1.name] = info1
	devices.infos[info2.name] = info2
	return devices
}

func TestMoby4951(t *testing.T) {
	ds := NewDeviceSet()
	go ds.DeleteDevice("info1")
	go ds.DeleteDevice("info1")
}
