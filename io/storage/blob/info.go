package blob

import (
	"context"
	"sync"
)

// The web has no listings, so each file is requested by itself: a list may name 90,000.

// webName adds the file at a URL, to be described later. Its place in e.found is reserved now, so that files keep the
// order of the arguments although answers come in any order.
func (e *expander) webName(name string) {
	e.asked = append(e.asked, len(e.found))
	e.found = append(e.found, found{Info: Info{Name: name}})
}

// ask describes the added files, several at a time. It is called once all arguments are expanded without an error, so
// that a refused command line sends no requests.
func (e *expander) ask(ctx context.Context) {
	// Each file has its own place, which only one worker writes, so no lock is needed.
	errs := make([]error, len(e.asked))
	next := make(chan int)
	var workers sync.WaitGroup
	// A host accepts this many connections: more workers would only wait for one.
	for range min(maxPerHost, len(e.asked)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = e.askOne(ctx, &e.found[e.asked[i]].Info)
			}
		})
	}
	for i := range e.asked {
		// Running requests end by themselves, since they have the same context. No new ones begin.
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	// In the order of the arguments, so that the same mistakes give the same messages.
	for i, err := range errs {
		if err != nil {
			e.fail(e.found[e.asked[i]].Name, err)
		}
	}
}

// askOne gets the metadata of a file from the server. If it fails, info keeps the name alone.
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
