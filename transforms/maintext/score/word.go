package score

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// WordSlots is how many weights there are for terms, by their hash. Terms share slots by chance; what they weigh was
// learnt so.
const WordSlots = 1 << wordBits

const wordBits = 18

// wordFeatures is how many features of a block its terms make: what those of each field weigh, and all.
const wordFeatures = Fields + 1

// Words is a linear model: what each term on and around a block says for or against it. It is what the trees have of
// words. Weights are small whole numbers, so that sums do not depend on the order.
type Words struct {
	Scale   float32 // of a weight of 1
	Weights [WordSlots]int8
}

// slot is where the weight of a term stands. The multiplier is that of counter.
func slot(f field, h uint32) uint32 {
	return uint32((uint64(f)<<32 | uint64(h)) * 0x9E3779B97F4A7C15 >> (64 - wordBits))
}

// tally is what some terms weigh together, and how many they are.
type tally struct{ sum, n int32 }

func (t tally) plus(u tally) tally { return tally{t.sum + u.sum, t.n + u.n} }

// add counts one term.
func (t *tally) add(weight int8) {
	t.sum += int32(weight)
	t.n++
}

// tallies are those of a block's fields.
type tallies [Fields]tally

// features adds to row what the terms say. A field counts by the root of how many terms it has: ten words say more
// than one, but not ten times as much, as they are not independent.
func (t *tallies) features(row []float32, scale float32) []float32 {
	all := float32(0)
	for _, f := range t {
		x := float32(0)
		if f.n > 0 {
			x = float32(f.sum) * scale / float32(math.Sqrt(float64(f.n)))
		}
		all += x
		row = append(row, x)
	}
	return append(row, all)
}

// nameCache has what values of class, id and such attributes weigh, which most elements of a page have in common with
// others. A value stands where its hash tells, and the last one stays there.
type nameCache struct {
	words  *Words
	own    [512]cached[tally]
	around [256]cached[surroundings]
}

type cached[T any] struct {
	hash  uint64
	value T
}

// use makes w the model.
func (c *nameCache) use(w *Words) {
	if c.words != w {
		*c = nameCache{words: w}
	}
}

// seed makes hashes of values that nobody can make alike. They serve the cache alone, and change nothing else.
var seed = maphash.MakeSeed()

// ownNames is what the names of element n weigh as that of one block.
func (c *nameCache) ownNames(p *page.Page, n int32) (t tally) {
	eachNames(p, n, func(of uint32, value []byte) {
		hash := maphash.Bytes(seed, value) + uint64(of)
		e := &c.own[hash%uint64(len(c.own))]
		if e.hash != hash {
			e.hash, e.value = hash, tally{}
			valueTerms(of, value, func(h uint32) { e.value.add(c.words.Weights[slot(inOwn, h)]) })
		}
		t = t.plus(e.value)
	})
	return t
}

// groupNames is what the names of element n weigh as that of a group.
func (c *nameCache) groupNames(p *page.Page, n int32) (s surroundings) {
	eachNames(p, n, func(of uint32, value []byte) {
		hash := maphash.Bytes(seed, value) + uint64(of)
		e := &c.around[hash%uint64(len(c.around))]
		if e.hash != hash {
			e.hash, e.value = hash, surroundings{}
			valueTerms(of, value, func(h uint32) {
				e.value.own.add(c.words.Weights[slot(inNear, h)])
				e.value.all.add(c.words.Weights[slot(inFar, h)])
			})
		}
		s = s.plus(e.value)
	})
	return s
}

// weigh makes the word features of all blocks. Those of groups and headings are added up once.
func (r *reader) weigh(w *Words) {
	r.named.use(w)
	r.around = resize(r.around, len(r.groups))
	for i := range r.groups {
		r.weighGroup(int32(i))
	}
	var t, head tallies
	add := func(f field, h uint32) { t[f].add(w.Weights[slot(f, h)]) }
	last := int32(-1)
	for i := range r.p.Blocks {
		if h := r.heads[i]; h >= 0 && h != last {
			t = tallies{}
			r.headTerms(h, add)
			head, last = t, h
		}
		t = tallies{}
		if last >= 0 && last != int32(i) {
			t = head
		}
		r.textTerms(int32(i), add)
		r.linkTerms(int32(i), add)
		var tags tagPath
		r.ownElements(int32(i), func(n int32) {
			t[inOwn] = t[inOwn].plus(r.named.ownNames(r.p, n))
			tags.add(r.p.Nodes[n].Tag, add)
		})
		t[inNear], t[inFar] = r.groupTallies(r.in[i])
		t.features(r.words[i][:0], w.Scale)
	}
}

// surroundings are what the terms of a group weigh: its own for the blocks to which it is near, and those of it and all
// around it for the blocks from which it is far.
type surroundings struct{ own, all tally }

func (s surroundings) plus(t surroundings) surroundings {
	return surroundings{s.own.plus(t.own), s.all.plus(t.all)}
}

// weighGroup adds up the terms of group g, whose parent is done.
func (r *reader) weighGroup(g int32) {
	var s surroundings
	r.groupElements(g, func(n int32) {
		s = s.plus(r.named.groupNames(r.p, n))
	})
	if up := r.groups[g].parent; up >= 0 {
		s.all = s.all.plus(r.around[up].all)
	}
	r.around[g] = s
}

// groupTallies are what the groups around a block weigh, of which g is the smallest: near are two, far those further
// out.
func (r *reader) groupTallies(g int32) (near, far tally) {
	near = r.around[g].own
	if g = r.groups[g].parent; g < 0 {
		return near, far
	}
	near = near.plus(r.around[g].own)
	if g = r.groups[g].parent; g >= 0 {
		far = r.around[g].all
	}
	return near, far
}

// parse reads the weights: their scale, and one for each slot. Nothing may follow.
func (w *Words) parse(b []byte) error {
	if len(b) != 4+WordSlots {
		return errModel
	}
	w.Scale = math.Float32frombits(binary.LittleEndian.Uint32(b))
	for i, c := range b[4:] {
		w.Weights[i] = int8(c)
	}
	return nil
}
