package corpora

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// readLines reads a file of JSON lines.
func readLines[T any](t testing.TB, s *Steps, name string) (list []T) {
	t.Helper()
	in, err := s.Out.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it is only read
	r, err := jsonl.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for line, err := range r.All() {
		var v T
		if err := cmp.Or(err, json.Unmarshal(line, &v)); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// TestSteps_clusters: each duplicate names a document that is in the corpus. It may have been compared with another
// one, which was dropped later. This holds however documents are divided into units, and the corpus into shards.
func TestSteps_clusters(t *testing.T) {
	docs := documents(30)
	copyOf := func(d *schemas.Document, site, more string) *schemas.Document {
		c := *d
		c.URL, c.SURT, c.Text = "http://"+site+"/"+c.URL[7:], site+c.SURT, c.Text+more
		docs = append(docs, &c)
		return &c
	}
	copyOf(docs[0], "mirror", "") // by its body
	near := copyOf(docs[1], "near", " and a little more")
	near.Digest = "sha1:near"
	copyOf(near, "again", "").Text = "another text of the same body, which is shorter than the first"
	old := *near // the same page earlier, which goes first, for one that goes for a copy of the body
	old.Timestamp, old.Digest, old.Text = "2025-01-01T00:00:00Z", "sha1:old", "what nobody else has said in so many words"
	docs = append(docs, &old)
	for i := range 40 {
		copyOf(docs[2], fmt.Sprint("copy", i), strings.Repeat(" x", i)).Digest = fmt.Sprint("sha1:copy", i)
	}
	dir, first := t.TempDir(), ""
	in := newFolder(t, filepath.Join(dir, "in"))
	for size := range 3 {
		rand.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		var units []holdings.Part
		for part := range slices.Chunk(docs, []int{len(docs), 17, 1}[size]) {
			units = append(units, unitOf(t, in, part))
		}
		o := allDedups
		o.Refused, o.Partition = true, ByLanguage
		s := newSteps(t, filepath.Join(dir, fmt.Sprint("out", size)), o)
		m := makeCorpus(t, s, units)
		checkClusters(t, s, m)
		i := slices.IndexFunc(m.Files, func(f schemas.Shard) bool { return f.Name == ClustersFile })
		if first = cmp.Or(first, m.Files[i].SHA256); m.Files[i].SHA256 != first {
			t.Errorf("%d units: other clusters than of one", len(units))
		}
	}
}

func checkClusters(t *testing.T, s *Steps, m Manifest) {
	t.Helper()
	kept, refused := map[string]string{}, map[string]string{}
	for _, r := range rows(t, s, m) {
		kept[r.ID] = r.URL
	}
	for _, f := range m.Files {
		if strings.Contains(f.Name, "duplicates-") {
			for _, r := range readLines[Refused](t, s, f.Name) {
				refused[r.ID] = r.Reason + " " + r.URL
			}
		}
	}
	if len(refused) < 44 {
		t.Fatalf("%d duplicates, want 44 at least", len(refused))
	}
	last, sites := "", map[string]int{}
	for _, d := range readLines[Duplicate](t, s, ClustersFile) {
		if refused[d.ID] != d.Reason+" "+d.URL || kept[d.Kept] != d.KeptURL || d.KeptURL == "" {
			t.Errorf("%+v: refused is %q, and kept %q", d, refused[d.ID], kept[d.Kept])
		}
		delete(refused, d.ID)
		if d.Kept != last {
			sites[d.KeptURL]++
		}
		last = d.Kept
	}
	if len(refused) != 0 || len(sites) < 3 {
		t.Errorf("clusters say nothing of %v; they are of %v", refused, sites)
	}
	for url, n := range sites {
		if n != 1 {
			t.Errorf("the cluster of %s stands in %d places", url, n)
		}
	}
}

// TestTwins_resolve: long ways end at the one that stays, and what ends at an earlier corpus says so.
func TestTwins_resolve(t *testing.T) {
	got := twins{1, 2, 3, noTwin, noTwin, earlierDocument, 5, 6, 3}
	got.resolve()
	want := twins{3, 3, 3, 3, noTwin, earlierDocument, earlierDocument, earlierDocument, 3}
	if !slices.Equal(got, want) {
		t.Errorf("resolve = %v, want %v", got, want)
	}
	long := make(twins, 1_000_000)
	for i := range long {
		long[i] = uint32(i + 1)
	}
	long[len(long)-1] = noTwin
	long.resolve()
	if i := slices.IndexFunc(long, func(k uint32) bool { return int(k) != len(long)-1 }); i >= 0 {
		t.Errorf("of a chain of a million, %d ends at %d", i, long[i])
	}
}
