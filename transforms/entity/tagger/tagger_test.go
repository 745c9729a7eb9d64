package tagger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func found(t *Tagger, text string) []string {
	var s []string
	for _, m := range t.Tag(text, "en", nil) {
		s = append(s, fmt.Sprintf("%s %s", m.Type, text[m.Start:m.End]))
	}
	return s
}

func TestTagger_Tag(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"types", "John Smith works for Apple Inc. in New York.", []string{
			"person John Smith", "organization Apple Inc.",
			"place New York",
		}},
		{"possessive", "We saw Barack Obama's house in Chicago.", []string{"person Barack Obama", "place Chicago"}},
		{"typographic apostrophe", "This is Michael Jackson’s brother.", []string{"person Michael Jackson"}},
		{
			"abbreviation ends no sentence", "I met Dr. David Johnson in Washington.",
			[]string{"person David Johnson", "place Washington"},
		},
		{"names in programs", "import React, { useEffect } from handleStatusChange", nil},
		{"data for programs", `{"name":"John Smith","city":"London"}`, nil},
		{"styles", ".hero {background: url(/Freedonia/media/London.png)}", nil},
		{"prose beside programs", "John Smith wrote it.\nfunc Paris() { return London }", []string{"person John Smith"}},
		{"lower case only", "this text names nobody at all.", nil},
		{"capitals that are no names", "The Weather Is Nice. However, we stay at home on Monday.", nil},
		{
			"letters outside ASCII", "Gerhard Schröder was born in Germany.",
			[]string{"person Gerhard Schröder", "place Germany"},
		},
		{"handles and addresses", "Ask @JohnSmith or see http://London.example/Paris", nil},
		{"empty", "", nil},
	}
	tagger := New(Options{})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, found(tagger, test.text)); diff != "" {
				t.Errorf("Tag(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestTagger_Tag_noNameReachesOverALine(t *testing.T) {
	text := "They flew to New\nYork with John\nSmith and New\tYork\tJohn\tSmith"
	for _, m := range New(Options{MinConfidence: -1}).Tag(text, "en", nil) {
		if strings.ContainsAny(text[m.Start:m.End], "\n\t") {
			t.Errorf("Tag found %q", text[m.Start:m.End])
		}
	}
}

// TestTagger_Tag_cells: the names of a row's cells are apart, without the numbers beside them.
func TestTagger_Tag_cells(t *testing.T) {
	for _, tt := range []struct {
		language, text string
		want           []string
	}{
		{"en", "Carlos Ghosn\tRenault\tFrance", []string{"Carlos Ghosn", "Renault", "France"}},
		{"en", "Real Madrid\t78\t12\nManchester United\t7:30", []string{"Real Madrid", "Manchester United"}},
		{"en", "Boris Johnson\tLondon\tConservative", []string{"Boris Johnson", "London"}},
		{"de", "Angela Merkel\tHamburg\tCDU", []string{"Angela Merkel", "CDU"}},
		{"fr", "Emmanuel Macron\tAmiens\t1977", []string{"Emmanuel Macron"}},
	} {
		var got []string
		for _, m := range New(Options{}).Tag(tt.text, tt.language, nil) {
			got = append(got, tt.text[m.Start:m.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("Tag(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestTagger_Tag_otherLanguages(t *testing.T) {
	if got := New(Options{}).Tag("Angela Merkel yuko Berlin.", "sw", nil); got != nil {
		t.Errorf("Tag of Swahili = %v, want nothing", got)
	}
}

// If it is unclear whether a word is a name, the same word elsewhere in the text decides.
func TestTagger_Tag_otherMentionsDecide(t *testing.T) {
	tagger := New(Options{MinConfidence: -1})
	names := []string{"Angela Merkel", "Margaret Thatcher", "Peter Lindqvist", "Maria Okafor", "John Farquhar"}
	for _, name := range names {
		surname := strings.Fields(name)[1]
		alone := surname + " left."
		if got := found(tagger, alone); got != nil {
			t.Errorf("Tag(%q) = %q, want nothing", alone, got)
		}
		text := name + " spoke.\n" + alone
		if diff := cmp.Diff([]string{"person " + name, "person " + surname}, found(tagger, text)); diff != "" {
			t.Errorf("Tag(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestTagger_Tag_confidence(t *testing.T) {
	text := "John Smith met Visit and Kenneally at the Home Depot of Barling near Mi Pueblo in London, England."
	all := New(Options{MinConfidence: -1}).Tag(text, "en", nil)
	precise := New(Options{MinConfidence: 0.85}).Tag(text, "en", nil)
	want := slices.DeleteFunc(slices.Clone(all), func(m Mention) bool { return m.Confidence < 0.85 })
	if diff := cmp.Diff(want, precise); diff != "" || len(precise) == 0 || len(precise) == len(all) {
		t.Errorf("%d of %d names are likely (-want +got):\n%s", len(precise), len(all), diff)
	}
}

// poolsLeak is set if sync.Pool drops objects at random.
var poolsLeak bool

func TestTagger_Tag_appendsAndAllocatesNothing(t *testing.T) {
	text := strings.Repeat("John Smith works for Google in New York. nothing here.\n", 50)
	tagger := New(Options{})
	dst := tagger.Tag(text, "en", []Mention{{End: 1}})
	if dst[0] != (Mention{End: 1}) || len(dst) < 100 {
		t.Fatalf("Tag appended %d to a slice of one", len(dst))
	}
	if n := testing.AllocsPerRun(20, func() { dst = tagger.Tag(text, "en", dst[:0]) }); n > 0.5 && !poolsLeak {
		t.Errorf("Tag allocates %v times", n)
	}
}

// The time must be linear in the text, for any text: none of these takes a second.
func TestTagger_Tag_hostile(t *testing.T) {
	tagger := New(Options{})
	units := []string{"A", "A ", "A, ", "A.", "the New ", "a'", "@", "http://", "Ü", "\xff", "!", "A\n", "A b c d ", "1,"}
	for _, unit := range append(units, "A\t", "Ab so so so ") {
		text := strings.Repeat(unit, (1<<18)/len(unit))
		tagger.Tag(text, "en", nil)
	}
}

func FuzzTag(f *testing.F) {
	for _, s := range []string{
		"John Smith of AT&T, Inc. (U.S.) said: \"I'm in St. Louis\".", "@a #b x@y.z www.A.b",
		"\xff\xfe’s", "Ⅷ ǅ İ",
	} {
		f.Add(s)
	}
	tagger := New(Options{MinConfidence: -1})
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, m := range tagger.Tag(text, "en", nil) {
			if m.Start < last || m.End <= m.Start || m.End > len(text) || strings.ContainsAny(text[m.Start:m.End], "\n\t") {
				t.Fatalf("mention %+v after %d in %q", m, last, text)
			}
			if m.Confidence < 0 || m.Confidence > 1 || m.Type == "" {
				t.Fatalf("mention %+v", m)
			}
			last = m.End
		}
	})
}
