package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Path is the path of the protocol on a server.
const Path = "/mcp"

// maxBody bounds a request, in bytes. Statements of SQL are the longest.
const maxBody = 256 << 10

// Handler answers by HTTP ("streamable HTTP"). Each request stands alone: it has the user that package server has
// found, and no session that another user could take over. Function base returns the server's origin, for links.
func (s *Server) Handler(base func(*http.Request) string) http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody,
		// Package server checks Host and Origin, and knows the names of the server.
		DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "The request is too large.", http.StatusRequestEntityTooLarge)
			return
		}
		// Old versions of the protocol have batches. One could ask a thousand questions as one request.
		if _, refused := readMessage(body); r.Method == http.MethodPost && refused != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(refused) // the client has left
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		ctx := context.WithValue(r.Context(), requestKey{}, &asked{by: r.Context(), base: base(r)})
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// asked is the HTTP request of a call.
type asked struct {
	by   context.Context // ends when the client leaves
	base string
}

type requestKey struct{}

// bound returns a context that ends with the client's request, too.
func (s *Server) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	a, is := ctx.Value(requestKey{}).(*asked)
	if !is {
		return ctx, cancel
	}
	stop := context.AfterFunc(a.by, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// link returns a path of the server as a link, or "" if there is no server of pages.
func link(ctx context.Context, path string) string {
	a, is := ctx.Value(requestKey{}).(*asked)
	if !is || path == "" {
		return ""
	}
	return a.base + path
}

// citation returns where a capture is.
func (s *Server) citation(ctx context.Context, collection string, c *view.Capture) Citation {
	replay := s.views.ReplayLink(c.URL, c.Timestamp)
	if len(replay) > 0 && replay[0] == '/' {
		replay = link(ctx, replay)
	}
	cite := Citation{
		Captured: c.Timestamp, Archive: c.Filename, Offset: c.Offset, Length: c.Length, Page: link(ctx, c.Link),
		Replay: visibleLink(replay),
	}
	if collection != "" {
		cite.Resource = resourceURI(collection, c.URL, c.Timestamp)
	}
	return cite
}
