package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// newID returns an identifier to find an error in a log. Four bytes are easy to read out.
func newID() string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// exportMedia are the media types of exports.
var exportMedia = []string{
	// The description of the resource lists these; Content-Type names the actual one.
	"application/jsonl", "text/csv", "application/vnd.apache.parquet", "application/warc", "application/wacz",
	"text/plain",
	"application/octet-stream",
}

// files adds the resources that are files.
func files(a huma.API, v *view.Views) {
	file(a, "/export", "export", "All captures that a query finds, as a file",
		exportMedia, v.Export)
	file(a, "/notebook", "notebook", "A notebook for the Parquet file of a search",
		[]string{"application/x-ipynb+json"}, v.Notebook)
	file(a, "/sql/rows", "sql-rows", "All rows of a statement of SQLite, as a file",
		[]string{"text/csv", "application/jsonl", "application/vnd.apache.parquet"}, v.SQLFile)
	file(a, "/graph/file", "graphFile", "The graph of hosts of the captures that a query finds, as a file",
		[]string{"application/gexf+xml", "application/graphml+xml", "text/csv"}, v.GraphFile)
	file(a, "/feeds", "feeds", "All sources that fit, as a file: JSON lines, a table or OPML",
		[]string{"application/jsonl", "text/csv", "text/x-opml"}, v.Feeds)
	file(a, "/record", "record", "The record of one capture, cut out of its archive",
		[]string{"application/warc"}, v.Record)
	file(a, "/text", "text", "The text of one capture", []string{"text/plain"}, asFile(v.Text))
}

// asFile makes a file from a text.
func asFile(
	text func(context.Context, view.PlaceRequest) (string, error),
) func(context.Context, view.PlaceRequest) (*view.Export, error) {
	return func(ctx context.Context, r view.PlaceRequest) (*view.Export, error) {
		s, err := text(ctx, r)
		if err != nil {
			return nil, err
		}
		return &view.Export{
			// The text is in memory already, so there is nothing to close.
			Name: "text.txt", Type: "text/plain; charset=utf-8", Close: func() {},
			Write: func(_ context.Context, out io.Writer) (bool, error) {
				_, err := io.WriteString(out, s)
				return false, err
			},
		}, nil
	}
}

// file adds a resource that is a file. It is sent while it is written. An error in between ends the connection, so
// that nobody takes the part for the whole.
func file[I any](
	a huma.API, path, id, summary string, types []string, open func(context.Context, I) (*view.Export, error),
) {
	// It is described by hand, since huma does not know streamed bodies.
	op := operation(http.MethodGet, path, id, summary)
	content := map[string]*huma.MediaType{}
	for _, t := range types {
		kind := "string"
		if strings.HasSuffix(t, "+json") {
			kind = "object" // clients read it as JSON
		}
		content[t] = &huma.MediaType{Schema: &huma.Schema{Type: kind}}
	}
	op.Responses = map[string]*huma.Response{"200": {
		Description: "the file; the trailer Gleaner-Missing: true says that records could not be had", Content: content,
	}}
	huma.Register(a, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		// Errors are returned as problems as long as nothing was sent.
		e, err := open(ctx, *in)
		if err != nil {
			return nil, problem(err)
		}
		// huma calls the function once headers may be sent.
		return &huma.StreamResponse{Body: func(h huma.Context) { send(ctx, h, e) }}, nil
	})
}

// trailer reports, after a file, that parts of it are missing.
const trailer = "Gleaner-Missing"

func send(ctx context.Context, h huma.Context, e *view.Export) {
	// The snapshot is released in any case.
	defer e.Close()
	h.SetHeader("Content-Type", e.Type)
	// It is always an attachment: browsers must not show archived bytes as a page of this server.
	h.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": e.Name}))
	// It is made while it is sent, so range requests are not possible (RFC 9110, section 14.3).
	h.SetHeader("Accept-Ranges", "none")
	// The trailer is announced before the body, as RFC 9110, section 6.6.2, requires.
	h.SetHeader("Trailer", trailer)
	missing, err := e.Write(ctx, h.BodyWriter())
	if err != nil {
		// The client has left, which is not a failure of the server.
		if ctx.Err() == nil {
			slog.Warn("a file ended early", "name", e.Name, "error", err)
		}
		// net/http ends the connection without the last chunk, so that clients see that the file is incomplete.
		panic(http.ErrAbortHandler)
	}
	if missing {
		// After the body this is sent as a trailer.
		h.SetHeader(trailer, "true")
	}
}
