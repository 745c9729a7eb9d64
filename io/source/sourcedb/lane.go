package sourcedb

// lane writes something of each batch by a goroutine of its own: compressing takes as long as describing does for one.
type lane struct {
	batches chan *batch
	failed  chan struct{} // closed when there is an error
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

// put gives it a batch. Its error is that of a batch before.
func (l *lane) put(b *batch) error {
	select {
	case <-l.failed:
		return l.err
	case l.batches <- b:
		return nil
	}
}

// close waits until all is written. It may be called more than once.
func (l *lane) close() error {
	if l.batches != nil {
		close(l.batches)
		l.batches = nil
		<-l.ended
	}
	return l.err
}
