package server

import (
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// compressed compresses what is text, for callers that take it.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A HEAD has no body; compressing none would set a header that a GET does not have.
		if !takesGzip(r) || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		g := &gzipped{ResponseWriter: w}
		// Not closed when the handler panics: the end of a gzip stream says that it is whole.
		defer g.back()
		next.ServeHTTP(g, r)
		g.close()
	})
}

// takesGzip reads Accept-Encoding (RFC 9110, section 12.5.3) as far as gzip goes.
func takesGzip(r *http.Request) bool {
	for one := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(one, ";")
		if name = strings.TrimSpace(name); name == "gzip" || name == "*" {
			// Weights other than zero only rank codings, and we have one.
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

// gzippers are writers that are used again: each has about a megabyte of memory.
var gzippers = sync.Pool{New: func() any {
	// The fastest level: text shrinks by most of what it can, and the server's time is shared.
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is one
	return z
}}

// gzipped decides with the first bytes whether an answer is compressed.
type gzipped struct {
	http.ResponseWriter
	decided bool
	z       *gzip.Writer
}

func (g *gzipped) WriteHeader(status int) {
	// The first call decides: a handler that has written can change nothing. What only informs decides
	// nothing (RFC 9110, section 15.2).
	if !g.decided && status >= http.StatusOK {
		g.decided = true
		// Only text, and only what no handler has encoded. Archives and exports of records are
		// compressed already.
		h := g.Header()
		// Of a part the bytes are counted, so they stay what they are.
		if status != http.StatusNoContent && status != http.StatusNotModified && status != http.StatusPartialContent &&
			isText(h.Get("Content-Type")) && h.Get("Content-Encoding") == "" {
			h.Set("Content-Encoding", "gzip")
			h.Add("Vary", "Accept-Encoding")
			// It was the length before compressing.
			h.Del("Content-Length")
			g.z = gzippers.Get().(*gzip.Writer)
			g.z.Reset(g.ResponseWriter)
		}
	}
	g.ResponseWriter.WriteHeader(status)
}

func (g *gzipped) Write(p []byte) (int, error) {
	// A Write without WriteHeader is a 200, as in net/http.
	if !g.decided {
		g.WriteHeader(http.StatusOK)
	}
	if g.z != nil {
		return g.z.Write(p)
	}
	return g.ResponseWriter.Write(p)
}

// FlushError sends what there is, as of a long file.
func (g *gzipped) FlushError() error {
	// The head goes out with it, and has to say how what follows is coded.
	if !g.decided {
		g.WriteHeader(http.StatusOK)
	}
	if g.z != nil {
		if err := g.z.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(g.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (g *gzipped) Unwrap() http.ResponseWriter { return g.ResponseWriter }

// close ends an answer that is whole.
func (g *gzipped) close() {
	if g.z != nil {
		_ = g.z.Close() // who asked is gone
	}
}

// back gives the writer back, whether the answer was ended or broken off: Reset makes it new.
func (g *gzipped) back() {
	if g.z != nil {
		gzippers.Put(g.z)
	}
}

// isText reports whether a media type is worth compressing.
func isText(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "xml") ||
		strings.HasSuffix(media, "javascript") || media == "application/jsonl" || media == "application/link-format"
}
