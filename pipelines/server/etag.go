package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// unchanging are the resources that are the same until a run has finished, or the index has grown.
var unchanging = []string{
	"/api/v1/overview", "/api/v1/search", "/api/v1/facets", "/api/v1/resources", "/api/v1/hosts", "/api/v1/runs",
	"/api/v1/export", "/api/v1/record", "/api/v1/text", "/api/v1/entities",
}

// unchanged answers 304 (RFC 9110, section 15.4.5) to who has what there is. The tag is made of the collection's
// version and the request, so that nothing need be asked for it. It is weak: the time that an answer took is in it.
func unchanged(v *view.Views, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tag := tagOf(v, r)
		if tag == "" {
			// What has no version may change at any moment or is about a person: nothing is to keep
			// it. Assets set their own header after this one.
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "private, no-cache") // kept, and asked for each time
		// Whoever has logged out, or in as another, is not to get what the browser kept of before.
		w.Header().Set("Vary", "Accept-Encoding, Authorization, Cookie")
		if matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		next.ServeHTTP(&onlyGood{ResponseWriter: w}, r)
	})
}

func tagOf(v *view.Views, r *http.Request) string {
	// Without the right to read there is no tag either: a 304 would tell that nothing has changed.
	if r.Method != http.MethodGet && r.Method != http.MethodHead || view.ActorOf(r.Context()).Role < view.Viewer {
		return ""
	}
	is := func(p string) bool { return r.URL.Path == p || strings.HasPrefix(r.URL.Path, p+"/") }
	if !slices.ContainsFunc(unchanging, is) {
		return ""
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	// A query that cannot be read is answered by an error, which has no version.
	if err != nil {
		return ""
	}
	version := v.Version(values.Get("collection"))
	if version == "" {
		return ""
	}
	// The zero byte keeps the two apart, as no request line holds one. 96 bits are
	// plenty for requests of one client.
	sum := sha256.Sum256([]byte(version + "\x00" + r.URL.RequestURI()))
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// matches is the comparison of If-None-Match (RFC 9110, section 13.1.2), which is weak.
func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		// The comparison is weak: W/ at the beginning counts for nothing.
		if one = strings.TrimSpace(one); one == tag || one == "*" || "W/"+one == tag {
			return true
		}
	}
	return false
}

// onlyGood takes the tag away from errors: they may be gone the next time.
type onlyGood struct{ http.ResponseWriter }

func (g *onlyGood) WriteHeader(status int) {
	if status != http.StatusOK {
		g.Header().Del("ETag")
		g.Header().Set("Cache-Control", "no-store")
	}
	g.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (g *onlyGood) Unwrap() http.ResponseWriter { return g.ResponseWriter }
