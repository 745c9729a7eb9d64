// Package statement answers SQL statements of users in child processes.
//
// A child is the command query --sql, so the server and the command line give the same rows. It is a process because
// SQLite cannot be stopped within a function: instr of two texts of a megabyte takes minutes. A process can be killed,
// and the system limits its memory and its temporary files.
//
//	r := statement.New(statement.Options{Program: program, Temp: dir})
//	a, err := r.Start(ctx, statement.Question{Collection: "out", Statement: "select 1", Format: "csv"})
//	defer a.Close()
//	_, err = io.Copy(out, a)
package statement

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// Options are the options of a runner; zero fields get the defaults in the comments.
type Options struct {
	// Program makes the command of a verb and its arguments. It must not be started yet.
	Program func(verb string, args []string) *exec.Cmd
	Temp    string        // folder of temporary files; the system's
	Memory  int64         // bytes of the data of a child; 384 MiB
	Disk    int64         // bytes of each temporary file; 1 GiB
	Pages   int           // statements for pages at a time; 2
	Files   int           // statements for files at a time; 1
	Waiting int           // statements that wait; 16
	Own     int           // of these, statements of one user; 4
	Wait    time.Duration // how long they wait; 10 s
}

func (o Options) withDefaults() Options {
	o.Memory = cmp.Or(o.Memory, 384<<20)
	o.Disk = cmp.Or(o.Disk, 1<<30)
	o.Pages = cmp.Or(o.Pages, 2)
	o.Files = cmp.Or(o.Files, 1)
	o.Waiting = cmp.Or(o.Waiting, 16)
	o.Own = cmp.Or(o.Own, 4)
	o.Wait = cmp.Or(o.Wait, 10*time.Second)
	return o
}

// ErrBusy means that other statements run, and that the wait for them is too long.
var ErrBusy = errors.New("statement: other statements are running")

// Question is a statement about a collection.
type Question struct {
	Collection string // folder
	Statement  string
	Format     string        // of query --sql
	Sources    string        // database of sources, or ""
	Limits     string        // what the reader may see: see contentdb.Limits; "" for everything
	NoIndex    bool          // read the shards: the index is not complete
	Time       time.Duration // limit, from when the child starts
	User       string        // the user, by account or address; "" is not limited
	File       bool          // all rows as a file, which may take long and must not keep pages waiting
}

// args are the arguments of query.
func (q Question) args() []string {
	args := []string{"--collection=" + q.Collection, "--format=" + q.Format, "--sql=" + q.Statement}
	if q.Sources != "" {
		args = append(args, "--sources="+q.Sources)
	}
	if q.NoIndex {
		args = append(args, "--no_index")
	}
	return args
}

// Runner runs statements. Several goroutines may use it.
type Runner struct {
	o            Options
	pages, files *queue
}

// New makes a runner. It starts nothing.
func New(o Options) *Runner {
	o = o.withDefaults()
	return &Runner{o: o, pages: newQueue(o.Pages, o), files: newQueue(o.Files, o)}
}

// Memory returns the limit of a child's data in bytes.
func (r *Runner) Memory() int64 { return r.o.Memory }

// Answer is the output of a child. It ends with io.EOF only if the child has answered completely, and otherwise with a
// *Failure or the cause of the context.
type Answer struct {
	out   *bufio.Reader
	child *child
	leave func()
}

// Start begins to answer a question, and waits for the first bytes of the answer. So mistakes in the statement are
// errors of Start, unless they appear only after some rows. The child ends with ctx.
func (r *Runner) Start(ctx context.Context, q Question) (*Answer, error) {
	turns := r.pages
	if q.File {
		turns = r.files
	}
	leave, err := turns.turn(ctx, q.User)
	if err != nil {
		return nil, err
	}
	c, err := r.start(ctx, q)
	if err != nil {
		leave()
		return nil, err
	}
	a := &Answer{out: bufio.NewReaderSize(c.out, 64<<10), child: c, leave: leave}
	if _, err := a.out.Peek(1); err != nil && err != io.EOF {
		a.Close()
		return nil, err
	} else if err == io.EOF {
		if err := c.verdict(); err != nil {
			a.Close()
			return nil, err
		}
	}
	return a, nil
}

// Read reads the answer.
func (a *Answer) Read(p []byte) (int, error) {
	n, err := a.out.Read(p)
	if err == nil {
		return n, nil
	}
	if failed := a.child.verdict(); failed != nil {
		return n, failed
	}
	return n, err
}

// Close ends the child and waits until it has ended.
func (a *Answer) Close() {
	a.child.end()
	a.leave()
}

// environment limits what a child uses by itself: it collects garbage before it reaches the limit of the system.
func (r *Runner) environment(temp string) []string {
	return []string{
		"GOMAXPROCS=2", "GOTRACEBACK=none", "GOMEMLIMIT=" + strconv.FormatInt(r.o.Memory/2, 10),
		"TMPDIR=" + temp, "SQLITE_TMPDIR=" + temp,
	}
}

// tempDir makes a folder for the files of a child.
func (r *Runner) tempDir() (string, error) {
	if r.o.Temp != "" {
		if err := os.MkdirAll(r.o.Temp, 0o700); err != nil {
			return "", fmt.Errorf("statement: %w", err)
		}
	}
	return os.MkdirTemp(r.o.Temp, "sql")
}
