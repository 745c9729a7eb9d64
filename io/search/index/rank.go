package index

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// ranking returns the search to rank by, or nil for too many matching texts. Then the newest come first, which can be
// found without the others.
//
// It counts the texts of all volumes, so that the answer does not depend on the division into volumes.
func (w *view) ranking(ctx context.Context, t *query.Text) (*query.Text, error) {
	n := 0
	for _, s := range w.list {
		texts, _, err := s.firstTexts(ctx, t)
		if err != nil {
			return nil, err
		}
		if n += int(texts.GetCardinality()); n > s.limits.manyTexts {
			return nil, nil
		}
	}
	return t, nil
}

// ranked visits candidates by relevance: first those whose title has the terms, then those with shorter texts. Equally
// relevant captures come newest first, whichever text was indexed first.
func (s *snapshot) ranked(ctx context.Context, p *plan, t *query.Text, visit visitor) error {
	list, err := s.candidates(ctx, p.set)
	if err == nil {
		err = s.scoreLengths(ctx, list)
	}
	if err == nil {
		err = s.addTitles(ctx, t, list)
	}
	if err != nil {
		return err
	}
	// Grouped by score: there are few scores, and later groups are only sorted when needed.
	equal := map[float64][]candidate{}
	for _, c := range list {
		equal[c.score] = append(equal[c.score], c)
	}
	for _, score := range slices.Backward(slices.Sorted(maps.Keys(equal))) {
		if more, err := byTime(equal[score], query.Newest, visit); err != nil || !more {
			return err
		}
	}
	return nil
}

// addTitles adds 2 to the scores of texts whose title has all terms of a search, and less if it has some. Titles count
// more than any length.
func (s *snapshot) addTitles(ctx context.Context, t *query.Text, list []candidate) error {
	texts := roaring.New()
	for _, c := range list {
		texts.Add(c.text)
	}
	shares := s.sharesRead
	if texts.GetCardinality() > s.limits.fewTitles {
		shares = s.sharesFound
	}
	share, err := shares(ctx, t, texts)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].score += 2 * share(list[i].text)
	}
	return nil
}

// sharesFound returns, for texts that have all terms of a search, the share of terms in the title. It searches the
// titles' terms in text.db.
func (s *snapshot) sharesFound(ctx context.Context, t *query.Text, _ *roaring.Bitmap) (func(uint32) float64, error) {
	var found []*roaring.Bitmap
	for i, term := range t.Terms {
		// Together with the other terms, which narrow a frequent one.
		terms := slices.Clone(t.Terms)
		terms[i] = titleMark + term
		set, err := s.textsWith(ctx, &query.Text{Terms: terms})
		if err != nil {
			return nil, err
		}
		found = append(found, set)
	}
	return func(text uint32) float64 {
		n := 0
		for _, set := range found {
			if set.Contains(text) {
				n++
			}
		}
		return float64(n) / float64(max(1, len(found)))
	}, nil
}

// sharesRead is sharesFound by reading the titles, which is cheaper for few texts.
func (s *snapshot) sharesRead(ctx context.Context, t *query.Text, texts *roaring.Bitmap) (func(uint32) float64, error) {
	var scan tokenize.Scanner
	share := map[uint32]float64{}
	read := func(rows *sql.Rows) error {
		var id uint32
		var title string
		if err := rows.Scan(&id, &title); err != nil {
			return err
		}
		share[id] = titleShare(&scan, t, title)
		texts.Remove(id)
		return nil
	}
	// A text includes its title, so any version of the text has it: mostly the one whose number the text has. If that
	// is gone, for example with a replaced shard, another version.
	err := each(ctx, s.index, read, `select v.id, coalesce(v.title, p.title) from json_each(?) j
		join version v on v.id = j.value and v.text = v.id join page p on p.id = v.page`, numbersOf(texts))
	if err == nil && !texts.IsEmpty() {
		err = each(ctx, s.index, read, `select v.text, coalesce(v.title, p.title) from (select (select min(id) from version
			where text = j.value and text <> id and text <> 0) as id from json_each(?) j)
			join version v using (id) join page p on p.id = v.page`, numbersOf(texts))
	}
	return func(text uint32) float64 { return share[text] }, err
}

// titleShare returns the share of the terms that a title has.
func titleShare(scan *tokenize.Scanner, t *query.Text, title string) float64 {
	found := make([]bool, len(t.Terms))
	for _, term := range scan.Index(title) {
		for i, want := range t.Terms {
			begin, open := strings.CutSuffix(want, "*")
			if string(term) == want || open && strings.HasPrefix(string(term), begin) {
				found[i] = true
			}
		}
	}
	n := 0
	for _, is := range found {
		if is {
			n++
		}
	}
	return float64(n) / float64(max(1, len(found)))
}
