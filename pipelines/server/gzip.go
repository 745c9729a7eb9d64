package server

import (
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// compressed compresses text for clients that accept it.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A HEAD has no body. Compression would set a header that a GET does not have.
		if !takesGzip(r) || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		g := &gzipped{ResponseWriter: w}
		// It is not closed if the handler panics: the end of a gzip stream means that the stream is complete.
		defer g.back()
		next.ServeHTTP(g, r)
		g.close()
	})
}

// takesGzip reports whether Accept-Encoding (RFC 9110, section 12.5.3) allows gzip.
func takesGzip(r *http.Request) bool {
	for one := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(one, ";")
		if name = strings.TrimSpace(name); name == "gzip" || name == "*" {
			// Weights other than zero only rank encodings, and we offer just one.
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

// gzippers are reused writers: each takes about a megabyte of memory.
var gzippers = sync.Pool{New: func() any {
	// The fastest level is used: it removes most of what can be removed from text, and other requests need the
	// processor too.
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is valid
	return z
}}

// gzipped decides by the first bytes whether an answer is compressed.
type gzipped struct {
	http.ResponseWriter
	decided bool
	z       *gzip.Writer
}

func (g *gzipped) WriteHeader(status int) {
	// The first call decides, since a handler cannot change the header after writing. Informational statuses decide
	// nothing (RFC 9110, section 15.2).
	if !g.decided && status >= http.StatusOK {
		g.decided = true
		// Only text is compressed, and only if no handler has encoded it. Archives and exports of records are already
		// compressed.
		h := g.Header()
		// The bytes of a partial answer are numbered, so they must stay the same.
		if status != http.StatusNoContent && status != http.StatusNotModified && status != http.StatusPartialContent &&
			isText(h.Get("Content-Type")) && h.Get("Content-Encoding") == "" {
			h.Set("Content-Encoding", "gzip")
			h.Add("Vary", "Accept-Encoding")
			// This was the length before compression.
			h.Del("Content-Length")
			g.z = gzippers.Get().(*gzip.Writer)
			g.z.Reset(g.ResponseWriter)
		}
	}
	g.ResponseWriter.WriteHeader(status)
}

func (g *gzipped) Write(p []byte) (int, error) {
	// A Write without WriteHeader means 200, as in net/http.
	if !g.decided {
		g.WriteHeader(http.StatusOK)
	}
	if g.z != nil {
		return g.z.Write(p)
	}
	return g.ResponseWriter.Write(p)
}

// FlushError sends the data written so far, for example of a long file.
func (g *gzipped) FlushError() error {
	// This sends the header too, which must contain the encoding of the rest.
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

// close ends a complete answer.
func (g *gzipped) close() {
	if g.z != nil {
		_ = g.z.Close() // the client has left
	}
}

// back returns the writer to the pool, whether the answer was completed or not: Reset makes it new.
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
