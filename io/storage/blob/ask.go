package blob

import (
	"context"
	"sync"
)

// On the web there are no listings, so each file is asked for what it is: a list may name 90,000.

// webName notes the file at a URL, to be asked later. The place in e.found is reserved now, so that files keep the
// order of the arguments although answers come in any order.
func (e *expander) webName(name string) {
	e.asked = append(e.asked, len(e.found))
	e.found = append(e.found, found{Info: Info{Name: name}})
}

// ask describes the noted files. Several are asked for at the same time.
// It is called once, when all arguments have been expanded without an error: no server is troubled for a command
// line that will be refused anyway.
func (e *expander) ask(ctx context.Context) {
	// One place for each file, written by one worker alone, so that no lock is needed.
	errs := make([]error, len(e.asked))
	next := make(chan int)
	var workers sync.WaitGroup
	// They are as many as a host gets connections: more workers would only wait for one of these.
	for range min(maxPerHost, len(e.asked)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = e.askOne(ctx, &e.found[e.asked[i]].Info)
			}
		})
	}
	for i := range e.asked {
		// Those that are under way end by themselves, for they have the same context; the rest is not begun.
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	// In the order of the arguments, so that the same mistakes are reported in the same words.
	for i, err := range errs {
		if err != nil {
			e.fail(e.found[e.asked[i]].Name, err)
		}
	}
}

// askOne fills in the metadata of a file from the server. Where it fails, info keeps the name alone.
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
