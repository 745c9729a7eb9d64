package model

// HashedRows is how many rows of weights the hashed features share. They collide: more rows would collide less, and
// 2^18 of 16 bytes are 4 MiB already.
const HashedRows = 1 << 18

// A window is the five tokens around one, and what the features need of them. Index 2 is the token itself; what lies
// outside of the sentence is zero, which is a shape of its own (Outside).
type window struct {
	shape, hash, cluster, coarse, flags, kind [5]uint64

	rows [3]uint32 // of the lexicon, of the three tokens in the middle
}

// window returns the window around token i of sentence s. coarse groups clusters, so that words that were never seen
// together still have something in common.
func (d *document) window(i int, s sentence) (w window) {
	for k := range w.shape {
		at := i + k - 2
		if at < s.first || at >= s.end {
			continue
		}
		t, e := &d.tokens[at], d.entry(at)
		w.shape[k], w.hash[k] = uint64(t.Shape), t.hash
		w.cluster[k], w.flags[k] = uint64(e.cluster()), uint64(e.flags())
		w.kind[k] = uint64(e.kind())
		w.coarse[k] = uint64(d.lexicon.coarse[e.cluster()])
		// The lexicon's own rows are for the token and its neighbours only.
		if 1 <= k && k <= 3 {
			w.rows[k-1] = e.row()
		}
	}
	return w
}

// The rows of a token's features: hashed ones, and those of the lexicon for its three places.
const (
	hashed   = 64
	features = hashed + 3
)

// A hasher makes rows of features. Each feature has its own row, by its number: equal values of two features have
// different rows of weights. The numbers are part of the model: changing one makes the weights meaningless.
type hasher [features]uint32

// add sets the row of feature n, from 1 on, to that with the values a and b: the upper bits, which are mixed best;
// HashedRows is a power of two.
func (h *hasher) add(n int, a, b uint64) {
	h[n-1] = uint32(mix((uint64(n)*0x9E3779B97F4A7C15^a)*0xD6E8FEB86659FD93+b)>>40) & (HashedRows - 1)
}

// features sets h to the rows of weights of token i of run r.
func (d *document) features(i int, r *run, h *hasher) {
	w := d.window(i, r.within)
	h.shapes(&w)
	h.words(&w, d.text[d.tokens[i].Start:d.tokens[i].End])
	h.clusters(&w)
	d.lists(h, &w, i, r.within)
	d.place(h, &w, i, r)
	d.kinds(h, &w, i, r)
	for k, row := range w.rows {
		h[hashed+k] = d.lexicon.Lexical(k, row)
	}
}

// context returns the shape of the token in the middle with that of the one before, of the one behind, and of both.
func (w *window) context() (left, right, both uint64) {
	left = w.shape[2]<<8 | w.shape[1]
	return left, w.shape[2]<<8 | w.shape[3], left<<8 | w.shape[3]
}

// shapes are the shapes of all five tokens. Shapes are below 256, so several fit one number.
func (h *hasher) shapes(w *window) {
	left, right, both := w.context()
	h.add(1, w.shape[2], 0)
	h.add(2, left, 0)
	h.add(3, right, 0)
	h.add(4, both, 0)
	h.add(5, left, w.shape[0])
	h.add(6, right, w.shape[4])
	h.add(7, both, w.shape[0]<<8|w.shape[4])
}

// words are the words themselves, in twos, and how the one in the middle begins and ends.
func (h *hasher) words(w *window, word string) {
	s := w.shape[2]
	h.add(8, w.hash[2], s)
	h.add(9, w.hash[1], s)
	h.add(10, w.hash[3], s)
	h.add(11, w.hash[2], w.hash[1])
	h.add(12, w.hash[2], w.hash[3])
	h.add(13, w.hash[1], w.hash[3])
	h.add(14, w.hash[1], w.hash[0])
	h.add(15, w.hash[3], w.hash[4])
	// The beginning and end of the word, of two to four bytes: bytes and not letters, as most words
	// are ASCII.
	for n := 2; n <= 4; n++ {
		k := min(n, len(word))
		h.add(12+2*n, HashWord(word[:k]), s)
		h.add(13+2*n, HashWord(word[len(word)-k:]), s)
	}
}

// clusters are those of the words. They stand for words that were too rare to learn: cluster by cluster, and in twos
// and threes by coarse ones.
func (h *hasher) clusters(w *window) {
	s, c, g := w.shape[2], &w.cluster, &w.coarse
	for i, x := range c {
		h.add(22+i, x, s)
	}
	h.add(27, g[0], s)
	h.add(28, g[4], s)
	h.add(29, g[1]<<8|g[2], s)
	h.add(30, g[2]<<8|g[3], s)
	h.add(31, g[1]<<8|g[3], s)
	h.add(32, g[1]<<16|g[2]<<8|g[3], s)
	h.add(33, c[2], g[1]<<8|w.shape[1])
	h.add(34, c[2], g[3]<<8|w.shape[3])
	h.add(35, c[1], g[0])
	h.add(36, c[3], g[4])
}

// lists are what the lists of names say of the words and of the phrases that they are in.
func (d *document) lists(h *hasher, w *window, i int, s sentence) {
	f := &w.flags
	left, right, both := w.context()
	h.add(37, f[2], w.shape[2])
	h.add(38, f[2], both)
	h.add(39, f[1]<<8|f[2], left)
	h.add(40, f[2]<<8|f[3], right)
	h.add(41, f[1]<<16|f[2]<<8|f[3], w.shape[2])
	h.add(42, f[1], left)
	h.add(43, f[3], right)
	// Outside of the sentence there are no phrases.
	var before, behind uint64
	if i > s.first {
		before = uint64(d.phrases[i-1])
	}
	if i+1 < s.end {
		behind = uint64(d.phrases[i+1])
	}
	p := uint64(d.phrases[i])
	h.add(44, p, w.shape[2])
	h.add(45, p, f[2])
	h.add(46, p, w.coarse[1]<<8|w.coarse[3])
	h.add(47, before, p)
	h.add(48, behind, p)
}

// place is where in the sentence the token stands, how that is written, and how the word is written in the document.
// It tells "Apple" that begins a sentence from one in the middle of it.
func (d *document) place(h *hasher, w *window, i int, r *run) {
	first := uint64(0)
	if i == r.within.first {
		first = 1
	}
	f, s := w.flags[2], w.shape[2]
	h.add(49, first<<8|f&uint64(Common), s)
	h.add(50, r.style, s)
	h.add(51, r.style, f)
	cases := d.cases.of(d.tokens[i].hash)
	h.add(52, cases, s<<1|first)
	h.add(53, cases, f<<1|first)
}

// kinds are what a language model said of the words alone, with how they stand and what is known of them otherwise.
func (d *document) kinds(h *hasher, w *window, i int, r *run) {
	left, right, both := w.context()
	k, s := &w.kind, w.shape[2]
	h.add(54, k[2], s)
	h.add(55, k[1]<<16|k[2]<<8|k[3], s)
	h.add(56, k[2], both)
	h.add(57, k[1]<<8|k[2], left)
	h.add(58, k[2]<<8|k[3], right)
	h.add(59, k[2], w.flags[2])
	h.add(60, k[2], d.cases.of(d.tokens[i].hash)<<3|r.style)
	h.add(61, k[2], uint64(d.phrases[i]))
	h.add(62, k[2], w.coarse[1]<<8|w.coarse[3])
	h.add(63, k[1], k[0])
	h.add(64, k[3], k[4])
}
