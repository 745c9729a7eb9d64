package meaningindex

import (
	"context"
	"iter"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/search/shardfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning"
)

const (
	// magic begins each file; its last byte is the version of the format, and of the division into passages.
	magic  = "GLEANMN\x01"
	suffix = ".meaning"
)

// Source is a collection.
type Source struct {
	Dir      string // of the index; files are made there if that is possible
	CanWrite bool
	Shards   []schemas.Shard // of documents
	// Documents yields the documents of a shard with Columns, in their order.
	Documents func(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error]
	Model     *meaning.Model
}

// Index is the index of a collection, in memory. Several goroutines may use it.
type Index struct {
	Model  *meaning.Model
	shards []schemas.Shard
	parts  []*part // of the shards
	pages  int     // how many SURTs there are
	newest [][]uint64
}

// Open reads the index of a collection. It makes missing files, and removes those of other shards.
func Open(ctx context.Context, s Source) (*Index, error) {
	files := shardfile.Kind{Magic: magic, Suffix: suffix, Key: s.Model.ID}
	// Files of the standard model of an older program are made again; those of a user's own models stay.
	if !s.Model.Standard {
		files.Variant = s.Model.ID
	}
	parts, err := shardfile.Open(s.Dir, s.CanWrite, files, s.Shards, shardfile.Codec[*part]{
		Build:  func(shard schemas.Shard) (*part, error) { return build(s.Model, s.Documents(ctx, shard)) },
		Encode: (*part).encode,
		Decode: func(data []byte) (*part, bool) {
			p, ok := decode(data)
			return p, ok && p.dim == s.Model.Dim
		},
	})
	if err != nil {
		return nil, err
	}
	x := &Index{Model: s.Model, shards: s.Shards, parts: parts}
	x.number()
	x.newest = x.allowed(&Query{})
	return x, nil
}

// number gives each SURT a number, so that searches need no maps.
func (x *Index) number() {
	numbers := map[uint64]uint32{}
	for _, p := range x.parts {
		for i := range p.documents {
			d := &p.documents[i]
			n, known := numbers[d.surt]
			if !known {
				n = uint32(len(numbers))
				numbers[d.surt] = n
			}
			d.page = n
		}
	}
	x.pages = len(numbers)
}

// Len returns the number of passages.
func (x *Index) Len() (n int) {
	for _, p := range x.parts {
		n += len(p.passages)
	}
	return n
}

// Exists reports whether a folder has files of an index.
func Exists(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	return err == nil && len(found) > 0
}
