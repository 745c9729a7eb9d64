package collection

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestErrors_namePackageOnce: messages of inner packages do not repeat the prefix of this one.
func TestErrors_namePackageOnce(t *testing.T) {
	foreign, busy, damaged := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(foreign, "notes.txt"), "precious")
	c := open(t, busy, OpenOptions{})
	run(t, damaged, "a")
	write(t, filepath.Join(damaged, holdings.HiddenDir, "compacted.json"), "{")
	units, keys := unitsOf("a", "b")
	_, _, badKey := c.Resume(units, []string{keys[0], "x"}, nil)
	_, _, alike := c.Resume(units, []string{keys[0], keys[0]}, nil)
	_, lost := c.Finish([]schemas.UnitResult{{Unit: units[0]}}, Run{Units: 2})
	_, errForeign := Open(local(foreign), OpenOptions{})
	_, errBusy := Open(local(busy), OpenOptions{})
	_, errDamaged := open(t, damaged, OpenOptions{}).Rows()
	_, errRows := ledger.ReadCompaction(local(damaged))
	for name, err := range map[string]error{
		"foreign": errForeign, "busy": errBusy, "bad key": badKey, "same key": alike, "lost": lost, "note": errRows,
	} {
		if err == nil || strings.Count(err.Error(), "collection: ") > 1 {
			t.Errorf("%s: %v, want an error that names the package once at most", name, err)
		}
	}
	if errDamaged != nil {
		t.Errorf("rows beside a damaged note: %v", errDamaged)
	}
}
