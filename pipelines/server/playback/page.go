package playback

import (
	"net/http"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/replay"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// ServeHTTP answers at this server's own origin: the page with the date and the frame. Without a time, the newest
// capture is shown.
func (p *Player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	when, address, _ := strings.Cut(target(r), "/")
	at, err := time.Parse(stamp, when)
	if err != nil {
		at, address = time.Now(), target(r)
	}
	address = memento.Sent(address)
	c, err := p.o.Captures.Near(r.Context(), address, at, func(*schemas.Capture) bool { return true })
	if err != nil {
		p.fail(w, r, err)
		return
	}
	forbidCaches(w, c)
	// Each capture has one address, so that links to it can be cited.
	if exact := c.Time().Format(stamp); exact != when {
		redirect(w, Prefix+exact+"/"+urlkey.Path(address))
		return
	}
	if export.IsRedirect(c.Capture) {
		q := part{at: c.Time()}
		o := replay.Options{URL: c.Capture.URL, Address: q.link(c)}
		if to := replay.Address(replay.Link, c.Capture.Get("Location"), o); strings.HasPrefix(to, Prefix) {
			redirect(w, to)
			return
		}
	}
	r.SetPathValue("collection", c.Collection)
	p.o.Pages.Write(w, r, http.StatusOK, p.page(r, c))
}

// page makes the data of the page.
func (p *Player) page(r *http.Request, c *memento.Reading) *view.Replayed {
	base := p.origin(r)
	t := p.tickets.issue(r, api.Base(r))
	q := part{ticket: t, origin: base, at: c.Time()}
	when := c.Time().Format(stamp)
	d := &view.Replayed{
		Collection: c.Collection, URL: c.Document.URL, Timestamp: c.Document.Timestamp,
		Frame: base + q.link(c)(replay.Page, c.Capture.URL), Origin: base + Prefix + t.Name + "/",
		Download: memento.Memento + when + "/" + urlkey.Path(c.Document.URL), Replay: p.o.Views.ReplayOf(c.Document),
		Media: export.MediaOf(c.Capture), Status: c.Capture.Status,
	}
	d.Resource = view.ResourceLink(c.Collection, c.Document.URL, when)
	if mimetype.IsHTML(d.Media) {
		p.count(r.Context(), c, d)
	}
	return d
}
