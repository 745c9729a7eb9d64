package conversion

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/folder"
	"github.com/gleaner-web/gleaner/io/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// Run is what Finish has to know of the run that ends.
type Run struct {
	Plan     string            // names the plan: its inputs and options
	Units    int               // how many the plan has
	Options  map[string]any    // those that change the output
	Versions map[string]string // of what wrote it
}

// Finish brings the files of all units to their places in dir, writes the manifest and returns it. Rows come in any
// order and may be there twice, because runners repeat work. It goes on where a killed one was. Equal arguments make equal
// bytes.
func Finish(ctx context.Context, dir string, rows []Row, r Run) (schemas.Manifest, error) {
	units := make([]Row, r.Units)
	for _, row := range rows {
		if row.ID < 0 || row.ID >= r.Units {
			return schemas.Manifest{}, fmt.Errorf("conversion: a row of unit %d, and there are %d units", row.ID, r.Units)
		}
		units[row.ID] = row
	}
	m := schemas.Manifest{SchemaVersion: schemas.Version, Options: r.Options, Versions: r.Versions}
	for i, u := range units {
		if u.Key == "" {
			return schemas.Manifest{}, fmt.Errorf("%w: unit %d of %d has no row", ErrIncomplete, i, r.Units)
		}
		m.Units = append(m.Units, u.UnitResult)
		m.Totals.Add(u.Counts)
	}
	if err := collection.Contiguous(m.Units); err != nil {
		return schemas.Manifest{}, err
	}
	local := folder.Open(ctx, dir, nil)
	if err := local.Write(planFile, []byte(r.Plan)); err != nil {
		return schemas.Manifest{}, err
	}
	p := placing{ctx: ctx, dir: dir, seen: map[[16]byte]int{}}
	for _, u := range units {
		if err := p.unit(u, &m.Totals); err != nil {
			return schemas.Manifest{}, fmt.Errorf("conversion: unit %d: %w", u.ID, err)
		}
	}
	text, err := collection.EncodeManifest(m)
	if err == nil {
		err = local.Write(manifestFile, text)
	}
	if err == nil {
		err = removeAll(dir, []string{filepath.Join(hiddenDir, unitStart+"*")})
	}
	return m, err
}

// placing moves the files of units to their places, in order.
type placing struct {
	ctx  context.Context
	dir  string
	seen map[[16]byte]int // by hashes of names, the last unit that has a file of this name: 40 bytes or so a file
}

// unit moves the files of a unit. A file that is in its place already was moved by a run that was killed.
func (p *placing) unit(u Row, totals *schemas.Counts) (err error) {
	hidden := unitDir(p.dir, u.Key)
	for i, s := range u.Shards {
		if err := place(hidden, p.dir, s.Name); err != nil {
			return err
		}
		if i > 0 {
			continue // the first lists the files
		}
		f, err := os.Open(filepath.Join(p.dir, s.Name))
		if err != nil {
			return err
		}
		if err := errors.Join(p.files(f, hidden, u.ID, totals), f.Close()); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// files moves the files of a list, and counts those which take the place of another unit's: what their own unit had
// written before, the writer has counted.
func (p *placing) files(list *os.File, hidden string, unit int, totals *schemas.Counts) error {
	lines, err := jsonl.NewReader(list)
	if err != nil {
		return err
	}
	for line, err := range lines.All() {
		if err := errors.Join(err, p.ctx.Err()); err != nil {
			return err
		}
		var f File
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("%q is no name of a file", f.Name)
		}
		if err := place(hidden, p.dir, filepath.FromSlash(f.Name)); err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(f.Name))
		id := [16]byte(sum[:16])
		if before, twice := p.seen[id]; twice && before != unit {
			format, _, _ := strings.Cut(f.Name, "/")
			schemas.Count(&totals.ByDrop, format+".overwritten", 1)
		}
		p.seen[id] = unit
	}
	return nil
}

// place moves a file from one folder to the other. One that is gone from there is in its place.
func place(from, to, name string) error {
	target := filepath.Join(to, name)
	err := os.Rename(filepath.Join(from, name), target)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Lstat(filepath.Join(from, name)); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(target); err != nil {
			return fmt.Errorf("%w: %s: do all workers share this folder?", ErrIncomplete, target)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.Rename(filepath.Join(from, name), target)
}
