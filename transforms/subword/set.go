package subword

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// set is a set of characters: of tables, single ones and other sets.
type set struct {
	ascii    [utf8.RuneSelf]bool
	tables   []*unicode.RangeTable
	sets     []*set
	also     []*set // characters must be in all of these
	negative bool
	pages    [1 << 8]atomic.Pointer[page] // of the first 65,536 characters, made when they are needed
}

// page says for 256 characters whether they are in a set.
type page [4]uint64

// in is has for a character that is not ASCII.
func (s *set) in(r rune) bool {
	if r > 0xffff {
		return s.slow(r)
	}
	p := s.pages[r>>8].Load()
	if p == nil {
		p = new(page)
		for i := range rune(256) {
			if s.slow(r&^0xff + i) {
				p[i>>6] |= 1 << (i & 63)
			}
		}
		s.pages[r>>8].Store(p)
	}
	return p[r>>6&3]>>(r&63)&1 != 0
}

func (s *set) has(r rune) bool {
	if r < utf8.RuneSelf {
		return s.ascii[r]
	}
	return s.in(r)
}

// slow looks a character up in the tables.
func (s *set) slow(r rune) bool {
	for _, x := range s.also {
		if !x.slow(r) {
			return s.negative
		}
	}
	if len(s.tables)+len(s.sets) == 0 && len(s.also) > 0 {
		return !s.negative
	}
	for _, t := range s.tables {
		if unicode.Is(t, r) {
			return !s.negative
		}
	}
	for _, x := range s.sets {
		if x.slow(r) {
			return !s.negative
		}
	}
	return s.negative
}

// at returns the length of the character at i if it is in the set, or 0.
func (s *set) at(text string, i int) int {
	if c := text[i]; c < utf8.RuneSelf {
		if s.ascii[c] {
			return 1
		}
		return 0
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	if s.in(r) {
		return size
	}
	return 0
}

// ready fills the table of ASCII.
func (s *set) ready() *set {
	for r := range rune(utf8.RuneSelf) {
		s.ascii[r] = s.slow(r)
	}
	return s
}

func (s *set) add(low, high rune) {
	s.tables = append(s.tables, &unicode.RangeTable{R32: []unicode.Range32{{
		Lo: uint32(low), Hi: uint32(high),
		Stride: 1,
	}}})
}

// addFolded adds a character in both cases.
func (s *set) addFolded(r rune) {
	s.add(r, r)
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		s.add(f, f)
	}
}

func not(s *set) *set { return (&set{sets: []*set{s}, negative: true}).ready() }

func tables(list ...*unicode.RangeTable) *set { return (&set{tables: list}).ready() }

// any character but a line feed, white space, words and digits, as the regular expressions of tokenizers have them.
var (
	dotSet   = not(func() *set { s := &set{}; s.add('\n', '\n'); return s.ready() }())
	spaceSet = tables(unicode.White_Space)
	digitSet = tables(unicode.Nd)
	wordSet  = func() *set {
		s := &set{tables: []*unicode.RangeTable{
			unicode.L, unicode.Nl, unicode.M, unicode.Nd, unicode.Pc, unicode.Other_Alphabetic,
		}}
		s.add('\u200c', '\u200d')
		return s.ready()
	}()
)

// escaped returns the set of \s and the like.
func escaped(c rune) *set {
	switch c {
	case 's':
		return spaceSet
	case 'S':
		return not(spaceSet)
	case 'd':
		return digitSet
	case 'D':
		return not(digitSet)
	case 'w':
		return wordSet
	case 'W':
		return not(wordSet)
	}
	return nil
}

// property returns the set of \p{name}: a category or a script.
func property(name string) *set {
	if t := unicode.Categories[name]; t != nil {
		return tables(t)
	}
	if t := unicode.Scripts[name]; t != nil {
		return tables(t)
	}
	if t := unicode.Properties[name]; t != nil {
		return tables(t)
	}
	return nil
}
