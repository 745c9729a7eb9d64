package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Service holds files. Names are whole, with their scheme. Its methods may be called at the same time.
type Service interface {
	// Stat describes one file. The error has the status 404 when there is none.
	Stat(ctx context.Context, name string) (Info, error)
	// List describes, in any order, all files whose names begin with prefix.
	List(ctx context.Context, prefix string, found func(Info)) error
	// Get streams n bytes from off of the file in the version that info describes. It tries once. The error matches
	// ErrChanged when that version is gone. A body that is of the whole file instead is a Whole.
	Get(ctx context.Context, info Info, off, n int64) (io.ReadCloser, error)
	Close() error
}

// Writable is a Service that can be written to. Each method is one attempt.
type Writable interface {
	Service
	// Put writes a file whole or not at all. The error matches ErrChanged when the file is not in the version replaced,
	// unless that is "".
	Put(ctx context.Context, name string, body *io.SectionReader, replaced string) (Info, error)
	Copy(ctx context.Context, from, to string) error
	// Remove removes a file, which may be gone already.
	Remove(ctx context.Context, name string) error
	// Sweep removes what uploads beneath prefix that were broken off have left.
	Sweep(ctx context.Context, prefix string) error
}

// Driver is how the services of a scheme are reached, and what their errors mean.
type Driver struct {
	Connect  func(context.Context, Options) (Service, error)
	Status   func(error) int  // the HTTP status that an error stands for, 0 when it is not one of the service's
	NoBucket func(error) bool // the bucket itself is not there
}

// drivers are those that the program imports, by scheme. They are written at its start alone.
// No lock is needed: init functions run one after the other, before main.
var drivers = map[string]Driver{}

// Register makes the names of a scheme known. It is called by the init functions of packages gs and s3, so that their
// client libraries are a part of those programs only that import them.
func Register(scheme string, d Driver) { drivers[scheme] = d }

// unsupported lists the supported schemes; the scheme of the given name is not one of them.
func unsupported(name string) error {
	// Sorted, because the order of a map differs from run to run, and a message should not.
	var schemes strings.Builder
	for _, s := range slices.Sorted(maps.Keys(drivers)) {
		schemes.WriteString(s + "://, ")
	}
	reason := "only paths and " + schemes.String() + "http:// and https:// names can be read"
	if s := scheme(name); s == "gs" || s == "s3" {
		// Commands need the build tag; other programs need the import.
		reason += ": this program was built without " + s + "://; build it without -tags local, or import io/storage/" + s
	}
	return &InputError{name, reason, errors.ErrUnsupported}
}

// PartBytes is how much of an upload is sent at a time.
// Larger parts make fewer requests, smaller ones less memory: each upload that goes on holds one.
const PartBytes = 16 << 20

// ByteRange is the value of a Range field.
// Both ends are in the range (RFC 9110, section 14.1.2).
func ByteRange(off, n int64) string { return fmt.Sprintf("bytes=%d-%d", off, off+n-1) }

// SplitBucket divides "gs://bucket/object", and likewise names of other schemes.
func SplitBucket(name string) (bucket, object string, err error) {
	_, rest, _ := strings.Cut(name, "://")
	bucket, object, _ = strings.Cut(rest, "/")
	// A user in front of the bucket, or a query after the object, would be sent nowhere, and the bucket be asked
	// for without them.
	if secret.Hides(name) {
		return "", "", &InputError{name, "credentials are no part of a bucket's name: docs/object-storage.md says where " +
			"they are taken from", ErrSyntax}
	}
	// Patterns are for objects: buckets are not listed, which needs rights of another kind.
	if bucket == "" || strings.ContainsAny(bucket, meta) {
		return "", "", &InputError{name, "a bucket must be named", ErrSyntax}
	}
	return bucket, object, nil
}
