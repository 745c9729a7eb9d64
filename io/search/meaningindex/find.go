package meaningindex

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/gleaner-web/gleaner/transforms/meaning"
)

const (
	// rescored is how many passages are compared by their numbers, for each hit and at least. The signs alone have an
	// error of some degrees.
	rescored    = 40
	minRescored = 4000
	// chunk is how many passages a goroutine compares at once.
	chunk = 1 << 14
)

// Query chooses passages.
type Query struct {
	Vector []float32
	// Rows are the rows of each shard that may be found, ascending; nil for all.
	Rows map[string][]int64
	// May reports whether the capture of a place may be found; nil allows all.
	May         func(place uint64) bool
	AllVersions bool // else the newest capture of a page that may be found stands for all
	Limit       int
}

// Allows reports whether Rows and May allow a document.
func (q *Query) Allows(d Near) bool {
	if q.Rows != nil {
		if _, has := slices.BinarySearch(q.Rows[d.Shard], d.Row); !has {
			return false
		}
	}
	return q.May == nil || q.May(d.Place)
}

// Hit is a document with its best passage.
type Hit struct {
	Shard    string
	Row      int64
	From, To int     // of the passage in the document's text, in bytes
	Score    float64 // cosine of the angle between the vectors
}

// found is a passage.
type found struct {
	part, passage int
	score         float64
}

// Find returns the documents with the nearest passages, the nearest first.
func (x *Index) Find(q Query) []Hit {
	v := meaning.Quantize(q.Vector)
	if v.Scale == 0 || len(v.Values) != x.Model.Dim || q.Limit <= 0 {
		return nil
	}
	documents := x.newest
	if q.Rows != nil || q.May != nil || q.AllVersions {
		documents = x.allowed(&q)
	}
	list := x.near(v, documents, max(minRescored, rescored*q.Limit))
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.part, b.part), cmp.Compare(a.passage, b.passage))
	})
	seen := map[[2]uint32]bool{}
	var hits []Hit
	for _, f := range list {
		p := x.parts[f.part]
		n := p.of[f.passage]
		if key := [2]uint32{uint32(f.part), n}; !seen[key] {
			seen[key] = true
			at := p.passages[f.passage]
			hits = append(hits, Hit{
				Shard: x.shards[f.part].Name, Row: int64(p.documents[n].row),
				From: int(at.from), To: int(at.from + at.size), Score: f.score,
			})
		}
		if len(hits) == q.Limit {
			break
		}
	}
	return hits
}

// allowed returns, for each shard, a bit for each document that may be found.
func (x *Index) allowed(q *Query) [][]uint64 {
	sets := make([][]uint64, len(x.parts))
	for i, p := range x.parts {
		sets[i] = make([]uint64, (len(p.documents)+63)/64)
		rows := q.Rows[x.shards[i].Name]
		for k := range p.documents {
			d := &p.documents[k]
			if q.Rows != nil {
				for len(rows) > 0 && rows[0] < int64(d.row) {
					rows = rows[1:]
				}
				if len(rows) == 0 || rows[0] != int64(d.row) {
					continue
				}
			}
			if q.May == nil || q.May(d.place) {
				sets[i][k/64] |= 1 << (k % 64)
			}
		}
	}
	if !q.AllVersions {
		x.keepNewest(sets)
	}
	return sets
}

// keepNewest leaves one document of each page.
func (x *Index) keepNewest(sets [][]uint64) {
	type version struct {
		part, document int32
		time           int64
	}
	best := make([]version, x.pages)
	for i := range best {
		best[i].part = -1
	}
	for i, p := range x.parts {
		for k := range each(sets[i]) {
			d := &p.documents[k]
			b := &best[d.page]
			if b.part < 0 || d.time > b.time {
				if b.part >= 0 {
					sets[b.part][b.document/64] &^= 1 << (b.document % 64)
				}
				*b = version{int32(i), int32(k), d.time}
			} else {
				sets[i][k/64] &^= 1 << (k % 64)
			}
		}
	}
}

// each yields the bits of a set. A bit may be cleared once it was yielded.
func each(set []uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range set {
			for w := set[i]; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// piece is a run of passages that one goroutine compares.
type piece struct {
	part, from, to int
	far            []uint16 // how many signs differ, of each passage; away if it may not be found
}

const away = 1<<16 - 1

// near returns the passages whose signs differ least from those of a vector, about n of them, with their scores.
func (x *Index) near(v meaning.Quantized, documents [][]uint64, n int) []found {
	var pieces []piece
	for i, p := range x.parts {
		for from := 0; from < len(p.passages); from += chunk {
			pieces = append(pieces, piece{part: i, from: from, to: min(from+chunk, len(p.passages))})
		}
	}
	counts := make([]int, maxDim+1)
	var mu sync.Mutex
	parallel(len(pieces), func(i int) {
		own := make([]int, maxDim+1)
		x.compare(&pieces[i], v.Signs, documents[pieces[i].part], own)
		mu.Lock()
		defer mu.Unlock()
		for k, c := range own {
			counts[k] += c
		}
	})
	limit := 0
	for sum := counts[0]; limit < maxDim && sum+counts[limit+1] <= n; sum += counts[limit] {
		limit++
	}
	lists := make([][]found, len(pieces))
	// Scores have the scale of the vector's own numbers, whose sum of squares is 1.
	parallel(len(pieces), func(i int) { lists[i] = x.rescore(&pieces[i], v, limit) })
	return slices.Concat(lists...)
}

// parallel calls do for 0 to n-1.
func parallel(n int, do func(int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var working sync.WaitGroup
	for w := range workers {
		working.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	working.Wait()
}

// compare counts the signs of passages that differ from those of a vector.
func (x *Index) compare(c *piece, signs []uint64, documents []uint64, counts []int) {
	p := x.parts[c.part]
	c.far = make([]uint16, c.to-c.from)
	words := len(signs)
	for k := c.from; k < c.to; k++ {
		d := p.of[k]
		if documents[d/64]>>(d%64)&1 == 0 {
			c.far[k-c.from] = away
			continue
		}
		n := 0
		for i, s := range p.signs[k*words : (k+1)*words] {
			n += bits.OnesCount64(s ^ signs[i])
		}
		c.far[k-c.from] = uint16(n)
		counts[n]++
	}
}

// rescore computes the scores of the passages with few different signs.
func (x *Index) rescore(c *piece, v meaning.Quantized, limit int) (list []found) {
	p := x.parts[c.part]
	for i, far := range c.far {
		if int(far) > limit {
			continue
		}
		list = append(list, found{c.part, c.from + i, p.score(v, c.from+i)})
	}
	return list
}

// score returns the cosine of the angle between a passage and a vector.
func (p *part) score(v meaning.Quantized, passage int) float64 {
	values := p.vector(passage)
	// The same bytes as signed numbers.
	own := unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
	return float64(meaning.Dot(own, v.Values)) * float64(p.passages[passage].scale) * float64(v.Scale)
}

// Page returns the number of the page of a document, which all its versions share. It is false for a document without
// text.
func (x *Index) Page(shard string, row int64) (page uint32, ok bool) {
	p, k, ok := x.document(shard, row)
	if !ok {
		return 0, false
	}
	return p.documents[k].page, true
}

// document returns the place of a document.
func (x *Index) document(shard string, row int64) (p *part, k int, ok bool) {
	for i := range x.shards {
		if x.shards[i].Name == shard {
			p = x.parts[i]
			k, ok = slices.BinarySearchFunc(p.documents, row, func(d document, row int64) int {
				return cmp.Compare(int64(d.row), row)
			})
			return p, k, ok
		}
	}
	return nil, 0, false
}

// maxLike bounds the passages of a page that Like reads: the first ones say what it is about.
const maxLike = 20

// Like returns the vector of a whole document, or nil if it has no text.
func (x *Index) Like(shard string, row int64) []float32 {
	p, k, ok := x.document(shard, row)
	if !ok {
		return nil
	}
	sum := make([]float32, p.dim)
	from := int(p.documents[k].first)
	for n := from; n < min(p.end(k), from+maxLike); n++ {
		for i, b := range p.vector(n) {
			sum[i] += float32(float32(int8(b)) * p.passages[n].scale)
		}
	}
	meaning.Normalize(sum)
	return sum
}

// Passage is a passage with its vector.
type Passage struct {
	From, To int // in the document's text, in bytes
	Vector   []float32
}

// ShardRows are rows of a shard, ascending.
type ShardRows struct {
	Shard string
	Rows  []int64
}

// All returns the documents that a query allows. Its Vector and Limit do not matter.
func (x *Index) All(q Query) []ShardRows {
	list := make([]ShardRows, len(x.parts))
	for i, set := range x.allowed(&q) {
		list[i].Shard = x.shards[i].Name
		for k := range each(set) {
			list[i].Rows = append(list[i].Rows, int64(x.parts[i].documents[k].row))
		}
	}
	return list
}

// Passages returns the passages of a document.
func (x *Index) Passages(shard string, row int64) (list []Passage) {
	p, k, ok := x.document(shard, row)
	if !ok {
		return nil
	}
	for n := int(p.documents[k].first); n < p.end(k); n++ {
		at := p.passages[n]
		own := make([]float32, p.dim)
		for i, b := range p.vector(n) {
			own[i] = float32(int8(b)) * at.scale
		}
		list = append(list, Passage{int(at.from), int(at.from + at.size), own})
	}
	return list
}
