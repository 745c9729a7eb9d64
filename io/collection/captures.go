package collection

import (
	"errors"
	"fmt"
	"iter"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Captures yields the lines of the index that is among a unit's shards, in f. A shard that is not there is
// fs.ErrNotExist.
func Captures(f folder.Folder, shards []schemas.Shard) iter.Seq2[cdx.Line, error] {
	return func(yield func(cdx.Line, error) bool) {
		for _, s := range shards {
			if n, ok := parseShard(s.Name); !ok || n.kind != kindCaptures {
				continue
			}
			if err := captures(f, s.Name, yield); err != nil {
				yield(cdx.Line{}, fmt.Errorf("collection: %s: %w", s.Name, err))
			}
			return // a unit has one
		}
	}
}

// captures yields the lines of one shard, until yield has enough.
func captures(f folder.Folder, name string, yield func(cdx.Line, error) bool) (err error) {
	r, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for line, err := range cdx.NewReader(z, cdx.Options{}).All() {
		if err != nil {
			return err
		}
		if !yield(line, nil) {
			return nil
		}
	}
	return nil
}
