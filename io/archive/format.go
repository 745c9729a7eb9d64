package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/arc"
	"github.com/gleaner-web/gleaner/io/archive/cdr"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// grammar is the interface of a format with records.
type grammar interface {
	record.Grammar
	Type(rec *record.Record) string
	ID(rec *record.Record) string
	// Segment returns nil for a complete record. If the segment fields are broken, it also returns the quirk for this.
	Segment(rec *record.Record) (*schemas.Segment, string)
	Capture(rec *record.Record, file string, o payload.Options) (*schemas.Capture, []string)
}

// formats is the table of the readable formats; a new one is a line here. A format has one of four kinds. Formats with
// trees of files define how to recognize their paths. A file has the first format that matches it.
var formats = []format{
	{name: "warc", records: warc.Grammar{}},
	{name: "arc", records: arc.Grammar{}},
	{name: "pagestore", whole: pagestore.Format{}, inTree: pagestore.IsStored, named: pagestore.IsStored},
	{name: "wacz", packed: true},
	{name: "ache-json", lines: ache.JSON{}},
	{name: "ache-elastic", lines: ache.Elastic{}},
	{name: "cdr", lines: cdr.JSON{}},
	{name: "content", lines: datastreamer.JSON{}},
	{name: "protostream", lines: datastreamer.Protostream{}},
	{name: "ache-cbor", whole: ache.CBOR{}},
	{name: "ache-html", whole: ache.HTML{}, inTree: ache.IsPage, named: ache.IsNamed},
}

// format is a row of the table.
type format struct {
	name    string
	records grammar                // records with heads, in members
	lines   dump.Lines             // one capture a line
	whole   dump.Whole             // one capture a file
	packed  bool                   // a WACZ file, of archives of records
	inTree  func(path string) bool // whether a path is that of a page in a folder of them; it looks at no file
	named   func(path string) bool // reports whether a path is certainly one, because a page may hold an archive
}

// recordFormats are the formats of records with heads.
var recordFormats = slices.DeleteFunc(slices.Clone(formats), func(f format) bool { return f.records == nil })

// Inputs returns the names of the readable formats.
func Inputs() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Format is the format of a file.
type Format struct {
	Name        string      // of the table: "warc", "ache-json"
	Compression member.Kind // for formats of records; others detect it themselves
}

// String returns for instance "warc+gzip", or "ache-json".
func (f Format) String() string {
	if f.grammar() == nil {
		return f.Name
	}
	return f.Name + "+" + f.Compression.String()
}

// ParseFormat parses the result of String.
func ParseFormat(s string) (Format, error) {
	for _, known := range formats {
		for _, kind := range member.Kinds() {
			if f := (Format{known.name, kind}); f.String() == s {
				return f, nil
			}
		}
	}
	return Format{}, fmt.Errorf("unknown archive format %q", s)
}

// row is the format's row of the table.
func (f Format) row() format {
	for _, known := range formats {
		if known.name == f.Name {
			return known
		}
	}
	return formats[0]
}

func (f Format) grammar() grammar { return f.row().records }

// otherGrammars returns the grammars of other formats that may follow in a file of records that begins with f.
func otherGrammars(f Format) (list []record.Grammar) {
	for _, known := range recordFormats {
		if known.name != f.Name {
			list = append(list, known.records)
		}
	}
	return list
}

// InTree reports by its path alone whether a file is a page in a folder of pages. There may be millions of them, so
// they are not opened before they are read. See [blob.Grouping].
func InTree(path string) bool {
	return anyOf(path, func(f format) func(string) bool { return f.inTree })
}

// compressions are suffixes of compressed files, including unreadable ones.
var compressions = []string{".gz", ".zst", ".lz4", ".bz2", ".xz", ".lzma", ".br", ".sz", ".z", ".zip", ".7z"}

// IsNamed reports whether a file's name is that of an archive of records, in any compression, or of a WACZ file.
func IsNamed(name string) bool {
	base, _ := strings.CutSuffix(strings.ToLower(name), ".open") // as crawlers call one that they write to
	for slices.Contains(compressions, path.Ext(base)) {
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	return slices.Contains([]string{".warc", ".arc", ".wacz"}, path.Ext(base))
}

// anyOf reports whether one of the formats' rules holds for path.
func anyOf(path string, rule func(format) func(string) bool) bool {
	return slices.ContainsFunc(formats, func(f format) bool { is := rule(f); return is != nil && is(path) })
}

// ErrUnsupported is returned for a file without any content in a known format.
var ErrUnsupported = errors.New("no capture of a known format found (WARC or ARC, plain, gzip, zstd or lz4; WACZ; " +
	"what ACHE writes; CDR; a PageStore)")

// maxSearch limits the search for the first record in a file, so that a large file of another kind costs a limited
// time.
const maxSearch = 256 << 20

// Detect detects a file's format by its content, and that of pages stored as files by its path. If the beginning of a
// file is damaged, it searches the first 256 MiB for the first record.
func Detect(path string, src io.ReaderAt, size int64) (Format, error) {
	if anyOf(path, func(f format) func(string) bool { return f.named }) {
		f, ok, err := detectCodec(path, src, size)
		if ok || err != nil {
			return f, err
		}
	}
	// Before the compressions: a WACZ file is a ZIP, and its stored members could be found by a search for
	// gzip.
	if is, err := wacz.Is(src, size); is || err != nil {
		return Format{Name: "wacz"}, err
	}
	kind, err := member.Detect(src, size)
	if err != nil {
		return Format{}, err
	}
	limit := min(size, maxSearch)
	// The usual case: the file begins with a record.
	f, ok, err := formatAt(src, 0, limit, kind)
	if ok || err != nil {
		return f, err
	}
	f, ok, err = detectCodec(path, src, size)
	if ok || err != nil {
		return f, err
	}
	if f, ok, err := withoutRecords(path, src, size, kind); ok || err != nil {
		return f, err
	}
	if IsNamed(path) && kind != member.Plain {
		if f, ok, err := searchInside(src, limit, kind); ok || err != nil {
			return f, err
		}
	}
	// Last, since it is the dearest: reads up to maxSearch, once for each compression.
	return search(src, limit)
}

// withoutRecords returns a file's format by its name if it is an archive without a record. Crawlers that fetched
// nothing write such files: members without content, or only line ends. A file of zeros has another origin.
func withoutRecords(path string, src io.ReaderAt, size int64, kind member.Kind) (f Format, ok bool, err error) {
	const most = 64 << 10 // bytes; one with warcinfo has a record
	if !IsNamed(path) || size == 0 || size > most {
		return f, false, nil
	}
	b, err := readAt(src, 0, int(size))
	if err != nil || kind == member.Plain && len(bytes.Trim(b, "\r\n")) > 0 {
		return f, false, err
	}
	if f = (Format{"warc", kind}); strings.Contains(strings.ToLower(path), ".arc") {
		f.Name = "arc"
	}
	r, err := record.NewReader(src, member.Range{End: size, Size: size}, kind, f.grammar(), record.Options{})
	if err != nil {
		return f, false, nil // other files are reported elsewhere
	}
	defer r.Close()
	rec, loss, err := r.Step()
	return f, rec == nil && loss == nil && err == io.EOF && r.Stats().Lost == 0, nil
}

// detectCodec tells which format that is not one of records a file has.
func detectCodec(path string, src io.ReaderAt, size int64) (f Format, ok bool, err error) {
	lines, whole, err := dump.Head(src, size)
	if err != nil {
		return f, false, err
	}
	for _, known := range formats {
		if known.lines != nil && known.lines.Match(path, lines) || known.whole != nil && known.whole.Match(path, whole) {
			return Format{Name: known.name}, true, nil
		}
	}
	return f, false, nil
}

func readAt(src io.ReaderAt, off int64, n int) ([]byte, error) {
	b := make([]byte, n)
	k, err := src.ReadAt(b, off)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return b[:k], nil
}

// formatAt returns the format of the first record that is reached from off on in members of the given kind, or in
// members inside them.
func formatAt(src io.ReaderAt, off, limit int64, kind member.Kind) (f Format, ok bool, err error) {
	r, err := member.NewReader(src, member.Range{Start: off, End: limit, Size: limit}, kind,
		member.Options{IsHead: anyHead})
	if err != nil {
		return f, false, err
	}
	b := make([]byte, 0, 4096)
	// Some writers put empty members, or such with line ends alone, before the first record.
	for range maxEmpty {
		if _, err := r.Next(); err != nil {
			return f, false, ignoreEOF(err)
		}
		b = readSome(r, b[:0])
		if blank(b) {
			continue
		}
		for _, known := range recordFormats {
			if isHead(known.records, false)(b) {
				return Format{known.name, kind}, true, nil
			}
		}
		// An archive that was compressed twice. Not a third time: IsDouble ends the recursion.
		if inner := member.Sniff(b); inner != member.Plain && kind != member.Plain && !kind.IsDouble() {
			return formatAt(src, off, limit, member.Double(kind, inner))
		}
		break
	}
	return f, false, nil
}

// maxEmpty limits the empty members that are skipped.
const maxEmpty = 64

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func blank(b []byte) bool {
	for _, c := range b {
		if c != '\r' && c != '\n' && c != 0 {
			return false
		}
	}
	return true
}

// readSome reads from r until b is full or the member ends, in whatever way.
func readSome(r *member.Reader, b []byte) []byte {
	for err := error(nil); err == nil && len(b) < cap(b); {
		b, err = r.Append(b)
	}
	return b
}

// isHead reports whether bytes begin with a head of g, after blank lines and a byte order mark.
func isHead(g record.Grammar, strict bool) func([]byte) bool {
	return func(b []byte) bool {
		return !strict && g.Match(record.SkipBlank(b), false) || record.BeginsRecord(g, b)
	}
}

// anyHead reports whether b begins with a head of any format, by strict evidence.
func anyHead(b []byte) bool {
	for _, f := range recordFormats {
		if isHead(f.records, true)(b) {
			return true
		}
	}
	return false
}
