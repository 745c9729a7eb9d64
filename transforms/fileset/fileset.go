// Package fileset finds and verifies the files of published datasets, like Sandcrawler's fileset ingest. For a request
// it finds the landing page and the platform, and reads the list of files from the platform's API. Then it chooses how
// to archive them, and checks each for the size and hashes that the platform states.
//
//	result, err := fileset.Ingest(ctx, request, source, fileset.Options{})
//
// It is pure: responses come from a [Source], which reads archives or the live web. All responses may be hostile, so
// bodies, lists, names and depths are bounded.
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

// Version changes when the same responses give another result.
const Version = "2"

// Purpose says what a URL is requested for.
type Purpose string

const (
	Landing Purpose = "landing" // the page that describes the dataset
	API     Purpose = "api"     // the platform's description in JSON
	File    Purpose = "file"
	Bundle  Purpose = "bundle" // all files in one
)

// Source returns the responses of URLs. Its methods may be called concurrently.
type Source interface {
	// Get follows redirects from url and returns the final response with any status. Without one, the error is a
	// *StatusError with the status of the phase: no-capture, redirect-loop and so on. Any other error is the source's
	// own, and ends the run.
	Get(ctx context.Context, url string, want Preference) (*Resource, error)
}

// Preference describes the wanted response.
type Preference struct {
	Purpose Purpose
	MIME    string // preferred among several captures; "" for any
	// Recrawl requests a fresh response from sources that can give one.
	Recrawl bool
}

// Resource is a response.
type Resource struct {
	Hops   []string // URLs from the requested one to URL, without repeating URL
	URL    string   // final URL
	DT     string   // time of the response, 14 digits, UTC
	Status int      // of HTTP; 226 for a file from FTP; 0 if the archive has none
	MIME   string   // as declared, with parameters
	// Encoding is the declared content coding of Body, such as gzip, or "".
	Encoding string
	// Links are the Link header fields, unparsed.
	Links      []string
	CDX        *schemas.CDXRow // nil for live sources
	RevisitCDX *schemas.CDXRow
	// Identity names the bytes of Body, such as a record in a version of an archive, so that they need not be verified
	// again. It may be "".
	Identity string
	// Body is the payload, transfer codings undone; the caller closes it. A truncated body gives io.ErrUnexpectedEOF.
	Body io.ReadCloser
}

// StatusError ends a request or one of its files with a status; it is not an error of ours.
type StatusError struct {
	Status  string
	Message string   // for people
	Missing []string // URLs without a capture
}

func (e *StatusError) Error() string {
	if e.Message == "" {
		return e.Status
	}
	return e.Status + ": " + e.Message
}

// Sink receives the results of units in addition to the output folder. Its methods may be called concurrently.
type Sink interface {
	// Begin begins a unit, whose name is the same in each run with the same requests.
	Begin(ctx context.Context, unit string) (SinkWriter, error)
	// Close closes connections, after all writers have ended.
	Close() error
}

// SinkWriter receives the results of one unit in order. A unit may begin again; the outcome is the same as writing it
// once.
type SinkWriter interface {
	// Write writes a result and, for a dataset of one file, that file's; otherwise file is nil.
	Write(result *schemas.FilesetResult, file *schemas.FileResult) error
	// Commit returns when all data is stored.
	Commit() error
	// Abort drops the unit. After Commit it does nothing.
	Abort()
}

// Platform is a place where datasets are published.
type Platform interface {
	// Name is the platform_name of results.
	Name() string
	// Match reports whether a landing page belongs to the platform.
	Match(p *Page) bool
	// Process reads the platform's description of the dataset. Errors are *StatusError, or the Asker's.
	Process(p *Page, ask Asker) (schemas.FilesetPlatformItem, error)
}

// Asker gets a document of a platform's API with status 200 and at most 64 MiB. Other statuses are an *HTTPError; a
// document without a capture is a *StatusError with StatusPlatformNoCapture.
type Asker func(url string) ([]byte, error)

// HTTPError is a response of an API without success.
type HTTPError struct {
	URL    string
	Status int
}

type Page struct {
	Request *schemas.FilesetRequest
	URL     string   // after redirects
	DT      string   // time of the response, 14 digits; "" if unknown
	HTML    []byte   // the body if it is HTML or XHTML, else nil
	Links   []string // Link header fields
	Biblio  *schemas.Biblio
}

// Day is the day of the page as YYYY-MM-DD, or "". Platforms open or close datasets by date.
func (p *Page) Day() string {
	if len(p.DT) != len("20060102150405") {
		return ""
	}
	return p.DT[:4] + "-" + p.DT[4:6] + "-" + p.DT[6:8]
}

func (e *HTTPError) Error() string { return fmt.Sprintf("%s: HTTP status %d", e.URL, e.Status) }
