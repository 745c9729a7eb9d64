package holdings

import (
	"errors"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Part is a part of a collection to read: the shards of several units, of one unit, or a single shard.
//
//	all, manifest, err := holdings.Whole(f)
//	for d, err := range all.Documents(ctx) { … }
//
//	unit := holdings.Part{Folder: f, Shards: manifest.Units[0].Shards}
//	for l, err := range unit.Captures(ctx) { … }
//
// Records come in the order of the shards and are read on demand. One shard is open at a time, with one record in
// memory, or for Parquet the pages of some rows. Yielded records belong to the caller.
//
// Reading ends after an error, which names the shard: fs.ErrNotExist for a missing shard, ErrChanged for other bytes
// than its unit wrote. JSON lines notice a change at the end of the shard, Parquet when a page with a wrong checksum is
// read.
type Part struct {
	Folder folder.Folder
	Shards []schemas.Shard
	// Rejected, if set, is called for damage in documents, rejects, feeds and links, and reading continues. Damage is a
	// line that is not a record, the rest of a damaged shard, or a shard of valid lines whose bytes have changed. File
	// is the shard's name; Offset and Length are those of the line after decompression; for damage, Lost is the shard's
	// size, an upper bound. Missing shards and failures of the system end reading nonetheless: they may be temporary.
	Rejected func(schemas.Reject)
	// Refuse, if set, checks each feed. A feed for which it returns an error is rejected and not yielded, without
	// counting as lost.
	Refuse func(*schemas.FeedCapture) error
}

// Whole returns the whole collection in f, in the order of its manifest, and the manifest. It returns fs.ErrNotExist if
// no run has finished in f.
func Whole(f folder.Folder) (Part, schemas.Manifest, error) {
	m, err := ReadManifest(f)
	if err != nil {
		return Part{}, schemas.Manifest{}, err
	}
	p := Part{Folder: f}
	for _, u := range m.Units {
		p.Shards = append(p.Shards, u.Shards...)
	}
	return p, m, nil
}

// DocumentShards returns the shards that Documents reads, in its order.
func (p Part) DocumentShards() []schemas.Shard {
	shards := p.Of(KindDocuments)
	asLines := map[string]bool{}
	for _, s := range shards {
		if n, middle, _ := SplitName(s.Name); n.Ext != ExtParquet {
			asLines[middle] = true
		}
	}
	return slices.DeleteFunc(shards, func(s schemas.Shard) bool {
		n, middle, _ := SplitName(s.Name)
		return n.Ext == ExtParquet && asLines[middle]
	})
}

// IsTable reports whether a shard holds documents in Parquet: one of a unit, or a file that another program wrote into
// the collection's table. Links are in Parquet as well but are not documents.
func IsTable(s schemas.Shard) bool {
	held, ok := FileTypeOf(s.Name)
	return strings.HasSuffix(s.Name, ExtParquet) && (!ok || held.Kind == KindDocuments)
}

// Of returns the shards of a kind.
func (p Part) Of(kind string) (list []schemas.Shard) {
	for _, s := range p.Shards {
		if held, ok := FileTypeOf(s.Name); ok && held.Kind == kind {
			list = append(list, s)
		}
	}
	return list
}

// errNull is the error of a line that is JSON but not a record.
var errNull = errors.New("null is no record")
