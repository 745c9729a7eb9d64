package job

import (
	"context"
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// pool is what a process does at once, however many functions and bundles its runner has made of the graph: Dataflow has
// as many bundles under way as the machine has CPUs, and each would have as many units.
type pool struct {
	captures chan struct{} // that are enriched
	units    chan struct{} // that are under way
}

// pools are the process's pools by their size.
var pools sync.Map

// workers is the pool of this process with n workers.
func workers(n int) *pool {
	n = cli.Workers(n)
	p, _ := pools.LoadOrStore(n, &pool{make(chan struct{}, n), make(chan struct{}, n)})
	return p.(*pool)
}

// begin waits until a unit may begin.
func (p *pool) begin(ctx context.Context) error {
	select {
	case p.units <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// end lets another unit begin.
func (p *pool) end() { <-p.units }
