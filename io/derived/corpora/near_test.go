package corpora

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
)

// world is a set of documents whose near-duplicates are known. Words of a vocabulary have the proportions of Zipf's
// law. A family of documents comes from one by edits, by boilerplate around it, or by other values in a site's
// template. A family's translations are texts of their own.
type world struct {
	docs   []*schemas.Document
	words  [][]string
	family []int
}

func newWorld(n int) *world {
	r := rand.New(rand.NewPCG(3, 5))
	zipf := rand.NewZipf(r, 1.1, 3, 50_000)
	w := &world{}
	text := func(language string, size int) []string {
		list := make([]string, size)
		for i := range list {
			list[i] = fmt.Sprintf("%s%d", language, zipf.Uint64())
		}
		return list
	}
	var templates [][]string // of sites: the same notice on pages that have little else in common
	for range 20 {
		templates = append(templates, text("t", 40))
	}
	for family := 0; len(w.docs) < n; family++ {
		base := text("w", 150+r.IntN(250))
		members := 1
		if r.IntN(3) == 0 {
			members = 2 + r.IntN(4)
		}
		for m := range members {
			words := append([]string{}, base...)
			if m > 0 {
				words = edit(r, words, r.Float64()*.06)
			}
			switch r.IntN(6) {
			case 0:
				words = append(words, text("b", 1+len(base)/20)...)
			case 1:
				words = append(append([]string{}, templates[r.IntN(len(templates))]...), words...)
			}
			w.add(words, family)
		}
		if r.IntN(10) == 0 {
			w.add(text("x", len(base)), -1) // a translation has no words of it
		}
	}
	return w
}

// edit changes, drops or adds a share of words, at a few places.
func edit(r *rand.Rand, words []string, share float64) []string {
	for range 1 + int(share*float64(len(words))/4) {
		at := r.IntN(len(words))
		end := min(len(words), at+1+r.IntN(4))
		switch r.IntN(3) {
		case 0:
			words = append(words[:at:at], words[end:]...)
		case 1:
			words[at] = fmt.Sprint("e", r.IntN(1<<30))
		default:
			words = append(words[:at:at], append([]string{fmt.Sprint("e", r.IntN(1<<30))}, words[at:]...)...)
		}
	}
	return words
}

func (w *world) add(words []string, family int) {
	i := len(w.docs)
	w.docs = append(w.docs, &schemas.Document{
		URL: fmt.Sprintf("http://example.com/%d", i), SURT: fmt.Sprintf("com,example)/%d", i), Language: "en",
		Digest: fmt.Sprint("sha1:", i), BodyBytes: 1, Filename: "a.warc.gz", Offset: int64(i), Text: strings.Join(words, " "),
	})
	w.words, w.family = append(w.words, words), append(w.family, family)
}

// jaccard is the similarity of two documents' sets of 5-grams.
func (w *world) jaccard(a, b int) float64 {
	grams := func(words []string) map[string]bool {
		m := map[string]bool{}
		for i := 0; i+5 <= len(words); i++ {
			m[strings.Join(words[i:i+5], " ")] = true
		}
		return m
	}
	x, y := grams(w.words[a]), grams(w.words[b])
	common := 0
	for g := range x {
		if y[g] {
			common++
		}
	}
	return float64(common) / float64(len(x)+len(y)-common)
}

// TestNear_copies: a cluster of many copies takes no memory. With GLEANER_SLOW=1 they are 1,000,000. What earlier tests
// of the process held is given back first, so that it does not count.
func TestNear_copies(t *testing.T) {
	n := 5_000
	if os.Getenv("GLEANER_SLOW") != "" {
		n = 1_000_000
	}
	base := documents(1)[0]
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	// Each has a word of its own at its end: copies to the last byte would be found before.
	s := newSteps(t, filepath.Join(dir, "out"), Options{
		Dedup: Dedups(), Keep: cluster.Longest, KeepURL: cluster.Newest,
		Shard: 64 << 20,
	})
	var units []holdings.Part
	for at := 0; at < n; at += 5_000 {
		var docs []*schemas.Document
		for i := at; i < at+5_000; i++ {
			d := *base
			d.URL, d.SURT, d.Digest = fmt.Sprint("http://example.com/", i), fmt.Sprint("com,example)/", i),
				fmt.Sprint("sha1:", i)
			d.Text = fmt.Sprint(base.Text, i)
			docs = append(docs, &d)
		}
		units = append(units, unitOf(t, in, docs))
	}
	debug.FreeOSMemory()
	peak := peakMemory()
	m := makeCorpus(t, s, units)
	most := peak()
	t.Logf("%d copies: %d kept; %d MiB at most were held of the system", n, m.Counts.Kept, most>>20)
	if m.Counts.Kept != 1 || most > 1<<30 {
		t.Errorf("%d of %d copies are kept, with %d MiB of memory; want 1, and 1 GiB at most", m.Counts.Kept, n, most>>20)
	}
}

// peakMemory looks every 20 ms at how many bytes the process holds of the system, and returns what ends that and tells
// the most.
func peakMemory() (end func() uint64) {
	held := func() uint64 {
		list := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(list)
		return list[0].Value.Uint64() - list[1].Value.Uint64()
	}
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		highest := held()
		for {
			select {
			case <-stop:
				most <- max(highest, held())
				return
			case <-time.After(20 * time.Millisecond):
				highest = max(highest, held())
			}
		}
	}()
	return func() uint64 { close(stop); return <-most }
}

// TestNear_planted: planted near-duplicates are found, and little else. With GLEANER_SLOW=1 among 200,000 documents.
func TestNear_planted(t *testing.T) {
	n := 2_000
	if os.Getenv("GLEANER_SLOW") != "" {
		n = 200_000
	}
	w := newWorld(n)
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	s := newSteps(t, filepath.Join(dir, "out"), Options{Dedup: []string{ByNear}, Keep: cluster.Longest})
	signed, err := s.Sign(t.Context(), unitOf(t, in, w.docs))
	if err != nil {
		t.Fatal(err)
	}
	clusters := w.clusters(t, s, signed)
	pairs, found, right, wrong := 0, 0, 0, 0
	for i := range w.docs {
		// Members of a family stand side by side, with a translation between them at most.
		for j := i + 1; j < min(i+8, len(w.docs)); j++ {
			together := clusters[i] == clusters[j]
			if w.family[i] != w.family[j] || w.family[i] < 0 {
				continue
			}
			if together {
				right++
			}
			if w.jaccard(i, j) >= .85 {
				pairs++
				if together {
					found++
				}
			}
		}
	}
	all := 0
	sizes := map[uint32]int{}
	for _, c := range clusters {
		all += sizes[c]
		sizes[c]++
	}
	wrong = all - right
	recall, precision := float64(found)/float64(pairs), float64(right)/float64(all)
	t.Logf("%d documents: %d of %d pairs of similarity .85 or more are found (%.4f); of %d pairs in clusters %d are of "+
		"other families (precision %.4f)",
		len(w.docs), found, pairs, recall, all, wrong, precision)
	if recall < .99 || precision < .95 {
		t.Errorf("recall %.4f, precision %.4f; want .99 and .95", recall, precision)
	}
}

// clusters does the steps up to the clusters, and tells the cluster of each document of the world.
func (w *world) clusters(t *testing.T, s *Steps, signed Signed) []uint32 {
	t.Helper()
	n, err := s.Exact(t.Context(), []string{signed.Key})
	if err != nil {
		t.Fatal(err)
	}
	sets, err := cluster.New(n.Documents)
	if err != nil {
		t.Fatal(err)
	}
	for band := range 14 {
		if err := s.Band(t.Context(), n.Key, band); err != nil {
			t.Fatal(err)
		}
		err := eachRecord(s.Out, n.edges(band), func(a, b []byte) error {
			sets.Join(be(a), be(b))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// Documents are numbered by their ids; their hashes of URLs tell which is which.
	place := map[[idBytes]byte]int{}
	for i, d := range w.docs {
		place[hashOf([]byte(d.SURT))] = i
	}
	list := make([]uint32, len(w.docs))
	err = s.eachSignature(n, make([]fate, n.Documents), func(i uint32, _ []byte, sig *signature) error {
		list[place[sig.url]] = sets.Root(i)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func be(b []byte) uint32 { return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3]) }
