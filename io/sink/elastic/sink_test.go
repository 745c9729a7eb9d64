package elastic_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/io/sink/sinktest"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestSink_contract(t *testing.T) {
	sinktest.Test(t, sinktest.Kit{
		Start: startStandIn,
		Open: func(ctx context.Context, address string) (sink.Sink, error) {
			o := quick(address)
			o.Model, o.BatchDocuments, o.RetryTimeout = elastic.Gleaner, 20, 50*time.Millisecond
			return (&elastic.Config{Options: o, ID: "capture"}).Open(ctx)
		},
		Refused: func(p *sink.Page) { p.Document.Filename = "refused.warc" },
		Adds:    true,
	})
}

func startStandIn(t *testing.T) sinktest.Server {
	s := elastictest.Start(t)
	s.Item = elastictest.Refuse("refused.warc")
	fail := func(n int) {
		if n == 0 {
			settle(s)
		}
		s.Do(func() {
			from := len(s.Requests) + n
			s.Fail = func(_ *http.Request, n int) int {
				if n >= from {
					return http.StatusServiceUnavailable
				}
				return 0
			}
			if n == 0 {
				s.Fail = nil
			}
		})
	}
	content := func(t *testing.T) (all []string) {
		s.Do(func() {
			for _, text := range s.Docs {
				var d schemas.Document
				if err := json.Unmarshal([]byte(text), &d); err != nil {
					t.Error(err)
				}
				all = append(all, d.URL+" "+d.Title)
			}
		})
		return all
	}
	return sinktest.Server{Address: s.URL, Content: content, Fail: fail}
}

// settle waits until no request comes in any longer. One that a client has given up may be on its way to its handler.
func settle(s *elastictest.Server) {
	for last := -1; ; time.Sleep(100 * time.Millisecond) {
		n := 0
		s.Do(func() { n = len(s.Requests) })
		if n == last {
			return
		}
		last = n
	}
}

// TestSink_noPages: as ACHE would, its index has pages of the web alone.
func TestSink_noPages(t *testing.T) {
	s, err := (&elastic.Config{Options: quick(elastictest.Start(t).URL), ID: "url"}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for url, stored := range map[string]bool{
		"http://a.example/": true, "HTTPS://a.example/": true, "dns:a.example": false,
		"urn:pageinfo:http://a.example/": false,
		"ftp://a.example/":               false, "httpx://a.example/": false,
	} {
		c := &schemas.Capture{URL: url, RecordType: schemas.TypeResponse, Body: []byte("text")}
		m, err := s.Encode(&sink.Page{Capture: c, Document: &schemas.Document{URL: url}, HTML: func() []byte { return nil }})
		if err != nil || (m != nil) != stored {
			t.Errorf("%s: %v, %v", url, m, err)
		}
	}
}

// TestSink_absentPages: a page that an archive has left out does not replace the text of an earlier capture.
func TestSink_absentPages(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    schemas.Capture
		want bool
	}{
		{"HTML", schemas.Capture{MIMEDeclared: "text/html", Truncated: "unspecified"}, false},
		{"HTML with parameters", schemas.Capture{MIMEDeclared: "Text/HTML; charset=utf-8", Truncated: "length"}, false},
		{"XHTML", schemas.Capture{MIMEDeclared: "application/xhtml+xml", Truncated: "unspecified"}, false},
		{"of no known type", schemas.Capture{Truncated: "unspecified"}, false},
		{"cut off", schemas.Capture{MIMEDeclared: "text/html", Flags: []schemas.Flag{schemas.FlagIncomplete}}, false},
		{"a picture", schemas.Capture{MIMEDeclared: "image/png", Truncated: "unspecified"}, true},
		{"a document", schemas.Capture{MIMEDeclared: "application/pdf", Truncated: "unspecified"}, true},
		{"empty", schemas.Capture{MIMEDeclared: "text/html"}, true},
		{"a part", schemas.Capture{MIMEDeclared: "text/html", Truncated: "length", Body: []byte("<p>a")}, true},
	} {
		tt.c.URL, tt.c.RecordType = "http://a.example/", schemas.TypeResponse
		for model, want := range map[elastic.Model]bool{elastic.ACHE: tt.want, elastic.Gleaner: true} {
			o := quick(elastictest.Start(t).URL)
			o.Model = model
			s, err := (&elastic.Config{Options: o, ID: "url"}).Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			page := &sink.Page{
				Capture: &tt.c, Document: &schemas.Document{URL: tt.c.URL}, HTML: func() []byte { return tt.c.Body },
			}
			if m, err := s.Encode(page); err != nil || (m != nil) != want {
				t.Errorf("%s, model %v: %v, %v, want %v", tt.name, model, m, err, want)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestEncode_takenDown: no document is known by a requested URL that was taken down. By the capture it is kept.
func TestEncode_takenDown(t *testing.T) {
	for _, tt := range []struct {
		model elastic.Model
		id    string
		down  bool
		want  bool
	}{
		{elastic.ACHE, "url", false, true},
		{elastic.ACHE, "url", true, false},
		{elastic.ACHE, "capture", true, false}, // the document has it as well
		{elastic.Gleaner, "url", true, false},
		{elastic.Gleaner, "capture", true, true},
	} {
		o := quick(elastictest.Start(t).URL)
		o.Model = tt.model
		s, err := (&elastic.Config{Options: o, ID: tt.id}).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := &schemas.Capture{
			URL: "http://new.example/p", RecordType: schemas.TypeResponse, Body: []byte("<p>x"),
			Crawl: map[string]string{schemas.CrawlRequested: "http://old.example/p"},
		}
		m, err := s.Encode(&sink.Page{
			Capture: c, Document: &schemas.Document{URL: c.URL}, TakenDown: tt.down, HTML: func() []byte { return nil },
		})
		if err != nil || (m != nil) != tt.want {
			t.Errorf("%+v: %v, %v", tt, m, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
