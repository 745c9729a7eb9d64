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
	ErrEmpty      = errors.New("blob: no files") // a pattern, folder or list that comes to nothing
	ErrPermission = errors.New("blob: permission denied")
	ErrSyntax     = errors.New("blob: bad syntax") // a pattern, name or list that cannot be read
	ErrChanged    = errors.New("blob: changed")    // an object was replaced or deleted while it was open
)

// errNotRegular has no kind of its own that others could ask for: only Unreadable does.
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
// words: it is gone, no file, forbidden on a disk, on a bad sector, or on a server that does not say how long it is.
// It is not so where a file was replaced meanwhile, where this process has run out of something, where a server that
// answers nothing may answer later, and where one refuses us: credentials that expired would make rejects of all that
// is left.
func Unreadable(err error) (why string, is bool) {
	// First, because these may wrap an error of the system as well.
	if errors.Is(err, ErrChanged) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return "", false
	}
	// Limits of this process or machine: all further files would fail likewise, and each be called damaged.
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
		// Both must hold. The kind says that it is about this file, and only an InputError has words for a person.
		var said *InputError
		if errors.Is(err, kind) && errors.As(err, &said) {
			return said.Reason, true
		}
	}
	return "", false
}

// InputError says which argument, or which line of which list, cannot be used and why, and tells no secret. It matches
// one of the Err kinds, or errors.ErrUnsupported.
type InputError struct {
	Arg    string // as the user wrote it
	Reason string // for a person
	Err    error  // the kind, or what the operating system or the cloud said
}

// Error is fit for one line of a terminal, whatever the argument is.
func (e *InputError) Error() string { return schemas.Printable(e.Arg + ": " + e.Reason) }

// Unwrap returns the kind or cause.
func (e *InputError) Unwrap() error { return e.Err }

// kinded gives a cause one of this package's kinds.
// Both can be asked for with errors.Is and errors.As; the text is the cause's alone, which says more.
type kinded struct{ kind, cause error }

func (k kinded) Error() string   { return k.cause.Error() }
func (k kinded) Unwrap() []error { return []error{k.kind, k.cause} }

// inputError makes what the system said of arg an InputError. Errors of a context stay what they are.
// The order matters: a missing bucket is status 404 as well, and says more than a missing file.
func inputError(arg string, err error) error {
	var have *InputError
	switch code := StatusOf(err); {
	// An error that is one already keeps the argument that it was made for, which may be a line of a list.
	case errors.As(err, &have), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case noBucket(err):
		return &InputError{arg, "no such bucket", kinded{ErrNotFound, err}}
	case errors.Is(err, fs.ErrNotExist), code == http.StatusNotFound:
		return &InputError{arg, "no such file", kinded{ErrNotFound, err}}
	case errors.Is(err, fs.ErrPermission), code == http.StatusForbidden, code == http.StatusUnauthorized:
		return &InputError{arg, "permission denied", kinded{ErrPermission, err}}
	}
	// The kind stays what the cause is: nothing here knows better. Its text may hold a URL, so secrets are taken
	// out.
	return &InputError{arg, secret.Error(err).Error(), err}
}

// Changed says that a file is not what it was.
func Changed(name string) error {
	return &InputError{name, "it was replaced or deleted since the run began", ErrChanged}
}

// OfKind gives a cause one of this package's kinds.
func OfKind(kind, cause error) error { return kinded{kind, cause} }

// Unmatched tells failures of a condition from others.
// S3 answers 409 where two conditional writes meet, and 412 where the condition has failed; for us both mean that
// somebody else was there.
func Unmatched(err error) error {
	if code := StatusOf(err); code == http.StatusPreconditionFailed || code == http.StatusConflict {
		return OfKind(ErrChanged, err)
	}
	return err
}

// StatusOf is the HTTP status that a server refused a request with, or 0.
func StatusOf(err error) int {
	var ours *statusError
	if errors.As(err, &ours) {
		return ours.code
	}
	// The order of a map does not matter: a driver returns 0 for errors that are not of its library.
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
