package lake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// ErrCatalogue is a table that is asked for where it is not kept: one that a catalogue keeps, without that catalogue,
// or the other way round. Nothing is done then: a snapshot that is not seen would lose its files when others expire.
var ErrCatalogue = errors.New("lake: the table is kept elsewhere")

// keeperFile says that a catalogue keeps the table, and by which name. Where the catalogue is, and how it is entered,
// is not written down: a folder that somebody else has made must not send credentials anywhere.
const keeperFile = ".gleaner/catalogue.json"

// keeper is what keeperFile has.
type keeper struct {
	Table string `json:"table"` // with dots
}

// CheckCatalogue tells by ErrCatalogue that the options do not name what keeps the table of the collection in f.
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

// keep notes that a catalogue keeps the table: before it does, so that a table which a catalogue has is never taken for
// none.
func (t *Table) keep() error {
	data, err := json.Marshal(keeper{strings.Join(t.ident, ".")})
	if err != nil {
		return err
	}
	// One that is there names the same table, as open has seen.
	if err := t.f.WriteNew(keeperFile, append(data, '\n')); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("lake: %w", err)
	}
	return nil
}
