package model

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestTokenize(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"signs", `He said: "No!!!" (really)`, `He|said|:|"|No|!!!|"|(|really|)`},
		{"possessive", "Bob's and James' and O'Brien’s", "Bob|'s|and|James|'|and|O'Brien|’s"},
		{"contraction", "I don't", "I|don't"},
		{"abbreviations", "Mr. X. of Enron Inc. in the U.S. and U.K", "Mr.|X.|of|Enron|Inc.|in|the|U.S.|and|U.K"},
		{"a full stop ends other words", "the end. Then", "the|end|.|Then"},
		{"no space behind a full stop", "the end.Then", "the|end|.|Then"},
		{"pronoun", "than I.", "than|I|."},
		{"numbers", "1,000.50 in 1999, F16", "1,000.50|in|1999|,|F16"},
		{"ampersand", "AT&T and R & B", "AT&T|and|R|&|B"},
		{"hyphen", "al-Sadr", "al|-|Sadr"},
		{
			"addresses", "see http://a.b/c?d. or a.b@c.org, or www.example.com.",
			"see|http://a.b/c?d|.|or|a.b@c.org|,|or|www.example.com|.",
		},
		{"handles", "@some_one #tag2 # @", "@some_one|#tag2|#|@"},
		{"outside ASCII", "Zoë… «Ü»", "Zoë|…|«|Ü|»"},
		{"not UTF-8", "a\xffb", "a|\xff|b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, x := range tokenize(test.text, 0, nil) {
				got = append(got, test.text[x.Start:x.End])
			}
			if diff := cmp.Diff(strings.Split(test.want, "|"), got); diff != "" {
				t.Errorf("tokenize(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestTokenize_shapes(t *testing.T) {
	for word, want := range map[string]Shape{
		"word": Lower, "Word": Capital, "WORD": Upper, "W": Single, "W.": Initials, "U.S.": Initials, "McDonald": Camel,
		"iPhone": Camel, "F16": UpperMix, "x86": Mixed, "12": Number, "1999": Year, "9999": Number, "日本": Foreign,
		"a@b": Address, "x.com": Address, "@a": Handle, "#a": Hashtag, "Ökonom": Capital, "…": Period, "–": Dash, "+": Sign,
	} {
		if got := tokenize(word, 0, nil)[0]; got.Shape != want || int(got.End) != len(word) {
			t.Errorf("shape of %q = %d to byte %d, want %d", word, got.Shape, got.End, want)
		}
	}
}

func TestSplit(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"full stops", "It is. It was! Was it? Yes", "It is.|It was!|Was it?|Yes"},
		{"titles", "Mr. Smith met Dr. Jones. He left.", "Mr. Smith met Dr. Jones.|He left."},
		{"companies", "He works for Enron Inc. She does not.", "He works for Enron Inc.|She does not."},
		{"lower case goes on", "Yahoo! is big. and so on", "Yahoo! is big. and so on"},
		{"quotes", `"It is." He left. (It was.) Yes`, `"It is."|He left.|(It was.)|Yes`},
		{"initials", "J. Smith of the U.S. Army", "J. Smith of the U.S. Army"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tokens := tokenize(test.text, 0, nil)
			var got []string
			for _, s := range split(test.text, tokens, 0, nil) {
				got = append(got, test.text[tokens[s.first].Start:tokens[s.end-1].End])
			}
			if diff := cmp.Diff(strings.Split(test.want, "|"), got); diff != "" {
				t.Errorf("split(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{
		"O'Brien’s AT&T, Inc.", "a.b@c http://", "\xff'\xff.s", "1,0.A",
		"Mr. Ünal’s U.S. co. ÀÉ.B",
		"aB Ab AB A, a; b\t12 a1 c-d \"e\" f/g h:i j://k l@m n&o P&Q r.s t,u v'w X'S y\nz",
		strings.Repeat("a", maxPlain) + " " + strings.Repeat("b", maxPlain+1) + " " + strings.Repeat("c", 1<<17),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := int32(0)
		for _, x := range tokenize(text, 0, nil) {
			if x.Start < last || x.End <= x.Start || int(x.End) > len(text) {
				t.Fatalf("token %d to %d after %d", x.Start, x.End, last)
			}
			space := func(r rune) bool { return r <= ' ' || unicode.IsSpace(r) }
			if gap := text[last:x.Start]; strings.TrimFunc(gap, space) != "" {
				t.Fatalf("%q is in no token", gap)
			}
			if got, ok := plainWord(text, int(x.Start)); ok && got != word(text, int(x.Start)) {
				t.Fatalf("plainWord(%q) = %+v, want %+v", text[x.Start:], got, word(text, int(x.Start)))
			}
			if word := text[x.Start:x.End]; x.hash != HashWord(word) {
				t.Fatalf("hash of %q = %x, want %x", word, x.hash, HashWord(word))
			}
			last = x.End
		}
	})
}
