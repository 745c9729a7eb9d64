package index

import (
	"context"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// titleMark is before a term that a title has. It is a byte that begins no character in UTF-8, and so no term, and
// that FTS5 takes for a letter.
const titleMark = "\x80"

// matchOf is a search in the words of FTS5 (https://sqlite.org/fts5.html#full_text_query_syntax): all terms, each in
// quotation marks, so that nothing of it is taken for an operator. Terms are letters and digits.
func matchOf(k *termKey, t *query.Text) string {
	var b []byte
	for _, term := range t.Terms {
		word, prefix := strings.CutSuffix(term, "*")
		b = append(append(b, '"'), strings.ReplaceAll(word, `"`, `""`)...)
		if prefix {
			// The star stands outside of the quotation marks: within them it would be a letter. A beginning has no
			// ending.
			b = append(b, `" * `...)
		} else {
			b = append(appendEnding(b, k, word), `" `...)
		}
	}
	return string(b)
}

// match is a search in the words of the snapshot's text.db.
func (s *snapshot) match(ctx context.Context, t *query.Text) (_ string, err error) {
	// Read when it is first needed: most questions have no words.
	if s.key == nil {
		if s.key, err = readTermKey(ctx, s.text); err != nil {
			return "", explain(err)
		}
	}
	return matchOf(s.key, t), nil
}

// withTerms is the versions whose text has all terms of a search. It is not to be changed: a search, its counts and its
// next page ask for the same.
func (s *snapshot) withTerms(ctx context.Context, t *query.Text) (*roaring.Bitmap, error) {
	match, err := s.match(ctx, t)
	if err != nil {
		return nil, err
	}
	return s.found.once(ctx, s.generation, match, func() (*roaring.Bitmap, error) {
		texts, err := s.textsWith(ctx, t)
		if err != nil {
			return nil, err
		}
		return s.versionsOf(ctx, texts)
	})
}

// known reports whether withTerms has its answer at hand.
func (s *snapshot) known(ctx context.Context, t *query.Text) (bool, error) {
	match, err := s.match(ctx, t)
	return err == nil && s.found.get(s.generation, match) != nil, err
}

// textsWith is the texts that have all terms of a search. It is not to be changed. A text that was added for a later
// generation may be among them, of which no version is seen; none is missing, as none was taken away (volume.snapshot).
func (s *snapshot) textsWith(ctx context.Context, t *query.Text) (*roaring.Bitmap, error) {
	match, err := s.match(ctx, t)
	if err != nil {
		return nil, err
	}
	// Without a limit it is half the steps a row.
	return s.texts.once(ctx, s.generation, match, func() (*roaring.Bitmap, error) {
		return parseListed(s.text.QueryRowContext(ctx, "select group_concat(rowid) from doc where doc match ?", match))
	})
}

// firstTexts is textsWith of a search that limits.manyTexts or fewer texts have, and of another that many and one,
// those with the smallest numbers: many tells which.
func (s *snapshot) firstTexts(ctx context.Context, t *query.Text) (texts *roaring.Bitmap, many bool, err error) {
	match, err := s.match(ctx, t)
	if err != nil {
		return nil, false, err
	}
	isMany := func(set *roaring.Bitmap) bool { return set.GetCardinality() > uint64(s.limits.manyTexts) }
	if set, err := s.texts.awaited(ctx, s.generation, match); set != nil || err != nil {
		return set, set != nil && isMany(set), err
	}
	if set := s.first.get(s.generation, match); set != nil {
		return set, true, nil
	}
	// The limit is within, so that FTS5 stops; group_concat alone would read them all.
	set, err := parseListed(s.text.QueryRowContext(ctx, `select group_concat(rowid) from
		(select rowid from doc where doc match ? order by rowid limit ?)`, match, s.limits.manyTexts+1))
	if err != nil {
		return nil, false, err
	}
	if isMany(set) {
		s.first.keep(s.generation, match, set)
		return set, true, nil
	}
	s.texts.keep(s.generation, match, set)
	return set, false, nil
}

// inMemory is how many times as fast a walk over columns is that need not be read.
const inMemory = 8

// versionsOf is the versions that have one of these texts.
func (s *snapshot) versionsOf(ctx context.Context, texts *roaring.Bitmap) (*roaring.Bitmap, error) {
	// Two ways to the versions: the first that had the text has its number, others are in the small index
	// version_text.
	few := s.limits.fewTexts
	if s.columns.whole() {
		few /= inMemory
	}
	if texts.GetCardinality() <= few {
		return s.listed(ctx, `with t(id) as (select value from json_each(?)) select group_concat(id) from (
			select v.id from t join version v on v.id = t.id where v.text = v.id union all
			select v.id from t join version v on v.text = t.id where v.text <> v.id and v.text <> 0)`, numbersOf(texts))
	}
	set, wanted, last := roaring.New(), texts.ToDense(), texts.Maximum()
	var found []uint32
	err := s.walk(ctx, nil, func(c columns) error {
		found = slices.Grow(found[:0], c.rows)[:c.rows]
		// Each is written down, and the next in its place if it has none of the texts: nobody guesses which do, and a
		// branch would cost more than all else here. 0 stands for no text, and is a bit of no set.
		n := 0
		for i := range c.rows {
			found[n] = c.first + uint32(i)
			if t := c.text(i); t <= last {
				n += int(wanted[t>>6] >> (t & 63) & 1)
			}
		}
		set.AddMany(found[:n])
		return nil
	})
	return set, err
}

// frequent is a search that too many texts have to find them all: candidates are asked for its terms one by one.
type frequent struct {
	*query.Text
	first *roaring.Bitmap // of firstTexts; nil if these are not known
}

// hasTerms reports whether one text has all terms of a search.
func (s *snapshot) hasTerms(ctx context.Context, t frequent, text uint32) (bool, error) {
	// All texts up to the last of these are known.
	if t.first != nil && text <= t.first.Maximum() {
		return t.first.Contains(text), nil
	}
	match, err := s.match(ctx, t.Text)
	if err != nil {
		return false, err
	}
	var n int
	err = s.text.QueryRowContext(ctx, "select count(*) from doc where doc match ? and rowid = ?", match, text).Scan(&n)
	return n > 0, explain(err)
}
