package word

import (
	"strings"
	"sync"
)

// maxSpecial is the maximum length of chunks that are looked up.
const maxSpecial = 18

// special returns the lengths of the words of a chunk with a fixed division, or nil for others.
func special(s string) []int {
	// For most words, the length and the first, middle and last byte show that they are not in the list.
	if len(s) > maxSpecial || s == "" || !listed()[place(s)] {
		return nil
	}
	return specials()[s]
}

const placeBits = 15

// place returns the index of s, and of similar chunks, in listed.
func place(s string) uint32 {
	like := uint32(s[0]) | uint32(s[len(s)/2])<<8 | uint32(s[len(s)-1])<<16 | uint32(len(s))<<24
	return like * 0x9e3779b1 >> (32 - placeBits)
}

// listed returns a table that is false for chunks that are not similar to any in the list.
var listed = sync.OnceValue(func() *[1 << placeBits]bool {
	t := new([1 << placeBits]bool)
	for s := range specials() {
		if len(s) <= maxSpecial {
			t[place(s)] = true
		}
	}
	return t
})

func appendParts(words []string, s string, parts []int) []string {
	for _, n := range parts {
		words, s = append(words, s[:n]), s[n:]
	}
	return words
}

// specials returns contractions with and without their apostrophe, abbreviations with dots and some emoticons. They are
// the exceptions of spaCy's English rules.
var specials = sync.OnceValue(func() map[string][]int {
	t := table{}
	t.pronouns()
	t.questions()
	t.verbs()
	for _, h := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12") {
		for _, half := range strings.Fields("a.m. am p.m. pm") {
			t.add(h, half)
		}
	}
	for _, divided := range strings.Fields("y'|all y|all how|'d|'y How|'d|'y not|'ve not|ve Not|'ve Not|ve can|not " +
		"Can|not gon|na Gon|na " +
		"got|ta Got|ta let|'s Let|'s c'm|on C'm|on") {
		t.add(strings.Split(divided, "|")...)
	}
	for _, whole := range strings.Fields(wholes) {
		t.add(whole)
	}
	for c := 'a'; c <= 'z'; c++ {
		t.add(string(c) + ".")
	}
	for _, word := range strings.Fields("Ill ill Its its Hell hell Shell shell Shed shed were Were Well well Whore " +
		"whore") {
		delete(t, word)
	}
	return t
})

type table map[string][]int

func (t table) add(parts ...string) {
	// Word processors write the apostrophe as a quotation mark, which has three bytes.
	for _, apostrophe := range [...]string{"'", "’"} {
		var chunk string
		var sizes []int
		for _, p := range parts {
			p = strings.ReplaceAll(p, "'", apostrophe)
			chunk, sizes = chunk+p, append(sizes, len(p))
		}
		t[chunk] = sizes
	}
}

// both adds a chunk in lower case and with a capital, with its apostrophes and without.
func (t table) both(first string, rest ...string) {
	for _, word := range [...]string{first, strings.ToUpper(first[:1]) + first[1:]} {
		bare := []string{word}
		for _, r := range rest {
			bare = append(bare, strings.ReplaceAll(r, "'", ""))
		}
		t.add(append([]string{word}, rest...)...)
		t.add(bare...)
	}
}

func (t table) pronouns() {
	t.both("i", "'m")
	t.both("i", "'m", "a")
	for _, p := range strings.Fields("i you he she it we they") {
		t.both(p, "'ll")
		t.both(p, "'ll", "'ve")
		t.both(p, "'d")
		t.both(p, "'d", "'ve")
	}
	for _, p := range strings.Fields("i you we they") {
		t.both(p, "'ve")
	}
	for _, p := range strings.Fields("you we they") {
		t.both(p, "'re")
	}
	for _, p := range strings.Fields("he she it") {
		t.both(p, "'s")
	}
}

func (t table) questions() {
	for _, w := range strings.Fields("who what when where why how there that this these those") {
		if w != "these" && w != "those" {
			t.both(w, "'s")
		}
		t.both(w, "'ll")
		t.both(w, "'ll", "'ve")
		if w != "that" && w != "this" {
			t.both(w, "'re")
			t.both(w, "'ve")
		}
		t.both(w, "'d")
		t.both(w, "'d", "'ve")
	}
}

func (t table) verbs() {
	for _, v := range strings.Fields("ca could do does did had may might must need ought sha should wo would") {
		t.both(v, "n't")
		t.both(v, "n't", "'ve")
	}
	for _, v := range strings.Fields("could might must should would") {
		t.both(v, "'ve")
	}
	for _, v := range strings.Fields("ai are is was were have has dare") {
		t.both(v, "n't")
	}
}

// wholes are chunks that are one word although they contain a sign.
const wholes = `'S 's ‘S ‘s and/or w/o 're 'Cause 'cause 'cos 'Cos 'coz 'Coz 'cuz 'Cuz 'bout ma'am Ma'am o'clock O'clock
lovin' Lovin' havin' Havin' doin' Doin' goin' Goin' nothin' Nothin' nuthin' Nuthin' ol' Ol' somethin' Somethin'
'em 'll 'nuff
Mt. Ak. Ala. Apr. Ariz. Ark. Aug. Calif. Colo. Conn. Dec. Del. Feb. Fla. Ga. Ia. Id. Ill. Ind. Jan. Jul. Jun. Kan. Kans.
Ky. La. Mar. Mass. Mich. Minn. Miss. N.C. N.D. N.H. N.J. N.M. N.Y. Neb. Nebr. Nev. Nov. Oct. Okla. Ore. Pa. S.C.
Sep. Sept.
Tenn. Va. Wash. Wis. 'd a.m. Adm. Bros. co. Co. Corp. D.C. Dr. e.g. E.g. E.G. Gen. Gov. i.e. I.e. I.E. Inc. Jr. Ltd. Md.
Messrs. Mo. Mont. Mr. Mrs. Ms. p.m. Ph.D. Prof. Rep. Rev. Sen. St. vs. v.s. C++
'' ): 8) 8-) :') :) :-) ;) ;-) :( :-( :D :-D :P :-P :/ :-/ <3 =) =( ^_^ :* xD XD`
