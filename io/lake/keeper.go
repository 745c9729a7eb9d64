//go:build !noiceberg && !local

package lake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// keeper is the content of keeperFile.
type keeper struct {
	Table string `json:"table"` // with dots
}

// CheckCatalogue returns ErrCatalogue if the options do not name the keeper of the table of the collection in f.
func CheckCatalogue(f folder.Folder, o Options) error {
	var k keeper
	data, err := read(f, keeperFile, 1<<16)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(o.Catalogue) == 0:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		n, _, err := versions{f}.newest()
		if err == nil && n > 0 {
			err = fmt.Errorf("%w: %s keeps it itself, and would not hear of what is committed to a catalogue: remove "+
				"metadata/ in it to have a catalogue keep a new one, without the snapshots of the old", ErrCatalogue, f.Path(""))
		}
		return err
	case err == nil:
		err = json.Unmarshal(data, &k)
	}
	if err != nil {
		return fmt.Errorf("lake: %s: %w", keeperFile, err)
	}
	if name := strings.Join(identOf(o), "."); len(o.Catalogue) == 0 || name != k.Table {
		return fmt.Errorf("%w: a catalogue has that of %s as %q; name the catalogue and the table. If no catalogue has it "+
			"any more, remove %s", ErrCatalogue, f.Path(""), k.Table, keeperFile)
	}
	return nil
}

// keep records that a catalogue keeps the table. It runs before the catalogue does, so that a table in a catalogue is
// never mistaken for a missing one.
func (t *Table) keep() error {
	data, err := json.Marshal(keeper{strings.Join(t.ident, ".")})
	if err != nil {
		return err
	}
	// An existing file names the same table: open has checked it.
	if err := t.f.WriteNew(keeperFile, append(data, '\n')); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("lake: %w", err)
	}
	return nil
}
