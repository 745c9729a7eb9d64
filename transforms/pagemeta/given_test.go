package pagemeta

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	feedTexts = "../../../shared/corpora/maintext/feed-texts/pages.jsonl.gz"
	chinese   = "../../../shared/corpora/maintext/chinese"
)

// TestExtract_dates_given measures dates on all given pages with a label. These are pages of the benchmark, blogs
// whose feeds have the dates, and Chinese news. In addition to all of them, it counts those whose label is on the
// page. Feeds have more dates than their pages, and 5 in 100 labels of the benchmark are nowhere in its HTML.
//
//	go test ./transforms/pagemeta -run dates_given -v
func TestExtract_dates_given(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	var all, standing count
	for _, set := range []struct {
		name string
		read func(*testing.T) []labelled
	}{{"WCXB", readBenchmark}, {"feed-texts", readFeedTexts}, {"Chinese", readChinese}} {
		var of, there count
		var r page.Parser
		for _, l := range set.read(t) {
			want := l.truth.Date
			if want == "" {
				continue
			}
			got, m := ours(&l, &r)
			right := of.add(got.Date, want, sameMoment)
			all.add(got.Date, want, sameMoment)
			if !stands(&l) {
				continue
			}
			there.add(got.Date, want, sameMoment)
			standing.add(got.Date, want, sameMoment)
			if !right && l.tuned() {
				t.Logf("%s %s: %q (%s), want %q; changed %q", l.id, l.url, got.Date, m.Sources["published"], want, m.Modified)
			}
		}
		t.Logf("%s: %v", set.name, of)
		t.Logf("%s, labels that stand on the page: %v", set.name, there)
	}
	t.Logf("all: %v", all)
	t.Logf("all, labels that stand on the page: %v", standing)
	found := share(standing.right, standing.pages)
	if given := share(standing.right, standing.right+standing.wrong); found < 0.9 || given < 0.93 {
		t.Errorf("of the dates that stand on their pages %.3f are right, and %.3f of those given, want .900 and .930",
			found, given)
	}
}

// sameMoment compares days as written, or days of the same moment. If only the label has a zone, any zone may be used:
// feeds give UTC, and pages the author's day.
func sameMoment(got, want string) bool {
	if dateMatches(got, want[:min(len(want), len(time.DateOnly))]) {
		return true
	}
	there, err := time.Parse(time.RFC3339, want)
	if err != nil {
		return false
	}
	if here, err := time.Parse(time.RFC3339, got); err == nil {
		return here.Equal(there)
	}
	first, last := there.Add(-12*time.Hour), there.Add(14*time.Hour)
	return got >= first.Format(time.DateOnly) && got <= last.Format(time.DateOnly)
}

// stands reports whether the label's day is in the source of the page or in its URL. It may be in digits or with the
// name of the month. The year must have four digits, and the parts must be separated only by words and punctuation.
func stands(l *labelled) bool {
	day, err := time.Parse(time.DateOnly, l.truth.Date[:min(len(l.truth.Date), len(time.DateOnly))])
	if err != nil {
		return true // a month, or a year
	}
	source := l.url + " " + strings.ToLower(string(l.html))
	if strings.Contains(source, day.Format("20060102")) {
		return true
	}
	year := day.Format("2006")
	for at := 0; ; at += len(year) {
		next := strings.Index(source[at:], year)
		if next < 0 {
			return false
		}
		at += next
		before := numbers(source[max(0, at-maxApart):at])
		after := numbers(source[at+len(year) : min(len(source), at+len(year)+maxApart)])
		if n := len(before); n >= 2 && isDay(before[n-2:], day) || len(after) >= 2 && isDay(after[:2], day) {
			return true
		}
	}
}

// maxApart is the maximum distance in bytes between the year of a date and its day and month.
const maxApart = 40

// isDay reports whether two numbers are the month and the day, or the day and the month.
func isDay(two []int, day time.Time) bool {
	month := int(day.Month())
	return two[0] == month && two[1] == day.Day() || two[0] == day.Day() && two[1] == month
}

// numbers returns the numbers of a text, including those of named months.
func numbers(text string) (list []int) {
	for _, word := range strings.FieldsFunc(text, notInWord) {
		if m := monthOf(word, ""); m != 0 {
			list = append(list, m)
			continue
		}
		for rest := word; rest != ""; {
			i := strings.IndexAny(rest, "0123456789")
			if i < 0 {
				break
			}
			digits := rest[i : i+leadingDigits(rest[i:])]
			rest = rest[i+len(digits):]
			if n, err := strconv.Atoi(digits); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

func readBenchmark(t *testing.T) (pages []labelled) {
	names, err := filepath.Glob(filepath.Join(wcxb, "ground-truth", "*.json"))
	if err != nil || len(names) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for _, name := range names {
		l, err := readLabelled(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, l)
	}
	return pages
}

func readFeedTexts(t *testing.T) (pages []labelled) {
	b, err := readGzip(feedTexts)
	if err != nil {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var p struct{ URL, HTML, Published, File string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		l := labelled{id: p.File, url: p.URL, html: []byte(p.HTML)}
		if d, ok := ParseDate(p.Published); ok {
			l.truth.Date = d.String()
		}
		pages = append(pages, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return pages
}

func readChinese(t *testing.T) (pages []labelled) {
	names, err := filepath.Glob(filepath.Join(chinese, "original", "*.html.gz"))
	if err != nil || len(names) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for _, name := range names {
		id := strings.TrimSuffix(filepath.Base(name), ".html.gz")
		body, err := readGzip(name)
		if err != nil {
			t.Fatal(err)
		}
		label, err := os.ReadFile(filepath.Join(chinese, "date", id+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		l := labelled{id: id, url: "https://news.example/a/" + id + ".html"}
		name := charset.Detect(body, "text/html", charset.Options{}).Name
		if l.html, _, err = charset.Decode(body, name); err != nil {
			t.Fatal(err)
		}
		// The set has the address in an element around the page.
		if _, rest, ok := strings.Cut(string(l.html[:min(len(l.html), 500)]), `<text id="`); ok {
			l.url, _, _ = strings.Cut(rest, `"`)
		}
		day, _, _ := strings.Cut(strings.TrimSpace(string(label)), " ")
		if d, ok := ParseDate(day); ok {
			l.truth.Date = d.Day()
		}
		pages = append(pages, l)
	}
	return pages
}
