package convert

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/captureindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// cdxReading reads sources into a sorter.
type cdxReading struct {
	config *cdxConfig
	base   string
	mu     sync.Mutex
	sorter *extsort.Sorter
	// Unreadable lines are counted. first is the earliest of them, which depends on the order of workers.
	rejects int64
	first   error
	outside []string // sources without an archive in base
}

// all reads sources, several at once. The sorter makes their order meaningless.
func (r *cdxReading) all(ctx context.Context, list []cdxSource) ([]captureindex.Source, error) {
	made, failed := make([]captureindex.Source, len(list)), make([]error, len(list))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	turns := make(chan int)
	var workers sync.WaitGroup
	for range cli.Workers(r.config.workers) {
		workers.Go(func() {
			for i := range turns {
				if ctx.Err() == nil {
					made[i], failed[i] = r.one(ctx, list[i])
				}
				// The first error ends the others.
				if failed[i] != nil {
					cancel(failed[i])
				}
			}
		})
	}
	for i := range list {
		turns <- i
	}
	close(turns)
	workers.Wait()
	return made, context.Cause(ctx)
}

// unreadStamp is the stamp of a source of which the system did not give a part. Sources as they are found have others,
// so that the next run reads it again.
const unreadStamp = "unreadable"

// errUnread is the kind of errors for such a part.
var errUnread = errors.New(unreadStamp)

// one reads a source.
func (r *cdxReading) one(ctx context.Context, s cdxSource) (captureindex.Source, error) {
	archives := map[string]bool{}
	last := []byte(nil)
	trimmed := r.base == ""
	add := func(line []byte) error {
		size := len(line)
		line = cdx.TrimDir(line, r.base)
		trimmed = trimmed || len(line) < size
		// Neighbours mostly name the same archive.
		if name := cdx.Filename(line); !bytes.Equal(name, last) {
			last = append(last[:0], name...)
			archives[string(name)] = true
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.sorter.Add(line, nil)
	}
	bad := func(err error) {
		if errors.Is(err, errUnread) {
			s.stamp = unreadStamp
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.rejects++
		if r.first == nil {
			r.first = fmt.Errorf("%s: %w", s.name, err)
		}
	}
	err := s.lines(ctx, s.name, add, bad)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.name, err)
	}
	if len(archives) > 0 && !trimmed {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.outside = append(r.outside, s.name)
	}
	return captureindex.Source{
		Name: s.name, Stamp: s.stamp, Path: s.path, Archives: slices.Sorted(maps.Keys(archives)),
	}, err
}

// clusterLines reads a ZipNum cluster.
func clusterLines(name string) func(context.Context, string, func([]byte) error, func(error)) error {
	return func(ctx context.Context, _ string, add func([]byte) error, bad func(error)) (err error) {
		x, err := zipnum.Open(name, zipnum.Options{Cache: 1})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, x.Close()) }()
		text := &cdxText{add: add, bad: bad}
		for i := range x.Blocks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			list, err := x.BlockLines(i)
			if err != nil {
				// The other blocks are still there.
				if _, is := blob.Unreadable(err); is {
					err = fmt.Errorf("%w: %w", errUnread, err)
				}
				bad(err)
				continue
			}
			for _, line := range list {
				if err := text.line(line); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// maxCDXLine limits a line of an index, in bytes.
const maxCDXLine = 1 << 20

// fileLines reads a file of CDXJ or CDX lines.
func fileLines(name string) func(context.Context, string, func([]byte) error, func(error)) error {
	return func(ctx context.Context, _ string, add func([]byte) error, bad func(error)) error {
		f, err := os.Open(schemas.PathOf(name))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // read only
		in, err := lines.NewReader(f, maxCDXLine)
		if err != nil {
			return err
		}
		text := &cdxText{add: add, bad: bad, place: in.Place}
		for {
			line, err := in.Next()
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case errors.Is(err, lines.ErrTooLong):
				bad(err)
				continue
			case err != nil:
				return err
			}
			if err := cmp.Or(ctx.Err(), text.line(line)); err != nil {
				return err
			}
		}
	}
}

// cdxText takes lines of an index. Those of CDXJ stay as they are, with all their fields. Others are written as CDXJ.
type cdxText struct {
	add    func([]byte) error
	bad    func(error)
	place  func(error) error // adds the position; nil if there is none
	legend []byte            // of columns, with its line end
}

func (t *cdxText) line(line []byte) error {
	if cdx.IsLine(line) {
		return t.add(line)
	}
	if cdx.IsLegend(line) {
		t.legend = append(bytes.Clone(line), '\n')
		return nil
	}
	// A reader for each line, because it knows all other forms: columns, JSON and comments.
	in := cdx.NewReader(io.MultiReader(bytes.NewReader(t.legend), bytes.NewReader(line)), cdx.Options{})
	l, err := in.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil && surtOf(&l) != "":
		l.SURT = surtOf(&l)
		return t.add(bytes.TrimSuffix(l.AppendTo(nil), []byte("\n")))
	case err == nil:
		err = fmt.Errorf("%w: no key", cdx.ErrFormat)
	}
	// The position in the file instead of the one in this line.
	if in := (*lines.Error)(nil); errors.As(err, &in) {
		err = in.Err
	}
	if t.place != nil {
		err = t.place(err)
	}
	t.bad(err)
	return nil
}

// surtOf is the key of a line that is not CDXJ. Keys of columns may be URLs without a scheme, which no search finds. A
// SURT has a bracket after its host.
func surtOf(l *cdx.Line) string {
	host, _, _ := strings.Cut(l.SURT, "/")
	if l.URL != "" && !strings.Contains(host, ")") {
		return urlkey.SURT(l.URL)
	}
	return l.SURT
}

// collectionLines reads the shards of captures.
func collectionLines(part holdings.Part) func(context.Context, string, func([]byte) error, func(error)) error {
	return func(ctx context.Context, _ string, add func([]byte) error, _ func(error)) error {
		for l, err := range part.Captures(ctx) {
			if err != nil {
				return err
			}
			if l.SURT == "" {
				continue // nothing can look it up
			}
			if err := add(bytes.TrimSuffix(l.AppendTo(nil), []byte("\n"))); err != nil {
				return err
			}
		}
		return nil
	}
}
