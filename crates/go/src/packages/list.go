// Package list: a ring of elements around one that holds no value.
package list

type Element struct {
	next, before *Element
	list         *List
	Value        any
}

type List struct {
	root Element
	size int
}

func New() *List {
	return new(List).Init()
}

func (l *List) Init() *List {
	l.root.next = &l.root
	l.root.before = &l.root
	l.size = 0
	return l
}

func (l *List) Len() int {
	return l.size
}

func (l *List) Front() *Element {
	if l.size == 0 {
		return nil
	}
	return l.root.next
}

func (l *List) Back() *Element {
	if l.size == 0 {
		return nil
	}
	return l.root.before
}

func (e *Element) Next() *Element {
	if e.list == nil || e.next == &e.list.root {
		return nil
	}
	return e.next
}

func (e *Element) Prev() *Element {
	if e.list == nil || e.before == &e.list.root {
		return nil
	}
	return e.before
}

// A list that nobody has made is made when something comes into it.
func (l *List) ready() {
	if l.root.next == nil {
		l.Init()
	}
}

func (l *List) link(e, after *Element) {
	e.before = after
	e.next = after.next
	after.next.before = e
	after.next = e
}

func (l *List) unlink(e *Element) {
	e.before.next = e.next
	e.next.before = e.before
}

func (l *List) insert(v any, after *Element) *Element {
	e := &Element{list: l, Value: v}
	l.link(e, after)
	l.size++
	return e
}

func (l *List) Remove(e *Element) any {
	if e.list == l {
		l.unlink(e)
		e.next = nil
		e.before = nil
		e.list = nil
		l.size--
	}
	return e.Value
}

func (l *List) PushFront(v any) *Element {
	l.ready()
	return l.insert(v, &l.root)
}

func (l *List) PushBack(v any) *Element {
	l.ready()
	return l.insert(v, l.root.before)
}

func (l *List) InsertBefore(v any, mark *Element) *Element {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark.before)
}

func (l *List) InsertAfter(v any, mark *Element) *Element {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark)
}

func (l *List) move(e, after *Element) {
	if e != after {
		l.unlink(e)
		l.link(e, after)
	}
}

func (l *List) MoveToFront(e *Element) {
	if e.list == l && l.root.next != e {
		l.move(e, &l.root)
	}
}

func (l *List) MoveToBack(e *Element) {
	if e.list == l && l.root.before != e {
		l.move(e, l.root.before)
	}
}

func (l *List) MoveBefore(e, mark *Element) {
	if e.list == l && e != mark && mark.list == l {
		l.move(e, mark.before)
	}
}

func (l *List) MoveAfter(e, mark *Element) {
	if e.list == l && e != mark && mark.list == l {
		l.move(e, mark)
	}
}

func (l *List) PushBackList(other *List) {
	l.ready()
	for left, e := other.Len(), other.Front(); left > 0; left, e = left-1, e.Next() {
		l.insert(e.Value, l.root.before)
	}
}

func (l *List) PushFrontList(other *List) {
	l.ready()
	for left, e := other.Len(), other.Back(); left > 0; left, e = left-1, e.Prev() {
		l.insert(e.Value, &l.root)
	}
}
