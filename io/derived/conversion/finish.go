package conversion

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// Run describes the run that Finish ends.
type Run struct {
	Plan     string            // identifies the plan: its inputs and options
	Units    int               // number of units in the plan
	Options  map[string]any    // options that change the output
	Versions map[string]string // of the writers
}

// Finish moves the files of all units to their places in f, writes the manifest and returns it. Rows come in any order
// and may be repeated, as runners repeat work. It continues after a crash. Equal arguments give equal bytes.
func Finish(ctx context.Context, f folder.Folder, rows []Row, r Run) (schemas.Manifest, error) {
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
	if err := ledger.Contiguous(m.Units); err != nil {
		return schemas.Manifest{}, err
	}
	if err := f.Write(hidden(planFile), []byte(r.Plan)); err != nil {
		return schemas.Manifest{}, err
	}
	p := placing{f: f, units: units, totals: &m.Totals, seen: map[[16]byte]holder{}}
	err := folder.Each(f.AtOnce(), p.shards(), p.place)
	if err == nil {
		err = folder.Each(f.AtOnce(), p.winners(ctx), p.place)
	}
	if err != nil {
		return schemas.Manifest{}, fmt.Errorf("finish %s: %w", f.Path(""), err)
	}
	text, err := ledger.EncodeManifest(m)
	if err == nil {
		err = f.Write(manifestFile, text)
	}
	if err == nil {
		// The remaining work is of killed attempts.
		err = errors.Join(f.RemoveAll(hidden(unitStart+"*")), f.RemoveAll(hidden(workStart+"*")), claim.ForgetJob(f))
	}
	return m, err
}

// placing moves the files of units to their places. It does not move files that a later unit replaces, so the order
// does not matter, and several attempts may move files in parallel.
type placing struct {
	f      folder.Folder
	units  []Row
	totals *schemas.Counts
	seen   map[[16]byte]holder // by hash of name: about 40 bytes a file
}

// holder is a unit with a file of some name; wins means that its file gets the name.
type holder struct {
	unit int32
	wins bool
}

type file struct {
	unit int
	name string
}

// shards yields the lists and rejects of all units.
func (p *placing) shards() iter.Seq2[file, error] {
	return func(yield func(file, error) bool) {
		for _, u := range p.units {
			for _, s := range u.Shards {
				if !yield(file{u.ID, s.Name}, nil) {
					return
				}
			}
		}
	}
}

// winners yields the files that get their names: of several units, the last one's. It visits units backwards.
func (p *placing) winners(ctx context.Context) iter.Seq2[file, error] {
	return func(yield func(file, error) bool) {
		for _, u := range slices.Backward(p.units) {
			for name, err := range list(p.f, "", u) {
				if err = cmp.Or(err, ctx.Err()); err != nil {
					yield(file{}, fmt.Errorf("files of unit %d: %w", u.ID, err))
					return
				}
				if f := (file{u.ID, name}); p.wins(f) && !yield(f, nil) {
					return
				}
			}
		}
	}
}

// wins reports whether a file gets its name, and counts, by format, those that do not. Repetitions within a unit were
// counted by the writer.
func (p *placing) wins(f file) bool {
	sum := sha256.Sum256([]byte(f.name))
	id := [16]byte(sum[:16])
	h, twice := p.seen[id]
	if twice && h.unit == int32(f.unit) {
		return h.wins
	}
	p.seen[id] = holder{int32(f.unit), !twice}
	if twice {
		format, _, _ := strings.Cut(f.name, "/")
		schemas.Count(&p.totals.ByDrop, format+".overwritten", 1)
	}
	return !twice
}

// list yields the names in the list of a unit, which is its first shard. dir is where the list is.
func list(f folder.Folder, dir string, u Row) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if len(u.Shards) == 0 {
			return
		}
		r, err := f.Open(path.Join(dir, u.Shards[0].Name))
		if err != nil {
			yield("", err)
			return
		}
		defer func() { _ = r.Close() }() // only read
		lines, err := jsonl.NewReader(r)
		if err != nil {
			yield("", err)
			return
		}
		for line, err := range lines.All() {
			var f File
			if err == nil {
				err = json.Unmarshal(line, &f)
			}
			if !yield(f.Name, err) || err != nil {
				return
			}
		}
	}
}

// place moves a file to its place. A file that is missing in its unit's folder was moved by a killed run or another
// attempt.
func (p *placing) place(f file) error {
	if err := dump.CheckName(f.name); err != nil {
		return fmt.Errorf("unit %d: %w", f.unit, err)
	}
	from := path.Join(unitDir(p.units[f.unit].Key), f.name)
	err := p.f.Rename(from, f.name)
	if errors.Is(err, fs.ErrNotExist) { // the file, or its target folder
		if err := p.f.Make(path.Dir(f.name)); err != nil {
			return err
		}
		err = p.f.Rename(from, f.name)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := p.f.Size(f.name); err != nil {
		return fmt.Errorf("%w: unit %d: %w: do all workers share this folder?", ErrIncomplete, f.unit, err)
	}
	return nil
}
