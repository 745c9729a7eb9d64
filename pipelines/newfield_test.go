package pipelines

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mood declares a made-up field of documents. found is the line of the extractor of texts at which the field is set.
const (
	mood = "\n\n\t// how the page feels\n\t" +
		"Mood string `json:\"mood,omitempty\" field:\"id=9000,by=text,in=text,index\"`\n}\n"
	found = "w.d.PageType = m.Type.String()"
)

// moodTests are tests of the field, by the folders of packages that use the table of columns.
var moodTests = map[string]string{
	"transforms/enrich": `
	e, err := New(Options{Extract: []string{"text"}})
	page := &schemas.Capture{MIMEDeclared: "text/html", Body: []byte("<article><p>" + strings.Repeat("A long text. ", 99))}
	if err != nil || MakerOf("mood") != "text" || e.Document(page).Mood != "calm" {
		t.Error(err, MakerOf("mood"), e.Document(page))
	}`,
	"transforms/query": `
	e, err := Parse("mood = calm")
	if err != nil || !Match(e, &schemas.Document{Mood: "calm"}) || Match(e, &schemas.Document{}) {
		t.Error(err)
	}`,
	"io/collection/parquetfile": `
	want := []*schemas.Document{{Mood: "calm"}, {}}
	data := write(t, Options{}, want)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if got := read(t, data); err != nil || !reflect.DeepEqual(want, got) || f.Root().Column("mood").ID() != 9000 {
		t.Error(err, got)
	}`,
	"io/rowstore/webtable": `
	r, err := Layout{}.Row(&schemas.Document{Mood: "calm"}, nil)
	for _, c := range r.Cells {
		if c.Family == "text" && strings.Contains(string(c.Value), "calm") {
			return
		}
	}
	t.Error(err, r)`,
	"io/sink/elastic": `
	b, err := json.Marshal(mapping(Gleaner, Version{Major: 8}, ""))
	if !strings.Contains(string(b), ` + "`" + `"mood":{"ignore_above":8191,"type":"keyword"}` + "`" + `) {
		t.Errorf("%v, %s", err, b)
	}`,
	"io/search/contentsql": `
	for _, c := range documentColumns {
		if c.name == "mood" && c.kind == isText {
			return
		}
	}
	t.Error(documentColumns)`,
	"pipelines/server/api": `
	answer := httptest.NewRecorder()
	New(&view.Views{}, Options{}).ServeHTTP(answer, httptest.NewRequest("GET", "/openapi.json", nil))
	if !strings.Contains(answer.Body.String(), "how the page feels") {
		t.Error(answer.Code)
	}`,
}

// moodImports are the imports for these tests; each test imports those that it uses.
var moodImports = []string{
	"bytes", "encoding/json", "net/http/httptest", "reflect", "strings", "testing", "github.com/parquet-go/parquet-go",
	module + "pipelines/server/view", module + "schemas",
}

// TestNewField adds a field to documents with an overlay of the source. Only Document, its extractor and then
// docs/documents.md change.
func TestNewField(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles what imports schemas")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	o := overlay{t: t, root: root, dir: t.TempDir(), Replace: map[string]string{}}
	o.change("schemas/document.go", "\n}\n", mood)
	o.change("transforms/enrich/extract.go", found, found+"; w.d.Mood = \"calm\"")
	folders := []string{"./schemas"}
	for folder, body := range moodTests {
		folders = append(folders, "./"+folder)
		o.write(folder+"/mood_test.go", moodTest(filepath.Base(folder), body))
	}
	text, err := json.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	o.write("overlay.json", string(text))
	args := []string{"test", "-vet=off", "-overlay", o.Replace[filepath.Join(root, "overlay.json")]}
	cmd := exec.Command("go", append(append(args, "-run=^TestMood$|^TestDocumentation_"), folders...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	missing := "docs/documents.md, section Document, has no row | `mood` | string |"
	if err == nil || !strings.Contains(string(out), missing) || strings.Count(string(out), "\nok") != len(moodTests) {
		t.Errorf("%v: a field needs more than its tag, its extractor and docs/documents.md:\n%s", err, out)
	}
}

func moodTest(name, body string) string {
	text := "package " + name + "\n\nimport (\n"
	for _, i := range moodImports {
		if used := strings.TrimSuffix(filepath.Base(i), "-go") + "."; strings.Contains("*testing.T "+body, used) {
			text += "\t\"" + i + "\"\n"
		}
	}
	return text + ")\n\nfunc TestMood(t *testing.T) {" + body + "\n}\n"
}

// overlay replaces files of the module: see `go help build`.
type overlay struct {
	t         *testing.T
	root, dir string
	Replace   map[string]string // by paths in the module
}

// write replaces the file at a path by one with the given text.
func (o *overlay) write(path, text string) {
	o.t.Helper()
	file := filepath.Join(o.dir, strings.ReplaceAll(path, "/", "-"))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		o.t.Fatal(err)
	}
	o.Replace[filepath.Join(o.root, path)] = file
}

// change replaces the first occurrence of a text.
func (o *overlay) change(path, from, to string) {
	o.t.Helper()
	text, err := os.ReadFile(filepath.Join(o.root, path))
	if err != nil || !strings.Contains(string(text), from) {
		o.t.Fatalf("%s: %v, or it does not have %q", path, err, from)
	}
	o.write(path, strings.Replace(string(text), from, to, 1))
}
