package source

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Facts are the parts of a description that come from a source's pages, or depend on other sources. With them, its row
// and its state, Renew describes a source at another time without its pages.
type Facts struct {
	Fates   []Fetch // visits to the feed's URL that failed or showed nothing new: see WithFate
	Grouped bool    // equal to another source, so its row depends on that source's state too
	Verdict string
	Class   string
	Reasons []string
	Main    string   // language of most words of its pages; "" without one
	Many    bool     // has enough pages to determine its language
	Tongues []Tongue // words of its pages by language, sorted
	Names   []Naming // names in its pages, sorted
}

// Tongue is the number of words of a source's pages in a language.
type Tongue struct {
	Language string
	Words    int
}

// Naming is a name with the number of a source's pages that have it.
type Naming struct {
	Name
	Pages int
	// Own means that it is not an entity of the source: the publisher's own name, or a news agency's.
	Own bool
}

// facts are those of a source with its pages, with values of its row.
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

// namings are the names in the pages, sorted: of at most MaxPages pages with MaxNames names each.
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
	w.fates(f.Fates)
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

// IsGrouped reports whether encoded facts are of a source that is equal to another.
func IsGrouped(b []byte) bool { return len(b) > 1 && b[0] == version && b[1] == 1 }

// FateOfFacts is the time of the last of the Fates of encoded facts, or 0 without one.
func FateOfFacts(b []byte) (int64, error) {
	r := decoder{b: b}
	if r.byte() != version {
		return 0, ErrState
	}
	r.take(1)
	last := lastOf(r.fates())
	if r.bad {
		return 0, ErrState
	}
	return last, nil
}

// WalkFacts passes the words by language and the names of encoded facts to tongue and name, without decoding the rest.
// The bytes are parts of b.
func WalkFacts(b []byte, tongue func(language []byte, words int), name func(kind, text []byte)) error {
	r := decoder{b: b}
	if r.byte() != version {
		return ErrState
	}
	r.take(1)
	r.fates()
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

// mostReasons bounds the reasons of a verdict; Judge has fewer.
const mostReasons = 32

// DecodeFacts reads the output of EncodeFacts, all of b. Other bytes give ErrState.
func DecodeFacts(b []byte) (f Facts, err error) {
	r := newDecoder(b)
	if r.byte() != version {
		return Facts{}, ErrState
	}
	f.Grouped, f.Fates, f.Many = r.byte() == 1, r.fates(), r.byte() == 1
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
