package view

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// CollectionsRequest asks for the collections.
type CollectionsRequest struct{}

// Collections are those of this server.
type Collections struct {
	Took        float64         `json:"took_ms"`
	Collections []CollectionRow `json:"collections"`
}

// CollectionRow is what lists say of a collection.
type CollectionRow struct {
	Name     string     `json:"name"`
	Captures int64      `json:"captures"`
	Archives int64      `json:"archives"`
	Rejects  int64      `json:"rejects"`
	Read     int64      `json:"bytes_read"`
	Lost     int64      `json:"bytes_lost"`
	Version  string     `json:"version,omitempty" doc:"changes when a run has finished; absent while none has"`
	Index    IndexState `json:"index"`
	Link     string     `json:"link"`
}

// Collections lists the collections.
func (v *Views) Collections(ctx context.Context, _ CollectionsRequest) (*Collections, error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, err
	}
	start := v.o.Now()
	// Not nil: a list in JSON is [] and not null.
	list := &Collections{Collections: []CollectionRow{}}
	for _, c := range v.shelf.Collections() {
		row := CollectionRow{Name: c.Name(), Index: answer(c).Index, Link: page(c.Name(), "", nil)}
		// A collection without a run is listed all the same: somebody may be waiting for it.
		if now, release, ok := c.Hold(); ok {
			t := now.Manifest.Totals
			row.Captures, row.Archives, row.Rejects = t.Captures, archivesOf(now.Manifest), t.Rejects
			row.Read, row.Lost, row.Version = t.BytesRead, t.BytesLost, now.ID
			// Released here, and not deferred, as the loop holds one after the other.
			release()
		}
		list.Collections = append(list.Collections, row)
	}
	list.Took = v.since(start)
	return list, nil
}

// Version changes whenever answers about a collection may: for ETags. It is "" where there is no such collection, or
// nothing in it.
func (v *Views) Version(name string) string {
	c := v.shelf.Find(name)
	if c == nil {
		return ""
	}
	now, release, ok := c.Hold()
	if !ok {
		return ""
	}
	defer release()
	// Answers change with the index too, while the manifest stays the same: the index has other shards
	// then.
	return now.ID + stateOf(c.State())
}

// stateOf is a sign for how far the index is.
func stateOf(s shelf.State) string {
	if s.Ready {
		return "-i"
	}
	// Each shard that is indexed changes what a search finds.
	return "-" + number(int64(s.Behind))
}
