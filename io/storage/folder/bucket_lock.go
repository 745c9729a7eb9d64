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

// An object store has no locks that end with their process. Here a lock is an object that its owner writes repeatedly.
// A lock that nobody has written for a while is free. Clocks are not compared: a process that wants the lock watches
// the object for that long. It does not wait if the owner was a process of this machine that has ended.
var (
	// Five renewals may fail in a row before the lock is free. Each may take that long because the store is overloaded.
	renewEvery = 15 * time.Second
	freeAfter  = 75 * time.Second
	lookEvery  = 5 * time.Second
)

// closeWithin limits how long the end of a run waits for the store. The store may be the reason why a user interrupts
// the run.
const closeWithin = 10 * time.Second

// bucketLock is a lock that this process holds.
type bucketLock struct {
	b     *bucket
	name  string
	stamp string // of the version that we wrote last
	stop  chan struct{}
	done  sync.WaitGroup
}

func (b *bucket) Lock(name string) (io.Closer, error) {
	l := &bucketLock{b: b, name: b.Path(name), stop: make(chan struct{})}
	// Mostly the lock is free, so this one request is enough.
	err := l.write(blob.Absent)
	if errors.Is(err, blob.ErrChanged) {
		err = l.takeOver()
	}
	if err != nil {
		return nil, b.why(err)
	}
	// Ends when the lock is closed or the context of the run ends.
	l.done.Go(l.renew)
	return l, nil
}

// write writes the object. The unique part changes the bytes each time. So the stamp changes with each renewal even if
// it is a hash of the content, as in S3.
func (l *bucketLock) write(replaced string) error {
	text := fmt.Appendf(nil, lockForm, hostname(), os.Getpid(), Unique())
	info, err := l.b.store.Put(l.b.ctx, l.name, bytes.NewReader(text), int64(len(text)), replaced)
	if err == nil {
		l.stamp = info.Stamp
	}
	return err
}

// takeOver takes a lock if its owner is gone, after finding out.
func (l *bucketLock) takeOver() error {
	first, err := l.b.store.Stat(l.b.ctx, l.name)
	// It was released between the two requests. If another process is first, the condition fails.
	if errors.Is(err, blob.ErrNotFound) {
		return l.write(blob.Absent)
	}
	if err != nil {
		return err
	}
	if l.ownerIsGone(first) {
		return l.replace(first)
	}
	// Logged, since otherwise a run would seem to hang for more than a minute.
	slog.Info("another run has the lock, or was killed: waiting to see which", "lock", l.name, "at_most", freeAfter)
	// Counts pauses and not the clock. On a machine that slept, time would have passed in which the owner could not
	// write either.
	for waited := time.Duration(0); waited < freeAfter; waited += lookEvery {
		select {
		case <-l.b.ctx.Done():
			return context.Cause(l.b.ctx)
		case <-time.After(lookEvery):
		}
		now, err := l.b.store.Stat(l.b.ctx, l.name)
		switch {
		// Its owner has ended normally while we watched.
		case errors.Is(err, blob.ErrNotFound):
			return l.write(blob.Absent)
		case err != nil:
			return err
		// Somebody has written it since: the owner is alive.
		case now.Stamp != first.Stamp:
			return ErrBusy
		}
	}
	// The stamp is the watched one, so that an owner who comes back right now keeps the lock.
	return l.replace(first)
}

// replace takes a free lock, unless another process has just done so.
func (l *bucketLock) replace(free blob.Info) error {
	// ErrChanged: another process was faster and has the lock.
	if err := l.write(free.Stamp); !errors.Is(err, blob.ErrChanged) {
		return err
	}
	return ErrBusy
}

// lockForm is the content of a lock: the owner's machine and process, and a unique part.
const lockForm = "host %s process %d attempt %s\n"

// ownerIsGone reports whether a lock belongs to an ended process of this machine.
func (l *bucketLock) ownerIsGone(lock blob.Info) bool {
	// Reads the version that was described, since another one may have another owner. No lock is longer than this.
	text, err := l.b.store.At(map[string]string{l.name: lock.Stamp}).ReadFile(l.b.ctx, l.name, 1<<10)
	if err != nil {
		// An unreadable lock counts as taken, which is slower but always right.
		return false
	}
	var host, attempt string
	var pid int
	// Process numbers of other machines mean nothing here.
	if _, err := fmt.Sscanf(string(text), lockForm, &host, &pid, &attempt); err != nil || host != hostname() {
		return false
	}
	return !alive(pid)
}

// hostname returns a name for this machine that is unique among machines with the same host name.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	// Machines from one image share a name, and containers often do. The boot id distinguishes them, and a restarted
	// machine from its earlier processes.
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return name
	}
	space, _ := os.Readlink("/proc/self/ns/pid") // in which process numbers are valid
	return name + "/" + strings.TrimSpace(string(boot)) + "/" + space
}

// renew keeps the lock. If it is lost, all operations of the folder fail from then on.
func (l *bucketLock) renew() {
	for {
		select {
		case <-l.stop:
			return
		case <-l.b.ctx.Done():
			return
		case <-time.After(renewEvery):
		}
		// Other errors are temporary: a failed request is repeated 15 seconds later, unless somebody takes the lock.
		if err := l.write(l.stamp); errors.Is(err, blob.ErrChanged) || errors.Is(err, blob.ErrNotFound) {
			// This ends the context and all running requests of the run: two runs must not write to one folder.
			l.b.end(fmt.Errorf("%w: it has taken the lock %s, which was not renewed in time", ErrBusy, l.name))
			return
		}
	}
}

// Close releases the lock.
func (l *bucketLock) Close() error {
	close(l.stop)
	// From here on nobody else writes l.stamp or the object.
	l.done.Wait()
	if errors.Is(context.Cause(l.b.ctx), ErrBusy) {
		return context.Cause(l.b.ctx) // another process has it
	}
	// Also after an interruption of the run, so that the next one need not wait.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.b.ctx), closeWithin)
	defer cancel()
	return l.b.store.Remove(ctx, l.name)
}
