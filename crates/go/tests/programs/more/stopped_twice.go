// Who stops a server looks whether it is stopped, and then closes its channel, and so may another.
//
// expect: fault
// fault: close of closed channel@close
package main

import "sync"

type server struct {
	quit chan struct{}
	jobs chan int
	once sync.Once
}

func newServer() *server {
	s := &server{quit: make(chan struct{}), jobs: make(chan int, 2)}
	go s.loop()
	return s
}

func (s *server) loop() {
	for {
		select {
		case <-s.quit:
			return
		case n := <-s.jobs:
			if n < 0 {
				s.stop()
			}
		}
	}
}

func (s *server) stop() {
	select {
	case <-s.quit:
	default:
		close(s.quit) //@close
	}
}

func main() {
	s := newServer()
	s.jobs <- 1
	s.jobs <- -1
	s.stop()
	<-s.quit
}
