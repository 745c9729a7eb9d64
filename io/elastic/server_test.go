package elastic_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/elastic"
)

// server stands in for a cluster: it keeps documents in memory and fails as it is told to.
type server struct {
	*httptest.Server
	mu sync.Mutex

	info     string                               // what is said at "/"
	has      bool                                 // the index is there
	fail     func(r *http.Request, n int) int     // a status to answer with instead, 0 for none; n counts requests from 1
	item     func(id string, n int) (int, string) // likewise of a document, with the error's JSON; n counts from 1 for each id
	requests []string                             // method, path and query
	created  map[string]any                       // the body that made the index
	docs     map[string]string                    // by id
	tried    map[string]int
	auth     string
}

const openSearch2 = `{"version":{"distribution":"opensearch","number":"2.19.1"}}`

func newServer(t *testing.T) *server {
	s := newStopped(openSearch2)
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func newStopped(info string) *server {
	return &server{info: info, docs: map[string]string{}, tried: map[string]int{}}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	must(err)
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	s.auth = r.Header.Get("Authorization")
	if s.fail != nil {
		if status := s.fail(r, len(s.requests)); status != 0 {
			w.WriteHeader(status)
			fmt.Fprint(w, `{"error":"as told"}`)
			return
		}
	}
	switch {
	case r.URL.Path == "/":
		fmt.Fprint(w, s.info)
	case r.Method == http.MethodHead:
		if !s.has {
			w.WriteHeader(http.StatusNotFound)
		}
	case r.Method == http.MethodPut:
		s.has = true
		must(json.Unmarshal(body, &s.created))
	default:
		s.bulk(w, body)
	}
}

func (s *server) bulk(w io.Writer, body []byte) {
	type result struct {
		Status int             `json:"status"`
		Error  json.RawMessage `json:"error,omitempty"`
	}
	var items []map[string]result
	for lines := bufio.NewReader(bytes.NewReader(body)); ; {
		action, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		source, _ := lines.ReadString('\n')
		var a struct {
			Update struct {
				ID string `json:"_id"`
			}
		}
		must(json.Unmarshal(action, &a))
		id := a.Update.ID
		s.tried[id]++
		r := result{Status: http.StatusCreated}
		if s.item != nil {
			if status, failure := s.item(id, s.tried[id]); status != 0 {
				r = result{status, json.RawMessage(failure)}
			}
		}
		if r.Status < 300 {
			s.docs[id] = strings.TrimSuffix(source, "\n")
		}
		items = append(items, map[string]result{"update": r})
	}
	must(json.NewEncoder(w).Encode(map[string]any{"errors": true, "items": items}))
}

// must stops the test: what the server is sent is what the package itself made.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// quick are options with which a test does not wait long.
func quick(hosts ...string) elastic.Options {
	return elastic.Options{Hosts: hosts, Index: "pages", FirstPause: time.Millisecond, RetryTimeout: 10 * time.Second, StartTimeout: 10 * time.Second}
}
