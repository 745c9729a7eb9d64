// Package filesets keeps the folder that the command fileset writes:
//
//	fileset-results-1f0c36a9b2d47e58c3aa.jsonl.zst   one line a request: schemas.FilesetResult
//	file-results-….jsonl.zst                         one line a dataset of one file: schemas.FileResult
//	needs-capture-….jsonl                            one line a URL that no archive has: schemas.NeedsCapture
//	rejects-….jsonl.zst                              one line for what is no request, or no record of an archive
//	manifest.json                                    written last: names all files
//	report.json                                      what the last run measured: it is different each time
//	.gleaner/                                        marker, lock, units of requests, the index of the captures, rows
//
// Requests are divided into units, whose names depend on what they are and on all that their results depend on. A unit
// is committed by renaming its files, which are complete by then, and then writing its row: kill the process at any
// moment, start it again, and the folder ends as after one clean run.
//
// It knows nothing of Beam, of platforms or of where requests come from.
package filesets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	layout       = "1" // of the folder
	manifestFile = holdings.ManifestFile
	reportFile   = holdings.ReportFile
	hiddenDir    = ".gleaner"
	// maxFile bounds files that are read whole, in bytes: rows, and the manifest, which has a line a unit.
	maxFile = 256 << 20
)

// What can be wrong with a folder, for errors.Is. Nothing in it was touched.
var (
	ErrForeign = errors.New("the folder is not empty, and fileset did not make it: name another one")
	ErrOther   = errors.New("the folder holds results of other requests: name another folder, keep them with --add, or " +
		"start over with --fresh")
	ErrIncomplete = errors.New("filesets: a unit has no result")
)

var marker = collection.Marker{Name: "filesets", Text: "gleaner filesets, layout " + layout + "\n", Foreign: ErrForeign}

// Folder is an open folder. One run at a time has it.
type Folder struct {
	f    folder.Folder
	lock *collection.Claimed
}

// Open makes the folder where there is none, takes its lock and sweeps what killed runs left half-written. fresh
// removes what earlier runs wrote. jobEnded is that of collection.OpenOptions.
func Open(f folder.Folder, fresh bool, jobEnded func(note []byte) error) (*Folder, error) {
	lock, err := marker.Claim(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(""), err)
	}
	// Swept under the lock: temporary files of a run that is alive are not touched.
	c := &Folder{f: f, lock: lock}
	if err = lock.Begin(jobEnded); err == nil {
		// The last two are what writers of whole files leave that were killed before a file had its name.
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

// Close lets others have the folder.
func (c *Folder) Close() error { return c.lock.Close() }

// Generation is that of the run, for its workers: see collection.Generation.
func (c *Folder) Generation() collection.Generation { return c.lock.Generation() }

// Leave has Close leave the run's workers alone: their job goes on without this process.
func (c *Folder) Leave() { c.lock.Leave() }

// empty removes all results. The manifest goes first, so that a folder half-emptied does not look finished, and rows
// before what they say is there.
func (c *Folder) empty() error {
	patterns := []string{manifestFile, reportFile, Hidden("row-*")}
	for _, k := range kinds {
		patterns = append(patterns, k.name+"-*"+k.ext)
	}
	for _, p := range append(
		patterns, Hidden("requests-*"), Hidden("part-*"), Hidden("captures-*"), Hidden("verified-*"),
	) {
		if err := c.f.RemoveAll(p); err != nil {
			return err
		}
	}
	return nil
}

// Hidden is the name in the folder of a file that is not the result.
func Hidden(name string) string { return hiddenDir + "/" + name }

// kind is a kind of output file.
type kind struct {
	name, ext string
}

// kinds are those of a unit, in the order of its row.
var kinds = []kind{
	{"fileset-results", ".jsonl.zst"},
	{"file-results", ".jsonl.zst"},
	{"needs-capture", ".jsonl"}, // plain, so that any crawler takes it
	{"rejects", ".jsonl.zst"},
}

// Counts are what a unit, or all of them, have seen.
type Counts struct {
	Requests int64            `json:"requests"`
	Results  int64            `json:"results"`
	Hits     int64            `json:"hits"`
	Rejects  int64            `json:"rejects"` // lines that are not requests, and what archives have that is not a record
	Missing  int64            `json:"needs_capture"`
	Files    int64            `json:"files"`    // of all manifests
	Verified int64            `json:"verified"` // of these, those whose bytes are what the platform says
	Bytes    int64            `json:"bytes"`    // of these
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

// Row is what a unit that is done says of itself.
type Row struct {
	Key    string          `json:"key"`
	Number int             `json:"number"`   // in the order of requests
	Chunk  string          `json:"requests"` // what its requests are known by
	Counts Counts          `json:"counts"`
	Shards []schemas.Shard `json:"shards"`
}

// Manifest is what a finished run says of itself.
type Manifest struct {
	Layout        string            `json:"layout"`
	SchemaVersion string            `json:"schema_version"`
	Versions      map[string]string `json:"versions"`
	Options       map[string]any    `json:"options"` // those that change results
	Captures      Captures          `json:"captures"`
	Totals        Counts            `json:"totals"`
	Units         []Row             `json:"units"`
}

// Captures is the index of archives that results were made with.
type Captures struct {
	Index    string          `json:"index,omitempty"` // its name in the hidden folder, without what follows the dot
	Archives int64           `json:"archives"`
	Lines    int64           `json:"captures"`
	Rejects  int64           `json:"rejects"`
	Shards   []schemas.Shard `json:"shards,omitempty"` // rejects of archives
}

// ReadManifest reads that of a folder; fs.ErrNotExist when no run has finished.
func ReadManifest(f folder.Folder) (m Manifest, err error) {
	err = folder.ReadJSON(f, manifestFile, maxFile, &m)
	if err == nil && m.Layout != layout {
		err = fmt.Errorf("%s: layout %q is not known: use the version of gleaner that made it",
			f.Path(manifestFile), m.Layout)
	}
	return m, err
}

// Done returns the row of a unit, when it is done and its files are there.
func Done(f folder.Folder, key string) (r Row, ok bool, err error) {
	err = folder.ReadJSON(f, rowFile(key), maxFile, &r)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	for _, s := range r.Shards {
		// By length and not by hash: a length is one request to a bucket, and a hash is all of the
		// file.
		size, err := f.Size(s.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && size != s.Bytes {
			return r, false, nil // it is made again
		}
		if err != nil {
			return r, false, err
		}
	}
	return r, true, nil
}

func rowFile(key string) string { return Hidden("row-" + key + ".json") }

// Rows are all rows of the folder, by key.
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

// Finish writes the manifest of a run over so many units, and removes the results of the same requests that were made
// with other archives or options. Rows come in any order, and may be there twice, since runners repeat work.
func Finish(f folder.Folder, rows []Row, units int, m Manifest) (Manifest, error) {
	// By number: where a unit was done twice, its two rows are the same.
	m.Units = make([]Row, units)
	for _, r := range rows {
		if r.Key == "" {
			continue // of nothing
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
	// What archives have that is not a record, beside what requests have.
	m.Totals.Rejects += m.Captures.Rejects
	data, err := folder.EncodeJSON(m)
	if err == nil {
		err = f.Write(manifestFile, data)
	}
	if err == nil {
		err = sweep(f, m)
	}
	if err == nil {
		err = collection.ForgetJob(f) // nothing more is written
	}
	return m, err
}

// SaveReport writes what a run measured, as JSON, in place of what an earlier one has left.
func SaveReport(f folder.Folder, report any) error {
	data, err := folder.EncodeJSON(report)
	if err == nil {
		err = f.Write(reportFile, data)
	}
	return err
}

// InOrder are rows by their numbers, those of one number by their keys.
func InOrder(rows map[string]Row) []Row {
	return slices.SortedFunc(maps.Values(rows), func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.Key, b.Key))
	})
}

// sweep removes what the manifest does not name.
func sweep(f folder.Folder, m Manifest) error {
	// After the manifest is written: a kill in between leaves files too many, and none too few.
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
	// Rows go first: one without its files would be taken for whole.
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

// isOldIndex reports whether a name is of an index of other captures.
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

// StatusNames are the statuses of counts, the most frequent first.
func (c Counts) StatusNames() []string {
	return slices.SortedFunc(maps.Keys(c.Statuses), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Statuses[b], c.Statuses[a]), strings.Compare(a, b))
	})
}
