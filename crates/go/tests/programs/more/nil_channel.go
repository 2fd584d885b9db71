// A channel that was never made: who sends and who receives wait for ever.
//
// expect: stuck
// blocked: main@receive, sender@send
package nilchannel

import (
	"testing"
)

type mailbox struct {
	messages chan string
}

func TestMailbox(t *testing.T) {
	m := &mailbox{}
	go func() { // the sender
		m.messages <- "hello" //@send
	}()
	if s := <-m.messages; s != "hello" { //@receive
		t.Error(s)
	}
}
