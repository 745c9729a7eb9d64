package view

import "fmt"

// Kind is the kind of a mistake in a request.
type Kind int

// These are the kinds of errors. Each interface converts them: to a page, or to an HTTP status.
const (
	Invalid   Kind = iota + 1 // a parameter cannot be read: 400
	LoggedOut                 // nobody is logged in, but this needs a user: 401
	Forbidden                 // the role does not suffice: 403
	NotFound                  // the thing does not exist: 404
	Conflict                  // it cannot be done now: 409
	TooMany                   // too many requests: 429
	NotReady                  // the collection is empty or cannot be read now: 503
	Unknown                   // a body has an unknown field: 422, as in huma
)

// Error is an error that the user is responsible for, or a state that the user should know.
type Error struct {
	Kind   Kind
	Title  string // in some words: "The query cannot be read"
	Detail string // the cause, as a sentence
	Remedy string // the remedy, as a sentence
	Link   string // path of the page for the remedy; "" if none of this server's pages is
	// Param is the wrong parameter, or "". Column is the position of the first bad character in its value, from 1, or
	// 0 if it is unknown.
	Param  string
	Column int
	Value  string // of the parameter
	// Near are captures that may be meant instead.
	Near  []Capture
	Line  int  // in the value of the parameter, from 1; 0 if it has no lines
	Retry int  // seconds to wait before trying again, for TooMany and NotReady
	Empty bool // for NotReady: nothing is wrong, but no run has finished
}

// Error returns everything in one line.
func (e *Error) Error() string {
	// The remedy comes last, as it is the next step.
	switch {
	case e.Remedy != "":
		return fmt.Sprintf("%s: %s %s", e.Title, e.Detail, e.Remedy)
	case e.Detail != "":
		return e.Title + ": " + e.Detail
	}
	return e.Title
}

func notFound(title, remedy string) *Error {
	// No value is shown: an unknown address may be anything that somebody typed.
	return &Error{Kind: NotFound, Title: title, Remedy: remedy}
}

func invalid(param, value, detail string) *Error {
	return &Error{Kind: Invalid, Title: "The request cannot be read", Detail: detail, Param: param, Value: value}
}
