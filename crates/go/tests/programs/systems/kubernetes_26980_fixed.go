// A processor of listeners: what is pending is kept under a lock, and the consumer is waited for under it.
//
// expect: holds
package kubernetes26980

import (
	"sync"
	"testing"
)

type processorListener struct {
	lock                 sync.RWMutex
	cond                 sync.Cond
	pendingNotifications []interface{}
	nextCh               chan interface{}
}

func (p *processorListener) add(notification interface{}) {
	p.lock.Lock() //@lock
	defer p.lock.Unlock()
	p.pendingNotifications = append(p.pendingNotifications, notification)
	p.cond.Broadcast()
}

func (p *processorListener) pop(stopCh <-chan struct{}) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for {
		for len(p.pendingNotifications) == 0 {
			select {
			case <-stopCh:
				return
			default:
			}
			p.cond.Wait() //@cond
		}
		notification := p.pendingNotifications[0]
		p.pendingNotifications = p.pendingNotifications[1:]
		p.lock.Unlock()
		select {
		case <-stopCh:
		case p.nextCh <- notification:
		}
		p.lock.Lock()
	}
}

func newProcessListener() *processorListener {
	ret := &processorListener{
		pendingNotifications: []interface{}{},
		nextCh:               make(chan interface{}),
	}
	ret.cond.L = &ret.lock
	return ret
}

func TestKubernetes26980(t *testing.T) {
	pl := newProcessListener()
	stopCh := make(chan struct{})
	defer func() {
		pl.lock.Lock()
		close(stopCh)
		pl.lock.Unlock()
		pl.cond.Broadcast()
	}()
	pl.add(1)
	go pl.pop(stopCh)
	resultCh := make(chan struct{})
	go func() {
		pl.lock.Lock() //@second
		pl.lock.Unlock()
		close(resultCh)
	}()
	<-resultCh //@result
}
