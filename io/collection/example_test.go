package collection_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func Example() {
	parent, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(parent) }() // in the system's temporary folder
	f := folder.Open(context.Background(), filepath.Join(parent, "out"), nil)
	units := []schemas.Unit{{ID: 0, Inputs: []schemas.Range{{File: "a.warc.gz", End: 1000}}}}
	keys := []string{ledger.Key(units[0], "options", "versions")}

	for range 2 { // the second run finds everything done
		if err := example(f, units, keys); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// to do: 1
	// documents: 1, first shard: documents-44eb85836f8fce8b22b2.jsonl.zst
	// to do: 0
	// documents: 1, first shard: documents-44eb85836f8fce8b22b2.jsonl.zst
}

func example(f folder.Folder, units []schemas.Unit, keys []string) error {
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // Finish has written everything
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil {
		return err
	}
	fmt.Println("to do:", len(todo))
	for _, u := range todo {
		r, err := exampleUnit(f, u, keys[u.ID])
		if err != nil {
			return err
		}
		done = append(done, r)
	}
	m, err := c.Finish(done, collection.Run{Units: len(units)})
	if err != nil {
		return err
	}
	fmt.Printf("documents: %d, first shard: %s\n", m.Totals.Documents, m.Units[0].Shards[0].Name)
	return nil
}

func exampleUnit(f folder.Folder, u schemas.Unit, key string) (schemas.UnitResult, error) {
	w, err := shard.NewWriter(f, u, key, shard.Options{})
	if err != nil {
		return schemas.UnitResult{}, err
	}
	defer w.Abort()
	if err := w.Document(&schemas.Document{URL: "http://example.com/"}); err != nil {
		return schemas.UnitResult{}, err
	}
	return w.Commit(schemas.Counts{Captures: 1, Documents: 1}, ledger.Note{})
}
