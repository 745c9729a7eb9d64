package holdings

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The kinds of shards, which are the first words of their names.
const (
	KindDocuments = "documents"
	KindContent   = "content"
	KindTexts     = "texts"
	KindRejects   = "rejects"
	KindCaptures  = "captures"
	KindFeeds     = "feeds"
	KindLinks     = "links"
)

// The extensions of shards that do not depend on the compression of JSON lines.
const (
	ExtParquet = ".parquet"
	ExtCDXJ    = ".cdxj.gz"
	ExtWET     = ".warc.wet.gz"
)

var (
	kinds      = []string{KindDocuments, KindContent, KindTexts, KindRejects, KindCaptures, KindFeeds, KindLinks}
	extensions = []string{".jsonl", ".jsonl.zst", ".jsonl.gz", ExtParquet, ExtCDXJ, ExtWET}
)

// FileType is one of the files that every unit of a run has.
type FileType struct {
	Kind string
	Ext  string
}

// Name is a shard's name taken apart: documents-1f0c36a9b2d47e58c3aa.jsonl.zst. It depends on what its unit is
// made of and on nothing around it, so it stays what it is while a collection grows, and others may refer to it.
type Name struct {
	FileType
	Unit string // nameDigits of the unit's key
}

// Table is the file of documents as Parquet.
var Table = FileType{KindDocuments, ExtParquet}

// Name is the name of such a file of a unit.
func (t FileType) Name(unit string) Name { return Name{t, unit} }

// String is the name of the file.
func (n Name) String() string { return n.Kind + "-" + n.Unit + n.Ext }

// NameDigits is how many of a key's hexadecimal digits name its unit. With 80 bits, two of a million units have one
// name with a probability of 4e-13, and of a hundred million with 4e-9; Resume refuses a plan in which it is so.
const NameDigits = 20

// UnitPattern matches what names a unit in the names of its shards.
var UnitPattern = regexp.MustCompile(fmt.Sprintf("^[0-9a-f]{%d}$", NameDigits))

// ParseName takes a name apart. Names come from row files, which anybody may have edited: whatever is not exactly a
// name that this package gives (so no separators, no "..") is refused.
func ParseName(s string) (Name, bool) {
	p, unit, ok := SplitName(s)
	return Name{p, unit}, ok && UnitPattern.MatchString(unit)
}

// SplitName divides a name into what a shard holds and what is between that.
func SplitName(s string) (p FileType, middle string, ok bool) {
	kind, rest, _ := strings.Cut(s, "-")
	middle, ext, _ := strings.Cut(rest, ".")
	p = FileType{kind, "." + ext}
	return p, middle, slices.Contains(kinds, p.Kind) && slices.Contains(extensions, p.Ext)
}

// FileTypeOf is what a shard of either layout holds.
func FileTypeOf(name string) (FileType, bool) {
	if n, ok := ParseName(name); ok {
		return n.FileType, true
	}
	n, ok := ParseNumbered(name)
	return n.FileType, ok
}

// Numbered is a shard's name in layout 1, taken apart.
type Numbered struct {
	FileType
	ID     int
	Total  int
	Joined bool // of the unit of joined records, which has no number: documents-joined.jsonl.zst
}

// String is the name of the file. Both numbers are as wide as the total, and five digits at least.
func (n Numbered) String() string {
	if n.Joined {
		return n.Kind + "-joined" + n.Ext
	}
	width := max(5, len(strconv.Itoa(n.Total)))
	return fmt.Sprintf("%s-%0*d-of-%0*d%s", n.Kind, width, n.ID, width, n.Total, n.Ext)
}

// maxTotal bounds the units of a plan: nine digits fit an int on every platform.
const maxTotal = 999_999_999

// ParseNumbered takes a name apart, and refuses whatever is not exactly a name of layout 1.
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
	// Written again it must be the same: so "1" and "00001" are not two names of one shard.
	return n, ok && n.String() == s
}
