package blob

import (
	"context"
	"sync"
)

// On the web there are no listings, so each file is asked for what it is: a list may name 90,000.

// webName notes the file at a URL, to be asked later.
func (e *expander) webName(name string) {
	e.asked = append(e.asked, len(e.found))
	e.found = append(e.found, found{Info: Info{Name: name}})
}

// ask describes the noted files. Several are asked for at the same time.
func (e *expander) ask(ctx context.Context) {
	errs := make([]error, len(e.asked))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(maxPerHost, len(e.asked)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = e.askOne(ctx, &e.found[e.asked[i]].Info)
			}
		})
	}
	for i := range e.asked {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			e.fail(e.found[e.asked[i]].Name, err)
		}
	}
}

func (e *expander) askOne(ctx context.Context, info *Info) error {
	r, err := e.store.remote(ctx, info.Name)
	if err != nil {
		return err
	}
	got, err := r.Stat(ctx, info.Name)
	if err == nil {
		*info = got
	}
	return err
}
