package meaningindex

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/meaning/standard"
)

func model(t testing.TB) *meaning.Model {
	t.Helper()
	m, err := standard.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func page(name, at, text string) *schemas.Document {
	return &schemas.Document{
		SURT: "example,(" + name + ")/", Timestamp: at, Text: text, Filename: "a.warc.gz",
		Offset: int64(hashOf(at+text) >> 8),
	}
}

var (
	shardA = schemas.Shard{Name: "documents-a.parquet", SHA256: "aa", Bytes: 1}
	shardB = schemas.Shard{Name: "documents-b.parquet", SHA256: "bb", Bytes: 1}
)

// documents are those of the test's shards.
var documents = map[string][]*schemas.Document{
	shardA.Name: {
		page("clinic", "2020-01-01T00:00:00Z", "Nurses and doctors in every clinic now wear face coverings."),
		page("empty", "2020-01-01T00:00:00Z", ""),
		page("match", "2020-01-01T00:00:00Z", "The team won the final match of the football season."),
	},
	shardB.Name: {
		page("clinic", "2021-01-01T00:00:00Z", "The hospital's staff put on masks when they treat patients."),
		page("hôpital", "2020-03-01T00:00:00Z", "Les médecins et infirmières portent des masques à l'hôpital."),
	},
}

func source(t testing.TB, dir string, shards ...schemas.Shard) Source {
	return Source{
		Dir: dir, CanWrite: true, Shards: shards, Model: model(t),
		Documents: func(_ context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
			return func(yield func(*schemas.Document, error) bool) {
				for _, d := range documents[s.Name] {
					if !yield(d, nil) {
						return
					}
				}
			}
		},
	}
}

func open(t testing.TB, s Source) *Index {
	t.Helper()
	x, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// names returns the rows of hits.
func names(hits []Hit) (list []string) {
	for _, h := range hits {
		list = append(list, fmt.Sprintf("%c%d", h.Shard[len("documents-")], h.Row))
	}
	return list
}

func about(x *Index, text string) Query {
	return Query{Vector: meaning.NewEncoder(x.Model).Vector(text), Limit: 10}
}

func TestFind(t *testing.T) {
	x := open(t, source(t, t.TempDir(), shardA, shardB))
	for _, test := range []struct {
		name   string
		change func(*Query)
		want   string // the first ones
	}{
		{"newest version", func(*Query) {}, "b0 b1 a2"},
		{"all versions", func(q *Query) { q.AllVersions = true }, "b0 a0 b1 a2"},
		{"limit", func(q *Query) { q.Limit = 1 }, "b0"},
		{"rows", func(q *Query) { q.Rows = map[string][]int64{shardA.Name: {0, 1}, shardB.Name: {1}} }, "b1 a0"},
		{"no rows", func(q *Query) { q.Rows = map[string][]int64{} }, ""},
		{"access", func(q *Query) {
			q.May = func(place uint64) bool { return place != imageindex.Place(documents[shardB.Name][0]) }
		}, "b1 a0 a2"},
		{"no vector", func(q *Query) { q.Vector = make([]float32, x.Model.Dim) }, ""},
		{"other model's", func(q *Query) { q.Vector = []float32{1} }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := about(x, "hospital masks for staff")
			test.change(&q)
			got := names(x.Find(q))
			slices.Sort(got[min(1, len(got)):]) // all but the first are nearly alike
			want := append([]string(nil), strings.Fields(test.want)...)
			slices.Sort(want[min(1, len(want)):])
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Find (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFind_passage(t *testing.T) {
	filler := strings.Repeat("The weather stays dry with a light wind from the west today. ", 40)
	const wanted = "The council raises the tax on second homes. "
	documents["long"] = []*schemas.Document{page("long", "", filler+strings.Repeat(wanted, 12)+filler)}
	x := open(t, source(t, t.TempDir(), schemas.Shard{Name: "long"}))
	hits := x.Find(about(x, "property taxes"))
	if len(hits) != 1 {
		t.Fatalf("%d hits, want 1", len(hits))
	}
	if passage := documents["long"][0].Text[hits[0].From:hits[0].To]; !strings.Contains(passage, "second homes") {
		t.Errorf("the passage is %q", passage)
	}
}

func TestOpen_sameBytesAndOnlyChangedShards(t *testing.T) {
	dir := t.TempDir()
	open(t, source(t, dir, shardA, shardB))
	first, err := os.ReadFile(filepath.Join(dir, "documents-b.meaning"))
	if err != nil {
		t.Fatal(err)
	}
	// A takedown replaces a shard under its name.
	old := documents[shardB.Name]
	defer func() { documents[shardB.Name] = old }()
	documents[shardB.Name] = old[1:]
	changed := shardB
	changed.SHA256 = "cc"
	s := source(t, dir, shardA, changed)
	read := s.Documents
	var made []string
	s.Documents = func(ctx context.Context, shard schemas.Shard) iter.Seq2[*schemas.Document, error] {
		made = append(made, shard.Name)
		return read(ctx, shard)
	}
	x := open(t, s)
	if diff := cmp.Diff([]string{shardB.Name}, made); diff != "" {
		t.Errorf("shards that were read (-want +got):\n%s", diff)
	}
	if got := names(x.Find(about(x, "hospital masks"))); slices.Contains(got, "b1") || len(got) != 3 {
		t.Errorf("after the takedown: %v", got)
	}
	documents[shardB.Name] = old
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	open(t, source(t, dir, shardA, shardB))
	again, err := os.ReadFile(filepath.Join(dir, "documents-b.meaning"))
	if err != nil || !slices.Equal(first, again) {
		t.Errorf("the file differs after it was made again: %v", err)
	}
	open(t, source(t, dir, shardA))
	if _, err := os.Stat(filepath.Join(dir, "documents-b.meaning")); err == nil {
		t.Error("the file of a shard that is gone stays")
	}
}

func TestOpen_damagedFilesAreMadeAgain(t *testing.T) {
	dir := t.TempDir()
	open(t, source(t, dir, shardA))
	path := filepath.Join(dir, "documents-a.meaning")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 9, len(whole) / 2, len(whole) - 1} {
		broken := slices.Clone(whole)
		broken[n] ^= 1
		for _, data := range [][]byte{broken, whole[:n]} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			x := open(t, source(t, dir, shardA))
			if got := names(x.Find(about(x, "football match"))); len(got) != 2 || got[0] != "a2" {
				t.Errorf("damage at %d: found %v", n, got)
			}
			if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, whole) {
				t.Errorf("damage at %d: the file was not made again: %v", n, err)
			}
		}
	}
}

func TestOpen_failingShard(t *testing.T) {
	s := source(t, t.TempDir(), shardA)
	want := errors.New("no disk")
	s.Documents = func(context.Context, schemas.Shard) iter.Seq2[*schemas.Document, error] {
		return func(yield func(*schemas.Document, error) bool) {
			if yield(documents[shardA.Name][0], nil) {
				yield(nil, want)
			}
		}
	}
	if _, err := Open(t.Context(), s); !errors.Is(err, want) {
		t.Errorf("Open() = %v, want %v", err, want)
	}
	if Exists(s.Dir) {
		t.Error("a part of a shard was written")
	}
}

func TestLikeAndPage(t *testing.T) {
	x := open(t, source(t, t.TempDir(), shardA, shardB))
	hits := x.Find(Query{Vector: x.Like(shardA.Name, 0), Limit: 2})
	if got := names(hits); got[0] != "b0" && got[0] != "b1" {
		t.Errorf("like the clinic: %v", got)
	}
	a, _ := x.Page(shardA.Name, 0)
	if b, ok := x.Page(shardB.Name, 0); !ok || a != b {
		t.Errorf("two versions have the pages %d and %d", a, b)
	}
	if _, ok := x.Page(shardA.Name, 1); ok || x.Like(shardA.Name, 1) != nil || x.Like("other", 0) != nil {
		t.Error("a document without text has a page or a vector")
	}
}

func FuzzDecode(f *testing.F) {
	p, err := build(model(f), source(f, "").Documents(f.Context(), shardA))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := decode(data)
		if !ok {
			return
		}
		if again, ok := decode(p.encode()); !ok || len(again.passages) != len(p.passages) {
			t.Fatal("a part that was read cannot be read again")
		}
	})
}

// random returns an index of n passages in documents of three, with vectors by chance.
func random(m *meaning.Model, n int) *Index {
	r := rand.New(rand.NewPCG(1, 2))
	p := &part{dim: m.Dim}
	v := make([]float32, m.Dim)
	for k := range n {
		if k%3 == 0 {
			p.documents = append(p.documents, document{surt: r.Uint64(), row: uint32(k / 3), first: uint32(k)})
		}
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		meaning.Normalize(v)
		p.add(meaning.Span{From: 0, To: 900}, meaning.Quantize(v))
	}
	p.link()
	x := &Index{Model: m, shards: []schemas.Shard{shardA}, parts: []*part{p}}
	x.number()
	x.newest = x.allowed(&Query{})
	return x
}

// BenchmarkFind searches 100,000 passages, or a million with GLEANER_SLOW=1.
func BenchmarkFind(b *testing.B) {
	n := 100_000
	if os.Getenv("GLEANER_SLOW") != "" {
		n *= 10
	}
	x := random(model(b), n)
	b.ReportMetric(float64(len(x.parts[0].encode()))/float64(n), "B/passage")
	some := map[string][]int64{}
	for row := range int64(n / 3) {
		if row%7 == 0 {
			some[shardA.Name] = append(some[shardA.Name], row)
		}
	}
	q := about(x, "masks in hospitals")
	b.Run(fmt.Sprint(n, "/all"), func(b *testing.B) { benchmarkFind(b, x, q) })
	q.Rows = some
	b.Run(fmt.Sprint(n, "/filtered"), func(b *testing.B) { benchmarkFind(b, x, q) })
}

// benchmarkFind reports the median and the 95th percentile of the time that a search takes.
func benchmarkFind(b *testing.B, x *Index, q Query) {
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		x.Find(q)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkBuild makes the vectors of pages of 700 words.
func BenchmarkBuild(b *testing.B) {
	var text strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the harbour of a town with boats and ferries was closed after storm damage while engineers " +
		"inspected bridges schools hospitals museums libraries council members voted about taxes transport housing")
	for range 700 {
		text.WriteString(words[r.IntN(len(words))] + " ")
	}
	d := page("a", "", text.String())
	const n = 1000
	m := model(b)
	for b.Loop() {
		_, err := build(m, func(yield func(*schemas.Document, error) bool) {
			for range n {
				if !yield(d, nil) {
					return
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "documents/s")
}
