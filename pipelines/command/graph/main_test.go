package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb) }

func command(t *testing.T, args ...string) *exec.Cmd {
	cmd := commandtest.Command(t.Context(), "graph", args...)
	cmd.Env = append(cmd.Env, "LC_ALL=tr_TR.UTF-8")
	return cmd
}

func run(t *testing.T, args ...string) (code int, text string) {
	t.Helper()
	return commandtest.Combined(t, command(t, args...))
}

// linked makes a collection of one unit with links between hosts. With 0 hosts, there is no shard of links.
func linked(t *testing.T, hosts int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	f := folder.Open(t.Context(), dir, blob.New(blob.Options{}))
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := shard.Options{Formats: []string{holdings.FormatJSONL}}
	if hosts > 0 {
		o.Formats = append(o.Formats, holdings.FormatLinks)
	}
	unit := schemas.Unit{Inputs: []schemas.Range{{File: "a.warc"}}}
	key := ledger.Key(unit, nil, nil)
	w, err := shard.NewWriter(f, unit, key, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hosts {
		from := fmt.Sprintf("h%d.example", i)
		links := make([]schemas.Link, 3)
		for k := range links {
			to := fmt.Sprintf("h%d.example", i*7%(hosts/2)+k)
			links[k] = schemas.Link{
				URL: "http://" + from + "/", SURT: from, Host: from, Domain: from, Timestamp: "2026-11-24T00:00:00Z",
				Target: "http://" + to + "/", TargetHost: to, TargetDomain: to, Place: schemas.PlaceMain,
			}
		}
		links[2].Place = schemas.PlaceOther
		if err := w.Links(links); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.CDX(cdx.Line{SURT: "a", URL: "http://a/", Filename: "a.warc"}); err != nil {
		t.Fatal(err)
	}
	r, err := w.Commit(schemas.Counts{Captures: 1}, ledger.Note{})
	if err == nil {
		_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	}
	if err = errors.Join(err, c.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGraph(t *testing.T) {
	in, out := linked(t, 100), filepath.Join(t.TempDir(), "graph")
	code, text := run(t, "--collection="+in, "--output="+out, "--format=text,gexf,graphml")
	if code != 0 || !strings.Contains(text, "Hosts        100, ") {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	first := shelftest.Contents(t, out)
	if len(first) < 13 {
		t.Errorf("%d files: %v", len(first), first)
	}
	// A second run, with an argument, over the finished output.
	run(t, "--output="+out, "--format=graphml,gexf,text", in)
	shelftest.SameFiles(t, shelftest.Contents(t, out), first)
	// Other links, formats or collections replace the output only with --fresh.
	for _, other := range [][]string{
		{"--place=main", in},
		{"--format=text", in},
		{"--exact=50", "--format=text,gexf,graphml", in},
		{"--format=text,gexf,graphml", linked(t, 10)},
	} {
		code, text = run(t, append([]string{"--output=" + out}, other...)...)
		if code != 2 || !strings.Contains(text, "--fresh") {
			t.Errorf("%q: exit code %d\n%s", other, code, text)
		}
		shelftest.SameFiles(t, shelftest.Contents(t, out), first)
	}
	// With fewer links and formats, nothing of the previous graph is left.
	if code, text = run(t, "--fresh", "--output="+out, "--place=main", in); code != 0 {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	names, _ := filepath.Glob(filepath.Join(out, "[a-z]*"))
	if len(names) != 9 {
		t.Errorf("files %q, want eight and graph.json", names)
	}
	var m manifest
	data, err := os.ReadFile(filepath.Join(out, manifestFile))
	if err = errors.Join(err, json.Unmarshal(data, &m)); err != nil || m.Links >= 300 || m.Hosts.Harmonic != "exact" {
		t.Errorf("%v: %s", err, data)
	}
	if code, text = run(t, "--fresh", "--output="+out, "--exact=50", in); code != 0 ||
		!strings.Contains(text, "estimated") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}

func TestGraph_refuses(t *testing.T) {
	in, foreign := linked(t, 10), t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"not a collection", []string{"--collection=" + foreign}},
		{"has no links", []string{"--collection=" + linked(t, 0)}},
		{"is one of the collections", []string{"--output=" + in, in}},
		{"not made by gleaner graph", []string{"--output=" + foreign, in}},
		{"--memory", []string{"--memory=1KiB", in}},
		{"--exact", []string{"--exact=0", in}},
		{"--place", []string{"--place=footer", in}},
	} {
		args := append([]string{"--output=" + filepath.Join(t.TempDir(), "graph")}, tt.args...)
		if code, text := run(t, args...); code != 2 || !strings.Contains(text, tt.want) {
			t.Errorf("%q: exit code %d, want 2 and %q\n%s", tt.args, code, tt.want, text)
		}
	}
	if code, text := run(t, "--memory=16MiB", "--output="+filepath.Join(t.TempDir(), "graph"),
		linked(t, 30_000)); code != 1 ||
		!strings.Contains(text, "--memory") {
		t.Errorf("30,000 hosts in 16 MiB: exit code %d\n%s", code, text)
	}
}

// TestGraph_killed: at any time the folder holds a whole graph or none, and the next run ends like a clean one.
func TestGraph_killed(t *testing.T) {
	in, clean, out := linked(t, 5_000), filepath.Join(t.TempDir(), "clean"), filepath.Join(t.TempDir(), "graph")
	began := time.Now()
	if code, text := run(t, "--output="+clean, in); code != 0 {
		t.Fatal(text)
	}
	took := time.Since(began)
	want := shelftest.Contents(t, clean)
	for i := range 8 {
		cmd := command(t, "--output="+out, in)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(i+1) / 9)
		_ = cmd.Process.Signal(syscall.SIGKILL) // it may have ended
		_ = cmd.Wait()                          // it was killed
		if _, err := os.Stat(filepath.Join(out, manifestFile)); err == nil {
			for name, data := range shelftest.Contents(t, out) {
				if w, known := want[name]; known && w != data {
					t.Errorf("killed: %s is another file beside %s", name, manifestFile)
				}
			}
		}
	}
	if code, text := run(t, "--output="+out, in); code != 0 {
		t.Fatal(text)
	}
	shelftest.SameFiles(t, shelftest.Contents(t, out), want)
	left, _ := filepath.Glob(filepath.Join(out, "*"+temporary))
	spills, _ := filepath.Glob(filepath.Join(out, ".gleaner", "spill-*"))
	if len(left)+len(spills) > 0 {
		t.Errorf("left behind: %q %q", left, spills)
	}
}

// TestGraph_where: a filter chooses the captures whose links count. Another filter is another graph, and mistakes are
// refused.
func TestGraph_where(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	var documents []*schemas.Document
	var links [][]schemas.Link
	for i, language := range []string{"fr", "en", "fr"} {
		host := fmt.Sprintf("h%d.example", i)
		d := &schemas.Document{
			URL: "http://" + host + "/", SURT: "example,h" + host[1:2] + ")/", Host: host, Domain: host, Language: language,
			Timestamp: "2026-11-24T00:00:00Z", Filename: "a.warc", Offset: int64(i),
		}
		documents = append(documents, d)
		links = append(links, []schemas.Link{{
			URL: d.URL, SURT: d.SURT, Host: host, Domain: host, Timestamp: d.Timestamp, Target: "http://to.example/",
			TargetHost: "to.example", TargetDomain: "to.example", Place: schemas.PlaceMain,
		}})
	}
	collectiontest.Link(t, f, schemas.Range{File: "a.warc", End: 1, Format: "warc"}, documents, links...)
	in, out := f.Path(""), filepath.Join(t.TempDir(), "graph")
	for where, want := range map[string]string{
		"": "4, 3 edges", "language = fr": "3, 2 edges", "NOT language = fr": "2, 1 edges", "language = de": "0, 0 edges",
	} {
		code, text := run(t, "--collection="+in, "--output="+out+want[:1], "--format=gexf,csv", "--where="+where)
		if code != 0 || !strings.Contains(text, "Hosts        "+want) {
			t.Errorf("--where=%q: exit code %d\n%s", where, code, text)
		}
	}
	table, err := os.ReadFile(filepath.Join(out+"3", "host-vertices.csv"))
	if err != nil || !strings.Contains(string(table), ",1,1,2026,2026,fr\n") {
		t.Errorf("hosts: %v\n%s", err, table)
	}
	if code, text := run(t, "--collection="+in, "--output="+out+"3", "--format=gexf,csv"); code != 2 ||
		!strings.Contains(text, "--fresh") {
		t.Errorf("another filter over a graph: exit code %d\n%s", code, text)
	}
	if code, text := run(t, "--collection="+in, "--output="+out, "--where=language ="); code != 2 ||
		!strings.Contains(text, "--where") {
		t.Errorf("a mistake: exit code %d\n%s", code, text)
	}
}
