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

	"github.com/gleaner-web/gleaner/transforms/jsonld"
)

// jsonFeed is JSON Feed 1.1, with what 1.0 calls otherwise.
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

type jsonPerson struct {
	Name text `json:"name"`
	URL  text `json:"url"`
}

// text is a string, or a number that stands for one; anything else is not text.
type text string

// UnmarshalJSON takes any value.
func (t *text) UnmarshalJSON(b []byte) error {
	var v any
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

// readJSON reads a JSON Feed; one that is broken is repaired like JSON-LD.
func readJSON(body, pageURL string, o Options) (*Feed, error) {
	cut := false
	if !json.Valid([]byte(body)) || strings.Count(body, "{") > o.MaxElements {
		nodes, err := jsonld.Parse(body, jsonld.Options{MaxBytes: o.MaxBytes, MaxNodes: o.MaxElements})
		if err != nil || len(nodes) == 0 {
			return nil, ErrFormat
		}
		repaired, err := json.Marshal(nodes[0])
		if err != nil {
			return nil, fmt.Errorf("feed: %w", err)
		}
		body, cut = string(repaired), true
	}
	var j jsonFeed
	if err := unmarshal([]byte(body), &j); err != nil {
		return nil, ErrFormat
	}
	_, version, ok := strings.Cut(string(j.Version), "jsonfeed.org/version/")
	if !ok {
		return nil, ErrFormat
	}
	r := jsonReader{o: o, base: pageURL}
	f := r.feed(&j)
	f.Version, f.Truncated = clean(version, o.MaxTextBytes), f.Truncated || cut
	return f, nil
}

// unmarshal reads all fields that have the type that they should.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	if mistyped := (*json.UnmarshalTypeError)(nil); errors.As(err, &mistyped) {
		return nil
	}
	return err
}

// jsonReader bounds and resolves what a JSON Feed says.
type jsonReader struct {
	o    Options
	base string
}

func (r jsonReader) line(t text) string { return clean(string(t), r.o.MaxTextBytes) }

func (r jsonReader) link(t text) string {
	if len(t) > r.o.MaxTextBytes {
		return ""
	}
	return resolve(r.base, string(t))
}

func (r jsonReader) feed(j *jsonFeed) *Feed {
	f := &Feed{
		Format: typeJSON, Title: r.line(j.Title), Description: html.EscapeString(string(j.Description)),
		Link: r.link(j.HomePage), Self: r.link(j.FeedURL), Language: r.line(j.Language), Image: r.link(j.Icon),
		Authors: r.persons(append(j.Authors, j.Author)),
	}
	if isWeb(strings.TrimSpace(string(j.HomePage))) {
		r.base = f.Link
	}
	for _, h := range j.Hubs {
		if url := r.link(h.URL); url != "" && len(f.Hubs) < maxHubs {
			f.Hubs = append(f.Hubs, url)
		}
	}
	for _, raw := range j.Items {
		var item jsonItem
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
		ID: r.line(j.ID), Link: cmp.Or(r.link(j.URL), r.link(j.External)), Title: r.line(j.Title),
		Summary: html.EscapeString(string(j.Summary)), Content: cmp.Or(string(j.HTML), html.EscapeString(string(j.Text))),
		Language: r.line(j.Language), Authors: r.persons(append(j.Authors, j.Author)),
		Published: date(string(j.Published)), Updated: date(string(j.Modified)),
	}
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
