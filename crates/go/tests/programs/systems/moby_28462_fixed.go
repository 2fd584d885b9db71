// A monitor of health locks the container it was started by, whose stop waits for the monitor.
//
// expect: holds
package moby28462

import (
	"sync"
	"testing"
)

type State struct {
	Health *Health
}

type Container struct {
	sync.Mutex
	State *State
}

type Store struct {
	m map[string]*Container
}

func (ctr *Store) Get(s string) *Container { return ctr.m[s] }
func (ctr *Store) Add(s string, c *Container) { ctr.m[s] = c }

type Daemon struct {
	containers Store
}

func (d *Daemon) StateChanged() {
	c := d.containers.Get("container")
	c.Lock()
	d.updateHealthMonitorElseBranch(c)
	defer c.Unlock()
}

func (d *Daemon) updateHealthMonitorIfBranch(c *Container) {
	h := c.State.Health
	if stop := h.OpenMonitorChannel(); stop != nil {
		go monitor(c, stop)
	}
}

func (d *Daemon) updateHealthMonitorElseBranch(c *Container) {
	h := c.State.Health
	h.CloseMonitorChannel()
}

type Health struct {
	stop chan struct{}
}

func (s *Health) OpenMonitorChannel() chan struct{} {
	return s.stop
}

func (s *Health) CloseMonitorChannel() {
	if s.stop != nil {
		close(s.stop)
	}
}

func monitor(c *Container, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			handleProbeResult(c)
		}
	}
}

func handleProbeResult(c *Container) {
	c.Lock() //@lock
	defer c.Unlock()
}

func NewDaemonAndContainer() (*Daemon, *Container) {
	c := &Container{State: &State{&Health{make(chan struct{})}}}
	d := &Daemon{Store{make(map[string]*Container)}}
	d.containers.Add("container", c)
	return d, c
}

func TestMoby28462(t *testing.T) {
	d, c := NewDaemonAndContainer()
	go monitor(c, c.State.Health.OpenMonitorChannel())
	go d.StateChanged()
}
