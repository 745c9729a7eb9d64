package lake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// ErrNone is a collection that has no table.
var ErrNone = fmt.Errorf("lake: the collection has no Iceberg table: %w", fs.ErrNotExist)

// Options say where the table is known. The zero value is a table that needs no server.
type Options struct {
	// Location is the URI by which other programs find the folder, where that is not the one by which it was opened: a
	// mount of another name. It matters when the table is made, and when it is moved.
	Location string
	// Catalogue are the properties of a catalogue that keeps the newest version: "type" (rest, glue, sql), "uri",
	// "warehouse", "credential", "token" and what else the library has
	// (https://go.iceberg.apache.org/configuration.html). None: the folder keeps it. The types that there are come with
	// package catalogue.
	Catalogue map[string]string
	// Name is the table's in the catalogue, with dots: "web.documents". "gleaner.documents" where it is empty.
	Name string
}

// Table is the table of a collection. Its methods load what they need each time they are called; several goroutines and
// processes may call them at once.
type Table struct {
	f        folder.Folder
	cat      table.CatalogIO
	ident    table.Identifier
	location string // of a table that is made now

	properties iceberg.Properties // of the catalogue
}

// Open opens the table of the collection in f. ErrNone when there is none.
func Open(ctx context.Context, f folder.Folder, o Options) (*Table, error) {
	t, err := open(ctx, f, o)
	if err != nil {
		return nil, err
	}
	// Loaded for its errors alone: methods load again, since others may commit at any time.
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

// identOf is the table's name: in a catalogue within a namespace, without which most catalogues know no table.
func identOf(o Options) table.Identifier {
	if len(o.Catalogue) == 0 {
		return table.Identifier{"documents"}
	}
	return strings.Split(cmp.Or(o.Name, "gleaner.documents"), ".")
}

// load loads what the table is now.
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
	// The library reads files by what it knows of stores; here they are those of the folder.
	return newTable(t.f, t.ident, now.Metadata(), now.MetadataLocation(), t.cat), nil
}

// Location is where the table says that its files are, and whether that is where the folder is now. Programs that read
// the table elsewhere find nothing there until Move.
func (t *Table) Location(ctx context.Context) (location string, here bool, err error) {
	now, err := t.load(ctx)
	if err != nil {
		return "", false, err
	}
	return now.Location(), plain(now.Location()) == plain(t.location), nil
}
