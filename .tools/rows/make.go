package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// How a row differs from its original document:
//
//   - There are 0.6 URLs a row, so that most pages have several versions. A URL fixes host (by Zipf's law), path, type,
//     language and original document.
//   - Times are spread evenly over the run; a twentieth of the captures are 404s.
//   - A URL has three contents. Random sentences of the language replace the texts, also in main_html. So vocabulary,
//     texts and digests vary, but markup, attributes and links stay those of a real page, and a row has its 10 kB.
//   - A text names three made-up organisations, most of them rare, beside the original's entities. A tenth of the pages
//     has a made-up author. A hundredth of the captures has a flag.
//   - Types and languages have the shares of a crawl like Common Crawl. Images have no text. With -national the types
//     are those of an archive that replays pages, with images, scripts and styles.
//
// All generators are seeded by only the row's or the URL's number.

// share is a weighted value.
type share struct {
	value  string
	weight float64
}

var languages = []share{
	{"en", 44},
	{"de", 6},
	{"ru", 6},
	{"ja", 5},
	{"zh", 5},
	{"es", 4.6},
	{"fr", 4.5},
	{"it", 2.5},
	{"pt", 2.3},
	{"nl", 1.8},
	{"pl", 1.8},
	{"cs", 1},
	{"tr", 1},
	{"vi", 1},
	{"ar", .8},
	{"ko", .8},
	{"fa", .8},
	{"sv", .7},
	{"el", .6},
	{"hu", .6},
	{"da", .5},
	{"th", .5},
	{"uk", .5},
	{"he", .4},
	{"hi", .4},
}

var types = []share{
	{"text/html", 80},
	{"application/pdf", 6},
	{"image/jpeg", 6},
	{"application/rss+xml", 2},
	{"text/plain", 2},
	{"application/json", 2},
	{"image/png", 2},
}

// national are the types of the archives in ../shared/corpora/warc, in round numbers: of 1,545 captures 48 % were HTML
// and 54 % had a text.
var national = []share{
	{"text/html", 48},
	{"image/jpeg", 20},
	{"image/png", 9},
	{"application/javascript", 8},
	{"text/css", 7},
	{"application/pdf", 3},
	{"application/json", 2},
	{"text/plain", 1},
	{"application/rss+xml", 2},
}

// hasText reports whether captures of a type have a text.
func hasText(mime string) bool {
	return !strings.HasPrefix(mime, "image/") && mime != "application/javascript" && mime != "text/css"
}

var topLevels = []string{"com", "org", "net", "de", "fr", "co.uk", "jp", "ru", "it", "nl"}

// fileBytes is the stated size of each archive, and stride the distance of its captures.
const (
	fileBytes = 1 << 40
	stride    = 31337
)

var first = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// maker makes documents by number. It is safe for concurrent use.
type maker struct {
	options
	*source
	last time.Time // the end of the last month
}

func newMaker(ctx context.Context, o options) (*maker, error) {
	if o.rows < 1 || o.months < 1 || o.runs < 1 || o.shards < 1 || o.hosts < 1 || o.workers < 1 {
		return nil, fmt.Errorf("-n, -months, -runs, -shards, -hosts and -workers are at least 1")
	}
	s, err := load(ctx, o.from, o.texts)
	if err != nil {
		return nil, err
	}
	return &maker{o, s, first.AddDate(0, o.months, 0)}, nil
}

// archive returns the name of a shard's archive.
func (m *maker) archive(shard int) string {
	return fmt.Sprintf("crawl-%02d/part-%05d.warc.gz", shard/m.shards, shard%m.shards)
}

// firstOf returns the first row of a shard.
func (m *maker) firstOf(shard int) int { return shard * m.rows / (m.runs * m.shards) }

// draws returns the generator for the i-th row, URL or content.
func draws(kind, i int) *rand.Rand { return rand.New(rand.NewPCG(uint64(kind), uint64(i))) }

const (
	ofRow = iota + 1
	ofURL
	ofContent
	ofNames
	ofLinks
)

// timeOf draws the time of a row within its run.
func (m *maker) timeOf(shard int, r *rand.Rand) time.Time {
	run := m.last.Sub(first) / time.Duration(m.runs)
	start := first.Add(run * time.Duration(shard/m.shards))
	return start.Add(time.Duration(r.Int64N(int64(run)))).Truncate(time.Second)
}

// document makes row i.
func (m *maker) document(shard, i int) *schemas.Document {
	r := draws(ofRow, i)
	t := m.timeOf(shard, r)
	page := r.IntN(m.pages())
	d, base := m.page(page)
	d.Timestamp = t.Format(time.RFC3339)
	d.Status = 200
	if r.IntN(20) == 0 {
		d.Status = 404
	}
	content := page*3 + r.IntN(3)
	m.fill(d, base, draws(ofContent, content))
	m.invent(d, draws(ofNames, content))
	if !m.html {
		d.MainHTML = ""
	}
	d.Digest = fmt.Sprintf("sha1:%032X", uint64(content)*0x9e3779b97f4a7c15)
	d.Filename, d.Offset = m.archive(shard), int64(i-m.firstOf(shard))*stride
	d.Length = int64(10_000 + r.IntN(20_000))
	d.BodyBytes = 4 * d.Length
	d.RecordType = schemas.TypeResponse
	d.RecordID = fmt.Sprintf("urn:uuid:%08x-%04x-4%03x-9%03x-%012x",
		r.Uint32(), r.IntN(1<<16), r.IntN(1<<12), r.IntN(1<<12), r.Int64N(1<<48))
	return d
}

// pages is the number of URLs.
func (m *maker) pages() int { return max(1, m.rows*6/10) }

// address makes the URL of a page.
func (m *maker) address(page int) *schemas.Document {
	d, _ := m.page(page)
	return d
}

// page makes the common part of a URL's captures.
func (m *maker) page(page int) (d, base *schemas.Document) {
	r := draws(ofURL, page)
	host := rand.NewZipf(r, 1.2, 8, uint64(m.hosts-1)).Uint64()
	base = m.documents[r.IntN(len(m.documents))]
	word := func(n int) string { return m.words[n%len(m.words)] }
	kinds := types
	if m.national {
		kinds = national
	}
	d = &schemas.Document{MIMEDetected: pick(r, kinds), Language: pick(r, languages), MIMEBasis: base.MIMEBasis}
	domain := fmt.Sprintf("%s%s%d.%s", word(int(host)*7), word(int(host)*13+5), host, topLevels[host%10])
	path := fmt.Sprintf("/%s/%s-%s-%s-%d", word(r.IntN(40)), word(r.Int()), word(r.Int()), word(r.Int()), page)
	if d.MIMEDetected == "application/pdf" {
		path += ".pdf"
	}
	d.Domain, d.Host, d.URL = domain, "www."+domain, "https://www."+domain+path
	d.SURT = urlkey.SURT(d.URL)
	d.MIMEDeclared = d.MIMEDetected
	d.SourceID = fmt.Sprintf("source-%d", host%500)
	return d, base
}

// fill gives d the content of base with other sentences.
func (m *maker) fill(d, base *schemas.Document, r *rand.Rand) {
	d.Charset, d.CharsetBasis, d.IP = base.Charset, base.CharsetBasis, base.IP
	sentences := m.sentences[d.Language]
	if !hasText(d.MIMEDetected) || len(sentences) == 0 {
		d.Language = ""
		return
	}
	d.Languages = []schemas.Language{{Code: d.Language, Share: 1, Confidence: .99}}
	var text strings.Builder
	html, want := "", len(base.Text)/2
	if m.html {
		html = resay(base.MainHTML, &text, sentences, r)
	}
	if m.text > 0 {
		want = len(base.Text) * m.text / m.mean
	}
	for text.Len() < want {
		text.WriteString(sentences[r.IntN(len(sentences))] + "\n")
	}
	d.Text, d.TextSource, d.Title = text.String(), base.TextSource, cut(sentences[r.IntN(len(sentences))], 80)
	d.Entities = slices.Clone(base.Entities)
	if m.text > 0 { // a shorter text has fewer
		d.Entities = d.Entities[:min(len(d.Entities), len(d.Entities)*m.text/m.mean)]
	}
	for i := range d.Entities {
		d.Entities[i].Mentions = nil // mentions are offsets in the old text
	}
	d.Quality, d.Simhash = base.Quality, fmt.Sprintf("%016x", r.Uint64())
	if d.MIMEDetected == "text/html" {
		d.MainHTML, d.PageType, d.Description = html, base.PageType, base.Description
		d.Authors, d.Publisher, d.Section, d.Tags = base.Authors, base.Publisher, base.Section, base.Tags
		d.Published, d.Modified, d.Feeds = base.Published, base.Modified, base.Feeds
		d.MetaSources, d.MetaConfidence = base.MetaSources, base.MetaConfidence
		d.LinksInternal, d.LinksExternal = base.LinksInternal, base.LinksExternal
	}
}

// maxNames is the number of made-up organisations, and of made-up authors.
const maxNames = 300_000

// invent adds made-up names to a document with text, and sometimes a flag.
func (m *maker) invent(d *schemas.Document, r *rand.Rand) {
	if r.IntN(100) == 0 {
		all := []schemas.Flag{schemas.FlagPayload, schemas.FlagChunked, schemas.FlagUnchecked}
		n := r.IntN(len(all))
		d.Flags = all[n : n+1]
	}
	if d.Text == "" {
		return
	}
	name := func() string {
		n := int(rand.NewZipf(r, 1.1, 100, maxNames-1).Uint64())
		return fmt.Sprintf("%s %s %d", m.words[n%len(m.words)], m.words[n*7%len(m.words)], n)
	}
	for range 3 {
		e := schemas.Entity{Type: "organization", Text: name(), Count: 1, Source: "tagger", Confidence: .8}
		d.Entities = append(d.Entities, e)
	}
	if d.MIMEDetected == "text/html" && r.IntN(10) == 0 {
		d.Authors = []string{name()}
	}
}

// resay returns html with its longer texts replaced by somewhat shorter sentences, which it also adds to text.
func resay(html string, text *strings.Builder, sentences []string, r *rand.Rand) string {
	var out strings.Builder
	out.Grow(len(html) + len(html)/8)
	for html != "" {
		start := strings.IndexByte(html, '<')
		if start < 0 {
			start = len(html)
		}
		if start < 20 {
			out.WriteString(html[:start])
		} else {
			// Unrelated sentences compress worse than a page's own, so there are fewer of them.
			for want := out.Len() + start*3/5; out.Len() < want; {
				s := sentences[r.IntN(len(sentences))]
				out.WriteString(strings.ReplaceAll(s, "<", "&lt;"))
				text.WriteString(s)
				text.WriteByte('\n')
			}
		}
		end := strings.IndexByte(html[start:], '>') + 1
		if end == 0 {
			end = len(html) - start
		}
		out.WriteString(html[start : start+end])
		html = html[start+end:]
	}
	return out.String()
}

// pick draws a value by weight.
func pick(r *rand.Rand, shares []share) string {
	total := 0.0
	for _, s := range shares {
		total += s.weight
	}
	x := r.Float64() * total
	for _, s := range shares {
		if x -= s.weight; x < 0 {
			return s.value
		}
	}
	return shares[0].value
}

// cut truncates s to at most n bytes at a whole character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
