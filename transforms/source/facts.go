package source

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Facts are what a description takes from a source's pages, and what of it depends on other sources: with them, its
// row and its state, a source that a crawl did not meet is described at another moment without its pages. See Renew.
type Facts struct {
	Fate    Fetch // what became of the feed's URL, where that is a visit that failed; see WithFate
	Grouped bool  // it is equal to another source: then its row depends on that one's state too
	Verdict string
	Class   string
	Reasons []string
	Main    string   // most of its pages' words are in this language; "" for none
	Many    bool     // it has pages enough to tell its language by them
	Tongues []Tongue // words of its pages by language, sorted by language
	Names   []Naming // what its pages name, sorted
}

// Tongue is how many words of a source's pages are in a language.
type Tongue struct {
	Language string
	Words    int
}

// Naming is a name, and how many pages of a source have it.
type Naming struct {
	Name
	Pages int
	// Own is one that is left out of the source's entities: the publisher's own name, or that of a news agency.
	Own bool
}

// facts are those of a source with its pages, and with what is told of them.
func (s State) facts(row *schemas.Source, names []Naming) Facts {
	f := Facts{
		Verdict: row.Verdict, Class: row.Class, Reasons: row.Reasons, Many: len(s.Pages) >= leastPages, Names: names,
		Tongues: TonguesOf(s.Pages),
	}
	if len(row.Languages) > 0 {
		f.Main = row.Languages[0].Code
	}
	return f
}

// TonguesOf counts the words of pages by language.
func TonguesOf(pages []Page) (list []Tongue) {
	for _, p := range pages {
		if p.Language == "" {
			continue
		}
		// By words and not by pages: a page of ten words says little. There are a few languages at most.
		at := slices.IndexFunc(list, func(t Tongue) bool { return t.Language == p.Language })
		if at < 0 {
			at, list = len(list), append(list, Tongue{Language: p.Language})
		}
		list[at].Words += int(p.Words)
	}
	slices.SortFunc(list, func(a, b Tongue) int { return cmp.Compare(a.Language, b.Language) })
	return list
}

// namings are what the pages name, sorted: at most MaxPages pages of MaxNames names.
func (s State) namings() []Naming {
	var list []Naming
	n := 0
	for _, p := range s.Pages {
		n += len(p.Entities)
	}
	list = slices.Grow(list, n)
	for _, p := range s.Pages {
		for _, n := range p.Entities {
			list = append(list, Naming{Name: n, Pages: 1})
		}
	}
	slices.SortFunc(list, func(a, b Naming) int { return compareNames(a.Name, b.Name) })
	out, own := list[:0], s.ownNames()
	for _, n := range list {
		if last := len(out) - 1; last >= 0 && out[last].Name == n.Name {
			out[last].Pages++
			continue
		}
		n.Own = isAgency(n.Text) || own.has(n.Text)
		out = append(out, n)
	}
	return out
}

// EncodeFacts appends facts to b. Equal facts give equal bytes.
func EncodeFacts(b []byte, f Facts) []byte {
	w := encoder{b: append(b, version)}
	w.flag(f.Grouped) // at a fixed place: see IsGrouped
	w.visit(f.Fate)
	w.flag(f.Many)
	for _, s := range []string{f.Verdict, f.Class, f.Main} {
		w.text(s)
	}
	each(&w, f.Reasons, (*encoder).text)
	each(&w, f.Tongues, func(w *encoder, t Tongue) {
		w.text(t.Language)
		w.uint(uint64(t.Words))
	})
	each(&w, f.Names, func(w *encoder, n Naming) {
		w.text(n.Type)
		w.text(n.Text)
		w.uint(uint64(n.Pages))
		w.flag(n.Own)
	})
	return w.b
}

// IsGrouped tells of encoded facts whether they are of a source that is equal to another.
func IsGrouped(b []byte) bool { return len(b) > 1 && b[0] == version && b[1] == 1 }

// WalkFacts gives what encoded facts have of words by language and of names, without decoding the rest. The bytes are
// parts of b.
func WalkFacts(b []byte, tongue func(language []byte, words int), name func(kind, text []byte)) error {
	r := decoder{b: b}
	if r.byte() != version {
		return ErrState
	}
	r.take(1)
	r.visit()
	r.take(1)
	r.passTexts(3)
	r.passTexts(int(r.small(mostReasons)))
	for range r.small(MaxPages) {
		language := r.take(int(r.small(maxText)))
		tongue(language, int(r.small(1<<40)))
	}
	for range r.small(MaxPages * MaxNames) {
		kind := r.take(int(r.small(maxText)))
		name(kind, r.take(int(r.small(maxText))))
		r.small(MaxPages)
		r.take(1)
	}
	if r.bad || len(r.b) > 0 {
		return ErrState
	}
	return nil
}

func (w *encoder) flag(is bool) {
	if is {
		w.b = append(w.b, 1)
		return
	}
	w.b = append(w.b, 0)
}

// mostReasons is how many reasons a verdict has at most: Judge knows fewer.
const mostReasons = 32

// DecodeFacts reads what EncodeFacts wrote, all of b. Other bytes give ErrState.
func DecodeFacts(b []byte) (f Facts, err error) {
	r := newDecoder(b)
	if r.byte() != version {
		return Facts{}, ErrState
	}
	f.Grouped, f.Fate, f.Many = r.byte() == 1, r.visit(), r.byte() == 1
	f.Verdict, f.Class, f.Main = r.text(), r.text(), r.text()
	unsorted := func(_, _ string) int { return -1 }
	f.Reasons = list(&r, mostReasons, (*decoder).text, unsorted)
	f.Tongues = list(&r, MaxPages, func(r *decoder) Tongue {
		return Tongue{r.text(), int(r.small(1 << 40))}
	}, func(a, b Tongue) int { return cmp.Compare(a.Language, b.Language) })
	f.Names = list(&r, MaxPages*MaxNames, func(r *decoder) Naming {
		return Naming{Name{r.text(), r.text()}, int(r.small(MaxPages)), r.byte() == 1}
	}, func(a, b Naming) int { return compareNames(a.Name, b.Name) })
	if r.bad || len(r.b) > 0 {
		return Facts{}, ErrState
	}
	return f, nil
}
