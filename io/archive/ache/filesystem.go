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
)

// What formats carry of redirects: the URL that was asked for, and where that led.
const (
	requested = "crawl." + schemas.CrawlRequested
	redirect  = "url"
)

// filesystem writes a file for each page. Like ACHE it writes over a page that it has written before: the same URL is
// the same file.
type filesystem struct {
	dump.Losses
	sink    dump.Sink
	o       dump.WriteOptions
	carries []string
	content func(*filesystem, *schemas.Capture) []byte
	// 16 bytes a page, and no names: there may be millions.
	written map[[16]byte]bool // hashes of names
}

// NewFilesystemHTML returns a writer of FILESYSTEM_HTML.
func NewFilesystemHTML(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return newFilesystem(s, o, (*filesystem).html, requested)
}

// NewFilesystemJSON returns a writer of FILESYSTEM_JSON.
// Losses are counted by content as well, which only that knows.
func NewFilesystemJSON(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return newFilesystem(s, o, (*filesystem).json, jsonCarries...)
}

// NewFilesystemCBOR returns a writer of FILESYSTEM_CBOR. A body that is not UTF-8 loses bytes, as it does in ACHE.
func NewFilesystemCBOR(s dump.Sink, o dump.WriteOptions) dump.Writer {
	return newFilesystem(s, o, (*filesystem).cbor, requested, "timestamp")
}

func newFilesystem(s dump.Sink, o dump.WriteOptions, content func(*filesystem, *schemas.Capture) []byte,
	carries ...string,
) dump.Writer {
	// The map of written pages grows with the pages: 16 bytes each and the overhead of a Go map.
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
		// Nothing stays: a page that is half written could not be distinguished from a whole one.
		out.Abort()
		return fmt.Errorf("ache: %s: %w", name, err)
	}
	w.Note(c, w.carries...)
	if c.Crawl[schemas.CrawlRequested] != "" && !slices.Contains(w.carries, redirect) {
		w.Drop("url") // that of the page; the one that was asked for is its name
	}
	// ACHE does the same, but says nothing. A run that writes over a page says how often.
	if id := [16]byte([]byte(HashName(name))[:16]); w.written[id] {
		w.Drop("overwritten")
	} else {
		w.written[id] = true
	}
	return nil
}

// name is the name of the page's file: that of the URL which was asked for.
func (w *filesystem) name(c *schemas.Capture) (string, error) {
	url := c.RequestedURL()
	folder, file := Escape(host(url)), Escape(url)
	if w.o.HashNames {
		file = HashName(url)
	}
	if err := dump.CheckPage(url); err != nil {
		return "", fmt.Errorf("ache: %w", err)
	}
	// Read from files whose names were hashes, the URL is not known, but the name is: so it can be written again as
	// it was.
	if hash := c.Crawl[schemas.CrawlNameSHA256]; url == "" && isHash(hash) && w.o.HashNames {
		folder, file = Escape(c.Crawl[schemas.CrawlHost]), hash
	}
	if folder == "" {
		return "", fmt.Errorf("ache: %w: no host in its URL %.80q", dump.ErrRefused, url)
	}
	name := folder + "/" + file
	// What the system could not store as a name, or what would lead out of the folder, is refused.
	if err := dump.CheckName(name); err != nil {
		return "", fmt.Errorf("ache: %w", err)
	}
	return name, nil
}

// Tree tells that files are named after their pages: see dump.Tree.
func (w *filesystem) Tree() {}

// Close does nothing: each file is closed when it is written.
func (w *filesystem) Close() error { return nil }

// write writes all of a file.
func write(out dump.Output, content []byte, compress bool) error {
	// The file is closed here and not by a defer, since after an error it is aborted instead.
	if !compress {
		_, err := out.Write(content)
		return errors.Join(err, closeAfter(out, err))
	}
	z := zlib.NewWriter(out)
	_, err := z.Write(content)
	err = errors.Join(err, z.Close())
	return errors.Join(err, closeAfter(out, err))
}

// closeAfter closes out unless writing has failed. Closing makes a file of the written bytes, so a failed one must not
// be closed.
func closeAfter(out io.Closer, err error) error {
	if err != nil {
		return nil
	}
	return out.Close()
}

func (w *filesystem) html(c *schemas.Capture) []byte { return c.Body }

func (w *filesystem) json(c *schemas.Capture) []byte { return appendPage(nil, c, &w.Losses) }

// cbor makes the map of ACHE's class TargetModelCbor, in its order. Its time is that of writing, from the options, or
// else of fetching. Before 1970 there is no time in this format: it is a number that is not negative.
func (w *filesystem) cbor(c *schemas.Capture) []byte {
	url, when := c.RequestedURL(), w.o.Stamp
	if when.IsZero() {
		// What the capture knows is better than 1970.
		when = c.Timestamp
	}
	if !utf8.Valid(c.Body) {
		w.Drop("body")
	}
	seconds := max(when.Unix(), 0)
	// ACHE's library writes maps without their length, and so do we: the bytes are to be the same.
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

// cborRequest is the request that ACHE notes: the same for each page, except for the machine that it ran on.
// The values are those of ACHE's class, for want of any in the capture.
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

// cborKey is the key that ACHE makes of a URL and a time: the host's parts in reverse order, the SHA-1 of the URL, and
// the time.
func cborKey(url string, seconds int64) string {
	// As com_example for example.com; the name of a host without dots stays.
	parts := strings.Split(host(url), ".")
	slices.Reverse(parts)
	// SHA-1 because ACHE has it; nothing is proven by it.
	sum := sha1.Sum([]byte(url))
	return fmt.Sprintf("%s_%s_%d", strings.Join(parts, "_"), hex.EncodeToString(sum[:]), seconds)
}

// javaText decodes UTF-8 as Java does: each longest piece that could have begun a character becomes U+FFFD (table 3-8
// of the Unicode standard).
func javaText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		// A U+FFFD that is in the text itself is three bytes long.
		if r == utf8.RuneError && n == 1 {
			n = badPiece(b)
		}
		s.WriteRune(r)
		b = b[n:]
	}
	return s.String()
}

// badPiece is the length of the longest invalid beginning of a character at the start of b, and at least 1. The longest
// first. An incomplete piece could have become a character with other bytes after it.
func badPiece(b []byte) int {
	for n := min(3, len(b)); n > 1; n-- {
		if !utf8.FullRune(b[:n]) {
			return n
		}
	}
	return 1
}

// stampMillis is the time in a rolling file's name.
func stampMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
