//go:build noiceberg || local

package lake

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// A program without the library finds out only whether there is a table. It refuses to change a collection that has
// one, since the table would not follow. The other files document these functions.

// Table is never made.
type Table struct{}

// File is a data file of a snapshot.
type File struct {
	Name  string
	Bytes int64
}

// CheckCatalogue returns ErrLeftOut if the collection has a table, or the options name a catalogue.
func CheckCatalogue(f folder.Folder, o Options) error {
	if len(o.Catalogue) > 0 {
		return ErrLeftOut
	}
	names, err := f.Names(metadataDir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".metadata.json") }) {
		return ErrLeftOut // a table without a hint is one too
	}
	for _, name := range []string{keeperFile, hintFile} {
		switch _, err := f.Size(name); {
		case err == nil:
			return ErrLeftOut
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// Open returns ErrNone or ErrLeftOut.
func Open(_ context.Context, f folder.Folder, o Options) (*Table, error) {
	if err := CheckCatalogue(f, o); err != nil {
		return nil, err
	}
	return nil, ErrNone
}

// Sync returns ErrLeftOut.
func Sync(context.Context, folder.Folder, Options) (Snapshot, error) { return Snapshot{}, ErrLeftOut }

// Outside returns 0, because there is no table.
func Outside(folder.Folder) (units int, documents int64, err error) { return 0, 0, nil }

// Snapshots returns ErrLeftOut.
func (*Table) Snapshots(context.Context) ([]Snapshot, error) { return nil, ErrLeftOut }

// At returns ErrLeftOut.
func (*Table) At(context.Context, Point) (Snapshot, error) { return Snapshot{}, ErrLeftOut }

// Plan returns ErrLeftOut.
func (*Table) Plan(context.Context, Point, query.Query) ([]File, error) { return nil, ErrLeftOut }

// Check returns ErrLeftOut.
func (*Table) Check(context.Context) ([]Problem, error) { return nil, ErrLeftOut }

// Commit returns ErrLeftOut.
func (*Table) Commit(context.Context, Change) (Snapshot, error) { return Snapshot{}, ErrLeftOut }

// Expire returns ErrLeftOut.
func (*Table) Expire(context.Context, Expiry) (Expired, error) { return Expired{}, ErrLeftOut }

// Withdraw returns ErrLeftOut.
func (*Table) Withdraw(context.Context, []string) error { return ErrLeftOut }

// TakeOut returns ErrLeftOut.
func (*Table) TakeOut(context.Context, func(string) bool) (int64, error) { return 0, ErrLeftOut }

// Left returns ErrLeftOut.
func (*Table) Left(context.Context, func(string) bool, func(string, int64) bool) ([]Problem, error) {
	return nil, ErrLeftOut
}
