package blob

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"cloud.google.com/go/storage"
	"github.com/aws/smithy-go"
	"google.golang.org/api/googleapi"

	"github.com/gleaner-web/gleaner/io/secret"
)

// The kinds of errors.
var (
	ErrNotFound   = errors.New("blob: not found")
	ErrEmpty      = errors.New("blob: no files") // a pattern, folder or list that comes to nothing
	ErrPermission = errors.New("blob: permission denied")
	ErrSyntax     = errors.New("blob: bad syntax") // a pattern, name or list that cannot be read
	ErrChanged    = errors.New("blob: changed")    // an object was replaced or deleted while it was open
)

var errNotRegular = errors.New("not a regular file")

// InputError, which tells no secret, says which argument, or which line of which list, cannot be used and why. It matches one of the Err
// kinds, or errors.ErrUnsupported.
type InputError struct {
	Arg    string // as the user wrote it
	Reason string // for a person
	Err    error  // the kind, or what the operating system or the cloud said
}

func (e *InputError) Error() string { return e.Arg + ": " + e.Reason }

// Unwrap returns the kind or cause.
func (e *InputError) Unwrap() error { return e.Err }

// kinded gives a cause one of this package's kinds.
type kinded struct{ kind, cause error }

func (k kinded) Error() string   { return k.cause.Error() }
func (k kinded) Unwrap() []error { return []error{k.kind, k.cause} }

// inputError makes what the system said of arg an InputError. Errors of a context stay what they are.
func inputError(arg string, err error) error {
	var have *InputError
	switch code := statusOf(err); {
	case errors.As(err, &have), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, storage.ErrBucketNotExist), isCode(err, "NoSuchBucket"):
		return &InputError{arg, "no such bucket", kinded{ErrNotFound, err}}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, storage.ErrObjectNotExist), code == http.StatusNotFound:
		return &InputError{arg, "no such file", kinded{ErrNotFound, err}}
	case errors.Is(err, fs.ErrPermission), code == http.StatusForbidden, code == http.StatusUnauthorized:
		return &InputError{arg, "permission denied", kinded{ErrPermission, err}}
	}
	return &InputError{arg, secret.Error(err).Error(), err}
}

// isCode tells whether an error is what Amazon calls so.
func isCode(err error, code string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == code
}

func unsupported(name string) error {
	return &InputError{name, "only paths and gs://, s3://, http:// and https:// names can be read", errors.ErrUnsupported}
}

func changed(name string) error {
	return &InputError{name, "it was replaced or deleted since the run began", ErrChanged}
}

// statusOf is the HTTP status that a server refused a request with, or 0.
func statusOf(err error) int {
	var ours *statusError
	var google *googleapi.Error
	var amazon interface{ HTTPStatusCode() int }
	switch {
	case errors.As(err, &ours):
		return ours.code
	case errors.As(err, &google):
		return google.Code
	case errors.As(err, &amazon):
		return amazon.HTTPStatusCode()
	}
	return 0
}
