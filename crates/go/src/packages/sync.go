// Package sync, of which this is what is done once: its first panic is that of every call.
package sync

import "sync"

func OnceFunc(f func()) func() {
	once := &attempt{f: f}
	return once.call
}

func OnceValue[T any](f func() T) func() T {
	var value T
	once := &attempt{f: func() { value = f() }}
	return func() T {
		once.call()
		return value
	}
}

func OnceValues[T, U any](f func() (T, U)) func() (T, U) {
	var first T
	var second U
	once := &attempt{f: func() { first, second = f() }}
	return func() (T, U) {
		once.call()
		return first, second
	}
}

type attempt struct {
	once   sync.Once
	f      func()
	done   bool
	raised any
}

func (a *attempt) call() {
	a.once.Do(a.try)
	if !a.done {
		panic(a.raised)
	}
}

func (a *attempt) try() {
	defer a.end()
	a.f()
	a.done = true
}

func (a *attempt) end() {
	if !a.done {
		a.raised = recover()
		panic(a.raised)
	}
}
