package parquetscan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// OutlinesFile caches the outlines of a collection's shards, so that a query opens only shards that may match: opening
// all takes longer than most answers. The first query that opens all shards makes it. It may be removed at any time. It
// has SURTs and URLs as bounds, so it must be removed with pages that were taken down. Collections in buckets have
// none, because queries do not write there.
const OutlinesFile = ".gleaner/outlines.json"

// outlinesVersion is the version of the file; others are ignored.
const outlinesVersion = 1

type outlinesFile struct {
	Version  int                `json:"version"`
	Outlines map[string]Outline `json:"outlines"` // by the SHA-256 of the shards
}

// spare is how many outlines of other shards may stay in the file, beside as many as there are shards. Other snapshots
// of the collection need them.
const spare = 1000

// footerBytes limits the cached footers.
const footerBytes = 64 << 20

// remoteGap is the cost of a request to a bucket, in bytes that could be read meanwhile.
const remoteGap = 256 << 10

// Shards are Parquet shards of a collection. Several goroutines may use them. A shard whose size differs from the
// manifest is holdings.ErrChanged.
type Shards struct {
	// Current reports whether the shards are still those of the manifest. If not, their outlines are not kept, because
	// pages may have been taken down. nil for always.
	Current func() bool

	folder folder.Folder
	list   []schemas.Shard
	gap    int64
	remote bool

	// Protects the fields below; files are opened and read without it.
	mu       sync.Mutex
	outlines map[string]Outline // by SHA-256
	kept     map[string]*File   // footers, by SHA-256
	bytes    int                // of kept
}

// NewShards returns Shards of Parquet files in a folder. They are opened on demand.
func NewShards(f folder.Folder, list []schemas.Shard) *Shards {
	s := &Shards{folder: f, list: list, kept: map[string]*File{}, remote: blob.IsRemote(f.Path(""))}
	// In a bucket each read is a request, so nearby pages are read together.
	if s.remote {
		s.gap = remoteGap
	}
	s.outlines = readOutlines(f)
	return s
}

// maxOutlines limits the file, in bytes: about 500 a shard.
const maxOutlines = 256 << 20

// readOutlines reads the file. A missing or damaged file is made again.
func readOutlines(f folder.Folder) map[string]Outline {
	none := map[string]Outline{}
	in, err := f.Open(OutlinesFile)
	if err != nil {
		return none
	}
	defer func() { _ = in.Close() }() // only read
	if in.Size() > maxOutlines {
		return none
	}
	b := make([]byte, in.Size())
	if err := readAt(in, b, 0); err != nil {
		return none
	}
	var file outlinesFile
	if err := json.Unmarshal(b, &file); err != nil || file.Version != outlinesVersion || file.Outlines == nil {
		return none
	}
	return file.Outlines
}

// writeOutlines stores the outlines of all shards. Failing, for example in a read-only folder, is not an error.
func (s *Shards) writeOutlines() {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := outlinesFile{outlinesVersion, s.outlines}
	// Outlines of removed shards are dropped rarely, because queries of older snapshots would have to open these
	// shards.
	if len(s.outlines) > 2*len(s.list)+spare {
		file.Outlines = map[string]Outline{}
		for _, shard := range s.list {
			if o, ok := s.outlines[shard.SHA256]; ok {
				file.Outlines[shard.SHA256] = o
			}
		}
	}
	if b, err := json.Marshal(file); err == nil {
		// Several processes may write: each file is complete, and the last one stays.
		_ = s.folder.Write(OutlinesFile, b)
	}
	// After writing, so that either this or a takedown removes the file.
	if s.Current != nil && !s.Current() {
		_ = s.folder.Remove(OutlinesFile)
	}
}

// Rows yields the rows of all shards that match where, shard by shard, as File.Rows does; columns nil means all.
func (s *Shards) Rows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		chosen, err := s.Chosen(ctx, where)
		if err != nil {
			yield(Row{}, err)
			return
		}
		for _, shard := range chosen {
			for r, err := range s.In(ctx, shard, where, columns) {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// In yields the rows of one shard that match where, as File.Rows does.
func (s *Shards) In(
	ctx context.Context, shard schemas.Shard, where query.Expr, columns []string,
) iter.Seq2[Row, error] {
	return s.each(shard, func(f *File) iter.Seq2[Row, error] { return f.Rows(ctx, where, columns) })
}

// At yields rows of one shard by their ascending numbers, as File.At does.
func (s *Shards) At(ctx context.Context, shard schemas.Shard, rows []int64, columns []string) iter.Seq2[Row, error] {
	return s.each(shard, func(f *File) iter.Seq2[Row, error] { return f.At(ctx, rows, columns) })
}

// each opens a shard and yields what rows returns for it.
func (s *Shards) each(shard schemas.Shard, rows func(*File) iter.Seq2[Row, error]) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		more := true
		err := s.open(shard, func(f *File) error {
			for r, err := range rows(f) {
				if err != nil {
					return err
				}
				if more = yield(r, nil); !more {
					return nil
				}
			}
			return nil
		})
		if err != nil && more {
			yield(Row{}, err)
		}
	}
}

// Chosen returns the shards that may have rows matching where, in order, by their outlines. It opens shards without a
// known outline.
func (s *Shards) Chosen(ctx context.Context, where query.Expr) (chosen []schemas.Shard, err error) {
	// Columns without outlines exclude nothing.
	filter := newFilter(outlines, where)
	learnt := false
	for _, shard := range s.list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.mu.Lock()
		// By hash, so that an outline stays valid when shards are renamed or compacted.
		o, known := s.outlines[shard.SHA256]
		s.mu.Unlock()
		if !known {
			if o, err = s.learn(shard); err != nil {
				return nil, err
			}
			learnt = true
		}
		if !o.excludes(filter) {
			chosen = append(chosen, shard)
		}
	}
	// Once a query, not once a shard.
	if learnt && !s.remote {
		s.writeOutlines()
	}
	return chosen, nil
}

// learn makes the outline of a shard.
func (s *Shards) learn(shard schemas.Shard) (o Outline, err error) {
	err = s.open(shard, func(f *File) error {
		o, err = f.Outline()
		return err
	})
	if err == nil {
		s.mu.Lock()
		// Another goroutine may have stored the same outline.
		s.outlines[shard.SHA256] = o
		s.mu.Unlock()
	}
	return o, err
}

// open opens a shard for the call of do, with its cached footer if possible.
func (s *Shards) open(shard schemas.Shard, do func(*File) error) error {
	in, err := s.folder.Open(shard.Name)
	if err != nil {
		return fmt.Errorf("parquetscan: %w", err)
	}
	// The shard was replaced since the manifest was read. Its bytes are only compared when a collection is verified.
	if in.Size() != shard.Bytes {
		return errors.Join(fmt.Errorf("%w: %s", holdings.ErrChanged, s.folder.Path(shard.Name)), in.Close())
	}
	f, err := s.footer(shard, in)
	if err == nil {
		err = do(f)
	}
	_ = in.Close() // only read
	if err != nil {
		return fmt.Errorf("%s: %w", s.folder.Path(shard.Name), err)
	}
	return nil
}

// footer returns a file with a cached footer, or reads and caches it. If there are too many, all are dropped.
func (s *Shards) footer(shard schemas.Shard, in folder.Reader) (*File, error) {
	s.mu.Lock()
	f := s.kept[shard.SHA256]
	s.mu.Unlock()
	if f != nil {
		// A copy with a source of its own: the one that is kept has none, since its file was closed.
		now := *f
		now.r = in
		return &now, nil
	}
	// Without the lock, because several shards may be opened at once.
	f, err := Open(in, in.Size(), Options{Gap: s.gap})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes += len(f.footer); s.bytes > footerBytes {
		s.bytes = len(f.footer)
		// Not the least recently used: a query visits all shards in order, and would drop what it needs next.
		clear(s.kept)
	}
	keep := *f
	keep.r = nil
	s.kept[shard.SHA256] = &keep
	return f, nil
}
