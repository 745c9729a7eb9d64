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
// again: one that nobody has written for a while is free. Clocks are not compared: a process that wants the lock
// watches the object for that long, unless it sees that the owner was a process of this machine and is gone.
var (
	// Five renewals may fail in a row before the lock is free; each may take that long because the store is
	// overloaded.
	renewEvery = 15 * time.Second
	freeAfter  = 75 * time.Second
	lookEvery  = 5 * time.Second
)

// closeWithin bounds how long the end of a run waits for the store.
// A user who interrupts a run does not want to wait for a store that may be what he interrupts it for.
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
	// Nearly always nobody has it, so this one request is all.
	err := l.write(blob.Absent)
	if errors.Is(err, blob.ErrChanged) {
		err = l.takeOver()
	}
	if err != nil {
		return nil, b.why(err)
	}
	// The goroutine ends when the lock is closed or the context of the run ends.
	l.done.Go(l.renew)
	return l, nil
}

// write makes the object, or makes it again.
// The unique part makes the bytes new each time, so the stamp changes with each renewal even where it is a hash of
// the content, as S3's is.
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
	// It was given back between the two requests. Should somebody else be quicker now, the condition fails.
	if errors.Is(err, blob.ErrNotFound) {
		return l.write(blob.Absent)
	}
	if err != nil {
		return err
	}
	if l.ownerIsGone(first) {
		return l.replace(first)
	}
	// Told, since otherwise a run would seem to hang for more than a minute.
	slog.Info("another run has the lock, or was killed: waiting to see which", "lock", l.name, "at_most", freeAfter)
	// Pauses are counted, not the clock: a machine that sleeps would else find time passed in which the owner could
	// not write either.
	for waited := time.Duration(0); waited < freeAfter; waited += lookEvery {
		select {
		case <-l.b.ctx.Done():
			return context.Cause(l.b.ctx)
		case <-time.After(lookEvery):
		}
		now, err := l.b.store.Stat(l.b.ctx, l.name)
		switch {
		// Its owner has ended in good order while we watched.
		case errors.Is(err, blob.ErrNotFound):
			return l.write(blob.Absent)
		case err != nil:
			return err
		// Somebody has written it since: the owner lives.
		case now.Stamp != first.Stamp:
			return ErrBusy
		}
	}
	// With the stamp that we have watched all the time, so that an owner who comes back right now keeps it.
	return l.replace(first)
}

// replace takes a lock that is free, unless somebody else has just done so.
func (l *bucketLock) replace(free blob.Info) error {
	// ErrChanged: somebody was quicker by one request, and it is theirs.
	if err := l.write(free.Stamp); !errors.Is(err, blob.ErrChanged) {
		return err
	}
	return ErrBusy
}

// lockForm is the content of a lock: the owner's machine and process, and something unique.
const lockForm = "host %s process %d attempt %s\n"

// ownerIsGone reports whether a lock is of a process of this machine that has ended.
func (l *bucketLock) ownerIsGone(lock blob.Info) bool {
	// In the version that was looked at: another one may be of another owner. Longer than this no lock is.
	text, err := l.b.store.At(map[string]string{l.name: lock.Stamp}).ReadFile(l.b.ctx, l.name, 1<<10)
	if err != nil {
		// A lock that cannot be read or understood counts as taken: that is slower and always right.
		return false
	}
	var host, attempt string
	var pid int
	// Process numbers of other machines say nothing here.
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
	// Machines made from one image share a name, and containers often do; the number of this boot tells them apart,
	// and after a restart no process of before is there.
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
		// Other errors pass: a request that fails is made again 15 seconds later, as long as nobody has taken the
		// lock.
		if err := l.write(l.stamp); errors.Is(err, blob.ErrChanged) || errors.Is(err, blob.ErrNotFound) {
			// It ends the context, and with it all requests of the run that are under way: two runs must not write
			// to one folder.
			l.b.end(fmt.Errorf("%w: it has taken the lock %s, which was not renewed in time", ErrBusy, l.name))
			return
		}
	}
}

// Close gives the lock back.
func (l *bucketLock) Close() error {
	close(l.stop)
	// From here on nobody but us writes l.stamp or the object.
	l.done.Wait()
	if errors.Is(context.Cause(l.b.ctx), ErrBusy) {
		return context.Cause(l.b.ctx) // it is another's by now
	}
	// Also when the run was interrupted, so that the next one need not wait.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.b.ctx), closeWithin)
	defer cancel()
	return l.b.store.Remove(ctx, l.name)
}
