package folder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// An object store has no locks that go with their process. Here a lock is an object that its owner writes again and
// again: one that nobody has written for a while is free. Clocks are not compared: who wants the lock watches the
// object for that long, unless it sees that the owner was a process of this machine and is gone.
var (
	renewEvery = 15 * time.Second
	freeAfter  = 75 * time.Second
	lookEvery  = 5 * time.Second
)

// closeWithin bounds how long the end of a run waits for the store.
const closeWithin = 10 * time.Second

// bucketLock is a lock that is held.
type bucketLock struct {
	b     *bucket
	name  string
	stamp string // of the version that we wrote last
	stop  chan struct{}
	done  sync.WaitGroup
}

func (b *bucket) Lock(name string) (io.Closer, error) {
	l := &bucketLock{b: b, name: b.Path(name), stop: make(chan struct{})}
	err := l.write(blob.Absent)
	if errors.Is(err, blob.ErrChanged) {
		err = l.takeOver()
	}
	if err != nil {
		return nil, b.why(err)
	}
	l.done.Go(l.renew)
	return l, nil
}

// write makes the object, or makes it again.
func (l *bucketLock) write(replaced string) error {
	text := fmt.Appendf(nil, lockForm, hostname(), os.Getpid(), Unique())
	info, err := l.b.store.Put(l.b.ctx, l.name, bytes.NewReader(text), int64(len(text)), replaced)
	if err == nil {
		l.stamp = info.Stamp
	}
	return err
}

// takeOver takes a lock whose owner is gone, and finds out whether it is.
func (l *bucketLock) takeOver() error {
	first, err := l.b.store.Stat(l.b.ctx, l.name)
	if errors.Is(err, blob.ErrNotFound) {
		return l.write(blob.Absent)
	}
	if err != nil {
		return err
	}
	if l.ownerIsGone(first) {
		return l.replace(first)
	}
	slog.Info("another run has the lock, or was killed: waiting to see which", "lock", l.name, "at_most", freeAfter)
	for waited := time.Duration(0); waited < freeAfter; waited += lookEvery {
		select {
		case <-l.b.ctx.Done():
			return context.Cause(l.b.ctx)
		case <-time.After(lookEvery):
		}
		now, err := l.b.store.Stat(l.b.ctx, l.name)
		switch {
		case errors.Is(err, blob.ErrNotFound):
			return l.write(blob.Absent)
		case err != nil:
			return err
		case now.Stamp != first.Stamp:
			return ErrBusy
		}
	}
	return l.replace(first)
}

// replace takes a lock that is free, unless somebody else has just done so.
func (l *bucketLock) replace(free blob.Info) error {
	if err := l.write(free.Stamp); !errors.Is(err, blob.ErrChanged) {
		return err
	}
	return ErrBusy
}

// lockForm is what stands in a lock: the owner's machine and process, and something unique.
const lockForm = "host %s process %d attempt %s\n"

// ownerIsGone tells whether a lock is of a process of this machine that has ended.
func (l *bucketLock) ownerIsGone(lock blob.Info) bool {
	text, err := l.b.store.At(map[string]string{l.name: lock.Stamp}).ReadFile(l.b.ctx, l.name, 1<<10)
	if err != nil {
		return false
	}
	var host, attempt string
	var pid int
	if _, err := fmt.Sscanf(string(text), lockForm, &host, &pid, &attempt); err != nil || host != hostname() {
		return false
	}
	return !alive(pid)
}

// hostname is what this machine is called, with what tells it from others of that name.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return name
	}
	space, _ := os.Readlink("/proc/self/ns/pid") // in which process numbers mean something
	return name + "/" + strings.TrimSpace(string(boot)) + "/" + space
}

// renew keeps the lock. When it is lost, all that the folder does fails from then on.
func (l *bucketLock) renew() {
	for {
		select {
		case <-l.stop:
			return
		case <-l.b.ctx.Done():
			return
		case <-time.After(renewEvery):
		}
		if err := l.write(l.stamp); errors.Is(err, blob.ErrChanged) || errors.Is(err, blob.ErrNotFound) {
			l.b.end(fmt.Errorf("%w: it has taken the lock %s, which was not renewed in time", ErrBusy, l.name))
			return
		}
	}
}

// Close gives the lock back.
func (l *bucketLock) Close() error {
	close(l.stop)
	l.done.Wait()
	if errors.Is(context.Cause(l.b.ctx), ErrBusy) {
		return context.Cause(l.b.ctx) // it is another's by now
	}
	// Also when the run was interrupted, so that the next one need not wait.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.b.ctx), closeWithin)
	defer cancel()
	return l.b.store.Remove(ctx, l.name)
}
