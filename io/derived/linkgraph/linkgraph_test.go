package linkgraph

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// memory is a file that is kept.
type memory struct {
	bytes.Buffer
	files map[string]string
	name  string
}

func (m *memory) Close() error {
	m.files[m.name] = m.String()
	return nil
}

// build makes the graphs of links, and returns the files, those that are compressed without that.
func build(tb testing.TB, o Options, links []schemas.Link) (files map[string]string, hosts, domains Counts) {
	tb.Helper()
	o.TempDir, files = tb.TempDir(), map[string]string{}
	b := NewBuilder(o)
	defer func() { _ = b.Close() }() // after Write it has nothing to remove
	for i := range links {
		if err := b.Add(&links[i]); err != nil {
			tb.Fatal(err)
		}
	}
	hosts, domains, err := b.Write(func(name string) (io.WriteCloser, error) {
		return &memory{files: files, name: name},
			nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	for name, data := range files {
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(strings.NewReader(data))
			if err != nil {
				tb.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil {
				tb.Fatal(err)
			}
			files[name] = string(text)
		}
	}
	return files, hosts, domains
}

// link is one from host to host, whose domains are their last two labels.
func link(from, to, year string) schemas.Link {
	domain := func(h string) string {
		labels := strings.Split(h, ".")
		return strings.Join(labels[max(0, len(labels)-2):], ".")
	}
	return schemas.Link{
		SURT: from, URL: "http://" + from + "/", Host: from, Domain: domain(from), Timestamp: year + "-01-02T00:00:00Z",
		Target: "http://" + to + "/x", TargetHost: to, TargetDomain: domain(to), Place: schemas.PlaceMain,
	}
}

func TestBuilder(t *testing.T) {
	mail := link("a.example.org", "x", "2025")
	mail.Target = "ftp://x/"
	files, hosts, domains := build(t, Options{}, []schemas.Link{
		link("b.example.net", "a.example.org", "2026"), link("a.example.org", "b.example.net", "2025"),
		link("b.example.net", "a.example.org", "2025"), link("b.example.net", "a.example.org", "2026"),
		link("b.example.net", "b.example.net", "2026"), link("c.example.net", "b.example.net", "2026"), mail,
	})
	want := map[string]string{
		"host-vertices.txt.gz":   "0\tnet.example.b\n1\tnet.example.c\n2\torg.example.a\n",
		"host-edges.txt.gz":      "0\t2\n1\t0\n2\t0\n",
		"host-years.txt.gz":      "0\t2\t2025\t1\n0\t2\t2026\t2\n1\t0\t2026\t1\n2\t0\t2025\t1\n",
		"domain-vertices.txt.gz": "0\tnet.example\t2\n1\torg.example\t1\n",
		"domain-edges.txt.gz":    "0\t1\n1\t0\n",
		"domain-years.txt.gz":    "0\t1\t2025\t1\n0\t1\t2026\t2\n1\t0\t2025\t1\n",
		"domain-ranks.txt.gz": "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#domain_rev\t#n_hosts\n" +
			"1\t1\t1\t0.5\tnet.example\t2\n2\t1\t2\t0.5\torg.example\t1\n",
	}
	ranks := files["host-ranks.txt.gz"]
	delete(files, "host-ranks.txt.gz")
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(ranks, "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n1\t2\t1\t0.4") {
		t.Errorf("ranks of hosts:\n%s", ranks)
	}
	if hosts.Edges != 3 || hosts.Links != 5 || domains.Vertices != 2 {
		t.Errorf("counts %+v and %+v", hosts, domains)
	}
}

// some are links between a few hundred hosts, many of them more than once.
func some(n int) (links []schemas.Link) {
	r := rand.New(rand.NewPCG(1, 2))
	host := func() string {
		return []string{"", "www."}[r.IntN(2)] + fmt.Sprintf("site%d.example", int(r.ExpFloat64()*60))
	}
	for range n {
		links = append(links, link(host(), host(), fmt.Sprint(2020+r.IntN(6))))
	}
	return links
}

// TestBuilder_anyOrder: the files are the same in any order of links, with much memory and with little.
func TestBuilder_anyOrder(t *testing.T) {
	links := some(20_000)
	want, _, _ := build(t, Options{Formats: Formats()}, links)
	r := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		r.Shuffle(len(links), func(i, k int) { links[i], links[k] = links[k], links[i] })
		got, _, _ := build(t, Options{Formats: Formats(), Memory: 2 << 20}, links)
		if !maps.Equal(got, want) {
			t.Error("another order of links makes other files")
		}
	}
	for _, name := range []string{"host.gexf", "domain.graphml"} {
		if err := xml.Unmarshal([]byte(want[name]), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBuilder_hostile: names are of pages, and may be anything; too many are an error.
func TestBuilder_hostile(t *testing.T) {
	files, _, _ := build(t, Options{Formats: Formats()}, []schemas.Link{
		link("a<&\"\x01.b", "..", ""),
		link("127.0.0.1", "::1", "2026"),
	})
	for _, name := range []string{"host.gexf", "host.graphml"} {
		if err := xml.Unmarshal([]byte(files[name]), new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := NewBuilder(Options{Memory: 16 << 10, TempDir: t.TempDir()})
	defer func() { _ = b.Close() }() // there is nothing to lose
	var err error
	for i := 0; err == nil && i < 1000; i++ {
		l := link(fmt.Sprintf("h%d.example", i), "x.example", "2026")
		err = b.Add(&l)
	}
	if !errors.Is(err, ErrHosts) {
		t.Errorf("1,000 hosts in 16 KiB: %v, want %v", err, ErrHosts)
	}
}

const reference = `
import sys
import duckdb
for row in duckdb.sql(f"""
    SELECT host, target_host, year(timestamp AT TIME ZONE 'UTC'), count(*) FROM '{sys.argv[1]}'
    WHERE host <> target_host AND regexp_matches(target, '^https?:') GROUP BY ALL""").fetchall():
    print(*row, sep="\t")
`

// TestBuilder_asDuckDB: hosts, edges and counts are those that DuckDB makes of the same file of links.
func TestBuilder_asDuckDB(t *testing.T) {
	python := pythontest.Interpreter(t, "import duckdb, pytz", "duckdb==2.0.0", "pytz")
	links := some(20_000)
	var data bytes.Buffer
	w := parquetfile.NewLinkWriter(&data, parquetfile.Options{TempDir: t.TempDir()})
	for i := range links {
		if err := w.Write(links[i : i+1]); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "links.parquet")
	if err := errors.Join(w.Close(), os.WriteFile(file, data.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", reference, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := strings.Split(strings.TrimSpace(string(out)), "\n")
	files, _, _ := build(t, Options{}, links)
	names := map[string]string{}
	for line := range strings.Lines(files["host-vertices.txt.gz"]) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		names[id] = reversed(name)
	}
	var got []string
	for line := range strings.Lines(files["host-years.txt.gz"]) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		got = append(got, strings.Join([]string{names[f[0]], names[f[1]], f[2], f[3]}, "\t"))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || len(got) < 1000 {
		t.Errorf("%d edges by year (-DuckDB +ours):\n%.2000s", len(got), diff)
	}
}

func BenchmarkBuilder_Add(b *testing.B) {
	links := some(10_000)
	b.ReportAllocs()
	for b.Loop() {
		g := NewBuilder(Options{TempDir: b.TempDir()})
		for i := range links {
			if err := g.Add(&links[i]); err != nil {
				b.Fatal(err)
			}
		}
		_ = g.Close() // nothing was spilled
	}
}

const readers = `
import sys
import networkx as nx
g = nx.read_gexf(sys.argv[1])
h = nx.read_graphml(sys.argv[2])
names = {d["label"]: d for _, d in g.nodes(data=True)}
assert names["www.a.example"] == {"label": "www.a.example", "pagerank": names["www.a.example"]["pagerank"], "harmonic": 0.0,
    "pages": 2, "captures": 3, "first_year": 2019, "last_year": 2021, "language": "fr"}, names["www.a.example"]
assert "language" not in names["xn--mnchen-3ya.example"] and names["xn--mnchen-3ya.example"]["pages"] == 0
assert sorted((d["weight"], d["first_year"], d["last_year"]) for _, _, d in g.edges(data=True)) == [(1.0, 2020, 2020), (7.0, 2020, 2021)]
assert [sorted(d.items()) for _, _, d in sorted(h.edges(data=True))] == [
    [("first_year", 2020), ("last_year", 2021), ("links", 7)], [("first_year", 2020), ("last_year", 2020), ("links", 1)]]
`

// TestGraph_readByOthers: NetworkX reads the attributes of hosts and edges from GEXF and GraphML.
func TestGraph_readByOthers(t *testing.T) {
	python := pythontest.Interpreter(t, "import networkx", "networkx==3.4.2")
	b := NewBuilder(Options{})
	for _, c := range []struct {
		to    string
		year  int
		links int64
	}{{"b.example", 2021, 3}, {"b.example", 2020, 4}, {"xn--mnchen-3ya.example", 2020, 1}} {
		if err := b.Count("www.a.example", c.to, c.year, c.links); err != nil {
			t.Fatal(err)
		}
	}
	b.Describe("www.a.example", Host{Pages: 1, Captures: 1, First: 2021, Last: 2021, Language: "fr"})
	b.Describe("www.a.example", Host{Pages: 1, Captures: 2, First: 2019, Last: 2020, Language: "en"})
	g, err := b.Hosts()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files []string
	for _, format := range []string{FormatGEXF, FormatGraphML} {
		var data bytes.Buffer
		if err := g.WriteAs(&data, format); err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(dir, "host."+format))
		if err := os.WriteFile(files[len(files)-1], data.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(python, append([]string{"-c", readers}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
