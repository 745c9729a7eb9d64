package view

import (
	"context"
	"errors"
	"strconv"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// bound returns the least cosine of a near passage, or 0 for that of the model.
func (r *TrendsRequest) bound() (float64, error) {
	if r.Near == "" {
		return 0, nil
	}
	if !r.ranked() {
		return 0, invalid("near", r.Near, "Near what? Say it by about.")
	}
	bound, err := strconv.ParseFloat(r.Near, 64)
	if err == nil && bound > 0 && bound <= 1 {
		return bound, nil
	}
	return 0, invalid("near", r.Near, "It is a cosine above 0 and not above 1, such as 0.35.")
}

// countNear counts the captures near a topic, and those of the lines to compare with.
func (t *Trends) countNear(ctx context.Context, now *shelf.Snapshot, where query.Expr, list []query.Series) error {
	r := t.Request
	like, err := r.like()
	if err != nil {
		return err
	}
	bound, err := r.bound()
	if err != nil {
		return err
	}
	q := query.Query{Where: where, AllVersions: r.Fold == "none"}
	a, err := now.DB.AboutTrends(ctx, contentdb.AboutTrendsRequest{
		About:  contentdb.AboutRequest{Text: r.About, Like: like, Query: q},
		Series: list, Unit: t.Unit, Bound: bound,
	})
	if errors.Is(err, contentdb.ErrNoBound) {
		return invalid("near", r.Near, "Nobody has measured from which cosine a passage is near by this server's own model: "+
			"say it, for example near=0.35.")
	}
	if err != nil {
		return err
	}
	t.Bound, t.Nearest, t.Unsure, t.NoNear = a.Bound, a.Nearest, a.Unsure, a.Empty()
	place := t.periods(&a.Trends, false)
	ranking := r.SearchRequest
	ranking.Order = ""
	names := append([]query.Series{{Name: "near"}}, list...)
	for i, s := range names {
		one := series{s, func(string, string) string { return "" }}
		if i == 0 {
			one.link = func(string, string) string { return ranking.link() }
		}
		line := t.line(one, a.Lines[i], place)
		line.Near = i == 0
		t.Lines = append(t.Lines, line)
	}
	return nil
}

// aboutFlags are the flags of the command for a topic.
func (r *TrendsRequest) aboutFlags() (text string) {
	if !r.ranked() {
		return ""
	}
	for name, value := range map[string]string{"about": r.About, "like": r.Like} {
		if value != "" {
			text += flagText(name, value)
		}
	}
	if r.Near != "" {
		text += flagText("near", r.Near)
	}
	if r.Fold == "none" {
		text += " --all_versions"
	}
	return text
}
