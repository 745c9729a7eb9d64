package fileset

import (
	"errors"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/schemas"
)

// read hashes a file. A file with a content coding is hashed with it and without. Servers declare a coding for
// compressed files, and then the platform's hash is of the compressed bytes.
func (r *run) read(answer *Resource, f *schemas.ManifestFile, to io.Writer) (schemas.FileMeta, error) {
	// A keeper needs the bytes; the ledger has only hashes. Of a coded body this request chooses the form.
	if r.o.Ledger == nil || answer.Identity == "" || answer.Encoding != "" {
		return r.hash(answer, f, to)
	}
	// The type of a file depends on its name as well.
	identity := answer.Identity + " " + f.Path
	if to == nil {
		if meta, ok := r.o.Ledger.Seen(identity); ok {
			return meta, nil
		}
	}
	meta, err := r.hash(answer, f, to)
	// A body that is longer than this request expects was not read to its end.
	if err == nil && meta.Size < r.most(f) {
		err = r.o.Ledger.Note(identity, meta)
	}
	return meta, err
}

func (r *run) hash(answer *Resource, f *schemas.ManifestFile, to io.Writer) (meta schemas.FileMeta, err error) {
	if answer.Encoding != "" {
		return r.coded(answer, f, to)
	}
	s := newSums()
	w := io.Writer(s)
	if to != nil {
		w = io.MultiWriter(s, to)
	}
	// One byte more than the expected size shows a mismatch, and bounds the time for a file.
	if _, err := copied(r.ctx, w, io.LimitReader(answer.Body, r.most(f))); err != nil {
		return meta, err
	}
	// A file that should have bytes and has none was not archived.
	if s.size == 0 && (f.Size == nil || *f.Size > 0) {
		return meta, &StatusError{Status: StatusEmptyBlob, Message: answer.URL}
	}
	return s.meta(answer.MIME, f.Path), nil
}

// most is how many bytes of a file are read.
func (r *run) most(f *schemas.ManifestFile) int64 {
	if f.Size != nil {
		return AddSize(*f.Size, 1)
	}
	return AddSize(r.o.MaxTotal, 1)
}

// coded hashes a body as sent and decoded, in one pass, and returns the form that the platform means.
func (r *run) coded(answer *Resource, f *schemas.ManifestFile, to io.Writer) (meta schemas.FileMeta, err error) {
	wire, plain := newSums(), newSums()
	// The wire hash covers what the decoder reads, and then the rest: it stops at its end, or at damage. Coded bytes
	// exceed decoded ones by at most the overhead for incompressible data.
	in := io.TeeReader(io.LimitReader(answer.Body, AddSize(r.most(f), r.most(f)/8+64<<10)), wire)
	decoder, failed := contentDecoder(answer.Encoding, in)
	if failed == nil {
		_, failed = copied(r.ctx, plain, io.LimitReader(decoder, r.most(f)))
	}
	// The rest of the body, so that the wire hash covers all of it.
	if _, err := copied(r.ctx, io.Discard, in); err != nil {
		return meta, err
	}
	meta = wire.meta(answer.MIME, f.Path)
	// As sent comes first: a matching hash leaves no doubt. Without known values, the decoded form is the file.
	asSent := known(f) && compare(f, &meta, false) == StatusSuccess
	if !asSent {
		if failed != nil {
			return meta, &StatusError{Status: StatusTransferCoding, Message: answer.URL + ": " + failed.Error()}
		}
		meta = plain.meta(answer.MIME, f.Path)
	}
	if meta.Size == 0 && (f.Size == nil || *f.Size > 0) {
		return meta, &StatusError{Status: StatusEmptyBlob, Message: answer.URL}
	}
	if to != nil {
		// Verify the kept bytes, as a live server may send another body the second time.
		return r.again(answer, f, asSent, to)
	}
	return meta, nil
}

// known reports whether the platform states a size or hash of a file.
func known(f *schemas.ManifestFile) bool { return f.Size != nil || f.MD5+f.SHA1+f.SHA256 != "" }

// again reads a coded body a second time for a keeper: only after the first pass it is known which form to keep.
func (r *run) again(
	answer *Resource, f *schemas.ManifestFile, asSent bool, to io.Writer,
) (meta schemas.FileMeta, err error) {
	second, err := r.fetch(r.source, answer.URL, r.purpose)
	if err != nil {
		return meta, err
	}
	defer func() { _ = second.Body.Close() }() // only read
	in := io.Reader(second.Body)
	if !asSent && second.Encoding != "" {
		if in, err = contentDecoder(second.Encoding, second.Body); err != nil {
			return meta, &StatusError{Status: StatusTransferCoding, Message: err.Error()}
		}
	}
	s := newSums()
	if _, err = copied(r.ctx, io.MultiWriter(s, to), io.LimitReader(in, r.most(f))); err != nil {
		return meta, err
	}
	return s.meta(second.MIME, f.Path), nil
}

// errCoding is an unsupported content coding.
var errCoding = errors.New("content coding that is not known")

func contentDecoder(coding string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(strings.TrimSpace(coding)) {
	case "gzip", "x-gzip":
		return gzip.NewReader(in)
	// zlib and not bare deflate: section 8.4.1.2 of RFC 9110.
	case "deflate":
		return zlib.NewReader(in)
	case "br":
		return brotli.NewReader(in), nil
	case "zstd":
		// One goroutine, and a window of at most 8 MiB, as in RFC 9659.
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return nil, errCoding
}
