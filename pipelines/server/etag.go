package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// unchanging are the resources that stay the same until a run has finished or the index has grown.
var unchanging = []string{
	"/api/v1/overview", "/api/v1/search", "/api/v1/facets", "/api/v1/resources", "/api/v1/hosts", "/api/v1/runs",
	"/api/v1/archives",
	"/api/v1/export", "/api/v1/record", "/api/v1/text", "/api/v1/entities",
}

// unchanged answers 304 (RFC 9110, section 15.4.5) to clients that have the current answer. The tag is made from the
// collection's version and the request, so it needs no query. It is weak, since an answer contains the time that it
// took.
func unchanged(v *view.Views, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An empty tag means that the answer may differ the next time.
		tag := tagOf(v, r)
		if tag == "" {
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "private, no-cache") // kept, and checked each time
		// Answers depend on the user and on the accepted encodings; caches must not mix them.
		w.Header().Set("Vary", "Accept-Encoding, Authorization, Cookie")
		if matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		// The status is not known yet; errors lose the tag in onlyGood.
		next.ServeHTTP(&onlyGood{ResponseWriter: w}, r)
	})
}

func tagOf(v *view.Views, r *http.Request) string {
	// A request that changes something has no tag. A request without a user has none either, since it is refused.
	if r.Method != http.MethodGet && r.Method != http.MethodHead || view.ActorOf(r.Context()).Role < view.Viewer {
		return ""
	}
	// This includes paths below it: /api/v1/hosts/example.org.
	is := func(p string) bool { return r.URL.Path == p || strings.HasPrefix(r.URL.Path, p+"/") }
	if !slices.ContainsFunc(unchanging, is) {
		return ""
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return ""
	}
	// Without a collection, nothing can be unchanged.
	version := v.Version(r.Context(), values.Get("collection"))
	if version == "" {
		return ""
	}
	// The address with its parameters is part of the tag: each has an answer of its own. 96 bits are enough for that.
	// So is the program's version: another may answer differently.
	sum := sha256.Sum256([]byte(cli.Release + "\x00" + version + "\x00" + r.URL.RequestURI()))
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// matches is the weak comparison of If-None-Match (RFC 9110, section 13.1.2).
func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		// A tag without W/ is compared as a weak one; "*" matches everything.
		if one = strings.TrimSpace(one); one == tag || one == "*" || "W/"+one == tag {
			return true
		}
	}
	return false
}

// onlyGood removes the tag from errors, since they may be gone the next time.
type onlyGood struct{ http.ResponseWriter }

func (g *onlyGood) WriteHeader(status int) {
	if status != http.StatusOK {
		// This is set again: an error must not be cached, even if that was allowed before.
		g.Header().Del("ETag")
		g.Header().Set("Cache-Control", "no-store")
	}
	g.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (g *onlyGood) Unwrap() http.ResponseWriter { return g.ResponseWriter }
