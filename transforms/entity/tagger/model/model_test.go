package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small returns a model with a few words in its lexicon, and an untrained net.
func small() *Model {
	words, phrases := make([]byte, 64*8), make([]byte, 64*4)
	for i, w := range []struct {
		word  string
		flags uint8
	}{{"london", PlaceWord}, {"reading", PlaceWord | Common}, {"anna", GivenName}, {"club", Organisation | Common}} {
		put(words, 8, HashWord(w.word), Entry(HashWord(w.word), i+1, w.flags))
	}
	h, _ := HashPhrase("New York City")
	put(phrases, 4, h, Phrase(h, City|Place))
	m := &Model{Lexicon: NewLexicon(words, phrases, Clusters)}
	m.Chain.Vote, m.Chain.VoteCap = 3, 4
	m.Net = NewNet(Clusters)
	m.Net.Layers[1].Weights[2], m.Net.Out.Bias[3], m.Net.Table[4] = -5, -6, 7
	m.Chain.Transitions[1][2], m.Chain.Confidence[2][63] = -7, 99
	return m
}

// put puts value into the first free slot of a table.
func put(table []byte, size int, hash, value uint64) {
	i := int(hash) & (len(table)/size - 1) * size
	for binary.LittleEndian.Uint32(table[i:]) != 0 {
		i = (i + size) % len(table)
	}
	if size == 4 {
		binary.LittleEndian.PutUint32(table[i:], uint32(value))
	} else {
		binary.LittleEndian.PutUint64(table[i:], value)
	}
}

func TestLexicon(t *testing.T) {
	l := &small().Lexicon
	if e := l.word(HashWord("LONDON")); e.flags() != PlaceWord || e.row() != 1 {
		t.Errorf("London has flags %d, row %d", e.flags(), e.row())
	}
	if e := l.word(HashWord("paris")); e != unknown || e.row() != 0 || e.flags() != 0 {
		t.Errorf("an unknown word has entry %x", uint64(e))
	}
	if h, n := HashPhrase("new york CITY"); n != 3 || l.phrase(h) != City|Place {
		t.Errorf("phrase of %d words has kinds %d", n, l.phrase(h))
	}
	if h, _ := HashPhrase("new york"); l.phrase(h) != 0 {
		t.Error("a part of a phrase is one")
	}
}

// A name that mayBegin refused would not be found in lower case.
func TestLexicon_mayBegin(t *testing.T) {
	l := &small().Lexicon
	for word, want := range map[string]bool{
		"london": true, "anna": true, "reading": false, "club": false,
		"paris": false,
	} {
		if got := l.mayBegin(HashWord(word)); got != want {
			t.Errorf("mayBegin(%s) = %v, want %v", word, got, want)
		}
	}
}

func TestDocument_runs(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"capitals", "Yesterday we met John Smith there.", "Yesterday|John Smith"},
		{"what joins", "the Bank of the West and Alice, Bob", "Bank of the West and Alice, Bob"},
		{"too far", "the Bank of the very West", "Bank|West"},
		{"three between", "the Bank of the-West met", "Bank|West"},
		{"names in programs", "call handleClick and isLondon or iPhone", ""},
		{"full stop", "He came. Then", "He|Then"},
		{"pronoun", "then I went", ""},
		{"numbers follow", "the Boeing 747 flew", "Boeing 747"},
		{"words of organisations follow", "the Chess club met", "Chess club"},
		{"known places in lower case", "in london, not reading books", "london"},
		{"known names where nothing has capitals", "with anna", "anna"},
		{"elsewhere not", "With anna", "With"},
		{"lines", "New\nYork", "New|York"},
		{"begins a sentence, in lower case elsewhere", "Dogs bark. We like dogs", "We"},
		{"names in lists begin a sentence", "Anna barks. We like anna", "Anna|We"},
		{"begins a sentence, with another word", "Dogs Trust barks. We like dogs", "Dogs Trust|We"},
		{"in lower case elsewhere, within a sentence", "the Dogs bark, we like dogs", "Dogs"},
	}
	lexicon := &small().Lexicon
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var d document
			d.load(test.text, lexicon)
			var got []string
			for _, r := range d.runs {
				got = append(got, test.text[d.tokens[r.first].Start:d.tokens[r.end-1].End])
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("runs of %q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestCaseTable(t *testing.T) {
	var d document
	d.load("Apple grows. An apple and an Apple and Apple.", &small().Lexicon)
	if got := d.cases.of(HashWord("apple")); got != 1<<2|2 {
		t.Errorf("apple is counted as %b: once in lower case and twice with a capital is %b", got, 1<<2|2)
	}
	d.load("Apple", &small().Lexicon)
	if got := d.cases.of(HashWord("apple")); got != 0 {
		t.Errorf("in the next document apple is counted as %b", got)
	}
}

func TestPaths(t *testing.T) {
	text := "We saw Anna Smith in London."
	name := func(s string, kind Type) Span {
		return Span{Start: strings.Index(text, s), End: strings.Index(text, s) + len(s), Type: kind}
	}
	names := []Span{name("Anna Smith", Person), name("London", Location), name("saw", Person)}
	got := Paths(&small().Lexicon, text, names)
	want := [][]uint8{{0}, {1 + begin, 1 + end, 0, 1 + 8 + single}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestDecode(t *testing.T) {
	file := small().Encode()
	m, err := Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := &m.Net; n.Layers[1].Weights[2] != -5 || n.Out.Bias[3] != -6 || n.Table[4] != 7 {
		t.Error("Decode does not read the net that Encode writes")
	}
	if !bytes.Equal(m.Encode(), file) || m.Chain.Transitions[1][2] != -7 || m.Chain.Confidence[2][63] != 99 {
		t.Error("Decode does not read what Encode writes")
	}
	for _, bad := range [][]byte{
		nil, file[:20], file[:len(file)-1], append([]byte("x"), file...),
		[]byte(strings.Repeat("x", 5000)),
	} {
		if _, err := Decode(bad); !errors.Is(err, ErrFormat) {
			t.Errorf("Decode of %d bytes: %v, want %v", len(bad), err, ErrFormat)
		}
	}
}

func FuzzDecode(f *testing.F) {
	file := small().Encode()
	f.Add(file[len(magic):headSize], 0)
	f.Fuzz(func(t *testing.T, head []byte, cut int) {
		b := append([]byte(nil), file...)
		copy(b[len(magic):], head[:min(len(head), 20)])
		if m, err := Decode(b[:len(b)-max(0, min(cut, len(b)))]); err == nil &&
			len(m.Net.Table) != (m.Lexicon.rows+knownRows)*Width {
			t.Fatal("rows are missing")
		}
	})
}
