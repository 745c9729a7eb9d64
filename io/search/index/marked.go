package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// marked are the shards of a part, each with its hash and the mark of what its revisits have of their originals, which
// may be in other shards: where that has changed, the shard is another to the index, and is read again.
type marked struct {
	part   holdings.Part
	shards []schemas.Shard
	set    *revisit.Set
	read   bool // set was
}

// markSign is between the hash of a shard and its mark.
const markSign = "+"

// unmarked is a shard as the collection has it.
func unmarked(s schemas.Shard) schemas.Shard {
	s.SHA256, _, _ = strings.Cut(s.SHA256, markSign)
	return s
}

// marksName is the file that marks are kept in, by a hash of the shards that they are of: to make them is to read some
// columns of the whole collection. It is made again when it is not there.
const marksName = "revisits.json"

// marks is what it holds.
type marks struct {
	Of     string            `json:"of"`
	Shards map[string]string `json:"shards"` // marks by names
}

// marked gives the shards of a part their marks.
func (x *Index) marked(ctx context.Context, part holdings.Part) (*marked, error) {
	m := &marked{part: part, shards: part.DocumentShards(), read: x.options.NoRevisits}
	if m.read {
		return m, nil
	}
	// Names, hashes and sizes say which shards the kept marks are of; for any others they are made again.
	hash := sha256.New()
	for _, s := range m.shards {
		_, _ = fmt.Fprintf(hash, "%q %s %d\n", s.Name, s.SHA256, s.Bytes) // a hash takes all
	}
	of := hex.EncodeToString(hash.Sum(nil))
	kept := x.readMarks()
	if kept.Of != of {
		// A shard that cannot be read is told of when its turn comes, and keeps no other out.
		if err := m.fill(ctx); err != nil {
			return m, ctx.Err()
		}
		kept = marks{Of: of, Shards: map[string]string{}}
		for _, s := range m.shards {
			// Shards in which nothing is filled have no entry.
			if mark := m.set.Version(s.Name); mark != "" {
				kept.Shards[s.Name] = mark
			}
		}
		x.writeMarks(ctx, kept)
	}
	for i, s := range m.shards {
		// Another mark makes another hash, so that the index takes the shard for a changed one.
		if mark := kept.Shards[s.Name]; mark != "" {
			m.shards[i].SHA256 += markSign + mark
		}
	}
	return m, nil
}

// fill reads what revisits have of their originals, once.
func (m *marked) fill(ctx context.Context) error {
	if m.read {
		return nil
	}
	// Set before the attempt, so that a collection that cannot be read is read only once.
	m.read = true
	// Most collections have none, and their manifest says so.
	if all, err := holdings.ReadTotals(m.part.Folder); err == nil && !revisit.Has(all) {
		return nil
	}
	set, err := revisit.Read(ctx, m.part.Folder, m.shards)
	m.set = set
	return err
}

// fills is what the revisits of a shard are filled from; nil where it has none.
func (m *marked) fills(ctx context.Context, s schemas.Shard) (*revisit.Set, error) {
	// Without a mark nothing is filled, and the Set need not be read.
	if !strings.Contains(s.SHA256, markSign) {
		return nil, nil
	}
	err := m.fill(ctx)
	return m.set, err
}

// Behind is how many shards the index lacks, has as they were, or has and are gone.
func (x *Index) Behind(ctx context.Context, part holdings.Part) (n int, err error) {
	m, err := x.marked(ctx, part)
	if err != nil {
		return 0, err
	}
	return x.behind(ctx, m)
}

// after is Behind of shards that have their marks.
func (x *Index) behind(ctx context.Context, m *marked) (n int, err error) {
	list, err := x.knownShards(ctx)
	if isStale(err) {
		// It would be made again: all are missing.
		return len(m.shards), nil
	}
	for _, s := range m.shards {
		if !list[s.Name].is(s) {
			n++
		}
		// What is left at the end is in the index alone.
		delete(list, s.Name)
	}
	return n + len(list), err
}

// documents yields those of a shard with what the index has of them. Of Parquet no more than that is read: main_html is
// most of a file.
func (u *updater) documents(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		set, err := u.fills(ctx, s)
		if err != nil {
			yield(nil, err)
			return
		}
		// The collection knows the shard by its hash without the mark.
		for d, err := range u.stored(ctx, unmarked(s)) {
			if err == nil {
				set.Fill(d)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// stored yields the documents of a shard as they are there.
func (u *updater) stored(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	// Lines have no columns to choose from, and are read whole.
	if !strings.HasSuffix(s.Name, ".parquet") {
		return holdings.Part{Folder: u.part.Folder, Shards: []schemas.Shard{s}}.Documents(ctx)
	}
	rows := parquetscan.NewShards(u.part.Folder, []schemas.Shard{s}).Rows(ctx, nil, u.columns)
	return func(yield func(*schemas.Document, error) bool) {
		for row, err := range rows {
			if !yield(row.Document, err) {
				return
			}
		}
	}
}

// readMarks reads the file; what is wrong with it only costs time.
func (x *Index) readMarks() (m marks) {
	// A file that is missing gives no marks, like one that is damaged.
	data, err := os.ReadFile(filepath.Join(x.place.dir, marksName))
	if err == nil && json.Unmarshal(data, &m) != nil {
		return marks{}
	}
	return m
}

// writeMarks writes it, where something can be written.
func (x *Index) writeMarks(ctx context.Context, m marks) {
	if x.place.frozen {
		return
	}
	if data, err := json.Marshal(m); err == nil {
		_ = folder.Open(ctx, x.place.dir, nil).Write(marksName, data) // the next one makes them again
	}
}
