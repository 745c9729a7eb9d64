package mcp_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// capture is a page of the tests. body is its HTML; without it the text alone.
type capture struct {
	url, date, title, text, body, linksTo string
	declared, detected                    string // media types; "" for HTML in UTF-8
}

// harbour is a page that changed twice, pages about it, and a page that links to it.
var harbour = []capture{
	{
		url: "http://board.example/ferry", date: "2020-03-01T08:00:00Z", title: "Ferry timetable",
		text: "The ferry leaves at six.\nTickets cost two crowns.\nDogs travel free.",
	},
	{
		url: "http://board.example/ferry", date: "2020-05-02T08:00:00Z", title: "Ferry timetable",
		text: "The ferry leaves at seven.\nTickets cost two crowns.\nMasks are needed on board.",
	},
	{
		url: "http://board.example/ferry", date: "2021-01-02T08:00:00Z", title: "Ferry timetable",
		text: "The ferry leaves at seven.\nTickets cost three crowns.\nMasks are needed on board.",
	},
	{
		url: "http://clinic.example/news/masks", date: "2020-04-11T09:30:00Z", title: "Masks in the clinic",
		text:    "The clinic asks all visitors to wear masks. Visitors without a mask are turned away at the door.",
		linksTo: "http://board.example/ferry",
	},
	{
		url: "http://paper.example/2020/05/masks", date: "2020-05-20T07:00:00Z", title: "Masks sold out",
		text:    "Shops of the town have sold out of masks, says the chemist. The clinic sews its own.",
		linksTo: "http://board.example/ferry",
	},
	{
		url: "http://paper.example/2022/masks", date: "2022-05-20T07:00:00Z", title: "Masks in a museum",
		text: "The museum shows masks of the carnival.",
	},
}

// deposit writes an archive of captures and a collection of it. It returns the collection's folder.
func deposit(tb testing.TB, name string, list []capture) string {
	tb.Helper()
	dir := tb.TempDir()
	var archive strings.Builder
	var docs []*schemas.Document
	var links [][]schemas.Link
	for i, c := range list {
		body := c.body
		if body == "" {
			body = "<title>" + c.title + "</title><p>" + strings.ReplaceAll(c.text, "\n", "<p>")
		}
		block := "HTTP/1.1 200 OK\r\nContent-Type: " + cmp.Or(c.declared, "text/html; charset=utf-8") + "\r\n\r\n" + body
		d := &schemas.Document{
			URL: c.url, SURT: urlkey.SURT(c.url), Timestamp: c.date, Filename: name + ".warc", Offset: int64(archive.Len()),
			MIMEDeclared: mimetype.Base(cmp.Or(c.declared, "text/html")), Status: 200,
			RecordType: schemas.TypeResponse, MIMEDetected: cmp.Or(c.detected, "text/html"), Language: "en", Title: c.title,
			Text: c.text, BodyBytes: int64(len(body)), RecordID: fmt.Sprintf("urn:x:%s:%d", name, i),
			Digest: fmt.Sprintf("sha1:%032d", i), PageType: "article",
		}
		d.Host, d.Domain = urlkey.Site(c.url)
		fmt.Fprintf(&archive, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n"+
			"WARC-Record-ID: <%s>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			c.url, c.date, d.RecordID, len(block), block)
		d.Length = int64(archive.Len()) - d.Offset
		docs = append(docs, d)
		if c.linksTo != "" {
			l := schemas.Link{
				SURT: d.SURT, URL: d.URL, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp, Target: c.linksTo,
				TargetSURT: urlkey.SURT(c.linksTo), Text: "the ferry", Place: schemas.PlaceMain,
			}
			l.TargetHost, l.TargetDomain = urlkey.Site(c.linksTo)
			links = append(links, []schemas.Link{l})
		}
	}
	if err := os.WriteFile(filepath.Join(dir, name+".warc"), []byte(archive.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	f := folder.Open(tb.Context(), filepath.Join(dir, name), nil)
	in := schemas.Range{File: name + ".warc", End: int64(archive.Len()), Format: "warc"}
	collectiontest.Link(tb, f, in, docs, links...)
	return f.Path("")
}

// viewsOf opens collections, whose archives are beside them, and waits for their indexes.
func viewsOf(tb testing.TB, folders ...string) *view.Views {
	tb.Helper()
	store := blob.New(blob.Options{})
	books, err := shelf.Open(tb.Context(), folders, store, shelf.Options{Poll: time.Hour, Reserved: server.Reserved})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = books.Close() }) // it is only read
	for _, c := range books.Collections() {
		for range 1000 {
			if c.State().Ready {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return view.New(books, view.Options{
		Store: store, Archives: filepath.Dir(folders[0]), Replay: "https://replay.example/{timestamp}/{url}",
	})
}

// client is an assistant that is connected.
type client struct {
	testing.TB
	session *sdk.ClientSession
}

// overPipes connects an assistant by standard input and output.
func overPipes(tb testing.TB, s *mcp.Server) *client {
	tb.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(tb.Context(), in, out) }()
	c := connect(tb, &sdk.IOTransport{Reader: fromServer, Writer: toServer})
	tb.Cleanup(func() {
		_ = c.session.Close() // the server notices
		select {
		case err := <-ended:
			if err != nil && tb.Context().Err() == nil {
				tb.Error(err)
			}
		case <-time.After(10 * time.Second):
			tb.Error("the server goes on without its assistant")
		}
	})
	return c
}

// overHTTP connects an assistant by HTTP to a server on loopback.
func overHTTP(tb testing.TB, v *view.Views, s *mcp.Server) *client {
	tb.Helper()
	h := httptest.NewServer(server.New(server.Options{
		Views: v, Open: true, Others: map[string]http.Handler{mcp.Path: s.Handler(api.Base)},
	}))
	tb.Cleanup(h.Close)
	return connect(tb, &sdk.StreamableClientTransport{Endpoint: h.URL + mcp.Path, DisableStandaloneSSE: true})
}

func connect(tb testing.TB, t sdk.Transport) *client {
	tb.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(tb.Context(), t, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = session.Close() }) // nothing is asked any more
	return &client{tb, session}
}

// call calls a tool, and decodes its structured answer into out, which may be nil. It returns the text.
func (c *client) call(tool string, args map[string]any, out any) (text string, failed bool) {
	c.Helper()
	res, err := c.session.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.Fatalf("%s %v: %v", tool, args, err)
	}
	for _, part := range res.Content {
		text += part.(*sdk.TextContent).Text + "\n"
	}
	if out != nil && !res.IsError {
		data, err := json.Marshal(res.StructuredContent)
		if err == nil {
			err = json.Unmarshal(data, out)
		}
		if err != nil {
			c.Fatalf("%s: %v", tool, err)
		}
	}
	return text, res.IsError
}
