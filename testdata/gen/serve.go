package main

import (
	"bytes"
	"net/http"
	"time"
)

// serve serves the first site for a crawler: what is legacy in the pages and in their headers stays, the content
// codings are left out, and the listing goes out chunked.
func serve(addr string) error {
	s, err := newSite()
	if err != nil {
		return err
	}
	mux, err := s.handler()
	if err != nil {
		return err
	}
	server := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}

func (s *site) handler() (http.Handler, error) {
	missing, err := s.get(gazette, "/not-found.html")
	if err != nil {
		return nil, err
	}
	pages := map[string]page{"/notices/missing.html": missing}
	for _, p := range s.pages {
		if p.host == gazette {
			pages[p.path] = p
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := pages[r.URL.Path]
		switch {
		case r.URL.Path == moved.path:
			http.Redirect(w, r, "/2023/05/swing-bridge-reopens.html", http.StatusMovedPermanently)
		case !ok:
			w.Header().Set("Content-Type", gone.mime)
			w.WriteHeader(http.StatusNotFound)
			send(w, gone.body)
		default:
			w.Header().Set("Content-Type", p.mime)
			if p.path == "/back-numbers.html" {
				send(w, p.body[:1000])
				w.(http.Flusher).Flush()
				send(w, p.body[1000:])
				return
			}
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.body))
		}
	}), nil
}

// send writes a body; a client that went away is not an error of the server's.
func send(w http.ResponseWriter, body []byte) { _, _ = w.Write(body) }
