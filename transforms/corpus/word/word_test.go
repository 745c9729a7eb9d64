package word

import (
	"slices"
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Don't pay $5, Mr. Smith.", "Do n't pay $ 5 , Mr. Smith ."},
		{"You’re (almost) there…", "You ’re ( almost ) there …"},
		{"the dog's bone, the dogs' bones", "the dog 's bone , the dogs ' bones"},
		{"well-known 3-4 and/or end.Next", "well - known 3 - 4 and/or end . Next"},
		{"see https://example.com/a-b,c or mail a.b@example.com.", "see https://example.com/a-b,c or mail a.b@example.com ."},
		{"10km at 5pm, 20% of U.S. GDP.", "10 km at 5 pm , 20 % of U.S. GDP ."},
		{"wait... what?! (foo):", "wait ... what ? ! ( foo ):"},
		{"“Quoted,” he said—twice", "“ Quoted , ” he said — twice"},
		{"+1 a+b +x", "+1 a+b + x"},
		{" \t\n", ""},
		{"今日は", "今日は"},
		{"\xff\xfe", "\xff \xfe"},
	} {
		if got := strings.Join(Append(nil, tt.text), " "); got != tt.want {
			t.Errorf("Append(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "One": 1, "One. Two! Three?": 3, "Mr. Smith left.": 1, "He said: \"Go.\" Then he went.": 2, "Wait... what?": 1,
		"一。二。": 1,
	} {
		if got := Sentences(Append(nil, text)); got != want {
			t.Errorf("Sentences(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestAppendCharacters(t *testing.T) {
	got := AppendCharacters(nil, "今日は Go 1.26")
	if want := []string{"今", "日", "は", "Go", "1.26"}; !slices.Equal(got, want) {
		t.Errorf("AppendCharacters = %q, want %q", got, want)
	}
}

// FuzzAppend: words are the whole text except white space, in order.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{
		"Don't pay $5, Mr. Smith.", "a--b...c…d", "''):'s's ’S", strings.Repeat("(", 5000),
		"\xff. \x80", "US$5+km/h.",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := Append(nil, text)
		whole := strings.Join(words, "")
		want := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return classOf(r)&space != 0 }), "")
		if whole != want {
			t.Errorf("the words of %q are %q", text, words)
		}
		if slices.Contains(words, "") {
			t.Errorf("a word of %q is empty", text)
		}
		Sentences(words)
		AppendCharacters(nil, text)
	})
}

func BenchmarkAppend(b *testing.B) {
	for name, line := range map[string]string{
		"English": "Don't pay $5, Mr. Smith; it's a well-known trick of theirs (and ours).\n",
		"Russian": "Прилив пришёл вчера, а потом вода ушла; лодки остались (на песке).\n",
		"Chinese": "潮水昨天来了，然后水退了；船留在沙滩上。\n",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(line, 100)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var words []string
			for b.Loop() {
				words = Append(words[:0], text)
			}
		})
	}
}
