package convert

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb) }

// start returns the command with arguments, in the project's root.
func start(ctx context.Context, args ...string) *exec.Cmd {
	cmd := commandtest.Command(ctx, "convert", args...)
	cmd.Dir = "../../.."
	return cmd
}

// runCommand runs the command, and returns its exit code and its output.
func runCommand(t *testing.T, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	return commandtest.Combined(t, start(ctx, args...))
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	code, text := runCommand(t, args...)
	if code != 0 {
		t.Fatalf("convert %v: exit code %d\n%s", args, code, text)
	}
	return text
}

// contents returns the files below dir by name, without hidden ones.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if name == ".gleaner" {
			return fs.SkipDir
		}
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// same fails the test if two folders differ.
func same(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(contents(t, want), contents(t, got)); diff != "" {
		t.Errorf("%s and %s differ (-want +got):\n%.2000s", want, got, diff)
	}
}

// readManifest reads the manifest of a conversion in a local folder.
func readManifest(dir string) (schemas.Manifest, error) {
	return holdings.ReadRun(folder.Open(context.Background(), dir, nil))
}

// pages returns n pages of seven hosts, as servers send them.
func pages(n int) []*schemas.Capture {
	list := make([]*schemas.Capture, n)
	for i := range list {
		list[i] = &schemas.Capture{
			URL:        fmt.Sprintf("https://host%d.example/p/%d?q=ü&n=%d", i%7, i, i),
			Timestamp:  time.Date(2026, 1, 2, 3, 0, i, 0, time.UTC),
			RecordType: schemas.TypeResponse, Status: []int{200, 200, 404}[i%3], MIMEDeclared: "text/html",
			Header: []schemas.Field{
				{Name: "Content-Type", Value: "text/html"},
				{Name: "Set-Cookie", Value: "a=1"},
				{Name: "Set-Cookie", Value: fmt.Sprint("b=", i)},
			},
			Body: bytes.Repeat(fmt.Appendf(nil, "<p>Page %d: café</p>\n", i), 1+i*7%200),
		}
	}
	return list
}

// archiveOf writes pages into several WARC files, and returns the folder.
func archiveOf(t *testing.T, list []*schemas.Capture) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "ache-warc", dump.WriteOptions{StatusLine: true, MaxFileBytes: 20 << 10}, list)
	return dir
}

func closing(t *testing.T, c io.Closer) {
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, dir, format string, o dump.WriteOptions, list []*schemas.Capture) {
	t.Helper()
	sink, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closing(t, sink)
	w, err := archive.NewWriter(format, sink, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestConvert_killed: a run that is killed at any time and repeated gives the result of one clean run. This holds on
// every runner and with any number of workers.
func TestConvert_killed(t *testing.T) {
	t.Parallel() // it mostly waits
	in := archiveOf(t, pages(300))
	clean := filepath.Join(t.TempDir(), "clean")
	args := []string{"--to=ache-json,ache-files", "--unit_size=64KiB", in}
	begin := time.Now()
	text := mustRun(t, append(args, "--output="+clean)...)
	took := time.Since(begin)
	if !strings.Contains(text, "Written      600") {
		t.Errorf("the summary is\n%s", text)
	}
	other := filepath.Join(t.TempDir(), "other")
	mustRun(t, append(args, "--output="+other, "--runner=prism", "--workers=3")...)
	same(t, other, clean)

	killed := 0
	out := filepath.Join(t.TempDir(), "out")
	for i := range 6 {
		ctx, cancel := context.WithTimeout(t.Context(), took*time.Duration(2*i+1)/12) // kills the first under any load
		if err := start(ctx, append(args, "--output="+out)...).Run(); err != nil {
			killed++
		}
		cancel()
	}
	if killed == 0 {
		t.Errorf("no run was killed; a clean one takes %v", took)
	}
	mustRun(t, append(args, "--output="+out)...)
	same(t, out, clean)
	mustRun(t, append(args, "--output="+out)...) // nothing is left to do
	same(t, out, clean)
}

// TestConvert_laterPageWins: of two pages with one name in different units, the later one in the input is kept. The
// other one is counted.
func TestConvert_laterPageWins(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	big := bytes.Repeat([]byte("x"), 70<<10) // a unit each
	for _, name := range []string{"a", "b", "c"} {
		c := &schemas.Capture{
			URL: "http://example.com/", RecordType: schemas.TypeResponse,
			Body: append([]byte(name), big...),
		}
		write(t, filepath.Join(in, name), "ache-warc", dump.WriteOptions{Compress: dump.Off, StatusLine: true},
			[]*schemas.Capture{c})
	}
	mustRun(t, "--to=ache-html", "--unit_size=64KiB", "--workers=3", "--output="+out, in)
	b, err := os.ReadFile(filepath.Join(out, "ache-html/example.com/http%3A%2F%2Fexample.com%2F"))
	if err != nil || len(b) == 0 || b[0] != 'c' {
		t.Errorf("%.10q, %v; want the page of c", b, err)
	}
	m, err := readManifest(out)
	if err != nil || len(m.Units) != 3 || m.Totals.ByDrop["ache-html.overwritten"] != 2 {
		t.Errorf("%d units, dropped %v, %v; want 3 units and 2 pages overwritten", len(m.Units), m.Totals.ByDrop, err)
	}
}

// TestAttack10_filesThatWereNotAskedForAreLeftOutAndNotLost names files of four formats and requests one. Captures
// that the target format cannot hold are lost.
func TestAttack10_filesThatWereNotAskedForAreLeftOutAndNotLost(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	write(t, in, "ache-files", dump.WriteOptions{}, pages(3))
	write(t, in, "ache-warc", dump.WriteOptions{}, pages(2))
	write(t, in, "ache-cbor", dump.WriteOptions{}, pages(4))
	code, text := runCommand(t, "--from=ache-json", "--to=ache-warc", "--output="+out, in)
	m, err := readManifest(out)
	if err != nil || code != 0 || m.Totals.Written != 3 || m.Totals.ByReject["left_out"] != 5 || m.Totals.BytesLost > 0 {
		t.Errorf("exit code %d, %+v, %v; want 3 captures and 5 files left out\n%s", code, m.Totals, err, text)
	}

	in, out = t.TempDir(), filepath.Join(t.TempDir(), "out")
	list := pages(2)
	list[1].URL = "http://example.com/" + strings.Repeat("long", 100)
	write(t, in, "ache-warc", dump.WriteOptions{}, list)
	code, text = runCommand(t, "--to=ache-html", "--output="+out, in)
	if m, err = readManifest(out); err != nil || code != 3 || m.Totals.Written != 1 || m.Totals.ByReject["refused"] != 1 {
		t.Errorf("exit code %d, %+v, %v; want one capture refused\n%s", code, m.Totals, err, text)
	}
	rejects := contents(t, out)["rejects-00000-of-00001.jsonl"]
	if !strings.Contains(rejects, `"url":"http://example.com/longlong`) || !strings.Contains(rejects, `"kind":"refused"`) {
		t.Errorf("rejects: %.300s", rejects)
	}
}

// TestConvert_acheConfig: the output follows the configuration.
func TestConvert_acheConfig(t *testing.T) {
	in, out := archiveOf(t, pages(3)), filepath.Join(t.TempDir(), "out")
	yml := filepath.Join(t.TempDir(), "ache.yml")
	config := "target_storage.data_formats: [FILESYSTEM_HTML, WARC, KAFKA]\n" +
		"target_storage.data_format.filesystem.hash_file_name: true\ntarget_storage.data_format.warc.compress: false\n"
	if err := os.WriteFile(yml, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	text := mustRun(t, "--ache_config="+yml, "--stamp=2026-11-22T00:00:00Z", "--output="+out, in)
	if !strings.Contains(text, "KAFKA") {
		t.Errorf("nothing is said of Kafka:\n%s", text)
	}
	files := contents(t, out)
	if _, ok := files["ache-warc/00000-of-00001/crawl_data-20261122000000000-00000.warc"]; !ok {
		t.Error("no plain WARC file with the time in its name")
	}
	hashed := 0
	for name := range files {
		if strings.HasPrefix(name, "ache-html/") && len(filepath.Base(name)) == 64 {
			hashed++
		}
	}
	if hashed != 3 {
		t.Errorf("%d pages are named by hashes, want 3", hashed)
	}
}

func TestConvert_usage(t *testing.T) {
	in := archiveOf(t, pages(1))
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, "--to=ache-files", "--output="+out, in)
	foreign := t.TempDir()
	write(t, foreign, "ache-html", dump.WriteOptions{}, pages(1))
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"no input", "no archives", []string{"--to=ache-files"}},
		{"no format", "--to is missing", []string{in}},
		{"unknown output", "there are ache-html", []string{"--to=docx", in}},
		{"unknown input", "there are warc", []string{"--from=docx", "--to=ache-warc", in}},
		{"twice", "twice", []string{"--to=ache-warc,ache-warc", in}},
		{"workers without the folder", "name a bucket: --output=gs://", []string{"--to=ache-warc", "--runner=dataflow", in}},
		{"bucket alone", "name a folder in the bucket", []string{"--to=ache-warc", "--output=gs://bucket", in}},
		{"web as output", "gs://bucket/name", []string{"--to=ache-warc", "--output=https://example.com/out", in}},
		{"two sources of options", "the configuration says that", []string{"--to=ache-warc", "--ache_config=x", in}},
		{"only servers", "KAFKA", []string{"--ache_config=" + kafka(t), in}},
		{"another folder's", "not made by this command", []string{"--to=ache-warc", "--output=" + foreign, in}},
		{"another conversion", "conversion of other archives", []string{"--to=ache-warc", "--output=" + out, in}},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, text := runCommand(t, test.args...)
			if code != 2 || !strings.Contains(text, test.want) {
				t.Errorf("exit code %d, want 2 and %q:\n%s", code, test.want, text)
			}
		})
	}
	mustRun(t, "--fresh", "--to=ache-warc", "--output="+out, in)
	if files := contents(t, out); len(files) != 4 {
		t.Errorf("after --fresh there are %d files, want 4", len(files))
	}
}

func kafka(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "ache.yml")
	if err := os.WriteFile(name, []byte("target_storage.data_format.type: KAFKA\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTable: every format is in the table of --help once.
func TestTable(t *testing.T) {
	text := table()
	for _, name := range archive.Outputs() {
		if n := strings.Count(text, "  "+name+" "); n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	if !strings.Contains(text, "as warc") || strings.Contains(text, "error") {
		t.Errorf("the table is\n%s", text)
	}
}
