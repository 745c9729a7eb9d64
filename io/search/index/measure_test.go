package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestMeasureThin makes an index of GLEANER_THIN rows. A row stands for 0.6 pages and 0.02 hosts, in 24 months and 22
// languages. Its text has some 250 bytes, with words as frequent as in English. Documents are not read from anywhere,
// so the rate is the index's own. GLEANER_THIN_TEXT is the number of words in a text; 0 means no texts.
func TestMeasureThin(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("GLEANER_THIN"))
	if err != nil {
		t.Skip("GLEANER_THIN is not set to a number of rows")
	}
	length := 40
	if s := os.Getenv("GLEANER_THIN_TEXT"); s != "" {
		if length, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	dir := os.Getenv("GLEANER_THIN_INDEX") // a folder for the index, which is kept
	if dir == "" {
		dir = t.TempDir()
	}
	x := &Index{options: Options{}.withDefaults(), place: place{dir: dir}}
	u := &updater{x: x, writers: map[string]*writer{}}
	if err := u.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, r := u.writers[""], rand.New(rand.NewPCG(1, 1))
	vocabulary := rand.NewZipf(r, 1.07, 2, 200_000)
	var text int64
	var used time.Duration
	const perShard = 10_000
	for from := 0; from < n; from += perShard {
		docs := make([]*schemas.Document, min(perShard, n-from))
		for i := range docs {
			docs[i] = thin(r, vocabulary, n, from+i, length)
			text += int64(len(docs[i].Text))
		}
		before := cputime.Self()
		rows, err := w.replace(t.Context(), schemas.Shard{Name: shardName(from)},
			func(yield func(*schemas.Document, error) bool) {
				for _, d := range docs {
					if !yield(d, nil) {
						return
					}
				}
			})
		if err != nil {
			t.Fatal(err)
		}
		w.added += rows
		if w.full() {
			err = w.commit(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		used += cputime.Self() - before
	}
	before := cputime.Self()
	if err := errors.Join(w.commit(t.Context()), w.settle(t.Context(), w.added, true), w.close(t.Context())); err != nil {
		t.Fatal(err)
	}
	used += cputime.Self() - before
	t.Logf("%d rows, %.1f MB of text in %v of CPU: %.0f rows/s, %.1f MB/s", n, float64(text)/1e6, used,
		float64(n)/used.Seconds(), float64(text)/1e6/used.Seconds())
	sizes(t, dir)
	if err := x.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	measureQuestions(t, x)
}

// thin is the i-th of n documents.
func thin(r *rand.Rand, vocabulary *rand.Zipf, n, i, length int) *schemas.Document {
	languages := []string{
		"en", "de", "fr", "es", "zh", "ja", "ru", "it", "pt", "nl", "pl", "ar", "he", "ko", "th", "tr",
		"sv", "cs",
	}
	types := []string{
		"text/html", "text/html", "text/html", "text/html", "text/html", "text/html", "application/pdf",
		"image/png",
	}
	page := r.IntN(n*6/10 + 1)
	host := fmt.Sprintf("host-%d.example", page*page%(n/50+1))
	d := &schemas.Document{
		URL: fmt.Sprintf("https://%s/section/article-%d", host, page), Host: host, Domain: host, Status: 200,
		MIMEDetected: types[r.IntN(len(types))], Language: languages[min(r.IntN(18), r.IntN(18))], PageType: "article",
		Title: fmt.Sprintf("Article %d of the section", page), Filename: fmt.Sprintf("crawl-%d.warc.gz", i/5000),
		Offset: int64(i) * 1000, Length: 900,
		Timestamp: time.Date(2024, 1, 1, 0, 0, r.IntN(2*365*86400), 0, time.UTC).Format(time.RFC3339),
	}
	d.SURT = urlkey.SURT(d.URL)
	if r.IntN(50) == 0 {
		d.Status = 404
	}
	frequent := []string{"government", "the", "coffee", "roasting", "政府", "of", "and", "to"}
	var text []byte
	for range length {
		switch word := vocabulary.Uint64(); {
		case word < uint64(len(frequent)):
			text = append(text, frequent[word]...)
		default:
			text = appendWord(text, word)
		}
		text = append(text, ' ')
	}
	d.Text = string(text)
	return d
}

// appendWord appends the n-th word of a made language, of syllables as in "husvan". Numbers in letters, such as w1a2,
// do not serve: they share the few values that FTS5's hash has for them. Comparing them took 90 % of the time.
func appendWord(b []byte, n uint64) []byte {
	consonants := []string{
		"b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "pl",
	}
	const vowels, ends = "aeiou", "nrsl"
	for n++; n > 0; n /= 500 {
		syllable := n % 500
		b = append(append(b, consonants[syllable/25]...), vowels[syllable%25/5])
		if end := syllable % 5; end > 0 {
			b = append(b, ends[end-1])
		}
	}
	return b
}

// TestMeasureNoText is TestMeasure as of a collection whose documents have no texts: what index.db alone takes.
// GLEANER_ROWS_TITLES=0 leaves out titles too, so that text.db has nothing to do. GLEANER_ROWS_INDEX is as there; where
// an index is already, it is asked and not made.
func TestMeasureNoText(t *testing.T) {
	rows := os.Getenv("GLEANER_ROWS")
	if rows == "" {
		t.Skip("GLEANER_ROWS is not set to a collection made by .tools/rows")
	}
	part, _, err := holdings.Whole(folder.Open(t.Context(), rows, nil))
	if err != nil {
		t.Fatal(err)
	}
	shards := part.DocumentShards()
	if n, err := strconv.Atoi(os.Getenv("GLEANER_ROWS_SHARDS")); err == nil {
		shards = shards[:n]
	}
	dir := os.Getenv("GLEANER_ROWS_INDEX")
	if dir == "" {
		dir = t.TempDir()
	}
	x := &Index{options: Options{}.withDefaults(), place: place{dir: dir}}
	u := &updater{x: x, marked: &marked{part: part}, columns: hitColumns, writers: map[string]*writer{}}
	if there, _ := there(filepath.Join(dir, indexFile)); there { // made before
		shards = nil
	}
	if os.Getenv("GLEANER_ROWS_TITLES") == "0" {
		u.columns = slices.DeleteFunc(slices.Clone(hitColumns), func(c string) bool { return c == "title" })
	}
	before := cputime.Self()
	if err := u.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := u.writers[""]
	for _, s := range shards {
		if err := u.put(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	indexed := cputime.Self() - before
	err = errors.Join(u.commit(t.Context(), w), w.settle(t.Context(), w.added, true), w.close(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	used := cputime.Self() - before
	t.Logf("%+v: %v of CPU, %v before the end, %.0f rows/s with reading", u.report, used, indexed,
		float64(u.report.Rows)/used.Seconds())
	sizes(t, x.place.dir)
	before, n := cputime.Self(), 0
	for _, s := range shards {
		for _, err := range u.documents(t.Context(), s) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	t.Logf("reading alone: %v of CPU, %.1f µs a row", cputime.Self()-before, (cputime.Self()-before).Seconds()*1e6/float64(n))
	if err := x.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	measureQuestions(t, x)
}

// sizes tells how large the databases in a folder are.
func sizes(t *testing.T, dir string) {
	for _, name := range []string{indexFile, textFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f MB", name, float64(info.Size())/1e6)
	}
}

// TestMeasure makes the index of a collection of .tools/rows and tells what that and questions take: the figures of
// docs/benchmarks.md. GLEANER_ROWS names the collection; GLEANER_ROWS_INDEX a folder for the index, which is kept.
func TestMeasure(t *testing.T) {
	rows, dir := os.Getenv("GLEANER_ROWS"), os.Getenv("GLEANER_ROWS_INDEX")
	if rows == "" {
		t.Skip("GLEANER_ROWS is not set to a collection made by .tools/rows")
	}
	if dir == "" {
		dir = t.TempDir()
	}
	f := folder.Open(t.Context(), rows, nil)
	part, _, err := holdings.Whole(f)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(os.Getenv("GLEANER_ROWS_SHARDS")); err == nil {
		part.Shards = part.DocumentShards()[:n]
	}
	x, err := Open(t.Context(), f, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	start, before := time.Now(), cputime.Self()
	r, err := x.Update(t.Context(), part)
	if err != nil {
		t.Fatal(err)
	}
	used := cputime.Self() - before
	t.Logf("%+v in %v, %v of CPU: %.0f rows/s of CPU", r, time.Since(start), used, float64(r.Rows)/used.Seconds())
	t.Logf("the texts have %.1f MB", float64(textBytes(t, part))/1e6)
	sizes(t, dir)
	measureQuestions(t, x)
}

// measureQuestions asks what people ask, unless GLEANER_QUESTIONS is 0: then a profile is of making the index alone.
func measureQuestions(t *testing.T, x *Index) {
	if os.Getenv("GLEANER_QUESTIONS") == "0" {
		return
	}
	var some []Hit // of which URLs, SURTs and hosts are asked for
	for h, err := range x.Find(t.Context(), query.Query{AllVersions: true, Limit: 2000}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		some = append(some, h)
	}
	fixed := func(s string) func(int) string { return func(int) string { return s } }
	for _, q := range []struct {
		name   string
		filter func(i int) string
		query  query.Query
	}{
		{
			"French PDFs in March", fixed(`language = fr AND mime_detected = "application/pdf" AND timestamp = 2025-03`),
			query.Query{},
		},
		{
			"the same, newest 20", fixed(`language = fr AND mime_detected = "application/pdf" AND timestamp = 2025-03`),
			query.Query{Limit: 20},
		},
		{
			"the same, all versions", fixed(`language = fr AND mime_detected = "application/pdf" AND timestamp = 2025-03`),
			query.Query{AllVersions: true},
		},
		{"URL", func(i int) string { return `url = "` + some[i*7].URL + `"` }, query.Query{AllVersions: true}},
		{"SURT", func(i int) string { return `surt = "` + some[i*7].SURT + `"` }, query.Query{AllVersions: true}},
		{
			"SURT at a moment", func(i int) string { return `surt = "` + some[i*7].SURT + `"` },
			query.Query{At: some[0].Timestamp.AddDate(0, -6, 0)},
		},
		{"host, newest 20", func(i int) string { return `host = "` + some[i*7].Host + `"` }, query.Query{Limit: 20}},
		{"language = fr, newest 20", fixed("language = fr"), query.Query{Limit: 20}},
		{"everything, newest 20", fixed(""), query.Query{Limit: 20}},
		{"everything at a moment, newest 20", fixed(""), query.Query{Limit: 20, At: some[0].Timestamp.AddDate(0, -6, 0)}},
		{"status = 404, oldest 20", fixed("status = 404"), query.Query{Limit: 20, Order: query.Oldest}},
		{"text government, newest 20", fixed("government"), query.Query{Limit: 20}},
		{"text the, newest 20", fixed("the"), query.Query{Limit: 20}},
		{"text coffee roasting, newest 20", fixed("coffee roasting"), query.Query{Limit: 20}},
		{"text 政府, newest 20", fixed("政府"), query.Query{Limit: 20}},
		{"text gov*, newest 20", fixed("gov*"), query.Query{Limit: 20}},
		{"text government, best 20", fixed("government"), query.Query{Limit: 20, Order: query.Relevance}},
		{
			"text the AND fr AND pdf", fixed(`the AND language = fr AND mime_detected = "application/pdf"`),
			query.Query{Limit: 20},
		},
	} {
		n := 0
		measure(t, q.name, 100, func(i int) int {
			e, err := query.Parse(q.filter(i))
			if err != nil {
				t.Fatal(err)
			}
			q.query.Where, n = e, 0
			for _, err := range x.Find(t.Context(), q.query, nil) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			return n
		})
	}
	for _, filter := range []string{"", "the", "government", "language = fr"} {
		for _, all := range []bool{false, true} {
			e, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			q, name := query.Query{Where: e, AllVersions: all}, filter
			if all {
				name += ", all versions"
			}
			measure(t, "count "+name, 9, func(int) int {
				n, err := x.Count(t.Context(), q, nil)
				if err != nil {
					t.Fatal(err)
				}
				return int(n)
			})
			measure(t, "facets of "+name, 9, func(int) int {
				for _, by := range []string{"language", "mime", "month", "host"} {
					if _, err := x.Facets(t.Context(), q, []string{by}, 20, nil); err != nil {
						t.Fatal(err)
					}
				}
				return 0
			})
		}
	}
}

// measure asks a question some times and tells what it takes.
func measure(t *testing.T, name string, times int, ask func(i int) (hits int)) {
	var wall, used []time.Duration
	hits := 0
	for i := range times {
		start, before := time.Now(), cputime.Self()
		hits = ask(i)
		wall, used = append(wall, time.Since(start)), append(used, cputime.Self()-before)
	}
	slices.Sort(wall)
	slices.Sort(used)
	ms := func(list []time.Duration, share int) float64 { return list[len(list)*share/100].Seconds() * 1e3 }
	t.Logf("%-40s %7d hits  wall %8.2f %8.2f  CPU %8.2f %8.2f ms (median, p95)", name, hits, ms(wall, 50), ms(wall, 95),
		ms(used, 50), ms(used, 95))
}

// textBytes is how much text the documents have.
func textBytes(t *testing.T, part holdings.Part) (n int64) {
	if os.Getenv("GLEANER_ROWS_TEXT") == "" {
		return 0 // reading takes as long as half of the index
	}
	for d, err := range part.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n += int64(len(d.Text))
	}
	return n
}

// TestAskOften asks one question many times, for a profile: GLEANER_ROWS_INDEX names an index that TestMeasure kept,
// GLEANER_QUESTION a filter, GLEANER_FACETS fields to count by.
func TestAskOften(t *testing.T) {
	dir, question := os.Getenv("GLEANER_ROWS_INDEX"), os.Getenv("GLEANER_QUESTION")
	if dir == "" || question == "" {
		t.Skip("GLEANER_ROWS_INDEX and GLEANER_QUESTION are not set")
	}
	x := &Index{options: Options{}.withDefaults(), place: place{dir: dir}}
	if err := x.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	e, err := query.Parse(question)
	if err != nil {
		t.Fatal(err)
	}
	r := Request{Query: query.Query{Where: e, Limit: 20, AllVersions: os.Getenv("GLEANER_ALL") != ""}, Top: 20}
	if by := os.Getenv("GLEANER_FACETS"); by != "" {
		r.By = strings.Split(by, ",")
	}
	r.Count = len(r.By) > 0
	n, err := strconv.Atoi(os.Getenv("GLEANER_TIMES"))
	if err != nil {
		n = 200
	}
	measure(t, question, n, func(int) int {
		a, err := x.Ask(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return max(int(a.Count), len(a.Hits))
	})
	measure(t, "overview", min(n, 20), func(int) int {
		o, err := x.Overview(t.Context(), 20)
		if err != nil {
			t.Fatal(err)
		}
		return int(o.Captures)
	})
}

// TestAskWords asks for words and pairs of words, each once, of an index that TestMeasure kept (GLEANER_ROWS_INDEX).
// They are those of titles, so that they are found, and as frequent as what people ask for. With GLEANER_FACETS it
// counts by these fields, too, as the server does.
func TestAskWords(t *testing.T) {
	dir := os.Getenv("GLEANER_ROWS_INDEX")
	if dir == "" {
		t.Skip("GLEANER_ROWS_INDEX is not set")
	}
	x := &Index{options: Options{}.withDefaults(), place: place{dir: dir}}
	if err := x.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	words, hits := titleWords(t, x), 0
	var by []string
	if fields := os.Getenv("GLEANER_FACETS"); fields != "" {
		by = strings.Split(fields, ",")
	}
	measure(t, "warm", 1, func(int) int {
		if err := x.Warm(t.Context(), by); err != nil {
			t.Fatal(err)
		}
		return 0
	})
	take := func(n int) string {
		var some []string
		some, words = words[:n], words[n:]
		return strings.Join(some, " ")
	}
	for _, order := range []query.Order{query.Newest, query.Relevance} {
		for n := 1; n <= 2; n++ {
			measure(t, fmt.Sprintf("%d words, order %d, 20", n, order), min(150, len(words)/n), func(int) int {
				words, before := take(n), cputime.Self()
				where, err := query.Parse(words)
				if err != nil {
					t.Fatal(err)
				}
				defer func() {
					if used := cputime.Self() - before; used > 50*time.Millisecond {
						t.Logf("%v: %s", used, words)
					}
				}()
				if by != nil {
					all := Request{Query: query.Query{Where: where, AllVersions: true, Limit: 1}, Count: true, By: by, Top: 1000}
					if _, err := x.Ask(t.Context(), all, nil); err != nil {
						t.Fatal(err)
					}
				}
				q := query.Query{Where: where, Limit: 20, Order: order}
				a, err := x.Ask(t.Context(), Request{Query: q, Count: by != nil}, nil)
				if err != nil {
					t.Fatal(err)
				}
				hits += len(a.Hits)
				return len(a.Hits)
			})
		}
	}
	t.Logf("%d hits, %d words left", hits, len(words))
}

// titleWords are words of titles that an index has, in no order.
func titleWords(t *testing.T, x *Index) (words []string) {
	t.Helper()
	seen := map[string]bool{}
	for h, err := range x.Find(t.Context(), query.Query{Limit: 5000}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.FieldsFunc(h.Title, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(word) > 3 && !seen[word] { // no AND, OR and NOT
				seen[word] = true
				words = append(words, word)
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 1))
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return words
}
