package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// shelf is a folder with shards, and their documents.
type shelf struct {
	dir    string
	shards map[string][]*schemas.Document // by the names of shards
}

func newShelf(tb testing.TB) *shelf {
	tb.Helper()
	s := &shelf{tb.TempDir(), map[string][]*schemas.Document{}}
	if err := os.Mkdir(filepath.Join(s.dir, hiddenDir), 0o755); err != nil {
		tb.Fatal(err)
	}
	return s
}

func (s *shelf) folder() folder.Folder { return folder.Open(context.Background(), s.dir, nil) }

func shardName(n int) string { return fmt.Sprintf("documents-%020x.jsonl", n) }

// put writes a shard.
func (s *shelf) put(tb testing.TB, n int, docs []*schemas.Document) {
	tb.Helper()
	var b bytes.Buffer
	for _, d := range docs {
		line, err := json.Marshal(d)
		if err != nil {
			tb.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	s.shards[shardName(n)] = docs
	if err := os.WriteFile(filepath.Join(s.dir, shardName(n)), b.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// part is the collection as a manifest would have it.
func (s *shelf) part(tb testing.TB) holdings.Part {
	tb.Helper()
	p := holdings.Part{Folder: s.folder()}
	for name := range s.shards {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		p.Shards = append(p.Shards, schemas.Shard{Name: name, Bytes: int64(len(data)), SHA256: hashOf(data)})
	}
	slices.SortFunc(p.Shards, func(a, b schemas.Shard) int { return strings.Compare(a.Name, b.Name) })
	return p
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// verify tests the rest of a filter on the documents.
func (s *shelf) verify(rest query.Expr) Verify {
	return func(_ context.Context, hits []Hit) ([]bool, error) {
		passed := make([]bool, len(hits))
		for i, h := range hits {
			passed[i] = query.Match(rest, s.shards[h.Shard][h.Row])
		}
		return passed, nil
	}
}

// answer is what a query is to give: the oracle, which looks at every document.
func (s *shelf) answer(q query.Query) []*schemas.Document {
	var all []*schemas.Document
	for _, docs := range s.shards {
		all = append(all, docs...)
	}
	match := query.Compile(q.Where)
	if q.At.IsZero() {
		all = slices.DeleteFunc(all, func(d *schemas.Document) bool { return !match(d) })
	} else {
		all = slices.DeleteFunc(all, func(d *schemas.Document) bool { return query.KeyOf(d).Timestamp.After(q.At) })
	}
	if !q.AllVersions {
		newest := map[string]*schemas.Document{}
		for _, d := range all {
			if n := newest[d.SURT]; n == nil || query.KeyOf(d).Newer(query.KeyOf(n)) {
				newest[d.SURT] = d
			}
		}
		all = slices.DeleteFunc(all, func(d *schemas.Document) bool { return newest[d.SURT] != d })
	}
	all = slices.DeleteFunc(all, func(d *schemas.Document) bool { return !match(d) })
	slices.SortFunc(all, func(a, b *schemas.Document) int { return q.Order.Compare(query.KeyOf(a), query.KeyOf(b)) })
	if q.Limit > 0 && len(all) > q.Limit {
		all = all[:q.Limit]
	}
	return all
}

// ids tell documents apart, in their order.
func ids(docs []*schemas.Document) (list []string) {
	for _, d := range docs {
		list = append(list, fmt.Sprintf("%s %d %d", d.Filename, d.Offset, d.Sequence))
	}
	return list
}

// found are the ids of what the index finds. Each hit must say what its document says.
func (s *shelf) found(t *testing.T, x *Index, q query.Query) (list []string) {
	t.Helper()
	_, rest := Split(q.Where)
	for h, err := range x.Find(t.Context(), q, s.verify(rest)) {
		if err != nil {
			t.Fatalf("%v: %v", q.Where, err)
		}
		d := s.shards[h.Shard][h.Row]
		want := &schemas.Document{
			URL: d.URL, SURT: d.SURT, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp, Status: d.Status,
			MIMEDetected: d.MIMEDetected, Language: d.Language, Title: d.Title, PageType: d.PageType, SourceID: d.SourceID,
			Filename: d.Filename, Offset: d.Offset, Length: d.Length, Sequence: d.Sequence, RecordType: d.RecordType,
		}
		if diff := cmp.Diff(want, h.Document()); diff != "" {
			t.Fatalf("a hit is not its document (-want +got):\n%s", diff)
		}
		list = append(list, fmt.Sprintf("%s %d %d", d.Filename, d.Offset, d.Sequence))
	}
	return list
}

// words are those of made texts: of several scripts, with diacritics and in both cases.
var words = []string{
	"the", "Government", "été", "ete", "naïve", "Wasser", "Straße", "правительство", "الحكومة", "ממשלה", "정부", "政府",
	"总统", "政府总统", "東京タワー", "รัฐบาล", "ລັດຖະບານ", "coffee", "roasting", "pulitzer", "x-ray", "a\"b*c", "NEAR",
}

// made are some documents: few pages, few moments, so that much is equal.
func made(r *rand.Rand, n int, file string) (docs []*schemas.Document) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for i := range n {
		host := pick("a.example", "b.example", "www.c.example", "d.test")
		d := &schemas.Document{
			URL:  pick("http", "https") + "://" + host + "/" + pick("", "p", "q?x=1", "Ü") + fmt.Sprint(r.IntN(1+n/8)),
			Host: host, Domain: strings.TrimPrefix(host, "www."), Language: pick("fr", "en", "zh", ""),
			MIMEDetected: pick("text/html", "application/pdf", "image/png"), PageType: pick("", "article", "home"),
			SourceID: pick("", "s1"), Filename: file, Offset: int64(i / 2 * 100), Length: int64(50 * (i % 3)), Sequence: i % 2,
			Description: pick("", "budget", "other"), RecordType: "response",
		}
		d.SURT = urlkey.SURT(d.URL)
		d.Status, _ = map[string]int{"200": 200, "404": 404}[pick("200", "404", "none")]
		if r.IntN(20) > 0 {
			at := time.Date(2025, time.Month(1+r.IntN(3)), 1+r.IntN(3), 0, 0, r.IntN(3), 0, time.UTC)
			d.Timestamp = at.Format(time.RFC3339)
		}
		for range r.IntN(4) {
			d.Text += words[r.IntN(len(words))] + " "
		}
		if r.IntN(2) == 0 {
			d.Title = words[r.IntN(len(words))]
		}
		addLists(d, rand.New(rand.NewPCG(uint64(i), uint64(len(docs)))))
		docs = append(docs, d)
	}
	return docs
}

// addLists gives d values of the lists: none, several, the same twice, and in another case.
func addLists(d *schemas.Document, r *rand.Rand) {
	names := []string{"Ann", "ann", "Bob", "Ödön", "安", "", "x*y"}
	for range r.IntN(3) {
		d.Tags = append(d.Tags, names[r.IntN(len(names))])
		d.Entities = append(d.Entities, schemas.Entity{Type: "person", Text: names[r.IntN(len(names))]})
	}
	if r.IntN(4) == 0 {
		d.Authors = []string{"Ann", "Ann", fmt.Sprint("Author ", r.IntN(5))}
		d.Flags = []schemas.Flag{schemas.FlagChunked, schemas.FlagUnchecked}[:1+r.IntN(2)]
	}
	if r.IntN(5) == 0 {
		d.RecordType = schemas.TypeResource
	}
}

// filters are of all kinds: decided by bitmaps, on hits, by texts, left for the documents, and mixed.
var filters = []string{
	"", "language = fr", "language != fr", "language:*", "NOT language:*", `mime_detected = "application/*"`, "mime:HTML",
	"status = 200", "status >= 300", "status != 404", "status:*", "NOT status = 200", `host = "*.example"`, `host > "b"`,
	`domain = "c.example"`, "page_type = article", "source_id:*", `filename = "f1"`, `filename:"F"`,
	"timestamp = 2025", "timestamp = 2025-02", "timestamp >= 2025-02-02", "timestamp < 2025-02-01T00:00:02Z",
	"timestamp > 2025-01-02", "timestamp <= 2025-03-01", "timestamp != 2025-02", "timestamp:*", "NOT timestamp:*",
	"timestamp >= 2025-01-02 AND timestamp < 2025-03-02", "timestamp = 2025-01 OR timestamp = 2025-03-01",
	`surt = "example,a)/p1"`, `surt = "example,a)*"`, `surt >= "example,b" AND surt < "example,c)/q"`,
	`surt != "example,a)/"`,
	"surt:*", "NOT surt:*", `surt:"p1"`, `url = "http://a.example/p1"`, `url:"Q?X"`, `url = "https*"`,
	"offset < 300", "length = 50 AND sequence = 1", "title:WASSER", "NOT title:*",
	"government", "été", "NOT the", "the AND coffee", "the OR 政府", "政府", "政", "总统 AND language = zh", "gov*", "รัฐ",
	"定", `"coffee roasting"`, `"政府总统"`, `NOT "coffee roasting"`, "NEAR", `"x-ray"`, "ממשלה OR 정부",
	"description:budget", "description:budget OR language = fr", "description:budget AND the AND status = 200",
	"(language = fr OR status = 404) AND NOT mime:html AND timestamp = 2025-02", "language = fr AND (the OR title:wasser)",
	`language = "'; drop table version; --"`, `url = "http://x/' OR 1=1 --"`, "body_bytes = 0",
	"text:*", "NOT text:*", "text != *", "text:* AND language = fr", "text:wasser", "text = \"the \"", "record_type = resource", "record_type != resource", "tags = Ann", "tags != Ann", "tags:*", "NOT tags:*", "tags != *",
	"NOT tags = Ann", `tags = "A*"`, `tags = "x\*y"`, "tags:ANN", `tags >= "B"`, "tags < B", "entities.text = 安",
	"entities.text:*", `entities.text = "*n*"`, "authors = Ann AND NOT authors:3", "authors = nobody", "flags = chunked",
	"flags != chunked", "flags:*", "tags = Ann AND entities.text = Bob AND language = fr", "tags = Ann OR description:budget",
}

// TestFind_agreesWithEveryDocument compares the index with a look at every document. It takes all filters, all orders,
// newest, all versions and points in time, in one volume and in several. Small limits make sure that each way is taken.
func TestFind_agreesWithEveryDocument(t *testing.T) {
	tiny := limits{few: 3, fewTexts: 4, manyTexts: 5, sortable: 6, longestRun: 4, pagesAtOnce: 7, groupRows: 50}
	for _, o := range []Options{{}, {limits: tiny}, {VolumeRows: 60, limits: tiny}} {
		t.Run(fmt.Sprintf("%d %d", o.VolumeRows, o.limits.few), func(t *testing.T) {
			t.Parallel()
			s, r := newShelf(t), rand.New(rand.NewPCG(1, uint64(o.limits.few)))
			for i := range 5 {
				docs := made(r, 40, fmt.Sprintf("f%d", i))
				if o.VolumeRows > 0 { // the month of the first is the volume's
					docs[0].Timestamp = fmt.Sprintf("2025-0%d-01T00:00:00Z", 1+i%3)
				}
				s.put(t, i, docs)
			}
			x, _ := s.open(t, o)
			if o.VolumeRows > 0 && len(x.volumes) < 3 {
				t.Errorf("%d volumes, want 3 at least", len(x.volumes))
			}
			for i, filter := range filters {
				if os.Getenv("GLEANER_SLOW") != "" || (i+int(o.VolumeRows+int64(o.limits.few)))%4 == 0 { // all take a minute
					s.compare(t, x, filter)
				}
			}
		})
	}
}

// negated are filters with negations over parts that the index, hits, texts or documents alone decide, in all
// combinations.
var negated = []string{
	"NOT (language = fr OR description:budget)", "NOT (description:budget OR language = fr)",
	"NOT (status = 200 OR body_bytes:*)", "NOT (title:* OR description:budget)", "NOT (the OR description:budget)",
	`NOT ("coffee roasting" OR language = fr)`, "NOT (language = fr AND description:budget)",
	"NOT NOT (language = fr AND description:budget)", "NOT (language = fr OR NOT description:budget)",
	"NOT (NOT (language = fr OR status = 404) OR description:other)",
	"NOT (language = fr OR NOT (status = 200 AND description:budget))",
	"NOT (timestamp = 2025-02 OR description:budget)", `NOT (surt >= "example,b" OR description:budget)`,
	"NOT (offset < 300 OR description:budget OR language:*)", "status = 200 AND NOT (mime:pdf OR NOT description:*)",
	"description:budget OR NOT (language = fr OR description:other)", "NOT (the OR (coffee AND description:budget))",
	"NOT (NOT the OR NOT description:budget)", "NOT (url:pdf OR timestamp:* OR description:*)",
}

// TestFind_negated: a negation selects the documents that its operand does not.
func TestFind_negated(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	for i := range 3 {
		s.put(t, i, made(r, 40, fmt.Sprintf("f%d", i)))
	}
	x, _ := s.open(t, Options{})
	for _, filter := range negated {
		t.Run(filter, func(t *testing.T) { s.compare(t, x, filter) })
	}
}

// open opens the index and brings it up to date.
func (s *shelf) open(tb testing.TB, o Options) (*Index, Report) {
	tb.Helper()
	x, err := Open(tb.Context(), s.folder(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := x.Close(); err != nil {
			tb.Error(err)
		}
	})
	r, err := x.Update(tb.Context(), s.part(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return x, r
}

// compare asks the index and the oracle.
func (s *shelf) compare(t *testing.T, x *Index, filter string) {
	t.Helper()
	e, err := query.Parse(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	_, rest := Split(e)
	moment := time.Date(2025, 2, 2, 0, 0, 1, 0, time.UTC)
	for _, q := range []query.Query{{}, {AllVersions: true}, {At: moment}} {
		q.Where = e
		for _, order := range []query.Order{query.Newest, query.Oldest, query.SURT, query.Length} {
			q.Order, q.Limit = order, 7
			if order == query.Newest {
				q.Limit = 0
			}
			if diff := cmp.Diff(ids(s.answer(q)), s.found(t, x, q)); diff != "" {
				t.Fatalf("%q, %v, all %v, at %v, limit %d (-want +got):\n%s", filter, order, q.AllVersions, q.At, q.Limit, diff)
			}
		}
		q.Limit = 0
		want := s.answer(q)
		if n, err := x.Count(t.Context(), q, s.verify(rest)); err != nil || n != int64(len(want)) {
			t.Fatalf("Count(%q, all %v, at %v) = %d, %v, want %d", filter, q.AllVersions, q.At, n, err, len(want))
		}
		got, err := x.Facets(t.Context(), q, []string{"language", "month"}, 0, s.verify(rest))
		if diff := cmp.Diff(facets(want), got); diff != "" || err != nil {
			t.Fatalf("Facets(%q): %v (-want +got):\n%s", filter, err, diff)
		}
		// The two ways to count by one field: a column, and bitmaps alone.
		byColumn, err := x.Facets(t.Context(), q, []string{"host"}, 0, s.verify(rest))
		if diff := cmp.Diff(hosts(want), byColumn); diff != "" || err != nil {
			t.Fatalf("Facets(%q) by host: %v (-want +got):\n%s", filter, err, diff)
		}
		for _, order := range []query.Order{query.Newest, query.Oldest, query.SURT, query.Relevance, query.Length} {
			q.Order, q.Limit = order, 0
			whole := s.found(t, x, q)
			if diff := cmp.Diff(whole, s.pages(t, x, q, 5, s.verify(rest))); diff != "" {
				t.Fatalf("%q in pages, %v, all %v, at %v (-whole +pages):\n%s", filter, order, q.AllVersions, q.At, diff)
			}
		}
		q.Order = query.Relevance
		ranked := s.found(t, x, q)
		q.Order = query.SURT
		all := ids(s.answer(q))
		slices.Sort(ranked)
		slices.Sort(all)
		if diff := cmp.Diff(all, ranked); diff != "" {
			t.Fatalf("%q by relevance, all %v, at %v (-want +got):\n%s", filter, q.AllVersions, q.At, diff)
		}
	}
}

// hosts counts documents by host.
func hosts(docs []*schemas.Document) []Facet {
	counts := map[string]int64{}
	for _, d := range docs {
		counts[d.Host]++
	}
	list := []Facet{}
	for host, n := range counts {
		list = append(list, Facet{[]string{host}, n})
	}
	return mostFrequent(list, 0)
}

// pages are the ids of what the index finds, asked for some at a time.
func (s *shelf) pages(t *testing.T, x *Index, q query.Query, size int, verify Verify) (list []string) {
	t.Helper()
	for q.Limit = size; ; {
		a, err := x.Ask(t.Context(), Request{Query: q}, verify)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			list = append(list, fmt.Sprintf("%s %d %d", h.Filename, h.Offset, h.Sequence))
		}
		if len(a.Hits) < size {
			return list
		}
		last := a.Hits[size-1]
		q.After = &query.Position{Key: last.Key(), Score: last.Score}
	}
}

// facets counts documents by language and month.
func facets(docs []*schemas.Document) []Facet {
	counts := map[[2]string]int64{}
	for _, d := range docs {
		month, _, _ := strings.Cut(d.Timestamp, "T")
		counts[[2]string{d.Language, month[:max(len(month)-3, 0)]}]++
	}
	list := []Facet{}
	for values, n := range counts {
		list = append(list, Facet{values[:], n})
	}
	slices.SortFunc(list, func(a, b Facet) int {
		if a.Count != b.Count {
			return int(b.Count - a.Count)
		}
		return slices.Compare(a.Values, b.Values)
	})
	return list
}

// TestUpdate_replacesAndRemoves: an index that followed its collection answers as one that was made at its end, and has
// nothing left of what went.
func TestUpdate_replacesAndRemoves(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(2, 2))
	same := made(r, 30, "f0")
	s.put(t, 0, same)
	s.put(t, 1, made(r, 30, "f1"))
	x, report := s.open(t, Options{})
	if want := (Report{Added: 2, Rows: 60}); report != want {
		t.Errorf("first: %+v, want %+v", report, want)
	}
	if _, report = s.open(t, Options{}); report != (Report{}) {
		t.Errorf("nothing new: %+v", report)
	}
	s.put(t, 1, slices.Concat(made(r, 20, "f9"), same[:3])) // some texts of another shard
	s.put(t, 2, slices.Clone(same))
	for _, d := range s.shards[shardName(2)] {
		copied := *d
		copied.Filename = "f2"
		s.shards[shardName(2)][slices.Index(s.shards[shardName(2)], d)] = &copied
	}
	s.put(t, 2, s.shards[shardName(2)])
	delete(s.shards, shardName(0))
	report, err := x.Update(t.Context(), s.part(t))
	if want := (Report{Added: 1, Replaced: 1, Removed: 1, Rows: 53}); err != nil || report != want {
		t.Errorf("changed: %+v, %v, want %+v", report, err, want)
	}
	for _, filter := range filters[40:] {
		s.compare(t, x, filter)
	}
	s.shards = map[string][]*schemas.Document{}
	s.put(t, 5, nil)
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"version", "page", "name", "bits", "orphan"} {
		if n, err := numbers(t.Context(), x.volumes[0].index.db, "select count(*) from "+table); err != nil || n[0] != 0 {
			t.Errorf("%s has %v rows left, %v", table, n, err)
		}
	}
	for _, table := range []string{"digest", "doc"} {
		if n, err := numbers(t.Context(), x.volumes[0].text.db, "select count(*) from "+table); err != nil || n[0] != 0 {
			t.Errorf("%s has %v rows left, %v", table, n, err)
		}
	}
}

// TestPurge_leavesNoByte: after a shard went, its words are in no file.
func TestPurge_leavesNoByte(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(3, 3))
	s.put(t, 0, made(r, 300, "f0"))
	secret := made(r, 3, "zqxarchive")
	for _, d := range secret {
		d.URL, d.SURT, d.Host, d.Title, d.Text = "http://zqxhost.example/zqxpath", "example,zqxhost)/zqxpath",
			"zqxhost.example", "zqxtitles", "zqxword zqxworded"
		d.Language = "en"
	}
	s.put(t, 1, secret)
	x, _ := s.open(t, Options{})
	delete(s.shards, shardName(1))
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	if err := x.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir, _ := x.Dir()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 2 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if i := bytes.Index(data, []byte("zqx")); err != nil || i >= 0 {
			t.Errorf("%s has it at %d, %v", e.Name(), i, err)
		}
	}
	s.compare(t, x, "the")
}

// TestOpen_rebuildsWhatIsNotWhole: an index of another version, damaged or of which half is gone is made again, and
// Update says so.
func TestOpen_rebuildsWhatIsNotWhole(t *testing.T) {
	for name, spoil := range map[string]func(tb testing.TB, dir string){
		"another version": func(tb testing.TB, dir string) { overwrite(tb, dir, indexFile, 60, []byte{0, 0, 0, 99}) },
		"no database":     func(tb testing.TB, dir string) { overwrite(tb, dir, textFile, 0, []byte("rubbish")) },
		"empty":           func(tb testing.TB, dir string) { cut(tb, dir, indexFile, 0) },
		"cut":             func(tb testing.TB, dir string) { cut(tb, dir, indexFile, 8192) },
		"text cut":        func(tb testing.TB, dir string) { cut(tb, dir, textFile, 4096) },
		"pages of noise": func(tb testing.TB, dir string) {
			overwrite(tb, dir, indexFile, 4096, bytes.Repeat([]byte{0xa5, 3}, 30_000))
		},
		"no text": func(tb testing.TB, dir string) {
			if err := removeDB(filepath.Join(dir, textFile)); err != nil {
				tb.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, r := newShelf(t), rand.New(rand.NewPCG(4, 4))
			s.put(t, 0, made(r, 200, "f0"))
			x, _ := s.open(t, Options{})
			dir, _ := x.Dir()
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			spoil(t, dir)
			s.put(t, 1, made(r, 20, "f1"))
			x, report := s.open(t, Options{})
			if report.Rebuilt == "" || report.Rows != 220 {
				t.Errorf("%+v, want all made again and a reason", report)
			}
			for _, filter := range filters[:4] {
				s.compare(t, x, filter)
			}
		})
	}
}

func overwrite(tb testing.TB, dir, name string, at int64, data []byte) {
	tb.Helper()
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
	if err == nil {
		_, err = f.WriteAt(data, at)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		tb.Fatal(err)
	}
}

func cut(tb testing.TB, dir, name string, size int64) {
	tb.Helper()
	if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
		tb.Fatal(err)
	}
}
