package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHeldBack: an answer with a server error is held back, with its header; any other is passed on immediately.
func TestHeldBack(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(w http.ResponseWriter)
		held int
		body string
	}{
		{"200", func(w http.ResponseWriter) { _, _ = w.Write([]byte("a")) }, 0, "a"},
		{"404", func(w http.ResponseWriter) { http.Error(w, "b", http.StatusNotFound) }, 0, "b\n"},
		{"503", func(w http.ResponseWriter) { http.Error(w, "c", http.StatusServiceUnavailable) }, 503, ""},
		{"500", func(w http.ResponseWriter) { http.Error(w, "d", http.StatusInternalServerError) }, 500, ""},
		{"nothing", func(http.ResponseWriter) {}, 0, ""},
		{"a failure after the first byte", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte("e"))
			w.WriteHeader(http.StatusServiceUnavailable)
		}, 0, "e"},
		{"flushed", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte("f"))
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		}, 0, "f"},
		{"1 MiB and more of a failure", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusInternalServerError)
			for range 3 {
				_, _ = w.Write([]byte(strings.Repeat("g", maxHeld/2+1)))
			}
		}, 500, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h := &heldBack{to: w, header: http.Header{"X-Before": {"1"}}}
			tt.do(h)
			if h.status != tt.held || w.Body.String() != tt.body {
				t.Errorf("held is %d and sent %q, want %d, %q", h.status, w.Body, tt.held, tt.body)
			}
			h.release()
			if tt.held != 0 && w.Code != tt.held || w.Body.Len() > maxHeld || w.Header().Get("X-Before") != "1" {
				t.Errorf("released: %d, %d bytes, head %v", w.Code, w.Body.Len(), w.Header())
			}
		})
	}
}
