package elastic_test

import (
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
)

func TestOpen_password(t *testing.T) {
	s := elastictest.Start(t)
	o := quick(s.URL)
	o.User, o.Password = "user", "secret"
	open(t, o)
	if want := "Basic dXNlcjpzZWNyZXQ="; s.Auth != want {
		t.Errorf("authorization %q, want %q", s.Auth, want)
	}
	open(t, quick(strings.Replace(s.URL, "//", "//user:secret@", 1)))
	if want := "Basic dXNlcjpzZWNyZXQ="; s.Auth != want {
		t.Errorf("authorization %q with the password in the URL, want %q", s.Auth, want)
	}
	s.Fail = func(*http.Request, int) int { return http.StatusUnauthorized }
	_, err := elastic.Open(t.Context(), o)
	if !errors.Is(err, elastic.ErrRefused) || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
}

func TestOpen_tls(t *testing.T) {
	s := elastictest.New()
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of the certificate that is refused
	s.StartTLS()
	t.Cleanup(s.Close)
	o := quick(s.URL)
	if _, err := elastic.Open(t.Context(), o); !errors.Is(err, elastic.ErrRefused) {
		t.Errorf("without the certificate: %v, want %v", err, elastic.ErrRefused)
	}
	o.CA = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	if _, err := write(t, o, 1); err != nil {
		t.Errorf("with the certificate: %v", err)
	}
}

func TestOpen_waits(t *testing.T) {
	s := elastictest.Start(t)
	s.Fail = func(_ *http.Request, n int) int {
		if n < 5 {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	open(t, quick(s.URL))
}

func TestOpen_raceForIndex(t *testing.T) {
	for _, body := range []string{
		`{"error":{"type":"resource_already_exists_exception"}}`,
		`{"error":"IndexAlreadyExistsException[[pages]]"}`,
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.Method {
			case http.MethodGet:
				fmt.Fprint(w, elastictest.OpenSearch2)
			case http.MethodHead:
				w.WriteHeader(http.StatusNotFound)
			default:
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, body)
			}
		}))
		if _, err := elastic.Open(t.Context(), quick(h.URL)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		h.Close()
	}
}

func TestOpen_fails(t *testing.T) {
	for _, test := range []struct{ info, message string }{
		{"<html>", "no Elasticsearch"},
		{`{"version":{"number":"x.1.2"}}`, "no Elasticsearch"},
		{`{"version":{"number":"8"}}`, "no Elasticsearch"},
		{`{}`, "no Elasticsearch"},
	} {
		s := elastictest.Start(t)
		s.Info = test.info
		if _, err := elastic.Open(t.Context(), quick(s.URL)); err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: error %v, want one with %q", test.info, err, test.message)
		}
	}
}

func TestOptions_Check(t *testing.T) {
	host := []string{"http://h"}
	for _, test := range []struct {
		name    string
		o       elastic.Options
		message string
	}{
		{"good", elastic.Options{Hosts: host}, ""},
		{"no hosts", elastic.Options{}, "no hosts"},
		{"no URL", elastic.Options{Hosts: []string{"u:secret@localhost:9200"}}, `"localhost:9200" is no URL`},
		{"index", elastic.Options{Hosts: host, Index: "A*"}, "no name of an index"},
		{"index with a dash in front", elastic.Options{Hosts: host, Index: "-a"}, "no name of an index"},
		{"model", elastic.Options{Hosts: host, Model: "x"}, "no model"},
		{"certificate", elastic.Options{Hosts: host, CA: "x"}, "no certificate"},
	} {
		switch err := test.o.Check(); {
		case test.message == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.message != "" && (err == nil || !strings.Contains(err.Error(), test.message)):
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.message)
		}
	}
}

func TestOpen_versions(t *testing.T) {
	for _, test := range []struct{ number, distribution, bulk, url, text, html, retrieved, wrapped string }{
		{
			"1.7.6", "", "/pages/page/_bulk", `{"ignore_above":8191,"index":"not_analyzed","type":"string"}`,
			`{"type":"string"}`, `{"index":"no","type":"string"}`, "dateOptionalTime", "page",
		},
		{
			"2.4.6", "", "/pages/page/_bulk", `{"ignore_above":8191,"index":"not_analyzed","type":"string"}`,
			`{"type":"string"}`, `{"index":"no","type":"string"}`, "dateOptionalTime", "page",
		},
		{
			"5.6.16", "", "/pages/page/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "dateOptionalTime", "page",
		},
		{
			"6.8.23", "", "/pages/page/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "dateOptionalTime", "page",
		},
		{
			"7.17.29", "", "/pages/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "dateOptionalTime", "",
		},
		{
			"8.19.0-SNAPSHOT", "", "/pages/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "date_optional_time", "",
		},
		{
			"9.1.0", "", "/pages/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "date_optional_time", "",
		},
		{
			"1.3.20", "opensearch", "/pages/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "dateOptionalTime", "",
		},
		{
			"2.19.1", "opensearch", "/pages/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "date_optional_time", "",
		},
		{
			"3.1.0", "opensearch", "/pages/_bulk", `{"ignore_above":8191,"type":"keyword"}`, `{"type":"text"}`,
			`{"index":false,"type":"text"}`, "date_optional_time", "",
		},
	} {
		t.Run(test.number+test.distribution, func(t *testing.T) {
			s := elastictest.Start(t)
			s.Info = fmt.Sprintf(`{"version":{"number":%q,"distribution":%q}}`, test.number, test.distribution)
			if _, err := write(t, quick(s.URL), 1); err != nil {
				t.Fatal(err)
			}
			if last := s.Requests[len(s.Requests)-1]; !strings.HasPrefix(last, "POST "+test.bulk+"?") {
				t.Errorf("%s, want %s", last, test.bulk)
			}
			m := s.Created["mappings"].(map[string]any)
			if test.wrapped != "" {
				m = m[test.wrapped].(map[string]any)
			}
			fields := m["properties"].(map[string]any)
			for name, want := range map[string]string{
				"url": test.url, "words": test.url, "text": test.text, "html": test.html, "relevance": `{"type":"double"}`,
				"retrieved":       `{"format":"` + test.retrieved + `","ignore_malformed":true,"type":"date"}`,
				"responseHeaders": `{"enabled":false,"type":"object"}`,
			} {
				if got, _ := json.Marshal(fields[name]); string(got) != want {
					t.Errorf("mapping of %s is %s, want %s", name, got, want)
				}
			}
		})
	}
}

func TestOpen_gleaner(t *testing.T) {
	s := elastictest.Start(t)
	o := quick(s.URL)
	o.Model = elastic.Gleaner
	open(t, o)
	if m := s.Created["mappings"].(map[string]any); m["dynamic"] != false {
		t.Errorf("mapping %v; fields that are not named must not be mapped", m)
	}
}
