// Package memento answers by RFC 7089 (HTTP Framework for Time-Based Access to Resource States). A TimeMap lists the
// captures of a URL; a TimeGate finds the capture of a time.
//
//	/timemap/link/URL     the list, as application/link-format
//	/timemap/link/TIME/URL  the part of a long list with the captures until TIME, 14 digits
//	/timegate/URL         302 to the capture nearest to Accept-Datetime, the newest without it
//	/memento/TIME/URL     the archived bytes of one capture, TIME being 14 digits
//
// URL is the whole rest of the path, with its query. This package replays nothing: see package playback. If the server
// was given the address of a replay tool, mementos are there. Otherwise /memento/ sends the body as a download with an
// inactive type and a policy that lets nothing run.
package memento

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// maxMementos is how many captures a TimeMap lists: the newest ones. It links to the TimeMap of those before them.
const maxMementos = 10_000

// Handler answers for the collections of views. The captures of a URL are those of all collections. Of captures that
// answer equally well, one of the first collection is used.
type Handler struct {
	v       *view.Views
	looking chan struct{} // places of requests that look for the original of a revisit
}

// New makes a handler.
func New(v *view.Views) *Handler {
	return &Handler{v, make(chan struct{}, maxLooking)}
}

// These are the beginnings of paths.
const (
	TimeMap  = "/timemap/link/"
	TimeGate = "/timegate/"
	Memento  = "/memento/"
)

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var err error
	address := ""
	// The escaped path is used, not URL.Path: the escapes in an archived URL are part of its identity.
	switch path := r.URL.EscapedPath(); {
	case strings.HasPrefix(path, TimeMap):
		address = target(r, TimeMap)
		var until time.Time
		if stamp, rest, _ := strings.Cut(address, "/"); rest != "" {
			if t, failed := time.Parse("20060102150405", stamp); failed == nil {
				until, address = t, rest
			}
		}
		err = h.timeMap(w, r, address, until)
	case strings.HasPrefix(path, TimeGate):
		address = target(r, TimeGate)
		err = h.timeGate(w, r, address)
	case strings.HasPrefix(path, Memento):
		// The time has no slash, so the first one ends it, and all others belong to the URL.
		var stamp string
		stamp, address, _ = strings.Cut(target(r, Memento), "/")
		err = h.memento(w, r, stamp, address)
	default:
		err = &view.Error{Kind: view.NotFound, Title: "There is no such TimeMap", Remedy: "Ask for /timemap/link/URL."}
	}
	if err != nil {
		// Clients find the other services through errors too.
		if e := (*view.Error)(nil); errors.As(err, &e) && e.Kind == view.NotFound && address != "" {
			w.Header().Set("Link", services(r, address, original(address, nil)))
		}
		api.WriteError(w, err)
	}
}

// original returns the absolute URL for address, which may lack a scheme (section 2.2.1 of RFC 7089).
func original(address string, list []*schemas.Document) string {
	switch {
	case absolute().MatchString(address):
		return address
	case len(list) > 0:
		return list[len(list)-1].URL
	}
	return "http://" + strings.TrimLeft(address, "/")
}

// absolute matches the beginnings of absolute URLs. A host may have a port, so a colon alone is not enough. The
// schemes of archives that have no slashes are listed.
var absolute = pattern.Lazy(`^(?i:[a-z][a-z0-9+.-]*://|dns:|urn:|whois:|metadata:|filedesc:)`)

// services returns the beginning of a Link header: the original, and the addresses that list its captures.
func services(r *http.Request, address, original string) string {
	return strings.Join([]string{
		link(original, "original", ""),
		link(api.Base(r)+TimeGate+address, "timegate", ""),
		link(api.Base(r)+TimeMap+address, "timemap", `; type="application/link-format"`),
	}, ", ")
}

// target returns the URL in a path, unchanged. A question mark and the text after it belong to that URL.
func target(r *http.Request, prefix string) string {
	rest := strings.TrimPrefix(r.URL.EscapedPath(), prefix)
	if r.URL.RawQuery != "" {
		rest += "?" + r.URL.RawQuery
	}
	return Sent(rest)
}

// wholly matches the beginning of a URL that is escaped as a whole.
var wholly = pattern.Lazy(`^(?i:[a-z][a-z0-9+.-]*%3a%2f%2f)`)

// Sent returns the URL that the rest of a path names. Some clients escape the whole URL, others send it unchanged, and
// proxies join two slashes.
func Sent(rest string) string {
	// Only these cases are unescaped: a URL that was sent unchanged may contain its own escapes.
	if !strings.Contains(rest, "/") || wholly().MatchString(rest) {
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
	}
	for _, scheme := range []string{"http:/", "https:/"} {
		// The slash that a proxy removed is put back.
		if strings.HasPrefix(rest, scheme) && !strings.HasPrefix(rest, scheme+"/") {
			return scheme + "/" + rest[len(scheme):]
		}
	}
	return rest
}

// held is the list of captures of a URL in all collections. They are read from snapshots, which are kept until release
// is called.
type held struct {
	list  []*schemas.Document // captures that have a time, the oldest first
	older bool                // there are captures before these, which the list lacks
	of    map[*schemas.Document]*opened
	open  []*opened
	// unread is the first error of a collection that could not be read. It is the answer if no other has the URL.
	unread error
}

// opened is the snapshot of a collection.
type opened struct {
	name    string // of the collection
	now     *shelf.Snapshot
	release func()
}

func (found *held) release() {
	for _, o := range found.open {
		o.release()
	}
}

// add adds captures of a collection, without those that an earlier collection read from the same archive.
func (found *held) add(o *opened, list []*schemas.Document) {
	known := map[identity]bool{}
	for _, d := range found.list {
		known[identityOf(d)] = true
	}
	for _, d := range list {
		if !known[identityOf(d)] {
			found.list, found.of[d] = append(found.list, d), o
		}
	}
}

// identity tells a capture from all others.
type identity struct {
	url, timestamp string
	place          revisit.Place
}

func identityOf(d *schemas.Document) identity {
	return identity{d.URL, d.Timestamp, revisit.PlaceOf(d)}
}

// listColumns are the columns that a list needs; the index has all of them.
var listColumns = []string{"url", "timestamp", "status", "filename", "offset", "sequence"}

// gather reads captures from each collection that can be read, in the server's order. If read fails, it has added
// nothing.
func (h *Handler) gather(ctx context.Context, read func(*held, *opened) error) (*held, error) {
	found := &held{of: map[*schemas.Document]*opened{}}
	before := h.v.Snapshots()
	for _, name := range h.v.NamesFor(ctx) {
		err := h.readOne(ctx, name, before, found, read)
		if err != nil && view.Need(ctx, view.Viewer) != nil {
			// A user without the right to read gets this error. Otherwise the answer would be "not here", which says
			// something about the collection.
			found.release()
			return nil, err
		}
		if ctx.Err() != nil {
			found.release()
			return nil, context.Cause(ctx)
		}
		// A collection that does not exist yet has no captures. One that cannot be read now may have some.
		if e := (*view.Error)(nil); err != nil && (!errors.As(err, &e) || !e.Empty) {
			slog.Warn("captures of a URL lack a collection", "collection", name, "error", err)
			found.unread = cmp.Or(found.unread, err)
		}
	}
	return found, nil
}

// retries is how often a collection is read again after a change, for example because a task removed unused files.
const retries = 3

// readOne reads captures from a collection, again if it has changed since before.
func (h *Handler) readOne(
	ctx context.Context, name string, before []*shelf.Snapshot, found *held, read func(*held, *opened) error,
) error {
	for try := 0; ; try++ {
		now, release, err := h.v.Open(ctx, name)
		if err != nil {
			return err
		}
		o := &opened{name, now, release}
		found.open = append(found.open, o)
		err = read(found, o)
		if err == nil || ctx.Err() != nil || try == retries || !h.v.Renew(context.WithoutCancel(ctx), before) {
			return err
		}
	}
}

// forbidCaches marks an answer that lacks the captures of a collection.
func (found *held) forbidCaches(w http.ResponseWriter) {
	if found.unread != nil {
		w.Header().Set("Cache-Control", "no-store")
	}
}

// captures returns the captures of a URL that have a time. Those are read by read, from the query for all.
func (h *Handler) captures(
	ctx context.Context, address string, read func(*held, *opened, query.Query) error,
) (*held, error) {
	if address == "" {
		return nil, &view.Error{Kind: view.Invalid, Title: "No URL is named", Remedy: "Ask for /timemap/link/URL."}
	}
	// A star at the end would select all URLs with this beginning; Memento is about one resource.
	q, err := contentdb.Versions(contentdb.Exactly(address))
	if err != nil {
		return nil, &view.Error{
			Kind: view.Invalid, Title: "The URL cannot be read", Detail: err.Error(), Param: "url", Value: address,
		}
	}
	found, err := h.gather(ctx, func(found *held, o *opened) error { return read(found, o, q) })
	if err != nil {
		return nil, err
	}
	if len(found.list) > 0 {
		// The caller releases the snapshots, since it still reads from them.
		return found, nil
	}
	found.release()
	if found.unread != nil {
		return nil, found.unread
	}
	return nil, &view.Error{
		Kind: view.NotFound, Title: "No capture of this URL", Detail: "No collection has a dated capture of it.",
	}
}

// read reads the newest captures of a collection, up to the end of a second unless it is zero.
func (found *held) read(ctx context.Context, o *opened, q query.Query, until time.Time) error {
	if !until.IsZero() {
		e, err := query.NewCompare("timestamp", query.LessEqual, clamp(until).Add(time.Second-1).Format(time.RFC3339Nano))
		if err != nil {
			return err
		}
		q.Where = &query.And{List: []query.Expr{q.Where, e}}
	}
	// The newest come first. The limit cuts off the end of the list, so it drops the oldest captures.
	q.Order, q.Limit = query.Newest, maxMementos+1
	var list []*schemas.Document
	for d, err := range o.now.DB.Find(ctx, q, listColumns) {
		if err != nil {
			return err
		}
		// A memento is the state at a time, so a capture without a time cannot be one.
		if _, ok := query.ParseTime(d.Timestamp); ok {
			list = append(list, d)
		}
	}
	// The list was read with the newest first. Captures of other collections are before and after its own.
	slices.Reverse(list)
	found.add(o, list)
	slices.SortStableFunc(found.list, func(a, b *schemas.Document) int { return timeOf(a).Compare(timeOf(b)) })
	if over := len(found.list) - maxMementos; over > 0 {
		found.list, found.older = found.list[over:], true
	}
	return nil
}

// clamp moves a time to the years that captures may have. Differences of years beyond these cannot be compared.
func clamp(t time.Time) time.Time {
	const first, last = 1900, 2100
	if t.Year() < first {
		return time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if t.Year() > last {
		return time.Date(last, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t
}

// near returns the capture of a URL nearest to a time: its index in a list of the first, this one and the last.
func (h *Handler) near(ctx context.Context, address string, at time.Time) (found *held, best int, err error) {
	times := []time.Time{clamp(time.Time{}), clamp(at), clamp(time.Unix(1<<40, 0))}
	around := make([][]*schemas.Document, len(times)) // those near to each time
	found, err = h.captures(ctx, address, func(found *held, o *opened, _ query.Query) error {
		var lists [][]*schemas.Document
		for i, t := range times {
			most := 1
			if i == 1 {
				most = maxNear
			}
			list, err := o.now.DB.Near(ctx, address, t, most, listColumns)
			if err != nil {
				return err
			}
			lists = append(lists, list)
		}
		for i, list := range lists {
			for _, d := range list {
				found.of[d] = o
			}
			found.list = append(found.list, list...)
			around[i] = append(around[i], list...)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	var nearby []*schemas.Document
	for i, t := range times {
		contentdb.SortNear(around[i], t, address)
		nearby = append(nearby, around[i][0])
	}
	for _, i := range []int{0, 2} {
		// Captures with one address are the same memento.
		if sameMemento(nearby[i], nearby[1]) {
			nearby[i] = nearby[1]
		}
	}
	if nearby[0] != nearby[1] {
		best = 1
	}
	found.list = slices.Compact(nearby)
	return found, best, nil
}

// sameMemento reports whether two captures have the same address.
func sameMemento(a, b *schemas.Document) bool {
	return a.URL == b.URL && timeOf(a).Unix() == timeOf(b).Unix()
}

func timeOf(d *schemas.Document) time.Time {
	t, _ := query.ParseTime(d.Timestamp) // captures returns only captures with a time
	return t.UTC()
}

// address returns the address of a capture.
func (h *Handler) address(r *http.Request, d *schemas.Document) string {
	stamp := timeOf(d).Format("20060102150405")
	if replay := h.v.Replay(); replay != "" {
		// The template is replaced in one pass, so that a URL that contains {timestamp} is not replaced again.
		return strings.NewReplacer("{timestamp}", stamp, "{url}", d.URL).Replace(replay)
	}
	return api.Base(r) + Memento + stamp + "/" + d.URL
}

// link writes an entry of a list of links (RFC 8288), whose addresses are ASCII.
func link(address, rel, more string) string {
	return fmt.Sprintf(`<%s>; rel="%s"%s`, escaped(address), rel, more)
}

// timeMap lists the captures (section 5 of RFC 7089), up to a time unless it is zero. A long list has several parts
// (section 5.1.1): each links to the one with older captures.
func (h *Handler) timeMap(w http.ResponseWriter, r *http.Request, address string, until time.Time) error {
	found, err := h.captures(r.Context(), address, func(f *held, o *opened, q query.Query) error {
		return f.read(r.Context(), o, q, until)
	})
	if err != nil {
		return err
	}
	defer found.release()
	found.forbidCaches(w)
	list := found.list
	// captures never returns an empty list without an error, so the first and last exist.
	first, last := timeOf(list[0]), timeOf(list[len(list)-1])
	span := fmt.Sprintf(`; type="application/link-format"; from="%s"; until="%s"`, first.Format(http.TimeFormat),
		last.Format(http.TimeFormat))
	part := func(t time.Time) string { return api.Base(r) + TimeMap + t.Format("20060102150405/") + address }
	self, before, after := api.Base(r)+TimeMap+address, 0, 0
	if !until.IsZero() {
		self, after = part(until), 1
	}
	lines := []string{
		link(original(address, list), "original", ""),
		link(self, "self", span),
		link(api.Base(r)+TimeGate+address, "timegate", ""),
	}
	if found.older {
		before = 1
		// Parts share a second, since the limit may be within it. A second that fills a part is left out of the next.
		next := first.Truncate(time.Second)
		if next.Equal(last.Truncate(time.Second)) {
			next = next.Add(-time.Second)
		}
		lines = append(lines, link(part(next), "timemap", fmt.Sprintf(`; type="application/link-format"; until="%s"`,
			next.Format(http.TimeFormat))))
	}
	for i, d := range list {
		lines = append(lines, link(h.address(r, d), relOf(i+before, len(list)+before+after), `; datetime=`+
			`"`+timeOf(d).Format(http.TimeFormat)+`"`))
	}
	w.Header().Set("Content-Type", "application/link-format")
	_, err = fmt.Fprint(w, strings.Join(lines, ",\n")+"\n")
	return err
}

// relOf returns the relation of capture i of n.
func relOf(i, n int) string {
	switch {
	// A single capture is both first and last; relations may be combined.
	case n == 1:
		return "first last memento"
	case i == 0:
		return "first memento"
	case i == n-1:
		return "last memento"
	}
	return "memento"
}

// timeGate redirects to the capture nearest to a time (section 4.1.1 of RFC 7089).
func (h *Handler) timeGate(w http.ResponseWriter, r *http.Request, address string) error {
	// It is set before anything can fail, so that errors have it too (section 2.1.2). A cache must not answer for one
	// time with the answer for another.
	w.Header().Set("Vary", "accept-datetime")
	// Without the header the newest is chosen, which is the nearest to now.
	at := time.Now()
	if text := r.Header.Get("Accept-Datetime"); text != "" {
		t, err := http.ParseTime(text)
		if err != nil {
			return &view.Error{
				Kind: view.Invalid, Title: "Accept-Datetime cannot be read", Detail: "It takes Tue, 11 Sep 2001 20:35:00 GMT.",
			}
		}
		at = t
	}
	found, best, err := h.near(r.Context(), address, at)
	if err != nil {
		return err
	}
	defer found.release()
	found.forbidCaches(w)
	list := found.list
	w.Header().Set("Link", h.links(r, address, list, best))
	w.Header().Set("Location", escaped(h.address(r, list[best])))
	// It is 302 and not 301, since each new capture may change the nearest one.
	w.WriteHeader(http.StatusFound)
	return nil
}

// escaped returns a URL that may be written in a header or a list of links.
func escaped(address string) string {
	var b strings.Builder
	for _, c := range []byte(urlkey.Path(address)) {
		// A line break would begin another header; quotes and angle brackets end the address in Link. The percent sign
		// of an escape stays, so that it is not escaped again.
		if c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// links returns the Link header of a TimeGate or a memento.
func (h *Handler) links(r *http.Request, address string, list []*schemas.Document, at int) string {
	parts := []string{services(r, address, original(address, list))}
	known := map[int]bool{}
	// These are the first, this one and the last. A capture that is several of these is named once.
	for _, i := range []int{0, at, len(list) - 1} {
		if !known[i] {
			known[i] = true
			date := `; datetime="` + timeOf(list[i]).Format(http.TimeFormat) + `"`
			parts = append(parts, link(h.address(r, list[i]), relOf(i, len(list)), date))
		}
	}
	return strings.Join(parts, ", ")
}

// memento sends the body of a capture as a download.
func (h *Handler) memento(w http.ResponseWriter, r *http.Request, stamp, address string) error {
	t, err := time.Parse("20060102150405", stamp)
	if err != nil {
		return &view.Error{Kind: view.Invalid, Title: "The time cannot be read", Detail: "It takes 14 digits: " +
			"/memento/20240131120000/URL."}
	}
	found, at, err := h.near(r.Context(), address, t)
	if err != nil {
		return err
	}
	defer found.release()
	found.forbidCaches(w)
	list := found.list
	// Times in archives may have fractions; 14 digits have none.
	if !timeOf(list[at]).Truncate(time.Second).Equal(t) {
		return &view.Error{Kind: view.NotFound, Title: "There is no capture of this moment", Remedy: "Ask for /timegate/URL."}
	}
	d := list[at]
	c, err := h.capture(r.Context(), found.of[d], d)
	if e := (*view.Error)(nil); errors.As(err, &e) {
		return err
	}
	if err != nil {
		return &view.Error{
			Kind: view.NotFound, Title: "The archive cannot be read", Detail: err.Error(), Remedy: "Start the server with " +
				"--archives=FOLDER.",
		}
	}
	head := w.Header()
	head.Set("Memento-Datetime", timeOf(d).Format(http.TimeFormat))
	head.Set("Link", h.links(r, address, list, at))
	archived(head, c)
	// The type is never an active one, and the body is never shown, so archived code does not run here.
	head.Set("Content-Type", "application/octet-stream")
	head.Set("Content-Disposition", "attachment; filename=capture.bin")
	head.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	if r.Method == http.MethodHead {
		return nil
	}
	_, _ = w.Write(c.Body) // the client has left
	return nil
}
