package collectionio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Unit is a unit of a collection, which travels as JSON.
type Unit struct {
	Dir    string          `json:"dir"`    // of the collection
	Shards []schemas.Shard `json:"shards"` // of the unit, in Dir
}

// Units returns the units of the collection called dir, spread over the workers: each is the JSON of a [Unit].
func Units(s beam.Scope, dir string) beam.PCollection {
	return beam.Reshuffle(s, beam.ParDo(s, &planFn{}, beam.Create(s, dir)))
}

// planFn reads the manifest.
type planFn struct{}

// ProcessElement takes the folder and emits its units as JSON.
func (*planFn) ProcessElement(ctx context.Context, dir string, emit func([]byte)) error {
	return InFolder(ctx, dir, func(f folder.Folder) error {
		m, err := holdings.ReadManifest(f)
		if err != nil {
			return err
		}
		for _, u := range m.Units {
			row, err := json.Marshal(Unit{dir, u.Shards})
			if err != nil {
				return err
			}
			emit(row)
		}
		return nil
	})
}

// InFolder opens the folder called dir during a call. It returns the errors of do, of opening and of closing.
func InFolder(ctx context.Context, dir string, do func(folder.Folder) error) error {
	if err := folder.Check(dir); err != nil {
		return fmt.Errorf("collectionio: %w", err)
	}
	store := blob.New(blob.Options{})
	f := folder.Open(ctx, dir, store)
	return errors.Join(do(f), f.Close(), store.Close())
}
