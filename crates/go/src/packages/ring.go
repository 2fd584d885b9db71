// Package ring: elements in a circle, each of which stands for all of it.
package ring

type Ring struct {
	next, before *Ring
	Value        any
}

func New(n int) *Ring {
	if n <= 0 {
		return nil
	}
	first := &Ring{}
	last := first
	for i := 1; i < n; i++ {
		one := &Ring{before: last}
		last.next = one
		last = one
	}
	last.next = first
	first.before = last
	return first
}

// A ring of one that nobody has made is made when it is looked at.
func (r *Ring) ready() {
	if r.next == nil {
		r.next = r
		r.before = r
	}
}

func (r *Ring) Next() *Ring {
	r.ready()
	return r.next
}

func (r *Ring) Prev() *Ring {
	r.ready()
	return r.before
}

func (r *Ring) Move(n int) *Ring {
	r.ready()
	for ; n > 0; n-- {
		r = r.next
	}
	for ; n < 0; n++ {
		r = r.before
	}
	return r
}

func (r *Ring) Link(other *Ring) *Ring {
	after := r.Next()
	if other != nil {
		last := other.Prev()
		r.next = other
		other.before = r
		after.before = last
		last.next = after
	}
	return after
}

func (r *Ring) Unlink(n int) *Ring {
	if n <= 0 {
		return nil
	}
	return r.Link(r.Move(n + 1))
}

func (r *Ring) Len() int {
	if r == nil {
		return 0
	}
	n := 1
	for one := r.Next(); one != r; one = one.next {
		n++
	}
	return n
}

func (r *Ring) Do(f func(any)) {
	if r != nil {
		f(r.Value)
		for one := r.Next(); one != r; one = one.next {
			f(one.Value)
		}
	}
}
