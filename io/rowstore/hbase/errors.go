package hbase

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// serverError is an exception of the server. Its class identifies it: the text is for people, and changes between
// versions.
type serverError struct {
	class   string // RegionTooBusyException, without the Java package
	message string // the first line of its stack trace
	final   bool   // the server says that retrying is useless
}

func (e *serverError) Error() string {
	if e.message == "" {
		return e.class
	}
	return e.message
}

// ErrMissing means that a table or a family is missing. It is also an ErrRefused.
var ErrMissing = errors.New("there is no such table or family")

// Unwrap returns rowstore.ErrRefused for errors of the request.
func (e *serverError) Unwrap() []error {
	switch {
	// Both kinds: some callers make the missing object, and others only need the refusal.
	case e.class == "NoSuchColumnFamilyException", e.class == "TableNotFoundException":
		return []error{ErrMissing, rowstore.ErrRefused}
	case e.what() == refused:
		return []error{rowstore.ErrRefused}
	}
	return nil
}

// lostError is the end of a connection. The server may or may not have executed the call. All calls of this package are
// repeatable.
type lostError struct{ err error }

func (e *lostError) Error() string { return fmt.Sprintf("the connection has ended: %v", e.err) }
func (e *lostError) Unwrap() error { return e.err }

// maxMessage limits the stored part of a stack trace.
const maxMessage = 300

// parseException parses an ExceptionResponse. RPC.proto.
func parseException(m []byte) error {
	var name, trace string
	e := &serverError{}
	err := each(m, func(field protowire.Number, v uint64, b []byte) error {
		switch field {
		// A server's stack trace may have megabytes. It is cut as bytes, and ToValidUTF8 repairs the end.
		case 1:
			name = string(b[:min(len(b), maxMessage)])
		case 2:
			trace = string(b[:min(len(b), 4*maxMessage)])
		case 5:
			e.final = v != 0
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.of(name, trace)
}

// of sets class and message. The trace begins with the class and its package, "org.apache.…", which does not help
// people.
func (e *serverError) of(name, trace string) error {
	// The part after the package, or after the enclosing class.
	e.class = name[strings.LastIndexAny(name, ".$")+1:]
	first, _, _ := strings.Cut(trace, "\n")
	e.message = strings.TrimSpace(strings.ToValidUTF8(strings.TrimPrefix(first, name[:len(name)-len(e.class)]), "\uFFFD"))
	// The trace was stored longer than this, to include the class and its package. A character at the cut is left out.
	e.message = strings.ToValidUTF8(e.message[:min(len(e.message), maxMessage)], "")
	return e
}

// parseNamedException parses the exception of one action of several, a NameBytesPair: the class and its trace.
func parseNamedException(m []byte) error {
	var name, trace string
	if err := each(m, func(field protowire.Number, _ uint64, b []byte) error {
		switch field {
		case 1:
			name = string(b[:min(len(b), maxMessage)])
		case 2:
			trace = string(b[:min(len(b), 4*maxMessage)])
		}
		return nil
	}); err != nil {
		return err
	}
	e := &serverError{}
	return e.of(name, trace)
}

// remedy is the reaction to an error. The order counts: from refused on, nothing helps.
type remedy int

const (
	again    remedy = iota // wait, and try again
	relocate               // the region is elsewhere: look it up, and try again
	reopen                 // of a scanner: open another one
	refused                // nothing: the request is wrong
	broken                 // nothing
)

// remedies are the exceptions with another remedy than again. relocate also applies to a server that is going down.
var remedies = map[string]remedy{
	"NotServingRegionException":       relocate,
	"RegionMovedException":            relocate,
	"RegionOpeningException":          relocate,
	"RegionServerStoppedException":    relocate,
	"RegionServerAbortedException":    relocate,
	"ServerNotRunningYetException":    relocate,
	"WrongRegionException":            relocate, // a region was split
	"UnknownScannerException":         reopen,
	"OutOfOrderScannerNextException":  reopen,
	"ScannerResetException":           reopen,
	"LeaseException":                  reopen,
	"NoSuchColumnFamilyException":     refused,
	"InvalidFamilyOperationException": refused,
	"TableNotFoundException":          refused,
	"FailedSanityCheckException":      refused,
	"IllegalArgumentException":        refused, // a cell or a row that is too large
	"AccessDeniedException":           broken,
	"FatalConnectionException":        broken,
	"UnsupportedCellCodecException":   broken,
}

func (e *serverError) what() remedy {
	if r, ok := remedies[e.class]; ok {
		return r
	}
	// DoNotRetryIOException is the class of most limits of a request, such as "Cell … is over the limit".
	if e.final || e.class == "DoNotRetryIOException" {
		return refused
	}
	return again
}

// remedyOf returns the remedy for an error of a call. Unknown errors are retried within the time of patience: a useless
// retry costs seconds, and ending a long run costs hours.
func remedyOf(err error) remedy {
	var said *serverError
	var lost *lostError
	switch {
	case errors.As(err, &said):
		return said.what()
	case errors.Is(err, errWire), errors.Is(err, rowstore.ErrRefused), errors.Is(err, rowstore.ErrLimit):
		return broken
	case errors.As(err, &lost):
		return relocate // its server may be gone for good
	case errors.Is(err, context.DeadlineExceeded):
		return relocate // likewise
	}
	return relocate // no server accepted a connection
}
