package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpora holds archives of a score of other projects, which are not ours to pass on. MANIFEST.tsv there says what
// FastWARC 2.0.1, in its two modes, and warcio 1.8.1 read from each.
const corpora = "../../../shared/corpora/warc"

// peerErrors are the files of which a peer counts something that is not a record.
var peerErrors = map[string]string{
	"netarchivesuite+jwat/jwat-gzip/src/test/resources/invalid-entries.gz": "text, whose lines warcio " +
		"takes for ARC",
	"netarchivesuite+jwat/jwat-gzip/src/test/resources/invalid-truncated.gz": "text, whose lines warcio " +
		"takes for ARC",
	"netarchivesuite+jwat/jwat-gzip/src/test/resources/sample.txt.gz": "text, whose lines warcio " +
		"takes for ARC",
	"netarchivesuite+jwat/jwat-gzip/src/test/resources/three-files.gz": "text, whose lines warcio " +
		"takes for ARC",
	"richardlehane+webarchive/examples/jhove/invalid/invalid-warcheaderversion-20.warc": "two bytes, CR and LF, " +
		"which warcio counts",
	"richardlehane+webarchive/examples/jhove/invalid/invalid-warcreader-diagnosis-1.warc": "a line that warcio takes " +
		"for a head",
}

// corpusFiles calls f for each file of the corpora, as a subtest.
func corpusFiles(t *testing.T, f func(t *testing.T, name string, data []byte)) {
	t.Helper()
	raw := filepath.Join(corpora, "raw")
	if _, err := os.Stat(raw); errors.Is(err, fs.ErrNotExist) {
		t.Skip("no ../shared/corpora/warc beside the checkout: archives of others, which may not be copied into it")
	}
	files := 0
	err := filepath.WalkDir(raw, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(raw, path)
		if err != nil {
			return err
		}
		files++
		t.Run(name, func(t *testing.T) { f(t, filepath.ToSlash(name), data) })
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files in %s, error %v", files, raw, err)
	}
}

// peerCounts is how many records of each type a peer read.
type peerCounts map[string]int64

// manifest returns what each peer read of each file.
func manifest(t *testing.T) map[string][]peerCounts {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(corpora, "MANIFEST.tsv"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no ../shared/corpora/warc beside the checkout: archives of others, which may not be copied into it")
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]peerCounts{}
	for i, line := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		row := strings.Split(line, "\t")
		if len(row) < 10 {
			t.Fatalf("line %d of the manifest has %d columns", i+1, len(row))
		}
		for _, cell := range row[7:10] {
			text, _, _ := strings.Cut(cell, " ERR:")
			counts := map[string]int64{}
			if strings.HasPrefix(text, "{") {
				if err := json.Unmarshal([]byte(text), &counts); err != nil {
					t.Fatalf("%s: %v", row[0], err)
				}
			}
			name := strings.TrimPrefix(row[0], "raw/")
			all[name] = append(all[name], counts)
		}
	}
	return all
}

// normal returns p with the names that we use, and the number of records without a type.
func (p peerCounts) normal(isARC bool) (types map[string]int64, nameless int64) {
	types = map[string]int64{}
	for name, n := range p {
		switch name = strings.ToLower(strings.TrimSpace(name)); {
		case name == "arc_header":
			types["filedesc"] += n
		case isARC && name == "response":
			types["arc"] += n
		case name == "" || name == "null" || name == "unknown":
			nameless += n
		default:
			types[name] += n
		}
	}
	return types, nameless
}

// readAsAnything reads other files as each format: every byte must be counted, and bytes that are not a record must be
// reported.
func readAsAnything(t *testing.T, data []byte) {
	t.Helper()
	for _, f := range allFormats(t) {
		if got := readBytes(t, data, f); got.counts.Records == 0 && got.counts.BytesLost == 0 && !blank(data) {
			t.Errorf("%d bytes read as %s give no record and no loss", len(data), f)
		}
	}
}

func allFormats(t testing.TB) (all []Format) {
	t.Helper()
	for _, s := range []string{"warc+plain", "warc+gzip", "warc+zstd", "warc+lz4", "arc+plain", "arc+gzip"} {
		all = append(all, mustFormat(t, s))
	}
	return all
}

func TestReader_corpusHasAtLeastThePeersRecords(t *testing.T) {
	peers := manifest(t)
	corpusFiles(t, func(t *testing.T, name string, data []byte) {
		format, err := Detect("", bytes.NewReader(data), int64(len(data)))
		var got listing
		switch {
		case errors.Is(err, ErrUnsupported):
			readAsAnything(t, data)
		case err != nil:
			t.Fatal(err)
		default:
			got = readBytes(t, data, format)
		}
		if why, ok := peerErrors[name]; ok {
			if len(got.captures) > 0 {
				t.Errorf("%d captures of a file without records: %s", len(got.captures), why)
			}
			return
		}
		for _, p := range peers[name] {
			types, nameless := p.normal(format.Name == "arc")
			named := int64(0)
			for kind, n := range types {
				named += n
				if have := got.counts.ByType[kind]; have < n {
					t.Errorf("%d records of type %q, a peer has %d; ours %v", have, kind, n, got.counts.ByType)
				}
			}
			// FastWARC calls unknown what it has no name for, also a known type in another case or in a folded line.
			if got.counts.Records < named+nameless {
				t.Errorf("%d records, a peer has %d with a type and %d without", got.counts.Records, named, nameless)
			}
		}
	})
}

var oddSizes = []int64{64 << 10, 70_001, 1 << 20, 64 << 20}

func TestStarts_corpusReadsTheSameInRanges(t *testing.T) {
	split := 0
	corpusFiles(t, func(t *testing.T, name string, data []byte) {
		format, err := Detect("", bytes.NewReader(data), int64(len(data)))
		if errors.Is(err, ErrUnsupported) {
			t.Skip("no archive")
		}
		whole := readBytes(t, data, format)
		for _, every := range append(oddSizes, int64(len(data))/7+1) {
			if checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, format, every) > 1 {
				split++
			}
		}
	})
	if split == 0 {
		t.Error("no file was split")
	}
}

// TestStarts_corpusInOneFileReadsTheSameInRanges joins the gzip files of the corpora, whole and damaged.
func TestStarts_corpusInOneFileReadsTheSameInRanges(t *testing.T) {
	var all []byte
	corpusFiles(t, func(_ *testing.T, name string, data []byte) {
		if strings.HasSuffix(name, "warc.gz") {
			all = append(all, data...)
		}
	})
	format, err := ParseFormat("warc+gzip")
	if err != nil {
		t.Fatal(err)
	}
	whole := readBytes(t, all, format)
	for _, every := range append(oddSizes, 300_007) {
		n := checkSplit(t, bytes.NewReader(all), int64(len(all)), whole, format, every)
		if max := int64(len(all))/every + 1; int64(n) > max || int64(n) < max/2 {
			t.Errorf("%d ranges of %d bytes for %d bytes", n, every, len(all))
		}
	}
}

func TestReader_testdata(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/[ad][ra][cm]*/*") // archives, damaged
	if err != nil || len(paths) < 9 {
		t.Fatalf("%d archives in testdata, error %v", len(paths), err)
	}
	records := map[string]int64{
		"site.warc.gz": 58, "site.warc.zst": 27, "site.warc": 17, "site.arc.gz": 7, "site-v2.arc": 6, "wget.warc.gz": 116,
		"cut.warc.gz": 4, "flip.warc.gz": 4, "garbage.warc": 5,
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			format, err := Detect("", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			whole := readBytes(t, data, format)
			if got, want := whole.counts.Records, records[filepath.Base(path)]; got != want {
				t.Errorf("%d records, want %d; %+v", got, want, whole.counts)
			}
			if healthy := filepath.Base(filepath.Dir(path)) == "archives"; healthy && len(whole.rejects) > 0 {
				t.Errorf("rejects of a healthy file: %+v", whole.rejects)
			}
			for _, every := range append(oddSizes, 3001) {
				checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, format, every)
			}
		})
	}
}
