// A bus sends to one who has given up, and then cannot be asked to quit.
//
// expect: stuck
// blocked: main@quit, loop@send
// blocked: sender@events
// blocked: sender@events, main@quit, loop@send
package subscribed

import (
	"testing"
	"time"
)

type Event struct {
	Name string
	Data interface{}
}

type Subscription chan Event

type Bus struct {
	subs   map[string][]Subscription
	add    chan func(map[string][]Subscription)
	events chan Event
	quit   chan chan bool
}

func NewBus() *Bus {
	b := &Bus{
		subs:   make(map[string][]Subscription),
		add:    make(chan func(map[string][]Subscription)),
		events: make(chan Event),
		quit:   make(chan chan bool),
	}
	go b.loop()
	return b
}

func (b *Bus) loop() {
	for {
		select {
		case f := <-b.add:
			f(b.subs)
		case e := <-b.events:
			for _, s := range b.subs[e.Name] {
				s <- e //@send
			}
		case q := <-b.quit:
			q <- true
			return
		}
	}
}

func (b *Bus) Subscribe(name string) Subscription {
	s := make(Subscription)
	b.add <- func(m map[string][]Subscription) { m[name] = append(m[name], s) }
	return s
}

func (b *Bus) Close() {
	q := make(chan bool)
	b.quit <- q //@quit
	<-q
}

func TestC6(t *testing.T) {
	b := NewBus()
	s := b.Subscribe("x")
	go func() {
		b.events <- Event{Name: "x", Data: 1} //@events
	}()
	select {
	case e := <-s:
		if n, ok := e.Data.(int); !ok || n != 1 {
			t.Error("wrong")
		}
	case <-time.After(time.Second):
	}
	b.Close()
}
