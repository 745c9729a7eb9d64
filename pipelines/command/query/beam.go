package query

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/beam/contentio"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch/graphs"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&partFn{})
	beam.RegisterFunction(intoParts)
}

// parts is the number of files of a pipeline's answers, and so of concurrent writers.
const parts = 16

// find yields the answers of the collection, or of a pipeline over it.
func find(ctx context.Context, c config, db *contentdb.DB, columns []string) iter.Seq2[*schemas.Document, error] {
	if c.runner == "" {
		return db.Find(ctx, c.query, columns)
	}
	return func(yield func(*schemas.Document, error) bool) {
		// A unique folder keeps concurrent questions apart.
		f, dir := db.Folder(), path.Join(".gleaner", "query-"+folder.Unique())
		err, stopped := f.Make(dir), false
		if err == nil {
			err = findByBeam(ctx, c, f, dir, columns, func(d *schemas.Document, err error) bool {
				stopped = stopped || !yield(d, err)
				return !stopped
			})
			err = replacedUnder(err, db)
		}
		// yield must not be called again after it has returned false.
		if err = errors.Join(err, f.RemoveAll(dir)); err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// errEnough ends answers when the caller wants no more.
var errEnough = errors.New("query: enough")

// replacedUnder makes err ErrChanged if the collection was replaced while workers read it: runners pass on only the
// text of errors.
func replacedUnder(err error, db *contentdb.DB) error {
	if err == nil || errors.Is(err, holdings.ErrChanged) {
		return err
	}
	changed, failed := db.Changed()
	if strings.Contains(err.Error(), holdings.ErrChanged.Error()) || changed && failed == nil {
		return fmt.Errorf("%w: %w", holdings.ErrChanged, err)
	}
	return err
}

// findByBeam lets workers write the answers to dir, in the collection's hidden folder, which all of them reach. It
// sorts them here, because a PCollection has no order.
func findByBeam(
	ctx context.Context, c config, f folder.Folder, dir string, columns []string,
	yield func(*schemas.Document, error) bool,
) error {
	p, s := beam.NewPipelineWithRoot()
	found := contentio.Query(s, c.collection, c.query, columns...)
	// One call writes a part, so all answers of a key are grouped first, on the runner's disks.
	groups := beam.GroupByKey(s, beam.ParDo(s, intoParts, found))
	beam.ParDo0(s, &partFn{Collection: c.collection, Dir: dir}, groups)
	if err := graphs.Run(ctx, p, c.runner); err != nil {
		return err
	}
	// Decoding needs the other half of the memory.
	o := contentdb.Options{MemoryBytes: int(c.memory / 2)}
	// Beyond that memory, sorting uses the disk.
	for d, err := range contentdb.InOrder(ctx, o, c.query, readParts(f, dir)) {
		if err != nil {
			return err
		}
		if !yield(d, nil) {
			return nil
		}
	}
	return nil
}

// intoParts assigns answers to parts by their captures, so that a repeated worker writes the same part.
func intoParts(d schemas.Document) (int, []byte, error) {
	// Filename, offset and sequence identify a capture. FNV-1a is the same in every process.
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s %d %d", d.Filename, d.Offset, d.Sequence) // a hash never fails to write
	b, err := json.Marshal(d)
	return int(h.Sum32() % parts), b, err
}

type partFn struct{ Collection, Dir string }

// ProcessElement writes a complete part and then names it, replacing the part of an earlier attempt.
func (w *partFn) ProcessElement(ctx context.Context, part int, rows func(*[]byte) bool) (err error) {
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	f := folder.Open(ctx, w.Collection, store)
	defer func() { err = errors.Join(err, f.Close(), store.Close()) }()
	// A unique name for this attempt: workers may write the same part concurrently, and the last one wins with equal
	// rows.
	temp := path.Join(w.Dir, "."+folder.Unique())
	out, err := f.Create(temp)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(out, 64<<10)
	for row := []byte(nil); err == nil && rows(&row); row = nil {
		_, err = b.Write(append(row, '\n'))
	}
	if err = errors.Join(err, b.Flush(), out.Close()); err != nil {
		return err
	}
	// The final rename lets readParts see only complete parts.
	return f.Rename(temp, path.Join(w.Dir, fmt.Sprintf("part-%02d.jsonl", part)))
}

func readParts(f folder.Folder, dir string) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		// Temporary files of killed attempts begin with a dot.
		names, err := f.Names(dir)
		for _, name := range names {
			if err == nil && strings.HasPrefix(name, "part-") {
				err = readPart(f, path.Join(dir, name), yield)
			}
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

func readPart(f folder.Folder, name string, yield func(*schemas.Document, error) bool) (err error) {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	// InOrder keeps some documents, so each is new.
	for d := json.NewDecoder(bufio.NewReaderSize(in, 64<<10)); ; {
		doc := &schemas.Document{}
		switch err := d.Decode(doc); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !yield(doc, nil):
			return errEnough
		}
	}
}
