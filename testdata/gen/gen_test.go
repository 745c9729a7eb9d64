package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// committed are the files of testdata that generate does not make.
var committed = []string{"archives/wget.warc.gz"}

func TestGenerate_isWhatIsCommitted(t *testing.T) {
	files := generated(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		have, err := os.ReadFile(path.Join("..", name))
		if err != nil {
			t.Errorf("not committed: %v", err)
			continue
		}
		if !bytes.Equal(have, files[name]) {
			t.Errorf("%s differs from what gen makes; run go run ./testdata/gen", name)
		}
	}
	for _, folder := range []string{"site", "archives", "damaged", "segmented", "templated", "datasets"} {
		for _, name := range listed(t, folder) {
			if _, ok := files[name]; !ok && !slices.Contains(committed, name) {
				t.Errorf("%s is committed and nothing makes it", name)
			}
		}
	}
}

func generated(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// listed returns the files in a folder of testdata.
func listed(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(".."), folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestGenerate_isRepeatable(t *testing.T) {
	first, second := generated(t), generated(t)
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

func TestRun_writesBelowTheFolder(t *testing.T) {
	dir := t.TempDir()
	if err := run(dir, ""); err != nil {
		t.Fatal(err)
	}
	for name, want := range generated(t) {
		have, err := os.ReadFile(path.Join(dir, name))
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s: %d bytes, error %v; want %d bytes", name, len(have), err, len(want))
		}
	}
}

func TestArchives_areSmallAndInTheReadme(t *testing.T) {
	const limit = 3 << 19 // 1.5 MiB
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, name := range slices.Concat(listed(t, "archives"), listed(t, "damaged"), listed(t, "segmented"), listed(t, "templated"), listed(t, "datasets")) {
		info, err := os.Stat(path.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
		if row := fmt.Sprintf("| `%s` | %d |", path.Base(name), info.Size()); !bytes.Contains(readme, []byte(row)) {
			t.Errorf("README.md has no row that begins %s", row)
		}
	}
	if total == 0 || total > limit {
		t.Errorf("archives hold %d bytes, want some and at most %d", total, limit)
	}
}

// TestAttack20_seedsAreListed: what comes with the project has a row with its bytes and its licence.
func TestAttack20_seedsAreListed(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir("../seeds")
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d folders of seeds: %v", len(folders), err)
	}
	for _, folder := range folders {
		total := int64(0)
		err := fs.WalkDir(os.DirFS("../seeds"), folder.Name(), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				total += info.Size()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if row := fmt.Sprintf("| `seeds/%s/` | %d |", folder.Name(), total); !bytes.Contains(readme, []byte(row)) {
			t.Errorf("README.md has no row that begins %s", row)
		}
	}
}

// wget puts its arguments and its log into what it writes.
func TestWget_namesNoFolderOfItsMachine(t *testing.T) {
	packed, err := os.ReadFile("../archives/wget.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`["= ]/(home|root|tmp|usr|var|work)\b[^ ]*`).Find(text); found != nil {
		t.Errorf("wget.warc.gz holds %q", found)
	}
}

func TestContact_identifiers(t *testing.T) {
	text, err := content.ReadFile("content/raw/" + gazette + "/contact.html")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, pattern string
		valid         func(string) bool
		right, wrong  int
	}{
		{"ISBN-13", `978-[\d-]{13}`, isbn13, 1, 1},
		{"ISBN-10", `\s1-23-\d{6}-[\dX]`, isbn10, 1, 0},
		{"ORCID", `\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b`, orcid, 2, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			right, wrong := 0, 0
			for _, id := range regexp.MustCompile(tt.pattern).FindAllString(string(text), -1) {
				if tt.valid(strings.ReplaceAll(strings.TrimSpace(id), "-", "")) {
					right++
				} else {
					wrong++
				}
			}
			if right != tt.right || wrong != tt.wrong {
				t.Errorf("%d valid and %d invalid, want %d and %d", right, wrong, tt.right, tt.wrong)
			}
		})
	}
}

func isbn13(digits string) bool {
	sum := 0
	for i, d := range digits {
		sum += int(d-'0') * (1 + i%2*2)
	}
	return sum%10 == 0
}

func isbn10(digits string) bool {
	sum := 0
	for i, d := range digits {
		v := int(d - '0')
		if d == 'X' {
			v = 10
		}
		sum += v * (10 - i)
	}
	return sum%11 == 0
}

// orcid checks ISO 7064, MOD 11-2.
func orcid(digits string) bool {
	sum := 0
	for _, d := range digits[:15] {
		sum = (sum + int(d-'0')) * 2
	}
	return "0123456789X"[(12-sum%11)%11] == digits[15]
}

func TestPDF_crossReferencesPointAtObjects(t *testing.T) {
	doc, err := pdf("Title (draft)\nAuthor\nen\nfirst page\n---\nsecond page\n")
	if err != nil {
		t.Fatal(err)
	}
	offsets := regexp.MustCompile(`(?m)^(\d{10}) 00000 n `).FindAllSubmatch(doc, -1)
	if len(offsets) != 8 {
		t.Fatalf("%d objects, want 8", len(offsets))
	}
	for i, m := range offsets {
		var off int
		if _, err := fmt.Sscanf(string(m[1]), "%d", &off); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(doc[off:], []byte(want)) {
			t.Errorf("object %d: at %d stands %q", i+1, off, doc[off:off+8])
		}
	}
}

func TestEncode(t *testing.T) {
	tests := []struct{ name, charset, text, want string }{
		{"utf-8", "", "å", "\xC3\xA5"},
		{"latin-1", "iso-8859-1", "å!", "\xE5!"},
		{"cyrillic", "windows-1251", "Па", "\xCF\xE0"},
		{"kana", "shift_jis", "の", "\x82\xCC"},
		{"han", "gb18030", "一", "\xD2\xBB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := encode(tt.charset, tt.text)
			if err != nil || string(got) != tt.want {
				t.Errorf("encode(%q, %q) = %q, %v, want %q", tt.charset, tt.text, got, err, tt.want)
			}
		})
	}
	if _, err := encode("iso-8859-1", "ж"); err == nil {
		t.Error("encode wrote a character that the charset does not have")
	}
}

func TestServe(t *testing.T) {
	s, err := newSite()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := s.handler()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path   string
		status int
		mime   string
	}{
		{"/", 200, "text/html; charset=utf-8"},
		{"/ru/nochnoi-parom.html", 200, "text/html; charset=windows-1251"},
		{"/ja/asa-no-gyoko.html", 200, "text/html"},
		{"/back-numbers.html", 200, "text/html; charset=utf-8"},
		{"/notices/missing.html", 200, "text/html; charset=utf-8"},
		{"/bridge", 301, "text/html; charset=utf-8"},
		{"/gone.html", 404, "text/html"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, tt.path, nil))
			if got := w.Header().Get("Content-Type"); w.Code != tt.status || got != tt.mime {
				t.Errorf("%s: %d %q, want %d %q", tt.path, w.Code, got, tt.status, tt.mime)
			}
		})
	}
}
