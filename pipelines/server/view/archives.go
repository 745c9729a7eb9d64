package view

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ArchivesRequest is a request for the archives of a collection.
type ArchivesRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Find       string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of the file's name"`
	State      string `json:"state,omitempty" query:"state" enum:"good,warn,bad" doc:"of the files: see states"`
	Limit      int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"files; 50 without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
}

// Archives are the files that a collection was read from: those with most bytes lost first.
type Archives struct {
	Answer
	Request    ArchivesRequest `json:"request" doc:"as it was understood"`
	Count      int64           `json:"archives" doc:"files that were read"`
	Read       int64           `json:"bytes_read"`
	Lost       int64           `json:"bytes_lost"`
	States     []Value         `json:"states" doc:"files by their state"`
	Total      int64           `json:"total" doc:"files that match"`
	Files      []ArchiveRow    `json:"files"`
	Rejected   *Rejects        `json:"rejected" doc:"what could not be read or enriched"`
	Kinds      []Value         `json:"reject_kinds"`
	Flags      []Value         `json:"flags" doc:"of captures; records has the number of records of any type"`
	Quirks     []Value         `json:"quirks"`
	Deliveries []RunRow        `json:"deliveries" doc:"runs that read archives, newest first"`
	Delivered  Timeline        `json:"delivered" doc:"captures that runs read, by the day or month of the run"`
	Units      []UnitRow       `json:"units" doc:"the first 200"`
	UnitCount  int             `json:"unit_count"`
	Rechecks   bool            `json:"rechecks" doc:"whether you may start jobs that read a file again"`
	Next       string          `json:"next_cursor,omitempty"`
	NextLink   string          `json:"next_link,omitempty"`
}

// ArchiveRow is a file that was read.
type ArchiveRow struct {
	File     string  `json:"filename"`
	Bytes    int64   `json:"bytes" doc:"that were read of it; 0 for a file of a folder of small files"`
	Captures int64   `json:"captures"`
	Link     string  `json:"link,omitempty" doc:"search for its captures"`
	Where    string  `json:"where,omitempty" doc:"filter for its captures"`
	Records  int64   `json:"records" doc:"of any type; 0 if it was read together with other files"`
	Rejects  int64   `json:"rejects"`
	Lost     int64   `json:"bytes_lost"`
	Flags    []Value `json:"flags" doc:"of its captures"`
	State    string  `json:"state" doc:"good, warn or bad"`
	Verdict  string  `json:"verdict" doc:"a sentence"`
	Advice   string  `json:"advice,omitempty" doc:"what to do next"`

	flagged int64 // captures with any flag of damage, about
}

// Archives lists the archives of a collection, with a verdict for each.
func (v *Views) Archives(ctx context.Context, r ArchivesRequest) (*Archives, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := v.NeedWhole(ctx, c.Name()); err != nil {
		return nil, err
	}
	r.Collection = c.Name()
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	all, err := archivesOf(ctx, c, now)
	if err != nil {
		return nil, changed(err)
	}
	t := now.Manifest.Totals
	list := &Archives{
		Answer: answer(c), Request: r, Count: holdings.Archives(now.Manifest.Units), Read: t.BytesRead, Lost: t.BytesLost,
		Files: []ArchiveRow{}, Quirks: quirkValues(t), UnitCount: len(now.Manifest.Units), Units: unitRows(now.Manifest),
	}
	list.Kinds = counts(t.ByReject, same, func(string) string { return "" })
	m, err := flagsOf(ctx, now)
	if err != nil {
		return nil, changed(err)
	}
	list.Flags = flagValues(t, m, SearchRequest{Collection: c.Name(), Fold: "none"})
	if list.Rejected, err = rejectsOf(ctx, c, now); err != nil {
		return nil, changed(err)
	}
	if list.Deliveries, err = runRows(c, now); err != nil {
		return nil, changed(err)
	}
	list.Delivered = deliveredOver(c.Name(), list.Deliveries)
	list.Rechecks = v.o.Jobs != nil && Need(ctx, Editor) == nil
	list.choose(r, all, from)
	list.Took = v.since(start)
	return list, nil
}

// choose lists the files that match, from a place on.
func (l *Archives) choose(r ArchivesRequest, all []ArchiveRow, from int64) {
	states, limit, find := map[string]int64{}, int64(cmp.Or(r.Limit, 50)), strings.ToLower(r.Find)
	for _, row := range all {
		if !strings.Contains(strings.ToLower(row.File), find) {
			continue
		}
		states[row.State]++
		if r.State != "" && r.State != row.State {
			continue
		}
		if l.Total++; l.Total > from && l.Total <= from+limit {
			l.Files = append(l.Files, row)
		}
	}
	for _, state := range []string{"bad", "warn", "good"} {
		next := r
		next.Cursor, next.State = "", state
		if r.State == state {
			next.State = ""
		}
		if states[state] > 0 {
			l.States = append(l.States, Value{
				Value: state, Label: stateTexts[state], Count: states[state], Link: page(r.Collection, "archives", next),
				Selected: r.State == state,
			})
		}
	}
	if from+limit < l.Total {
		l.Next = cursorAt(from + limit)
		r.Cursor = l.Next
		l.NextLink = page(r.Collection, "archives", r)
	}
}

var stateTexts = map[string]string{"good": "whole", "warn": "doubtful captures", "bad": "losses"}

// archivesOf describes each file, once for each manifest.
func archivesOf(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot) ([]ArchiveRow, error) {
	return shelf.Once(now, "archives", func() ([]ArchiveRow, error) {
		ctx := context.WithoutCancel(ctx)
		files := map[string]*ArchiveRow{}
		at := func(name string) *ArchiveRow {
			if files[name] == nil {
				files[name] = &ArchiveRow{File: name, Flags: []Value{}}
			}
			return files[name]
		}
		for _, u := range now.Manifest.Units {
			for _, in := range u.Inputs {
				// Files of a group are known by their captures and rejects.
				if in.Kind() != schemas.KindGroup {
					at(in.File).Bytes += in.Bytes()
				}
			}
		}
		for name, n := range recordsOf(now.Manifest.Units) {
			at(name).Records = n
		}
		groups, err := now.DB.Facets(ctx, query.Query{AllVersions: true}, []string{"filename"}, 0)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			if name := g.Values[0]; name != "" {
				at(name).Captures = g.Count
			}
		}
		rejects, err := rejectsOf(ctx, c, now)
		if err != nil {
			return nil, err
		}
		for name := range rejects.byFile {
			at(name)
		}
		m, err := flagsOf(ctx, now)
		if err != nil {
			return nil, err
		}
		return judged(c.Name(), files, rejects, m), nil
	})
}

// recordsOf counts the records of the files that were not read together with others.
func recordsOf(units []schemas.UnitResult) map[string]int64 {
	counts, shared := map[string]int64{}, map[string]bool{}
	for _, u := range units {
		alone := holdings.Archives([]schemas.UnitResult{u}) == 1
		for i, in := range u.Inputs {
			switch {
			case in.Kind() == schemas.KindGroup:
			case !alone:
				shared[in.File] = true
			case i == 0:
				counts[in.File] += u.Counts.Records
			}
		}
	}
	maps.DeleteFunc(counts, func(name string, _ int64) bool { return shared[name] })
	return counts
}

// judged completes the rows and sorts them: most bytes lost first, then rejects, then doubtful captures.
func judged(collection string, files map[string]*ArchiveRow, rejects *Rejects, m *flagCounts) []ArchiveRow {
	list := make([]ArchiveRow, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		row := files[name]
		if where, err := query.NewCompare("filename", query.Equal, escapeStar(name)); err == nil && row.Captures > 0 {
			row.Where = where.String()
			row.Link = SearchRequest{Collection: collection, Query: row.Where, Fold: "none"}.link()
		}
		fault := rejects.byFile[name]
		if fault != nil {
			row.Rejects, row.Lost = fault.count, fault.lost
		}
		row.Flags = counts(m.files[name], flagLabel, func(string) string { return "" })
		row.judge(fault)
		list = append(list, *row)
	}
	slices.SortStableFunc(list, func(a, b ArchiveRow) int {
		return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(rankOf[b.State], rankOf[a.State]),
			cmp.Compare(b.Rejects, a.Rejects), cmp.Compare(b.flagged, a.flagged))
	})
	return list
}

var rankOf = map[string]int{"bad": 2, "warn": 1}
