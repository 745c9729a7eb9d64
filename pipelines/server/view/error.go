package view

import "fmt"

// Kind is what is wrong with a request.
type Kind int

// The kinds of errors. Whoever answers gives each its own form: a page, or a status of HTTP.
const (
	Invalid   Kind = iota + 1 // a parameter cannot be read: 400
	LoggedOut                 // nobody is logged in, and somebody has to be: 401
	Forbidden                 // the role does not suffice: 403
	NotFound                  // there is no such thing: 404
	Conflict                  // it cannot be done now: 409
	TooMany                   // too many requests: 429
	NotReady                  // the collection is empty or not readable now: 503
	Unknown                   // a body has a field that there is not: 422, as huma answers it
)

// Error is an error of the asker's, or a state that the asker should know.
type Error struct {
	Kind   Kind
	Title  string // in some words: "The query cannot be read"
	Detail string // what is wrong, in a sentence
	Remedy string // what to do, in a sentence
	Link   string // path of the page where that is done; "" where it is none of this server's
	// Param is the parameter that is wrong, "" for none, and Column the first bad character of its value, from 1; 0 where
	// that is not known.
	Param  string
	Column int
	Value  string // of the parameter
	// Near are captures that may be meant instead.
	Near  []Capture
	Line  int  // of the value of the parameter, from 1; 0 where it has none
	Retry int  // seconds after which to try again, of TooMany and NotReady
	Empty bool // of NotReady: nothing is wrong, but no run has finished
}

// Error is all in one line.
func (e *Error) Error() string {
	// The remedy last, as it is what to do next.
	switch {
	case e.Remedy != "":
		return fmt.Sprintf("%s: %s %s", e.Title, e.Detail, e.Remedy)
	case e.Detail != "":
		return e.Title + ": " + e.Detail
	}
	return e.Title
}

func notFound(title, remedy string) *Error {
	// No value is shown: an address that is not there may be anything that somebody typed.
	return &Error{Kind: NotFound, Title: title, Remedy: remedy}
}

func invalid(param, value, detail string) *Error {
	return &Error{Kind: Invalid, Title: "The request cannot be read", Detail: detail, Param: param, Value: value}
}
