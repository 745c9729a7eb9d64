package inflate

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// wrapped returns data in a format.
func wrapped(f Format, data []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch f {
	case Zlib:
		w = zlib.NewWriter(&b)
	case Gzip:
		w = gzip.NewWriter(&b)
	default:
		return deflated(data, 6)
	}
	_, err := w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

// standard reads src with the standard library.
func standard(f Format, src []byte) (out []byte, err error) {
	in := bufio.NewReader(bytes.NewReader(src))
	var r io.Reader
	switch f {
	case Zlib:
		r, err = zlib.NewReader(in)
	case Gzip:
		r, err = gzip.NewReader(in)
	default:
		return nil, errors.ErrUnsupported
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, readLimit))
}

const readLimit = 4 << 20

// sameAsStandard fails unless a Reader gives what the standard library gives. One difference is meant: what follows a
// gzip member and begins no other is left unread.
func sameAsStandard(t testing.TB, z *Reader, f Format, src []byte) {
	t.Helper()
	want, wantErr := standard(f, src)
	if len(want) == readLimit {
		return
	}
	in := bufio.NewReader(bytes.NewReader(src))
	z.Reset(in)
	got, err := io.ReadAll(z)
	rest, _ := in.Peek(len(gzipMagic))
	leftover := f == Gzip && err == nil && len(rest) > 0 && string(rest) != gzipMagic
	switch {
	case (err == nil) != (wantErr == nil) && !leftover:
		t.Fatalf("reading %x: %v, the standard library: %v", head(src), err, wantErr)
	case !bytes.HasPrefix(got, want) || err == nil && len(got) != len(want):
		t.Fatalf("reading %x: %d bytes that are not the %d of the standard library", head(src), len(got), len(want))
	case err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrChecksum) && !errors.Is(err, io.ErrUnexpectedEOF):
		t.Fatalf("reading %x: error of unknown kind: %v", head(src), err)
	}
}

func TestReader_everyFormat(t *testing.T) {
	for _, f := range []Format{Raw, Zlib, Gzip} {
		z := NewReader(nil, f)
		for _, n := range []int{0, 1, 1000, windowSize, windowSize + outputSize, 200_000} {
			data := text(n)
			for name, r := range map[string]func(io.Reader) io.Reader{
				"whole": func(r io.Reader) io.Reader { return r },
				"one":   iotest.OneByteReader, "half": iotest.HalfReader, "dataErr": iotest.DataErrReader,
				"small": func(r io.Reader) io.Reader { return bufio.NewReaderSize(r, 16) },
			} {
				z.Reset(r(bytes.NewReader(wrapped(f, data))))
				got, err := io.ReadAll(iotest.HalfReader(z))
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("format %d, %d bytes, %s: %d bytes, %v", f, n, name, len(got), err)
				}
			}
		}
	}
}

func TestReader_leavesWhatFollows(t *testing.T) {
	for _, f := range []Format{Raw, Zlib, Gzip} {
		in := bufio.NewReader(strings.NewReader(string(wrapped(f, []byte("data"))) + "\x1f\x8bnext"))
		got, err := io.ReadAll(NewReader(in, f))
		rest, _ := io.ReadAll(in)
		if err != nil || string(got) != "data" || string(rest) != "\x1f\x8bnext" {
			t.Errorf("format %d: %q, %v, and %q left", f, got, err, rest)
		}
	}
}

// gzipped returns a gzip member with that header, up to and without the checksum of it.
func gzipped(header, data string) string {
	b := string(deflated([]byte(data), 6))
	b += string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(data))))
	return header + b + string(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
}

func TestReader_wrappers(t *testing.T) {
	name := func(n int) string { return strings.Repeat("n", n) + "\x00" }
	const flags = "\x1f\x8b\x08%\x00\x00\x00\x00\x00\xff"
	with := func(f byte) string { return strings.Replace(flags, "%", string([]byte{f}), 1) }
	sum := func(h string) string {
		return h + string(binary.LittleEndian.AppendUint16(nil, uint16(crc32.ChecksumIEEE([]byte(h)))))
	}
	plain := string(wrapped(Gzip, []byte("plain")))
	z := string(wrapped(Zlib, []byte("data")))
	for _, c := range []struct {
		name   string
		format Format
		src    string
		want   string
		err    error
	}{
		{"nothing", Raw, "", "", io.ErrUnexpectedEOF},
		{"nothing", Zlib, "", "", io.ErrUnexpectedEOF},
		{"nothing", Gzip, "", "", io.ErrUnexpectedEOF},
		{"two members", Gzip, plain + plain, "plainplain", nil},
		{"a member and zeros", Gzip, plain + "\x00\x00", "plain", nil},
		{"a member and half a header", Gzip, plain + plain[:5], "plain", io.ErrUnexpectedEOF},
		{"all fields", Gzip, gzipped(sum(with(31)+"\x03\x00abc"+name(5)+name(9)), "data"), "data", nil},
		{"long extra field", Gzip, gzipped(with(gzipExtra)+"\xff\xff"+strings.Repeat("x", 65535), "data"), "data", nil},
		{"extra field cut", Gzip, with(gzipExtra) + "\xff\xffabc", "", io.ErrUnexpectedEOF},
		{"longest name", Gzip, gzipped(with(gzipName)+name(maxName-1), "data"), "data", nil},
		{"name too long", Gzip, gzipped(with(gzipName)+name(maxName), "data"), "", ErrCorrupt},
		{"comment too long", Gzip, gzipped(with(gzipComment)+name(maxName), "data"), "", ErrCorrupt},
		{"reserved flags", Gzip, gzipped(with(0xe0), "data"), "data", nil},
		{"wrong header checksum", Gzip, gzipped(with(gzipHCRC)+"ab", "data"), "", ErrCorrupt},
		{"no magic", Gzip, strings.Repeat("x", 20), "", ErrCorrupt},
		{"wrong checksum", Gzip, plain[:len(plain)-8] + "xxxx" + plain[len(plain)-4:], "plain", ErrChecksum},
		{"wrong size", Gzip, plain[:len(plain)-1] + "x", "plain", ErrChecksum},
		{"cut in the trailer", Gzip, plain[:len(plain)-1], "plain", io.ErrUnexpectedEOF},
		{"cut in the stream", Gzip, plain[:len(plain)-10], "plain", io.ErrUnexpectedEOF},
		{"wrong checksum", Zlib, z[:len(z)-4] + "xxxx", "data", ErrChecksum},
		{"cut in the checksum", Zlib, z[:len(z)-1], "data", io.ErrUnexpectedEOF},
		{"no method", Zlib, "\x79\x9c", "", ErrCorrupt},
		{"window too large", Zlib, "\x88\x1c", "", ErrCorrupt},
		{"wrong check bits", Zlib, "\x78\x9d", "", ErrCorrupt},
		{"preset dictionary", Zlib, "\x78\xbb", "", ErrCorrupt},
		{"fault behind data", Raw, string(fixed().symbols(fixedLitlen, 'a', 286).b), "a", ErrCorrupt},
	} {
		z := NewReader(strings.NewReader(c.src), c.format)
		got, err := io.ReadAll(z)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s, format %d: %q, %v, want %q, %v", c.name, c.format, got, err, c.want, c.err)
		}
		if _, again := z.Read(make([]byte, 1)); err != nil && !errors.Is(again, c.err) {
			t.Errorf("%s, format %d: then %v, want %v again", c.name, c.format, again, c.err)
		}
		if c.format != Raw {
			sameAsStandard(t, z, c.format, []byte(c.src))
		}
	}
}

func TestReader_errorOfTheInput(t *testing.T) {
	broken := errors.New("broken")
	src := wrapped(Gzip, text(100_000))
	for _, n := range []int{0, 5, 1000, len(src) - 4, len(src)} {
		z := NewReader(io.MultiReader(bytes.NewReader(src[:n]), iotest.ErrReader(broken)), Gzip)
		if _, err := io.ReadAll(z); !errors.Is(err, broken) {
			t.Errorf("input that breaks at byte %d: %v", n, err)
		}
	}
}

// TestReader_corpus reads the gzip files that others test their readers with.
func TestReader_corpus(t *testing.T) {
	if sameFiles(t, "../../../../shared/corpora/warc/raw") == 0 {
		t.Skip("no ../shared/corpora/warc beside the checkout: archives of others, which may not be copied into it")
	}
}

// TestReader_archives reads the archives of testdata, whole and damaged.
func TestReader_archives(t *testing.T) {
	if n := sameFiles(t, "../../../testdata"); n < 5 {
		t.Errorf("%d gzip files, want 5 or more", n)
	}
}

// sameFiles compares the reading of the gzip files beneath a folder, which need not be there, and returns their number.
func sameFiles(t *testing.T, dir string) (files int) {
	t.Helper()
	root := os.DirFS(dir)
	z := NewReader(nil, Gzip)
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".gz" {
			return err
		}
		b, err := fs.ReadFile(root, path)
		must(err)
		files++
		t.Run(path, func(t *testing.T) { sameAsStandard(t, z, Gzip, b) })
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	return files
}
