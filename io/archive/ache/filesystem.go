package ache

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zlib"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Field names of redirects: the requested URL, and the target.
const (
	requested = "crawl." + schemas.CrawlRequested
	redirect  = "url"
)

// filesystem writes a file for each page. Like ACHE it overwrites earlier files: the same URL is the same file.
type filesystem struct {
	dump.Losses
	sink    dump.Sink
	o       dump.WriteOptions
	carries []string
	content func(*filesystem, *schemas.Capture) []byte
	// 16 bytes a page instead of names, because there may be millions.
	written map[[16]byte]bool // hashes of names
}

// NewFilesystemHTML returns a writer of FILESYSTEM_HTML.
func NewFilesystemHTML(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return newFilesystem(s, o, (*filesystem).html, requested)
}

// NewFilesystemJSON returns a writer of FILESYSTEM_JSON.
func NewFilesystemJSON(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return newFilesystem(s, o, (*filesystem).json, jsonCarries...)
}

// NewFilesystemCBOR returns a writer of FILESYSTEM_CBOR. Bytes of a body that are not UTF-8 are lost, as in ACHE.
func NewFilesystemCBOR(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return newFilesystem(s, o, (*filesystem).cbor, requested, "timestamp")
}

func newFilesystem(s dump.Sink, o dump.WriteOptions, content func(*filesystem, *schemas.Capture) []byte,
	carries ...string,
) dump.Writer {
	return &filesystem{sink: s, o: o, carries: carries, content: content, written: map[[16]byte]bool{}}
}

// Write writes the page's file.
func (w *filesystem) Write(c *schemas.Capture) error {
	name, err := w.name(c)
	if err != nil {
		return err
	}
	out, err := w.sink.Create(name)
	if err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	if err := write(out, w.content(w, c), w.o.Compress.Or(false)); err != nil {
		// Dropped, because a half-written page would look complete.
		out.Abort()
		return fmt.Errorf("ache: %s: %w", name, err)
	}
	w.Note(c, w.carries...)
	if c.Crawl[schemas.CrawlRequested] != "" && !slices.Contains(w.carries, redirect) {
		w.Drop("url") // the page's URL; the file is named after the requested one
	}
	// ACHE does the same without reporting it.
	if id := [16]byte([]byte(HashName(name))[:16]); w.written[id] {
		w.Drop("overwritten")
	} else {
		w.written[id] = true
	}
	return nil
}

// name returns the name of the page's file, from the requested URL.
func (w *filesystem) name(c *schemas.Capture) (string, error) {
	url := c.RequestedURL()
	folder, file := Escape(urlkey.RawHost(url)), Escape(url)
	if w.o.HashNames {
		file = HashName(url)
	}
	if err := dump.CheckPage(c, url); err != nil {
		return "", fmt.Errorf("ache: %w", err)
	}
	// Pages from files named by hashes have no known URL, but keep their name.
	if hash := c.Crawl[schemas.CrawlNameSHA256]; url == "" && isHash(hash) && w.o.HashNames {
		folder, file = Escape(c.Crawl[schemas.CrawlHost]), hash
	}
	if folder == "" {
		return "", fmt.Errorf("ache: %w: no host in its URL %.80q", dump.ErrRefused, url)
	}
	name := folder + "/" + file
	// Refuses names that the system cannot store or that lead out of the folder.
	if err := dump.CheckName(name); err != nil {
		return "", fmt.Errorf("ache: %w", err)
	}
	return name, nil
}

// Tree marks that files are named after their pages: see dump.Tree.
func (w *filesystem) Tree() {}

// Close does nothing: each file is closed when it is written.
func (w *filesystem) Close() error { return nil }

// write writes a whole file.
func write(out dump.Output, content []byte, compress bool) error {
	// Not closed by a defer: after an error the caller aborts the file.
	if !compress {
		_, err := out.Write(content)
		return errors.Join(err, closeAfter(out, err))
	}
	z := zlib.NewWriter(out)
	_, err := z.Write(content)
	err = errors.Join(err, z.Close())
	return errors.Join(err, closeAfter(out, err))
}

// closeAfter closes out unless err is set. Closing would make a file of an incomplete page.
func closeAfter(out io.Closer, err error) error {
	if err != nil {
		return nil
	}
	return out.Close()
}

func (w *filesystem) html(c *schemas.Capture) []byte { return c.Body }

func (w *filesystem) json(c *schemas.Capture) []byte { return appendPage(nil, c, &w.Losses) }

// cbor returns the map of ACHE's class TargetModelCbor, in its order. The time is the time of writing from the options,
// or else the time of fetching. The format has no times before 1970.
func (w *filesystem) cbor(c *schemas.Capture) []byte {
	url, when := c.RequestedURL(), w.o.Stamp
	if when.IsZero() {
		when = c.Timestamp
	}
	if !utf8.Valid(c.Body) {
		w.Drop("body")
	}
	seconds := max(when.Unix(), 0)
	// ACHE's library writes maps without length; the bytes should be the same.
	b := appendText([]byte{beginMap}, "url")
	b = appendText(b, url)
	b = append(appendText(b, "imported"), cborNull)
	b = appendText(appendText(b, "key"), cborKey(url, seconds))
	b = appendHead(appendText(b, "timestamp"), majorUint, uint64(seconds))
	b = append(b, cborRequest()...)
	b = append(appendText(b, "response"), beginMap)
	b = appendText(appendText(b, "body"), javaText(c.Body))
	return append(b, endMap, endMap)
}

// cborRequest is the request that ACHE notes, which is the same for each page except for the machine. Captures have no
// such values, so those of ACHE's class are used.
func cborRequest() []byte {
	b := append(appendText(nil, "request"), beginMap)
	b = append(appendText(b, "headers"), beginMap)
	b = append(appendTexts(b, "Accept-Language", "en-US,en"), endMap)
	b = appendTexts(b, "method", "GET", "client")
	b = append(b, beginMap)
	b = appendTexts(b, "hostname", "localhost", "address", "127.0.0.1", "software", "ACHE", "contact")
	b = append(b, beginMap)
	b = append(appendTexts(b, "name", "", "email", ""), endMap)
	b = append(appendTexts(b, "robots", "classic"), endMap)
	b = appendText(b, "body")
	return append(b, cborNull, endMap)
}

func appendTexts(b []byte, texts ...string) []byte {
	for _, s := range texts {
		b = appendText(b, s)
	}
	return b
}

// cborKey returns ACHE's key of a URL and a time: the host's parts in reverse order, the SHA-1 of the URL, and the
// time.
func cborKey(url string, seconds int64) string {
	// com_example for example.com.
	parts := strings.Split(urlkey.RawHost(url), ".")
	slices.Reverse(parts)
	// SHA-1 as in ACHE; its security does not matter here.
	sum := sha1.Sum([]byte(url))
	return fmt.Sprintf("%s_%s_%d", strings.Join(parts, "_"), hex.EncodeToString(sum[:]), seconds)
}

// javaText decodes UTF-8 as Java does: each maximal invalid piece becomes U+FFFD (table 3-8 of the Unicode standard).
func javaText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		// A U+FFFD in the text itself is three bytes long.
		if r == utf8.RuneError && n == 1 {
			n = badPiece(b)
		}
		s.WriteRune(r)
		b = b[n:]
	}
	return s.String()
}

// badPiece returns the length of the longest invalid beginning of a character at the start of b, at least 1.
func badPiece(b []byte) int {
	for n := min(3, len(b)); n > 1; n-- {
		if !utf8.FullRune(b[:n]) {
			return n
		}
	}
	return 1
}

// stampMillis returns the time in a rolling file's name.
func stampMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
