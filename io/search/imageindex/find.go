package imageindex

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/transforms/picture"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Query chooses images. Zero fields choose all.
type Query struct {
	Words    string // all of them; with a star at the end, the beginning of a word
	Formats  []string
	Language string    // of a page that shows the image
	Host     string    // of the image, or of a page that shows it; its subdomains are included
	From, To time.Time // of a capture; To is excluded
	MinSide  int       // pixels of the longer side
	MaxSide  int
	Animated bool
	Like     string // perceptual hash of similar images
	Same     string // identifier of an image: Hit.Same
	// May reports whether the capture of a place may be read; nil allows all.
	May func(place uint64) bool

	Offset, Limit int
}

// Hit is an image. It is described by the newest capture that matches.
type Hit struct {
	Shard    string
	Row      int64
	Same     string // identifier: captures with it have the same bytes
	Captures int    // that match
	Similar  int    // other images with nearly the same hash
	Pages    []Page // that show it, best first; at most maxPages
	Shown    int    // pages that show it; more than maxUses of a shard are not counted
}

// Page is a capture of a page.
type Page struct {
	Shard string
	Row   int64
}

// Count is a value with its number of images.
type Count struct {
	Value string
	Count int
}

// Found is the answer to a query.
type Found struct {
	Hits    []Hit
	Total   int     // images
	Formats []Count // of these, the most frequent first
	Sizes   []Count // by SizeOf, from the smallest
}

// maxPages bounds Hit.Pages.
const maxPages = 5

// The classes of sizes, by the pixels of the longer side.
const (
	Small  = "small"  // below 200, as icons and buttons are
	Medium = "medium" // below 1000
	Large  = "large"
)

// Sides returns the bounds of a class of sizes; ok is false if there is no such class.
func Sides(class string) (least, most int, ok bool) {
	switch class {
	case "":
		return 0, 0, true
	case Small:
		return 1, 199, true
	case Medium:
		return 200, 999, true
	case Large:
		return 1000, 0, true
	}
	return 0, 0, false
}

func sizeOf(i *image) string {
	switch side := max(i.width, i.height); {
	case side == 0:
		return ""
	case side < 200:
		return Small
	case side < 1000:
		return Medium
	}
	return Large
}

// group are the captures of an image that match.
type group struct {
	part  int
	best  *image
	score uint8
	n     int
}

// search is the state of a query.
type search struct {
	x      *Index
	q      *Query
	terms  [][]byte
	scores []uint8 // of images whose uses match, by number of the SURT
	like   uint64
	same   uint64
}

// Find answers a query.
func (x *Index) Find(q Query) Found {
	s := &search{x: x, q: &q, terms: termsOf(q.Words), like: hashIn(q.Like), same: parseSame(q.Same)}
	s.findUses()
	numbers := make([]int32, x.groups) // of groups in list, from 1
	var list []*group
	for n, p := range x.parts {
		for k := range p.images {
			i := &p.images[k]
			score, ok := s.match(p, i)
			if !ok {
				continue
			}
			if numbers[i.group] == 0 {
				list = append(list, &group{part: n, best: i})
				numbers[i.group] = int32(len(list))
			}
			g := list[numbers[i.group]-1]
			g.n++
			g.score = max(g.score, score)
			if i.time > g.best.time {
				g.part, g.best = n, i
			}
		}
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.best.time, a.best.time),
			cmp.Compare(a.best.same, b.best.same))
	})
	f := x.counts(list)
	from := min(max(q.Offset, 0), len(list))
	f.Hits = s.hits(list[from:min(from+q.Limit, len(list))])
	return f
}

// findUses notes the images whose pages have the words, the language or the host.
func (s *search) findUses() {
	s.scores = make([]uint8, s.x.urls)
	if len(s.terms) == 0 && s.q.Language == "" && s.q.Host == "" {
		return
	}
	for _, p := range s.x.parts {
		for k := range p.uses {
			u := &p.uses[k]
			if s.q.Language != "" && p.names[u.language] != s.q.Language || s.q.May != nil && !s.q.May(u.place) {
				continue
			}
			score := s.score(p, u.words)
			// A host alone may also be that of the image.
			if score == 0 || s.q.Host != "" && !under(p.names[u.host], s.q.Host) {
				continue
			}
			s.scores[u.url] = max(s.scores[u.url], score)
		}
	}
}

// score weighs the words of a span: 0 if one is missing. Words about the image weigh most, those of a page's title
// least.
func (s *search) score(p *part, at span) uint8 {
	if len(s.terms) == 0 {
		return 1
	}
	text := p.words[at.from:at.to]
	score := 0
	for _, term := range s.terms {
		found := bytes.Index(text, term)
		if found < 0 {
			return 0
		}
		score += 3 - min(bytes.Count(text[:found], []byte{partEnd}), 2)
	}
	return uint8(min(score, 255))
}

// match reports whether a capture matches, and how well.
func (s *search) match(p *part, i *image) (score uint8, ok bool) {
	q := s.q
	side := max(i.width, i.height)
	switch {
	case q.MinSide > 0 && side < uint32(q.MinSide), q.MaxSide > 0 && side > uint32(q.MaxSide),
		q.Animated && (i.frames < 2 || p.names[i.format] == "tiff" || p.names[i.format] == "ico"),
		len(q.Formats) > 0 && !slices.Contains(q.Formats, p.names[i.format]),
		!q.From.IsZero() && i.time < q.From.UnixMicro(), !q.To.IsZero() && (i.time == 0 || i.time >= q.To.UnixMicro()),
		q.Like != "" && (i.hash == 0 || bits.OnesCount64(i.hash^s.like) > picture.MaxDistance),
		q.Same != "" && i.same != s.same:
		return 0, false
	}
	score = s.scores[i.url]
	if q.Language == "" && score == 0 && (q.Host == "" || under(p.names[i.host], q.Host)) {
		score = s.score(p, i.words)
	}
	return score, score > 0 && (q.May == nil || q.May(i.place))
}

// under reports whether a host is a domain or below it.
func under(host, domain string) bool {
	return host == domain || strings.HasSuffix(host, "."+domain)
}

// termsOf returns the terms of a query, each with the space before it and the space after it. The last one is left out
// if a star follows or longer terms begin with it.
func termsOf(words string) (terms [][]byte) {
	var scanner tokenize.Scanner
	for word := range strings.FieldsSeq(words) {
		begin := len(terms)
		for _, term := range scanner.Query(word) {
			term = append([]byte{' '}, term...)
			if !tokenize.IsSingle(term[1:]) {
				term = append(term, ' ')
			}
			terms = append(terms, term)
		}
		if last := len(terms) - 1; strings.HasSuffix(word, "*") && last >= begin {
			terms[last] = bytes.TrimSuffix(terms[last], []byte{' '})
		}
	}
	return terms
}

// counts counts the images of a list.
func (x *Index) counts(list []*group) Found {
	formats, sizes := map[string]int{}, map[string]int{}
	for _, g := range list {
		formats[x.parts[g.part].names[g.best.format]]++
		sizes[sizeOf(g.best)]++
	}
	f := Found{Total: len(list)}
	for value, n := range formats {
		f.Formats = append(f.Formats, Count{value, n})
	}
	slices.SortFunc(f.Formats, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	for _, value := range []string{Small, Medium, Large} {
		if n := sizes[value]; n > 0 {
			f.Sizes = append(f.Sizes, Count{value, n})
		}
	}
	return f
}
