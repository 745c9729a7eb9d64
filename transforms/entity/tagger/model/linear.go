package model

import (
	"encoding/binary"
	"slices"
)

// Script is how the text of a language shows its names.
type Script uint8

const (
	Cased    Script = iota // names begin with a capital letter
	Uncased                // words are written without case, as in Arabic
	Unspaced               // words are written without spaces, as in Chinese and Japanese
	scripts
)

// Linear is the model of a language other than English: lists of names and a table of weights. A token has a score for
// each label, the sum of the rows of its features. Linear is read-only, so it is safe for concurrent use, with a
// Scratch per goroutine.
type Linear struct {
	Script  Script
	Elides  bool   // articles are joined to words by an apostrophe, as in French and Italian
	Lists   []byte // open addressing, as Lexicon's phrases: names of one or more tokens, and their kinds
	Weights []byte // a power of two of rows of Row bytes
	Chain   Chain
}

// The kinds of names in lists. They take seven bits.
const (
	ListGiven   uint8 = 1 << iota // given names
	ListSurname                   // surnames
	ListPlace                     // countries, regions, cities
	ListGroup                     // organisations, and words in their names
	ListPerson                    // people with their full names
	ListCommon                    // usual words of the language
	ListTitle                     // words before people's names
)

// maxListed is the most tokens of a name in a list.
const maxListed = 6

// Find appends the names in text to dst, as Model.Find does.
func (m *Linear) Find(text string, s *Scratch, dst []Span) []Span {
	s.doc.loadLinear(text, m)
	s.scoreLinear(m)
	return s.names(&m.Chain, dst)
}

// loadLinear reads a text: its tokens, sentences, runs and listed names.
func (d *document) loadLinear(text string, m *Linear) {
	d.text = text
	d.tokens, d.sentences, d.runs = d.tokens[:0], d.sentences[:0], d.runs[:0]
	d.cases.reset()
	d.eachLine(func(start, end int) { d.lineLinear(start, end, m) })
	d.phrases = append(d.phrases[:0], make([]uint16, len(d.tokens))...)
	for _, s := range d.sentences {
		if m.Script == Cased {
			d.findCased(s)
		} else if !d.isProgram(s) {
			d.runs = append(d.runs, run{sentence: s, within: s})
		}
	}
	for _, r := range d.runs {
		d.markLists(r.sentence, m)
	}
}

// lineLinear reads the tokens and sentences of the line of text from start to end.
func (d *document) lineLinear(start, end int, m *Linear) {
	first, sentences := len(d.tokens), len(d.sentences)
	if m.Script == Unspaced {
		d.tokens = characters(d.text[:end], start, d.tokens)
		d.sentences = parts(d.tokens, first, d.sentences)
		return
	}
	d.tokens = tokenize(d.text[:end], start, d.tokens)
	if m.Elides {
		d.elide(first)
	}
	d.sentences = split(d.text, d.tokens, first, d.sentences)
	for _, s := range d.sentences[sentences:] {
		for i := s.first; i < s.end; i++ {
			d.cases.count(&d.tokens[i], i == s.first)
		}
	}
}

// findCased appends the runs of a sentence: words with capital letters, the words between two of them, and up to two
// words in lower case after them, as in "Cour suprême".
func (d *document) findCased(s sentence) {
	if d.isProgram(s) {
		return
	}
	style := d.style(s)
	first, last := -1, -1
	for i := s.first; i < s.end; i++ {
		switch {
		case d.tokens[i].Shape.isCapital():
			if first < 0 {
				first = i
			}
			last = i
		case first >= 0 && (i-last > 3 || !d.joinsCased(i)):
			d.addCased(s, first, last, style)
			first = -1
		}
	}
	if first >= 0 {
		d.addCased(s, first, last, style)
	}
}

// addCased appends the run of s from first to last, and the words in lower case after it.
func (d *document) addCased(s sentence, first, last int, style uint64) {
	end := last + 1
	for end < s.end && end < last+3 && d.tokens[end].Shape == Lower {
		end++
	}
	d.runs = append(d.runs, run{sentence: sentence{first, end}, within: s, style: style})
}

// joinsCased reports whether token i may be between two words of a name.
func (d *document) joinsCased(i int) bool {
	switch d.tokens[i].Shape {
	case Lower, Dash, Apostrophe, Sign, Number, Year, Mixed, Quote:
		return true
	}
	return false
}

// markLists notes the listed names that the tokens of a run are in, as markPhrases does.
func (d *document) markLists(r sentence, m *Linear) {
	for i := r.first; i < r.end; i++ {
		hash := uint64(0)
		for n := 1; n <= maxListed && i+n <= r.end; n++ {
			hash = join(hash, d.tokens[i+n-1].hash)
			kinds := uint16(m.listed(hash))
			if n == 1 {
				// A word's own kinds are known to its features without this.
				d.tokens[i].entry = unknown | entry(kinds)
			}
			if n == 1 && m.Script != Unspaced || kinds == 0 {
				continue
			}
			d.phrases[i] |= kinds
			for k := i + 1; k < i+n; k++ {
				d.phrases[k] |= kinds << 7
			}
		}
	}
}

// listed returns the kinds of the name with this hash.
func (m *Linear) listed(hash uint64) uint8 {
	mask := uint64(len(m.Lists)/4 - 1)
	for i, k := hash&mask, 0; k < maxProbes; i, k = (i+1)&mask, k+1 {
		e := binary.LittleEndian.Uint32(m.Lists[i*4:])
		if e == 0 {
			return 0
		}
		if e>>7 == uint32(hash>>39) {
			return uint8(e & 127)
		}
	}
	return 0
}

// Row is the size of a row of weights in bytes: a byte for each label, with 128 added, and three of padding. Two words
// of eight bytes are then added at once.
const Row = 16

// surely is by how much label 0 must beat all others for a token to be outside names whatever its neighbours are. Most
// tokens are, and cost no search. The bound costs little F1: see docs/names.md.
const surely = 120

// scoreLinear sets emit to the scores of the tokens of all runs. Runs are divided at tokens that are clearly outside.
func (s *Scratch) scoreLinear(m *Linear) {
	s.emit = s.emit[:0]
	d := &s.doc
	d.kept = d.kept[:0]
	var list [MaxRows]uint32
	for i := range d.runs {
		r := &d.runs[i]
		first := -1
		for k := r.first; k < r.end; k++ {
			sum := m.sum(m.features(d, r, k, list[:0]))
			if sum[0]-slices.Max(sum[1:]) < surely {
				if first < 0 {
					first = k
				}
				s.emit = append(s.emit, sum)
				continue
			}
			if first >= 0 {
				d.kept = append(d.kept, run{sentence: sentence{first, k}, within: r.within, style: r.style})
				first = -1
			}
		}
		if first >= 0 {
			d.kept = append(d.kept, run{sentence: sentence{first, r.end}, within: r.within, style: r.style})
		}
	}
	d.runs, d.kept = d.kept, d.runs
}

// lanes4 selects every second byte of eight.
const lanes4 = 0x00FF00FF00FF00FF

// sum returns the sum of rows of weights. Bytes are added in lanes of 16 bits, which 32 rows cannot exceed.
func (m *Linear) sum(rows []uint32) (sum scores) {
	var a, b, c, d uint64
	for _, row := range rows {
		w := m.Weights[int(row)*Row:]
		w = w[:Row:Row]
		x, y := binary.LittleEndian.Uint64(w), binary.LittleEndian.Uint64(w[8:])
		a += x & lanes4
		b += x >> 8 & lanes4
		c += y & lanes4
		d += y >> 8 & lanes4
	}
	bias := int32(128 * len(rows))
	for i := range 4 {
		sum[2*i] = int32(a>>(16*i)&0xFFFF) - bias
		sum[2*i+1] = int32(b>>(16*i)&0xFFFF) - bias
	}
	for i := range 3 {
		sum[8+2*i] = int32(c>>(16*i)&0xFFFF) - bias
	}
	sum[9], sum[11] = int32(d&0xFFFF)-bias, int32(d>>16&0xFFFF)-bias
	return sum
}
