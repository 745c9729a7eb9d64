package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/gleaner-web/gleaner/io/collection/arrowstream"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	stdout = "-"     // as --output
	arrow  = "arrow" // as --format
)

// unitsAhead is how many units may be done before an earlier one ends. Their documents wait in the scratch folder.
const unitsAhead = 16

// readPiped reads --output=- and its formats.
func (c *config) readPiped(f *run.Flags) error {
	r := &c.request
	c.said, c.piped = os.Stdout, r.Output == stdout
	if !c.piped {
		if slices.Contains(r.Formats, arrow) {
			return cli.Usagef("--format=arrow is a stream: it needs --output=-")
		}
		return nil
	}
	c.said, c.arrow = os.Stderr, slices.Equal(r.Formats, []string{arrow})
	if !c.arrow && !slices.Equal(r.Formats, []string{holdings.FormatJSONL}) {
		return cli.Usagef("--output=-: --format=jsonl or arrow, one of them, goes to standard output")
	}
	for _, name := range []string{"add", "fresh", "watch", "prune", "compression", "report"} {
		if f.Given(name) {
			return cli.Usagef("--%s is for folders, and --output=- writes none", name)
		}
	}
	if f.Runner() != run.Local {
		return cli.Usagef("--output=- needs --runner=local: other runners' workers have no standard output")
	}
	r.Formats, r.Compression = []string{holdings.FormatJSONL}, string(jsonl.None)
	return nil
}

// piped does a run in a scratch folder, and writes the documents of each unit to standard output. They are in the order
// of the plan, so that a command writes the same bytes each time.
func piped(ctx context.Context, c config) (code int, err error) {
	dir, remove, err := folder.Scratch("ingest")
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	c.request.Output = filepath.Join(dir, "out")
	// An error of the output is no unit's, so it ends the run as an interrupt does.
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p, err := newPipe(os.Stdout, c.arrow, cancel)
	if err != nil {
		return cli.ExitFailed, err
	}
	c.request.Done = p.done
	code, m, err := once(running, c)
	switch {
	case errors.Is(p.failed, syscall.EPIPE): // head has enough
		return cli.ExitDone, nil
	case p.failed != nil:
		return cli.ExitFailed, p.failed
	case err != nil || m == nil:
		return code, err
	}
	f := folder.Open(ctx, c.request.Output, nil)
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := p.end(f, *m); err != nil && !errors.Is(err, syscall.EPIPE) {
		return cli.ExitFailed, err
	}
	return code, nil
}

// pipe writes documents of units in their order.
type pipe struct {
	mu      sync.Mutex
	changed *sync.Cond
	next    int                        // ID of the first unit that is not written
	waiting map[int]schemas.UnitResult // done before an earlier one
	out     *bufio.Writer
	arrow   *arrowstream.Writer // nil for JSON lines
	failed  error
	cancel  context.CancelCauseFunc
}

func newPipe(w io.Writer, asArrow bool, cancel context.CancelCauseFunc) (p *pipe, err error) {
	p = &pipe{waiting: map[int]schemas.UnitResult{}, out: bufio.NewWriterSize(w, 64<<10), cancel: cancel}
	p.changed = sync.NewCond(&p.mu)
	if asArrow {
		p.arrow, err = arrowstream.NewWriter(p.out, nil)
	}
	return p, err
}

// done takes a finished unit. It waits while too many units are ahead of one that is under way.
func (p *pipe) done(ctx context.Context, f folder.Folder, r schemas.UnitResult) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[r.ID] = r
	if err := p.write(f); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.changed.Broadcast()
	})()
	for p.failed == nil && ctx.Err() == nil && r.ID > p.next+unitsAhead {
		p.changed.Wait()
	}
	return errors.Join(p.failed, context.Cause(ctx))
}

// write writes the units whose turn it is.
func (p *pipe) write(f folder.Folder) error {
	for p.failed == nil {
		r, is := p.waiting[p.next]
		if !is {
			return nil
		}
		delete(p.waiting, p.next)
		p.next++
		p.fail(p.unit(f, r))
		p.changed.Broadcast()
	}
	return p.failed
}

// fail keeps the first error and ends the run.
func (p *pipe) fail(err error) {
	if p.failed == nil && err != nil {
		p.failed = err
		p.cancel(err)
	}
}

// unit writes the documents of a unit, empties their file, and logs the unit's rejects.
func (p *pipe) unit(f folder.Folder, r schemas.UnitResult) error {
	for _, s := range r.Shards {
		var err error
		switch name, _ := holdings.ParseName(s.Name); name.Kind {
		case holdings.KindDocuments:
			if err = p.copy(f, s.Name); err == nil {
				err = empty(f.Path(s.Name), s.Bytes)
			}
		case holdings.KindRejects:
			err = logRejects(f, s.Name)
		}
		if err != nil {
			return err
		}
	}
	return p.flush()
}

// empty frees the blocks of a file. It stays, with its size, because the commit looks for it.
func empty(name string, size int64) error {
	return errors.Join(os.Truncate(name, 0), os.Truncate(name, size))
}

// flush sends what waits, so that readers need not wait for the next unit.
func (p *pipe) flush() error {
	if p.arrow != nil {
		if err := p.arrow.Flush(); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *pipe) copy(f folder.Folder, name string) (err error) {
	r, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if p.arrow == nil {
		_, err = io.Copy(p.out, r)
		return err
	}
	for d := json.NewDecoder(r); ; {
		var doc schemas.Document
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := p.arrow.Write(&doc); err != nil {
			return err
		}
	}
}

// logRejects logs the rejects of a unit, since nobody will find their file.
func logRejects(f folder.Folder, name string) (err error) {
	r, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for d := json.NewDecoder(r); ; {
		var j schemas.Reject
		if err := d.Decode(&j); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		slog.Warn("reject", "filename", j.File, "offset", j.Offset, "bytes_lost", j.Lost, "kind", j.Kind, "message", j.Message)
	}
}

// end writes the units that the run added at its end, those of joined records, and ends the stream.
func (p *pipe) end(f folder.Folder, m schemas.Manifest) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range m.Units {
		if u.ID >= p.next && p.failed == nil {
			p.fail(p.unit(f, u))
		}
	}
	if p.arrow != nil && p.failed == nil {
		p.fail(p.arrow.Close())
	}
	if p.failed == nil {
		p.fail(p.out.Flush())
	}
	return p.failed
}
