package imageindex

import (
	"context"
	"iter"
	"os"

	"github.com/gleaner-web/gleaner/io/search/shardfile"
	"github.com/gleaner-web/gleaner/schemas"
)

var files = shardfile.Kind{Magic: "GLEANIM\x01", Suffix: ".images"}

// Source is a collection.
type Source struct {
	Dir      string // of the index; files are made there if that is possible
	CanWrite bool
	Shards   []schemas.Shard // of documents
	// Documents yields the documents of a shard with Columns, in their order.
	Documents func(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error]
}

// Index is the index of a collection, in memory. Several goroutines may use it.
type Index struct {
	shards       []schemas.Shard
	parts        []*part // of the shards
	urls, groups int     // how many numbers are given
}

// Open reads the index of a collection. It makes missing files, and removes those of other shards.
func Open(ctx context.Context, s Source) (*Index, error) {
	parts, err := shardfile.Open(s.Dir, s.CanWrite, files, s.Shards, shardfile.Codec[*part]{
		Build:  func(shard schemas.Shard) (*part, error) { return build(s.Documents(ctx, shard)) },
		Encode: (*part).encode, Decode: decode,
	})
	if err != nil {
		return nil, err
	}
	x := &Index{shards: s.Shards, parts: parts}
	x.number()
	return x, nil
}

// number gives each SURT and each image a number, so that searches need no maps. Images without a page, and URLs in
// pages whose image is missing, have numbers, too.
func (x *Index) number() {
	urls, groups := map[uint64]uint32{}, map[uint64]uint32{}
	of := func(m map[uint64]uint32, hash uint64) uint32 {
		n, known := m[hash]
		if !known {
			n = uint32(len(m))
			m[hash] = n
		}
		return n
	}
	for _, p := range x.parts {
		for k := range p.images {
			i := &p.images[k]
			i.url, i.group = of(urls, i.surt), of(groups, i.same)
		}
	}
	for _, p := range x.parts {
		for k := range p.uses {
			p.uses[k].url = of(urls, p.uses[k].surt)
		}
	}
	x.urls, x.groups = len(urls), len(groups)
}

// Remove removes the files.
func Remove(dir string) error { return os.RemoveAll(dir) }
