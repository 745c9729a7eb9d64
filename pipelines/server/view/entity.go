package view

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// Entities are counted by reading the documents, since no index has them. This is done once for each manifest. In a
// larger collection only the beginning is counted, and the answer says so.
const (
	// These limit memory and time, since every user with the right to read can request this. They limit the documents
	// that are read, and the data that is kept.
	maxEntityDocs = 50_000
	maxNamesKept  = 300_000 // identities
	maxVariants   = 8       // names of one identity
	maxHostsKept  = 16      // of one identity
)

// census is the result of counting a collection.
type census struct {
	captures int64 // captures that name any entity
	rows     []identity
	partial  string
}

// identity is something that pages name, with all its names.
type identity struct {
	kind, id            string
	names               map[string]int64
	hosts               map[string]int64
	addresses, mentions int64
}

// census counts in the background, and waits for a moment. If a collection is large, the first users are told to try
// again.
func (v *Views) census(c *shelf.Collection, now *shelf.Snapshot) (*census, error) {
	// Once keeps the running count, not its result, so that later users wait for the same count.
	type counting struct {
		done chan struct{}
		out  *census
		err  error
	}
	job, err := shelf.Once(now, "entities", func() (*counting, error) {
		job := &counting{done: make(chan struct{})}
		// The snapshot of the request may be an old one, for which counting would be useless.
		held, release, ok := c.Hold() // counting may continue after the user has left
		if !ok || held != now {
			return nil, &Error{Kind: NotReady, Title: "The collection is changing", Remedy: "Try again.", Retry: 1}
		}
		go func() {
			// In this order the channel is closed first, and then the snapshot is released.
			defer release()
			defer close(job.done)
			if job.out, job.err = count(context.Background(), now); job.err != nil {
				// Users who wait now get the error; the next user has it counted again.
				now.Forget("entities")
			}
		}()
		return job, nil
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-job.done:
		// It was written before the channel was closed, so it may be read without a lock.
		return job.out, changed(job.err)
	// This is longer than small collections take, and shorter than people wait before they reload.
	case <-time.After(2 * time.Second):
		return nil, &Error{
			Kind: NotReady, Title: "Names are being counted", Detail: "This reads all documents, once after each run.",
			Remedy: "Try again in a few seconds.", Retry: 5,
		}
	}
}

// count reads documents and counts the entities in them.
func count(ctx context.Context, now *shelf.Snapshot) (*census, error) {
	c := &census{}
	known := map[string]*identity{}
	// A 64-bit hash replaces the text: a page's address may be longer than all its counted data. The seed is random,
	// so nobody can prepare collisions.
	seed := maphash.MakeSeed()
	pairs := map[uint64]bool{} // pairs of an identity and a page that names it, each once
	docs := 0
	for d, err := range now.Part.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if docs++; docs > maxEntityDocs {
			c.partial = "The first " + number(maxEntityDocs) + " captures were counted: the collection has more."
			// The iteration ends here, and the answer is the count up to this document.
			break
		}
		if len(d.Entities) > 0 {
			c.captures++
		}
		for _, e := range d.Entities {
			// The key is the identity if it is known, otherwise the text. The NUL separates type and text.
			key := e.Type + "\x00" + cmp.Or(e.ID, e.Text)
			one := known[key]
			if one == nil {
				// No new names are added, but known names are still counted.
				if len(known) >= maxNamesKept {
					c.partial = "There are more than " + number(maxNamesKept) + " names. Only the first ones were counted."
					continue
				}
				one = &identity{kind: e.Type, id: e.ID, names: map[string]int64{}, hosts: map[string]int64{}}
				known[key] = one
			}
			// SURT is used, so that versions and spellings of a page count once.
			pair := maphash.String(seed, key+"\x00"+cmp.Or(d.SURT, d.URL))
			one.add(e, d.Host, !pairs[pair])
			pairs[pair] = true
		}
	}
	for _, one := range known {
		c.rows = append(c.rows, *one)
	}
	// There are four keys, the last of which is a name, so the order is the same at each count.
	slices.SortFunc(c.rows, func(a, b identity) int {
		return cmp.Or(cmp.Compare(b.addresses, a.addresses), cmp.Compare(b.mentions, a.mentions),
			strings.Compare(a.kind, b.kind), strings.Compare(most(a.names), most(b.names)))
	})
	return c, nil
}

// add counts one mention; isNew means that the address is new for the identity.
func (i *identity) add(e schemas.Entity, host string, isNew bool) {
	// Names above the limit still count as mentions. The most frequent kept name is shown.
	if _, is := i.names[e.Text]; is || len(i.names) < maxVariants {
		i.names[e.Text]++
	}
	// An entity that only the metadata has, with no mentions in the text, counts as one.
	i.mentions += int64(max(1, e.Count))
	if !isNew {
		return
	}
	i.addresses++
	if _, is := i.hosts[host]; host != "" && (is || len(i.hosts) < maxHostsKept) {
		i.hosts[host]++
	}
}

// most returns the key with the largest count. If several have it, it is the first in alphabetical order.
func most(m map[string]int64) (best string) {
	// Keys are sorted, so that the first of equal counts stays.
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if best == "" || m[k] > m[best] {
			best = k
		}
	}
	return best
}

// commonTypes are listed if no type was chosen. Types that follow patterns, such as money and dates, are less useful
// in a ranking.
var commonTypes = map[string]bool{
	"person": true, "place": true, "organization": true, "product": true, "event": true, "work": true,
}

// Entities lists the entities that pages name.
func (v *Views) Entities(ctx context.Context, r EntitiesRequest) (*Entities, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	// This comes before the cursor is read, so that an answer of "not ready" comes first.
	all, err := v.census(c, now)
	if err != nil {
		return nil, err
	}
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	list := &Entities{
		// Names counts all rows, including those that the list leaves out.
		Answer: answer(c), Find: r.Find, Type: r.Type, Names: int64(len(all.rows)), Captures: all.captures,
		Entities: []EntityRow{}, Partial: all.partial,
	}
	list.types(r, all)
	// 24 rows fit on a screen.
	limit, fits := int64(cmp.Or(r.Limit, 24)), int64(0)
	for i := range all.rows {
		one := &all.rows[i]
		if !one.fits(r) {
			continue
		}
		// All rows are visited, since the number of remaining ones is part of the answer.
		if fits++; fits > from && fits <= from+limit {
			row := one.row(c.Name())
			list.Max = max(list.Max, row.Addresses)
			list.Entities = append(list.Entities, row)
		}
	}
	if list.Left = max(0, fits-from-limit); list.Left > 0 {
		list.Next = cursorAt(from + limit)
		r.Cursor = list.Next
		list.NextLink = page(c.Name(), "entities", r)
	}
	list.Took = v.since(start)
	return list, nil
}

// types counts the identities of each type.
func (e *Entities) types(r EntitiesRequest, all *census) {
	counts := map[string]int64{}
	for i := range all.rows {
		counts[all.rows[i].kind]++
	}
	names := slices.Sorted(maps.Keys(counts))
	// The sort is stable: types of equal count stay in alphabetical order.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	r.Cursor = ""
	for _, kind := range names {
		one := r
		if one.Type = kind; r.Type == kind {
			// The link of the active type removes it.
			one.Type = "" // the link removes the filter
		}
		e.Types = append(e.Types, Choice{kind, kind, page(r.Collection, "entities", one), r.Type == kind})
		e.Counts = append(e.Counts, counts[kind])
	}
}

// fits reports whether an identity matches the request.
func (i *identity) fits(r EntitiesRequest) bool {
	switch {
	// Money, dates and similar types only match if their type or name was requested.
	case r.Type != "" && i.kind != r.Type, r.Type == "" && r.Find == "" && !commonTypes[i.kind]:
		return false
	case r.Find == "":
		return true
	}
	// Any kept name may match, not only the one that is shown.
	find := strings.ToLower(r.Find)
	for name := range i.names {
		if strings.Contains(strings.ToLower(name), find) {
			return true
		}
	}
	return false
}

func (i *identity) row(collection string) EntityRow {
	name := most(i.names)
	row := EntityRow{
		Text: name, Type: i.kind, ID: i.id, Addresses: i.addresses, Mentions: i.mentions, Host: most(i.hosts),
		// The search uses the text as written: the index knows no identities.
		Link: SearchRequest{Collection: collection, Entity: name}.link(),
	}
	for _, other := range slices.Sorted(maps.Keys(i.names)) {
		if other != name {
			row.Also = append(row.Also, other)
		}
	}
	return row
}
