package contentdb

import (
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxMarks bounds the marked words of a passage.
const maxMarks = 8

// rows reads the documents of captures, and makes the excerpts of their passages.
func (s *about) rows(ctx context.Context, list []*joined) ([]AboutRow, error) {
	byShard := map[string][]int{}
	for i, j := range list {
		byShard[j.shard] = append(byShard[j.shard], i)
	}
	columns := union(s.db.limits.columns(keyed(s.r.Columns, query.Newest)), []string{"title", "text"})
	docs := make([]*schemas.Document, len(list))
	for _, name := range slices.Sorted(maps.Keys(byShard)) {
		places := byShard[name]
		slices.SortFunc(places, func(a, b int) int { return int(list[a].row - list[b].row) })
		rows := make([]int64, len(places))
		for k, i := range places {
			rows[k] = list[i].row
		}
		err := s.db.readRows(ctx, name, rows, columns, func(_ int64, d *schemas.Document) bool {
			docs[places[0]], places = d, places[1:]
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	h, p := query.NewHighlighter(s.text()), newProjection(s.r.Columns)
	found := make([]AboutRow, 0, len(list))
	for i, j := range list {
		d := docs[i]
		if d == nil || !s.db.MayRead(d) {
			continue
		}
		row := AboutRow{ByWords: j.byWords}
		row.Title, row.Score = h.Excerpt(d.Title, len(d.Title)), j.score
		if j.hit == nil {
			row.Excerpt = h.Excerpt(d.Text, s.r.Excerpt)
		} else {
			row.Alike, row.From, row.To = j.hit.Score, j.hit.From, min(j.hit.To, len(d.Text))
			row.Excerpt = s.passage(d.Text, row.From, row.To)
		}
		row.Document = p.of(s.db.limits.shown(d))
		found = append(found, row)
	}
	return found, nil
}

// text returns the words of the question as a filter, or nil.
func (s *about) text() query.Expr {
	if t, err := query.NewText(s.r.Text, false); err == nil {
		return t
	}
	return nil
}

// passage returns the excerpt of a passage, whose marks are the words nearest to the question.
func (s *about) passage(text string, from, to int) query.Excerpt {
	from = min(from, to)
	e := query.Excerpt{Text: text[from:to]}
	marks := s.encoder.Mark(s.vector, e.Text, maxMarks)
	if n := s.r.Excerpt; n > 0 && utf8.RuneCountInString(e.Text) > n {
		begin := 0
		if len(marks) > 0 && marks[0].From > n/2 {
			// The window begins at a space before the first mark.
			begin = marks[0].From - n/4
			for begin > 0 && e.Text[begin] != ' ' {
				begin--
			}
		}
		end := begin
		for k := range e.Text[begin:] {
			if n--; n < 0 {
				break
			}
			end = begin + k
		}
		if n >= 0 {
			end = len(e.Text)
		}
		from, to, e.Text = from+begin, from+end, e.Text[begin:end]
		for i := range marks {
			marks[i].From, marks[i].To = marks[i].From-begin, marks[i].To-begin
		}
	}
	for _, m := range marks {
		if m.From >= 0 && m.To <= len(e.Text) {
			e.Marks = append(e.Marks, query.Span{From: m.From, To: m.To})
		}
	}
	e.Before, e.After = from > 0, to < len(text)
	return e
}
