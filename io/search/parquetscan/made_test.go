package parquetscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
)

// made returns n documents that differ in every field that filters can ask for. Fields are there or missing, lists and
// maps are empty, short and long, and texts are in several scripts. Some titles are so long that a column has an index
// worth reading.
func made(n int) []*schemas.Document {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]*schemas.Document, n)
	languages, types := []string{"fr", "de", "th", ""}, []string{"text/html", "application/pdf", "image/png"}
	for i := range list {
		host := fmt.Sprintf("www.site-%02d.example", r.IntN(30))
		d := &schemas.Document{
			URL: fmt.Sprintf("https://%s/page-%d", host, i), Host: host,
			SURT:       fmt.Sprintf("example,site-%02d)/page-%d", r.IntN(30), i),
			Timestamp:  time.Date(2025, 1, 1+r.IntN(400), r.IntN(24), 0, 0, r.IntN(2)*1000, time.UTC).Format(time.RFC3339Nano),
			Status:     []int{200, 200, 404, 0}[r.IntN(4)],
			RecordType: schemas.TypeResponse,
			Filename:   fmt.Sprintf("crawl-%d.warc.gz", r.IntN(3)), Offset: int64(i) * 1000, Length: 99,
			Sequence: r.IntN(3), Language: languages[r.IntN(4)], MIMEDetected: types[r.IntN(3)], Damaged: r.IntN(9) == 0,
		}
		if r.IntN(3) > 0 {
			d.Title = strings.Repeat("Überschrift สวัสดี Title ", r.IntN(60)) + fmt.Sprint(r.IntN(50))
			d.Text = fmt.Sprintf("Le Parlement européen, numéro %d. 政府", r.IntN(40))
			d.Quality = &schemas.Quality{Words: r.IntN(900), GopherPass: r.IntN(2) == 0}
			d.Quality.MeanWordLength = schemas.Float(r.IntN(9))
			links := r.IntN(3)
			d.LinksInternal = &links
		}
		for range r.IntN(4) {
			e := schemas.Entity{Type: "place", Text: fmt.Sprintf("Place %d", r.IntN(20)), Source: "tagger", Count: r.IntN(3)}
			for range r.IntN(3) {
				e.Mentions = append(e.Mentions, schemas.Span{Start: r.IntN(9), End: 9})
			}
			d.Entities = append(d.Entities, e)
		}
		if r.IntN(4) == 0 {
			d.Custom = map[string][]string{"price": {fmt.Sprint(r.IntN(9)), "x"}, "other": {"y"}}
			d.Published = []string{"2024-05-17", "2024-05-17T12:00:00Z", "2024-05-17T12:00:00+02:00", "sometime"}[r.IntN(4)]
			d.Feed = &schemas.FeedInfo{Type: "rss", Items: r.IntN(2)}
		}
		list[i] = d
	}
	return list
}

// written is a file of the documents, and its documents as parquetfile reads them.
func written(t testing.TB, docs []*schemas.Document, o parquetfile.Options) ([]byte, []*schemas.Document) {
	t.Helper()
	var out bytes.Buffer
	w := parquetfile.NewWriter(&out, o)
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var read []*schemas.Document
	for d, err := range parquetfile.Read(bytes.NewReader(out.Bytes()), int64(out.Len())) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, d)
	}
	return out.Bytes(), read
}

// opened opens a file in memory.
func opened(t testing.TB, file []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(file), int64(len(file)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
