// Package filesets keeps the folder that the command fileset writes:
//
//	fileset-results-1f0c36a9b2d47e58c3aa.jsonl.zst   one line a request: schemas.FilesetResult
//	file-results-….jsonl.zst                         one line a dataset of one file: schemas.FileResult
//	needs-capture-….jsonl                            one line a URL that no archive has: schemas.NeedsCapture
//	rejects-….jsonl.zst                              one line for each line or record that is invalid
//	manifest.json                                    written last: names all files
//	report.json                                      the measurements of the last run: they differ each time
//	.gleaner/                                        marker, lock, units of requests, the index of the captures, rows
//
// Requests are divided into units. A unit's name depends on its requests and on everything that its results depend on.
// A unit is committed by renaming its complete files and then writing its row. So a run that is killed at any moment
// and started again leaves the same folder as one clean run.
//
// The package knows nothing of Beam, of platforms or of the origin of requests.
package filesets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	layout       = "1" // of the folder
	manifestFile = holdings.ManifestFile
	reportFile   = holdings.ReportFile
	hiddenDir    = ".gleaner"
	// maxFile limits files that are read whole, in bytes: rows, and the manifest, which has one line for each unit.
	maxFile = 256 << 20
)

// Errors of Open, for errors.Is. They leave the folder unchanged.
var (
	ErrForeign = errors.New("the folder is not empty, and fileset did not make it: name another one")
	ErrOther   = errors.New("the folder holds results of other requests: name another folder, keep them with --add, or " +
		"start over with --fresh")
	ErrIncomplete = errors.New("filesets: a unit has no result")
)

var marker = claim.Marker{Name: "filesets", Text: "gleaner filesets, layout " + layout + "\n", Foreign: ErrForeign}

// Folder is an open folder. Only one run at a time has it.
type Folder struct {
	f    folder.Folder
	lock *claim.Claimed
}

// Open makes the folder if needed, takes its lock and removes the partial files of killed runs. If fresh is set, it
// also removes the results of earlier runs. jobEnded is as in collection.OpenOptions.
func Open(f folder.Folder, fresh bool, jobEnded func(note []byte) error) (*Folder, error) {
	lock, err := marker.Claim(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(""), err)
	}
	// The sweep runs under the lock, so it never touches the temporary files of a live run.
	c := &Folder{f: f, lock: lock}
	if err = lock.Begin(jobEnded); err == nil {
		// The last two patterns match temporary files of killed writers of whole files.
		err = errors.Join(f.Sweep(), f.RemoveAll(Hidden("tmp-*")), f.RemoveAll(Hidden(".*.tmp-*")),
			f.RemoveAll("."+manifestFile+".tmp-*"), f.RemoveAll("."+reportFile+".tmp-*"))
	}
	if err == nil && fresh {
		err = c.empty()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.Path(""), err), lock.Close())
	}
	return c, nil
}

// Close releases the folder.
func (c *Folder) Close() error { return c.lock.Close() }

// Generation returns the generation of the run, for its workers: see claim.Generation.
func (c *Folder) Generation() claim.Generation { return c.lock.Generation() }

// Leave makes Close keep the run's workers: their job continues without this process.
func (c *Folder) Leave() { c.lock.Leave() }

// empty removes all results. The manifest goes first, so that a folder half-emptied does not look finished. Rows go
// before the files that they name. Other files stay, such as the joined lists of a user.
func (c *Folder) empty() error {
	for _, p := range []string{manifestFile, reportFile, Hidden("row-*")} {
		if err := c.f.RemoveAll(p); err != nil {
			return err
		}
	}
	names, err := c.f.Names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !ours(name) {
			continue
		}
		if err := c.f.Remove(name); err != nil {
			return err
		}
	}
	for _, p := range []string{"requests-*", "part-*", "captures-*", "verified-*"} {
		if err := c.f.RemoveAll(Hidden(p)); err != nil {
			return err
		}
	}
	return nil
}

// Hidden returns the name of a file in the hidden folder, apart from the results.
func Hidden(name string) string { return hiddenDir + "/" + name }

// kind is a kind of output file.
type kind struct {
	name, ext string
}

// kinds are the kinds of files in a unit, in the order of its row.
var kinds = []kind{
	{"fileset-results", ".jsonl.zst"},
	{"file-results", ".jsonl.zst"},
	{"needs-capture", ".jsonl"}, // uncompressed, so that any crawler can read it
	{"rejects", ".jsonl.zst"},
}

// Counts are the counters of one unit or of all.
type Counts struct {
	Requests int64            `json:"requests"`
	Results  int64            `json:"results"`
	Hits     int64            `json:"hits"`
	Rejects  int64            `json:"rejects"` // lines that are not requests, and invalid records of archives
	Missing  int64            `json:"needs_capture"`
	Files    int64            `json:"files"`    // of all manifests
	Verified int64            `json:"verified"` // files whose bytes agree with the platform's data
	Bytes    int64            `json:"bytes"`    // of the verified files
	Statuses map[string]int64 `json:"statuses"`
	Platform map[string]int64 `json:"platforms"`
}

// Add adds the counts of a unit.
func (c *Counts) Add(o Counts) {
	c.Requests += o.Requests
	c.Results += o.Results
	c.Hits += o.Hits
	c.Rejects += o.Rejects
	c.Missing += o.Missing
	c.Files += o.Files
	c.Verified += o.Verified
	c.Bytes += o.Bytes
	for name, n := range o.Statuses {
		schemas.Count(&c.Statuses, name, n)
	}
	for name, n := range o.Platform {
		schemas.Count(&c.Platform, name, n)
	}
}

// Row describes a finished unit.
type Row struct {
	Key    string          `json:"key"`
	Number int             `json:"number"`   // in the order of requests
	Chunk  string          `json:"requests"` // the name of its chunk
	Counts Counts          `json:"counts"`
	Shards []schemas.Shard `json:"shards"`
}

// Manifest describes a finished run.
type Manifest struct {
	Layout        string            `json:"layout"`
	SchemaVersion string            `json:"schema_version"`
	Versions      map[string]string `json:"versions"`
	Options       map[string]any    `json:"options"` // options that change results
	Captures      Captures          `json:"captures"`
	Totals        Counts            `json:"totals"`
	Units         []Row             `json:"units"`
}

// Captures is the index of archives that the results were made with.
type Captures struct {
	Index    string          `json:"index,omitempty"` // its name in the hidden folder, without the extension
	Archives int64           `json:"archives"`
	Lines    int64           `json:"captures"`
	Rejects  int64           `json:"rejects"`
	Shards   []schemas.Shard `json:"shards,omitempty"` // rejects of archives
}

// ReadManifest reads the manifest of a folder. It returns fs.ErrNotExist if no run has finished.
func ReadManifest(f folder.Folder) (m Manifest, err error) {
	err = folder.ReadJSON(f, manifestFile, maxFile, &m)
	if err == nil && m.Layout != layout {
		err = fmt.Errorf("%s: layout %q is not known: use the version of gleaner that made it",
			f.Path(manifestFile), m.Layout)
	}
	return m, err
}

// Done returns the row of a unit if the unit is finished and its files exist.
func Done(f folder.Folder, key string) (r Row, ok bool, err error) {
	err = folder.ReadJSON(f, rowFile(key), maxFile, &r)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	for _, s := range r.Shards {
		// Compares lengths, not hashes: a length is one request to a bucket, and a hash reads the whole file.
		size, err := f.Size(s.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && size != s.Bytes {
			return r, false, nil // the unit is made again
		}
		if err != nil {
			return r, false, err
		}
	}
	return r, true, nil
}

func rowFile(key string) string { return Hidden("row-" + key + ".json") }

// Rows returns all rows of the folder by key.
func (c *Folder) Rows() (map[string]Row, error) {
	names, err := c.f.Names(hiddenDir)
	if err != nil {
		return nil, err
	}
	rows := map[string]Row{}
	for _, name := range names {
		key, ok := strings.CutPrefix(name, "row-")
		if !ok {
			continue
		}
		var r Row
		if err := folder.ReadJSON(c.f, Hidden(name), maxFile, &r); err != nil {
			return nil, err
		}
		rows[strings.TrimSuffix(key, ".json")] = r
	}
	return rows, nil
}

// Finish writes the manifest of a run over units units. It removes results of the same requests that were made with
// other archives or options. Rows come in any order, and may repeat, since runners repeat work.
func Finish(f folder.Folder, rows []Row, units int, m Manifest) (Manifest, error) {
	// If a unit was done twice, its two rows are the same.
	m.Units = make([]Row, units)
	for _, r := range rows {
		if r.Key == "" {
			continue // an empty row
		}
		if r.Number < 0 || r.Number >= units {
			return m, fmt.Errorf("filesets: a row of unit %d, and there are %d units", r.Number, units)
		}
		m.Units[r.Number] = r
	}
	m.Layout, m.SchemaVersion = layout, schemas.Version
	for i, r := range m.Units {
		if r.Key == "" {
			return m, fmt.Errorf("%w: unit %d of %d", ErrIncomplete, i, units)
		}
		m.Totals.Add(r.Counts)
	}
	// The rejects of archives add to those of requests.
	m.Totals.Rejects += m.Captures.Rejects
	data, err := folder.EncodeJSON(m)
	if err == nil {
		err = f.Write(manifestFile, data)
	}
	if err == nil {
		err = sweep(f, m)
	}
	if err == nil {
		err = claim.ForgetJob(f) // nothing more is written
	}
	return m, err
}

// SaveReport writes the measurements of a run as JSON, and replaces those of an earlier run.
func SaveReport(f folder.Folder, report any) error {
	data, err := folder.EncodeJSON(report)
	if err == nil {
		err = f.Write(reportFile, data)
	}
	return err
}

// InOrder returns rows sorted by number, then by key.
func InOrder(rows map[string]Row) []Row {
	return slices.SortedFunc(maps.Values(rows), func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.Key, b.Key))
	})
}

// sweep removes files that the manifest does not name.
func sweep(f folder.Folder, m Manifest) error {
	// The sweep follows the manifest: a kill in between leaves extra files, but no missing ones.
	kept := map[string]bool{}
	for _, u := range m.Units {
		kept[rowFile(u.Key)], kept[ChunkFile(u.Chunk)] = true, true
		for _, s := range u.Shards {
			kept[s.Name] = true
		}
	}
	for _, s := range m.Captures.Shards {
		kept[s.Name] = true
	}
	// Rows go first: a row without its files would seem complete.
	for _, dir := range []string{hiddenDir, ""} {
		names, err := f.Names(dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			full := strings.TrimPrefix(dir+"/"+name, "/")
			if (ours(full) || m.isOldIndex(full)) && !kept[full] {
				if err := f.Remove(full); err != nil {
					return err
				}
			}
		}
	}
	return f.RemoveAll(Hidden("verified-*"))
}

// isOldIndex reports whether a name belongs to an index of other captures.
func (m Manifest) isOldIndex(name string) bool {
	return strings.HasPrefix(name, Hidden("captures-")) && !strings.HasPrefix(name, Hidden(m.Captures.Index+"."))
}

// ours reports whether a name is one of a unit's files.
func ours(name string) bool {
	if strings.HasPrefix(name, Hidden("row-")) || strings.HasPrefix(name, Hidden("requests-")) {
		return true
	}
	for _, k := range kinds {
		rest, ok := strings.CutPrefix(name, k.name+"-")
		if key, _, _ := strings.Cut(rest, "."); ok && len(key) == keyDigits && strings.HasSuffix(name, k.ext) {
			return true
		}
	}
	return false
}

// StatusNames returns the statuses of the counts, the most frequent first.
func (c Counts) StatusNames() []string {
	return slices.SortedFunc(maps.Keys(c.Statuses), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Statuses[b], c.Statuses[a]), strings.Compare(a, b))
	})
}
