package server

import (
	"context"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/playback"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// NewReplay makes the handler of the replay's origin, which has archived pages and nothing else. It needs an address of
// its own, so that nothing of a page has the origin of the server of o.
func NewReplay(o Options, p *playback.Player) http.Handler {
	s := &server{o: o, csrf: newCSRF(), rates: newRates(), gate: newGate()}
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.Part(w, r, api.Base(r))
	})
	h = repeated(o.Views, h)
	h = s.gated(h)
	h = compressed(h)
	h = s.ticketed(h)
	h = s.onlyNamed(h)
	h = s.believed(h)
	h = paced(stallTime, h)
	h = logged(h, func(w http.ResponseWriter, _ *http.Request, _ error) {
		http.Error(w, "This part failed.", http.StatusInternalServerError)
	})
	// The log has paths, and must not have tickets.
	return p.Ticketed(h)
}

// onlyNamed refuses requests that do more than read, or that use another name of the server: see guarded. Fonts of
// opaque origins have the Origin "null", which is not refused here.
func (s *server) onlyNamed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !allowed(s.o, hostOf(r.Host)):
			http.Error(w, "This server does not answer to this name.", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "Archived pages can only be read.", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ticketed identifies the user by the ticket in the path. The credential that it stands for is checked again for each
// request, so that a revoked one opens nothing.
func (s *server) ticketed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t, known := playback.TicketOf(r.Context())
		if !known {
			http.Error(w, "This page has expired. Open it again.", http.StatusNotFound)
			return
		}
		a, err := s.holder(r.Context(), r, t)
		if err != nil || a.Role < view.Viewer {
			http.Error(w, "Log in, and open the page again.", http.StatusForbidden)
			return
		}
		named(r.Context(), a.Name)
		next.ServeHTTP(w, r.WithContext(view.WithActor(r.Context(), a)))
	})
}

// holder returns the user of a ticket.
func (s *server) holder(ctx context.Context, r *http.Request, t playback.Ticket) (view.Actor, error) {
	asked := r.Clone(ctx)
	// What the browser sends here is not the user's: cookies are the same for all ports of a host.
	asked.Header = t.Credential.Clone()
	if proto := r.Header.Get("X-Forwarded-Proto"); proto != "" {
		asked.Header.Set("X-Forwarded-Proto", proto)
	}
	a, _, err := s.identify(asked)
	a = s.visiting(a, err)
	a.Origin = s.origin(r)
	return a, err
}
