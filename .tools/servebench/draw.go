package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sample holds the requests to make: paths of each kind.
type sample struct {
	frequent                                           []string
	overviews, pairs, pages, words, filters, addresses []string
	calendars, trends, documents                       []string
	values                                             map[string][]string // of fields

	texts [][]string // words of each page that has a pair, for more pairs
}

// draw makes requests from n pages of random hosts.
func (b *bench) draw(ctx context.Context, n int) (s sample, err error) {
	var hosts struct {
		Groups []struct{ Values []string }
	}
	if err := b.json(ctx, "/api/v1/facets?by=host&top=10000", &hosts); err != nil {
		return s, err
	}
	if len(hosts.Groups) == 0 {
		return s, fmt.Errorf("%s: no hosts", b.base)
	}
	var shelf struct{ Collections []struct{ Link string } }
	if err := b.json(ctx, "/api/v1/collections", &shelf); err != nil {
		return s, err
	}
	b.collection = shelf.Collections[0].Link
	frequency, all := map[string]int{}, []string{}
	s.values = map[string][]string{}
	for range n {
		host := hosts.Groups[b.random.IntN(len(hosts.Groups))].Values[0]
		address, words, err := b.page(ctx, host)
		if err != nil {
			return s, err
		}
		s.addresses = append(s.addresses, "/api/v1/resources?"+url.Values{"url": {address}}.Encode())
		s.filters = append(s.filters, search(fmt.Sprintf("host = %q", host)))
		s.calendars = append(s.calendars, b.collection+"/resource?"+url.Values{"url": {address}}.Encode())
		s.overviews = append(s.overviews, "/api/v1/overview")
		all = append(all, words...)
		if pair := b.pair(words); pair != "" {
			s.pairs, s.texts = append(s.pairs, search(pair)), append(s.texts, words)
		}
		if pair := b.pair(words); pair != "" {
			s.pages = append(s.pages, b.collection+"/search?"+url.Values{"query": {pair}}.Encode())
		}
		for _, w := range words {
			frequency[w]++
		}
	}
	b.overTime(&s, n, all)
	for i := range n {
		q := fmt.Sprintf(`language = %q AND mime_detected = "application/pdf" AND timestamp = 2025-%02d`,
			[]string{"fr", "de", "es", "ru", "it", "pt", "nl", "pl", "cs", "tr"}[i/12%10], i%12+1)
		s.documents = append(s.documents, search(q)+"&facets=no")
	}
	// The most frequent words come first. Equal ones are sorted by name, so that a seed gives the same requests each
	// time.
	ranked := slices.SortedFunc(maps.Keys(frequency), func(a, b string) int {
		if d := frequency[b] - frequency[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	s.frequent = ranked[:min(10, len(ranked))]
	for _, w := range s.frequent {
		s.words = append(s.words, search(quoted(w)))
	}
	return s, nil
}

// listed are the fields whose values are listed.
var listed = []string{"host", "domain", "author", "tag", "entity", "flag", "record_type"}

// overTime makes requests for trends of three words, and for the values of fields among the captures with a word, every
// fourth among all.
func (b *bench) overTime(s *sample, n int, words []string) {
	word := func() string { return quoted(words[b.random.IntN(len(words))]) }
	for i := range n {
		terms := word() + ", " + word() + ", " + word()
		unit := []string{"year", "month", "day"}[i%3]
		s.trends = append(s.trends, "/api/v1/trends?"+url.Values{"terms": {terms}, "unit": {unit}}.Encode())
		for _, field := range listed {
			q := url.Values{"field": {field}}
			if i%4 > 0 {
				q.Set("query", word())
			}
			s.values[field] = append(s.values[field], "/api/v1/values?"+q.Encode())
		}
	}
}

// page returns a random page of a host, and the words of its text, each once.
func (b *bench) page(ctx context.Context, host string) (address string, words []string, err error) {
	var found struct{ Hits []struct{ URL string } }
	path := search(fmt.Sprintf("host = %q", host)) + "&facets=no&limit=100"
	if err := b.json(ctx, path, &found); err != nil || len(found.Hits) == 0 {
		return "", nil, fmt.Errorf("%s: no captures, %w", host, err)
	}
	address = found.Hits[b.random.IntN(len(found.Hits))].URL
	// An image or a feed has no text, which is not an error.
	text, status, err := b.get(ctx, "/api/v1/text?"+url.Values{"url": {address}}.Encode())
	if err != nil || status != 200 {
		return address, nil, err
	}
	between := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, w := range strings.FieldsFunc(strings.ToLower(string(text)), between) {
		words = append(words, short(w))
	}
	slices.Sort(words)
	return address, slices.Compact(words), nil
}

// short returns a word as people type it: in a script without spaces between words, two characters.
func short(word string) string {
	if !strings.ContainsFunc(word, unbroken) {
		return word
	}
	signs := []rune(word)
	return string(signs[:min(2, len(signs))])
}

func unbroken(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}

// pair returns a search for two words of a text that people would search for, or "" if there are none.
func (b *bench) pair(words []string) string {
	long := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return utf8.RuneCountInString(w) < 4 && !strings.ContainsFunc(w, unbroken)
	})
	if len(long) < 2 {
		return ""
	}
	at := b.random.Perm(len(long))
	return quoted(long[at[0]]) + " " + quoted(long[at[1]])
}

// quoted returns a word in quotation marks, because "and" alone is an operator of queries.
func quoted(word string) string { return `"` + word + `"` }

// mixed returns the three requests of users in turn. No search repeats an earlier one.
func (b *bench) mixed(s *sample) func() string {
	asked := map[string]bool{}
	for _, path := range s.pairs {
		asked[path] = true
	}
	i := -1
	return func() string {
		switch i++; i % 3 {
		case 0:
			return "/api/v1/overview"
		case 1:
			return s.addresses[b.random.IntN(len(s.addresses))]
		}
		for {
			path := search(b.pair(s.texts[b.random.IntN(len(s.texts))]))
			if !asked[path] {
				asked[path] = true
				return path
			}
		}
	}
}

// again repeats the first n results of next.
func again(next func() string, n int) func() string {
	list := make([]string, n)
	for i := range list {
		list[i] = next()
	}
	i := -1
	return func() string {
		i++
		return list[i%n]
	}
}

// json requests a path and decodes the response.
func (b *bench) json(ctx context.Context, path string, to any) error {
	body, status, err := b.get(ctx, path)
	if err == nil && status != 200 {
		err = fmt.Errorf("%s: status %d: %.300s", path, status, body)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(body, to)
}
