// CockroachDB 6181: a cache that is printed under its read lock is read-locked by its own text, past a writer that waits.
//
// expect: stuck
// blocked: tester@wait, lookup@second*1..2, lookup@write*1..2, lookup@first*0..1
package cockroach6181

import (
	"fmt"
	"sync"
	"testing"
)

type testDescriptorDB struct {
	cache *rangeDescriptorCache
}

func initTestDescriptorDB() *testDescriptorDB {
	return &testDescriptorDB{&rangeDescriptorCache{}}
}

type rangeDescriptorCache struct {
	rangeCacheMu sync.RWMutex
}

func (rdc *rangeDescriptorCache) LookupRangeDescriptor() {
	rdc.rangeCacheMu.RLock() //@first
	fmt.Printf("lookup range descriptor: %s", rdc)
	rdc.rangeCacheMu.RUnlock()
	rdc.rangeCacheMu.Lock() //@write
	rdc.rangeCacheMu.Unlock()
}

func (rdc *rangeDescriptorCache) String() string {
	rdc.rangeCacheMu.RLock() //@second
	defer rdc.rangeCacheMu.RUnlock()
	return rdc.stringLocked()
}

func (rdc *rangeDescriptorCache) stringLocked() string {
	return "something here"
}

func doLookupWithToken(rc *rangeDescriptorCache) {
	rc.LookupRangeDescriptor()
}

func testRangeCacheCoalescedRequests() {
	db := initTestDescriptorDB()
	pauseLookupResumeAndAssert := func() {
		var wg sync.WaitGroup
		for i := 0; i < 3; i++ {
			wg.Add(1)
			go func() { // a lookup
				doLookupWithToken(db.cache)
				wg.Done()
			}()
		}
		wg.Wait() //@wait
	}
	pauseLookupResumeAndAssert()
}

func TestCockroach6181(t *testing.T) {
	go testRangeCacheCoalescedRequests() // the tester
}
