package holdings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// The kinds of shards: the first words of their names.
const (
	KindDocuments = "documents"
	KindContent   = "content"
	KindTexts     = "texts"
	KindRejects   = "rejects"
	KindCaptures  = "captures"
	KindFeeds     = "feeds"
	KindLinks     = "links"
	KindData      = "data"
)

// Extensions of shards that do not depend on the compression of JSON lines.
const (
	ExtParquet = ".parquet"
	ExtCDXJ    = ".cdxj.gz"
	ExtWET     = ".warc.wet.gz"
)

var (
	kinds = []string{
		KindDocuments, KindContent, KindTexts, KindRejects, KindCaptures, KindFeeds, KindLinks, KindData,
	}
	extensions = []string{".jsonl", ".jsonl.zst", ".jsonl.gz", ExtParquet, ExtCDXJ, ExtWET}
)

// FileType is a kind of file that units have.
type FileType struct {
	Kind string
	Ext  string
}

// Name is a shard's name in parts: documents-1f0c36a9b2d47e58c3aa.jsonl.zst. It depends on its unit's key only, so it
// stays the same while the collection grows.
type Name struct {
	FileType
	Unit string // the first NameDigits of the unit's key
}

// Table is the file type of documents in Parquet.
var Table = FileType{KindDocuments, ExtParquet}

// Name returns the name of a unit's file of this type.
func (t FileType) Name(unit string) Name { return Name{t, unit} }

// String returns the file name.
func (n Name) String() string { return n.Kind + "-" + n.Unit + n.Ext }

// NameDigits is how many hexadecimal digits of a key name its unit. With 80 bits, two of a million units collide with a
// probability of 4e-13, two of a hundred million with 4e-9. Resume refuses plans with a collision.
const NameDigits = 20

// UnitPattern matches a unit in the names of its shards.
var UnitPattern = pattern.Lazy(fmt.Sprintf("^[0-9a-f]{%d}$", NameDigits))

// ParseName parses a shard's name. Anybody may have edited the row files that names come from, so it accepts only names
// that this package gives: no separators, no "..".
func ParseName(s string) (Name, bool) {
	p, unit, ok := SplitName(s)
	return Name{p, unit}, ok && UnitPattern().MatchString(unit)
}

// SplitName splits a name into the file type and the part between kind and extension.
func SplitName(s string) (p FileType, middle string, ok bool) {
	kind, rest, _ := strings.Cut(s, "-")
	middle, ext, _ := strings.Cut(rest, ".")
	p = FileType{kind, "." + ext}
	return p, middle, slices.Contains(kinds, p.Kind) && slices.Contains(extensions, p.Ext)
}

// FileTypeOf returns the file type of a shard of either layout.
func FileTypeOf(name string) (FileType, bool) {
	if n, ok := ParseName(name); ok {
		return n.FileType, true
	}
	n, ok := ParseNumbered(name)
	return n.FileType, ok
}

// Numbered is a shard's name in layout 1, in parts.
type Numbered struct {
	FileType
	ID     int
	Total  int
	Joined bool // the unit of joined records, which has no number: documents-joined.jsonl.zst
}

// String returns the file name. Both numbers are as wide as the total, and at least five digits.
func (n Numbered) String() string {
	if n.Joined {
		return n.Kind + "-joined" + n.Ext
	}
	width := max(5, len(strconv.Itoa(n.Total)))
	return fmt.Sprintf("%s-%0*d-of-%0*d%s", n.Kind, width, n.ID, width, n.Total, n.Ext)
}

// maxTotal limits the units of a plan: nine digits fit an int on every platform.
const maxTotal = 999_999_999

// ParseNumbered parses a shard's name of layout 1 and accepts no other.
func ParseNumbered(s string) (Numbered, bool) {
	p, middle, ok := SplitName(s)
	if ok && middle == "joined" {
		return Numbered{FileType: p, Joined: true}, true
	}
	first, second, _ := strings.Cut(middle, "-of-")
	id, errID := strconv.Atoi(first)
	total, errTotal := strconv.Atoi(second)
	n := Numbered{FileType: p, ID: id, Total: total}
	ok = ok && errID == nil && errTotal == nil && id >= 0 && id < total && total <= maxTotal
	// Only the canonical form: "1" and "00001" must not name the same shard.
	return n, ok && n.String() == s
}
