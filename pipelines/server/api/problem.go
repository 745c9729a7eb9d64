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

// statuses are the statuses of kinds of errors.
var statuses = map[view.Kind]int{
	view.Invalid: http.StatusBadRequest, view.LoggedOut: http.StatusUnauthorized, view.Forbidden: http.StatusForbidden,
	view.NotFound: http.StatusNotFound, view.Conflict: http.StatusConflict, view.TooMany: http.StatusTooManyRequests,
	view.NotReady: http.StatusServiceUnavailable, view.Unknown: http.StatusUnprocessableEntity,
}

// Status is the status of HTTP for an error of a view.
func Status(err error) int {
	// What views return is made for the asker; all else is a failure.
	if e := (*view.Error)(nil); errors.As(err, &e) {
		return statuses[e.Kind]
	}
	return http.StatusInternalServerError
}

// problem is an error as the API answers it. What is not an error of the asker's is logged, and told without its words:
// they may name what stands on the server.
func problem(err error) error {
	e := (*view.Error)(nil)
	if !errors.As(err, &e) {
		// The number joins what the user saw and what the log has.
		id := LogFault(err)
		return &huma.ErrorModel{
			Title: "The server failed", Status: http.StatusInternalServerError,
			Detail: "The log has it as " + id + ". Nothing was changed. Try again.",
		}
	}
	model := model(e)
	if e.Retry > 0 {
		// Retry-After for TooMany and NotReady, so that programs wait as long as it takes.
		return huma.ErrorWithHeaders(model, retryAfter(e.Retry))
	}
	return model
}

// model is an error in the form of RFC 9457.
func model(e *view.Error) *huma.ErrorModel {
	m := &huma.ErrorModel{Title: e.Title, Status: statuses[e.Kind], Detail: e.Detail}
	// One text, as RFC 9457 has no member for what to do.
	if e.Remedy != "" {
		if m.Detail != "" { // what other packages say has no full stop
			m.Detail = strings.TrimSuffix(m.Detail, ".") + ". "
		}
		m.Detail += e.Remedy
	}
	if e.Param != "" {
		d := &huma.ErrorDetail{Message: e.Detail, Location: "query." + e.Param}
		// A value may be a secret or very long; views set it only where it helps.
		if e.Value != "" {
			d.Value = e.Value
		}
		m.Errors = append(m.Errors, d)
	}
	return m
}

// maxRepeated is how many characters of what was asked for an error repeats: enough to know it again, of what may be a
// megabyte.
const maxRepeated = 200

// brief cuts what errors repeat: huma repeats the whole value that it refuses.
func brief(_ huma.Context, _ string, answer any) (any, error) {
	m, is := answer.(*huma.ErrorModel)
	if !is {
		return answer, nil
	}
	for _, e := range m.Errors {
		e.Message, e.Location = beginning(e.Message), beginning(e.Location)
		if value, is := e.Value.(string); is {
			e.Value = beginning(value)
			continue
		}
		// A list or an object: a part of it would be another value.
		if text, err := json.Marshal(e.Value); err != nil || len(text) > maxRepeated {
			e.Value = nil
		}
	}
	return m, nil
}

// beginning is the first maxRepeated characters of a text.
func beginning(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxRepeated {
			return text[:i] + "…"
		}
	}
	return text
}

// LogFault logs what failed, and gives the number that users are told. Random and not counted: it must not tell how
// many requests fail.
func LogFault(err error) string {
	id := newID()
	slog.Error("a request failed", "id", id, "error", err)
	return id
}

// WriteError answers with an error of a view, where no resource of the API does.
func WriteError(w http.ResponseWriter, err error) {
	e := (*view.Error)(nil)
	if !errors.As(err, &e) {
		Write(w, http.StatusInternalServerError, &huma.ErrorModel{
			Title: "The server failed", Detail: fmt.Sprintf("The log has it as %s. Try again.", LogFault(err)),
		})
		return
	}
	if e.Retry > 0 {
		// huma is not asked here, so the header is set by hand.
		w.Header().Set("Retry-After", retryAfter(e.Retry).Get("Retry-After"))
	}
	m := model(e)
	Write(w, m.Status, m)
}

// Write answers with problem details.
func Write(w http.ResponseWriter, status int, m *huma.ErrorModel) {
	// The status is in the body as well, as RFC 9457, section 3.1.2 has it.
	m.Status = status
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(m) // who asked is gone
}
