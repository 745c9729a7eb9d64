// Package elastictest stands in for a cluster of Elasticsearch or OpenSearch in tests, on loopback: it keeps documents
// in memory and fails as it is told to. It knows the requests of package elastic and no others, and cannot prove how
// the real servers behave.
//
//	s := elastictest.Start(t)
//	s.Item = elastictest.Refuse("a.warc")
//	... // write to s.URL
//	if len(s.Docs) != 3 {
package elastictest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// OpenSearch2 is what OpenSearch 2 says at "/".
const OpenSearch2 = `{"version":{"distribution":"opensearch","number":"2.19.1"}}`

// Server is a cluster with one index. What it does is said before it is asked, and what it was asked is looked at
// afterwards.
type Server struct {
	*httptest.Server // nil before Start

	Info string // what is said at "/"
	// a status to answer with instead, 0 for none; n counts requests from 1
	Fail func(r *http.Request, n int) int
	// likewise of a document, with the error's JSON; n counts from 1 for each id
	Item func(id string, n int) (status int, e string)

	Requests []string          // method, path and query
	Auth     string            // the header of the last request
	Created  map[string]any    // the body that made the index, nil when it was not made
	Docs     map[string]string // the index, by id, as JSON
	Tried    map[string]int    // how many times a document was sent, by id
	// whether searches would find all documents: the index was refreshed since the last was written
	Fresh bool

	mu sync.Mutex
}

// New makes a server that says it is OpenSearch 2, and has no index. It is a handler that listens nowhere.
func New() *Server {
	return &Server{Info: OpenSearch2, Docs: map[string]string{}, Tried: map[string]int{}}
}

// Start makes a server likewise, which listens until the test ends.
func Start(t *testing.T) *Server {
	s := New()
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Do calls f while nobody is answered: what a server does is changed, and what it has is read, while clients are at
// work.
func (s *Server) Do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Refused is the message of what [Refuse] refuses.
const Refused = "parsing: not that one"

// Refuse is an Item that refuses documents whose ids hold part.
func Refuse(part string) func(id string, n int) (int, string) {
	return func(id string, _ int) (int, string) {
		if strings.Contains(id, part) {
			return http.StatusBadRequest, `{"type":"parsing","reason":"not that one"}`
		}
		return 0, ""
	}
}

// ServeHTTP answers one request after the other.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	must(err)
	s.Requests = append(s.Requests, r.Method+" "+r.URL.RequestURI())
	s.Auth = r.Header.Get("Authorization")
	if s.Fail != nil {
		if status := s.Fail(r, len(s.Requests)); status != 0 {
			w.WriteHeader(status)
			fmt.Fprint(w, `{"error":"as told"}`)
			return
		}
	}
	switch {
	case r.URL.Path == "/":
		fmt.Fprint(w, s.Info)
	case r.Method == http.MethodHead && s.Created == nil:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodHead:
	case r.Method == http.MethodPut:
		must(json.Unmarshal(body, &s.Created))
	case strings.HasSuffix(r.URL.Path, "/_refresh"):
		s.Fresh = true
	default:
		s.Fresh = false
		s.bulk(w, body)
	}
}

// result is what is said of one document.
type result struct {
	Status int             `json:"status"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// bulk writes a batch: for each document a line with its id, and one that updates it.
func (s *Server) bulk(w io.Writer, body []byte) {
	var items []map[string]result
	for lines := range slices.Chunk(slices.Collect(bytes.Lines(body)), 2) {
		var action struct {
			Update struct {
				ID string `json:"_id"`
			}
		}
		var update struct {
			Doc    json.RawMessage
			Upsert bool `json:"doc_as_upsert"`
		}
		must(json.Unmarshal(lines[0], &action))
		must(json.Unmarshal(lines[1], &update))
		items = append(items, map[string]result{"update": s.update(action.Update.ID, update.Doc, update.Upsert)})
	}
	must(json.NewEncoder(w).Encode(map[string]any{"errors": true, "items": items}))
}

// update puts a document in place of the one with its id. Where there is none, that takes upsert.
func (s *Server) update(id string, doc json.RawMessage, upsert bool) result {
	s.Tried[id]++
	if s.Item != nil {
		if status, failure := s.Item(id, s.Tried[id]); status != 0 {
			return result{status, json.RawMessage(failure)}
		}
	}
	if _, there := s.Docs[id]; !there && !upsert {
		return result{http.StatusNotFound, json.RawMessage(`{"type":"document_missing_exception"}`)}
	}
	s.Docs[id] = string(doc)
	return result{Status: http.StatusOK}
}

// must stops the test: what the server is sent is what our own packages made.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
