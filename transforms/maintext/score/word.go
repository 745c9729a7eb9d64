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

// Words is a linear model: what each term on and around a block says for or against it. It is what the trees have of
// words. Weights are small whole numbers, so that sums do not depend on the order.
type Words struct {
	Scale   float32 // of a weight of 1
	Weights [WordSlots]int8
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

// add counts some terms.
func (t *tallies) add(words *Words, terms []term) {
	for _, x := range terms {
		t[x.at].add(words.Weights[slot(x.at, x.hash)])
	}
}

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

// weigher adds up what the terms of a page's blocks weigh. What many blocks have in common, terms of groups and of
// headings, is added up when the first of them asks for it: most blocks are not asked for.
type weigher struct {
	words  *Words         // nil in training, where they depend on the pages that are left out
	own    nameCache      // of elements around one block alone
	groups nameCache      // of those of groups, near and far
	around []surroundings // by group
	head   int32          // the heading of which headed is; -1
	headed tallies
	terms  []term // of a block, for a moment
	hashes []uint32
}

// surroundings are what the terms of a group weigh: its own for the blocks to which it is near, and those of it and all
// around it for the blocks from which it is far.
type surroundings struct {
	own, all tally
	known    bool
}

// use makes w the model.
func (w *weigher) use(words *Words) {
	if w.words != words {
		w.words, w.own, w.groups = words, nameCache{}, nameCache{}
	}
}

// reset forgets a page and makes room for the groups of the next one.
func (w *weigher) reset(groups int) {
	w.around = resize(w.around, groups)
	clear(w.around)
	w.head = -1
}

// appendWords adds what the terms of block i weigh.
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

// heading is what the terms of heading i weigh for the blocks below it.
func (w *weigher) heading(r *reader, i int32) *tallies {
	if w.head != i {
		w.head, w.headed = i, tallies{}
		w.terms = r.headTerms(w.terms[:0], i)
		w.headed.add(w.words, w.terms)
	}
	return &w.headed
}

// surround is what the groups around a block weigh, of which g is the smallest: near are two, far those further out.
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

// group is what the terms of group g weigh.
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

// nameCache has what the names of tags weigh in two fields: most elements of a page are written like others. A tag
// stands where its hash tells, and the last one stays there.
type nameCache [1024]struct {
	hash  uint64
	value [2]tally
}

// seed makes hashes of tags that nobody can make alike. They serve the cache alone, and change nothing else.
var seed = maphash.MakeSeed()

// names is what the names of element n weigh in two fields, which are those of the cache; the second may be the first.
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
