package items

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

func bytesOf(n int64) *int64 { return &n }

// item is one of two files in nested folders.
func item() *schemas.FilesetPlatformItem {
	return &schemas.FilesetPlatformItem{
		Item: "example.org-X-v1", Manifest: []schemas.ManifestFile{
			{Path: "data/deep/a.csv", Size: bytesOf(3), MD5: "900150983cd24fb0d6963f7d28e17f72", MIME: "text/csv"},
			{Path: "b & <c>.txt"},
		},
		ItemMeta: map[string]any{
			"title": "Größe & <more>\x01", "creator": []string{"A", "B"}, "collection": "datasets", "Bad Name": "x",
			"licenseurl": "",
			"identifier": "other",
		},
	}
}

// keep does as package fileset does: bodies by path.
func keep(t *testing.T, f *Folder, item *schemas.FilesetPlatformItem, bodies map[string]string) (statuses []string) {
	t.Helper()
	k, err := f.Item(t.Context(), item)
	if err != nil {
		return []string{err.Error()}
	}
	defer k.Abort()
	for i := range item.Manifest {
		m := &item.Manifest[i]
		status, err := k.Existing(m)
		if err != nil {
			t.Fatal(err)
		}
		if status == "" {
			w, err := k.Create(m)
			if err != nil {
				return append(statuses, err.Error())
			}
			body, ok := bodies[m.Path]
			if _, err := io.WriteString(w, body); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if status = "kept"; ok {
				err = k.Keep(m)
			} else {
				status, err = "dropped", k.Drop(m)
			}
			if err != nil {
				return append(statuses, err.Error())
			}
			m.Size = bytesOf(int64(len(body)))
		}
		statuses = append(statuses, status)
		if status != "kept" && !strings.HasPrefix(status, "exists") {
			return statuses
		}
	}
	status, err := k.Commit(item.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return append(statuses, status)
}

var bodies = map[string]string{"data/deep/a.csv": "abc", "b & <c>.txt": "text"}

func open(t *testing.T, u *Uploader) (*Folder, string) {
	t.Helper()
	dir := t.TempDir()
	f, err := Open(dir, u)
	if err != nil {
		t.Fatal(err)
	}
	return f, dir
}

func tree(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func TestFolder(t *testing.T) {
	f, dir := open(t, nil)
	if got := keep(t, f, item(), bodies); fmt.Sprint(got) != "[kept kept success]" {
		t.Fatalf("%q", got)
	}
	const all = "example.org-X-v1/b & <c>.txt example.org-X-v1/data/deep/a.csv " +
		"example.org-X-v1/example.org-X-v1_files.xml " +
		"example.org-X-v1/example.org-X-v1_meta.xml"
	if got := tree(t, dir); got != all {
		t.Errorf("files %q, want %q", got, all)
	}
	meta, err := os.ReadFile(filepath.Join(dir, "example.org-X-v1", "example.org-X-v1_meta.xml"))
	if err != nil {
		t.Fatal(err)
	}
	const want = header + `<metadata>
  <identifier>example.org-X-v1</identifier>
  <mediatype>data</mediatype>
  <collection>datasets</collection>
  <creator>A</creator>
  <creator>B</creator>
  <title>Größe &amp; &lt;more&gt;` + "\uFFFD" + `</title>
</metadata>
`
	if string(meta) != want {
		t.Errorf("%s\nwant\n%s", meta, want)
	}
	files, err := os.ReadFile(filepath.Join(dir, "example.org-X-v1", "example.org-X-v1_files.xml"))
	var parsed struct {
		Files []struct {
			Name   string `xml:"name,attr"`
			MD5    string `xml:"md5"`
			Format string `xml:"format"`
		} `xml:"file"`
	}
	if err != nil || xml.Unmarshal(files, &parsed) != nil || len(parsed.Files) != 4 ||
		parsed.Files[0].Name != "b & <c>.txt" ||
		parsed.Files[1].Format != "Comma-Separated Values" || parsed.Files[1].MD5 == "" {
		t.Errorf("%s, %v", files, err)
	}
	again := item()
	if got := keep(t, f, again, nil); fmt.Sprint(got) != "[exists-local exists-local success-existing]" ||
		again.Manifest[1].SHA256 == "" {
		t.Errorf("again: %q, %+v", got, again.Manifest)
	}
	if err := os.WriteFile(filepath.Join(dir, "example.org-X-v1", "data/deep/a.csv"), []byte("abd"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := keep(t, f, item(), bodies); fmt.Sprint(got) != "[mismatch-existing]" {
		t.Errorf("another file of its name: %q", got)
	}
}

// TestFolder_nothingHalf: a file that is not what the platform says leaves nothing, nor does an item that is not whole.
func TestFolder_nothingHalf(t *testing.T) {
	f, dir := open(t, nil)
	if got := keep(t, f, item(), map[string]string{"data/deep/a.csv": "abc"}); fmt.Sprint(got) != "[kept dropped]" {
		t.Errorf("%q", got)
	}
	if got := tree(t, dir); got != "example.org-X-v1/data/deep/a.csv" {
		t.Errorf("files %q", got)
	}
	if got := keep(t, f, item(), bodies); fmt.Sprint(got) != "[exists-local kept success]" {
		t.Errorf("taken up: %q", got)
	}
}

func TestFolder_hostileNames(t *testing.T) {
	f, dir := open(t, nil)
	outside := filepath.Join(dir, "..", "outside")
	for _, name := range []string{"", "..", "a/b", ".hidden", "a b", strings.Repeat("x", 101), "a\n"} {
		if got := keep(t, f, &schemas.FilesetPlatformItem{Item: name}, nil); !strings.Contains(got[0],
			fileset.StatusUnsafePath) {
			t.Errorf("item %q: %q", name, got)
		}
	}
	for _, path := range []string{
		"../outside", "/etc/passwd", "a/../b", "a//b", "", ".", "X_meta.xml", "X_files.xml", "a\\b", "a\x00", ".gleaner-x",
		"a/.gleaner-y",
		strings.Repeat("x", 300), "first/under",
	} {
		i := &schemas.FilesetPlatformItem{Item: "X", Manifest: []schemas.ManifestFile{{Path: "first"}, {Path: path}}}
		got := keep(t, f, i, map[string]string{"first": "1", path: "2"})
		if last := got[len(got)-1]; !strings.Contains(last, fileset.StatusUnsafePath) {
			t.Errorf("path %q: %q", path, got)
		}
	}
	// A link that somebody put there does not lead out.
	if err := os.Symlink(outside, filepath.Join(dir, "X", "link")); err != nil {
		t.Skip(err)
	}
	i := &schemas.FilesetPlatformItem{Item: "X", Manifest: []schemas.ManifestFile{{Path: "link/a"}}}
	if got := keep(t, f, i, map[string]string{"link/a": "2"}); !strings.Contains(fmt.Sprint(got),
		fileset.StatusUnsafePath) {
		t.Errorf("through a link: %q", got)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("something was written outside")
	}
}

// TestFolder_pathOfAFolder: a file of a dataset whose path is that of a folder ends its request, and not the run.
func TestFolder_pathOfAFolder(t *testing.T) {
	f, dir := open(t, nil)
	if err := os.MkdirAll(filepath.Join(dir, "X", "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	i := &schemas.FilesetPlatformItem{Item: "X", Manifest: []schemas.ManifestFile{{Path: "data"}}}
	if got := keep(t, f, i, map[string]string{"data": "1"}); got[0] != fileset.StatusUnsafePath {
		t.Errorf("%q, want %q", got, fileset.StatusUnsafePath)
	}
}

// archiveorg stands in for archive.org: its API that is like S3's is gofakes3's, and it tells what items hold.
type archiveorg struct {
	http.Handler
	t    *testing.T
	mu   sync.Mutex
	puts []http.Header
	fail []int // statuses of the next answers to uploads
	md5  map[string]string
	size map[string]int64
}

func (a *archiveorg) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if item, ok := strings.CutPrefix(r.URL.Path, "/metadata/"); ok {
		var list []string
		for name, sum := range a.md5 {
			if name, ok := strings.CutPrefix(name, "/"+item+"/"); ok {
				list = append(list, fmt.Sprintf(`{"name": %q, "size": "%d", "md5": %q}`, name,
					a.size["/"+item+"/"+name], sum))
			}
		}
		fmt.Fprintf(w, `{"files": [%s]}`, strings.Join(list, ","))
		return
	}
	if len(a.fail) > 0 {
		w.WriteHeader(a.fail[0])
		a.fail = a.fail[1:]
		return
	}
	a.puts = append(a.puts, r.Header.Clone())
	sum, _ := base64.StdEncoding.DecodeString(r.Header.Get("Content-MD5"))
	a.md5[r.URL.Path], a.size[r.URL.Path] = hex.EncodeToString(sum), r.ContentLength
	a.Handler.ServeHTTP(w, r)
}

func newArchiveorg(t *testing.T) (*archiveorg, *Uploader, gofakes3.Backend) {
	back := s3mem.New()
	a := &archiveorg{
		t: t, Handler: gofakes3.New(back, gofakes3.WithAutoBucket(true)).Server(),
		md5: map[string]string{}, size: map[string]int64{},
	}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	return a, &Uploader{
		Endpoint: s.URL, Metadata: s.URL + "/metadata", Key: "access:word", Retries: 2, Pause: time.Millisecond,
	}, back
}

func TestUploader(t *testing.T) {
	a, u, back := newArchiveorg(t)
	a.fail = []int{503, 500}
	f, _ := open(t, u)
	i := item()
	i.Item = "example-x" // gofakes3 has the rules of S3 for names of buckets
	if got := keep(t, f, i, bodies); fmt.Sprint(got) != "[kept kept success]" {
		t.Fatalf("%q", got)
	}
	for name, body := range bodies {
		o, err := back.GetObject("example-x", name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := io.ReadAll(o.Contents); string(b) != body {
			t.Errorf("%s: %q, want %q", name, b, body)
		}
	}
	h := a.puts[0]
	for name, want := range map[string]string{
		"Authorization": "LOW access:word", "X-Archive-Auto-Make-Bucket": "1", "X-Archive-Size-Hint": "7",
		"X-Archive-Meta00-Creator": "A", "X-Archive-Meta01-Creator": "B",
		"X-Archive-Meta00-Title":     "uri(Gr%C3%B6%C3%9Fe%20&%20%3Cmore%3E%01)",
		"X-Archive-Meta00-Mediatype": "data", "Content-Type": "text/csv",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	// In a folder where nothing is, the item that is there is found: nothing is fetched or sent again.
	other, _ := open(t, u)
	j := item()
	j.Item, j.Manifest = "example-x", j.Manifest[:1]
	puts := len(a.puts)
	if got := keep(t, other, j, nil); fmt.Sprint(got) != "[exists success-existing]" || len(a.puts) != puts {
		t.Errorf("%q, %d more uploads", got, len(a.puts)-puts)
	}
	a.md5["/example-x/data/deep/a.csv"] = strings.Repeat("0", 32)
	j = item()
	j.Item = "example-x"
	if got := keep(t, other, j, nil); fmt.Sprint(got) != "[mismatch-existing]" {
		t.Errorf("another file of its name: %q", got)
	}
}

func TestUploader_fails(t *testing.T) {
	a, u, _ := newArchiveorg(t)
	a.fail = []int{503, 503, 503}
	f, _ := open(t, u)
	i := item()
	i.Item = "example-x"
	if got := keep(t, f, i, bodies); got[len(got)-1] != fileset.StatusUploadError {
		t.Errorf("a server that is busy for ever: %q", got)
	}
	a.fail = []int{403}
	i = item()
	i.Item = "example-x"
	if got := keep(t, f, i, bodies); got[len(got)-1] != fileset.StatusUploadError || len(a.fail) > 0 {
		t.Errorf("a key that is none: %q", got)
	}
	// Taken up when the server answers again.
	i = item()
	i.Item = "example-x"
	if got := keep(t, f, i, bodies); fmt.Sprint(got) != "[exists-local exists-local success]" {
		t.Errorf("again: %q", got)
	}
	u.Metadata = "http://127.0.0.1:1"
	if got := keep(t, f, item(), bodies); !strings.Contains(got[0], fileset.StatusUploadError) ||
		strings.Contains(got[0], "word") {
		t.Errorf("nobody tells what is there: %q", got)
	}
}

// TestUploader_compares: a file of the folder is compared with the item's too, before anything is sent.
func TestUploader_compares(t *testing.T) {
	for name, tt := range map[string]struct {
		file string // the file of the item that differs
		md5  string
		want string
	}{
		"the same item":      {"", "", "[exists-local exists-local success-existing]"},
		"another first file": {"data/deep/a.csv", strings.Repeat("0", 32), "[mismatch-existing]"},
		// The platform gives neither its size nor its hashes: those of the folder's file are compared.
		"another last file": {"b & <c>.txt", strings.Repeat("0", 32), "[exists-local mismatch-existing]"},
		"upper case": {
			"data/deep/a.csv", "900150983CD24FB0D6963F7D28E17F72", "[exists-local exists-local success-existing]",
		},
	} {
		a, u, _ := newArchiveorg(t)
		first, _ := open(t, u)
		i := item()
		i.Item = "example-x"
		if got := keep(t, first, i, bodies); fmt.Sprint(got) != "[kept kept success]" {
			t.Fatalf("%s: %q", name, got)
		}
		if tt.file != "" {
			a.md5["/example-x/"+tt.file] = tt.md5
		}
		second, dir := open(t, nil)
		j := item()
		j.Item = "example-x"
		if got := keep(t, second, j, bodies); fmt.Sprint(got) != "[kept kept success]" {
			t.Fatalf("%s, without an upload: %q", name, got)
		}
		third, err := Open(dir, u)
		if err != nil {
			t.Fatal(err)
		}
		puts := len(a.puts)
		j = item()
		j.Item = "example-x"
		if got := keep(t, third, j, bodies); fmt.Sprint(got) != tt.want || len(a.puts) != puts {
			t.Errorf("%s: %q, %d more uploads, want %s", name, got, len(a.puts)-puts, tt.want)
		}
	}
}
