// Package elastictest provides a fake cluster of Elasticsearch or OpenSearch for tests, on loopback. It keeps documents
// in memory and fails on demand. It knows only the requests of package elastic, and cannot prove the behaviour of real
// servers.
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

// OpenSearch2 is the answer of OpenSearch 2 at "/".
const OpenSearch2 = `{"version":{"distribution":"opensearch","number":"2.19.1"}}`

// Server is a cluster with one index. Tests set its behaviour first, and examine its requests afterwards.
type Server struct {
	*httptest.Server // nil before Start

	Info string // the answer at "/"
	// Fail returns a status to answer with instead, 0 for none. n counts requests from 1.
	Fail func(r *http.Request, n int) int
	// Item does so for a document, with the error's JSON. n counts from 1 for each id.
	Item func(id string, n int) (status int, e string)

	Requests []string          // method, path and query
	Auth     string            // the header of the last request
	Created  map[string]any    // the request that made the index, nil if it was not made
	Docs     map[string]string // the index, by id, as JSON
	Tried    map[string]int    // number of times a document was sent, by id
	// Fresh is true if searches would find all documents: the index was refreshed after the last write.
	Fresh bool

	mu sync.Mutex
}

// New makes a server with the version of OpenSearch 2 and without an index. It is a handler without a listener.
func New() *Server {
	return &Server{Info: OpenSearch2, Docs: map[string]string{}, Tried: map[string]int{}}
}

// Start makes such a server with a listener, until the test ends.
func Start(t *testing.T) *Server {
	s := New()
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Do calls f while no request is being answered. So f can change and read the server while clients are at work.
func (s *Server) Do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Refused is the message of documents that [Refuse] refuses.
const Refused = "parsing: not that one"

// Refuse returns an Item that refuses documents whose ids contain part.
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

// result is the result for one document.
type result struct {
	Status int             `json:"status"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// bulk writes a batch: for each document a line with its id, and one that replaces or updates it.
func (s *Server) bulk(w io.Writer, body []byte) {
	var items []map[string]result
	for lines := range slices.Chunk(slices.Collect(bytes.Lines(body)), 2) {
		var action map[string]struct {
			ID string `json:"_id"`
		}
		must(json.Unmarshal(lines[0], &action))
		if index, is := action["index"]; is {
			doc := bytes.TrimSuffix(lines[1], []byte{'\n'})
			items = append(items, map[string]result{"index": s.write(index.ID, doc, true, false)})
			continue
		}
		var update struct {
			Doc    json.RawMessage
			Upsert bool `json:"doc_as_upsert"`
		}
		must(json.Unmarshal(lines[1], &update))
		items = append(items, map[string]result{"update": s.write(action["update"].ID, update.Doc, update.Upsert, true)})
	}
	must(json.NewEncoder(w).Encode(map[string]any{"errors": true, "items": items}))
}

// write writes a document, or merges it into the one with its id. Without such a document, it needs create.
func (s *Server) write(id string, doc json.RawMessage, create, merges bool) result {
	s.Tried[id]++
	if s.Item != nil {
		if status, failure := s.Item(id, s.Tried[id]); status != 0 {
			return result{status, json.RawMessage(failure)}
		}
	}
	before, there := s.Docs[id]
	switch {
	case there && merges:
		var a, b any
		must(json.Unmarshal([]byte(before), &a))
		must(json.Unmarshal(doc, &b))
		merged, err := json.Marshal(merge(a, b))
		must(err)
		s.Docs[id] = string(merged)
	case !there && !create:
		return result{http.StatusNotFound, json.RawMessage(`{"type":"document_missing_exception"}`)}
	default:
		s.Docs[id] = string(doc)
	}
	return result{Status: http.StatusOK}
}

// merge is the effect of a partial update: objects are merged, other values replaced.
func merge(a, b any) any {
	into, ok := a.(map[string]any)
	from, is := b.(map[string]any)
	if !ok || !is {
		return b
	}
	for name, value := range from {
		into[name] = merge(into[name], value)
	}
	return into
}

// must panics: the requests come from our own packages.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
