package contentdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// scan yields the rows of the shards that a question has to look at: those that its filter takes, or with a moment all
// that were captured by then, since a version that the filter does not take hides older ones.
func (db *DB) scan(ctx context.Context, q query.Query, columns []string) iter.Seq2[candidate, error] {
	test := query.Compile(q.Where)
	return func(yield func(candidate, error) bool) {
		read := q.Where
		if !q.At.IsZero() {
			read = nil
		}
		for d, err := range db.rows(ctx, read, columns) {
			if err != nil {
				yield(candidate{}, err)
				return
			}
			r := candidate{d: d, taken: test(d)}
			if !q.At.IsZero() && query.KeyOf(d).Timestamp.After(q.At) || q.At.IsZero() && !r.taken {
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// rows yields the documents that where may take, with the columns at least. Their order means nothing.
func (db *DB) rows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	if columns == nil {
		columns = Columns()
	}
	return func(yield func(*schemas.Document, error) bool) {
		for _, s := range db.columnar {
			for d, err := range db.parquet(ctx, s, where, columns) {
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
		for d, err := range db.lines.Documents(ctx) {
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// divide tells the shards of documents that are Parquet from those of JSON lines. Of a unit that has both the Parquet is
// taken, which is read by the columns that are asked for.
func divide(p collection.Part) (columnar []schemas.Shard, lines collection.Part) {
	has := map[string]bool{}
	for _, s := range p.Shards {
		if unit, ok := parquetUnit(s); ok {
			columnar = append(columnar, s)
			has[unit] = true
		}
	}
	lines = collection.Part{Folder: p.Folder}
	for _, s := range p.Shards {
		unit, _, _ := strings.Cut(s.Name, ".")
		if _, isParquet := parquetUnit(s); !isParquet && !has[unit] {
			lines.Shards = append(lines.Shards, s)
		}
	}
	return columnar, lines
}

// parquetUnit is the beginning of the name of a Parquet shard, which is the same in each format of a unit's documents.
func parquetUnit(s schemas.Shard) (string, bool) { return strings.CutSuffix(s.Name, ".parquet") }

// parquet yields the rows of one shard.
func (db *DB) parquet(
	ctx context.Context, s schemas.Shard, where query.Expr, columns []string,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		f, release, err := db.files.open(s)
		if err != nil {
			yield(nil, fmt.Errorf("contentdb: %s: %w", s.Name, err))
			return
		}
		defer release()
		for r, err := range f.Rows(ctx, where, columns) {
			if err != nil {
				yield(nil, fmt.Errorf("contentdb: %s: %w", s.Name, err))
				return
			}
			if !yield(r.Document, nil) {
				return
			}
		}
	}
}

// maxFiles is how many Parquet files stay open between questions. What is kept of each is its footer, 100 KB or so of an
// ordinary shard, which often takes longer to read than the answer.
const maxFiles = 256

// files are Parquet shards that are open.
type files struct {
	f    folder.Folder
	o    parquetscan.Options
	slot chan struct{} // guards kept
	kept map[string]*openFile
}

type openFile struct {
	in   folder.Reader
	file *parquetscan.File
}

func newFiles(f folder.Folder) *files {
	l := &files{f: f, slot: make(chan struct{}, 1), kept: map[string]*openFile{}}
	if blob.IsRemote(f.Path("")) {
		l.o.Gap = 256 << 10 // as long as a request takes
	}
	return l
}

// open opens a shard, or gives the one that is open. The caller calls release when it has read.
func (l *files) open(s schemas.Shard) (f *parquetscan.File, release func(), err error) {
	l.slot <- struct{}{}
	defer func() { <-l.slot }()
	if o := l.kept[s.Name]; o != nil {
		return o.file, func() {}, nil
	}
	in, err := l.f.Open(s.Name)
	if err != nil {
		return nil, nil, err
	}
	if in.Size() != s.Bytes {
		err = fmt.Errorf("%w: %d bytes, and its unit wrote %d", collection.ErrChanged, in.Size(), s.Bytes)
	} else {
		f, err = parquetscan.Open(in, in.Size(), l.o)
	}
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
	}
	if len(l.kept) < maxFiles {
		l.kept[s.Name] = &openFile{in, f}
		return f, func() {}, nil
	}
	return f, func() { _ = in.Close() }, nil // it was only read
}

func (l *files) close() error {
	var err error
	for _, o := range l.kept {
		err = errors.Join(err, o.in.Close())
	}
	clear(l.kept)
	return err
}
