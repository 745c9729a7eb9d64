package fileset

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// bundle verifies a dataset whose files come as one bundle. It reads the bundle once, and hashes both the bundle and
// each file in it.
func (r *run) bundle(item *schemas.FilesetPlatformItem) error {
	res := &r.out.Result
	// Files missing from the bundle keep this status, so the result is not a success.
	for i := range res.Manifest {
		res.Manifest[i].Status = StatusNotProcessed
	}
	answer, err := r.fetch(r.source, item.BundleURL, Bundle)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // only read
	whole := newSums()
	b := &unpacking{run: r, byPath: map[string]int{}, item: isItem(res.Strategy), left: r.o.MaxTotal}
	// Bounds the memory: each unlisted file of the bundle adds an entry to the manifest.
	b.files = r.o.MaxFiles + int64(len(res.Manifest))
	for i, f := range res.Manifest {
		b.byPath[f.Path] = i
	}
	// One byte more than allowed shows a bundle that is too large.
	in := io.TeeReader(io.LimitReader(answer.Body, AddSize(r.o.MaxTotal, 1)), whole)
	kind, err := unpack(in, b.file)
	if err != nil {
		return r.bundleError(err)
	}
	// Bytes after the last file belong to the bundle and its hash.
	if _, err := copied(r.ctx, io.Discard, in); err != nil {
		return err
	}
	if whole.size > r.o.MaxTotal {
		return &StatusError{Status: StatusTooLarge, Message: "the bundle"}
	}
	meta := whole.meta(answer.MIME, item.BundleURL)
	res.Bundle = found(answer, &meta)
	if isItem(res.Strategy) {
		res.Bundle.BundlePath = item.Item + kind
	}
	r.finish(false)
	return nil
}

// bundleError is the error for a bundle that cannot be read to its end.
func (r *run) bundleError(err error) error {
	var ended *StatusError
	// It has its status already, or the run was cancelled.
	if errors.As(err, &ended) || r.ctx.Err() != nil {
		return err
	}
	return &StatusError{Status: StatusWaybackContent, Message: "the bundle: " + err.Error()}
}

// unpacking reads the files of a bundle.
type unpacking struct {
	*run
	byPath map[string]int
	item   bool  // the strategy is archiveorg-*
	files  int64 // remaining files: those of the manifest, and as many others as a dataset may have
	left   int64 // remaining bytes
}

// file reads a file of the bundle. in is valid until it returns.
func (b *unpacking) file(name string, in io.Reader) error {
	// Counted before the name is checked, since unsafe names cost as much.
	if b.files--; b.files < 0 {
		return &StatusError{Status: StatusTooMany, Message: "in the bundle"}
	}
	if !SafePath(name) {
		return &StatusError{Status: StatusUnsafePath, Message: fmt.Sprintf("in the bundle: %q", shorten(name, 200))}
	}
	s := newSums()
	n, err := copied(b.ctx, s, io.LimitReader(in, AddSize(b.left, 1)))
	if err != nil {
		return err
	}
	// A decompression bomb has no end.
	if b.left -= n; b.left < 0 {
		return &StatusError{Status: StatusTooLarge, Message: "what is in the bundle"}
	}
	meta := s.meta("", name)
	manifest := &b.out.Result.Manifest
	i, listed := b.byPath[name]
	if !listed {
		// Such as the platform's own list of the files.
		b.byPath[name] = len(*manifest)
		*manifest = append(*manifest, schemas.ManifestFile{Path: name, Extra: map[string]any{"bundle_only": true}})
		i = len(*manifest) - 1
	}
	f := &(*manifest)[i]
	if listed && f.Status != StatusNotProcessed {
		return &StatusError{Status: StatusUnsafePath, Message: fmt.Sprintf("twice in the bundle: %q", shorten(name, 200))}
	}
	if f.Status = compare(f, &meta, b.item); f.Status == StatusSuccess {
		fill(f, &meta, b.item)
	}
	return nil
}
