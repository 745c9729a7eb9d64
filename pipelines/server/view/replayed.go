package view

import (
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Replayed is the page around a replayed capture.
type Replayed struct {
	Collection string
	URL        string
	Timestamp  string
	Media      string
	Status     int
	Frame      string // address of the capture in the frame, at the replay's origin
	Origin     string // the beginning of all addresses that the frame may load
	Resource   string // page with the versions
	Download   string
	Replay     string // the capture in a replay tool; "" if none is configured
	Refresh    string // page that the capture leads to by itself; "" if it does not
	Parts      int    // images, style sheets, fonts, frames and others that the capture names
	More       bool   // there are more parts, which were not counted
	Missing    int    // of Parts, those that no collection has
	Named      []string
	Scripts    int // left out
	Plugins    int
}

// FrameSource is what the policy of the page allows in frames.
func (d *Replayed) FrameSource() string { return d.Origin }

// Lacks counts a missing part. The first ones are named.
func (d *Replayed) Lacks(url string, most int) {
	d.Missing++
	if len(d.Named) < most {
		d.Named = append(d.Named, url)
	}
}

// replayed links to the replay of a capture. Captures without a time, or without an archive, have none.
func (res *Resource) replayed(v *Views, d *schemas.Document) {
	if t, ok := query.ParseTime(d.Timestamp); ok && v.o.Replays && v.o.Store != nil {
		res.Replayed = "/replay/" + t.UTC().Format("20060102150405") + "/" + urlkey.Path(d.URL)
	}
}

// ResourceLink returns the page of a URL with the version of a time.
func ResourceLink(collection, url, at string) string {
	return page(collection, "resource", ResourceRequest{URL: url, At: at})
}

// ReplayLink returns a capture in the server's replay tool, or its page as it looked as a path of this server. It is ""
// if the server has neither.
func (v *Views) ReplayLink(url, timestamp string) string {
	d := &schemas.Document{URL: url, Timestamp: timestamp}
	if link := v.ReplayOf(d); link != "" {
		return link
	}
	var res Resource
	res.replayed(v, d)
	return res.Replayed
}
