package index

import (
	"bytes"
	"context"
	"database/sql"

	"github.com/gleaner-web/gleaner/schemas"
)

// blockKey identifies a block of a shard.
type blockKey struct {
	kind  kind
	first uint32
}

// list adds the values of a document to the blocks that its shard should have.
func (k *checker) list(ctx context.Context, d *schemas.Document, row int) error {
	missing := ""
	err := k.listed.add(d, func(kind kind, text string) (int64, error) {
		id, found, err := k.nameID(ctx, kind, text)
		if !found {
			missing = text
		}
		return id, err
	})
	switch {
	case err != nil:
		return err
	case missing != "":
		return k.wrong("capture %d: the index lacks the name %q", row, missing)
	case k.listed.full():
		k.keepBlocks()
	}
	return nil
}

func (k *checker) keepBlocks() {
	_ = k.listed.write(func(kind kind, b block) error { // keeping does not fail
		k.blocks[blockKey{kind, b.first}] = b
		return nil
	})
}

// lists compares the blocks of a shard with its documents.
func (k *checker) lists(ctx context.Context, r shardRange) error {
	k.keepBlocks()
	err := each(ctx, k.s.index, func(rows *sql.Rows) error {
		var key blockKey
		var b block
		if err := rows.Scan(&key.kind, &b.first, &b.rows, &b.ids, &b.data); err != nil {
			return err
		}
		key.first = b.first
		want := k.blocks[key]
		delete(k.blocks, key)
		if b.rows != want.rows || !bytes.Equal(b.ids, want.ids) || !bytes.Equal(b.data, want.data) {
			return k.wrong("captures from %d on have other values in a list", b.first)
		}
		return nil
	}, `select l.kind, l.first, l.rows, l.ids, l.data from shard s join list l on l.shard = s.id
		where s.name = ?`, r.name)
	if err == nil && len(k.blocks) > 0 {
		err = k.wrong("%d lists of its values are missing", len(k.blocks))
	}
	return err
}
