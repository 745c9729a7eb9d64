package pagemeta

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// wcxb is the folder of the development split of the Web Content eXtraction Benchmark, beside the repository.
const wcxb = "../../../shared/corpora/maintext/wcxb-dev"

var (
	withPeer = flag.Bool("peer", false, "measure go-trafilatura on the same pages")
	listed   = flag.String("show", "", "print the pages of the tuning part on which this field (title, author, date) "+
		"is not the benchmark's")
)

// fields are the labels of the benchmark, or the results of a program. The date is a day, or less: 2015-11.
type fields struct{ Title, Author, Date string }

// labelled is a page of the benchmark.
type labelled struct {
	id, url, kind string
	truth         fields
	html          []byte
}

// tuned reports whether the page is for development: two hosts in three. The rules were chosen on these only.
func (l *labelled) tuned() bool {
	u, err := url.Parse(l.url)
	if err != nil {
		return false
	}
	h := fnv.New32a()
	h.Write([]byte(strings.TrimPrefix(u.Hostname(), "www.")))
	return h.Sum32()%3 != 0
}

func readLabelled(name string) (labelled, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return labelled{}, err
	}
	var doc struct {
		URL      string `json:"url"`
		Internal struct {
			PageType struct {
				Primary string `json:"primary"`
			} `json:"page_type"`
		} `json:"_internal"`
		Truth struct {
			Title, Author string
			Date          string `json:"publish_date"`
		} `json:"ground_truth"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return labelled{}, fmt.Errorf("%s: %w", name, err)
	}
	id := strings.TrimSuffix(filepath.Base(name), ".json")
	html, err := readGzip(filepath.Join(wcxb, "html", id+".html.gz"))
	return labelled{id: id, url: doc.URL, kind: doc.Internal.PageType.Primary, truth: fields(doc.Truth), html: html}, err
}

func readGzip(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zr)
}

// ours returns the results of this package for a page.
func ours(l *labelled, r *page.Parser) (fields, Meta) {
	p := r.Parse(l.html, page.Options{URL: l.url})
	m := Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{})
	return fields{m.Title, strings.Join(m.Authors, "; "), m.Published}, m
}

// titleMatches reports whether titles are alike, or one contains the other as whole words. Some titles of the
// benchmark contain the name of the site or section, and some lack the subtitle.
func titleMatches(got, want string) bool {
	a, b := " "+words(got)+" ", " "+words(want)+" "
	return alike(got, want) || got != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}

func words(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), notInWord), " ")
}

// authorMatches reports whether the first author is the label's first. One contains the other as whole words, because
// labels have degrees, roles and co-authors in one text.
func authorMatches(got, want string) bool {
	got, _, _ = strings.Cut(got, ";")
	a, b := " "+words(got)+" ", " "+words(want)+" "
	return strings.Contains(a, b) || strings.Contains(b, a) || alike(got, want)
}

// dateMatches compares days, or months if the label has no day.
func dateMatches(got, want string) bool { return strings.HasPrefix(got, want) }

// count counts the results for one field: correct ones, wrong ones, missed ones, and values for an empty label.
type count struct{ right, wrong, missed, extra, pages int }

func (c *count) add(got, want string, match func(got, want string) bool) (ok bool) {
	c.pages++
	switch {
	case want == "" && got == "":
		return true
	case want == "":
		c.extra++
	case got == "":
		c.missed++
	case match(got, want):
		c.right++
		return true
	default:
		c.wrong++
	}
	return false
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

func (c count) String() string {
	said := c.right + c.wrong + c.extra
	return fmt.Sprintf("right %4d  wrong %3d  missed %3d  extra %3d | right/labels %.3f  wrong+extra/pages %.3f  "+
		"wrong+extra/said %.3f  wrong/(right+wrong) %.3f",
		c.right, c.wrong, c.missed, c.extra, share(c.right, c.right+c.wrong+c.missed), share(c.wrong+c.extra, c.pages),
		share(c.wrong+c.extra, said), share(c.wrong, c.right+c.wrong))
}

// score holds the counts of one program on one part of the benchmark.
type score struct{ exact, title, author, date count }

func (s *score) add(got, want fields) (wrong map[string]bool) {
	s.exact.add(got.Title, want.Title, alike)
	return map[string]bool{
		"title":  !s.title.add(got.Title, want.Title, titleMatches),
		"author": !s.author.add(got.Author, want.Author, authorMatches),
		"date":   !s.date.add(got.Date, want.Date, dateMatches),
	}
}

func (s *score) log(t *testing.T, who string) {
	t.Logf("%s\n  title exact %v\n  title match %v\n  author      %v\n  date        %v", who, s.exact, s.title, s.author,
		s.date)
}

// TestExtract_benchmark measures titles, authors and dates on the benchmark: on the hosts that the rules were chosen
// on, on the others, and on all.
//
//	go test ./transforms/pagemeta -run TestExtract_benchmark -v -peer
func TestExtract_benchmark(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(wcxb, "ground-truth", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	if testing.Short() {
		t.Skip("takes fifteen seconds")
	}
	b := &benchmark{t: t, sure: map[string]map[schemas.Float]*[folds]count{}}
	queue := make(chan string)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			var r page.Parser
			for name := range queue {
				b.measure(name, &r)
			}
		})
	}
	for _, name := range names {
		queue <- name
	}
	close(queue)
	workers.Wait()
	b.checkConfidence()
	for i, part := range []string{"tuned", "held", "all"} {
		b.us[i].log(t, "ours, "+part)
		b.us[i].check(t, part)
		if *withPeer {
			b.peer[i].log(t, "go-trafilatura, "+part)
		}
	}
}

// check compares each part with minimums some points below the measured values.
func (s *score) check(t *testing.T, part string) {
	t.Helper()
	floor := func(what string, right, of int, want float64) {
		if got := share(right, of); got < want {
			t.Errorf("%s: %s %.3f, want %.3f", part, what, got, want)
		}
	}
	floor("titles that match", s.title.right, s.title.pages, 0.88)
	floor("dates found", s.date.right, s.date.right+s.date.wrong+s.date.missed, 0.83)
	floor("dates right of those given where there is a label", s.date.right, s.date.right+s.date.wrong, 0.9)
	floor("pages without a wrong date or one too many", s.date.pages-s.date.wrong-s.date.extra, s.date.pages, 0.9)
	floor("authors found", s.author.right, s.author.right+s.author.wrong+s.author.missed, 0.75)
	floor("authors right of those given", s.author.right, s.author.right+s.author.wrong+s.author.extra, 0.8)
}

// benchmark collects scores: of the tuned part, of the held-out part, and of all.
type benchmark struct {
	t        *testing.T
	mu       sync.Mutex
	us, peer [3]score
	sure     map[string]map[schemas.Float]*[folds]count // by field, confidence and fold
}

func (b *benchmark) measure(name string, r *page.Parser) {
	l, err := readLabelled(name)
	if err != nil {
		b.t.Error(err)
		return
	}
	got, m := ours(&l, r)
	var theirs fields
	if *withPeer {
		theirs = trafilaturaFields(&l)
	}
	part := 1
	if l.tuned() {
		part = 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	wrong := b.us[part].add(got, l.truth)
	b.us[2].add(got, l.truth)
	b.peer[part].add(theirs, l.truth)
	b.peer[2].add(theirs, l.truth)
	b.noteConfidence(&l, m)
	if part == 0 && wrong[*listed] {
		fmt.Printf("%s %s %s\n  got  %q\n  want %q\n  %v\n", l.id, l.kind, l.url, got, l.truth, m.Sources)
	}
}

// folds is the number of parts that hosts are divided into for testing confidences.
const folds = 5

// fold returns the part of the page's host.
func (l *labelled) fold() int {
	u, err := url.Parse(l.url)
	if err != nil {
		return 0
	}
	return int(crc32.ChecksumIEEE([]byte("5fold"+strings.TrimPrefix(u.Hostname(), "www."))) % folds)
}

// noteConfidence counts how many of the values with one confidence are exactly right.
func (b *benchmark) noteConfidence(l *labelled, m Meta) {
	authors := strings.Join(m.Authors, " and ")
	for field, right := range map[string]bool{
		"title":     alike(m.Title, l.truth.Title),
		"authors":   alike(authors, l.truth.Author) || len(m.Authors) > 0 && alike(m.Authors[0], l.truth.Author),
		"published": l.truth.Date != "" && dateMatches(m.Published, l.truth.Date),
	} {
		c := m.Confidence[field]
		if c == 0 {
			continue
		}
		if b.sure[field] == nil {
			b.sure[field] = map[schemas.Float]*[folds]count{}
		}
		if b.sure[field][c] == nil {
			b.sure[field][c] = new([folds]count)
		}
		n := &b.sure[field][c][l.fold()]
		n.pages++
		if right {
			n.right++
		}
	}
}

// checkConfidence prints how often values of each confidence are right. It also checks the error of confidences on
// left-out hosts. There, each value is given the share of right values with its confidence on the hosts of the other
// folds.
func (b *benchmark) checkConfidence() {
	for _, field := range slices.Sorted(maps.Keys(b.sure)) {
		var here, outside calibration
		for _, c := range slices.Sorted(maps.Keys(b.sure[field])) {
			var all count
			for _, n := range b.sure[field][c] {
				all.right, all.pages = all.right+n.right, all.pages+n.pages
			}
			for _, n := range b.sure[field][c] {
				here.add(float64(c), n)
				outside.add(share(all.right-n.right, all.pages-n.pages), n)
			}
			b.t.Logf("%s of confidence %.2f: %d of %d are right, %.2f", field, c, all.right, all.pages,
				share(all.right, all.pages))
		}
		b.t.Logf("%s: calibration error %.3f, on hosts left out %.3f", field, here.error(), outside.error())
		if here.error() > 0.03 || outside.error() > 0.05 {
			b.t.Errorf("%s: confidences are off by %.3f, on hosts left out by %.3f", field, here.error(), outside.error())
		}
	}
}

// calibration counts values by tenths of their confidence: how many there are, how many should be right, and how many
// are right.
type calibration [10]struct{ all, expected, right float64 }

func (c *calibration) add(confidence float64, n count) {
	bin := &c[min(9, int(confidence*10))]
	bin.all += float64(n.pages)
	bin.expected += confidence * float64(n.pages)
	bin.right += float64(n.right)
}

// error returns the expected calibration error (Naeini and others, AAAI 2015).
func (c *calibration) error() float64 {
	all, off := 0.0, 0.0
	for _, bin := range c {
		all += bin.all
		off += math.Abs(bin.expected - bin.right)
	}
	return off / max(all, 1)
}

// BenchmarkExtract_corpus measures metadata of every thirtieth page of the benchmark, including JSON-LD but without
// parsing the page.
func BenchmarkExtract_corpus(b *testing.B) {
	names, err := filepath.Glob(filepath.Join(wcxb, "ground-truth", "*.json"))
	if err != nil || len(names) == 0 {
		b.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	var pages []labelled
	var size int64
	for i := 0; i < len(names); i += 30 {
		l, err := readLabelled(names[i])
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, l)
		size += int64(len(l.html))
	}
	var r page.Parser
	b.SetBytes(size)
	b.ReportAllocs()
	var spent time.Duration
	for b.Loop() {
		for i := range pages {
			p := r.Parse(pages[i].html, page.Options{URL: pages[i].url})
			start := time.Now()
			Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{})
			spent += time.Since(start)
		}
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N*len(pages)), "µs/page")
}
