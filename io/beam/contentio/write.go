package contentio

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/beam/collectionio"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&claimFn{})
	beam.RegisterDoFn(&divideFn{})
	beam.RegisterDoFn(&unitFn{})
	beam.RegisterDoFn(&finishFn{})
}

// WriteOptions are the options of Write.
type WriteOptions struct {
	Dir     string   // a path or a gs:// or s3:// URL, made if it is missing
	Shards  int      // number of units; 1
	Formats []string // of package collection; Parquet
}

// Write makes a collection of docs, which have the type schemas.Document. It replaces a collection that it made in the
// folder before, and refuses one of ingest. Queries, the index and the Iceberg table accept it like a collection of
// ingest. It leaves out pages that were taken down in the folder.
//
// Documents are divided by the place of their captures, so they cross a shuffle, and a unit's documents are held in
// memory. Choose the number of shards so that each has at most some hundred megabytes. The same documents give the same
// bytes on every runner, and repeated bundles change nothing. The manifest is written last, when all units are
// complete. No other run may use the folder at the same time.
func Write(s beam.Scope, o WriteOptions, docs beam.PCollection) {
	s = s.Scope("contentio.Write")
	o.Shards = max(o.Shards, 1)
	if len(o.Formats) == 0 {
		o.Formats = []string{holdings.FormatParquet}
	}
	claimed := beam.ParDo(s, &claimFn{Options: o}, beam.Create(s, o.Dir))
	units := beam.GroupByKey(s, beam.ParDo(s, &divideFn{Shards: o.Shards}, docs))
	// The side input only ensures the order: the folder is claimed before the first unit is written.
	rows := beam.ParDo(s, &unitFn{Options: o}, units, beam.SideInput{Input: claimed})
	// The folder is an element, so that a collection without documents also gets its manifest.
	all := beam.CoGroupByKey(s, beam.AddFixedKey(s, claimed), beam.AddFixedKey(s, rows))
	beam.ParDo0(s, &finishFn{Options: o}, all)
}

// written is the option in a manifest that Write made.
const written = "contentio"

// claimFn opens the folder once before everything else.
type claimFn struct{ Options WriteOptions }

// ProcessElement makes the folder a collection's, and removes the partial files of an earlier attempt.
func (f *claimFn) ProcessElement(ctx context.Context, dir string) (string, error) {
	return dir, collectionio.InFolder(ctx, dir, func(to folder.Folder) error {
		if err := ours(to); err != nil {
			return err
		}
		c, err := collection.Open(to, collection.OpenOptions{})
		if err != nil {
			return err
		}
		return errors.Join(c.Begin(), c.Close())
	})
}

// ours refuses a collection of other origin, because its units would be removed.
func ours(f folder.Folder) error {
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		keys, err := ledger.Keys(f)
		if err == nil && len(keys) > 0 {
			if _, asked := holdings.ReadLastRun(f); asked == nil {
				err = fmt.Errorf("contentio: a run of ingest into %s has not ended", f.Path(""))
			}
		}
		return err
	}
	if err == nil && m.Options[written] == nil {
		err = fmt.Errorf("contentio: %s is a collection that contentio.Write has not made: name another folder", f.Path(""))
	}
	return err
}

// divideFn assigns documents to units.
type divideFn struct{ Shards int }

// ProcessElement returns the number of the document's unit, and the document.
func (f *divideFn) ProcessElement(d schemas.Document) (int, schemas.Document) {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d %d", d.Filename, d.Offset, d.Sequence) // a hash never fails to write
	return int(h.Sum32() % uint32(f.Shards)), d
}

// unitFn writes one unit for each element.
type unitFn struct{ Options WriteOptions }

// ProcessElement writes a unit's documents in the order of their places in the archives, and returns its result as
// JSON.
func (f *unitFn) ProcessElement(
	ctx context.Context, number int, next func(*schemas.Document) bool, _ string,
) (row []byte, err error) {
	var docs []schemas.Document
	for d := (schemas.Document{}); next(&d); d = (schemas.Document{}) {
		docs = append(docs, d)
	}
	slices.SortStableFunc(docs, func(a, b schemas.Document) int {
		return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset),
			cmp.Compare(a.Sequence, b.Sequence))
	})
	err = collectionio.InFolder(ctx, f.Options.Dir, func(to folder.Folder) error {
		result, err := f.write(to, number, docs)
		if err == nil {
			row, err = json.Marshal(result)
		}
		return err
	})
	return row, err
}

// write writes and commits a unit. Its key depends on its content, so that other documents never get the names of
// shards in a manifest.
func (f *unitFn) write(to folder.Folder, number int, docs []schemas.Document) (r schemas.UnitResult, err error) {
	list, err := takedown.Read(to)
	if err != nil {
		return r, err
	}
	sum := sha256.New()
	for i := range docs {
		if err := json.NewEncoder(sum).Encode(&docs[i]); err != nil {
			return r, err
		}
	}
	u := schemas.Unit{ID: number, Inputs: []schemas.Range{{
		File: fmt.Sprintf("contentio/%05d-of-%05d", number, f.Options.Shards), End: int64(len(docs)),
		Fingerprint: "sha256:" + hex.EncodeToString(sum.Sum(nil)),
	}}}
	key := ledger.Key(u, []any{written, u.Inputs[0].Fingerprint, f.Options.Formats}, ledger.Version)
	w, err := shard.NewWriter(to, u, key, shard.Options{Formats: f.Options.Formats})
	if err != nil {
		return r, err
	}
	defer w.Abort()
	var counts schemas.Counts
	for i := range docs {
		d := &docs[i]
		counts.Captures++
		if list.Has(d.URL) {
			counts.TakenDown++
			continue
		}
		counts.Document(d)
		if err := errors.Join(w.Document(d), w.CDX(care.LineOf(d))); err != nil {
			return r, err
		}
	}
	w.SetInput(0, u.Inputs[0].Fingerprint, 0)
	return w.Commit(counts, ledger.Note{})
}

// finishFn writes the manifest.
type finishFn struct{ Options WriteOptions }

// ProcessElement takes the results of all units.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, _ func(*string) bool, next func(*[]byte) bool) error {
	var results []schemas.UnitResult
	for row := []byte(nil); next(&row); row = nil {
		var r schemas.UnitResult
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		results = append(results, r)
	}
	// Numbers without gaps, because a unit without documents was not made.
	slices.SortFunc(results, func(a, b schemas.UnitResult) int { return cmp.Compare(a.ID, b.ID) })
	for i := range results {
		results[i].ID = i
	}
	return collectionio.InFolder(ctx, f.Options.Dir, func(to folder.Folder) (err error) {
		if err := ours(to); err != nil {
			return err
		}
		c, err := collection.Open(to, collection.OpenOptions{})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		_, err = c.Finish(results, collection.Run{
			Units:    len(results),
			Options:  map[string]any{written: f.Options.Shards, "formats": f.Options.Formats},
			Versions: map[string]string{"collection": ledger.Version},
		})
		return err
	})
}
