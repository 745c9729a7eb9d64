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
	Program func(verb string, args []string) *exec.Cmd
	// Most is how many jobs are kept, the newest; 1,000. Those that are older are removed when another begins.
	Most int
}

// Errors of requests.
var (
	ErrNone = errors.New("there is no such job")
	ErrOver = errors.New("the job has ended")
	ErrFull = errors.New("too many jobs are waiting")
)

// maxWaiting is how many jobs may wait.
const maxWaiting = 100

// Queue is the jobs of a server. Its methods may be called by several goroutines.
type Queue struct {
	dir  string
	o    Options
	stop context.CancelFunc
	done sync.WaitGroup
	wake chan struct{}

	mu     sync.Mutex
	jobs   map[int64]*Job
	last   int64
	cancel context.CancelFunc // of the job that is running
}

// Open opens the jobs in a folder, and goes on with those that have not ended. Nobody else may have it open: package
// account's lock sees to that.
func Open(dir string, o Options) (*Queue, error) {
	o.Most = cmp.Or(o.Most, 1000)
	q := &Queue{dir: dir, o: o, jobs: map[int64]*Job{}, wake: make(chan struct{}, 1)}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	if err := q.load(); err != nil {
		return nil, err
	}
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
			slog.Warn("a job cannot be read", "number", n, "error", err)
			continue
		}
		if j.State == Running {
			j.State = Queued
			j.Again++
		}
		q.jobs[n] = j
	}
	return nil
}

func (q *Queue) file(n int64, name string) string {
	return filepath.Join(q.dir, fmt.Sprintf("%06d", n), name)
}

// save writes a job, in one step for who reads. The caller has the lock, or is the only one that knows the job.
func (q *Queue) save(j *Job) error {
	data, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	temp := q.file(j.Number, "job.tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, q.file(j.Number, "job.json"))
}

// Start adds a job.
func (q *Queue) Start(r Request) (Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := 0
	for _, j := range q.jobs {
		if j.State.IsLive() {
			waiting++
		}
	}
	if waiting >= maxWaiting {
		return Job{}, ErrFull
	}
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
	select {
	case q.wake <- struct{}{}:
	default: // it is awake
	}
	return *j, nil
}

// forget removes the oldest jobs that have ended, when there are too many. What they made stays where it is.
func (q *Queue) forget() {
	numbers := q.numbers()
	for _, n := range numbers[:max(0, len(numbers)-q.o.Most)] {
		if q.jobs[n].State.IsLive() {
			continue
		}
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
		j.State, j.Cancel, j.Ended = Cancelled, cmp.Or(by, "-"), time.Now().UTC()
	case Running:
		j.Cancel = cmp.Or(by, "-")
		q.cancel()
	default:
		return ErrOver
	}
	return q.save(j)
}

// Log is the end of what a job said, most bytes at most, and whether that is not all.
func (q *Queue) Log(n int64, most int64) (text string, cut bool, err error) {
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
	from := max(0, info.Size()-most)
	data, err := io.ReadAll(io.NewSectionReader(f, from, most))
	if from > 0 {
		_, data, _ = bytes.Cut(data, []byte("\n")) // the first line is not whole
	}
	return string(bytes.ToValidUTF8(data, []byte("\uFFFD"))), from > 0, err
}

// Close ends the job that is running, which is run again when the queue is opened again.
func (q *Queue) Close() error {
	q.stop()
	q.done.Wait()
	return nil
}
