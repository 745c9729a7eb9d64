package langid

import (
	"math"
	"slices"
	"strings"
)

const (
	// quickLetters is the number of letters first read of a text. If the best language is less than clearNats ahead of
	// the next, or some letters seem to be in another language, jointLetters are read.
	quickLetters = 200
	jointLetters = 1000
	clearNats    = 25.0
	// closeLetters is the number of letters read of each segment in a text of several languages.
	closeLetters = 200
	// maxWindows bounds the segments read in a text of several languages.
	maxWindows = 128
	// A segment counts as foreign if another language is more likely by foreignNats, and by foreignNats for each
	// hundred letters. A heading full of names looks like any language.
	foreignNats = 10.0
	// The declared language is taken if the best of its kin is at most tieNats, plus tieRate for each letter, ahead of
	// it.
	tieNats = 4.0
	tieRate = 0.02
	// temperature divides logarithms of likelihoods before they become confidences, since letters are not independent.
	temperature = 3.0
	// minConfidence is the smallest confidence reported.
	minConfidence = 0.2
)

// serbianLatin is the table's code for Serbian in Latin letters.
const serbianLatin = "sr-Latn"

// kin are sets of languages so similar that single paragraphs of them are confused.
var kin = [][]string{
	{"bs", "hr", serbianLatin}, {"cs", "sk"}, {"id", "ms"}, {"nb", "nn", "da"}, {"xh", "zu"},
}

// kinOf returns the numbers of the languages of script c that are kin of language l, including l.
func kinOf(c script, l int) []int { return near(kin, c, l) }

// near returns the numbers of the languages of script c that share a set with language l, or l alone.
func near(sets [][]string, c script, l int) []int {
	languages := models().Languages
	for _, set := range sets {
		if !slices.Contains(set, languages[l].Code) {
			continue
		}
		var numbers []int
		for _, other := range languagesOf()[c] {
			if slices.Contains(set, languages[other].Code) {
				numbers = append(numbers, other)
			}
		}
		return numbers
	}
	return []int{l}
}

// A passage is all text in one script that several languages share.
type passage struct {
	text     string
	script   script
	segments []segment
	declared []string // languages that the page declares
	accuracy Accuracy
}

// letters returns the number of letters in its segments.
func (p *passage) letters() (n int) {
	for i := range p.segments {
		n += p.segments[i].letters
	}
	return n
}

// A window is a sampled segment.
type window struct {
	sample
	start, end int // of the segment, bytes
	bytes      int // number of bytes of text that it represents
	look       int // number of letters read at most
	all        int // number of its letters, also those outside of words
	best       int // its most likely language
}

// decide finds the languages of a passage and adds them to found. It first reads some letters of some segments. It
// reads more letters if these are not clear or segments seem to differ. If they do differ, it reads all segments.
func (p *passage) decide(s *scorer, n int, found *tally) {
	// The letters are divided among the segments: a text of many segments is read in many places, a little in each.
	windows := p.pick(s, n, quickLetters/min(n, len(p.segments)))
	groups := p.group(windows)
	// The second look is at the same places, but longer.
	if len(groups) > 1 || !p.isClear(windows) {
		groups = p.group(p.pick(s, n, jointLetters/min(n, len(p.segments))))
	}
	// A few places may be the examples of a manual.
	if len(groups) > 1 || len(groups) == 1 && len(groups[0]) < len(p.segments) && p.inNone(groups[0]) {
		groups = p.group(p.pick(s, maxWindows, closeLetters))
	}
	home := -1
	for i, g := range groups {
		if l := p.settle(g, home, found); i == 0 {
			home = l
		}
	}
}

// inNone reports whether windows are in no language at all.
func (p *passage) inNone(windows []*window) bool {
	all := sum(windows)
	return isWordless(all.letters, windows) || p.isNoise(all, all.best(p.script, nil), windows)
}

// pick returns windows on at most n of the segments, spread evenly over their bytes, of up to look letters each. They
// belong to the scorer and are valid until the next call.
func (p *passage) pick(s *scorer, n, look int) []*window {
	total := 0
	for i := range p.segments {
		total += p.segments[i].bytes()
	}
	// This reuses the scorer's memory; windows of an earlier look are no longer needed.
	s.windows = s.windows[:0]
	seen, share := 0, max(total/n, 1)
	for i := range p.segments {
		before := seen
		stands := p.segments[i].bytes()
		seen += stands
		if len(p.segments) > n {
			// A segment represents as many n-ths of the bytes as have their middle in it.
			stands = share * (middles(seen, share) - middles(before, share))
		}
		if stands == 0 {
			continue
		}
		w := window{start: p.segments[i].start, end: p.segments[i].end, bytes: stands, look: look, all: p.segments[i].letters}
		w.sample = s.score(models(), p.text[w.start:w.end], p.script, look)
		if w.letters > 0 || w.all >= noiseLetters {
			w.best = w.sample.best(p.script, nil)
			s.windows = append(s.windows, w)
		}
	}
	// Lines of addresses only do not count, unless the text has nothing else.
	if slices.ContainsFunc(s.windows, func(w window) bool { return w.letters > 0 }) {
		s.windows = slices.DeleteFunc(s.windows, func(w window) bool { return w.letters == 0 })
	}
	// Pointers are taken once the list no longer grows, since growing would move it.
	windows := make([]*window, len(s.windows))
	for i := range windows {
		windows[i] = &s.windows[i]
	}
	return windows
}

// isClear reports whether the windows together leave no doubt about their language. A few letters from the start of
// several lines, often names, may look like no language although the whole lines do not.
func (p *passage) isClear(windows []*window) bool {
	all := sum(windows)
	best := all.best(p.script, nil)
	if p.letters() > fewLetters && all.letters > 0 && all.isForeign(best) {
		return false
	}
	for _, l := range languagesOf()[p.script] {
		if l != best && all.nats(best, l) < clearNats {
			return false
		}
	}
	return true
}

// sum returns the windows as one sample.
func sum(windows []*window) *sample {
	var all sample
	for _, w := range windows {
		all.add(&w.sample)
	}
	return &all
}

// middles returns the number of parts of length share whose middle is before position.
func middles(position, share int) int { return (position + share/2) / share }

// group divides windows by language, with kin together. The first group is the text's own language and all windows
// that are not clearly in another.
func (p *passage) group(windows []*window) [][]*window {
	if len(windows) == 0 {
		return nil
	}
	var bests []int
	for _, w := range windows {
		bests = append(bests, w.best)
	}
	// The home language is the best language of some window, so at least one window is at home.
	home := kinOf(p.script, sum(windows).best(p.script, bests))
	groups := [][]*window{nil}
	families := [][]int{home}
	for _, w := range windows {
		i := 0
		if w.isForeign(p.script, home) {
			i = slices.IndexFunc(families, func(f []int) bool { return slices.Contains(f, w.best) })
		}
		// The first window of a new language begins a group.
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
			families = append(families, kinOf(p.script, w.best))
		}
		groups[i] = append(groups[i], w)
	}
	return slices.DeleteFunc(groups, func(g []*window) bool { return len(g) == 0 })
}

// isForeign reports whether the window is clearly in a language outside home.
func (w *window) isForeign(c script, home []int) bool {
	ahead := w.nats(w.best, w.sample.best(c, home))
	return ahead >= foreignNats && ahead >= foreignNats*float64(w.letters)/100
}

// settle adds windows, which are in one language, to found. It returns the number of the language. The result is -1 if
// the language is unknown or there are too few letters. Parameter home is the language of most of the text, or -1.
// Lines in no language may be lines of it that are full of names.
func (p *passage) settle(windows []*window, home int, found *tally) int {
	all, bytes := sum(windows), 0
	for _, w := range windows {
		bytes += w.bytes
	}
	// This is a copy: words are added to all below, but letters alone decide whether the language is unknown.
	letters := *all
	var words heard
	if p.letters() <= fewLetters {
		for _, w := range windows {
			words.add(all.addWords(p.text[w.start:w.end]))
		}
	}
	// all is kept, since capitalised words also help to choose among relatives.
	chosen := *all
	if p.letters() <= headlineLetters {
		chosen.addSmallWords(p, windows)
	}
	best := p.breakTie(&chosen, chosen.best(p.script, nil))
	confidence := chosen.confidence(p.script, best)
	switch {
	case isWordless(all.letters, windows), p.isNoise(&letters, best, windows):
		if beside, others := p.besideCode(windows); beside != nil {
			found.add(NoLanguage, others, 1)
			return p.settle(beside, home, found)
		}
		found.add(NoLanguage, bytes, 1)
		return -1
	case !p.isEnough(all.letters, confidence, windows):
		return -1
	}
	if code, sure := p.minor(&letters, windows); code != "" {
		found.add(code, bytes, sure)
		return -1
	}
	if letters.isUnlikely(best, &words) || p.isRareName(&chosen, best, windows) ||
		letters.isForeign(best) && !p.isProse(best, proseWords, windows) {
		if home >= 0 && p.isProse(home, lineWords, windows) {
			found.add(models().Languages[home].Code, bytes, signDoubt)
			return home
		}
		// Lists of names look like no language, but their page says which one they are in.
		if code := models().Languages[best].Code; slices.Contains(p.declared, code) {
			found.add(code, bytes, signDoubt)
			return best
		}
		found.add(Unknown, bytes, 1)
		return -1
	}
	if all.letters < relativeLetters {
		best, confidence = p.lookCloser(all, &chosen, best)
	}
	found.add(models().Languages[best].Code, bytes, confidence)
	return best
}

// isEnough reports whether this number of letters is enough for a language with this confidence.
func (p *passage) isEnough(letters int, confidence float64, windows []*window) bool {
	if confidence < minConfidence || letters < p.script.leastLetters() {
		return false
	}
	return letters >= p.script.minLetters() || confidence >= leastSure && !p.isNames(windows)
}

// sureOfFamily returns the confidence that the sample is in language l or a near one.
func (p *passage) sureOfFamily(s *sample, l int) (sum float64) {
	for _, other := range near(relatives, p.script, l) {
		sum += s.confidence(p.script, other)
	}
	return sum
}

// breakTie returns the likeliest declared language that is kin of best and about as likely, and otherwise best.
func (p *passage) breakTie(s *sample, best int) int {
	chosen, least := best, tieNats+tieRate*float64(s.letters)
	for _, l := range kinOf(p.script, best) {
		base, _, _ := strings.Cut(models().Languages[l].Code, "-")
		if behind := s.nats(best, l); behind <= least && slices.Contains(p.declared, base) {
			chosen, least = l, behind
		}
	}
	return chosen
}

// confidence returns the confidence that the sample is in language l and no other of the script.
func (s *sample) confidence(c script, l int) float64 { return s.confidenceAmong(languagesOf()[c], l) }

// confidenceAmong returns the confidence that the sample is in language l, given that it is in one of a set.
func (s *sample) confidenceAmong(set []int, l int) float64 {
	sum := 0.0
	for _, other := range set {
		// Only differences are exponentiated. A language far ahead gives +Inf, and so confidence 0 for this one.
		sum += math.Exp(s.nats(other, l) / temperature)
	}
	return 1 / sum
}
