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

// Options are the options of a queue.
type Options struct {
	// Program makes the command of a verb and its arguments. The command's output goes to the job's log. It must not
	// be started yet, and has no context: the queue asks it to end before killing it.
	Program func(verb string, args []string) *exec.Cmd
	// Most is how many of the newest jobs are kept; the default is 1,000. Older ones are removed when another begins.
	Most int
}

// These are the errors of requests. The REST API answers them with 404, 409, 429 or similar: see package view.
var (
	ErrNone = errors.New("there is no such job")
	ErrOver = errors.New("the job has ended")
	ErrFull = errors.New("too many jobs are waiting")
)

// maxWaiting is how many jobs may wait. A waiting job costs a folder and a few kilobytes; people will not wait for
// more than a hundred.
const maxWaiting = 100

// Queue is the jobs of a server. Several goroutines may call its methods.
type Queue struct {
	dir  string
	o    Options
	stop context.CancelFunc
	done sync.WaitGroup
	// It has room for one token: a busy worker finds it when it is done, and more tokens would tell it nothing new.
	wake chan struct{}
	// It has room for one: a plan may read as much as the beginning of a job.
	planning chan struct{}

	// It protects the fields below, and the fields of every Job in the map.
	mu   sync.Mutex
	jobs map[int64]*Job
	// last is the highest number ever given out, so that none is used twice while its folder exists.
	last   int64
	cancel context.CancelFunc // of the running job
}

// Open opens the jobs in a folder, and continues with those that have not ended. No other process may have the folder
// open; the lock of package account ensures that.
func Open(dir string, o Options) (*Queue, error) {
	o.Most = cmp.Or(o.Most, 1000)
	q := &Queue{dir: dir, o: o, jobs: map[int64]*Job{}, wake: make(chan struct{}, 1), planning: make(chan struct{}, 1)}
	// The modes are 0700 and 0600, since the arguments and logs of jobs name files of the machine.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	// This happens before the worker begins, so that it takes the oldest job first.
	if err := q.load(); err != nil {
		return nil, err
	}
	// It has its own context: the jobs end with Close, and not with the request or call that opened them.
	ctx, stop := context.WithCancel(context.Background())
	q.stop = stop
	q.done.Go(func() { q.work(ctx) })
	return q, nil
}

// load reads the jobs of the folder. A job whose file cannot be read is left alone, and logged.
func (q *Queue) load() error {
	entries, err := os.ReadDir(q.dir)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	for _, e := range entries {
		n, err := strconv.ParseInt(e.Name(), 10, 64)
		// Other files in the folder are not ours, and stay.
		if err != nil || n <= 0 {
			continue
		}
		q.last = max(q.last, n) // the number is used, whatever the folder contains
		data, err := os.ReadFile(q.file(n, "job.json"))
		j := &Job{}
		if err == nil {
			err = json.Unmarshal(data, j)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // the server was killed before the file existed
		}
		if err != nil || j.Number != n {
			// The server starts nevertheless: one damaged file must not hide the other jobs.
			slog.Warn("a job cannot be read", "number", n, "error", err)
			continue
		}
		// The server was killed while this job ran. The job is run again, and the command continues where it was. A
		// job that somebody had cancelled only waits for its process to end: see run.
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
	// Six digits keep names in the order of numbers for people. The number may be longer.
	return filepath.Join(q.dir, fmt.Sprintf("%06d", n), name)
}

// save writes a job, atomically for readers. The caller holds the lock, or is the only one that knows the job.
func (q *Queue) save(j *Job) error {
	data, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	// The file is written beside the old one and renamed. So a reader, or the next server, sees the old or the new
	// one, never half of one.
	temp := q.file(j.Number, "job.tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	// It is synced before the rename, since otherwise a power loss could leave an empty file.
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, q.file(j.Number, "job.json"))
}

// Start adds a job.
func (q *Queue) Start(r Request) (Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	// The running job counts as well.
	waiting := 0
	for _, j := range q.jobs {
		if j.State.IsLive() {
			waiting++
		}
	}
	if waiting >= maxWaiting {
		return Job{}, ErrFull
	}
	// The new number is used up only further down, once its folder exists.
	j := &Job{Number: q.last + 1, Request: r, State: Queued, Created: time.Now().UTC()}
	if err := os.MkdirAll(q.file(j.Number, ""), 0o700); err != nil {
		return Job{}, fmt.Errorf("jobs: %w", err)
	}
	q.last++ // even if saving fails, since the folder exists
	if err := q.save(j); err != nil {
		return Job{}, fmt.Errorf("jobs: %w", err)
	}
	q.jobs[j.Number] = j
	q.forget()
	// This never blocks, as the lock is held.
	select {
	case q.wake <- struct{}{}:
	default: // the worker is awake
	}
	// This is a copy, since the worker changes the job from now on.
	return *j, nil
}

// forget removes the oldest ended jobs if there are too many. Their results stay.
func (q *Queue) forget() {
	numbers := q.numbers()
	// The order of numbers is the order of age. A live job stays, however old.
	for _, n := range numbers[:max(0, len(numbers)-q.o.Most)] {
		if q.jobs[n].State.IsLive() {
			continue
		}
		// The folder is removed first. If that fails, the job stays in the list, and is tried again.
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

// List returns all jobs, the newest first.
func (q *Queue) List() []Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	// It is not nil, so that the API returns an empty list as [] and not as null.
	list := []Job{}
	for _, n := range slices.Backward(q.numbers()) {
		list = append(list, *q.jobs[n])
	}
	return list
}

// Get returns a job.
func (q *Queue) Get(n int64) (Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j := q.jobs[n]; j != nil {
		return *j, nil
	}
	return Job{}, ErrNone
}

// Cancel ends a job. A waiting job ends at once. A running one is interrupted, so that it can clean up.
func (q *Queue) Cancel(n int64, by string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[n]
	if j == nil {
		return ErrNone
	}
	switch j.State {
	case Queued:
		// It was not started, so there is nothing to stop. The worker skips it.
		j.State, j.Cancel, j.Ended = Cancelled, cmp.Or(by, "-"), time.Now().UTC()
	case Running:
		// The user's name is saved before the context ends. Otherwise run would take this for the end of the server.
		j.Cancel = cmp.Or(by, "-")
		q.cancel()
	default:
		return ErrOver
	}
	return q.save(j)
}

// Log returns the end of a job's output, at most most bytes, and whether anything was cut off.
func (q *Queue) Log(n int64, most int64) (text string, cut bool, err error) {
	// This also prevents that a number without a job names a file.
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
	// Only the end is read, as a log may be very long, with the byte before it, which may end a line.
	from := max(0, info.Size()-most)
	data, err := io.ReadAll(io.NewSectionReader(f, max(0, from-1), most+1))
	if from > 0 && len(data) > 0 {
		// The first line is incomplete, and left out unless it is all that there is.
		_, rest, _ := bytes.Cut(data, []byte("\n"))
		if data = data[1:]; len(rest) > 0 {
			data = rest
		}
	}
	// The cut may be inside a character, and commands may name files in any encoding.
	return string(bytes.ToValidUTF8(data, []byte("\uFFFD"))), from > 0, err
}

// Close ends the running job, which is run again when the queue is opened again.
func (q *Queue) Close() error {
	q.stop()
	q.done.Wait()
	return nil
}
