package hbase

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// serverError is an exception of the server.
// It is known by its class alone: the text is for people, and changes from version to version.
type serverError struct {
	class   string // RegionTooBusyException, without the Java package
	message string // the first line of its stack trace
	final   bool   // the server says that nobody should try again
}

func (e *serverError) Error() string {
	if e.message == "" {
		return e.class
	}
	return e.message
}

// ErrMissing is a table or a family that is not there. It is an ErrRefused, too.
var ErrMissing = errors.New("there is no such table or family")

// Unwrap is rowstore.ErrRefused for what is wrong with the request.
func (e *serverError) Unwrap() []error {
	switch {
	// Both kinds: callers make what is missing, and others only see a refusal.
	case e.class == "NoSuchColumnFamilyException", e.class == "TableNotFoundException":
		return []error{ErrMissing, rowstore.ErrRefused}
	case e.what() == refused:
		return []error{rowstore.ErrRefused}
	}
	return nil
}

// lostError is the end of a connection.
// The server may or may not have done what it was asked. All that this package asks can be asked again.
type lostError struct{ err error }

func (e *lostError) Error() string { return fmt.Sprintf("the connection has ended: %v", e.err) }
func (e *lostError) Unwrap() error { return e.err }

// maxMessage bounds what is kept of a stack trace.
const maxMessage = 300

// parseException reads an ExceptionResponse. RPC.proto.
func parseException(m []byte) error {
	var name, trace string
	e := &serverError{}
	err := each(m, func(field protowire.Number, v uint64, b []byte) error {
		switch field {
		// A server's stack trace may be megabytes. It is cut as bytes; ToValidUTF8 mends what the cut leaves.
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

// The trace begins with the class and its package, "org.apache.…": the package says nothing to people.
func (e *serverError) of(name, trace string) error {
	// Behind the package, or after the class that it is declared in.
	e.class = name[strings.LastIndexAny(name, ".$")+1:]
	first, _, _ := strings.Cut(trace, "\n")
	e.message = strings.TrimSpace(strings.ToValidUTF8(strings.TrimPrefix(first, name[:len(name)-len(e.class)]), "\uFFFD"))
	// The trace was kept longer than this, for the class and its package before the message.
	// A character that the cut goes through is left out.
	e.message = strings.ToValidUTF8(e.message[:min(len(e.message), maxMessage)], "")
	return e
}

// parseNamedException reads the exception of one action of several, a NameBytesPair: the class and its trace.
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

// remedy is what helps against an error.
// The order counts: from refused on, nothing helps.
type remedy int

const (
	again    remedy = iota // wait, and try again
	relocate               // the region is elsewhere: ask where, and try again
	reopen                 // of a scanner: begin another one
	refused                // nothing: the request is wrong
	broken                 // nothing
)

// remedies are those of exceptions whose remedy is not to try again. "A later attempt may find it elsewhere" is true
// of a server that is going down, too.
var remedies = map[string]remedy{
	"NotServingRegionException":       relocate,
	"RegionMovedException":            relocate,
	"RegionOpeningException":          relocate,
	"RegionServerStoppedException":    relocate,
	"RegionServerAbortedException":    relocate,
	"ServerNotRunningYetException":    relocate,
	"WrongRegionException":            relocate, // a region was divided
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
	// DoNotRetryIOException is the class of most limits of a request, "Cell … is over the limit" among them.
	if e.final || e.class == "DoNotRetryIOException" {
		return refused
	}
	return again
}

// remedyOf is what helps against an error of a call.
// What is not known is tried again, for the time that patience has: an error without success costs seconds, one that
// ends a long run costs hours.
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
	return relocate // no server could be connected
}
