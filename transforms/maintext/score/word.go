package score

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// WordSlots is the number of weights of terms, by hash. Terms share slots by chance, in training too.
const WordSlots = 1 << wordBits

const wordBits = 18

// Words is a linear model of the terms on and around a block: how each speaks for or against main text. Trees see only
// its sums. Weights are small integers, so that sums do not depend on the order.
type Words struct {
	Scale   float32 // of a weight of 1
	Weights [WordSlots]int8
}

// parse reads the scale and a weight for each slot.
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

// slot is the index of a term's weight. The multiplier is that of counter.
func slot(f field, h uint32) uint32 {
	return uint32((uint64(f)<<32 | uint64(h)) * 0x9E3779B97F4A7C15 >> (64 - wordBits))
}

// tally is the sum of the weights of n terms.
type tally struct{ sum, n int32 }

func (t tally) plus(u tally) tally { return tally{t.sum + u.sum, t.n + u.n} }

func (t *tally) add(weight int8) {
	t.sum += int32(weight)
	t.n++
}

type tallies [Fields]tally

func (t *tallies) add(words *Words, terms []term) {
	for len(terms) > 0 {
		// Terms of one field follow each other: their weights come from memory side by side.
		at, sum, n := terms[0].at, int32(0), 0
		for ; n < len(terms) && terms[n].at == at; n++ {
			sum += int32(words.Weights[slot(at, terms[n].hash)])
		}
		t[at] = t[at].plus(tally{sum, int32(n)})
		terms = terms[n:]
	}
}

// features adds the sums of each field to row, divided by the root of its number of terms. Ten words say more than
// one, but not ten times as much, as they depend on each other.
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

// weigher adds up the weights of the terms of a page's blocks. Terms of groups and headings, which many blocks share,
// are added up when the first block needs them: most blocks do not.
type weigher struct {
	words  *Words         // nil in training, where they depend on the fold
	own    nameCache      // for elements around one block alone
	groups nameCache      // for elements of groups, near and far
	around []surroundings // by group
	head   int32          // whose tallies headed has; -1
	headed tallies
	terms  []term // scratch, of a block
	hashes []uint32
}

// surroundings are the weights of a group's terms. Field own is for blocks near the group; all includes the groups
// around, for blocks further away.
type surroundings struct {
	own, all tally
	known    bool
}

func (w *weigher) use(words *Words) {
	if w.words != words {
		w.words, w.own, w.groups = words, nameCache{}, nameCache{}
	}
}

// reset makes room for the groups of the next page.
func (w *weigher) reset(groups int) {
	w.around = resize(w.around, groups)
	clear(w.around)
	w.head = -1
}

func (r *reader) appendWords(row []float32, i int32) []float32 {
	w := &r.weigher
	var t tallies
	if w.words == nil {
		return t.features(row, 0)
	}
	if h := r.heads[i]; h >= 0 && h != i {
		t = *w.heading(r, h)
	}
	w.terms = r.textTerms(w.terms[:0], i)
	w.terms = r.linkTerms(w.terms, i)
	w.terms = r.tagTerms(w.terms, i)
	t.add(w.words, w.terms)
	r.ownElements(i, func(n int32) { t[inOwn] = t[inOwn].plus(w.names(r.p, n, &w.own, inOwn, inOwn)[0]) })
	t[inNear], t[inFar] = w.surround(r, r.in[i])
	return t.features(row, w.words.Scale)
}

// heading returns the weights of the terms of heading i for the blocks below it.
func (w *weigher) heading(r *reader, i int32) *tallies {
	if w.head != i {
		w.head, w.headed = i, tallies{}
		w.terms = r.headTerms(w.terms[:0], i)
		w.headed.add(w.words, w.terms)
	}
	return &w.headed
}

// surround returns the weights of the groups around a block, of which g is the smallest: two are near, the others far.
func (w *weigher) surround(r *reader, g int32) (near, far tally) {
	near = w.group(r, g).own
	if g = r.groups[g].parent; g < 0 {
		return near, far
	}
	near = near.plus(w.group(r, g).own)
	if g = r.groups[g].parent; g >= 0 {
		far = w.group(r, g).all
	}
	return near, far
}

func (w *weigher) group(r *reader, g int32) surroundings {
	if s := w.around[g]; s.known {
		return s
	}
	s := surroundings{known: true}
	r.groupElements(g, func(n int32) {
		v := w.names(r.p, n, &w.groups, inNear, inFar)
		s.own, s.all = s.own.plus(v[0]), s.all.plus(v[1])
	})
	if up := r.groups[g].parent; up >= 0 {
		s.all = s.all.plus(w.group(r, up).all)
	}
	w.around[g] = s
	return s
}

// nameCache holds the weights of a tag's names in two fields, since most elements of a page are written like others.
// The hash of a tag is its index, and a newer tag replaces an older.
type nameCache [1024]struct {
	hash  uint64
	value [2]tally
}

// seed is random, so that nobody can craft tags with equal hashes. It affects only the cache.
var seed = maphash.MakeSeed()

// names returns the weights of element n's names in the two fields of the cache; second may equal first.
func (w *weigher) names(p *page.Page, n int32, c *nameCache, first, second field) [2]tally {
	tag := p.Tag(int(n))
	if len(tag) < shortestNamed {
		return [2]tally{}
	}
	hash := maphash.Bytes(seed, tag)
	e := &c[hash%uint64(len(c))]
	if e.hash != hash {
		e.hash, e.value = hash, [2]tally{}
		w.hashes = appendNames(w.hashes[:0], p, n)
		for _, h := range w.hashes {
			e.value[0].add(w.words.Weights[slot(first, h)])
			if second != first {
				e.value[1].add(w.words.Weights[slot(second, h)])
			}
		}
	}
	return e.value
}
