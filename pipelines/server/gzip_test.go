package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func answered(t *testing.T, h http.HandlerFunc) (*http.Response, []byte, error) {
	t.Helper()
	failed := func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusInternalServerError) }
	s := httptest.NewServer(logged(compressed(h), failed))
	t.Cleanup(s.Close)
	r, err := http.NewRequest("GET", s.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = a.Body.Close() }() // it is read
	in := io.Reader(a.Body)
	if a.Header.Get("Content-Encoding") == "gzip" {
		if in, err = gzip.NewReader(a.Body); err != nil {
			return a, nil, err
		}
	}
	body, err := io.ReadAll(in)
	return a, body, err
}

// TestCompressed_flushSaysHowItIsCoded: the first flush sends the header.
func TestCompressed_flushSaysHowItIsCoded(t *testing.T) {
	a, body, err := answered(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_ = http.NewResponseController(w).Flush()
		_, _ = io.WriteString(w, "late words")
	})
	if err != nil || string(body) != "late words" || a.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%v, %q, %v", a, body, err)
	}
}

// TestCompressed_brokenOffIsNotWhole: the part that a handler had sent before it panicked is not accepted as complete.
func TestCompressed_brokenOffIsNotWhole(t *testing.T) {
	for name, value := range map[string]any{"abort": http.ErrAbortHandler, "mistake": "a mistake"} {
		_, body, err := answered(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "a part")
			_ = http.NewResponseController(w).Flush()
			panic(value)
		})
		if err == nil {
			t.Errorf("%s: %q looks whole", name, body)
		}
	}
}

// TestCompressed_partsStay: a part of a file is counted in bytes of the file.
func TestCompressed_partsStay(t *testing.T) {
	a, body, err := answered(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, "part")
	})
	if err != nil || a.Header.Get("Content-Encoding") != "" || string(body) != "part" {
		t.Errorf("%v, %q, %v", a.Header, body, err)
	}
}
