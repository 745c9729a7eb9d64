package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// statuses maps kinds of errors to HTTP statuses.
var statuses = map[view.Kind]int{
	view.Invalid: http.StatusBadRequest, view.LoggedOut: http.StatusUnauthorized, view.Forbidden: http.StatusForbidden,
	view.NotFound: http.StatusNotFound, view.Conflict: http.StatusConflict, view.TooMany: http.StatusTooManyRequests,
	view.NotReady: http.StatusServiceUnavailable, view.Unknown: http.StatusUnprocessableEntity,
}

// Status returns the HTTP status for an error of a view.
func Status(err error) int {
	// Errors of views are made for users; all others are failures.
	if e := (*view.Error)(nil); errors.As(err, &e) {
		return statuses[e.Kind]
	}
	return http.StatusInternalServerError
}

// problem returns an error in the API's form. A failure of the server is logged, and its text is hidden, since it may
// name things on the server.
func problem(err error) error {
	e := (*view.Error)(nil)
	if !errors.As(err, &e) {
		// The identifier connects the user's message and the log entry.
		id := LogFault(err)
		return &huma.ErrorModel{
			Title: "The server failed", Status: http.StatusInternalServerError,
			Detail: "The log has it as " + id + ". Nothing was changed. Try again.",
		}
	}
	model := model(e)
	if e.Retry > 0 {
		// Retry-After is set for TooMany and NotReady, so that programs wait long enough.
		return huma.ErrorWithHeaders(model, retryAfter(e.Retry))
	}
	return model
}

// model returns an error in the form of RFC 9457.
func model(e *view.Error) *huma.ErrorModel {
	m := &huma.ErrorModel{Title: e.Title, Status: statuses[e.Kind], Detail: e.Detail}
	// All is in one text, as RFC 9457 has no member for advice.
	if e.Remedy != "" {
		if m.Detail != "" { // texts of other packages have no full stop
			m.Detail = strings.TrimSuffix(m.Detail, ".") + ". "
		}
		m.Detail += e.Remedy
	}
	if e.Param != "" {
		d := &huma.ErrorDetail{Message: e.Detail, Location: "query." + e.Param}
		// A value may be secret or very long; views set it only if it helps.
		if e.Value != "" {
			d.Value = e.Value
		}
		m.Errors = append(m.Errors, d)
	}
	return m
}

// maxRepeated is the number of characters of the input that an error repeats: enough to recognise it. The input may be
// a megabyte.
const maxRepeated = 200

// brief cuts the values in errors: huma repeats the whole refused value.
func brief(_ huma.Context, _ string, answer any) (any, error) {
	if m, is := answer.(*huma.ErrorModel); is {
		shorten(m)
	}
	return answer, nil
}

func shorten(m *huma.ErrorModel) {
	for _, e := range m.Errors {
		e.Message, e.Location = beginning(e.Message), beginning(e.Location)
		if value, is := e.Value.(string); is {
			e.Value = beginning(value)
			continue
		}
		// This is a list or an object, whose part would be another value.
		if text, err := json.Marshal(e.Value); err != nil || len(text) > maxRepeated {
			e.Value = nil
		}
	}
}

// beginning returns the first maxRepeated characters of a text.
func beginning(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxRepeated {
			return text[:i] + "…"
		}
	}
	return text
}

// LogFault logs an error and returns the identifier for users. It is random instead of counted, so that it does not
// reveal how many requests fail.
func LogFault(err error) string {
	id := newID()
	slog.Error("a request failed", "id", id, "error", err)
	return id
}

// WriteError writes an error of a view for requests outside the API's resources.
func WriteError(w http.ResponseWriter, err error) {
	e := (*view.Error)(nil)
	if !errors.As(err, &e) {
		Write(w, http.StatusInternalServerError, &huma.ErrorModel{
			Title: "The server failed", Detail: fmt.Sprintf("The log has it as %s. Try again.", LogFault(err)),
		})
		return
	}
	if e.Retry > 0 {
		// huma is not involved here, so the header is set by hand.
		w.Header().Set("Retry-After", retryAfter(e.Retry).Get("Retry-After"))
	}
	m := model(e)
	shorten(m)
	Write(w, m.Status, m)
}

// Write writes problem details.
func Write(w http.ResponseWriter, status int, m *huma.ErrorModel) {
	// The body contains the status as well (RFC 9457, section 3.1.2).
	m.Status = status
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(m) // the client has left
}
