package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// jsonFeed is JSON Feed 1.1, with the other names of 1.0. Its fields are of type text, so that a number instead of a
// string does not cost the whole feed.
type jsonFeed struct {
	Version     text         `json:"version"`
	Title       text         `json:"title"`
	HomePage    text         `json:"home_page_url"`
	FeedURL     text         `json:"feed_url"`
	Description text         `json:"description"`
	Icon        text         `json:"icon"`
	Language    text         `json:"language"`
	Authors     []jsonPerson `json:"authors"`
	Author      jsonPerson   `json:"author"`
	Hubs        []struct {
		Type text `json:"type"`
		URL  text `json:"url"`
	} `json:"hubs"`
	Items []json.RawMessage `json:"items"` // of jsonItem
}

// jsonItem is read one by one, so that a broken item costs only itself.
type jsonItem struct {
	ID          text         `json:"id"`
	URL         text         `json:"url"`
	External    text         `json:"external_url"`
	Title       text         `json:"title"`
	HTML        text         `json:"content_html"`
	Text        text         `json:"content_text"`
	Summary     text         `json:"summary"`
	Published   text         `json:"date_published"`
	Modified    text         `json:"date_modified"`
	Language    text         `json:"language"`
	Tags        []text       `json:"tags"`
	Authors     []jsonPerson `json:"authors"`
	Author      jsonPerson   `json:"author"`
	Attachments []struct {
		URL  text  `json:"url"`
		Type text  `json:"mime_type"`
		Size int64 `json:"size_in_bytes"`
	} `json:"attachments"`
}

// jsonPerson is for author (1.0) and authors (1.1).
type jsonPerson struct {
	Name text `json:"name"`
	URL  text `json:"url"`
}

// text is a string or a number; other values are empty.
type text string

// UnmarshalJSON accepts any value.
func (t *text) UnmarshalJSON(b []byte) error {
	var v any
	// Numbers are kept as written: an id of 20 digits would lose some as a float.
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("feed: %w", err)
	}
	switch v := v.(type) {
	case string:
		*t = text(allowedOnly(v))
	case json.Number:
		*t = text(v)
	}
	return nil
}

// readJSON reads a JSON Feed; a broken one is repaired like JSON-LD. cut is then set, since something may be missing.
func readJSON(body, pageURL string, o Options) (*Feed, error) {
	cut := false
	// Counting braces bounds the objects before any is made.
	if !json.Valid([]byte(body)) || strings.Count(body, "{") > o.MaxElements {
		nodes, err := jsonld.Parse(body, jsonld.Options{MaxBytes: o.MaxBytes, MaxNodes: o.MaxElements})
		if err != nil || len(nodes) == 0 {
			return nil, ErrFormat
		}
		repaired, err := json.Marshal(nodes[0])
		// The repaired tree is encoded again, so that one reader reads both.
		if err != nil {
			return nil, fmt.Errorf("feed: %w", err)
		}
		body, cut = string(repaired), true
	}
	var j jsonFeed
	if err := unmarshal([]byte(body), &j); err != nil {
		return nil, ErrFormat
	}
	// Only the version shows a feed: other JSON has items as well.
	_, version, ok := strings.Cut(string(j.Version), "jsonfeed.org/version/")
	if !ok {
		return nil, ErrFormat
	}
	r := jsonReader{o: o, base: pageURL}
	f := r.feed(&j)
	f.Version, f.Truncated = clean(version, o.MaxTextBytes), f.Truncated || cut
	return f, nil
}

// unmarshal ignores fields of the wrong type. encoding/json continues after such a field and reports it at the end.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	if mistyped := (*json.UnmarshalTypeError)(nil); errors.As(err, &mistyped) {
		return nil
	}
	return err
}

// jsonReader bounds and resolves the values of a JSON Feed.
type jsonReader struct {
	o    Options
	base string
}

func (r jsonReader) line(t text) string { return clean(string(t), r.o.MaxTextBytes) }

// title is a line without markup, which titles have though they are plain text. Tags alone may be what a title is
// about: "Use <br> or <p>?".
func (r jsonReader) title(t text) string {
	s := strings.TrimSpace(string(t[:min(len(t), 16*r.o.MaxTextBytes)]))
	if hasElement(s) || hasMarkup(s) {
		s = plain(s)
	} else {
		s = html.UnescapeString(s)
	}
	return clean(unwrap(strings.TrimSpace(s)), r.o.MaxTextBytes)
}

// hasElement reports whether the first end tag in s has its start tag before it.
func hasElement(s string) bool {
	before, rest, ok := strings.Cut(s, "</")
	if !ok {
		return false
	}
	name, _, ok := strings.Cut(lowerASCII(rest), ">")
	before = lowerASCII(before)
	return ok && name != "" && (strings.Contains(before, "<"+name+">") || strings.Contains(before, "<"+name+" "))
}

// anyTag is a tag, or the start of a comment.
var anyTag = pattern.Lazy(`<(?:!--|/?([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>)`)

// hasMarkup reports whether the first tag in s of an element that marks up titles is markup, or any tag before it has
// attributes.
func hasMarkup(s string) bool {
	for at, n := 0, 0; n < maxRestarts && strings.Contains(s[at:], "<"); n++ {
		m := anyTag().FindStringSubmatchIndex(s[at:])
		if m == nil {
			return false
		}
		before, after := s[:at+m[0]], s[at+m[1]:]
		if m[2] < 0 {
			return strings.Contains(after, "-->")
		}
		name, rest := lowerASCII(s[at+m[2]:at+m[3]]), s[at+m[4]:at+m[5]]
		if strings.Contains(rest, "=") {
			return true
		}
		if marked[name] || slices.Contains(void, name) {
			return !isWord(before, after, strings.HasSuffix(rest, "/"))
		}
		at += m[1]
	}
	return false
}

// isWord reports whether a tag between two texts is a word of the title. It has spaces or punctuation on both sides. A
// tag with a slash is a word only before punctuation.
func isWord(before, after string, slash bool) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	opened := unicode.Is(unicode.Ps, last)
	if isQuote(last) { // after a word it ends a quotation
		word, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
		opened = !unicode.IsLetter(word) && !unicode.IsNumber(word) && !unicode.IsPunct(word)
	}
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case before != "" && !opened && !unicode.IsSpace(last):
		return false
	case after == "" || unicode.IsSpace(next):
		return !slash
	}
	return opened && isQuote(next) || unicode.In(next, unicode.Pe, unicode.Pf) ||
		strings.ContainsRune(".,:;!?-–—/…、。，：；！？", next)
}

// isQuote reports whether a quotation may begin with c. In some languages such marks also end one.
func isQuote(c rune) bool { return strings.ContainsRune("\"'`", c) || unicode.Is(unicode.Pi, c) }

// link is a resolved URL, or "" if it is longer than the limit.
func (r jsonReader) link(t text) string {
	if len(t) > r.o.MaxTextBytes {
		return ""
	}
	return resolve(r.base, string(t))
}

func (r jsonReader) feed(j *jsonFeed) *Feed {
	f := &Feed{
		// Plain texts become HTML, as Feed has HTML in these fields.
		Format: typeJSON, Title: r.title(j.Title), Description: html.EscapeString(string(j.Description)),
		Link: r.link(j.HomePage), Self: r.link(j.FeedURL), Language: r.line(j.Language), Image: r.link(j.Icon),
		Authors: r.persons(append(j.Authors, j.Author)),
	}
	// Items' links are relative to the site, if the feed has its absolute URL.
	if isWeb(strings.TrimSpace(string(j.HomePage))) {
		r.base = f.Link
	}
	for _, h := range j.Hubs {
		f.addHub(r.link(h.URL))
	}
	for _, raw := range j.Items {
		var item jsonItem
		// A JSON value is never empty, so there is a first byte.
		if raw[0] != '{' || unmarshal(raw, &item) != nil {
			continue
		}
		if len(f.Items) >= r.o.MaxItems {
			f.Truncated = true
			break
		}
		f.Items = append(f.Items, r.item(&item))
	}
	return f
}

func (r jsonReader) item(j *jsonItem) Item {
	it := Item{
		ID: r.line(j.ID), Link: cmp.Or(r.link(j.URL), r.link(j.External)), Title: r.title(j.Title),
		// content_html wins over content_text.
		Summary: html.EscapeString(string(j.Summary)), Content: cmp.Or(string(j.HTML), html.EscapeString(string(j.Text))),
		Language: r.line(j.Language), Authors: r.persons(append(j.Authors, j.Author)),
		Published: date(string(j.Published)), Updated: date(string(j.Modified)),
	}
	// An id that is a URL of the web is the page, as version 1.0 proposes.
	if it.Link == "" && isWeb(it.ID) {
		it.Link = it.ID
	}
	for _, tag := range j.Tags {
		addCategory(&it.Categories, r.line(tag))
	}
	for _, a := range j.Attachments {
		if url := r.link(a.URL); url != "" && len(it.Enclosures) < maxEnclosures {
			it.Enclosures = append(it.Enclosures, Enclosure{URL: url, Type: clean(string(a.Type), 256), Length: max(a.Size, 0)})
		}
	}
	return it
}

// persons are the authors, each once.
func (r jsonReader) persons(list []jsonPerson) []Person {
	var persons []Person
	for _, j := range list {
		p := Person{Name: r.line(j.Name), URL: r.link(j.URL)}
		if p != (Person{}) && len(persons) < maxAuthors && !slices.Contains(persons, p) {
			persons = append(persons, p)
		}
	}
	return persons
}
