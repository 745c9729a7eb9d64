package query

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/leaktest"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb) }

// command runs the command, and returns its exit code and its output.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return commandtest.Run(t, "query", args...)
}

// archives copies the archives, so that a test can remove them.
func archives(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../testdata/archives")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// collect makes a collection of the archives in a folder without Beam, one unit each.
func collect(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	store := blob.New(blob.Options{})
	defer store.Close()
	in, err := work.Find(t.Context(), store, []string{dir}, nil, work.FindOptions{UnitSize: work.DefaultSize})
	if err != nil {
		t.Fatal(err)
	}
	e, err := enrich.New(enrich.Options{Extract: []string{"mime", "text", "language", "metadata"}})
	if err != nil {
		t.Fatal(err)
	}
	f := folder.Open(t.Context(), out, store)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var keys []string
	for _, u := range in.Units {
		keys = append(keys, ledger.Key(u, nil, nil))
	}
	_, done, err := c.Resume(in.Units, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range in.Units {
		w, err := shard.NewWriter(f, u, keys[i], shard.Options{Formats: []string{"jsonl", "parquet"}[i%2 : i%2+1]})
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range work.NewReader(store, u, archive.Options{}).Captures(t.Context()) {
			if err == nil {
				err = w.Document(e.Document(c))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r, err := w.Commit(schemas.Counts{}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: len(in.Units)}); err != nil {
		t.Fatal(err)
	}
	return out
}

// folderOf makes a collection of one document.
func folderOf(t *testing.T, d *schemas.Document) string {
	t.Helper()
	out := t.TempDir()
	fill(t, folder.Open(t.Context(), out, nil), d)
	return out
}

// fill makes the folder a collection with one document.
func fill(t *testing.T, f folder.Folder, d *schemas.Document) {
	t.Helper()
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	u := schemas.Unit{Inputs: []schemas.Range{{File: d.URL, End: 1}}}
	key := ledger.Key(u, nil, nil)
	if _, _, err := c.Resume([]schemas.Unit{u}, []string{key}, nil); err != nil {
		t.Fatal(err)
	}
	w, err := shard.NewWriter(f, u, key, shard.Options{Formats: []string{"parquet"}})
	if err == nil {
		err = w.Document(d)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Commit(schemas.Counts{Documents: 1}, ledger.Note{})
	if err == nil {
		_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestQuery_snapshot queries earlier snapshots by number and time. For an unknown snapshot, the error lists the
// existing ones.
func TestQuery_snapshot(t *testing.T) {
	dir := t.TempDir()
	f := folder.Open(t.Context(), dir, nil)
	var list []lake.Snapshot
	for _, name := range []string{"old", "new"} {
		fill(t, f, &schemas.Document{URL: "http://" + name + ".example/", SURT: "example," + name + ")/", Text: name})
		s, err := lake.Sync(t.Context(), f, lake.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
		for time.Now().UnixMilli() <= s.Time.UnixMilli()+1 { // times of snapshots have milliseconds
			runtime.Gosched()
		}
	}
	for asked, want := range map[string]string{
		fmt.Sprint(list[0].ID):                                       "http://old.example/\n",
		fmt.Sprint(list[1].ID):                                       "http://new.example/\n",
		list[0].Time.Format(time.RFC3339Nano):                        "http://old.example/\n",
		list[1].Time.Format(time.RFC3339Nano):                        "http://new.example/\n",
		list[1].Time.Add(-time.Millisecond).Format(time.RFC3339Nano): "http://old.example/\n",
		list[1].Time.AddDate(1, 0, 0).Format("2006"):                 "http://new.example/\n",
		"newest": "http://new.example/\n",
	} {
		code, out, errs := command(t, "--collection="+dir, "--format=urls", "--snapshot="+asked)
		if code != cli.ExitDone || out != want {
			t.Errorf("--snapshot=%s: exit code %d, %q, want %q\n%s", asked, code, out, want, errs)
		}
	}
	for _, asked := range []string{"1", "1999", "yesterday", "-5"} {
		code, _, errs := command(t, "--collection="+dir, "--format=urls", "--snapshot="+asked)
		if code != cli.ExitUsage || !strings.Contains(errs, fmt.Sprint(list[0].ID)) {
			t.Errorf("--snapshot=%s: exit code %d, want %d and the snapshots\n%s", asked, code, cli.ExitUsage, errs)
		}
	}
	code, _, errs := command(t, "--collection="+folderOf(t, &schemas.Document{URL: "http://a.example/"}),
		"--snapshot=2026")
	if code != cli.ExitUsage || !strings.Contains(errs, "has no snapshots") {
		t.Errorf("without a table: exit code %d\n%s", code, errs)
	}
}

func TestQuery_formats(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	ask := func(args ...string) string {
		t.Helper()
		code, text, errs := command(t, append([]string{out, "--lang=fr"}, args...)...)
		if code != cli.ExitDone {
			t.Fatalf("%v: exit code %d\n%s", args, code, errs)
		}
		return text
	}
	lines := strings.Split(strings.TrimSpace(ask()), "\n")
	n := len(lines)
	if n < 2 {
		t.Fatalf("%d answers", n)
	}
	for _, l := range lines {
		var d schemas.Document
		if err := json.Unmarshal([]byte(l), &d); err != nil || d.Language != "fr" || d.Text == "" {
			t.Errorf("%s: %v", l, err)
		}
	}
	if got := strings.Split(ask("--format=urls"), "\n"); len(got) != n+1 || !strings.HasPrefix(got[0], "http://") {
		t.Errorf("urls: %q", got)
	}
	if got := strings.TrimSpace(ask("--format=count")); got != strings.TrimSpace(strings.Split(ask("--by=lang"),
		"\n")[1][4:]) {
		t.Errorf("count %s", got)
	}
	rows, err := csv.NewReader(strings.NewReader(ask("--format=csv", "--fields=title,url"))).ReadAll()
	if err != nil || len(rows) != n+1 || strings.Join(rows[0], ",") != "title,url" {
		t.Errorf("csv: %v, %v", rows, err)
	}
	if got := ask("--fields=url,lang", "--limit=1"); !strings.HasPrefix(got, `{"url":"http`) ||
		!strings.HasSuffix(got, `"language":"fr"}`+"\n") {
		t.Errorf("fields: %s", got)
	}
	if got := strings.Split(ask("--format=table", "--limit=1"), "\n"); len(got) != 3 ||
		!strings.HasPrefix(got[0], "timestamp") {
		t.Errorf("table: %q", got)
	}
	file := filepath.Join(t.TempDir(), "a.parquet")
	if ask("--format=parquet", "--output="+file); !hasMagic(t, file, "PAR1") {
		t.Error("parquet has no magic")
	}
	if ask("--format=wacz", "--output="+file); !hasMagic(t, file, "PK") {
		t.Error("wacz is no ZIP")
	}
	link, file := filepath.Join(t.TempDir(), "newest"), filepath.Join(t.TempDir(), "b.parquet")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if ask("--format=parquet", "--output="+link); !hasMagic(t, file, "PAR1") {
		t.Error("the file that a link leads to was not replaced")
	}
	code, text, errs := command(t, out, "--lang=fo")
	if code != cli.ExitDone || text != "" || !strings.Contains(errs, "no capture") {
		t.Errorf("no answer: exit code %d, %q, %q", code, text, errs)
	}
}

func hasMagic(t *testing.T, file, magic string) bool {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.HasPrefix(string(b), magic)
}

// TestQuery_recordsAreCutOut: records are written from every format, and unchanged if possible. ingest of these
// records gives the queried documents.
func TestQuery_recordsAreCutOut(t *testing.T) {
	shelf := archives(t)
	dir := collect(t, shelf)
	cut := t.TempDir()
	file := filepath.Join(cut, "cut.warc.gz")
	code, _, errs := command(t, "--collection="+dir, "--all_versions", "--mime=text/html", "--format=warc", "--output="+
		file)
	if code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s", code, errs)
	}
	for _, args := range [][]string{{"--format=urls"}, {"--fields=title,text,status,timestamp"}} {
		args = append(args, "--all_versions", "--mime=text/html", "--order=surt")
		_, want, _ := command(t, append(args, "--collection="+dir)...)
		_, got, _ := command(t, append(args, "--collection="+collect(t, cut))...)
		if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" || len(want) < 100 {
			t.Errorf("%v: -asked +cut and read again:\n%s", args, diff)
		}
	}
	copied := 0
	original, _ := os.ReadFile(filepath.Join(shelf, "wget.warc.gz"))
	for _, m := range members(t, file) {
		if bytes.Contains(original, m) {
			copied++
		}
	}
	if copied == 0 || !strings.Contains(errs, "copied as they are") {
		t.Errorf("no member of wget.warc.gz is there as it was\n%s", errs)
	}
}

func sorted(lines string) []string { return slices.Sorted(strings.SplitSeq(lines, "\n")) }

// members returns the gzip members of a file.
func members(t *testing.T, file string) (list [][]byte) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(b)
	var z gzip.Reader
	for in.Len() > 0 {
		start := len(b) - in.Len()
		if err := z.Reset(in); err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		if _, err := new(bytes.Buffer).ReadFrom(&z); err != nil {
			t.Fatal(err)
		}
		list = append(list, b[start:len(b)-in.Len()])
	}
	return list
}

// TestQuery_archivesThatAreNamedAgainstUs: an archive of a collection is opened only if it is a local file, or below
// --archives.
func TestQuery_archivesThatAreNamedAgainstUs(t *testing.T) {
	asked := false
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer web.Close()
	pipe := filepath.Join(t.TempDir(), "pipe.warc.gz")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no pipes here: %v: %s", err, out)
	}
	for name, want := range map[string]string{
		web.URL + "/a.warc.gz":  "opened only when --archives names it",
		"s3://bucket/a.warc.gz": "opened only when --archives names it",
		pipe:                    "not a file",
		"/dev/zero":             "not a file",
	} {
		dir := folderOf(t, &schemas.Document{URL: "http://a.example/", SURT: "example,a)/", Filename: name, Length: 10})
		code, _, errs := command(t, "--collection="+dir, "--format=warc", "--output="+
			filepath.Join(t.TempDir(), "cut.warc.gz"))
		if code != cli.ExitLosses || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", name, code, cli.ExitLosses, want, errs)
		}
		code, _, errs = command(t, "--collection="+dir, "--format=warc", "--archives="+t.TempDir(),
			"--output="+filepath.Join(t.TempDir(), "cut.warc.gz"))
		if code != cli.ExitLosses {
			t.Errorf("%s with --archives: exit code %d\n%s", name, code, errs)
		}
	}
	if asked {
		t.Error("a server that a document named was asked")
	}
}

// TestQuery_archivesThatAreElsewhere: missing archives are listed one by one, and are found below --archives.
func TestQuery_archivesThatAreElsewhere(t *testing.T) {
	shelf := archives(t)
	dir := collect(t, shelf)
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(shelf, moved); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cut.warc.gz")
	args := []string{"--collection=" + dir, "--limit=5", "--format=warc", "--output=" + file}
	if code, _, errs := command(t, args...); code != cli.ExitLosses || !strings.Contains(errs, "records are missing") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	if code, _, errs := command(t, append(args, "--archives="+moved)...); code != cli.ExitDone {
		t.Errorf("--archives: exit code %d\n%s", code, errs)
	}
	// Another archive with the same name: nothing of it becomes part of the result.
	entries, _ := os.ReadDir(moved)
	for _, e := range entries {
		if err := os.WriteFile(filepath.Join(moved, e.Name()), bytes.Repeat([]byte("WARC/1.0\r\n"), 1000),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(file); err != nil { // archives are not replaced
		t.Fatal(err)
	}
	if code, _, errs := command(t, append(args, "--archives="+moved)...); code != cli.ExitLosses {
		t.Errorf("other archives: exit code %d\n%s", code, errs)
	}
}

func TestQuery_usage(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"--collection=" + dir:                 "is no collection in which a run has finished",
		"--lang=xyzzy":                        "--lang: ",
		"--where=langage=fr":                  "language",
		"--frm=2026":                          "did you mean --from?",
		"--format=cvs":                        "did you mean csv?",
		"--by=entities":                       "name one, as entities.text",
		"--by=lang,lang":                      "named twice",
		"--by=lang --format=urls":             "--by counts",
		"--by=lang --fields=url":              "--format=facets has none",
		"--by=lang --fields=url --format=csv": "--fields are of captures",
		"--sample=200%":                       "--sample: ",
		"--sample=0":                          "--sample: ",
		"--sample=1% --sql=select":            "does not go with --sql",
		"--format=facets":                     "--by",
		"--fields=nonsense":                   "--fields: ",
		"--fields=url,quality.words":          "name the whole of it, quality",
		"--fields=entity --format=csv":        "name the whole of it, entities",
		"--fields=metadata_sources.title":     "name the whole of it, metadata_sources",
		"--fields=custom.stars":               "such as custom_integers",
		"--limit=-1":                          "--limit",
		"--order=newst":                       "did you mean newest?",
		"--output=gs://b/x":                   "name a local file",
		"fr":                                  "is no flag",
		"--format=urls --fields=url":          "has none",
		"--collection=ftp://x/y":              "--collection",
		"--output=/nowhere/at/all/x.jsonl ":   "--collection", // out, which is not there, is seen first
	} {
		code, _, errs := command(t, strings.Fields(args)...)
		if code != cli.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("query %s: exit code %d, want %d and %q\n%s", args, code, cli.ExitUsage, want, errs)
		}
	}
	if code, text, _ := command(t, "-h"); code != 0 || strings.Count(text, "\n") > 20 ||
		!strings.Contains(text, "--lang=") {
		t.Errorf("-h: exit code %d, %d lines\n%s", code, strings.Count(text, "\n"), text)
	}
}

// TestQuery_secretsLeaveNoTrace: URLs with secrets instead of names are refused, and not repeated.
func TestQuery_secretsLeaveNoTrace(t *testing.T) {
	secret := "https://" + leaktest.User + "example.org/x?token=" + leaktest.Signature
	for _, flag := range []string{"collection", "output", "archives", "url", "host"} {
		code, out, errs := command(t, "--"+flag+"="+secret)
		if code != cli.ExitUsage {
			t.Errorf("--%s: exit code %d\n%s", flag, code, errs)
		}
		leaktest.None(t, flag, map[string]string{"stdout": out, "stderr": errs})
	}
}

// TestAttack01_outputReplacesAnswersAlone: an earlier result is replaced, even in a collection's folder. Archives,
// files of a collection and folders are not.
func TestAttack01_outputReplacesAnswersAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "ours", ".gleaner"), 0o755); err != nil {
		t.Fatal(err)
	}
	const unit = "-1f0c36a9b2d47e58c3aa"
	const archive = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"
	for _, tt := range []struct {
		name, text string
		refused    bool
	}{
		{"a.warc", archive, true},
		{"answer.csv", "url\n", false},
		{"answer.jsonl", `{"url":"https://harbour.example/"}` + "\n", false},
		{"ours/a.warc", archive, true},
		{"ours/manifest.json", "{}", true},
		{"ours/report.json", "{}", true},
		{"ours/graph.json", "{}", true},
		{"ours/README.md", "x", true},
		{"ours/index.cdxj", "x", true},
		{"ours/documents" + unit + ".jsonl", "{}", true},
		{"ours/documents" + unit + ".parquet", "x", true},
		{"ours/needs-capture" + unit + ".jsonl", "{}", true},
		{"ours/facts-00000" + unit + ".bin.zst", "x", true},
		{"ours/train-00000-of-00001.parquet", "x", true},
		{"ours/rejects-00000-of-00001.jsonl", "{}", true},
		{"ours/host-edges.txt.gz", "x", true},
		{"ours/signatures.bin", "x", true},
		{"ours/answer.csv", "url\n", false},
		{"ours/answer-2026.parquet", "x", false},
		{"ours/report-2026-11.jsonl", "{}", false},
	} {
		name := filepath.Join(dir, tt.name)
		if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := checkOutput(name); (err != nil) != tt.refused {
			t.Errorf("%s: %v, want refused %v", tt.name, err, tt.refused)
		}
	}
	for name, refused := range map[string]bool{
		"": false, filepath.Join(dir, "new.csv"): false, filepath.Join(dir, "ours"): true,
	} {
		if err := checkOutput(name); (err != nil) != refused {
			t.Errorf("%q: %v, want refused %v", name, err, refused)
		}
	}
}
