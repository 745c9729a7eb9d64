// Package wasapi lists and sends the archives of collections by the Web Archiving Systems API (WASAPI 1.0, "Data
// transfer APIs"). So tools that download archives from Archive-It or Webrecorder can download them from here.
//
//	/wasapi/v1/webdata                 files with sizes, checksums and addresses, in pages
//	/wasapi/v1/files/{collection}/{id}  one of them, with ranges
//
// The list has the files that the runs of a collection read, from the manifest. Nothing else can be downloaded. The id
// of a file is made from its name, so that its address stays the same when archives are added.
package wasapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// Handler answers for the collections of views.
type Handler struct {
	v    *view.Views
	sums *sums
	wait time.Duration
}

// maxWait is how long a request for a list waits for checksums: many proxies give up after 30 seconds.
const maxWait = 25 * time.Second

// New makes a handler. kept is the file that checksums are stored in; "" keeps them only in memory.
func New(v *view.Views, kept string) *Handler { return &Handler{v, newSums(kept), maxWait} }

// These are the paths.
const (
	Prefix  = "/wasapi/v1/"
	webdata = Prefix + "webdata"
	files   = Prefix + "files/"
)

// ServeHTTP answers a request.
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

// notFound returns a 404 that says where to begin.
func notFound(title string) error {
	return &view.Error{Kind: view.NotFound, Title: title, Remedy: "GET /wasapi/v1/webdata lists the files."}
}

// File is a file, with the names of WASAPI.
type File struct {
	Filename string `json:"filename"`
	Filetype string `json:"filetype"`
	// These are of the whole file, by the names of algorithms; the map is empty if the file cannot be read.
	Checksums  map[string]string `json:"checksums"`
	Account    string            `json:"account,omitempty"`
	Size       int64             `json:"size"`
	Collection string            `json:"collection"`
	Locations  []string          `json:"locations"`

	in schemas.Range
}

// Page is a page of files.
type Page struct {
	Count    int     `json:"count"`
	Previous *string `json:"previous"`
	Next     *string `json:"next"`
	Files    []File  `json:"files"`
	// RequestURL is the request's address, which WASAPI requires.
	RequestURL string `json:"request-url"`
	// IncludesExtra reports whether files may contain more than was requested. Whole archives do.
	IncludesExtra bool `json:"includes-extra"`
}

// list answers with a page of files. The whole list is made for each page, since it comes from the manifest in memory.
// Checksums are only computed for the page's files, and each file is read once for them.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	q, err := parse(values)
	if err != nil {
		return err
	}
	all, err := h.all(r, q)
	if err != nil {
		return err
	}
	// It is an empty slice and not nil: clients expect [] if there are no files.
	p := Page{Count: len(all), Files: []File{}, RequestURL: api.Base(r) + r.URL.RequestURI(), IncludesExtra: true}
	// A page after the last one is empty, without an error.
	from := min(len(all), (q.page-1)*q.size)
	p.Files = append(p.Files, all[from:min(len(all), from+q.size)]...)
	// They are also saved if the client has left meanwhile.
	defer h.sums.save()
	ctx, cancel := context.WithTimeout(r.Context(), h.wait)
	defer cancel()
	for i := range p.Files {
		if err := h.check(ctx, r, &p.Files[i]); err != nil {
			return notYet(r, i, len(p.Files), err)
		}
	}
	if q.page > 1 {
		p.Previous = pageLink(r, values, q.page-1)
	}
	if from+q.size < len(all) {
		p.Next = pageLink(r, values, q.page+1)
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(p)
}

// notYet returns the error for a list whose checksums are not finished. WASAPI requires them, and its clients consider
// a file without one damaged.
func notYet(r *http.Request, made, all int, err error) error {
	if r.Context().Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &view.Error{
		Kind: view.NotReady, Title: "The checksums of these files are not made yet",
		Detail: fmt.Sprintf("%d of %d files have theirs.", made, all), Retry: 1,
		Remedy: "Ask again: each request goes on where the one before stopped. A smaller page_size needs fewer.",
	}
}

// pageLink returns the address of another page of the same list. It changes values, which the request does not own.
func pageLink(r *http.Request, values url.Values, n int) *string {
	values.Set("page", strconv.Itoa(n))
	link := api.Base(r) + webdata + "?" + values.Encode()
	return &link
}

// all returns the matching files.
func (h *Handler) all(r *http.Request, q question) (list []File, err error) {
	names := q.collections
	// A request without a collection selects all of them.
	if len(names) == 0 {
		names = h.v.NamesFor(r.Context())
	}
	for _, c := range names {
		now, release, err := h.whole(r, c)
		if err != nil {
			// One that is empty, or is not all open to the reader, is left out of all. One that fails is not.
			e := (*view.Error)(nil)
			if len(q.collections) == 0 && errors.As(err, &e) && (e.Empty || e.Kind == view.Forbidden) {
				continue
			}
			return nil, err
		}
		captured, err := q.captured(r.Context(), now.DB)
		// The manifest's data are values, and need no open file.
		archives := filesOf(now.Manifest)
		release()
		if err != nil {
			return nil, err
		}
		names := namesOf(archives)
		for i, a := range archives {
			f := File{
				Filename: names[i], Filetype: typeOf(a.Format), Checksums: map[string]string{}, Size: a.End,
				Collection: c,
				Locations:  []string{api.Base(r) + files + url.PathEscape(c) + "/" + idOf(a)}, in: a,
			}
			if q.fits(f, captured) {
				list = append(list, f)
			}
		}
	}
	return list, nil
}

// whole opens a collection for readers of everything: a file has captures that rules keep from others.
func (h *Handler) whole(r *http.Request, name string) (now *shelf.Snapshot, release func(), err error) {
	now, release, err = h.v.Open(r.Context(), name)
	if err != nil {
		return nil, nil, err
	}
	if err := h.v.NeedWhole(r.Context(), name); err != nil {
		release()
		return nil, nil, err
	}
	return now, release, nil
}

// check sets the checksums of a file, unless ctx ends before they are computed. A file that cannot be read has none,
// and cannot be downloaded either.
func (h *Handler) check(ctx context.Context, r *http.Request, f *File) error {
	now, release, err := h.whole(r, f.Collection)
	if err != nil {
		return err
	}
	defer release()
	o, err := h.open(r, now.DB, f.in)
	if err != nil {
		return nil // see the function's comment
	}
	defer func() { _ = o.Close() }() // it is only read
	stamp := stampOf(r.Context(), h.v.Store(), o)
	if stamp == "" {
		ctx = r.Context() // nothing of it is kept for another request
	}
	sums, err := h.sums.of(ctx, o, stamp)
	if err == nil {
		f.Checksums = sums
		return nil
	}
	// A client that has left needs no answer; the computed part is kept for its next request.
	return ctx.Err()
}

// idOf returns the id of a file in addresses. It is 64 bits of its name's hash, which distinguish the files of one
// collection.
func idOf(a schemas.Range) string {
	sum := sha256.Sum256([]byte(a.File))
	return hex.EncodeToString(sum[:8])
}

// namesOf returns the names of downloaded files, without their folders, which belong to this machine. If files of
// different folders have the same name, their id comes before it, so that none overwrites the other.
func namesOf(archives []schemas.Range) []string {
	taken := map[string]int{}
	for _, a := range archives {
		taken[path.Base(a.File)]++
	}
	names := make([]string, len(archives))
	for i, a := range archives {
		if names[i] = path.Base(a.File); taken[names[i]] > 1 {
			names[i] = idOf(a) + "-" + names[i]
		}
	}
	return names
}

// typeOf returns the WASAPI name of a format.
func typeOf(format string) string {
	// Formats are written as warc+gzip; WASAPI's filetype is only the first part.
	kind, _, _ := strings.Cut(format, "+")
	return kind
}

// filesOf returns the files of a manifest, each as a whole, sorted by name.
func filesOf(m schemas.Manifest) []schemas.Range {
	byName := map[string]schemas.Range{}
	for _, u := range m.Units {
		for _, in := range u.Inputs {
			// Crawls and other sources that are not archive files cannot be downloaded.
			if in.Kind() != schemas.KindFile || in.Format == "" {
				continue
			}
			// A file in several ranges ends where the last of them ends.
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
	// They are sorted by name, since a map has no order and pages of the list need one.
	slices.SortFunc(list, func(a, b schemas.Range) int { return strings.Compare(a.File, b.File) })
	return list
}

// file sends a file, or a range of it.
func (h *Handler) file(w http.ResponseWriter, r *http.Request, rest string) error {
	name, id, _ := strings.Cut(rest, "/")
	now, release, err := h.whole(r, name)
	if err != nil {
		return err
	}
	defer release()
	list := filesOf(now.Manifest)
	// The id selects a name of the manifest; nothing in the request becomes part of a path.
	n := slices.IndexFunc(list, func(a schemas.Range) bool { return idOf(a) == id })
	if n < 0 || name == "" {
		return notFound("There is no such file")
	}
	f, err := h.open(r, now.DB, list[n])
	if err != nil {
		return &view.Error{
			Kind: view.NotFound, Title: "The archive cannot be read", Detail: err.Error(),
			Remedy: "Start the server with --archives=FOLDER.",
		}
	}
	defer func() { _ = f.Close() }() // it is only read
	// An archive with any content is not shown as a page.
	w.Header().Set("Content-Type", "application/octet-stream")
	file := mime.FormatMediaType("attachment", map[string]string{"filename": namesOf(list)[n]})
	w.Header().Set("Content-Disposition", file)
	// The modification time is unknown, so there is no Last-Modified. ServeContent handles ranges and HEAD. The
	// section adds the io.ReadSeeker that it needs.
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, f.Size()))
	return nil
}

// open opens an archive of the manifest, in the same places as for cutting out records. A manifest may name places
// that a server must not open for its users.
func (h *Handler) open(r *http.Request, db *contentdb.DB, a schemas.Range) (blob.Object, error) {
	if h.v.Store() == nil {
		return nil, errors.New("this server reads no archives")
	}
	f, err := h.v.Exporter(db).Archive(r.Context(), a.File)
	if err != nil {
		return nil, err
	}
	// If several files have the same name, the folder of archives may contain another one.
	if f.Size() != a.End {
		err := fmt.Errorf("it has %d bytes, and had %d when it was read", f.Size(), a.End)
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
