package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Change is the note of an unfinished change. A folder without a note is as its manifest says.
type Change struct {
	// Running means that a run has begun and not ended: there may be units that no manifest names.
	Running bool `json:"running,omitempty"`
	// Waiting are the keys of rows that stay although the next manifest does not name them.
	Waiting []string `json:"waiting,omitempty"`
	// Commit is what remains to be done once everything is prepared; nil before.
	Commit *Commit `json:"commit,omitempty"`
}

// Commit is the last part of a change; each of its steps can be repeated. Without index and compaction it only writes
// the manifest.
type Commit struct {
	Manifest   string      `json:"manifest"`           // SHA-256 of the next manifest
	Running    bool        `json:"running,omitempty"`  // value of Running in the note that remains
	Index      string      `json:"index,omitempty"`    // temporary name of the next index; "" if it does not change
	NoIndex    bool        `json:"no_index,omitempty"` // the index is removed
	Compaction *Compaction `json:"compaction,omitempty"`
}

func (k Commit) More() bool { return k.Index != "" || k.NoIndex || k.Compaction != nil }

// ReadChange reads the note; there is false if no note exists. A note with invalid content is read as a run that has
// begun.
func ReadChange(f folder.Folder) (ch Change, there bool, err error) {
	err = folder.ReadJSON(f, holdings.Hidden(ChangeFile), holdings.MaxManifestBytes, &ch)
	if errors.Is(err, fs.ErrNotExist) {
		return Change{}, false, nil
	}
	if err == nil && ch.check() != nil || errors.Is(err, ErrContent) {
		return Change{Running: true}, true, nil
	}
	if err != nil {
		return Change{}, false, fmt.Errorf("note of a change: %w", err)
	}
	return ch, true, nil
}

// Check refuses notes that this package does not write, because their names are renamed and removed.
func (ch Change) check() error {
	for _, key := range ch.Waiting {
		if !ValidKey(key) {
			return ErrKey
		}
	}
	if ch.Commit == nil {
		return nil
	}
	if name := ch.Commit.Index; name != "" {
		if m := tempPattern().FindStringSubmatch(name); m == nil || m[1] != IndexFile {
			return fmt.Errorf("%w: %q is not an index", ErrContent, name)
		}
	}
	if k := ch.Commit.Compaction; k != nil {
		return k.check()
	}
	return nil
}

// Unfinished reports whether a run into f has begun and not ended. Until it ends, the collection is as its manifest
// says, if it has one.
func Unfinished(f folder.Folder) (bool, error) {
	ch, _, err := ReadChange(f)
	return ch.Running || ch.Commit != nil, err
}

// Ended is like ReadTotals for callers that wait for the end of a run: until then it returns fs.ErrNotExist.
func Ended(f folder.Folder) (schemas.Manifest, error) {
	unfinished, err := Unfinished(f)
	if err == nil && unfinished {
		err = fmt.Errorf("the run has not ended: %w", fs.ErrNotExist)
	}
	if err != nil {
		return schemas.Manifest{}, err
	}
	return holdings.ReadTotals(f)
}

// Waiting returns the keys of rows that the manifest of f does not name: the work of an interrupted run. It returns
// none if no run has finished in f.
func Waiting(f folder.Folder, rows map[string]Row) (map[string]bool, error) {
	if _, there, err := ReadChange(f); err != nil || !there {
		return nil, err
	}
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	named, waiting := UnitsOf(m), map[string]bool{}
	for key := range rows {
		if !named[UnitOfKey(key)] {
			waiting[key] = true
		}
	}
	return waiting, nil
}

// UnitsOf returns the units of a manifest, as the names of their shards have them.
func UnitsOf(m schemas.Manifest) map[string]bool {
	named := make(map[string]bool, len(m.Units))
	for _, u := range m.Units {
		for _, s := range u.Shards {
			named[UnitOfName(s.Name)] = true
		}
	}
	return named
}

// Unretired returns m with the names that its shards had before units were retired, as their rows tell. It reports
// whether there are retired units.
func Unretired(m schemas.Manifest, rows map[string]Row) (before schemas.Manifest, retired bool) {
	was := map[string]string{}
	for key, r := range rows {
		if ValidKey(r.Retired) {
			was[UnitOfKey(key)] = UnitOfKey(r.Retired)
		}
	}
	m.Units = slices.Clone(m.Units)
	for i, u := range m.Units {
		m.Units[i].Shards = slices.Clone(u.Shards)
		for j, s := range u.Shards {
			n, _ := holdings.ParseName(s.Name)
			if unit := was[n.Unit]; unit != "" {
				m.Units[i].Shards[j].Name = n.FileType.Name(unit).String()
				retired = true
			}
		}
	}
	return m, retired
}
