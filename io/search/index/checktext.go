package index

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

const (
	// termsTried is how many terms of a text are looked up: another text soon lacks one. They are the rarest of the first
	// termsLooked.
	termsTried, termsLooked = 3, 64
	// mostCounts bounds the terms and names that a check remembers.
	mostCounts = 1 << 18
)

// looked is a term of a text, with the number of texts before that have it.
type looked struct {
	hash  uint64
	texts uint32
	term  []byte // valid until the next text
}

// rarer orders terms, judged by the texts before, and then by length.
func rarer(a, b looked) int {
	return cmp.Or(cmp.Compare(a.texts, b.texts), cmp.Compare(len(b.term), len(a.term)))
}

// rarest appends the rarest terms of a text to terms. The texts of rare terms are few, so that many terms can be
// remembered.
func (k *checker) rarest(terms []string, text string) []string {
	if k.counts == nil || len(k.counts) > mostCounts {
		k.counts, k.seed = map[uint64]uint32{}, maphash.MakeSeed()
	}
	list, room := k.looked[:0], k.room[:0]
	for _, term := range k.scanner.Index(text) {
		hash := maphash.Bytes(k.seed, term)
		if slices.ContainsFunc(list, func(l looked) bool { return l.hash == hash }) {
			continue
		}
		room = append(room, term...)
		list = append(list, looked{hash, k.counts[hash], room[len(room)-len(term):]})
		if k.counts[hash]++; len(list) == termsLooked {
			break
		}
	}
	k.looked, k.room = list, room
	for n := range min(len(list), termsTried) {
		for i := n + 1; i < len(list); i++ {
			if rarer(list[i], list[n]) < 0 {
				list[i], list[n] = list[n], list[i]
			}
		}
		terms = append(terms, string(list[n].term))
	}
	return terms
}

// text compares the hash of a capture's text, some of its terms, and its length score.
func (k *checker) text(ctx context.Context, h *Hit, d *schemas.Document, row int, fit uint8) error {
	var terms []string
	// Title and text both, because either could be missing.
	for _, text := range []string{d.Title, d.Text} {
		terms = k.rarest(terms, text)
	}
	marks := map[string]bool{}
	for _, term := range k.scanner.Index(d.Title) {
		if len(marks) == 0 {
			terms = append(terms, titleMark+string(term))
		}
		marks[string(term)] = true
	}
	// A text without terms does not exist for the index.
	if len(terms) == 0 {
		if h.text != 0 {
			return k.wrong("capture %d: the index has a text of it, and it has none", row)
		}
		return nil
	}
	hash := textHash(d)
	list, err := numbers(ctx, k.s.text, "select text from digest where hash = ?", hash[:])
	if err != nil {
		return err
	}
	// The text's number is that of its hash, by which several captures share a text.
	if len(list) != 1 || uint32(list[0]) != h.text {
		return k.wrong("capture %d: the index has another text", row)
	}
	var size []byte
	err = k.s.text.QueryRowContext(ctx, "select coalesce(max(sz), x'') from doc_docsize where id = ?", h.text).Scan(&size)
	if err != nil {
		return explain(err)
	}
	if fit != lengthScore(int(varint(size))-len(marks)) {
		return k.wrong("capture %d: the index has another length of its text", row)
	}
	has, err := k.hasTerms(ctx, terms, h.text)
	if err == nil && has {
		has, err = k.hasForms(ctx, d.Language, terms)
	}
	if err != nil || has {
		return err
	}
	return k.wrong("capture %d: the index does not find it by the words of its text", row)
}

// foundTerms remembers which texts of a range have a term.
type foundTerms struct {
	texts map[termRange]*roaring.Bitmap
	bytes uint64
}

// termRange is a term and a range of rangeTexts texts. Captures that follow each other mostly have texts of one range.
type termRange struct {
	term string
	n    uint32
}

const rangeTexts = 1 << 16

// mostFound bounds the bytes of foundTerms, and termBytes is what a term takes beside its texts.
const mostFound, termBytes = 64 << 20, 200

// hasTerms reports whether a text has all terms. It reads the texts of a term range by range, each once. A search for
// each text, or all texts of many frequent terms, would take time by the square of the number of texts.
func (k *checker) hasTerms(ctx context.Context, terms []string, text uint32) (bool, error) {
	for _, term := range terms {
		in := termRange{term, text / rangeTexts}
		texts, known := k.found.texts[in]
		if !known {
			match, err := k.s.match(ctx, &query.Text{Terms: []string{term}})
			if err != nil {
				return false, err
			}
			first := int64(in.n) * rangeTexts
			row := k.s.text.QueryRowContext(ctx,
				"select group_concat(rowid) from doc where doc match ? and rowid between ? and ?", match, first, first+rangeTexts-1)
			if texts, err = parseListed(row); err != nil {
				return false, err
			}
			k.found.keep(in, texts)
		}
		if !texts.Contains(text) {
			return false, nil
		}
	}
	return true, nil
}

// keep remembers the texts of a term in a range. All are dropped when they take too much.
func (f *foundTerms) keep(in termRange, texts *roaring.Bitmap) {
	bytes := texts.GetSizeInBytes() + termBytes
	if f.bytes += bytes; f.texts == nil || f.bytes > mostFound {
		f.texts, f.bytes = map[termRange]*roaring.Bitmap{}, bytes
	}
	f.texts[in] = texts
}

// hasForms is that of a snapshot for the terms that were not found before.
func (k *checker) hasForms(ctx context.Context, language string, terms []string) (bool, error) {
	of := func(term string) nameOf { return nameOf{kindLanguage, language + " " + term} }
	terms = slices.DeleteFunc(terms, func(term string) bool { return k.formed[of(term)] })
	has, err := k.s.hasForms(ctx, language, terms)
	if !has || err != nil {
		return has, err
	}
	if k.formed == nil || len(k.formed) > mostCounts {
		k.formed = map[nameOf]bool{}
	}
	for _, term := range terms {
		k.formed[of(term)] = true
	}
	return true, nil
}
