package sourcedb

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const (
	layout       = "1" // of the folder
	manifestFile = "manifest.json"
	// maxManifest limits the manifest, in bytes: it has a line for each part, and a collection has as many as units.
	maxManifest = 1 << 30
)

// ErrForeign means that the folder holds something else.
var ErrForeign = errors.New("the folder is not empty, and it is not a Source DB: name another one")

// Manifest names the files of a generation of the Source DB.
type Manifest struct {
	Layout  string `json:"layout"`
	Version string `json:"version"` // of package source
	// A part is merged once and never removed, so the list only grows.
	Parts   []string        `json:"parts"`   // keys of all merged parts, sorted
	Options string          `json:"options"` // of the descriptions
	AsOf    string          `json:"as_of"`
	Counts  Counts          `json:"counts"`
	States  []schemas.Shard `json:"states"`
	Pages   []schemas.Shard `json:"pages"`
	Sources []schemas.Shard `json:"sources"`
	Links   []schemas.Shard `json:"links"`
	Facts   []schemas.Shard `json:"facts"`  // values that the next generation needs of sources that it does not meet
	Shared  []schemas.Shard `json:"shared"` // links that items of several feeds share: see sharing
	// Redirects are the changes that each period of pages makes to the redirects of earlier periods: see pagesMerge.
	Redirects []schemas.Shard `json:"redirects"`
	// Losses are the unreadable parts of units, sorted by unit.
	Losses []Loss `json:"losses,omitempty"`
}

// Counts are the numbers of a generation.
type Counts struct {
	Sources   int64            `json:"sources"` // rows; see Standing
	Items     int64            `json:"items"`
	Pages     int64            `json:"pages"`  // captured ones that an item may link to
	Linked    int64            `json:"linked"` // of Pages, those that an item links to; a page of two feeds counts twice
	Twins     int64            `json:"twins"`  // of Sources, those that are equal to another; not counted below
	Verdicts  map[string]int64 `json:"verdicts"`
	Classes   map[string]int64 `json:"classes"`
	States    map[string]int64 `json:"health"`
	Reasons   map[string]int64 `json:"reasons"`
	PartBytes int64            `json:"part_bytes"` // input of merges since the first generation
	Rejects   int64            `json:"rejects"`    // of all losses
	BytesLost int64            `json:"bytes_lost"` // of all losses: see schemas.Reject
	ByReject  map[string]int64 `json:"by_reject,omitempty"`
}

// Standing returns the number of sources without feeds that are equal to another: these have a row, but are not sources
// of their own.
func (c Counts) Standing() int64 { return c.Sources - c.Twins }

// Lost reports whether something of the collections could not be read, or may be wrong. Readable but refused data does
// not count.
func (c Counts) Lost() bool { return c.BytesLost > 0 || c.ByReject[string(schemas.KindDamaged)] > 0 }

// DB is a Source DB open for writing.
type DB struct {
	f        folder.Folder
	lock     *claim.Claimed // nil after Resume: another process has it
	manifest Manifest

	// Mended are the damaged shards of the previous generation that Update replaced by describing all sources again;
	// nothing was lost.
	Mended []string
}

var marker = claim.Marker{Name: "sources", Text: "gleaner source db, layout " + layout + "\n", Foreign: ErrForeign}

// Open opens the Source DB in f, or begins one in an empty folder, and excludes other writers until Close.
func Open(f folder.Folder) (*DB, error) {
	lock, err := marker.Claim(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(""), err)
	}
	db, err := Resume(f)
	// Left by a process that was killed while it wrote a small file.
	if err = errors.Join(err, f.RemoveAll("."+manifestFile+".tmp-*"), f.RemoveAll(hidden(".part-*.tmp-*"))); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	db.lock = lock
	return db, nil
}

// Begin begins a run of workers, and returns its generation. It ends the work of runners for earlier runs. It returns
// claim.ErrBusy while a noted job has not ended: see claim.AwaitJob.
func (db *DB) Begin(ended func(note []byte) error) (claim.Generation, error) {
	if err := db.lock.Begin(ended); err != nil {
		return "", fmt.Errorf("%s: %w", db.f.Path(""), err)
	}
	// Read again, because an earlier run may have written it.
	now, err := Resume(db.f)
	if err != nil {
		return "", err
	}
	db.manifest = now.manifest
	return db.lock.Generation(), nil
}

// Leave makes Close keep the run's generation: its job continues without this process.
func (db *DB) Leave() { db.lock.Leave() }

// Resume opens a Source DB whose lock another process of the same job has.
func Resume(f folder.Folder) (*DB, error) {
	m, err := ReadManifest(f)
	// A new folder has no manifest, and an empty generation.
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &DB{f: f, manifest: m}, nil
}

// Close releases the folder.
func (db *DB) Close() error {
	if db.lock == nil {
		return nil
	}
	return db.lock.Close()
}

// ReadManifest reads the manifest of the Source DB in f. It returns fs.ErrNotExist if no run has finished.
func ReadManifest(f folder.Folder) (m Manifest, err error) {
	err = folder.ReadJSON(f, manifestFile, maxManifest, &m)
	// A later version of the program has written an unknown layout, which must not be overwritten.
	if err == nil && m.Layout != layout {
		err = fmt.Errorf("%s: layout %q is not known: use the version of gleaner that made it",
			f.Path(manifestFile), m.Layout)
	}
	return m, err
}

// Has reports whether a part was merged, by its key: see PartKey. Parts must not be merged twice.
func (m Manifest) Has(key string) bool {
	_, ok := slices.BinarySearch(m.Parts, key)
	return ok
}

// Manifest returns the manifest of the current generation, which is zero in a new folder.
func (db *DB) Manifest() Manifest { return db.manifest }

// IsCurrent reports whether Update without parts would change nothing.
func (db *DB) IsCurrent(o Options) (bool, error) {
	lasting, err := o.lasting()
	if err != nil || db.manifest.Options != lasting || db.manifest.Version != source.Version {
		return false, err
	}
	// By size, because hashing everything would take as long as a merge.
	m := db.manifest
	for _, s := range slices.Concat(m.States, m.Pages, m.rows()) {
		size, err := db.f.Size(s.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if err != nil || size != s.Bytes {
			return false, nil
		}
	}
	return true, nil
}

// ours matches the names of files of generations.
var ours = pattern.Lazy(
	`^(sources|links|states|(pages|redirects)(-[0-9]{6})?|facts|shared|rejects)` +
		`-[0-9]{5}-[0-9a-f]{20}\.(jsonl\.zst|bin\.zst|bin\.s2)$`)

// sweep removes files that the current generation does not name: of the previous one, and of killed runs. It removes
// merged parts; others belong to a run that continues.
func (db *DB) sweep() error {
	kept := map[string]bool{}
	m := db.manifest
	for _, list := range [][]schemas.Shard{m.States, m.Pages, m.rows()} {
		for _, s := range list {
			kept[s.Name] = true
		}
	}
	for _, l := range m.Losses {
		for _, s := range l.Rejects {
			kept[s.Name] = true
		}
	}
	names, err := db.f.Names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		// Other files in the folder stay.
		if ours().MatchString(name) && !kept[name] {
			if err := db.f.Remove(name); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(db.f.RemoveAll(hidden("run.tmp-*")), db.f.RemoveAll(hidden("hits-*"))); err != nil {
		return err
	}
	for _, key := range db.manifest.Parts {
		// The row first: without its files it would seem complete.
		if err := errors.Join(db.f.Remove(partFile(key)), db.f.RemoveAll(hidden("part-"+key+"-*"))); err != nil {
			return err
		}
	}
	return nil
}

// SaveReport writes the measurements of a run into the folder, as report.json. Unlike all other files, it differs each
// time.
func SaveReport(f folder.Folder, report any) error {
	data, err := folder.EncodeJSON(report)
	if err != nil {
		return err
	}
	return f.Write(holdings.ReportFile, data)
}
