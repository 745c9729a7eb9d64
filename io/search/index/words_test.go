package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// sentences are texts in fourteen languages, written for this test, and words that are looked for in all of them.
var sentences = []struct {
	language string
	spaced   bool // the language writes spaces between words
	texts    []string
	words    []string
}{
	{"en", true, []string{
		"The library keeps every page.", "A harbour at dawn, quiet and grey.",
		"Nobody reads the old newspaper at the harbour.",
	}, []string{"the", "library", "harbour", "newspaper", "dawn"}},
	{"fr", true, []string{
		"La bibliothèque garde chaque page.", "L'été dernier, le port était calme.",
		"Personne ne lit le vieux journal du port.",
	}, []string{"bibliothèque", "été", "port", "journal"}},
	{"de", true, []string{
		"Die Bücherei bewahrt jede Seite auf.", "Große Schiffe liegen im Hafen.", "Über dem Hafen steht der Mond.",
	}, []string{"Bücherei", "große", "Hafen", "über"}},
	{"es", true, []string{
		"La biblioteca guarda cada página.", "El puerto duerme mañana y noche.", "Nadie lee el periódico viejo.",
	}, []string{"biblioteca", "página", "mañana", "periódico"}},
	{"ru", true, []string{
		"Библиотека хранит каждую страницу.", "Корабли стоят в гавани.", "Никто не читает старую газету в гавани.",
	}, []string{"библиотека", "гавани", "газету", "корабли"}},
	{"el", true, []string{
		"Η βιβλιοθήκη φυλάει κάθε σελίδα.", "Το λιμάνι είναι ήσυχο.", "Κανείς δεν διαβάζει την εφημερίδα.",
	}, []string{"βιβλιοθήκη", "λιμάνι", "εφημερίδα", "σελίδα"}},
	{"ar", true, []string{
		"تحفظ المكتبة كل صفحة.", "الميناء هادئ عند الفجر.", "لا يقرأ الصحيفة القديمة في الميناء.",
	}, []string{"المكتبة", "الميناء", "الفجر", "الصحيفة"}},
	{"he", true, []string{
		"הספרייה שומרת כל דף.", "הנמל שקט עם שחר.", "איש אינו קורא עיתון ישן ליד הנמל.",
	}, []string{"הספרייה", "הנמל", "עיתון", "שחר"}},
	{"ko", true, []string{
		"도서관은 모든 쪽을 보관한다.", "항구는 새벽에 조용하다.", "아무도 항구에서 오래된 신문을 읽지 않는다.",
	}, []string{"도서관은", "항구는", "새벽에", "신문을"}},
	{"hi", true, []string{
		"पुस्तकालय हर पन्ना रखता है।", "बंदरगाह सुबह शांत है।", "कोई पुराना अखबार नहीं पढ़ता।",
	}, []string{"पुस्तकालय", "बंदरगाह", "अखबार", "है"}},
	{"tr", true, []string{
		"Kütüphane her sayfayı saklar.", "Liman şafakta sessizdir.", "Kimse eski gazeteyi okumaz, liman boş.",
	}, []string{"kütüphane", "liman", "gazeteyi", "şafakta"}},
	{"zh", false, []string{
		"图书馆保存每一页。", "港口在黎明时很安静。", "没有人在港口读旧报纸。",
	}, []string{"图书馆", "港口", "报纸", "黎明", "安"}},
	{"ja", false, []string{
		"図書館はすべてのページを保存する。", "港は夜明けに静かだ。", "港で古い新聞を読む人はいない。",
	}, []string{"図書館", "ページ", "新聞", "港", "夜明け"}},
	{"th", false, []string{
		"ห้องสมุดเก็บทุกหน้า", "ท่าเรือเงียบในตอนเช้า", "ไม่มีใครอ่านหนังสือพิมพ์เก่าที่ท่าเรือ",
	}, []string{"ห้องสมุด", "ท่าเรือ", "หนังสือพิมพ์", "ตอนเช้า", "หน้า"}},
}

// contains searches a text without our terms. A word is anything between spaces and punctuation, in any case. In
// languages without spaces, it may be anywhere.
func contains(text, word string, spaced bool) bool {
	text, word = strings.ToLower(text), strings.ToLower(word)
	if !spaced {
		return strings.Contains(text, word)
	}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if w == word {
			return true
		}
	}
	return false
}

// TestCount_equalsAScan: sixty words in fourteen languages are found in as many texts as they are in.
func TestCount_equalsAScan(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var docs []*schemas.Document
	for i := range 600 {
		d := &schemas.Document{
			URL: fmt.Sprintf("http://a.example/%d", i), Filename: "f", Offset: int64(i),
			RecordType: "response",
		}
		d.SURT = urlkey.SURT(d.URL)
		for range 1 + r.IntN(4) {
			l := sentences[r.IntN(len(sentences))]
			d.Text += l.texts[r.IntN(len(l.texts))] + "\n"
		}
		docs = append(docs, d)
	}
	s := newShelf(t)
	s.put(t, 0, docs[:300])
	s.put(t, 1, docs[300:])
	x, _ := s.open(t, Options{})
	words := 0
	for _, l := range sentences {
		for _, word := range l.words {
			want := int64(0)
			for _, d := range docs {
				if contains(d.Text, word, l.spaced) {
					want++
				}
			}
			e, err := query.NewText(word, true)
			if err != nil {
				t.Fatal(err)
			}
			_, rest := Split(e)
			n, err := x.Count(t.Context(), query.Query{Where: e}, s.verify(rest))
			if err != nil || n != want || want == 0 {
				t.Errorf("%s: %s is in %d texts by the index, %d by a scan, %v", l.language, word, n, want, err)
			}
			words++
		}
	}
	if words < 60 || len(sentences) != 14 {
		t.Errorf("%d words in %d languages", words, len(sentences))
	}
}
