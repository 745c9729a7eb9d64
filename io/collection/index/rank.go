package index

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// titled is up to how many texts their titles are looked at: a search for a rare word is for a page, and the page whose
// title has it is most often the one. Reading more titles takes longer than a reader waits.
const titled = 5000

// ranking is a search whose answers come by how well they fit.
type ranking struct {
	text   *query.Text
	titles bool // that titles are looked at
}

// ranking tells how the answers to a search are ranked; nil for so many texts that none of them fits best: then the
// newest come first, which are found without looking at the others.
//
// The texts of all volumes count, so that the answer does not change with where one volume ends and the next begins.
func (w *view) ranking(ctx context.Context, t *query.Text) (*ranking, error) {
	n := 0
	for _, s := range w.list {
		texts, err := s.textsWith(ctx, t, s.limits.manyTexts+1)
		if err != nil {
			return nil, err
		}
		if n += int(texts.GetCardinality()); n > s.limits.manyTexts {
			return nil, nil
		}
	}
	return &ranking{t, n <= titled}, nil
}

// ranked visits the candidates by how well their texts fit a search: those first whose title has its terms, of equal
// ones the shorter.
//
// That is BM25 with what the index keeps. How often a term stands in a text is not in it (detail=none), so that FTS5's
// own bm25() is 0 for every text. All texts here have all terms, so their rarity tells nothing either.
func (s *snapshot) ranked(ctx context.Context, p *plan, r *ranking, visit visitor) error {
	list, err := s.lengths(ctx, r.text)
	if err != nil {
		return err
	}
	if r.titles {
		if err := s.addTitles(ctx, r.text, list); err != nil {
			return err
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for len(list) > 0 {
		// Texts with one score are one run, however long, as manyTexts bounds it: captures with equal scores come by
		// time and place, never by the numbers of texts, which say only what was indexed first.
		n := 1
		for n < len(list) && list[n].score == list[0].score {
			n++
		}
		more, err := s.scored(ctx, p, list[:n], visit)
		if err != nil || !more {
			return err
		}
		list = list[n:]
	}
	return nil
}

// lengths are the texts that have all terms of a search, with a score by how long they are: between 0 and 1, the more
// the shorter. They are limits.manyTexts at most: see view.ranking.
func (s *snapshot) lengths(ctx context.Context, t *query.Text) (list []candidate, err error) {
	match, err := s.match(ctx, t)
	if err != nil {
		return nil, err
	}
	const (
		average = 250 // different terms of a page, about: the index has each once
		short   = 30  // a text with less is a feed's title or the page of an error: it is taken for an average one
		k, b    = 1.2, .75
	)
	err = each(ctx, s.text, func(rows *sql.Rows) error {
		c, size := candidate{}, []byte(nil)
		if err := rows.Scan(&c.text, &size); err != nil {
			return err
		}
		n := float64(varint(size))
		if n < short {
			n = average
		}
		// Rounded, since a text that is three words longer fits no worse: of such the newest comes first.
		c.score = math.Round(100/(1+k*(1-b+b*n/average))) / 100
		list = append(list, c)
		return nil
	}, "select doc.rowid, z.sz from doc join doc_docsize z on z.id = doc.rowid where doc match ?", match)
	return list, err
}

// varint reads SQLite's: seven bits a byte, the most significant first, the last byte without the eighth bit. Those of
// nine bytes are of numbers that no text has terms.
func varint(b []byte) (n uint64) {
	for _, c := range b[:min(len(b), 8)] {
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			break
		}
	}
	return n
}

// addTitles adds to the scores of texts 2 where the title has all terms of a search, and less where it has some: a
// title counts more than any length.
func (s *snapshot) addTitles(ctx context.Context, t *query.Text, list []candidate) error {
	texts := roaring.New()
	for _, c := range list {
		texts.Add(c.text)
	}
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
	// A title is part of its text: any version that has the text tells it. Mostly that is the one whose number the text
	// has; where it is gone, as after a shard was replaced, another.
	err := each(ctx, s.index, read, `select v.id, coalesce(v.title, p.title) from json_each(?) j
		join version v on v.id = j.value and v.text = v.id join page p on p.id = v.page`, numbersOf(texts))
	if err == nil && !texts.IsEmpty() {
		err = each(ctx, s.index, read, `select v.text, coalesce(v.title, p.title) from (select (select min(id) from version
			where text = j.value and text <> id and text <> 0) as id from json_each(?) j)
			join version v using (id) join page p on p.id = v.page`, numbersOf(texts))
	}
	for i := range list {
		list[i].score += 2 * share[list[i].text]
	}
	return err
}

// titleShare is how many of the terms a title has, as a share.
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
