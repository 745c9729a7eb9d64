package word

import (
	"strings"
	"testing"
)

// divided fails unless the words of each text are those of want, which has blanks between them.
func divided(t *testing.T, tests []struct{ text, want string }) {
	t.Helper()
	for _, tt := range tests {
		if got := strings.Join(Append(nil, tt.text), " "); got != tt.want {
			t.Errorf("Append(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestAppend_contractions(t *testing.T) {
	divided(t, []struct{ text, want string }{
		{"I'm you're he's we've they'd it'll", "I 'm you 're he 's we 've they 'd it 'll"},
		{"I’m You’ll", "I ’m You ’ll"},
		{"She'd've who'd've", "She 'd 've who 'd 've"},
		{"can't cannot won't shan't Isn't couldn't've", "ca n't can not wo n't sha n't Is n't could n't 've"},
		{"dont Im youre", "do nt I m you re"},
		{"its Its well Well were ill hell shell shed", "its Its well Well were ill hell shell shed"},
		{"gonna gotta let's y'all", "gon na got ta let 's y' all"},
		{"(don't) \"I'll\"", "( do n't ) \" I 'll \""},
		{"ma'am o'clock 'em", "ma'am o'clock 'em"},
		{"James's books, boss's", "James 's books , boss 's"},
		{"rock 'n' roll", "rock ' n ' roll"},
	})
}

func TestAppend_abbreviations(t *testing.T) {
	divided(t, []struct{ text, want string }{
		{"Dr. Quay, Prof. Pier and Mrs. Tide", "Dr. Quay , Prof. Pier and Mrs. Tide"},
		{"e.g. i.e. vs. Ph.D. D.C.", "e.g. i.e. vs. Ph.D. D.C."},
		{"J. R. R. Tolkien", "J. R. R. Tolkien"},
		{"the U.S.A. and NASA.", "the U.S.A. and NASA ."},
		{"at 8 a.m. or 5pm", "at 8 a.m. or 5 pm"},
		{"Smith & Co. Ltd.", "Smith & Co. Ltd."},
		{"It ends. Etc.", "It ends . Etc ."},
	})
}

func TestAppend_numbers(t *testing.T) {
	divided(t, []struct{ text, want string }{
		{"1,000.50 3.14 1/2 12:30", "1,000.50 3.14 1/2 12:30"},
		{"5kg 10km² 3m/s 20°C", "5 kg 10 km² 3 m/s 20 ° C"},
		{"5kgs 3x B12 4th", "5kgs 3x B12 4th"},
		{"$5 US$5 €5.50 5€ £1,000", "$ 5 US$ 5 € 5.50 5 € £ 1,000"},
		{"20% -5 +5 3-4 2+2 2^8 2*-3", "20 % -5 +5 3 - 4 2 + 2 2 ^ 8 2 * -3"},
		{"2024. 7) (3)", "2024 . 7 ) ( 3 )"},
		{"§5 #5 =5", "§ 5 # 5 = 5"},
		{"١٢٣ ۴۵ １２", "١٢٣ ۴۵ １２"},
	})
}

func TestAppend_addresses(t *testing.T) {
	divided(t, []struct{ text, want string }{
		{"https://www.example.org/a-b/c?d=e&f=g#h", "https://www.example.org/a-b/c?d=e&f=g#h"},
		{"(see http://a.example/x).", "( see http://a.example/x ) ."},
		{"ada.quay@wrenmouth.example, ben@x.org!", "ada.quay@wrenmouth.example , ben@x.org !"},
		{"example.org:8080/x www.a-b.co.uk", "example.org:8080/x www.a-b.co.uk"},
		{"end.Next and end.next", "end . Next and end.next"},
		{"a/b/c either/or", "a / b / c either / or"},
		{"key=value a:b", "key = value a : b"},
		{"x..y a...b", "x .. y a ... b"},
	})
}

func TestAppend_signs(t *testing.T) {
	divided(t, []struct{ text, want string }{
		{"well-known state-of-the-art", "well - known state - of - the - art"},
		{"said—then she – no", "said — then she – no"},
		{"a--b a---b", "a -- b a --- b"},
		{"-a a- - --", "-a a- - --"},
		{"((a)) [b] {c} <d>", "( ( a ) ) [ b ] { c } < d >"},
		{"What?! No... ok…", "What ? ! No ... ok …"},
		{"good :) bad :-( <3", "good :) bad :-( <3"},
		{"fine👍 👍👍 a👍b", "fine 👍 👍 👍 a 👍 b"},
		{"© 2024 ™x", "© 2024 ™ x"},
		{"#tag @name a_b", "# tag @name a_b"},
		{"***bold*** `code`", "* * * bold * * * ` code `"},
		{"C++ and C#", "C++ and C #"},
	})
}

func TestAppend_languages(t *testing.T) {
	divided(t, []struct{ text, want string }{
		{"¿Qué tal? ¡Hola!", "¿ Qué tal ? ¡ Hola !"},
		{"« Bonjour », dit-il.", "« Bonjour » , dit - il ."},
		{"„Guten Tag“, sagte sie: ‚ja‘", "„ Guten Tag “ , sagte sie : ‚ ja ‘"},
		{"Прилив, отлив. Что?", "Прилив , отлив . Что ?"},
		{"Πλημμυρίδα; Ναι·", "Πλημμυρίδα ; Ναι ·"},
		{"ما هذا؟ نعم، شكرا؛", "ما هذا ؟ نعم ، شكرا ؛"},
		{"यह क्या है? यह जल है।", "यह क्या है ? यह जल है ।"},
		{"「潮」と『波』、そして。", "「 潮」と『波』、そして 。"},
		{"“潮汐”，是的！", "“ 潮汐”，是的 ！"},
		{"e\u0301te\u0301, naïve.", "e\u0301te\u0301 , naïve ."},
		{"a\u00a0b\u3000c\u2028d", "a b c d"},
	})
}

func TestAppend_longAndBroken(t *testing.T) {
	signs := strings.Repeat("(", maxChunk+1)
	if got := Append(nil, signs); len(got) != 1 {
		t.Errorf("%d signs without a space are %d words, want 1", len(signs), len(got))
	}
	if got := Append(nil, signs[:maxChunk]); len(got) != maxChunk {
		t.Errorf("%d signs without a space are %d words, want each", maxChunk, len(got))
	}
	letters := strings.Repeat("ш", 1<<20)
	if got := Append(nil, letters+". "+letters); len(got) != 2 {
		t.Errorf("two chunks of 2 MiB are %d words, want 2: signs at the ends of long chunks stay", len(got))
	}
	before := []string{"kept"}
	if got := Append(before, "a, b"); strings.Join(got, " ") != "kept a , b" {
		t.Errorf("Append to a list = %q", got)
	}
	divided(t, []struct{ text, want string }{
		{"a\x80b \xe6\xb0", "a \x80 b \xe6 \xb0"},
		{"a\x00b", "a\x00b"},
		{"\ufeffword", "\ufeffword"},
	})
}

func TestSentences_languages(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"It rose at 6.30. It fell at 7.", 2},
		{"Dr. Quay met Mr. Pier at 5 p.m. sharp.", 1},
		{"(It rose.) Then it fell.", 2},
		{"\"Go!\" \"No!\" He went.", 3},
		{"What?! Really?! Yes.", 3},
		{"No mark at the end. Like this", 2},
		{"...", 1},
		{". . .", 1},
		{"—", 1},
		{"Прилив пришёл. Потом ушёл.", 2},
		{"ما هذا؟ نعم.", 2},
		{"यह जल है। यह वायु है।", 2},
		{"潮が満ちる。 潮が引く。", 2},
		{"See https://a.example/b.c for more. Bye.", 2},
	} {
		if got := Sentences(Append(nil, tt.text)); got != tt.want {
			t.Errorf("Sentences(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestAppendCharacters_languages(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"潮汐，涨落。", "潮 汐 ， 涨 落 。"},
		{"Go言語 v1.2", "G o 言 語 v1.2"},
		{"สวัสดี", "ส วั ส ดี"},
		{"plain text, only", "plain text , only"},
		{"ကမ်း", "က မ်း"},
		{"か\u3099", "か\u3099"},
		{"ភាសាខ្មែរ", "ភា សា ខ្ មែ រ"},
		{"𠮷野家", "𠮷 野 家"},
		{"", ""},
	} {
		if got := strings.Join(AppendCharacters(nil, tt.text), " "); got != tt.want {
			t.Errorf("AppendCharacters(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := AppendCharacters([]string{"日本"}, "海"); strings.Join(got, " ") != "日本 海" {
		t.Errorf("AppendCharacters to a list = %q: earlier words stay as they are", got)
	}
}
