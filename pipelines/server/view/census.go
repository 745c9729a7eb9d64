package view

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// The census counts by reading the documents, since no index has the identities and mentions of entities. This is done
// once for each manifest. In a larger collection only the beginning is counted, and the answer says so.
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
	complete bool   // all captures were read
	partial  string // why entities are not complete, or ""
}

// identity is something that pages name, with all its names. Searches find names whatever their type, so names that
// are written alike are one identity.
type identity struct {
	id                  string
	kinds, names        map[string]int64
	hosts               map[string]int64
	addresses, mentions int64
}

// counting is a census that may still be made.
type counting struct {
	done chan struct{}
	out  *census
	err  error
}

// begin begins the census of a collection in the background, unless it was made or is being made.
func begin(c *shelf.Collection, now *shelf.Snapshot) (*counting, error) {
	// Once keeps the running count, not its result, so that later users wait for the same count.
	return shelf.Once(now, "entities", func() (*counting, error) {
		job := &counting{done: make(chan struct{})}
		// The snapshot of the request may be an old one, for which counting would be useless.
		held, release, ok := c.Hold() // counting may continue after the user has left
		if !ok || held != now.Whole() {
			if ok {
				release()
			}
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
}

// census counts in the background, and waits for a moment. If a collection is large, the first users are told to try
// again.
func (v *Views) census(c *shelf.Collection, now *shelf.Snapshot) (*census, error) {
	job, err := begin(c, now)
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

// whole returns the census if it has read all captures, or nil. It waits for a moment for small collections, and
// begins no census of a large one.
func whole(c *shelf.Collection, now *shelf.Snapshot) *census {
	if now.Whole().Manifest.Totals.Documents > maxEntityDocs {
		return nil
	}
	job, err := begin(c, now)
	if err != nil {
		return nil
	}
	select {
	case <-job.done:
		if job.err == nil && job.out.complete {
			return job.out
		}
	case <-time.After(time.Second):
	}
	return nil
}

// isCounted reports whether whole has an answer without waiting.
func isCounted(now *shelf.Snapshot) bool {
	job, known := shelf.Known[*counting](now, "entities")
	if !known {
		return false
	}
	select {
	case <-job.done:
		return true
	default:
		return false
	}
}

// tally makes a census.
type tally struct {
	*census
	known map[string]*identity
	// A hash of 64 bits replaces a page, as its URL may be longer than all its counted data. The seed is random, so nobody
	// can prepare collisions.
	seed  maphash.Seed
	pairs map[uint64]bool     // names and the pages that have them
	named map[string][]uint64 // pages by the name
}

// count reads documents and counts the entities in them.
func count(ctx context.Context, now *shelf.Snapshot) (*census, error) {
	t := &tally{
		census: &census{complete: true},
		known:  map[string]*identity{}, seed: maphash.MakeSeed(),
		pairs: map[uint64]bool{}, named: map[string][]uint64{},
	}
	docs := 0
	for d, err := range documentsOf(ctx, now) {
		if err != nil {
			return nil, err
		}
		if docs++; docs > maxEntityDocs {
			t.partial = "The first " + look.Count(maxEntityDocs) + " captures were counted: the collection has more."
			t.complete = false
			// The iteration ends here, and the answer is the count up to this document.
			break
		}
		t.add(d)
	}
	for _, one := range t.known {
		one.addresses = t.pages(one)
		t.rows = append(t.rows, *one)
	}
	// There are three keys, the last of which is a name, so the order is the same at each count.
	slices.SortFunc(t.rows, func(a, b identity) int {
		return cmp.Or(cmp.Compare(b.addresses, a.addresses), cmp.Compare(b.mentions, a.mentions),
			strings.Compare(most(a.names), most(b.names)), strings.Compare(a.id, b.id))
	})
	return t.census, nil
}

// documentsOf yields the documents of a snapshot. Shards do not know the limits of a reader.
func documentsOf(ctx context.Context, now *shelf.Snapshot) iter.Seq2[*schemas.Document, error] {
	if now.DB.IsLimited() {
		return now.DB.Each(ctx, nil, []string{"url", "surt", "host", "record_type", "flags", "filename", "entities"})
	}
	return now.Part.Documents(ctx)
}

// add counts a document.
func (t *tally) add(d *schemas.Document) {
	if len(d.Entities) > 0 {
		t.captures++
	}
	// SURT is used, so that versions and spellings of a page count once.
	surt := cmp.Or(d.SURT, d.URL)
	page := maphash.String(t.seed, surt)
	for _, e := range d.Entities {
		// The key is the identity if it is known, otherwise the text.
		key := cmp.Or(e.ID, "\x00"+e.Text)
		one := t.known[key]
		if one == nil {
			// No new names are added, but known names are still counted.
			if len(t.known) >= maxNamesKept {
				t.partial = "There are more than " + look.Count(maxNamesKept) + " names. Only the first ones were counted."
				continue
			}
			one = &identity{
				id: e.ID, kinds: map[string]int64{}, names: map[string]int64{}, hosts: map[string]int64{},
			}
			t.known[key] = one
		}
		pair := maphash.String(t.seed, e.Text+"\x00"+surt)
		one.add(e, d.Host, !t.pairs[pair])
		if !t.pairs[pair] {
			t.pairs[pair] = true
			t.named[e.Text] = append(t.named[e.Text], page)
		}
	}
}

// pages returns on how many pages any name of an identity is: what the search for its names finds.
func (t *tally) pages(one *identity) int64 {
	all := map[uint64]bool{}
	for name := range one.names {
		if len(one.names) == 1 {
			return int64(len(t.named[name]))
		}
		for _, page := range t.named[name] {
			all[page] = true
		}
	}
	return int64(len(all))
}

// add counts one mention; isNew means that the page is new for the name.
func (i *identity) add(e schemas.Entity, host string, isNew bool) {
	// Names above the limit still count as mentions. The most frequent kept name is shown.
	if _, is := i.names[e.Text]; is || len(i.names) < maxVariants {
		i.names[e.Text]++
	}
	i.kinds[e.Type]++
	// An entity that only the metadata has, with no mentions in the text, counts as one.
	i.mentions += int64(max(1, e.Count))
	if _, is := i.hosts[host]; isNew && host != "" && (is || len(i.hosts) < maxHostsKept) {
		i.hosts[host]++
	}
}
