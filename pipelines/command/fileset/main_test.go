package fileset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb) }

func start(t testing.TB, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := commandtest.Command(t.Context(), "fileset", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// command runs the command, checks its exit code, and returns its output.
func command(t testing.TB, want int, args ...string) string {
	t.Helper()
	code, out := commandtest.Combined(t, commandtest.Command(t.Context(), "fileset", args...))
	if code != want {
		t.Fatalf("fileset %v: exit code %d, want %d\n%s", args, code, want, out)
	}
	return out
}

// contents returns the output files of a folder by name.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		// The report differs between runs.
		if e.IsDir() || e.Name() == "report.json" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// results returns the lines of all files of a kind, in the order of the manifest.
func results(t testing.TB, dir, kind string) (lines []string) {
	t.Helper()
	m, err := filesets.ReadManifest(folder.Open(t.Context(), dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	shards := m.Captures.Shards
	for _, u := range m.Units {
		shards = append(shards, u.Shards...)
	}
	for _, s := range shards {
		if !strings.HasPrefix(s.Name, kind+"-") {
			continue
		}
		f, err := os.Open(filepath.Join(dir, s.Name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := jsonl.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for line, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		_ = f.Close()
	}
	return lines
}

// statuses returns the statuses of all results.
func statuses(t testing.TB, dir string) (list []string) {
	t.Helper()
	for _, line := range results(t, dir, "fileset-results") {
		var r schemas.FilesetResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r.Status)
	}
	return list
}

const (
	requests = "../../../testdata/datasets/requests.jsonl,../../../testdata/datasets/odd.jsonl"
	captures = "../../../testdata/datasets/captures.warc.gz"
)

var tideStatuses = []string{
	"success", "mismatch", "success-file", "no-capture", "success", "success-file", "no-platform-match",
	"platform-no-capture",
	"no-capture",
}

// TestFileset runs the command with default flags on nine requests, a line of another type, and an invalid line.
func TestFileset(t *testing.T) {
	out := t.TempDir()
	text := command(t, 3, "--requests="+requests, "--archives="+captures, "--output="+out)
	if diff := cmp.Diff(tideStatuses, statuses(t, out)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, text)
	}
	if n := len(results(t, out, "rejects")); n != 2 {
		t.Errorf("%d rejects", n)
	}
	if n := len(results(t, out, "file-results")); n != 2 {
		t.Errorf("%d results of files", n)
	}
	var urls []string
	for _, line := range results(t, out, "needs-capture") {
		var n schemas.NeedsCapture
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatal(err)
		}
		urls = append(urls, n.Purpose+" "+n.URL)
	}
	want := []string{
		"file https://dataverse.wrenmouth.example/api/access/datafile/:persistentId/?persistentId=doi:10.5072/FK2/TIDES1/BBBBBB",
		"api https://zenodo.org/api/records/9000003", "landing https://zenodo.org/record/9000004",
	}
	if diff := cmp.Diff(want, urls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// The result keeps an unknown field.
	if !strings.Contains(results(t, out, "fileset-results")[2], `"priority":3`) {
		t.Error("a field of the request is lost")
	}
}

// TestFileset_report: a run writes a report. A run without work keeps the previous report.
func TestFileset_report(t *testing.T) {
	out := t.TempDir()
	type done struct {
		Command, Runner string
		Units           struct{ Planned, Before, Done int }
		Counts          filesets.Counts
		Extractors      []struct{ Name string }
		Requests        struct{ Count int } `json:"capture_microseconds"`
		Slowest         []struct {
			File, URL string
			Bytes     int64
		}
		Processes []any
	}
	read := func() (r done) {
		text, err := os.ReadFile(filepath.Join(out, "report.json"))
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	args := []string{"--requests=" + requests, "--archives=" + captures, "--output=" + out, "--unit_requests=4"}
	command(t, 3, args...)
	r := read()
	if r.Command != "fileset" || r.Runner != "local" || r.Units.Planned != 3 || r.Units.Done != 3 ||
		r.Counts.Results != 9 ||
		r.Counts.Rejects != 2 || r.Requests.Count != 9 || len(r.Slowest) != 9 || len(r.Processes) != 1 {
		t.Errorf("%+v", r)
	}
	var names []string
	for _, e := range r.Extractors {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"api", "file", "landing", "own"}, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s := r.Slowest[0]; s.URL == "" || !strings.HasPrefix(s.File, ".gleaner/requests-") {
		t.Errorf("%+v", s)
	}
	command(t, 3, args...)
	if diff := cmp.Diff(r, read()); diff != "" {
		t.Errorf("after a run that did nothing: %s", diff)
	}
}

// TestFileset_sameBytes: all runners write the same bytes, and a second run does nothing.
func TestFileset_sameBytes(t *testing.T) {
	direct, prism := t.TempDir(), t.TempDir()
	args := []string{"--requests=" + requests, "--archives=" + captures, "--unit_requests=2"}
	command(t, 3, append(args, "--output="+direct)...)
	want := contents(t, direct)
	command(t, 3, append(args, "--output="+direct, "--workers=1")...)
	command(t, 3, append(args, "--output="+prism, "--runner=prism")...)
	for name, dir := range map[string]string{"a second run": direct, "prism": prism} {
		if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
			t.Errorf("%s: -first +then:\n%s", name, diff)
		}
	}
}

// TestFileset_python uses a job server in another language with our workers.
func TestFileset_python(t *testing.T) {
	server := jobserver.Python(t)
	direct, python := t.TempDir(), t.TempDir()
	args := []string{"--requests=" + requests, "--archives=" + captures, "--unit_requests=2"}
	command(t, 3, append(args, "--output="+direct)...)
	command(t, 3, append(args, "--output="+python, "--runner=universal", "--endpoint="+server.Endpoint,
		"--environment_type=LOOPBACK")...)
	if diff := cmp.Diff(contents(t, direct), contents(t, python)); diff != "" {
		t.Errorf("-direct +python:\n%s", diff)
	}
}

func TestFileset_inputs(t *testing.T) {
	index := filepath.Join(t.TempDir(), "x.cdxj")
	first := t.TempDir()
	command(t, 3, "--requests="+requests, "--archives="+captures, "--output="+first)
	names, err := filepath.Glob(first + "/.gleaner/captures-*.cdxj")
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	// Our own index, without the numbers of folders in its lines.
	text, err := os.ReadFile(names[0])
	if err == nil {
		err = os.WriteFile(index, bytes.ReplaceAll(text, []byte(`"filename": "0:`), []byte(`"filename": "CRAWL-1/`)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	command(t, 3, "--requests="+requests, "--archives="+index, "--warc_base="+filepath.Dir(captures), "--output="+out)
	if diff := cmp.Diff(tideStatuses, statuses(t, out)); diff != "" {
		t.Errorf("by an index: -want +got:\n%s", diff)
	}
}

// TestFileset_noStatus: archives in formats without a status have the same datasets.
func TestFileset_noStatus(t *testing.T) {
	const found = "archiveorg wrenmouth-tides success archiveorg-fileset 2 108 wrenmouth-tides"
	for _, format := range []string{"ache-warc", "ache-html", "ache-json", "ache-cbor", "cdr", "pagestore"} {
		t.Run(format, func(t *testing.T) {
			dir := withoutStatus(t, format)
			asked, discovered := t.TempDir(), t.TempDir()
			command(t, 3, "--requests="+requests, "--archives="+dir, "--output="+asked)
			command(t, 0, "--discover", "--archives="+dir, "--output="+discovered)
			if got := told(t, asked); !slices.Contains(got, found) {
				t.Errorf("asked: %q, want %s", got, found)
			}
			if got := told(t, discovered); !slices.Contains(got, found) {
				t.Errorf("discovered: %q, want %s", got, found)
			}
		})
	}
}

// withoutStatus writes the captures with status 200 in a format that does not keep it, and returns the folder.
func withoutStatus(t testing.TB, format string) string {
	t.Helper()
	f, err := archive.OpenFile(captures, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	dir := t.TempDir()
	to, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = to.Close() }()
	w, err := archive.NewWriter(format, to, dump.WriteOptions{Compress: dump.Off})
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range f.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Status != 200 || c.RecordType == schemas.TypeRevisit {
			continue
		}
		if err := w.Write(c); err != nil && !errors.Is(err, dump.ErrRefused) {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFileset_discover(t *testing.T) {
	out := t.TempDir()
	command(t, 0, "--discover", "--archives="+captures, "--output="+out)
	var found []string
	for _, line := range results(t, out, "fileset-results") {
		var r schemas.FilesetResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		found = append(found, r.Request.BaseURL+" "+r.Status)
	}
	want := []string{
		"https://archive.org/details/wrenmouth-tides success",
		"https://dataverse.wrenmouth.example/dataset.xhtml?persistentId=doi:10.5072/FK2/TIDES1 no-capture",
		"https://figshare.com/articles/dataset/Tides/90001/1 success-file",
		"https://port.harbour-gazette.example/tides/ success-file",
		"https://zenodo.org/record/9000001 success", "https://zenodo.org/record/9000003 platform-no-capture",
		"https://zenodo.org/records/9000002 mismatch",
	}
	slices.Sort(found)
	// Files of archive.org are below /download/, which is also a form of its pages. So an item is found by these too.
	found = slices.DeleteFunc(found, func(s string) bool { return strings.Contains(s, "/download/") })
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFileset_otherRequests: other requests do not remove results, and no request is run twice.
func TestFileset_otherRequests(t *testing.T) {
	out, more := t.TempDir(), filepath.Join(t.TempDir(), "more.jsonl")
	command(t, 3, "--requests="+requests, "--archives="+captures, "--output="+out)
	before := contents(t, out)
	text := `{"ingest_type":"dataset","base_url":"https://zenodo.org/record/9000001"}` + "\n"
	if err := os.WriteFile(more, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := command(t, 2, "--requests="+more, "--archives="+captures, "--output="+out); !strings.Contains(said,
		"--add") {
		t.Errorf("it says %s", said)
	}
	if diff := cmp.Diff(before, contents(t, out)); diff != "" {
		t.Errorf("after a refusal: %s", diff)
	}
	command(t, 3, "--requests="+more, "--archives="+captures, "--output="+out, "--add")
	if got := statuses(t, out); len(got) != len(tideStatuses)+1 {
		t.Errorf("%d results", len(got))
	}
	command(t, 3, "--requests="+more+","+requests, "--archives="+captures, "--output="+out, "--add")
	if got := statuses(t, out); len(got) != len(tideStatuses)+1 {
		t.Errorf("added twice: %d results", len(got))
	}
	command(t, 0, "--requests="+more, "--archives="+captures, "--output="+out, "--fresh")
	if got := statuses(t, out); len(got) != 1 {
		t.Errorf("afresh: %d results", len(got))
	}
}

// TestAttack01_filesetsOfOtherArchives: a run without the archives of earlier results does not replace these results.
// Archives may be added.
func TestAttack01_filesetsOfOtherArchives(t *testing.T) {
	archives, asked := synthetic(t, t.TempDir(), 3)
	others, _ := synthetic(t, t.TempDir(), 1)
	out := t.TempDir()
	args := []string{"--requests=" + asked, "--output=" + out}
	command(t, 0, append(args, "--archives="+archives)...)
	before := contents(t, out)
	for _, more := range [][]string{{"--archives=" + others}, {"--archives=" + others, "--add"}} {
		if said := command(t, 2, append(args, more...)...); !strings.Contains(said, "(1 of them") ||
			!strings.Contains(said, archives) {
			t.Errorf("%s: it says %s", more, said)
		}
		if diff := cmp.Diff(before, contents(t, out)); diff != "" {
			t.Errorf("after a refusal: %s", diff)
		}
	}
	command(t, 0, append(args, "--archives="+archives+","+others)...)
	if got := statuses(t, out); len(got) != 3 {
		t.Errorf("with more archives: %d results", len(got))
	}
	command(t, 0, append(args, "--archives="+archives, "--fresh")...)
	if diff := cmp.Diff(before, contents(t, out)); diff != "" {
		t.Errorf("afresh: %s", diff)
	}
}

func TestFileset_refuses(t *testing.T) {
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"a foreign folder": {"--output=" + foreign, "--requests=" + requests, "--archives=" + captures},
		"no requests":      {"--output=" + t.TempDir(), "--requests=/none.jsonl", "--archives=" + captures},
		"no archives":      {"--output=" + t.TempDir(), "--requests=" + requests, "--archives=/none/"},
		"no such strategy": {"--strategy=web"},
		"a server alone":   {"--cdx_server=https://127.0.0.1:1/"},
		"add and fresh":    {"--add", "--fresh"},
	} {
		if said := command(t, 2, args...); said == "" {
			t.Errorf("%s: nothing is said", name)
		}
	}
	if entries, err := os.ReadDir(foreign); err != nil || len(entries) != 1 {
		t.Errorf("the foreign folder was touched: %v", entries)
	}
}

func TestFileset_plan(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	said := command(t, 0, "--plan", "--requests="+requests, "--archives="+captures, "--output="+out)
	if !strings.Contains(said, "Requests     9, ") || !strings.Contains(said, "2 lines are not requests") {
		t.Errorf("it says %s", said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a plan made the output")
	}
}

// synthetic makes captures of datasets with one file each, and requests for them.
func synthetic(t testing.TB, dir string, datasets int) (archives, asked string) {
	t.Helper()
	archives, asked = filepath.Join(dir, "synthetic.warc.gz"), filepath.Join(dir, "requests.jsonl")
	a, err := os.Create(archives)
	if err != nil {
		t.Fatal(err)
	}
	q, err := os.Create(asked)
	if err != nil {
		t.Fatal(err)
	}
	w, r := bufio.NewWriterSize(a, 1<<20), bufio.NewWriter(q)
	z := gzip.NewWriter(w)
	add := func(url, mime, body string) {
		block := "HTTP/1.1 200 OK\r\nContent-Type: " + mime + "\r\n\r\n" + body
		z.Reset(w)
		fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n"+
			"WARC-Target-URI: %s\r\n"+
			"WARC-Date: 2024-03-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:%s>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, url,
			len(block), block)
		_ = z.Close()
	}
	for i := range datasets {
		text := fmt.Sprintf("data of %d\n", i)
		sum := md5.Sum([]byte(text))
		file := fmt.Sprintf("https://zenodo.org/api/records/%d/files/a.csv/content", i)
		add(fmt.Sprintf("https://zenodo.org/records/%d", i), "text/html", fmt.Sprintf("<html><head><title>Dataset %d</title>"+
			"<meta name=citation_title content='Dataset %d'></head><body>%s</body></html>", i, i,
			strings.Repeat("<p>words</p>", 50)))
		add(fmt.Sprintf("https://zenodo.org/api/records/%d", i), "application/json",
			fmt.Sprintf(`{"id":%d,"files":[{"key":"a.csv",
			"size":%d,"checksum":"md5:%s","links":{"self":%q}}]}`, i, len(text), hex.EncodeToString(sum[:]), file))
		add(file, "text/csv", text)
		fmt.Fprintf(r, `{"ingest_type":"dataset","base_url":"https://zenodo.org/records/%d","n":%d}`+"\n", i, i)
	}
	if err := errors.Join(w.Flush(), r.Flush(), a.Close(), q.Close()); err != nil {
		t.Fatal(err)
	}
	return archives, asked
}

// TestFileset_killed: a run that is killed at any time and restarted ends like one clean run.
func TestFileset_killed(t *testing.T) {
	archives, asked := synthetic(t, t.TempDir(), 2000)
	clean, out := t.TempDir(), t.TempDir()
	args := []string{"--requests=" + asked, "--archives=" + archives, "--unit_requests=50"}
	command(t, 0, append(args, "--output="+clean)...)
	killed := 0
	for i := range 8 {
		cmd, _ := start(t, append(args, "--output="+out)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(150+150*i)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); err != nil {
			killed++
		}
		timer.Stop()
	}
	command(t, 0, append(args, "--output="+out)...)
	t.Logf("killed %d times", killed)
	if diff := cmp.Diff(contents(t, clean), contents(t, out)); diff != "" {
		t.Errorf("-clean +killed:\n%.2000s", diff)
	}
	if entries, err := filepath.Glob(out + "/.gleaner/tmp-*"); err != nil || len(entries) > 0 {
		t.Errorf("left: %v", entries)
	}
}

// BenchmarkFileset runs small requests with a warm index: 5,000, or 100,000 with GLEANER_SLOW=1.
func BenchmarkFileset(b *testing.B) {
	n := 5_000
	if os.Getenv("GLEANER_SLOW") != "" {
		n = 100_000
	}
	dir := b.TempDir()
	archives, asked := synthetic(b, dir, n)
	one := filepath.Join(dir, "one.jsonl")
	if err := os.WriteFile(one, []byte(`{"ingest_type":"dataset","base_url":"https://zenodo.org/records/0"}`+"\n"),
		0o600); err != nil {
		b.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	cpu := func(requests string, more ...string) float64 {
		cmd, said := start(b, append(more, "--requests="+requests, "--archives="+archives, "--output="+out)...)
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v\n%s", err, said)
		}
		return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	index := cpu(one)
	for b.Loop() {
		spent := cpu(asked, "--add")
		b.ReportMetric(spent/float64(n)*1e6, "cpu-us/request")
		b.ReportMetric(index/float64(3*n)*1e6, "cpu-us/capture-indexed")
	}
}
