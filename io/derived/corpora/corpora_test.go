package corpora

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
)

// unitOf writes documents as a unit of a collection.
func unitOf(t testing.TB, f folder.Folder, docs []*schemas.Document) holdings.Part {
	t.Helper()
	var b strings.Builder
	w, err := jsonl.NewWriter(&b, jsonl.None)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(b.String()))
	s := schemas.Shard{
		Name: "documents-" + hex.EncodeToString(sum[:10]) + ".jsonl", Bytes: int64(b.Len()),
		SHA256: hex.EncodeToString(sum[:]),
	}
	if err := f.Write(s.Name, []byte(b.String())); err != nil {
		t.Fatal(err)
	}
	return holdings.Part{Folder: f, Shards: []schemas.Shard{s}}
}

func newFolder(t testing.TB, name string) folder.Folder {
	t.Helper()
	store := blob.New(blob.Options{})
	f := folder.Open(t.Context(), name, store)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := f.Make(".gleaner"); err != nil {
		t.Fatal(err)
	}
	return f
}

func newSteps(t testing.TB, dir string, o Options) *Steps {
	if o.Shard == 0 {
		o.Shard = 1 << 20
	}
	if o.Formats == nil {
		o.Formats = []string{JSONL}
	}
	return &Steps{
		Out: newFolder(t, dir), Options: o,
		Open: func(_ context.Context, name string) folder.Folder { return newFolder(t, name) },
	}
}

// makeCorpus does all steps.
func makeCorpus(t testing.TB, s *Steps, units []holdings.Part) Manifest {
	t.Helper()
	ctx := t.Context()
	var keys, lines []string
	if s.Options.Paragraphs > 0 {
		for _, u := range units {
			key, err := s.Lines(ctx, u)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, key)
		}
		var err error
		if s.Shared, err = s.Common(ctx, lines); err != nil || s.Shared != s.CommonKey(lines) {
			t.Fatalf("Common = %q, %v", s.Shared, err)
		}
	}
	for _, u := range units {
		signed, err := s.Sign(ctx, u)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, signed.Key)
	}
	n, err := s.Exact(ctx, keys)
	if err != nil {
		t.Fatal(err)
	}
	for band := range minhash.NumBands {
		if err := s.Band(ctx, n.Key, band); n.Near && err != nil {
			t.Fatal(err)
		}
	}
	p, err := s.Unite(ctx, n.Key)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Shards {
		if _, err := s.Shard(ctx, p.Key, i); err != nil {
			t.Fatal(err)
		}
	}
	m, err := s.Finish(ctx, p.Key, []string{"a collection"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rows reads the documents of a corpus, in their order.
func rows(t testing.TB, s *Steps, m Manifest) (list []Row) {
	t.Helper()
	for _, file := range m.Files {
		if !strings.Contains(file.Name, "train-") {
			continue
		}
		in, err := s.Out.Open(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, readRows(t, in)...)
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// document makes a page of words that no other has.
func document(r *rand.Rand, i int) *schemas.Document {
	var text strings.Builder
	for range 120 {
		fmt.Fprintf(&text, "w%d ", r.IntN(1<<40))
	}
	url := fmt.Sprintf("http://h%d.example.com/%d", i%7, i)
	return &schemas.Document{
		URL: url, SURT: fmt.Sprintf("com,example,h%d)/%d", i%7, i), Host: fmt.Sprintf("h%d.example.com", i%7),
		Domain:    "example.com",
		Timestamp: fmt.Sprintf("2026-03-%02dT00:00:00Z", i%28+1), Language: []string{"en", "fr"}[i%2], Text: text.String(),
		Digest: fmt.Sprint("sha1:", i), BodyBytes: 1, Filename: "a.warc.gz", Offset: int64(i),
	}
}

func documents(n int) (docs []*schemas.Document) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		docs = append(docs, document(r, i))
	}
	return docs
}

var allDedups = Options{Dedup: Dedups(), Keep: cluster.Longest, KeepURL: cluster.Newest}

// TestSteps_duplicates: of each kind of duplicates one stays, by its rule.
func TestSteps_duplicates(t *testing.T) {
	docs := documents(40)
	later := *docs[0] // another capture of a page, with another text
	later.Timestamp, later.Text, later.Digest = "2026-04-01T00:00:00Z", docs[1].Text+"anew", "sha1:later"
	later.Text = strings.ReplaceAll(later.Text, "w", "z")
	body := *docs[2] // a body under another URL
	body.URL, body.SURT = "http://mirror.example.org/2", "org,example,mirror)/2"
	text := *docs[3] // a text in another body
	text.URL, text.SURT, text.Digest, text.Text = "http://mirror.example.org/3", "org,example,mirror)/3", "sha1:t", "  "+
		text.Text
	near := *docs[4] // a longer text
	near.URL, near.SURT, near.Digest, near.Text = "http://mirror.example.org/4", "org,example,mirror)/4", "sha1:n",
		near.Text+" and more"
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	s := newSteps(t, filepath.Join(dir, "out"), allDedups)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, in, append(docs, &later, &body, &text, &near))})
	want := map[string]int64{"duplicate/url": 1, "duplicate/payload": 1, "duplicate/text": 1, "duplicate/near": 1}
	for reason, n := range want {
		if got := m.Counts.Reasons[reason]; got == nil || got.Documents != n {
			t.Errorf("%s: %v, want %d", reason, got, n)
		}
	}
	kept := map[string]bool{}
	for _, r := range rows(t, s, m) {
		kept[r.URL+" "+r.Date] = true
	}
	if len(kept) != 40 || !kept[later.URL+" "+later.Timestamp] || !kept[near.URL+" "+near.Timestamp] {
		t.Errorf("%d documents stay, of them the newest of a URL: %v, and the longest: %v", len(kept),
			kept[later.URL+" "+later.Timestamp], kept[near.URL+" "+near.Timestamp])
	}
}

// TestSteps_sameBytes: neither the order of the units nor their division changes a byte, nor that a unit is there
// twice.
func TestSteps_sameBytes(t *testing.T) {
	docs := documents(300)
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	o := allDedups
	o.Partition, o.Formats = ByLanguage, Formats()
	blocked := map[string][]string{"block": {"h3.example.com"}}
	o.Recipe = filter.Recipe{{Name: "urls", Settings: filter.Settings{Lists: blocked}}}
	var first map[string]string
	for i, size := range []int{300, 70, 70, 33} {
		var units []holdings.Part
		for part := range slices.Chunk(docs, size) {
			units = append(units, unitOf(t, in, part))
		}
		if i == 2 {
			slices.Reverse(units)
			units = append(units, units[0])
		}
		s := newSteps(t, filepath.Join(dir, fmt.Sprint("out", i)), o)
		m := makeCorpus(t, s, units)
		if m.Counts.Kept == 0 || m.Counts.Kept == 300 {
			t.Fatalf("%d documents of 300 were kept: the filter is to refuse some", m.Counts.Kept)
		}
		files := map[string]string{}
		for _, f := range m.Files {
			files[f.Name] = f.SHA256
		}
		if first == nil {
			first = files
		}
		if fmt.Sprint(files) != fmt.Sprint(first) {
			t.Errorf("units of %d: %v, want %v", size, files, first)
		}
	}
}

// TestSteps_against: what an earlier corpus has is not taken again.
func TestSteps_against(t *testing.T) {
	docs := documents(60)
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	earlier := filepath.Join(dir, "earlier")
	makeCorpus(t, newSteps(t, earlier, allDedups), []holdings.Part{unitOf(t, in, docs[:20])})
	near := *docs[20]
	near.Text = docs[0].Text + "more"
	o := allDedups
	o.Against = []string{earlier}
	s := newSteps(t, filepath.Join(dir, "out"), o)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, in, append(docs[10:20:20], append(docs[21:], &near)...))})
	if m.Counts.Kept != 39 || m.Counts.Reasons["earlier/payload"].Documents != 10 ||
		m.Counts.Reasons["earlier/near"].Documents != 1 {
		t.Errorf("%d documents are new, refused are %v; want 39, 10 by their bodies and 1 by its text", m.Counts.Kept,
			m.Counts.Reasons)
	}
}

// TestSteps_againstAgain: a corpus is made again if an earlier one has changed, and only then.
func TestSteps_againstAgain(t *testing.T) {
	docs, dir := documents(60), t.TempDir()
	in, earlier := newFolder(t, filepath.Join(dir, "in")), filepath.Join(dir, "earlier")
	o := allDedups
	keys := map[string]string{}
	for _, name := range []string{"first", "same", "more", "other options"} {
		switch name {
		case "more":
			if err := os.RemoveAll(earlier); err != nil {
				t.Fatal(err)
			}
			makeCorpus(t, newSteps(t, earlier, o), []holdings.Part{unitOf(t, in, docs[:30])})
		case "first":
			makeCorpus(t, newSteps(t, earlier, o), []holdings.Part{unitOf(t, in, docs[:20])})
		case "other options":
			if err := os.RemoveAll(earlier); err != nil {
				t.Fatal(err)
			}
			other := o
			other.Sample = .5
			makeCorpus(t, newSteps(t, earlier, other), []holdings.Part{unitOf(t, in, docs[:30])})
		}
		now := o
		now.Against = []string{earlier}
		s := newSteps(t, filepath.Join(dir, "out"), now)
		key, err := s.EarlierKey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.Options.AgainstMade = key
		keys[name] = s.Request([]string{"unit"})
	}
	if keys["first"] != keys["same"] || keys["same"] == keys["more"] || keys["more"] == keys["other options"] {
		t.Errorf("the requests are %v", keys)
	}
	if key, err := newSteps(t, filepath.Join(dir, "none"), o).EarlierKey(t.Context()); key != "" || err != nil {
		t.Errorf("without an earlier corpus: %q, %v", key, err)
	}
}

// TestSteps_mix: languages have the shares that were asked for.
func TestSteps_mix(t *testing.T) {
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	o := allDedups
	o.Mix = map[string]float64{"fr": .2}
	s := newSteps(t, filepath.Join(dir, "out"), o)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, in, documents(1000))})
	share := float64(m.Counts.Languages["fr"].Bytes) / float64(m.Counts.Bytes)
	if share < .16 || share > .24 || m.Counts.Languages["en"].Kept != 500 {
		t.Errorf("French has a share of %.3f, and %d English documents are kept; want .2 and all 500", share,
			m.Counts.Languages["en"].Kept)
	}
}

// TestSteps_killed: a run that ends after any of its steps goes on, and leaves nothing but the corpus.
func TestSteps_killed(t *testing.T) {
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	unit := unitOf(t, in, documents(50))
	clean := newSteps(t, filepath.Join(dir, "clean"), allDedups)
	want := makeCorpus(t, clean, []holdings.Part{unit})
	out := filepath.Join(dir, "out")
	s := newSteps(t, out, allDedups)
	signed, err := s.Sign(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	// What a process that was killed while it wrote has left.
	if err := os.WriteFile(filepath.Join(out, ".gleaner", ".corpus.tmp-1"), []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Exact(t.Context(), []string{signed.Key}); err != nil || s.Band(t.Context(), n.Key, 3) != nil {
		t.Fatal(err)
	}
	got := makeCorpus(t, s, []holdings.Part{unit})
	if fmt.Sprint(got.Files) != fmt.Sprint(want.Files) {
		t.Errorf("files are %v, want %v", got.Files, want.Files)
	}
	left, err := os.ReadDir(filepath.Join(out, ".gleaner"))
	if err != nil || len(left) != 0 {
		t.Errorf("the hidden folder holds %v, %v; want nothing", left, err)
	}
}

// TestSteps_nothing: a collection without texts gives a corpus without documents.
func TestSteps_nothing(t *testing.T) {
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	s := newSteps(t, filepath.Join(dir, "out"), allDedups)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, in, []*schemas.Document{{URL: "http://example.com/"}})})
	if m.Counts.Documents != 0 || len(rows(t, s, m)) != 0 {
		t.Errorf("counts are %+v, want none", m.Counts)
	}
}

func readRows(t testing.TB, in io.Reader) (list []Row) {
	t.Helper()
	r, err := jsonl.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for line, err := range r.All() {
		var row Row
		if err == nil {
			err = json.Unmarshal(line, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	return list
}
