package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"syscall"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// The kinds of errors.
var (
	ErrNotFound   = errors.New("blob: not found")
	ErrEmpty      = errors.New("blob: no files") // a pattern, folder or list without files
	ErrPermission = errors.New("blob: permission denied")
	ErrSyntax     = errors.New("blob: bad syntax") // an invalid pattern, name or list
	ErrChanged    = errors.New("blob: changed")    // an object was replaced or deleted while it was open
)

// errNotRegular has no exported kind: only Unreadable tests for it.
var errNotRegular = errors.New("not a regular file")

// notRegular names the type of a path that is not a regular file.
func notRegular(mode fs.FileMode) error {
	// The bits exclude each other, except for ModeCharDevice, which comes with ModeDevice.
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("a named pipe, %w", errNotRegular)
	case mode&fs.ModeSocket != 0:
		return fmt.Errorf("a socket, %w", errNotRegular)
	case mode&fs.ModeDevice != 0:
		return fmt.Errorf("a device, %w", errNotRegular)
	}
	return errNotRegular
}

// Unreadable reports whether err says that this one file cannot be read, though others may be, and why in the system's
// words. The file may be gone, forbidden on a disk, on a bad sector, or on a server that gives no length. It returns
// false if a file was replaced or this process lacks a resource. A silent server may answer later, so the result is
// false too. It is also false if a server refuses us: otherwise expired credentials would turn all remaining files into
// rejects.
func Unreadable(err error) (why string, is bool) {
	// Tested first, because these may also wrap an error of the system.
	if errors.Is(err, ErrChanged) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return "", false
	}
	// Limits of this process or machine: all further files would fail too, and each would be called damaged.
	for _, ours := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, ours) {
			return "", false
		}
	}
	var system *fs.PathError
	// Errors of the system about that path: EIO, EACCES, ENOENT, ELOOP and so on.
	if errors.As(err, &system) {
		return system.Err.Error(), true
	}
	for _, kind := range []error{ErrNotFound, errNotRegular, errors.ErrUnsupported} {
		// Both must hold: the kind says that the error concerns this file, and only an InputError has a readable
		// reason.
		var said *InputError
		if errors.Is(err, kind) && errors.As(err, &said) {
			return said.Reason, true
		}
	}
	return "", false
}

// InputError says why an argument, or a line of a list, cannot be used. It shows no secret. It matches one of the Err
// kinds, or errors.ErrUnsupported.
type InputError struct {
	Arg    string // as the user wrote it
	Reason string // for a person
	Err    error  // the kind, or the error of the operating system or the cloud
}

// Error returns one line for a terminal, for any argument.
func (e *InputError) Error() string { return schemas.Printable(e.Arg + ": " + e.Reason) }

// Unwrap returns the kind or cause.
func (e *InputError) Unwrap() error { return e.Err }

// kinded gives a cause one of this package's kinds. Both match with errors.Is and errors.As; the text is the cause's,
// which says more.
type kinded struct{ kind, cause error }

func (k kinded) Error() string   { return k.cause.Error() }
func (k kinded) Unwrap() []error { return []error{k.kind, k.cause} }

// inputError wraps a system error about arg in an InputError. Errors of a context stay unchanged. The order matters: a
// missing bucket also has status 404, and the message for it says more than one for a missing file.
func inputError(arg string, err error) error {
	var have *InputError
	switch code := StatusOf(err); {
	// An existing InputError keeps its argument, which may be a line of a list.
	case errors.As(err, &have), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case noBucket(err):
		return &InputError{arg, "no such bucket", kinded{ErrNotFound, err}}
	case errors.Is(err, fs.ErrNotExist), code == http.StatusNotFound:
		return &InputError{arg, "no such file", kinded{ErrNotFound, err}}
	case errors.Is(err, fs.ErrPermission), code == http.StatusForbidden, code == http.StatusUnauthorized:
		return &InputError{arg, "permission denied", kinded{ErrPermission, err}}
	}
	// The cause determines the kind. Its text may hold a URL, so secrets are removed.
	return &InputError{arg, secret.Error(err).Error(), err}
}

// Changed returns the error for a file that was replaced or deleted.
func Changed(name string) error {
	return &InputError{name, "it was replaced or deleted since the run began", ErrChanged}
}

// OfKind gives a cause one of this package's kinds.
func OfKind(kind, cause error) error { return kinded{kind, cause} }

// Unmatched gives failures of a condition the kind ErrChanged. S3 answers 409 for two concurrent conditional writes,
// and 412 for a failed condition. Both mean that another process was first.
func Unmatched(err error) error {
	if code := StatusOf(err); code == http.StatusPreconditionFailed || code == http.StatusConflict {
		return OfKind(ErrChanged, err)
	}
	return err
}

// StatusOf returns the HTTP status with which a server refused a request, or 0.
func StatusOf(err error) int {
	var ours *statusError
	if errors.As(err, &ours) {
		return ours.code
	}
	// The order of the map does not matter: a driver returns 0 for errors from other libraries.
	for _, d := range drivers {
		if code := d.Status(err); code != 0 {
			return code
		}
	}
	return 0
}

func noBucket(err error) bool {
	for _, d := range drivers {
		if d.NoBucket(err) {
			return true
		}
	}
	return false
}
