// Quotas: workers read under a read lock, within a queue's condition, and a resync wants the write lock.
//
// expect: holds
package kubernetes58107

import (
	"sync"
	"testing"
)

type RateLimitingInterface interface {
	Get()
	Put()
}

type Type struct {
	cond *sync.Cond
}

func (q *Type) Get() {
	q.cond.L.Lock()
	defer q.cond.L.Unlock()
}

func (q *Type) Put() {
	q.cond.Signal()
}

type ResourceQuotaController struct {
	workerLock        sync.RWMutex
	queue             RateLimitingInterface
	missingUsageQueue RateLimitingInterface
}

func (rq *ResourceQuotaController) worker(queue RateLimitingInterface) {
	workFunc := func() {
		queue.Get()
		rq.workerLock.RLock()
		defer rq.workerLock.RUnlock()
	}
	workFunc()
}

func (rq *ResourceQuotaController) Run() {
	go rq.worker(rq.queue)
	go rq.worker(rq.missingUsageQueue)
}

func (rq *ResourceQuotaController) Sync() {
	for i := 0; i < 2; i++ {
		rq.workerLock.Lock() //@write
		rq.workerLock.Unlock()
	}
}

func (rq *ResourceQuotaController) HelperSignals() {
	rq.queue.Put()
	rq.missingUsageQueue.Put()
}

func startResourceQuotaController() {
	resourceQuotaController := &ResourceQuotaController{
		queue:             &Type{sync.NewCond(&sync.Mutex{})},
		missingUsageQueue: &Type{sync.NewCond(&sync.Mutex{})},
	}
	go resourceQuotaController.Run()
	go resourceQuotaController.Sync()
	resourceQuotaController.HelperSignals()
}

func TestKubernetes58107(t *testing.T) {
	startResourceQuotaController()
}
