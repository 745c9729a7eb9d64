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

// What is counted of entities, which no index has: documents are read for it, once for each manifest. Of a collection
// with more the beginning is counted, and the answer says so.
const (
	// Bounds of memory and time, as anybody who may read can ask: documents that are read, and what is
	// kept of them.
	maxEntityDocs = 50_000
	maxNamesKept  = 300_000 // identities
	maxVariants   = 8       // names of one identity
	maxHostsKept  = 16      // of one identity
)

// census is what was counted of a collection.
type census struct {
	captures int64 // that name any
	rows     []identity
	partial  string
}

// identity is something that pages name, under whatever names.
type identity struct {
	kind, id            string
	names               map[string]int64
	hosts               map[string]int64
	addresses, mentions int64
}

// census counts in the background, and waits for that for a moment: who asks a large collection first is told to come
// again.
func (v *Views) census(c *shelf.Collection, now *shelf.Snapshot) (*census, error) {
	// What Once keeps is the counting under way, not its outcome: later ones wait for the same.
	type counting struct {
		done chan struct{}
		out  *census
		err  error
	}
	job, err := shelf.Once(now, "entities", func() (*counting, error) {
		job := &counting{done: make(chan struct{})}
		// The snapshot of the request may be an older one: it would be counted for nobody.
		held, release, ok := c.Hold() // it may go on when who asked has gone
		if !ok || held != now {
			return nil, &Error{Kind: NotReady, Title: "The collection is changing", Remedy: "Try again.", Retry: 1}
		}
		go func() {
			// In this order the channel is closed first, and then the snapshot is let go.
			defer release()
			defer close(job.done)
			if job.out, job.err = count(context.Background(), now); job.err != nil {
				// Those who wait now get the error; who asks next has it counted again.
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
		// Written before the channel was closed, so it may be read without a lock.
		return job.out, changed(job.err)
	// Longer than small collections take, shorter than people wait before they reload.
	case <-time.After(2 * time.Second):
		return nil, &Error{
			Kind: NotReady, Title: "Names are being counted", Detail: "Documents are read for it, once after each run.",
			Remedy: "Try again in some seconds.", Retry: 5,
		}
	}
}

// count reads documents and counts what they name.
func count(ctx context.Context, now *shelf.Snapshot) (*census, error) {
	c := &census{}
	known := map[string]*identity{}
	// A hash of 64 bits in place of the text: a page's address may be longer than all that is counted
	// of it. The seed is random, so nobody can prepare collisions.
	seed := maphash.MakeSeed()
	pairs := map[uint64]bool{} // identities with the pages that name them, each once
	docs := 0
	for d, err := range now.Part.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if docs++; docs > maxEntityDocs {
			c.partial = "The first " + number(maxEntityDocs) + " captures were counted: the collection has more."
			// The iteration ends here, and what was counted so far is the answer.
			break
		}
		if len(d.Entities) > 0 {
			c.captures++
		}
		for _, e := range d.Entities {
			// By the identity where it is known, otherwise by the text: the NUL keeps type and text
			// apart.
			key := e.Type + "\x00" + cmp.Or(e.ID, e.Text)
			one := known[key]
			if one == nil {
				// No new name, but those that are known are counted further.
				if len(known) >= maxNamesKept {
					c.partial = "There are more than " + number(maxNamesKept) + " names: those that came first were counted."
					continue
				}
				one = &identity{kind: e.Type, id: e.ID, names: map[string]int64{}, hosts: map[string]int64{}}
				known[key] = one
			}
			// SURT, so that versions of one page and its spellings count once.
			pair := maphash.String(seed, key+"\x00"+cmp.Or(d.SURT, d.URL))
			one.add(e, d.Host, !pairs[pair])
			pairs[pair] = true
		}
	}
	for _, one := range known {
		c.rows = append(c.rows, *one)
	}
	// Four keys, the last of them a name: the order is the same at each count.
	slices.SortFunc(c.rows, func(a, b identity) int {
		return cmp.Or(cmp.Compare(b.addresses, a.addresses), cmp.Compare(b.mentions, a.mentions),
			strings.Compare(a.kind, b.kind), strings.Compare(most(a.names), most(b.names)))
	})
	return c, nil
}

// add counts one naming, of an address that is new for it or not.
func (i *identity) add(e schemas.Entity, host string, isNew bool) {
	// Names beyond the bound are mentions all the same; which name is shown is the most frequent of
	// those kept.
	if _, is := i.names[e.Text]; is || len(i.names) < maxVariants {
		i.names[e.Text]++
	}
	// An entity of the metadata alone has no mentions in the text, and counts as one.
	i.mentions += int64(max(1, e.Count))
	if !isNew {
		return
	}
	i.addresses++
	if _, is := i.hosts[host]; host != "" && (is || len(i.hosts) < maxHostsKept) {
		i.hosts[host]++
	}
}

// most is the key that has the largest count, the first one by its letters of several.
func most(m map[string]int64) (best string) {
	// Sorted, so that of equal counts the first by its letters stays.
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if best == "" || m[k] > m[best] {
			best = k
		}
	}
	return best
}

// commonTypes are those of a list where no type was asked for: what has a pattern, as money and dates, is of less use
// in a ranking.
var commonTypes = map[string]bool{
	"person": true, "place": true, "organization": true, "product": true, "event": true, "work": true,
}

// Entities lists what pages name.
func (v *Views) Entities(ctx context.Context, r EntitiesRequest) (*Entities, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	// Before the cursor is read, so that an answer of "not ready" comes first.
	all, err := v.census(c, now)
	if err != nil {
		return nil, err
	}
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	list := &Entities{
		// Names are of all rows, also of those that the list leaves out.
		Answer: answer(c), Find: r.Find, Type: r.Type, Names: int64(len(all.rows)), Captures: all.captures,
		Entities: []EntityRow{}, Partial: all.partial,
	}
	list.types(r, all)
	// 24 is what fits a screen.
	limit, fits := int64(cmp.Or(r.Limit, 24)), int64(0)
	for i := range all.rows {
		one := &all.rows[i]
		if !one.fits(r) {
			continue
		}
		// All are gone through, since how many are left is part of the answer.
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
	// Stable: types of equal count stay in the order of their letters.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	r.Cursor = ""
	for _, kind := range names {
		one := r
		if one.Type = kind; r.Type == kind {
			// A facet in force leads out of itself.
			one.Type = "" // the link takes it away
		}
		e.Types = append(e.Types, Choice{kind, kind, page(r.Collection, "entities", one), r.Type == kind})
		e.Counts = append(e.Counts, counts[kind])
	}
}

// fits reports whether an identity is asked for.
func (i *identity) fits(r EntitiesRequest) bool {
	switch {
	// Money, dates and the like only where they are asked for by type or by name.
	case r.Type != "" && i.kind != r.Type, r.Type == "" && r.Find == "" && !commonTypes[i.kind]:
		return false
	case r.Find == "":
		return true
	}
	// Any of the names that were kept, not only the one shown.
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
		// The search is by the text as written: the index knows no identities.
		Link: SearchRequest{Collection: collection, Entity: name}.link(),
	}
	for _, other := range slices.Sorted(maps.Keys(i.names)) {
		if other != name {
			row.Also = append(row.Also, other)
		}
	}
	return row
}
