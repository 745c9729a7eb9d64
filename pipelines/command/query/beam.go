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
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&partFn{})
	beam.RegisterFunction(intoParts)
}

// parts is how many files a pipeline's answers come in: so many workers write at the same time.
const parts = 16

// find yields the answers: of the collection, or of a pipeline that asks it.
func find(ctx context.Context, c config, db *contentdb.DB, columns []string) iter.Seq2[*schemas.Document, error] {
	if c.runner == "" {
		return db.Find(ctx, c.query, columns)
	}
	return func(yield func(*schemas.Document, error) bool) {
		// A folder of this run's own, so that two questions at a time do not see each other's parts.
		f, dir := db.Folder(), path.Join(".gleaner", "query-"+folder.Unique())
		err, stopped := f.Make(dir), false
		if err == nil {
			err = findByBeam(ctx, c, f, dir, columns, func(d *schemas.Document, err error) bool {
				stopped = stopped || !yield(d, err)
				return !stopped
			})
			err = replacedUnder(err, db)
		}
		// Who has stopped must not be called again.
		if err = errors.Join(err, f.RemoveAll(dir)); err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// errEnough ends answers that nobody wants more of.
var errEnough = errors.New("query: enough")

// replacedUnder makes an error of workers ErrChanged where the collection was replaced while they read it: runners give
// texts of errors alone.
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

// findByBeam has workers write the answers to dir, in the collection's hidden folder, which is a place that all of them
// reach, and puts them into order here: a PCollection has none.
func findByBeam(
	ctx context.Context, c config, f folder.Folder, dir string, columns []string,
	yield func(*schemas.Document, error) bool,
) error {
	p, s := beam.NewPipelineWithRoot()
	found := contentio.Query(s, c.collection, c.query, columns...)
	// A part is written by one call, so all answers of a key are gathered first; a runner keeps them on its disks.
	groups := beam.GroupByKey(s, beam.ParDo(s, intoParts, found))
	beam.ParDo0(s, &partFn{Collection: c.collection, Dir: dir}, groups)
	if _, err := run.Pipeline(ctx, p, c.runner); err != nil {
		return err
	}
	// Half of the memory, as open has it: decoding needs some as well.
	o := contentdb.Options{MemoryBytes: int(c.memory / 2)}
	// The parts are read as a stream: what waits to be sorted goes to the disk beyond that memory.
	for d, err := range contentdb.InOrder(ctx, o, c.query, readParts(f, dir)) {
		if err != nil {
			return err
		}
		// The caller has enough: that is not an error. The parts are removed by find.
		if !yield(d, nil) {
			return nil
		}
	}
	return nil
}

// intoParts divides the answers by what they are, so that a worker that is started again writes the same part again.
func intoParts(d schemas.Document) (int, []byte, error) {
	// Filename, offset and sequence name a capture. FNV-1a is the same in every process, which Go's own hash of maps is
	// not.
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s %d %d", d.Filename, d.Offset, d.Sequence) // a hash takes everything
	b, err := json.Marshal(d)
	return int(h.Sum32() % parts), b, err
}

// partFn writes parts.
type partFn struct{ Collection, Dir string }

// ProcessElement writes a part, which has its name when it is whole; it replaces one that an earlier try has written.
func (w *partFn) ProcessElement(ctx context.Context, part int, rows func(*[]byte) bool) (err error) {
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	f := folder.Open(ctx, w.Collection, store)
	defer func() { err = errors.Join(err, f.Close(), store.Close()) }()
	// A name of this try's own: two workers may be given the same part at a time, and the last one to finish wins with
	// equal rows.
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
	// A rename is the last step: readParts sees whole parts only.
	return f.Rename(temp, path.Join(w.Dir, fmt.Sprintf("part-%02d.jsonl", part)))
}

// readParts yields what is in the parts.
func readParts(f folder.Folder, dir string) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		// Temporary names of tries that were killed begin with a dot, and are not read.
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
	// A new document for each: InOrder keeps some of them.
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
