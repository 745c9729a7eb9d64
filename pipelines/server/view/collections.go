package view

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// CollectionsRequest is a request for the list of collections.
type CollectionsRequest struct{}

// Collections are the collections of this server.
type Collections struct {
	Took        float64         `json:"took_ms"`
	Collections []CollectionRow `json:"collections"`
}

// CollectionRow is the list entry of a collection.
type CollectionRow struct {
	Name     string     `json:"name"`
	Title    string     `json:"title,omitempty"`
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
	// It is not nil: an empty list in JSON is [] and not null.
	list := &Collections{Collections: []CollectionRow{}}
	for _, c := range v.collections(ctx) {
		row := CollectionRow{Name: c.Name(), Index: answer(c).Index, Link: page(c.Name(), "", nil)}
		// A collection without a run is listed too: somebody may be waiting for it.
		if _, now, release, err := v.open(ctx, c.Name()); err == nil {
			// Of a part, the manifest has no totals.
			t := now.Manifest.Totals
			row.Archives, row.Rejects = holdings.Archives(now.Manifest.Units), t.Rejects
			about, err := aboutOf(c, now)
			if err == nil {
				row.Captures, err = now.DB.Count(ctx, query.Query{AllVersions: true})
			}
			row.Title = about.Title
			row.Read, row.Lost, row.Version = t.BytesRead, t.BytesLost, now.ID
			// It is released here and not deferred, as the loop holds one after the other.
			release()
			if err != nil {
				return nil, changed(err)
			}
		}
		list.Collections = append(list.Collections, row)
	}
	list.Took = v.since(start)
	return list, nil
}

// Version changes whenever answers about a collection may change; it is for ETags. It is "" if the collection does not
// exist or is empty.
func (v *Views) Version(ctx context.Context, name string) string {
	// The view of the reader has its own ID, so that a tag is never that of another reader.
	c, now, release, err := v.open(ctx, name)
	if err != nil {
		return ""
	}
	defer release()
	// Answers also change with the index while the manifest stays the same, since the index then has more shards.
	version := now.ID + stateOf(c.State())
	if isCounted(now) {
		version += "-c"
	}
	// Links come with their own index, which is made last.
	if _, err := now.Links(); err == nil {
		version += "-l"
	}
	if about, err := aboutOf(c, now); err == nil && about != (holdings.About{}) {
		sum := sha256.Sum256([]byte(about.Title + "\x00" + about.Description))
		version += "-" + hex.EncodeToString(sum[:4])
	}
	return version + v.sourcesVersion()
}

// sourcesVersion changes whenever answers about sources may change.
func (v *Views) sourcesVersion() string {
	if v.o.Sources == nil {
		return ""
	}
	return "-s" + v.o.Sources.Generation()
}

// aboutOf returns the title and description of a collection. In a bucket they are read once for each manifest, since
// each read is paid for.
func aboutOf(c *shelf.Collection, now *shelf.Snapshot) (holdings.About, error) {
	if !blob.IsRemote(c.Path()) {
		return holdings.ReadAbout(c.Folder())
	}
	return shelf.Once(now, "about", func() (holdings.About, error) { return holdings.ReadAbout(c.Folder()) })
}

// stateOf returns a short text for the state of the index.
func stateOf(s shelf.State) string {
	if s.Ready {
		return "-i"
	}
	// Each newly indexed shard changes the results of searches.
	return "-" + number(int64(s.Stale))
}
