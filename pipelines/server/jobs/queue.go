package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Options of a queue.
type Options struct {
	// Program makes the command of a verb and its arguments. Its output goes to the job's log.
	// The command must not be started yet, and has no context: the queue asks it to end before it
	// kills it.
	Program func(verb string, args []string) *exec.Cmd
	// Most is how many jobs are kept, the newest; 1,000. Those that are older are removed when another begins.
	Most int
}

// Errors of requests.
// The REST API answers them as 404, 409 and 429 or the like: see package view.
var (
	ErrNone = errors.New("there is no such job")
	ErrOver = errors.New("the job has ended")
	ErrFull = errors.New("too many jobs are waiting")
)

// maxWaiting is how many jobs may wait. A waiting job costs a folder and a few kilobytes; a hundred is more than
// people will wait for.
const maxWaiting = 100

// Queue is the jobs of a server. Its methods may be called by several goroutines.
type Queue struct {
	dir  string
	o    Options
	stop context.CancelFunc
	done sync.WaitGroup
	// Room for one: a worker that is busy finds the token when it is done, and more tell it nothing
	// new.
	wake chan struct{}
	// Room for one: a plan may read as much as a job begins with.
	planning chan struct{}

	// It guards what is below, and the fields of every Job in the map.
	mu   sync.Mutex
	jobs map[int64]*Job
	// The highest number ever given out, so that none is used twice while its folder is there.
	last   int64
	cancel context.CancelFunc // of the job that is running
}

// Open opens the jobs in a folder, and continues with those that have not ended. Nobody else may have it open: package
// account's lock sees to that.
func Open(dir string, o Options) (*Queue, error) {
	o.Most = cmp.Or(o.Most, 1000)
	q := &Queue{dir: dir, o: o, jobs: map[int64]*Job{}, wake: make(chan struct{}, 1), planning: make(chan struct{}, 1)}
	// 0700 and 0600: the arguments and logs of jobs name files of the machine.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	// Before the worker begins, so that it takes the oldest first.
	if err := q.load(); err != nil {
		return nil, err
	}
	// Its own context: the jobs end with Close, and not with the request or the call that opened them.
	ctx, stop := context.WithCancel(context.Background())
	q.stop = stop
	q.done.Go(func() { q.work(ctx) })
	return q, nil
}

// load reads the jobs of the folder. One whose file cannot be read is left alone, and said.
func (q *Queue) load() error {
	entries, err := os.ReadDir(q.dir)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	for _, e := range entries {
		n, err := strconv.ParseInt(e.Name(), 10, 64)
		// Other files in the folder are somebody else's, and stay.
		if err != nil || n <= 0 {
			continue
		}
		q.last = max(q.last, n) // its number is taken, whatever is in it
		data, err := os.ReadFile(q.file(n, "job.json"))
		j := &Job{}
		if err == nil {
			err = json.Unmarshal(data, j)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // the server was killed before the job was there
		}
		if err != nil || j.Number != n {
			// The server starts all the same: one damaged file must not hide the others.
			slog.Warn("a job cannot be read", "number", n, "error", err)
			continue
		}
		// The server was killed while it ran. It is to be run again; the command goes on where it was. One
		// that somebody had cancelled only waits for its process to end: see run.
		if j.State == Running {
			j.State = Queued
			if j.Cancel == "" {
				j.Again++
			}
		}
		q.jobs[n] = j
	}
	return nil
}

func (q *Queue) file(n int64, name string) string {
	// Six digits, so that names are in the order of numbers for people; the number may be longer.
	return filepath.Join(q.dir, fmt.Sprintf("%06d", n), name)
}

// save writes a job, in one step for callers that read. The caller has the lock, or is the only one that knows the job.
func (q *Queue) save(j *Job) error {
	data, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	// Written beside and renamed: a reader, or the next server, sees the old or the new, never half.
	temp := q.file(j.Number, "job.tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	// Synced before the rename, lest a loss of power leave an empty file under the name.
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, q.file(j.Number, "job.json"))
}

// Start adds a job.
func (q *Queue) Start(r Request) (Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	// The job that runs counts as well.
	waiting := 0
	for _, j := range q.jobs {
		if j.State.IsLive() {
			waiting++
		}
	}
	if waiting >= maxWaiting {
		return Job{}, ErrFull
	}
	// The new number is only taken below, once its folder is there.
	j := &Job{Number: q.last + 1, Request: r, State: Queued, Created: time.Now().UTC()}
	if err := os.MkdirAll(q.file(j.Number, ""), 0o700); err != nil {
		return Job{}, fmt.Errorf("jobs: %w", err)
	}
	q.last++ // also when it fails: the folder is there
	if err := q.save(j); err != nil {
		return Job{}, fmt.Errorf("jobs: %w", err)
	}
	q.jobs[j.Number] = j
	q.forget()
	// Never blocks, as the lock is held.
	select {
	case q.wake <- struct{}{}:
	default: // it is awake
	}
	// A copy, since the worker changes the job from here on.
	return *j, nil
}

// forget removes the oldest jobs that have ended, when there are too many. What they made stays where it is.
func (q *Queue) forget() {
	numbers := q.numbers()
	// By number, which is by age. A job that is live stays, however old.
	for _, n := range numbers[:max(0, len(numbers)-q.o.Most)] {
		if q.jobs[n].State.IsLive() {
			continue
		}
		// The folder first: what cannot be removed stays in the list, and is tried again.
		if err := os.RemoveAll(q.file(n, "")); err != nil {
			slog.Warn("remove an old job", "number", n, "error", err)
			continue
		}
		delete(q.jobs, n)
	}
}

func (q *Queue) numbers() []int64 {
	list := make([]int64, 0, len(q.jobs))
	for n := range q.jobs {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// List is all jobs, the newest first.
func (q *Queue) List() []Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	// Not nil: the API answers an empty list as [], and not as null.
	list := []Job{}
	for _, n := range slices.Backward(q.numbers()) {
		list = append(list, *q.jobs[n])
	}
	return list
}

// Get is one job.
func (q *Queue) Get(n int64) (Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j := q.jobs[n]; j != nil {
		return *j, nil
	}
	return Job{}, ErrNone
}

// Cancel ends a job: one that waits at once, one that runs as an interrupt does, so that it cleans up.
func (q *Queue) Cancel(n int64, by string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[n]
	if j == nil {
		return ErrNone
	}
	switch j.State {
	case Queued:
		// It was not begun, so there is nothing to stop; the worker passes over it.
		j.State, j.Cancel, j.Ended = Cancelled, cmp.Or(by, "-"), time.Now().UTC()
	case Running:
		// Who asked is noted before the context ends: without it run would take this for the server's
		// end.
		j.Cancel = cmp.Or(by, "-")
		q.cancel()
	default:
		return ErrOver
	}
	return q.save(j)
}

// Log is the end of what a job said, most bytes at most, and whether that is not all.
func (q *Queue) Log(n int64, most int64) (text string, cut bool, err error) {
	// This also keeps a number that is not a job from naming a file.
	if _, err := q.Get(n); err != nil {
		return "", false, err
	}
	f, err := os.Open(q.file(n, "log"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer func() { _ = f.Close() }() // it is only read
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	// Only the end is read, as a log may be very long.
	from := max(0, info.Size()-most)
	data, err := io.ReadAll(io.NewSectionReader(f, from, most))
	if from > 0 {
		_, data, _ = bytes.Cut(data, []byte("\n")) // the first line is not whole
	}
	// A cut may go through a character, and commands may name files in any encoding.
	return string(bytes.ToValidUTF8(data, []byte("\uFFFD"))), from > 0, err
}

// Close ends the job that is running, which is run again when the queue is opened again.
func (q *Queue) Close() error {
	q.stop()
	q.done.Wait()
	return nil
}
