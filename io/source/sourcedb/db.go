package sourcedb

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const (
	layout       = "1" // of the folder
	manifestFile = "manifest.json"
	// maxManifest bounds the manifest, in bytes: a line a part, of which a collection has as many as units.
	maxManifest = 1 << 30
)

// ErrForeign is a folder that holds something else.
var ErrForeign = errors.New("the folder is not empty, and it is not a Source DB: name another one")

// Manifest names what a generation of the Source DB is made of.
type Manifest struct {
	Layout  string `json:"layout"`
	Version string `json:"version"` // of package source
	// A part that was merged once is never merged again, and none is ever taken out: so the list only grows.
	Parts   []string        `json:"parts"`   // keys of all parts that were ever merged, sorted
	Options string          `json:"options"` // of the descriptions
	AsOf    string          `json:"as_of"`
	Counts  Counts          `json:"counts"`
	States  []schemas.Shard `json:"states"`
	Pages   []schemas.Shard `json:"pages"`
	Sources []schemas.Shard `json:"sources"`
	Links   []schemas.Shard `json:"links"`
	Facts   []schemas.Shard `json:"facts"`  // what the next generation needs of sources that it does not meet
	Shared  []schemas.Shard `json:"shared"` // links that items of several feeds have: see sharing
	// Redirects are what each period of pages changes of those that the periods before it leave: see pagesMerge.
	Redirects []schemas.Shard `json:"redirects"`
	// Losses are what could not be read, of units; ascending by unit.
	Losses []Loss `json:"losses,omitempty"`
}

// Counts are the numbers of a generation.
type Counts struct {
	Sources   int64            `json:"sources"` // rows; see Standing
	Items     int64            `json:"items"`
	Pages     int64            `json:"pages"`  // captured ones that an item may link to
	Linked    int64            `json:"linked"` // of these, those that an item links to; one of two feeds counts twice
	Twins     int64            `json:"twins"`  // of the sources, those that are equal to another; not in what follows
	Verdicts  map[string]int64 `json:"verdicts"`
	Classes   map[string]int64 `json:"classes"`
	States    map[string]int64 `json:"health"`
	Reasons   map[string]int64 `json:"reasons"`
	PartBytes int64            `json:"part_bytes"` // what units gave to the merge, since the first generation
	Rejects   int64            `json:"rejects"`    // of all losses
	BytesLost int64            `json:"bytes_lost"` // likewise: see schemas.Reject
	ByReject  map[string]int64 `json:"by_reject,omitempty"`
}

// Standing is how many sources there are: feeds that are the same as another have a row, and are no source of their
// own.
func (c Counts) Standing() int64 { return c.Sources - c.Twins }

// Lost reports whether something of the collections could not be read, or may be wrong. What was read and refused is no
// loss.
func (c Counts) Lost() bool { return c.BytesLost > 0 || c.ByReject[string(schemas.KindDamaged)] > 0 }

// DB is a Source DB that is being written to.
type DB struct {
	f        folder.Folder
	lock     *collection.Claimed // nil of Resume: another process has it
	manifest Manifest

	// Mended are the shards of the generation before that Update found to be damaged, and did without: all sources were
	// told again, and nothing was lost.
	Mended []string
}

var marker = collection.Marker{Name: "sources", Text: "gleaner source db, layout " + layout + "\n", Foreign: ErrForeign}

// Open opens the Source DB in f, or begins one in an empty folder, and keeps others from writing to it until Close.
func Open(f folder.Folder) (*DB, error) {
	lock, err := marker.Claim(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(""), err)
	}
	db, err := Resume(f)
	// What a run has left that was killed while it wrote a small file.
	if err = errors.Join(err, f.RemoveAll("."+manifestFile+".tmp-*"), f.RemoveAll(hidden(".part-*.tmp-*"))); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	db.lock = lock
	return db, nil
}

// Begin begins a run of workers, and returns its generation. It ends whatever a runner still does for an earlier run.
// The job of a note that has not ended is collection.ErrBusy: see collection.AwaitJob.
func (db *DB) Begin(ended func(note []byte) error) (collection.Generation, error) {
	if err := db.lock.Begin(ended); err != nil {
		return "", fmt.Errorf("%s: %w", db.f.Path(""), err)
	}
	// Read again: until now an earlier run may have written one.
	now, err := Resume(db.f)
	if err != nil {
		return "", err
	}
	db.manifest = now.manifest
	return db.lock.Generation(), nil
}

// Leave has Close leave the run's workers alone: their job goes on without this process.
func (db *DB) Leave() { db.lock.Leave() }

// Resume opens a Source DB whose lock another process of the same job holds.
func Resume(f folder.Folder) (*DB, error) {
	m, err := ReadManifest(f)
	// A new folder has no manifest: its generation is the empty one.
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &DB{f: f, manifest: m}, nil
}

// Close lets others write.
func (db *DB) Close() error {
	if db.lock == nil {
		return nil
	}
	return db.lock.Close()
}

// ReadManifest reads that of the Source DB in f; fs.ErrNotExist when no run has finished.
func ReadManifest(f folder.Folder) (m Manifest, err error) {
	err = folder.ReadJSON(f, manifestFile, maxManifest, &m)
	// An unknown layout is never written over: a later version of the program has made it.
	if err == nil && m.Layout != layout {
		err = fmt.Errorf("%s: layout %q is not known: use the version of gleaner that made it",
			f.Path(manifestFile), m.Layout)
	}
	return m, err
}

// Has reports whether a part was merged, by its key: see PartKey. A part that was merged must not be merged twice.
func (m Manifest) Has(key string) bool {
	// Sorted by Update, and never taken out of the list.
	_, ok := slices.BinarySearch(m.Parts, key)
	return ok
}

// Manifest is that of the generation that is there; the zero Manifest of a new folder.
func (db *DB) Manifest() Manifest { return db.manifest }

// IsCurrent reports whether the generation that is there is what Update would make of no parts at all.
func (db *DB) IsCurrent(o Options) (bool, error) {
	lasting, err := o.lasting()
	if err != nil || db.manifest.Options != lasting || db.manifest.Version != source.Version {
		return false, err
	}
	// By size: hashing all of it would take as long as a merge.
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

// ours are the names of files of generations.
var ours = regexp.MustCompile(
	`^(sources|links|states|(pages|redirects)(-[0-9]{6})?|facts|shared|rejects)` +
		`-[0-9]{5}-[0-9a-f]{20}\.(jsonl\.zst|bin\.zst|bin\.s2)$`)

// sweep removes what the current generation does not name: the one before, and what killed runs left. Parts that are
// merged are removed as well; those that are not belong to a run that goes on.
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
		// Other files in the folder are somebody else's, and stay.
		if ours.MatchString(name) && !kept[name] {
			if err := db.f.Remove(name); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(db.f.RemoveAll(hidden("run.tmp-*")), db.f.RemoveAll(hidden("hits-*"))); err != nil {
		return err
	}
	for _, key := range db.manifest.Parts {
		// The row goes first: one without its files would be taken for whole.
		if err := errors.Join(db.f.Remove(partFile(key)), db.f.RemoveAll(hidden("part-"+key+"-*"))); err != nil {
			return err
		}
	}
	return nil
}

// SaveReport writes what a run measured into the folder, as report.json: unlike all else there, it is different each
// time.
func SaveReport(f folder.Folder, report any) error {
	data, err := folder.EncodeJSON(report)
	if err != nil {
		return err
	}
	return f.Write(holdings.ReportFile, data)
}
