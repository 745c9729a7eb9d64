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

// marked are the shards of a collection, each with its hash and a mark of what its revisits take from their originals.
// If originals in other shards change, so does the mark, and the index reads the shard again.
type marked struct {
	part   holdings.Part
	shards []schemas.Shard
	set    *revisit.Set
	read   bool // set has been read
}

// markSign separates the hash of a shard from its mark.
const markSign = "+"

// unmarked returns a shard without its mark.
func unmarked(s schemas.Shard) schemas.Shard {
	s.SHA256, _, _ = strings.Cut(s.SHA256, markSign)
	return s
}

// marksName is the file that caches marks, with a hash of their shards: computing them reads some columns of the whole
// collection. It can be made again.
const marksName = "revisits.json"

// marks is the content of that file.
type marks struct {
	Of     string            `json:"of"`
	Shards map[string]string `json:"shards"` // by name
}

// marked returns the shards of a part with their marks.
func (x *Index) marked(ctx context.Context, part holdings.Part) (*marked, error) {
	m := &marked{part: part, shards: part.DocumentShards(), read: x.options.NoRevisits}
	if m.read {
		return m, nil
	}
	// The cached marks are valid for shards with these names, hashes and sizes.
	hash := sha256.New()
	for _, s := range m.shards {
		_, _ = fmt.Fprintf(hash, "%q %s %d\n", s.Name, s.SHA256, s.Bytes) // a hash does not fail
	}
	of := hex.EncodeToString(hash.Sum(nil))
	kept := x.readMarks()
	if kept.Of != of {
		// A shard that cannot be read is reported later and must not stop the others.
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
		// Another mark makes another hash, so that the index treats the shard as changed.
		if mark := kept.Shards[s.Name]; mark != "" {
			m.shards[i].SHA256 += markSign + mark
		}
	}
	return m, nil
}

// fill reads, once, what revisits take from their originals.
func (m *marked) fill(ctx context.Context) error {
	if m.read {
		return nil
	}
	// Set before the attempt, so that an unreadable collection is tried only once.
	m.read = true
	// Most manifests show that there are no revisits.
	if all, err := holdings.ReadTotals(m.part.Folder); err == nil && !revisit.Has(all) {
		return nil
	}
	// Without the marks: JSON lines are compared with the hashes that they were written with.
	set, err := revisit.Read(ctx, m.part.Folder, m.part.DocumentShards())
	m.set = set
	return err
}

// fills returns the values for the revisits of a shard, or nil if it has none.
func (m *marked) fills(ctx context.Context, s schemas.Shard) (*revisit.Set, error) {
	// Without a mark the Set need not be read.
	if !strings.Contains(s.SHA256, markSign) {
		return nil, nil
	}
	err := m.fill(ctx)
	return m.set, err
}

// Stale returns how many shards of the index are missing, outdated or gone.
func (x *Index) Stale(ctx context.Context, part holdings.Part) (n int, err error) {
	m, err := x.marked(ctx, part)
	if err != nil {
		return 0, err
	}
	return x.stale(ctx, m)
}

// stale is Stale for shards with marks.
func (x *Index) stale(ctx context.Context, m *marked) (n int, err error) {
	list, err := x.knownShards(ctx)
	if isStale(err) {
		// The index would be made again.
		return len(m.shards), nil
	}
	for _, s := range m.shards {
		if !list[s.Name].is(s) {
			n++
		}
		// Shards that remain are only in the index.
		delete(list, s.Name)
	}
	return n + len(list), err
}

// documents yields the documents of a shard with the columns of the index. From Parquet it reads no other columns:
// main_html is most of a file.
func (u *updater) documents(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		set, err := u.fills(ctx, s)
		if err != nil {
			yield(nil, err)
			return
		}
		// The collection knows the shard's hash without the mark.
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

// stored yields the documents of a shard as they are stored.
func (u *updater) stored(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	// JSON lines are read whole.
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

// readMarks reads the file. Missing or damaged marks are made again.
func (x *Index) readMarks() (m marks) {
	data, err := os.ReadFile(filepath.Join(x.place.dir, marksName))
	if err == nil && json.Unmarshal(data, &m) != nil {
		return marks{}
	}
	return m
}

// writeMarks writes the file, if the folder can be written.
func (x *Index) writeMarks(ctx context.Context, m marks) {
	if x.place.frozen {
		return
	}
	if data, err := json.Marshal(m); err == nil {
		_ = folder.Open(ctx, x.place.dir, nil).Write(marksName, data) // otherwise the next process makes them again
	}
}
