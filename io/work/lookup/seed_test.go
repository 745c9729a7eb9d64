package lookup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// seed is a folder of captures of all four platforms of the real system. It is not in the repository.
const seed = "../../../../shared/corpora/seeds/sandcrawler/synthetic"

// openLookup makes an index of lines, and opens it.
func openLookup(t testing.TB, base string, o Options, indexes ...[]byte) *Lookup {
	t.Helper()
	name := filepath.Join(t.TempDir(), "captures.cdxj")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(f, 1<<20, t.TempDir())
	for _, text := range indexes {
		for l, err := range cdx.NewReader(bytes.NewReader(text), cdx.Options{}).All() {
			if err == nil {
				err = b.Add(0, l)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	store := blob.New(blob.Options{})
	index, err := OpenFile(t.Context(), store, name)
	if err != nil {
		t.Fatal(err)
	}
	o.Bases = []string{base}
	l := New(store, index, o)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// seedResults has a line for each of the seed's six requests: status, platform, domain, identifier, item, strategy,
// files and bytes. Then it has the path, status and final URL of each file.
var seedResults = []string{
	"success zenodo zenodo.org 5230255 zenodo.org-5230255 web-fileset 3 98" +
		" data/table.csv=success=https://zenodo.org/api/files/4b5a0000-0000-4000-8000-000000000001/data/table.csv" +
		" readme.txt=success=https://zenodo.org/api/files/4b5a0000-0000-4000-8000-000000000001/readme.txt" +
		" image.png=success=https://zenodo.org/api/files/4b5a0000-0000-4000-8000-000000000001/image.png",
	"success-file figshare figshare.com 12127176 figshare.com-12127176-v4 web-file 1 14" +
		" table.xls=success=https://s3-eu-west-1.amazonaws.com/pfigshare-u-files/22296300/table.xls",
	"success dataverse demo.dataverse.org doi:10.5072/FK2/J8SJZB demo.dataverse.org-J8SJZB-v1.1 web-fileset 2 26" +
		" data/table.csv=success=https://demo.dataverse.org/api/access/datafile/:persistentId/" +
		"?persistentId=doi:10.5072/FK2/J8SJZB/AAAAAA&format=original" +
		" readme.txt=success=https://demo.dataverse.org/api/access/datafile/:persistentId/" +
		"?persistentId=doi:10.5072/FK2/J8SJZB/BBBBBB",
	"success archiveorg archive.org CAT_DATASET CAT_DATASET archiveorg-fileset 2 86" +
		" cats.zip=success=https://archive.org/download/CAT_DATASET/cats.zip" +
		" notes.txt=success=https://archive.org/download/CAT_DATASET/notes.txt",
	"no-capture", "no-capture",
}

// TestSeed does the requests of the seed, whose 19 captures are of all four platforms of the real system.
func TestSeed(t *testing.T) {
	lines, err := os.ReadFile(seed + "/captures.cdx")
	if err != nil {
		t.Skip("no ../shared/corpora/seeds/sandcrawler beside the checkout")
	}
	requests, err := os.ReadFile(seed + "/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	l := openLookup(t, seed, Options{}, lines)
	n := 0
	for line := range bytes.Lines(requests) {
		var r schemas.FilesetRequest
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		out, err := fileset.Ingest(t.Context(), r, l, fileset.Options{Platforms: platform.All()})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(seedResults[n], said(&out.Result)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", r.BaseURL, diff)
		}
		if n == 0 {
			checkPage(t, &out.Result)
		}
		n++
	}
	if n != len(seedResults) {
		t.Errorf("%d requests", n)
	}
}

// said is a result in one line. Files that are verified have all three hashes.
func said(r *schemas.FilesetResult) string {
	if r.Platform == "" {
		return r.Status
	}
	text := fmt.Sprint(r.Status, " ", r.Platform, " ", r.Domain, " ", r.ID, " ", r.Item, " ", r.Strategy, " ",
		*r.FileCount, " ",
		*r.TotalSize)
	for _, f := range r.Manifest {
		text += " " + f.Path + "=" + f.Status + "=" + f.TerminalURL
		if len(f.MD5) != 32 || len(f.SHA1) != 40 || len(f.SHA256) != 64 || f.MIME == "" || len(f.TerminalDT) != 14 {
			text += "=incomplete"
		}
	}
	return text
}

// checkPage compares the first landing page.
func checkPage(t *testing.T, r *schemas.FilesetResult) {
	t.Helper()
	const sha1 = "a1490d32629767a01ed2869af54595863d9b9d6f"
	want := schemas.FilesetResult{
		Hops: []string{"https://doi.org/10.5281/zenodo.5230255", "https://zenodo.org/record/5230255"},
		Terminal: &schemas.FilesetTerminal{
			URL: "https://zenodo.org/record/5230255", DT: "20210909120001", Status: 200, SHA1: sha1,
		},
		CDX: &schemas.CDXRow{
			SURT: "org,zenodo)/record/5230255", Datetime: "20210909120001", URL: "https://zenodo.org/record/5230255",
			MIME: "text/html", Status: 200, SHA1B32: "UFEQ2MTCS5T2AHWSQ2NPKRMVQY6ZXHLP", SHA1: sha1, Length: 419, Offset: 195,
			Path: "TEST-CRAWL-2021-09/captures-00000.warc.gz",
		},
		Biblio: &schemas.Biblio{
			Title: "Synthetic Zenodo record", Contributors: []string{"Doe, Jane"}, ReleaseDate: "2021-08-20",
			DOI: "10.5281/zenodo.5230255",
		},
	}
	got := schemas.FilesetResult{Hops: r.Hops, Terminal: r.Terminal, CDX: r.CDX, Biblio: r.Biblio}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(schemas.FilesetRequest{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if m := r.FileMeta; m.Size != 337 || m.SHA1 != sha1 || m.MIME != "text/html" {
		t.Errorf("file_meta is %+v", m)
	}
}
