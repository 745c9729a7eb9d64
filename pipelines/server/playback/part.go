package playback

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/replay"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// part is a request to the replay's origin.
type part struct {
	ticket  Ticket
	origin  string // of the replay
	at      time.Time
	kind    replay.Kind
	address string
}

// parse reads a request to the replay's origin.
func parse(r *http.Request, origin string) (part, bool) {
	ticket, known := TicketOf(r.Context())
	when, address, found := strings.Cut(target(r), "/")
	digits := min(len(when), len(stamp))
	at, err := time.Parse(stamp, when[:digits])
	q := part{ticket, origin, at, replay.Kind(when[digits:]), memento.Sent(address)}
	return q, known && found && err == nil && makers[q.kind] != nil
}

// link returns the function that makes the addresses of a page's parts and links.
func (q *part) link(c *memento.Reading) func(kind replay.Kind, url string) string {
	when := c.Time().Format(stamp)
	return func(kind replay.Kind, url string) string {
		url = urlkey.Path(url)
		if kind == replay.Link {
			return q.ticket.Base + Prefix + when + "/" + url
		}
		return Prefix + q.ticket.Name + "/" + when + string(kind) + "/" + url
	}
}

// maker answers with a part of one kind. Package export has the media types that fit to a kind: none can do harm in the
// way that it is sent.
type maker func(p *Player, w http.ResponseWriter, r *http.Request, q *part, c *memento.Reading)

// makers answer by kind.
var makers map[replay.Kind]maker

func init() {
	makers = map[replay.Kind]maker{
		replay.Page:  (*Player).frame,
		replay.Style: (*Player).style,
		replay.Image: (*Player).raw,
		replay.Font:  (*Player).raw,
		replay.Media: (*Player).raw,
	}
}

// Part answers a request to the replay's origin, which is the origin of the server that was asked.
func (p *Player) Part(w http.ResponseWriter, r *http.Request, origin string) {
	q, ok := parse(r, origin)
	if !ok {
		http.Error(w, "There is no such part. Open the page again.", http.StatusNotFound)
		return
	}
	secure(w.Header(), &q)
	c, err := p.o.Captures.Near(r.Context(), q.address, q.at, fitsOf(q.kind))
	if err != nil {
		p.missing(w, r, &q, err)
		return
	}
	forbidCaches(w, c)
	if export.IsRedirect(c.Capture) {
		p.follow(w, r, &q, c)
		return
	}
	makers[q.kind](p, w, r, &q, c)
}

// fitsOf returns whether a capture is of a kind, or leads to one.
func fitsOf(kind replay.Kind) func(c *schemas.Capture) bool {
	return func(c *schemas.Capture) bool { return export.IsRedirect(c) || export.Fits(kind, c) }
}

// missing answers for a part that cannot be shown. Only frames have a text.
func (p *Player) missing(w http.ResponseWriter, r *http.Request, q *part, err error) {
	status := http.StatusNotFound
	known := (*view.Error)(nil)
	if !errors.As(err, &known) {
		known, status = &view.Error{Title: "This part cannot be read"}, http.StatusInternalServerError
	} else if known.Kind == view.NotReady {
		status = http.StatusServiceUnavailable
	}
	if status != http.StatusNotFound { // it may be there soon
		w.Header().Set("Cache-Control", "no-store")
	}
	if q.kind == replay.Page {
		notice(w, status, known.Title, q.address)
		return
	}
	http.Error(w, known.Title, status)
}

// follow follows an archived redirect at the replay's origin.
func (p *Player) follow(w http.ResponseWriter, r *http.Request, q *part, c *memento.Reading) {
	o := replay.Options{URL: c.Capture.URL, Address: q.link(c)}
	to := replay.Address(q.kind, c.Capture.Get("Location"), o)
	if to == "" || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "data:") {
		p.missing(w, r, q, &view.Error{Kind: view.NotFound, Title: "The page leads to an address that cannot be shown"})
		return
	}
	redirect(w, to)
}

// style answers with a rewritten style sheet.
func (p *Player) style(w http.ResponseWriter, r *http.Request, q *part, c *memento.Reading) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	send(w, r, replay.CSS(export.TextOf(c.Capture), replay.Options{URL: c.Capture.URL, Address: q.link(c)}))
}

// raw answers with a payload. Its media type is what its bytes are, and browsers must not guess another.
func (p *Player) raw(w http.ResponseWriter, r *http.Request, q *part, c *memento.Reading) {
	h := w.Header()
	h.Set("Content-Type", export.MediaOf(c.Capture))
	// It is text of an archive, whose scripts run in no image. If it is opened alone, the policy stops them.
	h.Set("Content-Security-Policy", passivePolicy)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(c.Capture.Body))
}

func send(w http.ResponseWriter, r *http.Request, body string) {
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(body))
}
