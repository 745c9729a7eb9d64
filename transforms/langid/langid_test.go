package langid

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/google/go-cmp/cmp"
)

// We wrote these paragraphs ourselves.
var paragraphs = map[string]string{
	"ar": "وصل القطار إلى المدينة متأخرا هذا الصباح لأن الثلج كان يغطي الطريق بين الجبال، وانتظر الركاب ساعتين في المحطة.",
	"de": "Der Zug kam heute Morgen zu spät in der Stadt an, weil der Schnee die Strecke zwischen den Bergen bedeckte.",
	"en": "The train arrived late in the city this morning because snow had covered the line between the mountains.",
	"es": "El tren llegó tarde a la ciudad esta mañana porque la nieve cubría la vía entre las montañas del norte.",
	"fr": "Le train est arrivé en retard ce matin parce que la neige recouvrait la voie entre les montagnes du nord.",
	"hi": "आज सुबह रेलगाड़ी देर से शहर पहुँची क्योंकि पहाड़ों के बीच की पटरी पर बर्फ जमी हुई थी और यात्री इंतज़ार करते " +
		"रहे।",
	"ja": "山の間の線路が雪でおおわれていたので、今朝の列車は町に遅れて着きました。",
	"ko": "산 사이의 선로가 눈으로 덮여 있었기 때문에 오늘 아침 기차가 도시에 늦게 도착했습니다.",
	"pl": "Pociąg przyjechał dziś rano do miasta z opóźnieniem, ponieważ śnieg przykrył tory między górami.",
	"ru": "Сегодня утром поезд прибыл в город с опозданием, потому что снег засыпал пути между горами.",
	"uk": "Сьогодні вранці потяг прибув до міста із запізненням, бо сніг засипав колії між горами.",
	"zh": "今天早上火车晚点到达城市，因为山间的铁路被大雪覆盖，乘客们在车站等了两个小时。",
}

func TestDetect_oneLanguage(t *testing.T) {
	d := New(Options{})
	for want, text := range paragraphs {
		got := d.Detect(text)
		if len(got) != 1 || got[0].Code != want || got[0].Share != 1 || got[0].Confidence < 0.9 {
			t.Errorf("Detect(%q) = %v, want %s alone", text, got, want)
		}
	}
}

func TestDetect(t *testing.T) {
	german, russian := paragraphs["de"], paragraphs["ru"]
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"no letters", "12:30 — 5 € (2019)\n***", nil},
		{"too few letters", "Hello world", nil},
		{"addresses only", strings.Repeat("https://example.org/index.html info@example.org ", 5), []string{NoLanguage}},
		{"few letters of a sole script", "서울특별", []string{"ko"}},
		{"one letter of a sole script", "µ, Ω", nil},
		{"Greek", "Καλημέρα", []string{"el"}},
		{"Khmer", "សួស្តីពិភពលោក", []string{"km"}},
		{"Malayalam", "നമസ്കാരം ലോകമേ", []string{"ml"}},
		{"Chinese with a kana ornament", strings.Repeat("美味の饭店欢迎您的光临请慢慢品尝", 3), []string{"zh"}},
		{"Japanese with Latin names", paragraphs["ja"] + " Tokyo Station, JR East.", []string{"ja"}},
		{"two scripts", german + "\n" + russian + " " + russian, []string{"ru", "de"}},
		{
			"two languages of one script", strings.Repeat(german+"\n", 3) + strings.Repeat(paragraphs["en"]+"\n", 2),
			[]string{"de", "en"},
		},
		{"a language below the share", strings.Repeat(german+"\n", 30) + paragraphs["ja"], []string{"de"}},
		{"addresses in between", german + " https://www.example.com/the/quick/brown/fox " + german, []string{"de"}},
		{"decomposed accents", strings.ReplaceAll(paragraphs["fr"], "é", "e\u0301"), []string{"fr"}},
		{"invalid UTF-8", "\xff\xfe" + german + "\x80", []string{"de"}},
	}
	d := New(Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := d.Detect(tt.text)
			var codes []string
			for _, l := range got {
				codes = append(codes, l.Code)
			}
			if diff := cmp.Diff(tt.want, codes); diff != "" || got == nil {
				t.Errorf("Detect(%q) = %v (-want +got):\n%s", tt.text, got, diff)
			}
		})
	}
}

// This is the first article of the Universal Declaration of Human Rights, which is free of copyright, in languages
// that the table does not have.
var strange = map[string]string{
	"Ewe": "Wodzi amegbetɔwo katã ablɔɖeviwoe eye wodzena bubu kple gomekpɔkpɔ sɔsɔe. Susu kple dzitsinya " +
		"le wo dometɔ ɖesiaɖe si eyata wodze be woanɔ anyi le ɖekawɔwɔ blibo",
	"Navajo": "Bilaʼashdaʼii tʼáá ałtsoh yiníkʼehgo bidizhchįh dóó aheełtʼeego ílį́į́go bee baahóchįʼ. Eíí " +
		"háníʼ dóó hánítshakees hwiihdaasyaʼ eíí binahjį́ʼ ahidiníłnáhgo álíleekʼehgo kʼé bee ahił",
	"Abkhaz": "Дарбанзаалак ауаҩы дшоуп ихы дақәиҭны. Ауаа зегь зинлеи патулеи еиҟароуп. Урҭ ирымоуп ахшыҩи " +
		"аламыси, дара дарагь аешьеи аешьеи реиҧш",
}

func TestDetect_unknownLanguage(t *testing.T) {
	d := New(Options{})
	for name, text := range strange {
		if got := d.Detect(text); len(got) != 1 || got[0].Code != Unknown || got[0].Share != 1 {
			t.Errorf("Detect(%s) = %v, want %s", name, got, Unknown)
		}
		got := d.Detect(strings.Repeat(paragraphs["fr"]+"\n", 9) + strings.Repeat(text+"\n", 2))
		if len(got) != 2 || got[0].Code != "fr" || got[1].Code != Unknown {
			t.Errorf("Detect(French and %s) = %v, want fr and %s", name, got, Unknown)
		}
	}
}

func TestDetect_scripts(t *testing.T) {
	tests := []struct{ name, text, code, script string }{
		{"simplified", paragraphs["zh"], "zh", "Hans"},
		{"traditional", "今天早上火車晚點到達城市，因為山間的鐵路被大雪覆蓋，乘客們在車站等了兩個小時。", "zh", "Hant"},
		{"either", "中文山水", "zh", ""},
		{
			"Cyrillic", "Воз је јутрос стигао у град са закашњењем јер је снег прекрио пругу између планина на северу.", "sr",
			"Cyrl",
		},
		{"Latin", "Vreme je bilo lepo i deca su htela da vide belu reku pre nego što padne sneg na severu.", "sr", "Latn"},
		{"of no matter", paragraphs["de"], "de", ""},
	}
	for _, tt := range tests {
		got := New(Options{}).Detect(tt.text)
		if len(got) != 1 || got[0].Code != tt.code || got[0].Script != tt.script {
			t.Errorf("%s: Detect = %v, want %s %q", tt.name, got, tt.code, tt.script)
		}
	}
}

// Serbian pages mix letters of both scripts that look the same.
func TestDetect_lookAlikes(t *testing.T) {
	russian := strings.NewReplacer("о", "o", "е", "e", "а", "a").Replace(paragraphs["ru"])
	if got := New(Options{}).Detect(russian); len(got) != 1 || got[0].Code != "ru" {
		t.Errorf("Detect = %v, want ru", got)
	}
}

func TestDetect_declaredBreaksTies(t *testing.T) {
	const tie = "Hvor er du? Jeg er her."
	tests := []struct {
		name, text string
		declared   []string
		want       string
	}{
		{"Danish or Bokmål, declared the one", tie, []string{"da-DK"}, "da"},
		{"declared the other", tie, []string{"", "nb_NO"}, "nb"},
		{"declared for several", tie, []string{"en, nb"}, "nb"},
		{"declared as Norwegian", tie, []string{"no"}, "nb"},
		{"with a country", tie, []string{"no-NO"}, "nb"},
		{"in OpenGraph", tie, []string{"", "no_NO"}, "nb"},
		{"Danish and Norwegian", tie, []string{"no", "da"}, "da"},
		{"Norwegian for Nynorsk", "Kvar er du? Eg er her no.", []string{"no"}, "nn"},
		{
			"Danish in spite of it", "Jeg ved ikke, hvad han havde til hensigt; måske blot at købe noget.",
			[]string{"no"},
			"da",
		},
		{"clear in spite of it", paragraphs["en"], []string{"de"}, "en"},
		{"kin and clear in spite of it", strings.Repeat("Jeg ved ikke, hvad han havde til hensigt; måske blot at købe "+
			"noget. ", 4), []string{"nb"}, "da"},
	}
	for _, tt := range tests {
		if got := New(Options{}).Detect(tt.text, tt.declared...); len(got) != 1 || got[0].Code != tt.want {
			t.Errorf("%s: Detect = %v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestConflicts(t *testing.T) {
	tests := []struct {
		main, declared string
		want           bool
	}{
		{"de", "de-AT", false},
		{"de", "en", true},
		{"de", "en, de", false},
		{"de", "", false},
		{"de", "{{ lang }}", false},
		{"nb", "no", false},
		{"sr", "sh", false},
		{"id", "in_ID", false},
		{"tl", "fil", false},
		{"en", "eng", false},
		{"en", "eng-US", false},
		{"de", "ger", false},
		{"fr", "FRE, ENG", false},
		{"zh", "chi", false},
		{"en", "ger", true},
		{"gsw", "deu", true},
		{Unknown, "en", false},
		{"", "en", false},
	}
	for _, tt := range tests {
		var languages []schemas.Language
		if tt.main != "" {
			languages = []schemas.Language{{Code: tt.main}, {Code: "en"}}
		}
		if got := Conflicts(languages, tt.declared); got != tt.want {
			t.Errorf("Conflicts(%s, %q) = %v, want %v", tt.main, tt.declared, got, tt.want)
		}
	}
}

// High accuracy uses lingua if the table is in doubt, and changes nothing otherwise.
func TestDetect_highAccuracy(t *testing.T) {
	d := New(Options{Accuracy: High})
	for _, text := range []string{"Det var en god dag for os.", "नमस्ते दुनिया, आज का दिन", "Dobar dan svima"} {
		if got, again := d.Detect(text), d.Detect(text); len(got) != 1 || !cmp.Equal(got, again) {
			t.Errorf("Detect(%q) = %v, then %v", text, got, again)
		}
	}
	if diff := cmp.Diff(New(Options{}).Detect(mixture()), d.Detect(mixture())); diff != "" {
		t.Errorf("Detect of a long text (-default +high):\n%s", diff)
	}
}

func TestParseAccuracy(t *testing.T) {
	if a, err := ParseAccuracy("high"); a != High || err != nil {
		t.Errorf("ParseAccuracy = %v, %v", a, err)
	}
	if _, err := ParseAccuracy("low"); err == nil {
		t.Error("ParseAccuracy(low): no error")
	}
}

func TestDetect_sharesAreOfBytes(t *testing.T) {
	german, russian := paragraphs["de"]+"\n", paragraphs["ru"]+"\n"
	got := New(Options{}).Detect(german + russian)
	want := thousandth(float64(len(russian)) / float64(len(german+russian)))
	if len(got) != 2 || got[0].Code != "ru" || got[0].Share != want {
		t.Errorf("Detect = %v, want ru with share %v", got, want)
	}
}

func TestDetect_cutsAtMaxBytes(t *testing.T) {
	text := paragraphs["de"] + "\n" + paragraphs["ru"]
	if got := New(Options{MaxBytes: len(paragraphs["de"]) + 4}).Detect(text); len(got) != 1 || got[0].Code != "de" {
		t.Errorf("Detect = %v, want de: the rest is beyond MaxBytes", got)
	}
}

// mixture is a text that uses every code path: several scripts and languages, relatives, and more segments than
// windows.
func mixture() string {
	kin := "Vlak je jutros stigao u grad s zakašnjenjem jer je snijeg prekrio prugu između planina.\n"
	return strings.Repeat(paragraphs["en"]+"\n"+kin, 6) + strings.Repeat(paragraphs["ru"]+"\n"+paragraphs["uk"]+"\n", 3) +
		paragraphs["hi"] + "\n" + paragraphs["ar"] + "\n" + paragraphs["ja"]
}

func TestDetect_isDeterministic(t *testing.T) {
	text := mixture()
	want := New(Options{}).Detect(text)
	if len(want) < 4 {
		t.Errorf("Detect = %v, want at least four languages", want)
	}
	for range 50 {
		if diff := cmp.Diff(want, New(Options{}).Detect(text)); diff != "" {
			t.Fatalf("Detect changes (-first +now):\n%s", diff)
		}
	}
}

func TestDetect_concurrently(t *testing.T) {
	d := New(Options{})
	want := d.Detect(paragraphs["pl"])
	got := make([][]schemas.Language, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = d.Detect(paragraphs["pl"]) })
	}
	wg.Wait()
	for i := range got {
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Errorf("goroutine %d (-want +got):\n%s", i, diff)
		}
	}
}

// The samples are limited, so that a text costs no more than reading it once. That takes far less than a minute.
func TestDetect_hostileText(t *testing.T) {
	tests := map[string]string{
		"one word":     strings.Repeat("x", 1<<20),
		"marks":        "a" + strings.Repeat("\u0301", 1<<19),
		"punctuation":  "abc" + strings.Repeat(".-", 1<<19),
		"no letters":   strings.Repeat("- ", 1<<19),
		"short lines":  strings.Repeat("a\nа\n", 1<<17),
		"many scripts": strings.Repeat("aаअع中가α\n", 1<<15),
		"NUL":          strings.Repeat("\x00", 1<<20),
	}
	d := New(Options{})
	for name, text := range tests {
		start := time.Now()
		d.Detect(text)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func TestScriptOf(t *testing.T) {
	tests := map[rune]script{
		'a': latin, 'Z': latin, '[': unknown, '5': unknown, 'é': latin, 'ạ': latin, 'Ａ': latin, 'ﬁ': latin, '×': unknown,
		'α': greek, 'ἀ': greek, 'я': cyrillic, 'ꙗ': cyrillic, 'ա': armenian, 'א': hebrew, 'ע': hebrew, 'ب': arabic,
		'ﺏ': arabic, 'ހ': thaana, 'अ': devanagari, 'া': unknown, 'অ': bengali, 'ਅ': gurmukhi, 'અ': gujarati, 'ଅ': oriya,
		'அ': tamil, 'అ': telugu, 'ಅ': kannada, 'അ': malayalam, 'අ': sinhala, 'ก': thai, 'ກ': lao, 'ཀ': tibetan,
		'က': burmese, 'ა': georgian, 'Ა': georgian, '가': hangul, 'ㄱ': hangul, 'አ': ethiopic, 'ក': khmer, 'あ': cjk,
		'ア': cjk, 'ｱ': cjk, '中': cjk, '𠀀': cjk, '。': unknown, 'Ꭰ': cherokee, 'ᐁ': unknown, '😀': unknown, '\uFFFD': unknown,
	}
	for r, want := range tests {
		if got := scriptOf(r); got != want {
			t.Errorf("scriptOf(%q) = %d, want %d", r, got, want)
		}
	}
	for i := 1; i < len(blocks); i++ {
		if blocks[i].start <= blocks[i-1].start {
			t.Errorf("block %#x is out of order", blocks[i].start)
		}
	}
}

func TestSplit(t *testing.T) {
	long := strings.Repeat("lorem ipsum ", 200)
	text := "one two\n\n123\n" + paragraphs["de"] + "\nдва\n" + long
	segments := split(text)
	var scripts []script
	for i, s := range segments {
		scripts = append(scripts, s.script)
		if i > 0 && s.start < segments[i-1].end {
			t.Errorf("segment %d begins at %d, before the end of the one before", i, s.start)
		}
		if s.letters > maxSegment+minSegment+len("ipsum") {
			t.Errorf("segment %d has %d letters", i, s.letters)
		}
	}
	want := []script{latin, cyrillic, latin, latin, latin, latin, latin}
	if diff := cmp.Diff(want[:len(scripts)], scripts); diff != "" || len(scripts) < 6 {
		t.Errorf("split: scripts (-want +got):\n%s", diff)
	}
}

// Counting letters eight bytes at a time gives the same as one by one.
func TestMeasure_countsLetters(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"abc", "Z", "[", "@", "{", "`", "\x7F", " ", " ", "\n", "é", "ж", "日", "の", "\xFF", "\xC3",
		"\xED\xA0\x80", "𠀀", "words", "A longer stretch of text",
	}
	for range 5000 {
		var b strings.Builder
		for range random.IntN(150) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text, want, end := b.String(), counter{}, b.Len()
		for i, r := range text {
			s := scriptOf(r)
			if s == unknown && (r == '\n' || want.letters >= maxSegment && isBreak(r)) {
				end = i + 1
				break
			}
			if s == unknown {
				continue
			}
			want.letters++
			want.scripts[s]++
			if isKana(r) {
				want.kana++
			}
		}
		var got counter
		if gotEnd := got.measure(text, 0); got != want || gotEnd != end {
			t.Fatalf("measure(%q) = %d, %+v, want %d, %+v", text, gotEnd, got, end, want)
		}
	}
}

func TestScorer_score(t *testing.T) {
	tests := []struct {
		name, text, same string
		c                script
		limit, letters   int
	}{
		{"case and punctuation", "Hello, world!", "hello world", latin, 100, 10},
		{"addresses", "see example.org or a@b.de #tag x_y done:", "see or done", latin, 100, 9},
		{"other scripts", "Привет, world и мир", "привет и мир", cyrillic, 100, 10},
		{"limit", "abcdef ghi", "abcd", latin, 4, 4},
		{"apostrophe", "don't", "don t", latin, 100, 4},
		{"accents by themselves", "caf\u0065\u0301", "café", latin, 100, 4},
		{"vowel points", "كَتَب", "كتب", arabic, 100, 3},
		{"nothing", "... --- 123", "", latin, 100, 0},
	}
	var s scorer
	for _, tt := range tests {
		got, want := s.score(models(), tt.text, tt.c, tt.limit), s.score(models(), tt.same, tt.c, 100)
		if got != want || got.letters != tt.letters {
			t.Errorf("%s: score(%q) has %d letters, want %d and the scores of %q", tt.name, tt.text, got.letters, tt.letters,
				tt.same)
		}
	}
}

// The numbers of scripts here and in the table are the same.
func TestTableScripts(t *testing.T) {
	for r, c := range map[rune]script{'e': latin, 'я': cyrillic, 'ب': arabic, 'क': devanagari} {
		if got := models().Script(r); got != c.tableScript() {
			t.Errorf("Script(%q) = %d, want %d", r, got, c.tableScript())
		}
	}
}

func TestHanScripts_areInOneList(t *testing.T) {
	if n := hanBalance("国们"); n != 2 {
		t.Errorf("hanBalance of simplified letters = %d, want 2", n)
	}
	if n := hanBalance("國們中文"); n != -2 {
		t.Errorf("hanBalance of traditional letters = %d, want -2", n)
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range paragraphs {
		f.Add(text)
	}
	f.Add("a\u0301\n\xff가 1")
	d := New(Options{Windows: 2})
	f.Fuzz(func(t *testing.T, text string) {
		sum := 0.0
		for _, l := range d.Detect(text) {
			sum += float64(l.Share)
			if l.Code == "" || l.Share < minShare || l.Share > 1 || l.Confidence < 0 || l.Confidence > 1 {
				t.Errorf("Detect(%q): %+v", text, l)
			}
		}
		if sum > 1.01 {
			t.Errorf("Detect(%q): shares add up to %v", text, sum)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	d := New(Options{})
	for _, code := range []string{"en", "ru", "ja"} {
		text := strings.Repeat(paragraphs[code]+"\n", 50)
		d.Detect(text)
		b.Run(code, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				d.Detect(text)
			}
		})
	}
}
