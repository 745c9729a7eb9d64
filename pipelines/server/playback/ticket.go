package playback

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"
)

// These limit the tickets of a server. An idle ticket ends; its pages get a new one when they are loaded again.
const (
	ticketIdle  = 12 * time.Hour
	mostTickets = 10_000
)

// Ticket lets the parts of a page be read for the user who opened it.
type Ticket struct {
	Name string
	// Base is the beginning of this server's own URLs, for links.
	Base string
	// Credential has the fields of a request by which the user is identified, for each part again.
	Credential http.Header
}

// tickets are the tickets of a server. They are in memory: after a restart, pages get new ones.
type tickets struct {
	mu   sync.Mutex
	now  func() time.Time
	list map[string]*issued // by name
	of   map[string]*issued // by the user's credential and the base
}

type issued struct {
	Ticket
	key  string
	used time.Time
}

func newTickets() *tickets {
	return &tickets{now: time.Now, list: map[string]*issued{}, of: map[string]*issued{}}
}

// credentialFields identify a user: a session's cookie, or a token.
var credentialFields = []string{"Authorization", "Cookie"}

// issue returns the ticket of a request's user. A user has one for each address of the server.
func (t *tickets) issue(r *http.Request, base string) Ticket {
	key := base
	credential := http.Header{}
	for _, name := range credentialFields {
		if values := r.Header.Values(name); len(values) > 0 {
			credential[name] = values
			key += "\n" + name + ": " + values[0]
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	i := t.of[key]
	if i == nil || now.Sub(i.used) > ticketIdle {
		t.sweep(now)
		i = &issued{Ticket: Ticket{Name: rand.Text(), Base: base, Credential: credential}, key: key}
		t.list[i.Name], t.of[key] = i, i
	}
	i.used = now
	return i.Ticket
}

// find returns a ticket by its name.
func (t *tickets) find(name string) (Ticket, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := t.list[name]
	now := t.now()
	if i == nil || now.Sub(i.used) > ticketIdle {
		return Ticket{}, false
	}
	i.used = now
	return i.Ticket, true
}

// sweep removes idle tickets. If there are still too many, it removes all: their pages get new ones.
func (t *tickets) sweep(now time.Time) {
	for name, i := range t.list {
		if now.Sub(i.used) > ticketIdle || len(t.list) >= mostTickets {
			delete(t.list, name)
			delete(t.of, i.key)
		}
	}
}

type ticketKey struct{}

// TicketOf returns the ticket of a request to the replay's origin, if it has a valid one.
func TicketOf(ctx context.Context) (Ticket, bool) {
	t, known := ctx.Value(ticketKey{}).(Ticket)
	return t, known
}

// Ticketed moves the ticket of a request from its path to its context.
func (p *Player) Ticketed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, rest, _ := strings.Cut(target(r), "/")
		ctx := r.Context()
		if t, known := p.tickets.find(name); known {
			ctx = context.WithValue(ctx, ticketKey{}, t)
		}
		r = r.Clone(ctx)
		r.RequestURI = Prefix + rest
		_, r.URL.Path, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
		r.URL.Path, r.URL.RawPath = Prefix+r.URL.Path, ""
		next.ServeHTTP(w, r)
	})
}
