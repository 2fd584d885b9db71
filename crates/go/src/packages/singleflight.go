// Package singleflight: who asks for what another is fetching waits for it, and gets the same.
package singleflight

import "runtime"
import "sync"

type Result struct {
	Val    any
	Err    error
	Shared bool
}

type Group struct {
	mu      sync.Mutex
	flights map[string]*flight
}

type flight struct {
	landing sync.WaitGroup
	val     any
	err     error
	// How many more ask for it, and those of them who want to be told by a channel.
	others  int
	waiting []chan<- Result
	// How the function has ended, if it has not returned.
	panicked bool
	exited   bool
	raised   any
}

func (g *Group) Do(key string, fn func() (any, error)) (any, error, bool) {
	g.mu.Lock()
	if g.flights == nil {
		g.flights = make(map[string]*flight)
	}
	if f, ok := g.flights[key]; ok {
		f.others++
		g.mu.Unlock()
		f.landing.Wait()
		if f.panicked {
			panic(f.raised)
		}
		if f.exited {
			runtime.Goexit()
		}
		return f.val, f.err, true
	}
	f := new(flight)
	f.landing.Add(1)
	g.flights[key] = f
	g.mu.Unlock()
	g.fetch(f, key, fn)
	return f.val, f.err, f.others > 0
}

func (g *Group) DoChan(key string, fn func() (any, error)) <-chan Result {
	told := make(chan Result, 1)
	g.mu.Lock()
	if g.flights == nil {
		g.flights = make(map[string]*flight)
	}
	if f, ok := g.flights[key]; ok {
		f.others++
		f.waiting = append(f.waiting, told)
		g.mu.Unlock()
		return told
	}
	f := new(flight)
	f.waiting = append(f.waiting, told)
	f.landing.Add(1)
	g.flights[key] = f
	g.mu.Unlock()
	go g.fetch(f, key, fn)
	return told
}

func (g *Group) Forget(key string) {
	g.mu.Lock()
	delete(g.flights, key)
	g.mu.Unlock()
}

func (g *Group) fetch(f *flight, key string, fn func() (any, error)) {
	defer g.land(f, key)
	f.exited = true
	f.attempt(fn)
	f.exited = false
}

func (f *flight) attempt(fn func() (any, error)) {
	returned := false
	defer func() {
		if !returned {
			f.raised = recover()
			f.panicked = f.raised != nil
		}
	}()
	f.val, f.err = fn()
	returned = true
}

func (g *Group) land(f *flight, key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f.landing.Done()
	if g.flights[key] == f {
		delete(g.flights, key)
	}
	if f.panicked {
		if len(f.waiting) > 0 {
			// Those who wait for a channel could not be told.
			go fail(f.raised)
			select {}
		}
		panic(f.raised)
	}
	if !f.exited {
		for _, told := range f.waiting {
			told <- Result{f.val, f.err, f.others > 0}
		}
	}
}

func fail(raised any) {
	panic(raised)
}
