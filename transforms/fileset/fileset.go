// Package fileset finds the files of published datasets and checks them, as Sandcrawler's fileset ingest does: for a
// request it finds the landing page, tells the platform, reads from its API which files there are, chooses how they are
// archived, and looks whether each of them is there with the size and the hashes that the platform states.
//
//	result, err := fileset.Ingest(ctx, request, source, fileset.Options{})
//
// It is pure: what URLs answered it asks a [Source], be that captures of archives or the live web. Everything that a
// server said is hostile: bodies, lists, names and depths are bounded.
//
// Sources: the proposal "Fileset Ingest Pipeline (for Datasets)" of Sandcrawler, 2021, and the documented APIs of the
// platforms, each named in the platform's file.
package fileset

import (
	"context"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of what is made of the same answers.
const Version = "1"

// Purpose says what a URL is asked for.
type Purpose string

// The purposes.
const (
	Landing Purpose = "landing" // the page that describes the dataset
	API     Purpose = "api"     // what the platform says of it in JSON
	File    Purpose = "file"
	Bundle  Purpose = "bundle" // all files as one
)

// Source says what URLs answered. Its methods may be called by several goroutines at the same time.
type Source interface {
	// Get follows redirects from url to an answer that is not one, and returns that answer whatever its status is. When
	// there is none, the error is a *StatusError, with the status of the phase: no-capture, redirect-loop, … Every
	// other error is the source's own, and ends the run.
	Get(ctx context.Context, url string, want Want) (*Resource, error)
}

// Want says what is wanted of a URL.
type Want struct {
	Purpose Purpose
	MIME    string // that is preferred among several captures; "" for any
	// Recrawl wants an answer of now from sources that can give one.
	Recrawl bool
}

// Resource is an answer.
type Resource struct {
	Hops   []string // URLs from the one asked for to URL, without repeating that
	URL    string   // whose answer it is
	DT     string   // when it was given, 14 digits, UTC
	Status int      // of HTTP; 226 for a file that FTP gave
	MIME   string   // as declared, with its parameters
	// Encoding is the content coding that Body is still in, as declared: gzip, …; "" when there is none.
	Encoding string
	// Links are the Link header fields of the answer, as they stand.
	Links      []string
	CDX        *schemas.CDXRow // nil from live sources
	RevisitCDX *schemas.CDXRow
	// Identity names the bytes of Body, so that what was verified once need not be again: a record of an archive in its
	// version. "" when there is no such name.
	Identity string
	// Body is the payload, transfer codings undone; the caller closes it. A body that breaks off gives
	// io.ErrUnexpectedEOF.
	Body io.ReadCloser
}

// StatusError is an end of a request, or of one of its files, that is not a failure of ours: its status says which.
type StatusError struct {
	Status  string
	Message string   // for people
	Missing []string // URLs that have no capture
}

func (e *StatusError) Error() string {
	if e.Message == "" {
		return e.Status
	}
	return e.Status + ": " + e.Message
}

// Sink gets the results of units beside the output folder. Its methods may be called by several goroutines.
type Sink interface {
	// Begin begins a unit, by the name that it has in each run with the same requests.
	Begin(ctx context.Context, unit string) (SinkWriter, error)
	// Close ends connections, after all writers have ended.
	Close() error
}

// SinkWriter takes the results of one unit, in their order. Any unit may be begun again: what is there afterwards is as
// if it had been written once.
type SinkWriter interface {
	// Write takes a result and, of a dataset of one file, that file's; which is nil otherwise.
	Write(result *schemas.FilesetResult, file *schemas.FileResult) error
	// Commit returns when all is there.
	Commit() error
	// Abort gives the unit up. After Commit it does nothing.
	Abort()
}

// Platform is where datasets are published.
type Platform interface {
	// Name is the platform_name of results.
	Name() string
	// Match reports whether a landing page is one of the platform.
	Match(p *Page) bool
	// Process asks what the platform says of the dataset. Errors are *StatusError, or the Asker's.
	Process(p *Page, ask Asker) (schemas.FilesetPlatformItem, error)
}

// Asker gets a document of a platform's API, whose status is 200 and which is at most 64 MiB long. Other statuses are
// an *HTTPError; what no archive has is a *StatusError with StatusPlatformNoCapture.
type Asker func(url string) ([]byte, error)

// HTTPError is an answer of an API that is not a success.
type HTTPError struct {
	URL    string
	Status int
}

// Page is a landing page.
type Page struct {
	Request *schemas.FilesetRequest
	URL     string   // where redirects ended
	DT      string   // when, 14 digits; "" where that is not known
	HTML    []byte   // the body, when it is HTML or XHTML; else nil
	Links   []string // Link header fields
	Biblio  *schemas.Biblio
}

// Day is the day of the page, as YYYY-MM-DD: what a platform opens or closes by a date, it did or did not do by then.
// "" when it is not known.
func (p *Page) Day() string {
	if len(p.DT) != len("20060102150405") {
		return ""
	}
	return p.DT[:4] + "-" + p.DT[4:6] + "-" + p.DT[6:8]
}

func (e *HTTPError) Error() string { return fmt.Sprintf("%s: HTTP status %d", e.URL, e.Status) }
