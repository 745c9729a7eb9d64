package sitetest

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Request is a line of the log.
type Request struct {
	Time    time.Time // by the web's clock
	Host    string
	Path    string
	Agent   string
	Match   string // If-None-Match
	Status  int    // of the answer; 0 if it was truncated
	Tag     string // the answer's ETag
	Retry   time.Time
	Fresh   time.Time // end of the answer's freshness
	To      string    // target of a redirect
	Delay   time.Duration
	Overlap bool // another request to the host was under way
	Denied  bool // robots.txt forbids it
}

// recorder notes the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the first status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Write notes status 200 if there was none.
func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// ServeHTTP answers as the site in the Host header, or as the clock: see Remote.
func (w *Web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if host == clockHost {
		w.serveClock(out, r)
		return
	}
	w.mu.Lock()
	s := w.sites[host]
	// A crawler that asks for another name has followed a link out of the test.
	if s == nil {
		w.mu.Unlock()
		http.Error(out, "no such site", http.StatusMisdirectedRequest)
		return
	}
	e := Request{
		// Habits use this time, because the clock may advance during the answer.
		Time: w.now, Host: host, Path: r.URL.Path, Agent: r.UserAgent(), Match: r.Header.Get("If-None-Match"),
		Overlap: s.busy > 0, Denied: s.forbids(r.URL.Path),
	}
	// Counted under the lock before the answer begins, so that the host's next request sees it.
	s.busy++
	day := int(w.now.Sub(w.start) / (24 * time.Hour))
	stalls := s.stalls(e)
	w.mu.Unlock()
	if stalls {
		// Noted at once: the web's clock may advance much before this process sees that the client has gone.
		w.note(s, e, &recorder{ResponseWriter: out}, true)
		select {
		case <-r.Context().Done():
		// In real time, as clients' time-outs. The limit ends a test whose crawler has no time-out.
		case <-time.After(10 * Patience):
		}
		panic(http.ErrAbortHandler)
	}
	rec := &recorder{ResponseWriter: out}
	defer func() {
		// A truncated answer panics, but must be noted.
		cause := recover()
		w.note(s, e, rec, cause != nil)
		if cause != nil {
			panic(cause) // net/http drops the connection
		}
	}()
	w.answer(rec, r, s, &e, day)
}

func (w *Web) answer(out http.ResponseWriter, r *http.Request, s *site, e *Request, day int) {
	out.Header().Set("Date", e.Time.UTC().Format(http.TimeFormat)) // the default is this machine's time
	if r.URL.Path == "/robots.txt" {
		s.robots(out)
		return
	}
	if s.answer(out, r, e, day) {
		return
	}
	// Items that are published later have no page yet.
	last, _ := slices.BinarySearchFunc(s.Times, e.Time, time.Time.Compare)
	switch n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/")); {
	case r.URL.Path == "/feed.xml":
		w.feed(out, r, s, e, last)
	case err == nil && n >= 0 && n < last:
		page(out, s, n)
	default:
		s.fail(out, http.StatusNotFound)
	}
}

// note logs a request after its answer, even if the crawler was killed.
func (w *Web) note(s *site, e Request, rec *recorder, cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.busy--
	e.Status, e.Tag, e.To = rec.status, rec.Header().Get("ETag"), rec.Header().Get("Location")
	if cut {
		e.Status = 0
	}
	if s.Habit == Fenced {
		// As in its robots.txt: see robots.
		e.Delay = 10 * time.Second
	}
	w.log = append(w.log, e)
	w.wake()
}

// feed writes the current window of items and notes which were shown.
func (w *Web) feed(out http.ResponseWriter, r *http.Request, s *site, e *Request, last int) {
	// A feed changes only with its number of items, so that is the tag, with quotes as in section 8.8.3 of RFC 9110.
	tag := fmt.Sprintf("%q", strconv.Itoa(last))
	first := max(0, last-s.Window)
	w.mu.Lock()
	if !s.visited {
		// Items before the first answer cannot be missed.
		s.visited, s.first, s.shown = true, last, last
	}
	// Counted when the answer is made: failures never come here.
	s.lost += max(0, first-s.shown)
	s.shown = last
	w.mu.Unlock()
	switch s.Habit {
	case Tagged:
		out.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			out.WriteHeader(http.StatusNotModified)
			return
		}
	case Cached:
		out.Header().Set("Cache-Control", "max-age=900")
		e.Fresh = e.Time.Add(15 * time.Minute)
	}
	out.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprintf(out, "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>%s</title><link>http://%s/</link>\n",
		s.Host, s.Host)
	// Newest first, as in feeds.
	for n := last - 1; n >= first; n-- {
		fmt.Fprintf(out, "<item><title>%s</title><link>http://%s/%d</link><pubDate>%s</pubDate></item>\n",
			title(s.Host, n), s.Host, n, s.Times[n].UTC().Format(time.RFC1123Z))
	}
	fmt.Fprint(out, "</channel></rss>\n")
}

// page writes an item's page with a unique text.
func page(out http.ResponseWriter, s *site, n int) {
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(out, "<!DOCTYPE html><html lang=\"en\"><head><title>%s</title></head><body><article><h1>%s</h1>\n",
		title(s.Host, n), title(s.Host, n))
	// Six different sentences make the text long enough for a page and unlike the others.
	for i := range 6 {
		fmt.Fprintf(out, "<p>In the morning the %s of %s met the %s near the old bridge, and they spoke about the %s for "+
			"an hour before anybody else came along.</p>\n", word(n+i), place(n), word(n*7+i), word(n*3+i*5))
	}
	fmt.Fprint(out, "</article></body></html>\n")
}

func title(host string, n int) string {
	return fmt.Sprintf("The %s and the %s of %s, part %d of %s", word(n), word(n*5+2), place(n), n, host)
}

var (
	words = strings.Fields("miller river council library garden engine harvest letter teacher market winter orchestra " +
		"ferry kitchen mountain doctor railway painter festival hospital captain museum forest baker")
	places = strings.Fields("Verona Lisbon Ghent Tartu Utrecht Porto Graz Turku Malmo Cork Lille Bergen")
)

func word(n int) string  { return words[n%len(words)] }
func place(n int) string { return places[n%len(places)] }
