package index

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// cpu is what the process has computed so far.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
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
	part, _, err := collection.Whole(f)
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
	defer x.Close()
	start, before := time.Now(), cpu()
	r, err := x.Update(t.Context(), part)
	if err != nil {
		t.Fatal(err)
	}
	used := cpu() - before
	t.Logf("%+v in %v, %v of CPU: %.0f rows/s of CPU", r, time.Since(start), used, float64(r.Rows)/used.Seconds())
	t.Logf("the texts have %.1f MB", float64(textBytes(t, part))/1e6)
	for _, name := range []string{indexFile, textFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f MB", name, float64(info.Size())/1e6)
	}
	measureQuestions(t, x)
}

func measureQuestions(t *testing.T, x *Index) {
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
		{"French PDFs in March", fixed(`language = fr AND mime_detected = "application/pdf" AND timestamp = "2025-03"`), query.Query{}},
		{"the same, all versions", fixed(`language = fr AND mime_detected = "application/pdf" AND timestamp = "2025-03"`), query.Query{AllVersions: true}},
		{"URL", func(i int) string { return `url = "` + some[i*7].URL + `"` }, query.Query{AllVersions: true}},
		{"SURT", func(i int) string { return `surt = "` + some[i*7].SURT + `"` }, query.Query{AllVersions: true}},
		{"SURT at a moment", func(i int) string { return `surt = "` + some[i*7].SURT + `"` }, query.Query{At: some[0].Timestamp.AddDate(0, -6, 0)}},
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
		{"text the AND fr AND pdf", fixed(`the AND language = fr AND mime_detected = "application/pdf"`), query.Query{Limit: 20}},
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
		start, before := time.Now(), cpu()
		hits = ask(i)
		wall, used = append(wall, time.Since(start)), append(used, cpu()-before)
	}
	slices.Sort(wall)
	slices.Sort(used)
	ms := func(list []time.Duration, share int) float64 { return list[len(list)*share/100].Seconds() * 1e3 }
	t.Logf("%-40s %7d hits  wall %8.2f %8.2f  CPU %8.2f %8.2f ms (median, p95)", name, hits, ms(wall, 50), ms(wall, 95), ms(used, 50), ms(used, 95))
}

// textBytes is how much text the documents have.
func textBytes(t *testing.T, part collection.Part) (n int64) {
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
