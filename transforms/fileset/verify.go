package fileset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// archive verifies the dataset's files by its strategy and sets the status.
func (r *run) archive(item *schemas.FilesetPlatformItem) error {
	res := &r.out.Result
	// Existing captures come first: they cost no fetching.
	if existing, err := r.existing(item); err != nil || existing {
		return err
	}
	if isBundled(res.Strategy) {
		return r.bundle(item)
	}
	if isItem(res.Strategy) && r.o.Keeper != nil {
		return r.keep(item)
	}
	for i := range res.Manifest {
		if err := r.file(r.source, &res.Manifest[i], nil); err != nil {
			return err
		}
	}
	r.finish(false)
	return nil
}

// finish gives the result the status of its files: the first that is not a success, else success.
func (r *run) finish(existing bool) {
	res := &r.out.Result
	for _, f := range res.Manifest {
		// The order of the manifest decides which failure is reported.
		switch f.Status {
		case StatusSuccess, StatusExistsLocal, StatusVerifiedLocal:
		case StatusExists:
			existing = true
		default:
			res.Status = cmp.Or(f.Status, StatusNotProcessed)
			return
		}
	}
	switch {
	case existing:
		res.Status = StatusSuccessExisting
	case isSingle(res.Strategy):
		res.Status = StatusSuccessFile
	default:
		res.Status = StatusSuccess
	}
}

// existing reports whether earlier captures have all files, before the web is asked. If not, it keeps none of its
// findings.
func (r *run) existing(item *schemas.FilesetPlatformItem) (bool, error) {
	if r.o.Existing == nil || isBundled(r.out.Result.Strategy) || r.out.Result.Request.Recrawl {
		return false, nil
	}
	// Saved, so that a file not found here is not reported missing before the source was asked.
	res, missing := &r.out.Result, len(r.out.Missing)
	before := append([]schemas.ManifestFile{}, res.Manifest...)
	for i := range res.Manifest {
		if err := r.file(r.o.Existing, &res.Manifest[i], nil); err != nil {
			return false, err
		}
		// All or nothing: files of two crawls may be of different versions.
		if res.Manifest[i].Status != StatusSuccess {
			copy(res.Manifest, before)
			r.out.Missing, res.File = r.out.Missing[:missing], nil
			return false, nil
		}
	}
	r.finish(true)
	return true, nil
}

// file finds one file, reads it once, and sets its status. If to is not nil, it also gets the bytes. A returned error
// does not concern the file.
func (r *run) file(s Source, f *schemas.ManifestFile, to io.Writer) error {
	item := isItem(r.out.Result.Strategy)
	answer, err := r.fetch(s, f.PlatformURL, File)
	var ended *StatusError
	if errors.As(err, &ended) {
		r.miss(ended)
		f.Status = ended.Status
		// The platform is the item itself, so its list proves files without a capture.
		switch {
		case item && r.out.Result.Platform == "archiveorg" && len(ended.Missing) > 0:
			f.Status = StatusExists
		case item && ended.Status != StatusUnsafePath:
			f.Status = StatusDownloadError
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // only read
	meta, err := r.read(answer, f, to)
	if errors.As(err, &ended) {
		if f.Status = ended.Status; item {
			f.Status = StatusDownloadError
		}
		return nil
	}
	if err != nil {
		return err
	}
	// Set for a mismatch as well: it shows which capture was checked.
	f.TerminalURL, f.TerminalDT = answer.URL, answer.DT
	if f.Status = compare(f, &meta, item); f.Status != StatusSuccess {
		return nil
	}
	fill(f, &meta, item)
	if isSingle(r.out.Result.Strategy) {
		r.out.Result.File = found(answer, &meta)
	}
	return nil
}

// fetch gets the response of a file's or bundle's URL.
func (r *run) fetch(s Source, url string, purpose Purpose) (*Resource, error) {
	if url == "" {
		return nil, &StatusError{Status: StatusNoCapture, Message: "the platform says of no URL"}
	}
	// URLs of platforms contain spaces and other characters, which archives index in their clean form.
	answer, err := r.get(s, CleanURL(url), purpose, "")
	if err != nil {
		return nil, err
	}
	if !good(answer.Status) {
		// Joined, so that the body is closed; errors.As still finds the status.
		return nil, errors.Join(&StatusError{
			Status: StatusTerminal, Message: fmt.Sprintf("%s: HTTP status %d", answer.URL, answer.Status),
		}, answer.Body.Close())
	}
	return answer, nil
}

// found describes a file and where it was found.
func found(answer *Resource, meta *schemas.FileMeta) *schemas.FilesetFile {
	return &schemas.FilesetFile{
		FileMeta: meta, CDX: answer.CDX, RevisitCDX: answer.RevisitCDX,
		Terminal: &schemas.FilesetTerminal{URL: answer.URL, DT: answer.DT, Status: answer.Status, SHA1: meta.SHA1},
	}
}

// compare is the status of a file by its bytes. The strategies archiveorg-* have a status per kind of mismatch, web-*
// one for all. Values that the platform does not state are not compared.
func compare(f *schemas.ManifestFile, meta *schemas.FileMeta, item bool) string {
	status := ""
	switch {
	case f.Size != nil && *f.Size != meta.Size:
		status = StatusMismatchSize
	case f.SHA1 != "" && f.SHA1 != meta.SHA1:
		status = StatusMismatchSHA1
	case f.SHA256 != "" && f.SHA256 != meta.SHA256:
		status = StatusMismatchSHA256
	case f.MD5 != "" && f.MD5 != meta.MD5:
		status = StatusMismatchMD5
	default:
		return StatusSuccess
	}
	if !item {
		return StatusMismatch
	}
	return status
}

// fill adds values that the platform did not state. For archive.org the detected type wins, except text/plain;
// elsewhere the platform's type stays.
func fill(f *schemas.ManifestFile, meta *schemas.FileMeta, item bool) {
	// After compare, which found them equal if the platform stated any.
	f.Size, f.MD5, f.SHA1, f.SHA256 = &meta.Size, meta.MD5, meta.SHA1, meta.SHA256
	if f.MIME == "" || item && meta.MIME != "text/plain" {
		f.MIME = meta.MIME
	}
}

// keep verifies the files of an item and gives them to the keeper.
func (r *run) keep(item *schemas.FilesetPlatformItem) (err error) {
	res := &r.out.Result
	// Before any file is fetched: an item that cannot be kept costs nothing.
	k, err := r.o.Keeper.Item(r.ctx, item)
	if err != nil {
		return err
	}
	// After Commit it does nothing.
	defer k.Abort()
	for i := range res.Manifest {
		f := &res.Manifest[i]
		if f.Status, err = k.Existing(f); err != nil {
			return err
		}
		if f.Status == "" {
			err = r.keepFile(k, f)
		}
		if err != nil {
			return err
		}
	}
	if r.finish(false); !strings.HasPrefix(res.Status, StatusSuccess) {
		return nil
	}
	// An item is kept whole or not at all.
	status, err := k.Commit(res.Manifest)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(status, StatusSuccess) || status == StatusSuccessExisting {
		res.Status = status
	}
	for i := range res.Manifest {
		if f := &res.Manifest[i]; f.Status == StatusVerifiedLocal && strings.HasPrefix(status, StatusSuccess) {
			f.Status = StatusSuccess
		}
	}
	return nil
}

// keepFile verifies a file while writing it, and keeps it if it matches.
func (r *run) keepFile(k ItemKeeper, f *schemas.ManifestFile) error {
	w, err := k.Create(f)
	if err != nil {
		return err
	}
	err = r.file(r.source, f, w)
	// Closed before Keep, which gives the file its name: it must be on disk first.
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err != nil {
		// The order of ItemKeeper: Create, Close, then Keep or Drop.
		return errors.Join(err, k.Drop(f))
	}
	if f.Status != StatusSuccess {
		return k.Drop(f)
	}
	f.Status = StatusVerifiedLocal
	return k.Keep(f)
}
