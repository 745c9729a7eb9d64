package crawl

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Visit is a planned request.
type Visit struct {
	Due  time.Time `json:"due"`  // the zero time means at once
	Kind string    `json:"kind"` // feed or page
	URL  string    `json:"url"`
}

// Planned returns the known requests of the round before it begins, by time.
func (c *Crawl) Planned() (list []Visit) {
	for _, h := range c.hosts {
		// Without robots.txt, whose need shows when a host is asked.
		for _, q := range []jobs{h.feeds, h.pages} {
			for _, j := range q {
				list = append(list, Visit{later(j.due, h.free), j.kind.String(), j.url})
			}
		}
	}
	// Pages are often due at once: the URL makes the order unique.
	slices.SortFunc(list, func(a, b Visit) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.URL, b.URL)) })
	return list
}

// Add adds the counts of another round. Left and Stopped are those of the last one.
func (n *Counts) Add(o Counts) {
	// New fields of Counts must be added here, too.
	for _, sum := range []struct {
		to   *int64
		more int64
	}{
		{&n.Requests, o.Requests},
		{&n.Bytes, o.Bytes},
		{&n.Visits, o.Visits},
		{&n.Unchanged, o.Unchanged},
		{&n.Items, o.Items},
		{&n.Pages, o.Pages},
		{&n.Elsewhere, o.Elsewhere},
		{&n.Forbidden, o.Forbidden},
		{&n.GivenUp, o.GivenUp},
		{&n.Moved, o.Moved},
		{&n.Gone, o.Gone},
		{&n.Replayed, o.Replayed},
	} {
		*sum.to += sum.more
	}
	n.Left, n.Stopped, n.Resting, n.Next = o.Left, o.Stopped, o.Resting, o.Next
	// A clone, because Counts is copied by value.
	failures := maps.Clone(n.Failures)
	if failures == nil {
		failures = map[string]int64{}
	}
	for kind, count := range o.Failures {
		failures[kind] += count
	}
	n.Failures = failures
}
