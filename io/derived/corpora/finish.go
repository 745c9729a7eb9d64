package corpora

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// The files of a corpus beside its shards.
const (
	ManifestFile = "manifest.json"
	ReportFile   = "report.json"
	HostsFile    = "hosts.jsonl.zst" // a Host a line, sorted by name
	CardFile     = "README.md"       // the dataset card
	// CroissantFile is the same for programs, DatasheetFile for people who decide on its use.
	CroissantFile = "croissant.json"
	DatasheetFile = "DATASHEET.md"

	dataDir    = "data" // as the Hugging Face hub expects
	refusedDir = "refused"
)

// ErrForeign means that the folder holds something else.
var ErrForeign = errors.New("the folder is not empty, and it is not a corpus: name another one")

// Marker claims the folder of a corpus.
var Marker = claim.Marker{Name: "corpus", Text: "gleaner corpus, layout " + layout + "\n", Foreign: ErrForeign}

// Manifest describes a corpus. It is written last: a folder with a manifest is complete.
type Manifest struct {
	Request  string            `json:"request"` // a hash of the request
	Options  Options           `json:"options"`
	Versions map[string]string `json:"versions"`
	Sources  []string          `json:"sources"` // names of the collections, as given
	Repeated int64             `json:"repeated"`
	Counts   Counts            `json:"counts"`
	Funnel   []filter.Passage  `json:"funnel,omitempty"` // what each step was given, and what it passed on
	Files    []schemas.Shard   `json:"files"`
}

// Host is a line of HostsFile.
type Host struct {
	Host string `json:"host"`
	*Tally
}

// Request returns the hash of a request, by which a run detects that everything is done.
func (s *Steps) Request(units []string) string {
	o := s.Options
	return keyOf(o.versions(), o, slices.Sorted(slices.Values(units)))
}

// ReadManifest reads the manifest of the corpus, or returns fs.ErrNotExist if no run has finished.
func (s *Steps) ReadManifest() (m Manifest, err error) {
	err = folder.ReadJSON(s.Out, ManifestFile, maxJSON, &m)
	return m, err
}

// Finish writes report, card and manifest, and removes the files of the steps.
func (s *Steps) Finish(_ context.Context, planned string, sources []string) (m Manifest, err error) {
	var p Planned
	var n Numbered
	if err := folder.ReadJSON(s.Out, hidden("plan", planned, ".json"), maxJSON, &p); errors.Is(err, fs.ErrNotExist) {
		// Repeated after its end, because a runner lost the result.
		return s.ReadManifest()
	} else if err != nil {
		return m, err
	}
	if err := folder.ReadJSON(s.Out, hidden("exact", p.Number, ".json"), maxJSON, &n); err != nil {
		return m, err
	}
	sources = slices.Sorted(slices.Values(sources)) // the order of naming does not matter
	m = Manifest{
		Request: s.Request(n.Units), Options: s.Options, Versions: s.Options.versions(), Sources: sources,
		Repeated: n.Repeated,
	}
	hosts := s.sorter()
	defer func() { err = errors.Join(err, hosts.Close()) }()
	units, shards, err := s.total(n, p, &m, hosts.Add)
	if err != nil {
		return m, err
	}
	funnel, err := s.funnel(units, shards, n, p)
	if err != nil {
		return m, err
	}
	m.Funnel = untimed(funnel)
	file, err := s.writeHosts(hosts.Merge)
	if err != nil {
		return m, err
	}
	m.Files = append(m.Files, file)
	if s.Options.Refused {
		if file, err = s.writeClusters(p); err != nil {
			return m, err
		}
		m.Files = append(m.Files, file)
	}
	slices.SortFunc(m.Files, func(a, b schemas.Shard) int { return strings.Compare(a.Name, b.Name) })
	if err := s.Out.Rename(hidden("kept", p.Key, ".bin"), SignaturesFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	if err := writeJSON(s.Out, ReportFile, report{m.Counts, m.Funnel}); err != nil {
		return m, err
	}
	if err := writeJSON(s.Out, StatsFile, Timed{funnel}); err != nil {
		return m, err
	}
	if err := s.describe(m); err != nil {
		return m, err
	}
	if err := writeJSON(s.Out, ManifestFile, m); err != nil {
		return m, err
	}
	return m, s.Sweep(m)
}

// report is the content of ReportFile.
type report struct {
	Counts
	Funnel []filter.Passage `json:"funnel"`
}

// describe writes the descriptions of the corpus.
func (s *Steps) describe(m Manifest) error {
	meta, err := croissant(m)
	return errors.Join(err, s.Out.Write(CardFile, card(m)), s.Out.Write(CroissantFile, meta),
		s.Out.Write(DatasheetFile, datasheet(m)))
}

// total adds the counts of units and shards. A unit counts the documents that its filters refused, shards count the
// others.
func (s *Steps) total(
	n Numbered, p Planned, m *Manifest, addHost func(key, value []byte) error,
) (units []Signed, shards []Sharded, err error) {
	hosts := func(c Counts, filtered bool) error {
		for host, t := range c.Hosts {
			if filtered {
				t = t.refused()
			}
			value, err := json.Marshal(t)
			if err == nil && t.Documents > 0 {
				err = addHost([]byte(host), value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, unit := range n.Units {
		var signed Signed
		if err := folder.ReadJSON(s.Out, judged(unit), maxJSON, &signed); err != nil {
			return nil, nil, err
		}
		m.Counts.merge(&signed.Counts, true)
		if signed.Refused.Name != "" {
			m.Files = append(m.Files, signed.Refused)
		}
		if err := hosts(signed.Counts, true); err != nil {
			return nil, nil, err
		}
		units = append(units, Signed{Funnel: signed.Funnel})
	}
	for i := range p.Shards {
		var shard Sharded
		if err := folder.ReadJSON(s.Out, sharded(keyOf("shard", p.Key, i)), maxJSON, &shard); err != nil {
			return nil, nil, err
		}
		m.Counts.merge(&shard.Counts, false)
		m.Files = append(m.Files, shard.Files...)
		if err := hosts(shard.Counts, false); err != nil {
			return nil, nil, err
		}
		shards = append(shards, Sharded{Flows: shard.Flows, Seconds: shard.Seconds})
	}
	return units, shards, nil
}

// writeHosts writes the sum of each host.
func (s *Steps) writeHosts(each func(func(key, value []byte) error) error) (file schemas.Shard, err error) {
	o, err := create(s.Out)
	if err != nil {
		return file, err
	}
	defer o.abort()
	w, err := jsonl.NewWriter(o, jsonl.Zstd)
	if err != nil {
		return file, err
	}
	var h Host
	flush := func() error {
		if h.Tally == nil {
			return nil
		}
		return w.Write(h)
	}
	err = each(func(key, value []byte) error {
		var t Tally
		if err := json.Unmarshal(value, &t); err != nil {
			return err
		}
		if h.Tally == nil || h.Host != string(key) {
			if err := flush(); err != nil {
				return err
			}
			h = Host{string(key), &Tally{}}
		}
		h.merge(&t)
		return nil
	})
	if err = errors.Join(err, flush(), w.Close()); err != nil {
		return file, err
	}
	return o.commit(HostsFile)
}

// ours matches names of files that a corpus may have, perhaps an earlier one in this folder.
var ours = pattern.Lazy(`^(train-\d{5,}-of-\d{5,}|duplicates-\d{5,}-of-\d{5,}|filtered-[0-9a-f]{20})` +
	`\.(parquet|jsonl\.zst|warc\.wet\.gz)$|^clusters\.jsonl\.zst$`)

// Sweep removes shards that the manifest does not name, the files of the steps, and leftovers of killed writers. Finish
// ends with it. A run that finds everything done calls it too, because the previous one may have been killed before it.
func (s *Steps) Sweep(m Manifest) error {
	kept := map[string]bool{}
	for _, f := range m.Files {
		kept[f.Name] = true
	}
	dirs := []string{"", dataDir, refusedDir}
	for _, parent := range dirs[:3] {
		names, err := s.Out.Names(parent)
		if err != nil {
			return err
		}
		for _, name := range names {
			if strings.Contains(name, "=") {
				dirs = append(dirs, path.Join(parent, name), path.Join(parent, name, refusedDir))
			}
		}
	}
	for _, dir := range dirs {
		names, err := s.Out.Names(dir)
		if err != nil {
			return err
		}
		for _, base := range names {
			name := path.Join(dir, base)
			if ours().MatchString(base) && !kept[name] {
				if err := s.Out.Remove(name); err != nil {
					return fmt.Errorf("%s: %w", s.Out.Path(name), err)
				}
			}
		}
	}
	err := errors.Join(s.Out.Sweep(), s.Out.RemoveAll(hiddenDir+"corpus-*"), s.Out.RemoveAll(hiddenDir+".*.tmp-*"))
	for _, name := range []string{ManifestFile, ReportFile, StatsFile, CardFile, CroissantFile, DatasheetFile} {
		err = errors.Join(err, s.Out.RemoveAll("."+name+".tmp-*"))
	}
	return err
}
