// A plugin of a test counts its calls, and the scheduler calls it from several goroutines.
//
// expect: holds
package kubernetes81091

import (
	"context"
	"sync"
	"testing"
)

type Node struct{ name string }

type FilterPlugin interface {
	Name() string
	Filter(n *Node) bool
}

type FakeFilterPlugin struct {
	mu              sync.Mutex
	numFilterCalled int
}

func (pl *FakeFilterPlugin) Name() string { return "fake" }

func (pl *FakeFilterPlugin) Filter(n *Node) bool {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	pl.numFilterCalled++ //@count
	return true
}

func ParallelizeUntil(ctx context.Context, workers, pieces int, doWorkPiece func(piece int)) {
	toProcess := make(chan int, pieces)
	for i := 0; i < pieces; i++ {
		toProcess <- i
	}
	close(toProcess)
	if pieces < workers {
		workers = pieces
	}
	wg := sync.WaitGroup{}
	wg.Add(workers)
	for i := 0; i < workers; i++ {
		go func() {
			defer wg.Done()
			for piece := range toProcess {
				select {
				case <-ctx.Done():
					return
				default:
					doWorkPiece(piece)
				}
			}
		}()
	}
	wg.Wait()
}

func findNodes(plugins map[string]FilterPlugin, nodes []*Node) {
	checkNode := func(i int) {
		for _, p := range plugins {
			p.Filter(nodes[i])
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ParallelizeUntil(ctx, 16, len(nodes), checkNode)
}

func TestKubernetes81091(t *testing.T) {
	p := &FakeFilterPlugin{}
	nodes := []*Node{{name: "a"}, {name: "b"}}
	findNodes(map[string]FilterPlugin{"fake": p}, nodes)
	if p.numFilterCalled > 2 {
		t.Fatal("called too often")
	}
}
