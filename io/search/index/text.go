package index

import (
	"context"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// titleMark precedes a term of a title. This byte begins no character in UTF-8, and so no term, and FTS5 treats it as a
// letter.
const titleMark = "\x80"

// matchOf returns a search in the syntax of FTS5 (https://sqlite.org/fts5.html#full_text_query_syntax): all terms,
// quoted, so that nothing is taken for an operator.
func matchOf(k *termKey, t *query.Text) string {
	var b []byte
	for _, term := range t.Terms {
		word, prefix := strings.CutSuffix(term, "*")
		b = append(append(b, '"'), strings.ReplaceAll(word, `"`, `""`)...)
		if prefix {
			// Within quotes the star would be a letter. A prefix has no ending.
			b = append(b, `" * `...)
		} else {
			b = append(appendEnding(b, k, word), `" `...)
		}
	}
	return string(b)
}

// match returns a search for the snapshot's text.db.
func (s *snapshot) match(ctx context.Context, t *query.Text) (_ string, err error) {
	// Read on first use: most queries have no words.
	if s.key == nil {
		if s.key, err = readTermKey(ctx, s.text); err != nil {
			return "", explain(err)
		}
	}
	return matchOf(s.key, t), nil
}

// withTerms returns the versions whose text has all terms of a search. It must not be changed, because a search, its
// counts and its next page share it.
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

// known reports whether withTerms has a cached result.
func (s *snapshot) known(ctx context.Context, t *query.Text) (bool, error) {
	match, err := s.match(ctx, t)
	return err == nil && s.found.get(s.generation, match) != nil, err
}

// textsWith returns the texts that have all terms of a search. It must not be changed. It may include texts of a later
// generation, of which no version is visible. It misses none, because none was removed (volume.snapshot).
func (s *snapshot) textsWith(ctx context.Context, t *query.Text) (*roaring.Bitmap, error) {
	match, err := s.match(ctx, t)
	if err != nil {
		return nil, err
	}
	// Without a limit a row takes half the steps.
	return s.texts.once(ctx, s.generation, match, func() (*roaring.Bitmap, error) {
		return parseListed(s.text.QueryRowContext(ctx, "select group_concat(rowid) from doc where doc match ?", match))
	})
}

// firstTexts is textsWith for at most limits.manyTexts texts. If more match, many is true, and it returns the ones with
// the smallest numbers, one more than the limit.
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
	// The limit is inside, so that FTS5 stops; group_concat alone would read all.
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

// inMemory is how many times faster a walk over cached columns is.
const inMemory = 8

// versionsOf returns the versions that have one of these texts.
func (s *snapshot) versionsOf(ctx context.Context, texts *roaring.Bitmap) (*roaring.Bitmap, error) {
	// The first version of a text has its number; others are in the small index version_text.
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
	it := texts.Iterator()
	var found []uint32
	err := s.walk(ctx, nil, func(c columns) error {
		found = found[:0]
		it.AdvanceIfNeeded(c.first)
		for it.HasNext() && it.PeekNext()-c.first < uint32(c.rows) {
			if id := it.Next(); c.text(int(id-c.first)) == id {
				found = append(found, id)
			}
		}
		// Branch-free: each version is written and overwritten by the next unless it has one of the texts.
		// Mispredicted branches would cost more than all else here.
		n := len(found)
		found = slices.Grow(found, len(c.repeats))[:n+len(c.repeats)]
		for _, r := range c.repeats {
			found[n] = c.first + r.row
			if r.text <= last {
				n += int(wanted[r.text>>6] >> (r.text & 63) & 1)
			}
		}
		set.AddMany(found[:n])
		return nil
	})
	return set, err
}

// frequent is a search with too many texts to find them all: candidates are tested singly.
type frequent struct {
	*query.Text
	first *roaring.Bitmap // result of firstTexts; nil if unknown
}

// hasTerms reports whether one text has all terms of a search.
func (s *snapshot) hasTerms(ctx context.Context, t frequent, text uint32) (bool, error) {
	// All texts up to the last one in first are known.
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
