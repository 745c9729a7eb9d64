package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// Bookmarks (the outline of a document, section 12.3.3) name its headings, with their levels and pages.

const (
	// maxBookmarks bounds the bookmarks of a file, maxNames the named destinations, maxTitle a title or a
	// name, in bytes.
	maxBookmarks, maxNames, maxTitle = 1 << 13, 1 << 16, 512
	// maxOnPage bounds the bookmarks of a page that are looked for in its lines.
	maxOnPage = 64
)

// bookmark is an item of the outline.
type bookmark struct {
	title       string
	level, page int // page counts from 0
}

// outlineWalk walks through the outline.
type outlineWalk struct {
	*reader
	found   []bookmark
	visited map[int]bool
	numbers map[int]int // pages by the number of their object
	names   map[string]object.Object
	nodes   map[int]bool // of the name tree
	read    int          // entries of the name tree
}

// bookmarks returns the bookmarks that lead to a page, in order.
func (r *reader) bookmarks(pages []page) []bookmark {
	outlines := r.file.Dict(r.file.Dict(r.file.Trailer["Root"])["Outlines"])
	if outlines["First"] == nil {
		return nil
	}
	w := outlineWalk{reader: r, visited: map[int]bool{}, numbers: map[int]int{}}
	for i, p := range pages {
		if p.num != 0 {
			w.numbers[p.num] = i
		}
	}
	w.items(outlines["First"], 1)
	return w.found
}

// items visits an item, those after it and those below it.
func (w *outlineWalk) items(o object.Object, level int) {
	for len(w.visited) < maxBookmarks && level <= w.options.MaxDepth {
		ref, isRef := o.(object.Ref)
		d := w.file.Dict(o)
		if !isRef || d == nil || w.visited[ref.Num] {
			return
		}
		w.visited[ref.Num] = true
		title := w.file.String(d["Title"])
		title = title[:min(len(title), maxTitle)]
		if page, ok := w.target(d); ok {
			w.found = append(w.found, bookmark{textString(title), level, page})
		}
		if d["First"] != nil {
			w.items(d["First"], level+1)
		}
		o = d["Next"]
	}
}

// target returns the page of an item: by its destination, or by its action.
func (w *outlineWalk) target(d object.Dict) (page int, ok bool) {
	o := w.file.Resolve(d["Dest"])
	if action := w.file.Dict(d["A"]); o == nil && w.file.Name(action["S"]) == "GoTo" {
		o = w.file.Resolve(action["D"])
	}
	switch v := o.(type) {
	case object.Name:
		o = w.named(string(v))
	case object.String:
		o = w.named(string(v))
	}
	// A named destination may be in a dictionary.
	if v, isDict := o.(object.Dict); isDict {
		o = w.file.Resolve(v["D"])
	}
	list, _ := o.(object.Array)
	if len(list) == 0 {
		return 0, false
	}
	ref, isRef := list[0].(object.Ref)
	page, ok = w.numbers[ref.Num]
	return page, ok && isRef
}

// named returns a named destination. They are read when the first is needed.
func (w *outlineWalk) named(name string) object.Object {
	if len(name) > maxTitle {
		return nil
	}
	if w.names == nil {
		w.names, w.nodes = map[string]object.Object{}, map[int]bool{}
		root := w.file.Dict(w.file.Trailer["Root"])
		for key, o := range w.file.Dict(root["Dests"]) {
			w.names[string(key)] = o
		}
		w.tree(w.file.Dict(w.file.Dict(root["Names"])["Dests"]), 0)
	}
	return w.file.Resolve(w.names[name])
}

// tree adds the names of a node of a name tree (section 7.9.6).
func (w *outlineWalk) tree(node object.Dict, depth int) {
	names := w.file.Array(node["Names"])
	for i := 0; i+1 < len(names) && w.read < maxNames; i += 2 {
		w.read++
		if name := w.file.String(names[i]); len(name) <= maxTitle {
			w.names[string(name)] = names[i+1]
		}
	}
	for _, kid := range w.file.Array(node["Kids"]) {
		ref, isRef := kid.(object.Ref)
		if !isRef || w.nodes[ref.Num] || depth > maxRoles || w.read >= maxNames || len(w.nodes) >= maxNames {
			continue
		}
		w.nodes[ref.Num] = true
		w.tree(w.file.Dict(kid), depth+1)
	}
}

// marked is a bookmark that was found in the text.
type marked struct {
	start, end, level int
}

// place returns where the titles of bookmarks are in the text. Each is searched on its page, among lines. Of several,
// the one in the largest letters counts, or the last: running heads come first.
func place(text string, list []bookmark, sizeAt func(start int) int) (places []marked) {
	byPage := map[int][]bookmark{}
	for _, b := range list {
		if len(byPage[b.page]) < maxOnPage {
			byPage[b.page] = append(byPage[b.page], b)
		}
	}
	start := 0
	for page := 0; start <= len(text); page++ {
		end := start + strings.IndexByte(text[start:], '\f')
		if end < start {
			end = len(text)
		}
		if wanted := byPage[page]; len(wanted) > 0 {
			places = append(places, placeOn(text[:end], start, wanted, sizeAt)...)
		}
		start = end + 1
	}
	return places
}

// placeOn returns the places of bookmarks on a page that begins at an offset. They are in ascending order.
func placeOn(text string, start int, wanted []bookmark, sizeAt func(int) int) (places []marked) {
	found := make([]marked, len(wanted))
	sizes := make([]int, len(wanted))
	for at := start; at < len(text); {
		for i, b := range wanted {
			if end := matchTitle(text, at, b.title); end > at {
				if size := sizeAt(at); found[i].end == 0 || size >= sizes[i] {
					found[i], sizes[i] = marked{at, end, b.level}, size
				}
			}
		}
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	last := 0
	for _, m := range found {
		if m.end > 0 && m.start >= last {
			places = append(places, m)
			last = m.end
		}
	}
	return places
}

// matchTitle returns the end of a title that begins a line of the text, or 0. Only letters and digits are compared. The
// text or the title may have a number before it.
func matchTitle(text string, at int, title string) int {
	if end := matchWords(text, at, title); end > 0 {
		return end
	}
	if n := leadingNumber(text[at:]); n > 0 {
		if end := matchWords(text, at+n, title); end > 0 {
			return end
		}
	}
	if n := leadingNumber(title); n > 0 {
		return matchWords(text, at, title[n:])
	}
	return 0
}

func matchWords(text string, at int, title string) int {
	lines, some := 0, false
	for {
		for title != "" {
			r, n := utf8.DecodeRuneInString(title)
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				break
			}
			title = title[n:]
		}
		for at < len(text) {
			r, n := utf8.DecodeRuneInString(text[at:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) || title == "" && r == '\n' {
				break
			}
			if r == '\n' {
				if lines++; lines >= maxHeadingLines {
					return 0
				}
			}
			at += n
		}
		switch {
		case title == "" && some && lines < maxHeadingLines && (at >= len(text) || text[at] == '\n'):
			return at
		case title == "" || at >= len(text):
			return 0
		}
		a, n := utf8.DecodeRuneInString(text[at:])
		b, m := utf8.DecodeRuneInString(title)
		if a != b && unicode.ToLower(a) != unicode.ToLower(b) {
			return 0
		}
		at, title, some = at+n, title[m:], true
	}
}

// leadingNumber returns the length of a number such as "1.2" or "A." at the beginning of a line, with the space after
// it.
func leadingNumber(s string) int {
	n := strings.IndexAny(s, " \t\n")
	if n <= 0 || n > 12 {
		return 0
	}
	digits := strings.ContainsAny(s[:n], "0123456789")
	if strings.Trim(s[:n], "0123456789.)") == "" && digits || n <= 2 && unicode.IsUpper(rune(s[0])) ||
		strings.Trim(s[1:n], "0123456789.") == "" && digits {
		return n + 1
	}
	return 0
}
