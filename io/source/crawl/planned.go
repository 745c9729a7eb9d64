package crawl

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Visit is a request that is planned.
type Visit struct {
	Due  time.Time `json:"due"`  // or earlier, when it is the zero time
	Kind string    `json:"kind"` // feed, page
	URL  string    `json:"url"`
}

// Planned is what the round would ask for as far as it is known before it begins, by time.
func (c *Crawl) Planned() (list []Visit) {
	for _, h := range c.hosts {
		// Requests for robots.txt are left out: whether one is needed shows when a host is asked.
		for _, q := range []jobs{h.feeds, h.pages} {
			for _, j := range q {
				list = append(list, Visit{later(j.due, h.free), j.kind.String(), j.url})
			}
		}
	}
	// Equal times are common, as of pages that are due at once: the URL makes the list the same each time.
	slices.SortFunc(list, func(a, b Visit) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.URL, b.URL)) })
	return list
}

// Add adds what another round has come to. Of what is left, and of why a round stopped, the last one counts.
func (n *Counts) Add(o Counts) {
	// A field that is added to Counts has to be added here, too.
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
	// A clone, since Counts is copied by value and the map would be shared with the copy.
	failures := maps.Clone(n.Failures)
	if failures == nil {
		failures = map[string]int64{}
	}
	for kind, count := range o.Failures {
		failures[kind] += count
	}
	n.Failures = failures
}
