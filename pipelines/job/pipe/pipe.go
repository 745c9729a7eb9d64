// Package pipe writes the documents of a run to a stream, unit by unit, while the run goes on.
package pipe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/arrowstream"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// unitsAhead is how many units may be done before an earlier one ends. Their documents wait in the scratch folder.
const unitsAhead = 16

// Pipe writes documents of units in their order.
type Pipe struct {
	mu      sync.Mutex
	changed *sync.Cond
	next    int                        // ID of the first unit that is not written
	waiting map[int]schemas.UnitResult // done before an earlier one
	out     *bufio.Writer
	arrow   *arrowstream.Writer // nil for JSON lines
	failed  error
	cancel  context.CancelCauseFunc
}

// New returns a pipe to w, of JSON lines or of an Arrow stream. It calls cancel with the first error of w.
func New(w io.Writer, asArrow bool, cancel context.CancelCauseFunc) (p *Pipe, err error) {
	p = &Pipe{waiting: map[int]schemas.UnitResult{}, out: bufio.NewWriterSize(w, 64<<10), cancel: cancel}
	p.changed = sync.NewCond(&p.mu)
	if asArrow {
		p.arrow, err = arrowstream.NewWriter(p.out, nil)
	}
	return p, err
}

// Done takes a finished unit. It waits while too many units are ahead of one that is under way.
func (p *Pipe) Done(ctx context.Context, f folder.Folder, r schemas.UnitResult) error {
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
func (p *Pipe) write(f folder.Folder) error {
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
func (p *Pipe) fail(err error) {
	if p.failed == nil && err != nil {
		p.failed = err
		p.cancel(err)
	}
}

// Err returns the first error. Call it after the run.
func (p *Pipe) Err() error { return p.failed }

// unit writes the documents of a unit, empties their file, and logs the unit's rejects.
func (p *Pipe) unit(f folder.Folder, r schemas.UnitResult) error {
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
func (p *Pipe) flush() error {
	if p.arrow != nil {
		if err := p.arrow.Flush(); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *Pipe) copy(f folder.Folder, name string) (err error) {
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
		slog.Warn("reject", "filename", j.File, "offset", j.Offset, "bytes_lost", j.Lost, "kind", j.Kind, "message",
			j.Message)
	}
}

// End writes the units that the run added at its end, those of joined records, and ends the stream.
func (p *Pipe) End(f folder.Folder, m schemas.Manifest) error {
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
