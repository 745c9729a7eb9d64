//go:build !noiceberg && !local

package lake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Table is the table of a collection. Its methods load the current state on each call. Several goroutines and processes
// may call them concurrently.
type Table struct {
	f        folder.Folder
	cat      table.CatalogIO
	ident    table.Identifier
	location string // for a new table

	properties iceberg.Properties // of the catalogue
}

// Open opens the table of the collection in f. It returns ErrNone if there is none.
func Open(ctx context.Context, f folder.Folder, o Options) (*Table, error) {
	t, err := open(ctx, f, o)
	if err != nil {
		return nil, err
	}
	// This load only finds errors. Methods load again, since others may commit at any time.
	if _, err := t.load(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

func open(ctx context.Context, f folder.Folder, o Options) (*Table, error) {
	if err := CheckCatalogue(f, o); err != nil {
		return nil, err
	}
	t := &Table{f: f, cat: versions{f}, ident: identOf(o), location: strings.TrimRight(o.Location, "/")}
	var err error
	if t.location == "" {
		if t.location, err = locate(f); err != nil {
			return nil, err
		}
	}
	if len(o.Catalogue) > 0 {
		t.properties = o.Catalogue
		if t.cat, err = catalog.Load(ctx, catalogueName, t.properties); err != nil {
			return nil, fmt.Errorf("lake: catalogue: %w", err)
		}
	}
	return t, nil
}

// identOf returns the table's name. In a catalogue it has a namespace, which most catalogues require.
func identOf(o Options) table.Identifier {
	if len(o.Catalogue) == 0 {
		return table.Identifier{"documents"}
	}
	return strings.Split(cmp.Or(o.Name, "gleaner.documents"), ".")
}

// load loads the current state of the table.
func (t *Table) load(ctx context.Context) (*table.Table, error) {
	now, err := t.cat.LoadTable(ctx, t.ident)
	if errors.Is(err, catalog.ErrNoSuchTable) || errors.Is(err, catalog.ErrNoSuchNamespace) {
		return nil, fmt.Errorf("%w (%s)", ErrNone, t.f.Path(""))
	}
	if err != nil {
		return nil, fmt.Errorf("lake: %s: %w", t.f.Path(""), err)
	}
	if _, ours := t.cat.(versions); ours {
		return now, nil
	}
	// The library would open files with its own stores; this table reads them from the folder.
	return newTable(t.f, t.ident, now.Metadata(), now.MetadataLocation(), t.cat), nil
}

// Location returns the location in the table's metadata, and reports whether the folder is there now. Otherwise other
// programs find no files until Move.
func (t *Table) Location(ctx context.Context) (location string, here bool, err error) {
	now, err := t.load(ctx)
	if err != nil {
		return "", false, err
	}
	return now.Location(), plain(now.Location()) == plain(t.location), nil
}
