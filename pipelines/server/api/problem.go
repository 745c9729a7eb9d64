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
	view.NotReady: http.StatusServiceUnavailable,
}

// Status is the status of HTTP for an error of a view.
func Status(err error) int {
	if e := (*view.Error)(nil); errors.As(err, &e) {
		return statuses[e.Kind]
	}
	return http.StatusInternalServerError
}

// problem is an error as the API answers it. What is no error of the asker's is logged, and told without its words:
// they may name what stands on the server.
func problem(err error) error {
	e := (*view.Error)(nil)
	if !errors.As(err, &e) {
		id := LogFault(err)
		return &huma.ErrorModel{
			Title: "The server failed", Status: http.StatusInternalServerError,
			Detail: "The log has it as " + id + ". Nothing was changed. Try again.",
		}
	}
	model := model(e)
	if e.Retry > 0 {
		return huma.ErrorWithHeaders(model, retryAfter(e.Retry))
	}
	return model
}

// model is an error in the form of RFC 9457.
func model(e *view.Error) *huma.ErrorModel {
	m := &huma.ErrorModel{Title: e.Title, Status: statuses[e.Kind], Detail: e.Detail}
	if e.Remedy != "" {
		if m.Detail != "" { // what other packages say has no full stop
			m.Detail = strings.TrimSuffix(m.Detail, ".") + ". "
		}
		m.Detail += e.Remedy
	}
	if e.Param != "" {
		// Where huma's own checks say it: clients find the parameter in one place, whoever found the
		// mistake.
		d := &huma.ErrorDetail{Message: e.Detail, Location: "query." + e.Param}
		// An empty text in an interface is a value, and would be written as "value": "".
		if e.Value != "" {
			d.Value = e.Value
		}
		m.Errors = append(m.Errors, d)
	}
	return m
}

// LogFault logs what failed, and gives the number that users are told.
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
		w.Header().Set("Retry-After", retryAfter(e.Retry).Get("Retry-After"))
	}
	m := model(e)
	Write(w, m.Status, m)
}

// Write answers with problem details.
func Write(w http.ResponseWriter, status int, m *huma.ErrorModel) {
	m.Status = status
	// The media type of RFC 9457.
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(m) // who asked is gone
}
