package model

import (
	"sync"
	"unicode"
)

// class is the kind of a character of words.
type class uint8

const (
	noWord class = iota
	upperCase
	lowerCase
	digit
	otherLetter
	mark
)

// char is what the tokenizer asks of a character.
type char struct {
	class class
	lower uint16
}

// twoBytes has the characters that UTF-8 writes in at most two bytes: all Latin, Greek, Cyrillic, Hebrew and Arabic
// ones of usual texts. Package unicode searches its tables for each of them.
var twoBytes = sync.OnceValue(func() *[0x800]char {
	var all [0x800]char
	for i := range all {
		r := rune(i)
		all[i] = char{searchClass(r), uint16(unicode.ToLower(r))}
	}
	return &all
})

func classOf(r rune) class {
	if uint32(r) < 0x800 {
		return twoBytes()[r].class
	}
	return searchClass(r)
}

func searchClass(r rune) class {
	switch {
	case unicode.IsUpper(r):
		return upperCase
	case unicode.IsLower(r):
		return lowerCase
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r):
		return otherLetter
	case unicode.IsMark(r):
		return mark
	}
	return noWord
}

func toLower(r rune) rune {
	if uint32(r) < 0x800 {
		return rune(twoBytes()[r].lower)
	}
	return unicode.ToLower(r)
}
