// Package blob finds and opens the files that archives are read from: on local disks, on the web, and in Google Cloud
// Storage and S3 where the program imports packages gs and s3 for that.
//
// [Store.Expand] turns what a user writes on a command line into a sorted list of files: names, folders, patterns,
// lists of names. [Store.Open] opens one of them for ranged reads, which is what a worker needs that starts in the
// middle of a file. Nothing here looks into a file: its format is recognised by its content, elsewhere. [Store.Put]
// writes whole objects; package folder makes folders of them.
//
//	store := blob.New(blob.Options{})
//	defer store.Close()
//	files, err := store.Expand(ctx, []string{"crawls/**/*.warc.gz", "gs://bucket/2025/"}, os.Stdin)
//	// …
//	object, err := store.Open(ctx, files[0].Name)
//
// What Expand takes:
//
//	name          a file, or a folder with all files beneath it
//	pattern       * and ? within a folder, [a-z], [!a-z], {a,b}, and ** across folders; a file that has
//	              such a name itself is taken literally
//	gs://b/name   an object, or all objects beneath gs://b/name/; patterns likewise
//	s3://b/name   likewise
//	https://…     one file; http:// too. Of a server that gives no parts of files it is kept in the folder for
//	              temporary files while it is read
//	@list.txt     a file with one of the above on each line; relative names are relative to its folder; blank
//	              lines and lines that begin with # are skipped; the list may be any of the above itself and
//	              be compressed by gzip. Where there is a zero byte, names end with these and not with lines
//	-             such a list on standard input, relative names relative to the working directory; or the archive
//	              that Options.Stdin holds
//
// Files and folders whose name begins with a dot are skipped, unless they are named. Links to folders are followed,
// once for each folder, but not by **. One file is listed once, however it is named: see [Twice].
//
// Arguments and lists name local files as the system does, in any bytes. The names in Info, and those that Open takes,
// are those of [schemas.NameOf]: text, so that they stay what they are in JSON.
//
// The user and the query of a URL are in no name and no error: Info.Name is what [secret.Hide] makes of it, and Open
// takes either.
//
// Remote files are read in the version that they have when they are opened, or, by [Store.At], when they were found:
// one that is replaced meanwhile is [ErrChanged]. Requests that fail for a reason that may pass are made again, and
// streams that break or stall are taken up at the byte that they had reached.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// Info describes a file that Expand has found, or a group of files.
type Info struct {
	Name  string         // schemas.NameOf a cleaned path, or a URL; what Open takes. The folder of a group
	Size  int64          // bytes; the sum of a group
	Stamp string         // changes when the content does: "size-modification time in ns", a generation, an entity tag
	Group *schemas.Group // nil for a file
	// Modified is when the file, or the newest of a group, was last written; zero when the server does not say.
	Modified time.Time
	// Unreadable says why the file, which was met in a folder, or a whole folder cannot be read; empty when nothing is
	// known to be wrong.
	Unreadable string
}

// Object is an open file. ReadAt may be called by several goroutines at the same time.
type Object interface {
	io.ReaderAt
	io.Closer
	Name() string // as given to Open
	Size() int64  // bytes, when it was opened
}

// Options configure access to remote files; the zero value uses the defaults and credentials of the services' own
// libraries.
type Options struct {
	UserAgent string // sent along with each request
	// RequesterPays makes requests to requester-pays buckets at the user's expense: the name of the project that Google
	// bills. Amazon bills the account of the credentials and ignores the name.
	RequesterPays string
	PrivateHosts  bool // also read http and https URLs whose host is in a private network
	// GoogleEndpoint is a server that stands in for Google's, such as "http://host:1/storage/v1/"; it is called without
	// credentials. Servers that stand in for Amazon's are named by AWS_ENDPOINT_URL.
	GoogleEndpoint string
	Stdin          Stdin // what the argument "-" stands for, when that is an archive and no list

	Patience Patience // with servers that fail
}

// Stdin is an archive from standard input that was written to a file, or the zero value.
type Stdin struct {
	Name  string // that it goes by, also for Open
	Path  string // of the file
	Size  int64  // bytes
	Stamp string // as in Info
}

// Store finds and opens files. Its methods may be called by several goroutines at the same time.
type Store struct {
	*services
	stamps map[string]string // of the versions that may be opened; others may be in any
}

// services are connections to remote stores, made on first use.
type services struct {
	o       Options
	mu      sync.Mutex
	remotes map[string]Service // by scheme
}

// New returns a Store. It connects to nothing until it has to.
func New(o Options) *Store {
	o.Patience = o.Patience.withDefaults()
	return &Store{services: &services{o: o, remotes: map[string]Service{}}}
}

// At returns a store that shares s's connections and opens the named files only in the versions that stamps, those of
// Info, tell: so that a file which changes during a run is an error and not a mixture.
func (s *Store) At(stamps map[string]string) *Store { return &Store{s.services, stamps} }

// Close ends the connections. The objects that are still open must not be read afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	// Removed from the map, too: a store that is used after Close connects again.
	for scheme, r := range s.remotes {
		errs = append(errs, r.Close())
		delete(s.remotes, scheme)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("blob: close: %w", err)
	}
	return nil
}

// Open opens the file called name, a path or a URL, for ranged reads. The error is an *InputError, or that of ctx.
// Reads of remote files end when ctx does.
func (s *Store) Open(ctx context.Context, name string) (Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The name may come from a user and hold secrets. From here on only the hidden form is used, which the errors repeat;
	// package secret knows the rest.
	name = secret.Hide(name)
	stamp := s.stamps[name]
	// The name of standard input is not a path of that file: it could be that of another one.
	if in := s.o.Stdin; in.Path != "" && name == in.Name {
		return openLocal(name, in.Path, "")
	}
	if scheme(name) == "" {
		return openLocal(name, schemas.PathOf(name), stamp)
	}
	r, err := s.remote(ctx, name)
	if err != nil {
		return nil, inputError(name, err)
	}
	// Asked for even where the stamp is known: the size is needed, and a file that has changed is better noticed
	// before the first byte than after it.
	info, err := r.Stat(ctx, name)
	if err == nil && stamp != "" && stamp != info.Stamp {
		err = Changed(name)
	}
	if err != nil {
		return nil, inputError(name, err)
	}
	// No request for content yet: many files are opened for a look at their end only.
	return &remoteObject{ctx: ctx, from: r, info: info, wait: s.o.Patience}, nil
}

// ReadFile reads the file called name, of which at most limit bytes. One that is not there is ErrNotFound.
func (s *Store) ReadFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	o, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	// It returns less if the file is longer than limit: only small files written for us are read here, and the rest of any
	// other would not help.
	data, err := io.ReadAll(io.NewSectionReader(o, 0, min(o.Size(), limit)))
	return data, errors.Join(err, o.Close())
}

// remote returns the service that name is of.
func (s *services) remote(ctx context.Context, name string) (Service, error) {
	// https and http are one service, with one pool of connections and one count of requests a host.
	kind := scheme(name)
	if kind == "https" {
		kind = "http"
	}
	// Held while connecting, so that two goroutines that come first do not make two services.
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.remotes[kind]; r != nil {
		return r, nil
	}
	// Connections outlive the call that first needs them.
	ctx = context.WithoutCancel(ctx)
	var r Service
	var err error
	if d, known := drivers[kind]; known {
		r, err = d.Connect(ctx, s.o)
	} else if kind == "http" {
		r = newWeb(s.o, s.o.Patience)
	} else {
		err = unsupported(name)
	}
	if err == nil {
		s.remotes[kind] = r
	}
	return r, err
}

// IsRemote reports whether name is of a file that is not on a local disk.
func IsRemote(name string) bool { return scheme(name) != "" }

// scheme returns the scheme of name in lower case, or "" for a path.
func scheme(name string) string {
	// A path may hold "://" too, if not near its start: what precedes has none of the characters that only
	// paths and patterns have.
	before, _, found := strings.Cut(name, "://")
	if !found || before == "" || strings.ContainsAny(before, `/\.*?[{`) {
		return ""
	}
	return strings.ToLower(before)
}

// localObject is an open local file.
type localObject struct {
	*os.File
	name string
	size int64
}

// A name and size from when it was opened: the size of a file that grows meanwhile stays what the plan was made
// for.
func (o *localObject) Name() string { return o.name }
func (o *localObject) Size() int64  { return o.size }

// openLocal opens the file at a path. A stamp that is not empty is that of the version that is wanted.
func openLocal(name, path, stamp string) (Object, error) {
	// Asked first, because opening a named pipe waits for a writer.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(info.Mode())
	}
	if err != nil {
		return nil, inputError(name, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, inputError(name, err)
	}
	// Asked again, of the file that is open: another may have taken the name since.
	if info, err = file.Stat(); err != nil {
		return nil, errors.Join(inputError(name, err), file.Close())
	}
	if stamp != "" && stamp != localStamp(info) {
		return nil, errors.Join(inputError(name, Changed(name)), file.Close())
	}
	return &localObject{file, name, info.Size()}, nil
}
