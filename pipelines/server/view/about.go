package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ranked reports whether a request ranks captures by meaning.
func (r *SearchRequest) ranked() bool { return r.About != "" || r.Like != "" }

// words returns the request without its search by meaning: what chooses the captures that are ranked.
func (r SearchRequest) words() SearchRequest {
	r.About, r.Like = "", ""
	return r
}

// ways returns the search by words and the one by meaning.
func (r SearchRequest) ways(q query.Query) []Choice {
	byWords, byMeaning := r.words(), r
	byWords.Cursor, byMeaning.Cursor, byMeaning.Order = "", "", ""
	if r.About != "" && r.Query == "" {
		byWords.Query = r.About
	}
	if !r.ranked() {
		if !plainWords(q.Where) {
			return []Choice{}
		}
		byMeaning.About, byMeaning.Query = r.Query, ""
	}
	return []Choice{
		{"words", "By words", byWords.link(), !r.ranked()},
		{"meaning", "By meaning", byMeaning.link(), r.ranked()},
	}
}

// plainWords reports whether a filter is a list of words, and so may be a question.
func plainWords(e query.Expr) bool {
	list := query.Conjuncts(e)
	return len(list) > 0 && !slices.ContainsFunc(list, func(x query.Expr) bool {
		t, is := x.(*query.Text)
		return !is || t.Phrase
	})
}

// likeOf returns the value of SearchRequest.Like for a capture.
func likeOf(d *schemas.Document) string { return d.Timestamp + "/" + d.URL }

// like returns the capture that pages should be like, or nil.
func (r *SearchRequest) like() (*schemas.Document, error) {
	if r.Like == "" {
		return nil, nil
	}
	if r.About != "" {
		return nil, invalid("like", r.Like, "Pages are about something or like a page: leave out one of the two.")
	}
	d, err := contentdb.ParseLike(r.Like)
	if err != nil {
		return nil, invalid("like", r.Like, "It is the time of a capture, a slash and its URL.")
	}
	return d, nil
}

// aboutError makes an error of a question one for its reader.
func (r *SearchRequest) aboutError(err error) error {
	switch {
	case errors.Is(err, contentdb.ErrNoWord):
		return invalid("about", r.About, "It has no word: say what pages are about.")
	case errors.Is(err, contentdb.ErrNoCapture):
		return notFound("No capture to compare with", "The collection has no capture of this URL at this time. Open the "+
			"page and follow its link to similar pages.")
	case errors.Is(err, contentdb.ErrNoText):
		return invalid("like", r.Like, "This capture has no text, so no page is like it.")
	}
	return err
}

// about finds the captures of the page by meaning.
func (s *Search) about(ctx context.Context, now *shelf.Snapshot, q query.Query) error {
	like, err := s.Request.like()
	if err != nil {
		return err
	}
	_, seen, err := parseCursor(s.Request.Cursor)
	if err != nil {
		return err
	}
	q.Order, q.After = query.Newest, nil
	a, err := now.DB.About(ctx, contentdb.AboutRequest{
		Text: s.Request.About, Like: like, Query: q, Columns: hitColumns, Excerpt: 2 * letters,
		Offset: int(min(seen, math.MaxInt32)),
	})
	if err != nil {
		return s.Request.aboutError(err)
	}
	if s.Request.Facets != "no" {
		if s.Total, err = now.DB.Count(ctx, q); err != nil {
			return err
		}
	}
	s.Unknown, s.Unsure = a.Unknown, a.Unsure()
	for _, row := range a.Rows {
		h := s.hit(row.Row)
		h.Why, h.Alike, h.Begin, h.End = row.Why(), math.Round(1000*row.Alike)/1000, row.From, row.To
		s.Hits = append(s.Hits, h)
	}
	if len(s.Hits) > 0 {
		s.First = seen + 1
	}
	if end := seen + int64(len(s.Hits)); !a.More && end < s.Total {
		s.Note = fmt.Sprintf("This list ends after %s of %s entries: a search by meaning has the nearest 1,000 at most, and "+
			"leaves out those that have nothing in common with what was asked.", number(end), number(s.Total))
	}
	if a.More {
		s.Next = encodeCursor(query.Position{}, seen+int64(len(s.Hits)))
		next := s.Request
		next.Cursor = s.Next
		s.NextLink = next.link()
	}
	return nil
}
