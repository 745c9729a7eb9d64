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

// OutlinesFile is where the outlines of a collection's shards are kept, so that a query opens only the shards that may
// have an answer: opening all takes longer than most answers. It is made by the first query that opens them all. It is
// derived from the shards and may be removed at any time, and must be where no byte of a page may stay: it has SURTs
// and URLs as bounds. Collections in buckets have none, since a query writes
// nothing there.
const OutlinesFile = ".gleaner/outlines.json"

// outlinesVersion is that of the file's form; others are not read.
const outlinesVersion = 1

// outlinesFile is what it holds.
type outlinesFile struct {
	Version  int                `json:"version"`
	Outlines map[string]Outline `json:"outlines"` // by the SHA-256 of the shards
}

// spare is how many outlines of shards that are not asked may stay in the file, beside as many as there are shards:
// other snapshots of the collection have them.
const spare = 1000

// footerBytes bounds the footers that are kept in memory.
const footerBytes = 64 << 20

// remoteGap is what a request to a bucket costs, in bytes that could be read meanwhile.
const remoteGap = 256 << 10

// Shards are the Parquet shards of a collection, or some of them. They may be used by several goroutines. A shard that
// is not as long as the manifest says is holdings.ErrChanged.
type Shards struct {
	folder folder.Folder
	list   []schemas.Shard
	gap    int64
	remote bool

	// Over the three below; files are opened and read outside of it.
	mu       sync.Mutex
	outlines map[string]Outline // by SHA-256
	kept     map[string]*File   // footers, likewise
	bytes    int                // of these
}

// NewShards takes shards of a folder, all of Parquet. No shard is opened before it is asked for.
func NewShards(f folder.Folder, list []schemas.Shard) *Shards {
	s := &Shards{folder: f, list: list, kept: map[string]*File{}, remote: blob.IsRemote(f.Path(""))}
	// Reads in a bucket cost a request each: pages that lie near are read together.
	if s.remote {
		s.gap = remoteGap
	}
	s.outlines = readOutlines(f)
	return s
}

// maxOutlines bounds the file in bytes: some 500 a shard.
const maxOutlines = 256 << 20

// readOutlines reads the file. One that is not there, or not what it was, tells nothing: it is made again.
func readOutlines(f folder.Folder) map[string]Outline {
	none := map[string]Outline{}
	in, err := f.Open(OutlinesFile)
	if err != nil {
		return none
	}
	defer func() { _ = in.Close() }() // it is only read
	if in.Size() > maxOutlines {
		return none
	}
	// Bounded by maxOutlines, which was asked before.
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

// writeOutlines keeps the outlines of all shards. That it cannot, as in a folder that is only read, is no error.
func (s *Shards) writeOutlines() {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := outlinesFile{outlinesVersion, s.outlines}
	// Shards that are gone are forgotten only now and then: a query of an older snapshot would have to
	// open its shards again.
	if len(s.outlines) > 2*len(s.list)+spare {
		file.Outlines = map[string]Outline{}
		for _, shard := range s.list {
			if o, ok := s.outlines[shard.SHA256]; ok {
				file.Outlines[shard.SHA256] = o
			}
		}
	}
	if b, err := json.Marshal(file); err == nil {
		// Two processes may write: each file is whole, and the last one stays. What it lacks is learnt
		// again.
		_ = s.folder.Write(OutlinesFile, b)
	}
}

// Rows yields the rows of all shards that where takes, shard by shard, as File.Rows does. Columns are those of the
// documents, nil for all.
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

// In yields the rows of one shard that where takes, as File.Rows does.
func (s *Shards) In(
	ctx context.Context, shard schemas.Shard, where query.Expr, columns []string,
) iter.Seq2[Row, error] {
	return s.each(shard, func(f *File) iter.Seq2[Row, error] { return f.Rows(ctx, where, columns) })
}

// At yields rows of one shard by their ascending numbers, as File.At does.
func (s *Shards) At(ctx context.Context, shard schemas.Shard, rows []int64, columns []string) iter.Seq2[Row, error] {
	return s.each(shard, func(f *File) iter.Seq2[Row, error] { return f.At(ctx, rows, columns) })
}

// each yields what rows gives of a shard that is opened for it.
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

// Chosen are the shards that where may take rows of, in their order, by their outlines. Shards whose outlines are not
// known are opened for that, and the outlines kept.
func (s *Shards) Chosen(ctx context.Context, where query.Expr) (chosen []schemas.Shard, err error) {
	// Columns that outlines lack are left to documents here, which exclude nothing.
	filter := newFilter(outlines, where)
	learnt := false
	for _, shard := range s.list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.mu.Lock()
		// By the hash of the bytes, so that an outline stays right when shards are renamed or compacted away.
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
	// Once for the whole query, and not once a shard.
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
		// Two goroutines may learn the same shard at once: both come to the same outline.
		s.outlines[shard.SHA256] = o
		s.mu.Unlock()
	}
	return o, err
}

// open opens a shard for the time of a call, with the footer that is kept of it, if any.
func (s *Shards) open(shard schemas.Shard, do func(*File) error) error {
	in, err := s.folder.Open(shard.Name)
	if err != nil {
		return fmt.Errorf("parquetscan: %w", err)
	}
	// A shard that was replaced since the manifest was read; bytes are compared elsewhere, when a
	// collection is verified.
	if in.Size() != shard.Bytes {
		return errors.Join(fmt.Errorf("%w: %s", holdings.ErrChanged, s.folder.Path(shard.Name)), in.Close())
	}
	f, err := s.footer(shard, in)
	if err == nil {
		err = do(f)
	}
	_ = in.Close() // it is only read
	if err != nil {
		return fmt.Errorf("%s: %w", s.folder.Path(shard.Name), err)
	}
	return nil
}

// footer is the file with a footer that is kept, or read and kept. When there are too many, all are forgotten.
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
	// Read outside of the lock: several shards are opened at once.
	f, err := Open(in, in.Size(), Options{Gap: s.gap})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes += len(f.footer); s.bytes > footerBytes {
		s.bytes = len(f.footer)
		// No list of who was used last: a query goes over all shards in order, and would throw out what it
		// needs next.
		clear(s.kept)
	}
	keep := *f
	keep.r = nil
	s.kept[shard.SHA256] = &keep
	return f, nil
}
