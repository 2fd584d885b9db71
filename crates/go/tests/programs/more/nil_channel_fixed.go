// The channel is made.
//
// expect: holds
package nilchannel

import (
	"testing"
)

type mailbox struct {
	messages chan string
}

func TestMailbox(t *testing.T) {
	m := &mailbox{messages: make(chan string)}
	go func() { // the sender
		m.messages <- "hello"
	}()
	if s := <-m.messages; s != "hello" {
		t.Error(s)
	}
}
