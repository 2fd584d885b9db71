// CockroachDB 13197: a transaction is thrown away, and nobody cancels its context.
//
// expect: stuck
// blocked: awaitDone@done
package cockroach13197

import (
	"context"
	"testing"
)

type DB struct{}

type Tx struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func (db *DB) begin(ctx context.Context) *Tx {
	ctx, cancel := context.WithCancel(ctx)
	tx := &Tx{
		ctx:    ctx,
		cancel: cancel,
	}
	go tx.awaitDone()
	return tx
}

func (tx *Tx) awaitDone() {
	<-tx.ctx.Done() //@done
}

func (tx *Tx) Rollback() {
	tx.rollback()
}

func (tx *Tx) rollback() {
	tx.cancel()
}

func TestCockroach13197(t *testing.T) {
	db := &DB{}
	_ = db.begin(context.Background())
}
