package sourcedb

// lane writes some output of each batch in its own goroutine: for one file, compressing takes as long as describing.
type lane struct {
	batches chan *batch
	failed  chan struct{} // closed after an error
	ended   chan struct{}
	err     error
}

func newLane(write func(*batch) error) *lane {
	l := &lane{batches: make(chan *batch, 1), failed: make(chan struct{}), ended: make(chan struct{})}
	go func(batches <-chan *batch) {
		defer close(l.ended)
		for b := range batches {
			if l.err == nil {
				if l.err = write(b); l.err != nil {
					close(l.failed)
				}
			}
		}
	}(l.batches)
	return l
}

// put queues a batch. It returns the error of an earlier batch.
func (l *lane) put(b *batch) error {
	select {
	case <-l.failed:
		return l.err
	case l.batches <- b:
		return nil
	}
}

// close waits until everything is written. It may be called more than once.
func (l *lane) close() error {
	if l.batches != nil {
		close(l.batches)
		l.batches = nil
		<-l.ended
	}
	return l.err
}
