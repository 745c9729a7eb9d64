package index

import (
	"cmp"
	"context"
	"slices"

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

// rarest appends the rarest terms of a text to terms, judged by the texts before, and then by length. SQLite reads all
// texts of a term to find one. With frequent terms, a check would take time by the square of the captures.
func (k *checker) rarest(terms []string, text string) []string {
	first := make([]string, 0, termsLooked)
	for _, term := range k.scanner.Index(text) {
		if first = append(first, string(term)); len(first) == termsLooked {
			break
		}
	}
	slices.Sort(first)
	first = slices.Compact(first)
	slices.SortStableFunc(first, func(a, b string) int {
		return cmp.Or(cmp.Compare(k.counts[a], k.counts[b]), cmp.Compare(len(b), len(a)))
	})
	if k.counts == nil || len(k.counts) > mostCounts {
		k.counts = map[string]int{}
	}
	for _, term := range first {
		k.counts[term]++
	}
	return append(terms, first[:min(len(first), termsTried)]...)
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
	has, err := k.s.hasTerms(ctx, frequent{Text: &query.Text{Terms: terms}}, h.text)
	if err == nil && has {
		has, err = k.s.hasForms(ctx, d.Language, terms)
	}
	if err != nil || has {
		return err
	}
	return k.wrong("capture %d: the index does not find it by the words of its text", row)
}
