package score

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Features makes the features on which models are trained, by the same code as in use. The zero value is ready.
type Features struct {
	r     reader
	c     context
	terms []term
	s     Scorer
}

// First returns the features of the first pass, block after block.
func (f *Features) First(p *page.Page) []float32 {
	f.r.read(p)
	var rows []float32
	for i := range p.Blocks {
		rows = f.r.append1(rows, int32(i))
	}
	return rows
}

// Second returns the features of the page with its URL and without it, since a URL is not always known. Given the
// scores of the first pass, rows are the features of the second pass, block after block. The kinds, from KindsAt on,
// are left empty.
func (f *Features) Second(p *page.Page, scores []float32) (kind, nameless, rows []float32) {
	f.r.read(p)
	f.c.read(&f.r, scores)
	for i := range p.Blocks {
		rows = f.c.append2(rows, int32(i))
	}
	kind, nameless = f.c.kindRows(p)
	return kind, nameless, rows
}

// Kinds returns the features of the page after the first pass of a model, with its URL and without it.
func (f *Features) Kinds(m *Model, p *page.Page) (kind, nameless []float32) {
	f.s.Score(m, p)
	return f.s.c.kindRows(p)
}

func (c *context) kindRows(p *page.Page) (kind, nameless []float32) {
	kind = c.appendKind(nil)
	// The rest of the page stays the same.
	url := p.URL
	p.URL = ""
	nameless = c.appendKind(nil)
	p.URL = url
	return kind, nameless
}

// Terms calls yield for each term of each block, block after block, with the slot of its weight and the field.
func (f *Features) Terms(p *page.Page, yield func(block int, slot uint32, field int)) {
	f.r.read(p)
	for i := range p.Blocks {
		f.terms = f.r.terms(f.terms[:0], int32(i))
		for _, t := range f.terms {
			yield(i, slot(t.at, t.hash), int(t.at))
		}
	}
}

// WordFeatures makes features of the sums of a block's weights by field and the number of terms.
func WordFeatures(sums, counts *[Fields]int32, scale float32) []float32 {
	var t tallies
	for i := range t {
		t[i] = tally{sums[i], counts[i]}
	}
	return t.features(nil, scale)
}

// KindsAt returns the index of the kinds among the features of the second pass.
func (f *Features) KindsAt() int { return kindsAt }

// probe is a page on which every kind of feature has some value.
const probe = `<html><head><title>On bees and honey</title><meta property="og:type" content="article">
<script type="application/ld+json">{"@type":"BlogPosting"}</script></head><body class=single>
<nav class=menu><ul><li><a href=/>Home</a><li><a href=/x>Products</a></ul></nav><main id=content><article class=post>
<h1>On bees and honey</h1><p class=byline>By <b>Ann</b>, 3 May</p><p>Bees live in colonies, and a colony may have more
than fifty thousand members in the summer months, when the days are long and the flowers are open.</p><h2>Honey</h2>
<p>it is made of nectar; <a href=/n>nectar</a> is sweet...</p><table><tr><td>May<td>12<tr><td>June<td>34</table>
</article><aside class="related card"><h3>Related</h3><a href=/1>One</a><a href=/2>Two</a></aside></main>
<form><input><button>Subscribe</button></form><footer>Copyright 2020. All rights reserved.</footer></body></html>`

// Fingerprint is a digest of the features of a page. If it changes, the model must be trained again; a test compares
// it with the model's card.
func Fingerprint() string {
	var f Features
	p := page.Parse([]byte(probe), page.Options{URL: "https://blog.example.org/2020/on-bees"})
	scores := make([]float32, len(p.Blocks))
	for i := range scores {
		scores[i] = float32(i) / float32(len(scores))
	}
	h := sha256.New()
	f.Terms(p, func(block int, slot uint32, field int) {
		_ = binary.Write(h, binary.LittleEndian, [...]uint32{uint32(block), slot, uint32(field)}) // a hash never fails
	})
	kind, nameless, second := f.Second(p, scores)
	for _, numbers := range [][]float32{f.First(p), kind, nameless, second} {
		_ = binary.Write(h, binary.LittleEndian, numbers) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}
