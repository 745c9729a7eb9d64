package care_test

import (
	"context"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// open opens the collection in dir, and creates it if needed.
func open(t *testing.T, dir string, o collection.OpenOptions) *collection.Collection {
	t.Helper()
	c, err := collection.Open(local(dir), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, c) })
	return c
}

func shut(t *testing.T, c *collection.Collection) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }

// unitsOf is a plan of one unit a file.
func unitsOf(files ...string) (units []schemas.Unit, keys []string) {
	for i, f := range files {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: f, Start: 10, End: 20}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, "options", "versions"))
	}
	return units, keys
}
