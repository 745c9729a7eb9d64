package fileset_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// The tests of this file are named after defects of the real system; each shows that this package works as intended.
// Defects 10 and 11 belong to its database and 14 to its catalogue's importer: see the sinks.

const (
	figshare     = "https://figshare.com/articles/dataset/x/12/1"
	figshareAPI  = "https://api.figshare.com/v2/articles/12/versions/1"
	figshareFile = "https://ndownloader.figshare.com/files/9"
)

// single is a web with a dataset of one file.
func single(text string) web {
	return web{
		figshare: {mime: "text/html", body: html}, figshareFile: {body: text},
		figshareAPI: {body: fmt.Sprintf(`{"files":[{"name":"a.txt","size":%d,"computed_md5":%q,"download_url":%q}]}`,
			len(text), md5Of(text), figshareFile)},
	}
}

// TestDefect01_fileMetaIsNoList: fileset_file.file_meta is an object.
func TestDefect01_fileMetaIsNoList(t *testing.T) {
	out := ingest(t, single("x"), figshare, fileset.Options{})
	text, err := json.Marshal(out.Result)
	if err != nil || !strings.Contains(string(text), `"fileset_file":{"file_meta":{"size_bytes":1,`) {
		t.Errorf("got %s, error %v", text, err)
	}
}

// TestDefect02_theFilesSinkGetsTheFile: file-results contain the result of the file, with the type dataset-file.
func TestDefect02_theFilesSinkGetsTheFile(t *testing.T) {
	out := ingest(t, single("x"), figshare, fileset.Options{})
	if out.File == nil || out.File.Status != "success" || !out.File.Hit || out.File.FileMeta.MD5 != md5Of("x") ||
		out.File.Terminal.URL != figshareFile || out.File.CDX == nil || out.File.Request.Type != "dataset-file" {
		t.Errorf("got %+v", out.File)
	}
	if out := ingest(t, dataset("a", "1", "b", "2"), record, fileset.Options{}); out.File != nil {
		t.Errorf("a dataset of two files has the file result %+v", out.File)
	}
}

// TestDefect03_checksumsOfZenodoInSHA1: they are read like those in MD5.
func TestDefect03_checksumsOfZenodoInSHA1(t *testing.T) {
	w := web{
		record: {mime: "text/html", body: html}, content + "a": {body: "x"}, content + "b": {body: "x"},
		api: {body: fmt.Sprintf(`{"id":1,"files":[{"key":"a","size":1,"checksum":"sha1:11f6ad8ec52a2984abaafd7c3b516503785c2072",
			"links":{"self":"%sa"}},{"key":"b","checksum":"sha1:%040d","links":{"self":"%sb"}}]}`, content, 0, content)},
	}
	got := ingest(t, w, record, fileset.Options{}).Result
	if got.Manifest[0].Status != "success" || got.Manifest[1].Status != "mismatch" {
		t.Errorf("got %+v", got.Manifest)
	}
}

// TestDefect04_theStrategyOfOneFile: it is archiveorg-file, not archiveorg-fileset.
func TestDefect04_theStrategyOfOneFile(t *testing.T) {
	got := ingest(t, single("x"), figshare, fileset.Options{MaxWebFile: 1}).Result
	if got.Strategy != fileset.ArchiveorgFile || got.Status != fileset.StatusSuccessFile {
		t.Errorf("got %s, %s", got.Strategy, got.Status)
	}
}

// TestDefect05_bundledIsOneSuffix: the strategies end in -bundled, and are handled under that name.
func TestDefect05_bundledIsOneSuffix(t *testing.T) {
	bundle := "https://ndownloader.figshare.com/articles/12/versions/1"
	for _, strategy := range []string{fileset.WebBundled, fileset.ArchiveorgBundled} {
		got := ingest(t, single("x").with(bundle, answer{body: zipped(t, "a.txt", "x")}), figshare,
			fileset.Options{Strategy: strategy}).Result
		if got.Status != "success" || got.Strategy != strategy || !strings.HasSuffix(got.Strategy, "-bundled") ||
			got.Bundle == nil {
			t.Errorf("got %s, %s (%s), %+v", got.Strategy, got.Status, got.Error, got.Bundle)
		}
		if path := got.Bundle.BundlePath; strategy == fileset.ArchiveorgBundled && path != "figshare.com-12-v1.zip" {
			t.Errorf("archiveorg_bundle_path is %q", path)
		}
	}
}

// TestDefect06_itemsOfArchiveOrgAreFound: they are found as requests and as targets of redirects.
func TestDefect06_itemsOfArchiveOrgAreFound(t *testing.T) {
	item := "https://archive.org/details/it"
	w := web{
		item:                                {mime: "text/html", body: html},
		"https://archive.org/metadata/it":   {body: `{"metadata":{"mediatype":"data"},"files":[{"name":"f","source":"original","size":"1","md5":"` + md5Of("x") + `"}]}`},
		"https://archive.org/download/it/f": {body: "x"},
		"https://doi.org/10.1/it":           {mime: "text/html", body: html, to: item},
	}
	for _, url := range []string{item, "https://doi.org/10.1/it"} {
		got := ingest(t, w, url, fileset.Options{}).Result
		if got.Status != fileset.StatusSuccessFile || got.Platform != "archiveorg" || got.Item != "it" {
			t.Errorf("%s: got %s, %s", url, got.Status, got.Platform)
		}
	}
}

// TestDefect07_theWebIsNotAskedForWhatIsThere: strategies web-* look for earlier captures.
func TestDefect07_theWebIsNotAskedForWhatIsThere(t *testing.T) {
	have := dataset("a", "1", "b", "2")
	live := web{record: have[record], api: have[api]} // without the files
	got := ingest(t, live, record, fileset.Options{Existing: have})
	if got.Result.Status != fileset.StatusSuccessExisting || len(got.Missing) > 0 {
		t.Errorf("got %s, missing %v", got.Result.Status, got.Missing)
	}
	// A part of it is not enough: then everything is requested.
	delete(have, content+"b")
	got = ingest(t, dataset("a", "1", "b", "2"), record, fileset.Options{Existing: have})
	if got.Result.Status != fileset.StatusSuccess || len(got.Missing) > 0 {
		t.Errorf("got %s, missing %v", got.Result.Status, got.Missing)
	}
}

// TestDefect08_messagesNameTheirURL: the message about restricted records had a placeholder instead.
func TestDefect08_messagesNameTheirURL(t *testing.T) {
	w := dataset("a", "1").with(api, answer{body: `{"id":1,"metadata":{"access_right":"closed"}}`})
	got := ingest(t, w, record, fileset.Options{}).Result
	if got.Status != "platform-restricted" || !strings.Contains(got.Error, api) || strings.Contains(got.Error, "{") {
		t.Errorf("got %s, %q", got.Status, got.Error)
	}
}

// TestDefect09_conceptsAreOutOfScope: a concept's identifier is a text, and a record's is a number.
func TestDefect09_conceptsAreOutOfScope(t *testing.T) {
	for _, concept := range []string{`"1"`, `1`} {
		w := dataset("a", "1").with(api, answer{body: `{"id":1,"conceptrecid":` + concept + `,"files":[{"key":"a"}]}`})
		if got := ingest(t, w, record, fileset.Options{}).Result; got.Status != "platform-scope" {
			t.Errorf("%s: got %s", concept, got.Status)
		}
	}
}

// TestDefect12_foldersOfDataverse: folders are part of paths, so files of one name in two folders are different.
func TestDefect12_foldersOfDataverse(t *testing.T) {
	page := "https://dv.example/dataset.xhtml?persistentId=doi:10.1/ABC/DEFGHI"
	at := "https://dv.example/api/datasets/:persistentId/?persistentId=doi:10.1/ABC/DEFGHI"
	body := `{"data":{"latestVersion":{"versionNumber":1,"versionMinorNumber":0,"files":[
		{"directoryLabel":"one","dataFile":{"id":7,"persistentId":"","filename":"f","filesize":1}},
		{"directoryLabel":"two","dataFile":{"id":8,"persistentId":"","filename":"f","filesize":1}}]}}}`
	w := web{
		page: {mime: "text/html", body: html}, at: {body: body}, at + "&version=1.0": {body: body},
		"https://dv.example/api/access/datafile/7": {body: "x"}, "https://dv.example/api/access/datafile/8": {body: "y"},
	}
	got := ingest(t, w, page, fileset.Options{}).Result
	var paths []string
	for _, f := range got.Manifest {
		paths = append(paths, f.Path)
	}
	if diff := cmp.Diff([]string{"one/f", "two/f"}, paths); diff != "" || got.Status != "success" {
		t.Errorf("%s (%s): -want +got:\n%s", got.Status, got.Error, diff)
	}
}

// TestDefect13_nestedFolders: they reach the keeper unchanged, at any depth.
func TestDefect13_nestedFolders(t *testing.T) {
	k := &shelf{files: map[string]string{}}
	got := ingest(t, dataset("a/b/c/d", "1", "a/e", "2"), record, fileset.Options{MaxWebFile: 1, Keeper: k}).Result
	if diff := cmp.Diff(map[string]string{"a/b/c/d": "1", "a/e": "2"}, k.files); diff != "" || got.Status != "success" {
		t.Errorf("%s: -want +got:\n%s", got.Status, diff)
	}
	for _, f := range got.Manifest {
		if f.Status != fileset.StatusSuccess {
			t.Errorf("%s: %s", f.Path, f.Status)
		}
	}
}

// shelf is a Keeper in memory.
type shelf struct {
	files map[string]string
	have  map[string]string // statuses of the stored files
	end   string            // status of Commit if it succeeds
	now   strings.Builder
}

func (s *shelf) Item(context.Context, *schemas.FilesetPlatformItem) (fileset.ItemKeeper, error) {
	return s, nil
}
func (s *shelf) Existing(f *schemas.ManifestFile) (string, error) { return s.have[f.Path], nil }
func (s *shelf) Create(*schemas.ManifestFile) (io.WriteCloser, error) {
	s.now.Reset()
	return struct {
		io.Writer
		io.Closer
	}{&s.now, io.NopCloser(nil)}, nil
}

func (s *shelf) Keep(f *schemas.ManifestFile) error {
	s.files[f.Path] = s.now.String()
	return nil
}
func (s *shelf) Drop(*schemas.ManifestFile) error { return nil }
func (s *shelf) Commit([]schemas.ManifestFile) (string, error) {
	if s.end == "" {
		return fileset.StatusSuccess, nil
	}
	return s.end, nil
}
func (s *shelf) Abort() {}

func TestKeeper(t *testing.T) {
	all := fileset.Options{MaxWebFile: 1}
	tests := []struct {
		name string
		w    web
		k    *shelf
		want string // overall, then of each file
	}{
		{
			"some there", dataset("a", "1", "b", "2"), &shelf{have: map[string]string{"a": "exists-local"}},
			"success exists-local success",
		},
		{"all there", dataset("a", "1", "b", "2"), &shelf{
			have: map[string]string{"a": "exists", "b": "exists"},
			end:  "success-existing",
		}, "success-existing exists exists"},
		{
			"another there", dataset("a", "1", "b", "2"), &shelf{have: map[string]string{"a": "mismatch-existing"}},
			"mismatch-existing mismatch-existing verified-local",
		},
		{
			"upload fails", dataset("a", "1", "b", "2"), &shelf{end: "error-archiveorg-upload"},
			"error-archiveorg-upload verified-local verified-local",
		},
		{
			"another file", dataset("a", "1", "b", "2").with(content+"a", answer{body: "3"}), &shelf{},
			"mismatch-md5 mismatch-md5 verified-local",
		},
		{
			"coded on the way", dataset("a", "1", "b", "2").with(content+"a", answer{body: gzipped("1"), encoding: "gzip"}),
			&shelf{}, "success success success",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := all
			tt.k.files = map[string]string{}
			o.Keeper = tt.k
			got := ingest(t, tt.w, record, o).Result
			said := got.Status
			for _, f := range got.Manifest {
				said += " " + f.Status
			}
			if said != tt.want {
				t.Errorf("got  %s\nwant %s", said, tt.want)
			}
			for name, text := range tt.k.files {
				if md5Of(text) != md5Of(map[string]string{"a": "1", "b": "2"}[name]) {
					t.Errorf("kept %s as %q", name, text)
				}
			}
		})
	}
}

// changing is a web in which an answer changes from the second time on.
type changing struct {
	web
	url    string
	second answer
	asked  int
}

func (c *changing) Get(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	if url == c.url {
		if c.asked++; c.asked > 1 {
			return web{url: c.second}.Get(ctx, url, want)
		}
	}
	return c.web.Get(ctx, url, want)
}

// TestKeeper_codedFileChanges: an encoded file is read twice, and the second reading is kept.
func TestKeeper_codedFileChanges(t *testing.T) {
	for name, second := range map[string]answer{
		"another": {body: gzipped("3"), encoding: "gzip"},
		"longer":  {body: gzipped("12"), encoding: "gzip"},
		"plain":   {body: "1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := dataset("a", "1", "b", "2").with(content+"a", answer{body: gzipped("1"), encoding: "gzip"})
			k := &shelf{files: map[string]string{}}
			o := fileset.Options{MaxWebFile: 1, Keeper: k}
			got := ingest(t, &changing{web: w, url: content + "a", second: second}, record, o).Result
			if text, kept := k.files["a"]; kept && text != "1" || kept != (name == "plain") {
				t.Errorf("%s: kept %v, %q", got.Status, kept, text)
			}
		})
	}
}
