package query

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// chance makes random choices.
type chance struct{ *rand.Rand }

// one is true with a probability of 1/n.
func (c chance) one(n int) bool { return c.IntN(n) == 0 }

// pick returns a random value.
func pick[T any](c chance, list ...T) T { return list[c.IntN(len(list))] }

// some returns a random value with a probability of 2/3, or else the zero value, which means no value.
func some[T any](c chance, list ...T) (v T) {
	if c.one(3) {
		return v
	}
	return pick(c, list...)
}

// words are words of titles and texts, in ASCII. DuckDB has no words, so its statements search between spaces.
var words = []string{"budget", "council", "water", "wating", "zeta", "the", "city"}

func (c chance) words(most int) string {
	list := make([]string, c.IntN(most+1))
	for i := range list {
		list[i] = pick(c, words...)
	}
	return strings.Join(list, " ")
}

// stamp returns a time within a few seconds of a few days. Many are equal, and many differ by less than a second.
func (c chance) stamp() string {
	t := time.Date(2025, time.Month(pick(c, 2, 3)), pick(c, 1, 2, 28), 0, 0, c.IntN(3), 0, time.UTC)
	fraction := pick(c, "", "", ".5", ".25", ".000001", ".999999", ".123456")
	return t.Format("2006-01-02T15:04:05") + fraction + "Z"
}

// dated returns a date as a page states it.
func (c chance) dated() string {
	return some(c, "2025-02-01", "2025-02-28T23:30:00-01:00", "1455-02-23", "2025-03-01T00:00:00Z", "soon", c.stamp())
}

// docs makes documents of a few pages with random fields.
func (c chance) docs(n int) (list []*schemas.Document) {
	for i := range n {
		d := &schemas.Document{
			URL: c.url(n / 4), Status: some(c, 200, 200, 301, 404, 999), Title: c.title(), Text: c.words(5),
			MIMEDetected: some(c, "text/html", "application/pdf", "image/png"), Language: some(c, "fr", "FR", "en", "zh",
				"*"),
			PageType: some(c, "article", "forum"), SourceID: some(c, "0a", "0b"), RecordType: pick(c, schemas.TypeResponse,
				"revisit"),
			Filename: fmt.Sprintf("f%d.warc", i%5), Offset: int64(i / 2 * 100), Length: int64(c.IntN(4) * 50),
			Sequence:  i % 2,
			BodyBytes: int64(c.IntN(3)), Damaged: c.one(3), MIMEConflict: c.one(4), Publisher: some(c, "Gazette", "gazette",
				"Le Ö"),
			Published: c.dated(), Modified: c.dated(), Pages: some(c, 1, 7), TemplateBlocks: c.IntN(3),
			Description: some(c, "A budget", "50 % off_", `back\slash`), Digest: some(c, "sha1:A", "sha1:B"),
		}
		d.SURT, d.Host = urlkey.SURT(d.URL), urlkey.Host(d.URL)
		d.Domain = strings.TrimPrefix(strings.TrimPrefix(d.Host, "www."), "sub.")
		if !c.one(8) {
			d.Timestamp = c.stamp()
		}
		c.more(d)
		list = append(list, d)
	}
	return list
}

// more fills in lists, objects and maps.
func (c chance) more(d *schemas.Document) {
	if c.one(2) {
		d.Authors = []string{pick(c, "Li Wei", "Ann"), "Zoé"}[:1+c.IntN(2)]
		d.Tags = []string{pick(c, "a", "B", "c*")}
	}
	for range c.IntN(3) {
		d.Entities = append(d.Entities, schemas.Entity{
			Type: pick(c, "place", "person"), Text: pick(c, "Paris", "paris", "Ann"), Source: "tagger",
			Count: c.IntN(3), Confidence: schemas.Float(pick(c, 0, .5, .75)),
		})
	}
	if c.one(2) {
		d.Quality = &schemas.Quality{
			Words: c.IntN(3), MeanWordLength: schemas.Float(pick(c, 0, 4.5, 5)), GopherPass: c.one(2),
		}
	}
	if c.one(2) {
		n := c.IntN(3)
		d.LinksInternal = &n
	}
	if c.one(3) {
		d.Custom = map[string][]string{"price": {pick(c, "3", "40")}, pick(c, "size", "price"): {pick(c, "L", "3"), "M"}}
	}
	c.typed(d)
	if c.one(4) {
		d.Feed = &schemas.FeedInfo{Type: "rss", Title: some(c, "News", "Budget"), Items: c.IntN(3)}
	}
	if c.one(4) {
		d.Flags = []schemas.Flag{pick[schemas.Flag](c, "digest_mismatch", "timestamp")}
	}
}

// typed fills in custom columns with types.
func (c chance) typed(d *schemas.Document) {
	if c.one(2) {
		d.CustomIntegers = map[string][]int64{"stars": []int64{int64(c.IntN(12) - 3), int64(c.IntN(4))}[:1+c.IntN(2)]}
	}
	if c.one(2) {
		d.CustomFloats = map[string][]schemas.Float{"score": {schemas.Float(pick(c, -.5, 0, .5, 2))}}
	}
	if c.one(2) {
		d.CustomBooleans = map[string][]bool{"sold": []bool{c.one(2), c.one(2)}[:1+c.IntN(2)]}
	}
	if c.one(2) {
		d.CustomTimes = map[string][]string{"seen": {c.stamp()}}
	}
}

// url returns one of a number of URLs, or "", or a URL without a host.
func (c chance) url(pages int) string {
	switch c.IntN(12) {
	case 0:
		return ""
	case 1:
		return pick(c, "dns:a.example", "urn:x:1", "warcinfo")
	}
	host := pick(c, "a.example", "www.a.example", "sub.a.example", "b.example", "A.example", "c.test:8080",
		"bücher.example")
	path := pick(c, "", "p", "q?x=", "P/", "Ü", "it's*")
	return pick(c, "http", "https") + "://" + host + "/" + path + fmt.Sprint(c.IntN(1+pages/8))
}

func (c chance) title() string {
	return some(c, "Budget "+c.words(2), "the CITY", "Été", "été", "=1+1", "100 %", "it's \"x\"", `a\b*`)
}

// shelve writes documents as a collection of four units, as Parquet or JSON lines.
func shelve(t *testing.T, docs []*schemas.Document, format string) string {
	t.Helper()
	out := t.TempDir()
	f := folder.Open(t.Context(), out, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const units = 4
	var list []schemas.Unit
	var keys []string
	for i := range units {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("f%d.warc", i), End: 1}}}
		list, keys = append(list, u), append(keys, ledger.Key(u, nil, nil))
	}
	_, done, err := c.Resume(list, keys, nil)
	for i, u := range list {
		if err != nil {
			break
		}
		var r schemas.UnitResult
		r, err = unitOf(f, u, keys[i], format, docs[i*len(docs)/units:(i+1)*len(docs)/units])
		done = append(done, r)
	}
	if err == nil {
		_, err = c.Finish(done, collection.Run{Units: units})
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func unitOf(
	f folder.Folder, u schemas.Unit, key, format string, docs []*schemas.Document,
) (r schemas.UnitResult, err error) {
	w, err := shard.NewWriter(f, u, key, shard.Options{Formats: []string{format, holdings.FormatLinks}})
	if err != nil {
		return r, err
	}
	for _, d := range docs {
		err := w.Document(d)
		if err == nil && d.SURT != "" {
			err = w.Links([]schemas.Link{{
				SURT: d.SURT, URL: d.URL, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp,
				Target: "http://a.example/p1", TargetHost: "a.example", Text: d.Title, Place: schemas.PlaceMain,
			}})
		}
		if err != nil {
			return r, err
		}
	}
	return w.Commit(schemas.Counts{Documents: int64(len(docs))}, ledger.Note{})
}
