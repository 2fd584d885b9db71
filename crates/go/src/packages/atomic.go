// Package atomic: a pointer that is read and written in one step.
package atomic

import "sync/atomic"

type Pointer[T any] struct {
	to *T
}

func (p *Pointer[T]) Load() *T {
	return atomic.LoadPointer(&p.to)
}

func (p *Pointer[T]) Store(value *T) {
	atomic.StorePointer(&p.to, value)
}

func (p *Pointer[T]) Swap(value *T) *T {
	return atomic.SwapPointer(&p.to, value)
}

func (p *Pointer[T]) CompareAndSwap(old, value *T) bool {
	return atomic.CompareAndSwapPointer(&p.to, old, value)
}
