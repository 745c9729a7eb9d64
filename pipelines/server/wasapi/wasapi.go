// Package wasapi lists the archives of collections, and gives them, by the Web Archiving Systems API (WASAPI 1.0, "Data
// transfer APIs"): so that tools that fetch archives from Archive-It or Webrecorder fetch them from here.
//
//	/wasapi/v1/webdata                 files with sizes, checksums and addresses, in pages
//	/wasapi/v1/files/{collection}/{n}  the n-th of them, with ranges
//
// What is listed is what the runs of a collection read, from the manifest; nothing else can be fetched.
package wasapi

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// Handler answers for the collections of views.
type Handler struct {
	v        *view.Views
	archives string
}

// New makes a handler. archives is the folder that archives are looked for in first; "" for where they were.
func New(v *view.Views, archives string) *Handler { return &Handler{v, archives} }

// The paths.
const (
	Prefix  = "/wasapi/v1/"
	webdata = Prefix + "webdata"
	files   = Prefix + "files/"
)

// ServeHTTP answers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var err error
	switch {
	case r.URL.Path == webdata:
		err = h.list(w, r)
	case strings.HasPrefix(r.URL.Path, files):
		err = h.file(w, r, strings.TrimPrefix(r.URL.Path, files))
	default:
		err = notFound("There is no such resource of WASAPI")
	}
	if err != nil {
		api.WriteError(w, err)
	}
}

// notFound is a 404 that says where to begin.
func notFound(title string) error {
	return &view.Error{Kind: view.NotFound, Title: title, Remedy: "GET /wasapi/v1/webdata lists the files."}
}

// File is a file, in WASAPI's words.
type File struct {
	Filename string `json:"filename"`
	Filetype string `json:"filetype"`
	// Always empty: the manifest has no checksum of whole archives.
	Checksums  map[string]string `json:"checksums"`
	Account    string            `json:"account,omitempty"`
	Size       int64             `json:"size"`
	Collection string            `json:"collection"`
	Locations  []string          `json:"locations"`
}

// Page is a page of files.
type Page struct {
	Count    int     `json:"count"`
	Previous *string `json:"previous"`
	Next     *string `json:"next"`
	Files    []File  `json:"files"`
	// RequestURL is what was asked, as WASAPI wants it told.
	RequestURL string `json:"request-url"`
	// IncludesExtra says whether files may hold more than was asked for: whole archives do.
	IncludesExtra bool `json:"includes-extra"`
}

// perPage is how many files a page has.
const perPage = 100

// list answers with a page of files. The whole list is made for each page: it comes from the manifest
// in memory.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	n := 1
	if text := values.Get("page"); text != "" {
		var err error
		// The upper bound keeps the product with perPage within an int64.
		if n, err = strconv.Atoi(text); err != nil || n < 1 || n > 1<<30 {
			return &view.Error{
				Kind: view.Invalid, Title: "The request cannot be read", Detail: "page takes a number from 1.",
				Param: "page", Value: text,
			}
		}
	}
	all, err := h.all(r, values.Get("collection"), values.Get("filename"))
	if err != nil {
		return err
	}
	// An empty slice and not nil: clients expect [] where there are no files.
	p := Page{Count: len(all), Files: []File{}, RequestURL: base(r) + r.URL.RequestURI(), IncludesExtra: true}
	from := min(len(all), (n-1)*perPage)
	p.Files = append(p.Files, all[from:min(len(all), from+perPage)]...)
	if n > 1 {
		p.Previous = pageLink(r, values, n-1)
	}
	if from+perPage < len(all) {
		p.Next = pageLink(r, values, n+1)
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(p)
}

// pageLink is the address of another page of the same question. It changes values, which the request
// does not own.
func pageLink(r *http.Request, values url.Values, n int) *string {
	values.Set("page", strconv.Itoa(n))
	link := base(r) + webdata + "?" + values.Encode()
	return &link
}

// base is the beginning of absolute URLs, as the asker knows the server. A forged header changes only
// the links in the answer to whoever forged it.
func base(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// all are the files of a collection, or of all, whose names a pattern with stars fits; "" for any.
func (h *Handler) all(r *http.Request, name, pattern string) (list []File, err error) {
	names := h.v.Names()
	if name != "" {
		names = []string{name}
	}
	for _, c := range names {
		archives, release, err := h.archivesOf(r, c)
		if err != nil {
			if name == "" && view.Need(r.Context(), view.Viewer) == nil {
				continue // an empty collection among others
			}
			return nil, err
		}
		// What is taken from the manifest are values, which need no open file.
		release()
		for i, a := range archives {
			file := path.Base(a.File)
			// A pattern that cannot be read fits nothing. A star stops at slashes, of which a base name has none.
			if ok, err := path.Match(pattern, file); pattern != "" && (err != nil || !ok) {
				continue
			}
			list = append(list, File{
				Filename: file, Filetype: typeOf(a.Format), Checksums: map[string]string{}, Size: a.End, Collection: c,
				Locations: []string{fmt.Sprintf("%s%s%s/%d", base(r), files, url.PathEscape(c), i)},
			})
		}
	}
	return list, nil
}

// typeOf is WASAPI's word for a format.
func typeOf(format string) string {
	// Formats are written as warc+gzip; WASAPI's filetype is the format alone.
	kind, _, _ := strings.Cut(format, "+")
	return kind
}

// archivesOf are the files that a collection was read from, each whole, by name.
func (h *Handler) archivesOf(r *http.Request, name string) ([]schemas.Range, func(), error) {
	now, release, err := h.v.Open(r.Context(), name)
	if err != nil {
		return nil, nil, err
	}
	byName := map[string]schemas.Range{}
	for _, u := range now.Manifest.Units {
		for _, in := range u.Inputs {
			// Crawls and other sources that are no file of an archive format have nothing to be
			// fetched.
			if in.Kind() != schemas.KindFile || in.Format == "" {
				continue
			}
			// A file in several ranges ends where the last of them does.
			if known, is := byName[in.File]; !is || in.End > known.End {
				in.Start = 0
				byName[in.File] = in
			}
		}
	}
	list := make([]schemas.Range, 0, len(byName))
	for _, in := range byName {
		list = append(list, in)
	}
	// By name, since numbers in addresses count in this order and a map has none.
	slices.SortFunc(list, func(a, b schemas.Range) int { return strings.Compare(a.File, b.File) })
	return list, release, nil
}

// file gives a file, or a range of it.
func (h *Handler) file(w http.ResponseWriter, r *http.Request, rest string) error {
	name, number, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(number)
	if err != nil || name == "" {
		return notFound("There is no such file")
	}
	list, release, err := h.archivesOf(r, name)
	if err != nil {
		return err
	}
	defer release()
	if n < 0 || n >= len(list) {
		return notFound("There is no such file")
	}
	// The number picks a name of the manifest; nothing of the request becomes part of a path.
	f, err := h.open(r, list[n].File)
	if err != nil {
		return &view.Error{
			Kind: view.NotFound, Title: "The archive cannot be read", Detail: err.Error(),
			Remedy: "Start the server with --archives=FOLDER.",
		}
	}
	defer func() { _ = f.Close() }() // it is only read
	// An archive, whatever is in it, is no page.
	w.Header().Set("Content-Type", "application/octet-stream")
	file := mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(list[n].File)})
	w.Header().Set("Content-Disposition", file)
	// No time of change is known, so there is no Last-Modified; ranges and HEAD are ServeContent's
	// work. The section gives it the io.ReadSeeker that it needs on top of ReadAt.
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, f.Size()))
	return nil
}

// open opens an archive of the manifest: in the folder of archives, or where it was.
func (h *Handler) open(r *http.Request, name string) (blob.Object, error) {
	store := h.v.Store()
	if store == nil {
		return nil, fmt.Errorf("this server reads no archives")
	}
	if h.archives != "" {
		// The base name, since archives are moved to another folder or bucket as they are. An error
		// here is not the end: where ingest found it may still be right.
		if f, err := store.Open(r.Context(), strings.TrimSuffix(h.archives, "/")+"/"+path.Base(name)); err == nil {
			return f, nil
		}
	}
	return store.Open(r.Context(), name)
}
