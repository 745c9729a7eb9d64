package fileset

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// bundle verifies a dataset whose files come as one: the bundle is read once, hashed as it is, and each file in it is
// hashed on the way.
func (r *run) bundle(item *schemas.FilesetPlatformItem) error {
	res := &r.out.Result
	// What the bundle does not have keeps this status, and makes the result no success.
	for i := range res.Manifest {
		res.Manifest[i].Status = StatusNotProcessed
	}
	answer, err := r.fetch(r.source, item.BundleURL, Bundle)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it is only read
	whole := newSums()
	b := &unpacking{run: r, byPath: map[string]int{}, item: isItem(res.Strategy), left: r.o.MaxTotal}
	// Bounds the memory: each file of the bundle that is not listed adds an entry to the manifest.
	b.files = r.o.MaxFiles + int64(len(res.Manifest))
	for i, f := range res.Manifest {
		b.byPath[f.Path] = i
	}
	// One byte more than allowed, so that a bundle that is too large is distinguished from one that just fits.
	in := io.TeeReader(io.LimitReader(answer.Body, AddSize(r.o.MaxTotal, 1)), whole)
	kind, err := unpack(in, b.file)
	if err != nil {
		return r.bundleError(err)
	}
	// What follows the last file belongs to the bundle, and to its hash.
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

// bundleError is the end of a bundle that cannot be read to its end.
func (r *run) bundleError(err error) error {
	var ended *StatusError
	// Has its status already, or is no fault of the bundle.
	if errors.As(err, &ended) || r.ctx.Err() != nil {
		return err
	}
	return &StatusError{Status: StatusWaybackContent, Message: "the bundle: " + err.Error()}
}

// unpacking takes the files of a bundle.
type unpacking struct {
	*run
	byPath map[string]int
	item   bool  // the strategy is archiveorg-*
	files  int64 // that may still come: those of the manifest, and as many others as a dataset may have
	left   int64 // bytes that may still come
}

// file takes a file of the bundle. in is valid until it returns.
func (b *unpacking) file(name string, in io.Reader) error {
	// Counted before the name is looked at, since unsafe names cost as much.
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
	// What was packed tightly may have no end.
	if b.left -= n; b.left < 0 {
		return &StatusError{Status: StatusTooLarge, Message: "what is in the bundle"}
	}
	meta := s.meta("", name)
	manifest := &b.out.Result.Manifest
	i, listed := b.byPath[name]
	if !listed {
		// The platform's own list of the files, and the like.
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
