package charset_test

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// labelled is a page whose correct decoding is known.
type labelled struct {
	row         string // of the table: the encoding, or for UTF-8 the misleading part
	trial       string // how the declaration was changed
	report      bool   // the half that is not used for choices
	body        []byte
	contentType string
	text        string // body in UTF-8
}

// perHalf limits the pages of one row in one half, so that no encoding outweighs the others.
const perHalf = 24

// legacy are the encodings that pages are converted to for the test.
var legacy = []struct {
	name      string
	script    *unicode.RangeTable // of most letters above ASCII of a chosen page
	languages string              // of the news texts that pages are made from
}{
	{"windows-1250", unicode.Latin, "pl cs hu hr sl ro sk"},
	{"windows-1251", unicode.Cyrillic, "ru uk bg sr mk be"},
	{"windows-1252", unicode.Latin, "de fr es pt it nb sv fi is nl ca da"},
	{"windows-1253", unicode.Greek, "el"},
	{"windows-1254", unicode.Latin, "tr"},
	{"windows-1255", unicode.Hebrew, "he"},
	{"windows-1256", unicode.Arabic, "ar fa"},
	{"iso-8859-2", unicode.Latin, "pl cs sk hu hr sl"},
	{"iso-8859-15", unicode.Latin, "fr fi et nl de"},
	{"koi8-r", unicode.Cyrillic, "ru"},
	{"shift_jis", unicode.Hiragana, "ja"},
	{"euc-jp", unicode.Hiragana, "ja"},
	{"euc-kr", unicode.Hangul, "ko"},
	{"gb18030", unicode.Han, "zh"},
	{"big5", unicode.Han, "zh-Hant"},
}

// pageSet collects pages, up to the limit of each row.
type pageSet struct {
	pages []labelled
	taken map[string]int
}

// count returns how many pages a row has in one half.
func (s *pageSet) count(row string, report bool) int { return s.taken[fmt.Sprint(row, report)] }

func (s *pageSet) add(p labelled) {
	if s.count(p.row, p.report) < perHalf {
		s.taken[fmt.Sprint(p.row, p.report)]++
		s.pages = append(s.pages, p)
	}
}

// labelledPages makes the set, which is always the same. It has real pages in legacy encodings, in their original form
// and without declarations. It has real pages in UTF-8 that mislead, and real pages converted to legacy encodings. It
// also has pages made from news texts that were not used for counting letters. Pages made from one document are in one
// half.
func labelledPages(t *testing.T) []labelled {
	t.Helper()
	s := &pageSet{taken: map[string]int{}}
	for _, folder := range []string{
		"chinese/original/*.gz", "trafilatura-half/html/*.gz", "readability/*/source.html.gz",
		"wcxb-dev/html/*.gz",
	} {
		files, err := filepath.Glob(filepath.Join(corpora, "maintext", folder))
		if err != nil || len(files) == 0 {
			t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
		}
		for _, file := range files {
			body, err := io.ReadAll(open(t, strings.TrimPrefix(file, corpora)))
			if err != nil {
				t.Fatal(err)
			}
			report := half(strings.TrimPrefix(file, corpora))
			switch {
			case !utf8.Valid(body):
				s.addFound(body, report)
			case utf8.RuneCount(body) < len(body):
				s.addUTF8(body, report)
				s.addRewritten(t, body, report)
				s.addEnglish(t, body, report)
			}
		}
	}
	s.addNews(t)
	return s.pages
}

// half assigns a document to one of two halves by its name.
func half(name string) (report bool) {
	h := fnv.New32a()
	_, _ = io.WriteString(h, name) // a hash never fails
	return h.Sum32()>>8&1 == 1
}

func isHigh(r rune) bool { return r >= utf8.RuneSelf }

// declarationOf returns the label that a page declares and its position, or "" and -1.
func declarationOf(body []byte) (label string, at int) {
	head := body[:min(len(body), 64<<10)]
	match := declaration.FindSubmatchIndex(head)
	if match == nil {
		return "", -1
	}
	return strings.ToLower(string(head[match[2]:match[3]])), match[0]
}

var xmlDeclaration = regexp.MustCompile(`<\?xml[^>]*>`)

// bare returns a page without its declarations in the part where readers look for them.
func bare(body []byte) []byte {
	const far = 64 << 10
	head := xmlDeclaration.ReplaceAll(declaration.ReplaceAll(body[:min(len(body), far)], nil), nil)
	return append(head, body[min(len(body), far):]...)
}

// addFound adds a page that is not UTF-8, if it decodes without errors as declared, or else as GB18030.
func (s *pageSet) addFound(body []byte, report bool) {
	label, _ := declarationOf(body)
	text, replaced, err := charset.Decode(body, cmp.Or(label, "gb18030"))
	if err != nil || replaced {
		return
	}
	p := labelled{row: "found in a Western encoding", trial: "as found", report: report, body: body, text: string(text)}
	if label == "" || strings.HasPrefix(label, "gb") {
		p.row = "found in GB18030"
	}
	if label == "" {
		p.trial = "none, as found"
	}
	s.add(p)
	if label != "" {
		p.trial, p.body, p.text = "removed", bare(body), string(bare(text))
		s.add(p)
	}
}

// addUTF8 adds a page in UTF-8 that misleads, or is changed so that it does.
func (s *pageSet) addUTF8(body []byte, report bool) {
	add := func(row, trial, contentType string, body []byte) {
		text := strings.ToValidUTF8(string(bytes.TrimPrefix(body, []byte("\uFEFF"))), "\uFFFD")
		s.add(labelled{"utf-8: " + row, trial, report, body, contentType, text})
	}
	label, at := declarationOf(body)
	switch {
	case label == "":
		add("undeclared", "none, as found", "", body)
	case label != "utf-8":
		add("declares another", "as found", "", body)
	case at > 1024:
		add("declared late", "as found", "", body)
	}
	if utf8.RuneCount(body)+6 > len(body) {
		add("few high bytes", "removed", "", bare(body))
	}
	if label == "" || s.count("utf-8: cut in a character", report) == perHalf {
		return
	}
	add("header lies", "as found", "text/html; charset=ISO-8859-1", body)
	add("page lies", "changed", "", slices.Concat([]byte("<meta charset=windows-1251>"), bare(body)))
	first, last := bytes.IndexFunc(body, isHigh), bytes.LastIndexFunc(body, isHigh)
	if first < last {
		add("cut in a character", "removed", "", bare(body[:last+1]))
	}
}

var pageLanguage = regexp.MustCompile(`(?i)<html[^>]*\slang\s*=\s*["']?([a-z]+)`)

// addRewritten adds a page in UTF-8 in the legacy encodings of its script, or for Latin script of its language. Such
// pages take at most half of the room.
func (s *pageSet) addRewritten(t *testing.T, body []byte, report bool) {
	t.Helper()
	if utf8.RuneCount(body) > len(body)-20 {
		return
	}
	letters, high := map[*unicode.RangeTable]int{}, 0
	for _, r := range string(body) {
		if !isHigh(r) || !unicode.IsLetter(r) {
			continue
		}
		high++
		for _, script := range []*unicode.RangeTable{
			unicode.Latin, unicode.Cyrillic, unicode.Arabic, unicode.Hiragana,
			unicode.Han,
		} {
			letters[script] += index(unicode.Is(script, r))
		}
	}
	declared := "none"
	if match := pageLanguage.FindSubmatch(body[:min(len(body), 4<<10)]); match != nil {
		declared = string(match[1])
	}
	for _, e := range legacy {
		fits := e.script != unicode.Latin || strings.Contains(e.languages, declared)
		if fits && high >= 20 && letters[e.script] > high/3 && s.count(e.name, report) < perHalf/2 {
			s.addLegacy(t, e.name, string(body), report)
		}
	}
}

// english is the row of real pages in English as windows-1252. Most of their characters above ASCII are punctuation.
const english = "windows-1252: English"

func (s *pageSet) addEnglish(t *testing.T, body []byte, report bool) {
	t.Helper()
	match := pageLanguage.FindSubmatch(body[:min(len(body), 4<<10)])
	if match != nil && string(match[1]) == "en" && s.count(english, report) < perHalf {
		s.addLegacy(t, english, string(body), report)
	}
}

// addNews fills the rows with pages made from news texts.
func (s *pageSet) addNews(t *testing.T) {
	t.Helper()
	news := heldOut(t)
	news["zh-Hant"] = placeNames()
	for _, e := range legacy {
		for i := range 300 {
			for code := range strings.FieldsSeq(e.languages) {
				if texts := news[code]; i < 3*len(texts) {
					n := i % len(texts)
					s.addLegacy(t, e.name, newsPage(texts[n], n/2+i/len(texts)), n%2 == 1)
				}
			}
		}
	}
}

// newsPage puts lines of a text into a page: all, three or one of them.
func newsPage(text string, i int) string {
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), []int{1000, 3, 1}[i%3])]
	const frame = "<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>%s</title><style>p{margin:1em}</style>\n" +
		"</head><body>" +
		"<div id=nav><a href=\"/\">Home</a> <a href=\"/about\">About</a></div>\n<p>%s</p>\n<script>track('page')</script>" +
		"</body></html>\n"
	return fmt.Sprintf(frame, lines[0], strings.Join(lines, "</p>\n<p>"))
}

// placeNames returns texts in traditional Chinese, which the news texts do not include: names of countries and
// languages.
func placeNames() []string {
	regions, languages := display.Regions(language.TraditionalChinese), display.Languages(language.TraditionalChinese)
	var names []string
	for _, tag := range display.Supported.Tags() {
		region, _ := tag.Region()
		names = append(names, regions.Name(region), languages.Name(tag))
	}
	slices.Sort(names)
	var texts []string
	for chunk := range slices.Chunk(slices.Compact(names), 12) {
		texts = append(texts, strings.Join(chunk, "\n"))
	}
	return texts
}

// oldSigns replaces typographic punctuation, since most encodings other than those of Windows lack it.
var oldSigns = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "„", `"`, "–", "-", "—", "-", "…", "...",
	"•", "*")

// addLegacy adds text in the encoding that the row begins with. It skips texts that windows-1252 would decode to the
// same. It also skips texts if the encoding lacks a hundredth of their characters above ASCII. Of four pages, two have
// no declaration, one declares UTF-8, and one has a late correct declaration.
func (s *pageSet) addLegacy(t *testing.T, row, text string, report bool) {
	t.Helper()
	if s.count(row, report) == perHalf {
		return
	}
	name, _, _ := strings.Cut(row, ":")
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	trials := [...]string{"removed", "utf-8 declared", "removed", "declared late"}
	trial := trials[s.count(row, report)%len(trials)]
	text = declare(oldRomanian.Replace(string(bare([]byte(text)))), trial, name)
	if strings.HasPrefix(name, "iso-") || strings.HasPrefix(name, "koi8-") {
		text = oldSigns.Replace(text)
	}
	body, err := encoding.HTMLEscapeUnsupported(e.NewEncoder()).Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	high := len(strings.FieldsFunc(text, func(r rune) bool { return !isHigh(r) }))
	lost := bytes.Count(body, []byte("&#")) - strings.Count(text, "&#")
	want, western := decode(t, body, name), decode(t, body, "windows-1252")
	if high >= 3 && lost <= high/100 && (name == "windows-1252" || want != western) {
		s.add(labelled{row, trial, report, body, "", want})
	}
}

// declare puts a declaration into a page: a wrong one of UTF-8, or the correct one after 1,024 bytes.
func declare(text, trial, name string) string {
	switch trial {
	case "utf-8 declared":
		return strings.Replace(text, "<head>", "<head><meta charset=utf-8>", 1)
	case "declared late":
		links := strings.Repeat("<link rel=stylesheet href=/style/site.css>\n", 30)
		return strings.Replace(text, "<head>", "<head>"+links+"<meta charset="+name+">", 1)
	}
	return text
}

// decode returns body's text, decoded from the named encoding.
func decode(t *testing.T, body []byte, name string) string {
	t.Helper()
	text, _, err := charset.Decode(body, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
