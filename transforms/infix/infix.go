// Package infix reports whether a text contains one of several words, at any place and in any case, in one pass. It is
// for the many short texts of a page, such as the classes of its elements.
//
//	var asides = infix.New("quote", "signature")
//	asides.In([]byte("post-Signature")) // true
package infix

import (
	"bytes"
	"unicode/utf8"
)

// Set is an automaton that finds words (Aho and Corasick, "Efficient string matching", 1975). It is safe for
// concurrent use.
type Set struct {
	symbols [256]uint8 // 0 for bytes that no word has; both cases of an ASCII letter have one symbol
	width   int        // number of symbols
	// next has a row of width entries for each state, which is named by the start of its row.
	next []uint32
}

// found is the state after a word.
const found = 1<<32 - 1

// New returns the set of words, which are in lower case and not empty.
func New(words ...string) *Set {
	s := &Set{width: 1}
	for _, w := range words {
		for _, c := range []byte(w) {
			if s.symbols[c] == 0 {
				s.symbols[c] = uint8(s.width)
				s.width++
			}
		}
	}
	for c := byte('a'); c <= 'z'; c++ {
		s.symbols[c-0x20] = s.symbols[c]
	}
	s.next = make([]uint32, s.width)
	for _, w := range words {
		s.add(w)
	}
	s.link()
	return s
}

// add adds the states of a word.
func (s *Set) add(word string) {
	state := uint32(0)
	for i := range len(word) {
		at := state + uint32(s.symbols[word[i]])
		switch {
		// A shorter word is at the start of this one.
		case s.next[at] == found:
			return
		case i == len(word)-1:
			s.next[at] = found
		// No word leads back to the first state, so 0 means that there is no state yet.
		case s.next[at] == 0:
			s.next[at] = uint32(len(s.next))
			s.next = append(s.next, make([]uint32, s.width)...)
		}
		state = s.next[at]
	}
}

// link fills the missing transitions of each state with those of its longest proper suffix that is a state. Breadth
// first, since a suffix is shorter.
func (s *Set) link() {
	suffixes := map[uint32]uint32{}
	for queue := []uint32{0}; len(queue) > 0; queue = queue[1:] {
		state := queue[0]
		for symbol := uint32(1); symbol < uint32(s.width); symbol++ {
			next, fallback := &s.next[state+symbol], s.next[suffixes[state]+symbol]
			switch {
			case *next == found:
			case *next == 0 || fallback == found:
				*next = fallback
			default:
				// The first state is its own suffix, and that of its children.
				if state != 0 {
					suffixes[*next] = fallback
				}
				queue = append(queue, *next)
			}
		}
	}
}

// In reports whether text contains a word after bytes.ToLower.
func (s *Set) In(text []byte) bool {
	state := uint32(0)
	for _, c := range text {
		// Lower case may change the number of bytes.
		if c >= utf8.RuneSelf {
			return s.inLower(bytes.ToLower(text))
		}
		if state = s.next[state+uint32(s.symbols[c])]; state == found {
			return true
		}
	}
	return false
}

func (s *Set) inLower(text []byte) bool {
	state := uint32(0)
	for _, c := range text {
		if state = s.next[state+uint32(s.symbols[c])]; state == found {
			return true
		}
	}
	return false
}
