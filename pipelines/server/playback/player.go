package playback

import (
	"cmp"
	"net"
	"net/http"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Prefix is the beginning of the paths of replayed pages, at both origins.
const Prefix = "/replay/"

// Pages writes the pages of the server: package page.
type Pages interface {
	Write(w http.ResponseWriter, r *http.Request, status int, data any)
	Error(w http.ResponseWriter, r *http.Request, status int, err error)
}

// Options are the options of a player.
type Options struct {
	Views    *view.Views
	Captures *memento.Handler
	Pages    Pages
	// Origin is the replay's origin, such as https://replay.example.org. If it is empty, it is the name that the server
	// was asked by, with Port.
	Origin string
	Port   string
}

// Player replays pages.
type Player struct {
	o       Options
	tickets *tickets
}

// New makes a player.
func New(o Options) *Player { return &Player{o: o, tickets: newTickets()} }

// origin returns the replay's origin for a request to this server.
func (p *Player) origin(r *http.Request) string {
	if p.o.Origin != "" {
		return p.o.Origin
	}
	base := api.Base(r)
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	return base[:strings.Index(base, "://")+3] + net.JoinHostPort(host, p.o.Port)
}

// target returns the part of a request after a prefix, exactly as it was sent: escapes are part of archived URLs.
func target(r *http.Request) string {
	uri := r.RequestURI
	// Proxies send absolute URLs, and tests none.
	if uri == "" || !strings.HasPrefix(uri, "/") {
		uri = r.URL.RequestURI()
	}
	return strings.TrimPrefix(uri, Prefix)
}

// stamp is the format of times in paths.
const stamp = "20060102150405"

// fail answers with an error page of the server.
func (p *Player) fail(w http.ResponseWriter, r *http.Request, err error) {
	p.o.Pages.Error(w, r, cmp.Or(api.Status(err), http.StatusInternalServerError), err)
}

// redirect leads to an address. The function of package http would join the slashes of archived URLs.
func redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusFound)
}
