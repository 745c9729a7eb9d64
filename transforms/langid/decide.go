package langid

import (
	"cmp"
	"slices"
	"strings"
)

const (
	firstLook    = 80  // letters of a segment that are held against all languages of a script
	secondLook   = 160 // letters of it, at least, that are held against the short list; more if there are few segments
	shortList    = 8   // languages; of 80 letters, in 143 of 144 NTREX samples the first three have the right one
	jointLetters = 800 // letters of a text, at least, that a decision is made on, if it has them
	// minForeign is the confidence at which a segment is believed to be in another language than most of the text, and
	// maxHome that of the text's own language above which it is not: a heading full of names looks like any language.
	minForeign = 0.9
	maxHome    = 0.02
)

// kin are sets of languages so close that single paragraphs of them are mixed up.
var kin = [][]string{
	{"bs", "hr"}, {"id", "ms"}, {"nb", "nn"}, {"xh", "zu"},
}

// kinOf returns code and the languages near it.
func kinOf(code string) []string {
	for _, set := range kin {
		if slices.Contains(set, code) {
			return set
		}
	}
	return []string{code}
}

// A passage is all that a text has in one script which several languages share.
type passage struct {
	text     string
	script   script
	segments []segment
	model    *model
}

// A window is a sampled segment.
type window struct {
	segment int    // its number in the passage
	words   string // its first letters
	bytes   int    // of text that it stands for
	guesses []guess
}

// decide tells the languages of a passage, looking at no more than n of its segments, and adds them to found.
func (p *passage) decide(n int, found *tally) {
	windows := p.pick(n)
	m := p.model
	if len(m.languages) > shortList && !(len(windows) == 1 && len(windows[0].words) <= firstLook) {
		m = m.only(candidates(m, windows))
	}
	sure := windows[:0]
	for _, w := range windows {
		if w.guesses = m.guess(w.words); len(w.guesses) > 0 {
			sure = append(sure, w)
		}
	}
	if len(sure) > 0 {
		p.assign(sure, found)
	}
}

// pick returns windows on at most n of the segments, spread evenly over their bytes. Too few letters give none.
func (p *passage) pick(n int) []window {
	letters, total := 0, 0
	for i := range p.segments {
		letters += p.segments[i].letters
		total += p.segments[i].bytes()
	}
	if letters < minLetters {
		return nil
	}
	var windows []window
	look := max(secondLook, jointLetters/min(n, len(p.segments)))
	seen, share := 0, total/n
	for i := range p.segments {
		before := seen
		stands := p.segments[i].bytes()
		seen += stands
		if len(p.segments) > n {
			// The segment stands for as many n-ths of the bytes as have their middle in it.
			stands = share * (middles(seen, share) - middles(before, share))
		}
		if stands == 0 {
			continue
		}
		if words := p.sample(i, look); words != "" {
			windows = append(windows, window{segment: i, words: words, bytes: stands})
		}
	}
	return windows
}

// sample returns words of segment i, up to limit letters.
func (p *passage) sample(i, limit int) string {
	s := &p.segments[i]
	return sample(p.text[s.start:s.end], p.script, limit)
}

// middles returns how many of the stretches of length share have their middle before position.
func middles(position, share int) int { return (position + share/2) / share }

// top returns the window's language.
func (w *window) top() guess { return w.guesses[0] }

// confidence returns how sure the window is of the languages codes, together.
func (w *window) confidence(codes ...string) float64 {
	sum := 0.0
	for _, g := range w.guesses {
		if slices.Contains(codes, g.code) {
			sum += g.confidence
		}
	}
	return sum
}

// candidates returns the short list: the languages that a first look at each window puts first, and their kin.
func candidates(m *model, windows []window) []string {
	points := map[string]int{}
	for i := range windows {
		for rank, g := range m.guess(prefix(windows[i].words, firstLook)) {
			if rank == 3 {
				break
			}
			points[g.code] += 100 >> (2 * rank)
		}
	}
	codes := make([]string, 0, len(points))
	for code := range points {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(points[b], points[a]), strings.Compare(a, b))
	})
	codes = codes[:min(len(codes), shortList)]
	for _, code := range slices.Clone(codes) {
		codes = append(codes, kinOf(code)...)
	}
	return codes
}

// prefix returns the words of a sample up to about n letters.
func prefix(words string, n int) string {
	for i := range words {
		if n--; n < 0 && words[i] == ' ' {
			return words[:i]
		}
	}
	return words
}

// assign gives every window its language and adds them up.
func (p *passage) assign(windows []window, found *tally) {
	home := mostCommon(windows)
	votes := map[string]int{}
	for i := range windows {
		votes[kinOf(windows[i].top().code)[0]]++
	}
	groups := map[string][]window{}
	var order []string
	for _, w := range windows {
		family := kinOf(w.top().code)[0]
		lone := len(p.segments) > len(windows) && votes[family] == 1
		if family != home && !p.isForeign(&w, home, lone) {
			family = home
		}
		if groups[family] == nil {
			order = append(order, family)
		}
		groups[family] = append(groups[family], w)
	}
	for _, family := range order {
		p.settle(kinOf(family), groups[family], found)
	}
}

// mostCommon returns the language of most bytes, for kin the first of them.
func mostCommon(windows []window) string {
	var t tally
	for i := range windows {
		t.add(kinOf(windows[i].top().code)[0], windows[i].bytes, 1)
	}
	return slices.MaxFunc(t.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.bytes, b.bytes), strings.Compare(b.code, a.code))
	}).code
}

// isForeign reports whether w is in another language than home and its kin: clearly so, also when the whole segment is
// held against them, and, where w alone of a sample says so, with a neighbour that has the same language. Without the
// second look a sentence with a long English title made its page half English; without the neighbour, lingua's rule on
// rare letters made three Ukrainian segments in a hundred Kazakh.
func (p *passage) isForeign(w *window, home string, lone bool) bool {
	code := w.top().code
	if !w.isClearly(code, home) {
		return false
	}
	m := p.model.only(append(slices.Clone(kinOf(home)), code))
	if whole := p.look(m, w.segment); !whole.isClearly(code, home) {
		return false
	}
	before, after := p.look(m, w.segment-1), p.look(m, w.segment+1)
	return !lone || before.is(code) || after.is(code)
}

// look returns a window on all of segment i, if there is one.
func (p *passage) look(m *model, i int) window {
	if i < 0 || i >= len(p.segments) {
		return window{}
	}
	return window{guesses: m.guess(p.sample(i, maxSegment))}
}

// is reports whether the window's first guess is code.
func (w *window) is(code string) bool { return len(w.guesses) > 0 && w.top().code == code }

// isClearly reports whether the window's guesses are for code and against home and its kin.
func (w *window) isClearly(code, home string) bool {
	return w.is(code) && w.top().confidence >= minForeign && w.confidence(kinOf(home)...) <= maxHome
}

// settle adds the windows, which are in one of codes, to found.
func (p *passage) settle(codes []string, windows []window, found *tally) {
	if len(codes) == 1 {
		for _, w := range windows {
			found.add(codes[0], w.bytes, w.confidence(codes[0]))
		}
		return
	}
	var words strings.Builder
	total := 0
	for _, w := range windows {
		words.WriteString(prefix(w.words, jointLetters/len(windows)))
		words.WriteByte(' ')
		total += w.bytes
	}
	best := guess{code: codes[0]}
	if guesses := p.model.only(codes).guess(words.String()); len(guesses) > 0 {
		best = guesses[0]
	}
	found.add(best.code, total, best.confidence)
}
