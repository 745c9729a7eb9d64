package collection

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The kinds of shards, which are the first words of their names.
const (
	kindDocuments = "documents"
	kindContent   = "content"
	kindTexts     = "texts"
	kindRejects   = "rejects"
	kindCaptures  = "captures"
	kindFeeds     = "feeds"
	kindLinks     = "links"
)

// The extensions of shards that do not depend on the compression of JSON lines.
const (
	extParquet = ".parquet"
	extCDXJ    = ".cdxj.gz"
	extWET     = ".warc.wet.gz"
)

// part is one of the files that every unit of a run has.
type part struct {
	kind string
	ext  string
}

// shardName is a shard's name taken apart: documents-1f0c36a9b2d47e58c3aa.jsonl.zst. It depends on what its unit is
// made of and on nothing around it, so it stays what it is while a collection grows, and others may refer to it.
type shardName struct {
	part
	unit string // nameDigits of the unit's key
}

// String is the name of the file.
func (n shardName) String() string { return n.kind + "-" + n.unit + n.ext }

// nameDigits is how many of a key's hexadecimal digits name its unit. With 80 bits, two of a million units have one
// name with a probability of 4e-13, and of a hundred million with 4e-9; Resume refuses a plan in which it is so.
const nameDigits = 20

// nameOf is what the unit with a key, which is valid, is called in the names of its shards.
func nameOf(key string) string { return key[:nameDigits] }

var (
	kinds      = []string{kindDocuments, kindContent, kindTexts, kindRejects, kindCaptures, kindFeeds, kindLinks}
	extensions = []string{".jsonl", ".jsonl.zst", ".jsonl.gz", extParquet, extCDXJ, extWET}
)

// parseShard takes a name apart. Names come from row files, which anybody may have edited: whatever is not exactly a
// name that this package gives (so no separators, no "..") is refused.
func parseShard(s string) (shardName, bool) {
	p, unit, ok := splitName(s)
	return shardName{p, unit}, ok && unitPattern.MatchString(unit)
}

// splitName divides a name into what a shard holds and what is between that.
func splitName(s string) (p part, middle string, ok bool) {
	kind, rest, _ := strings.Cut(s, "-")
	middle, ext, _ := strings.Cut(rest, ".")
	p = part{kind, "." + ext}
	return p, middle, slices.Contains(kinds, p.kind) && slices.Contains(extensions, p.ext)
}

var unitPattern = regexp.MustCompile(fmt.Sprintf("^[0-9a-f]{%d}$", nameDigits))

var keyPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func validKey(key string) bool { return keyPattern.MatchString(key) }

// Names inside the hidden folder.
const (
	hiddenDir  = ".gleaner"
	markerFile = "collection"
	lockFile   = "lock"
	jobFile    = "job.json"
	askedFile  = "asked.json"
	rowExt     = ".json"
	spillStart = "spill-"
)

func rowName(key string) string { return key + rowExt }

// keyOf returns the key which the name of a file in the hidden folder begins with, and what follows it.
func keyOf(name string) (key, rest string, ok bool) {
	// 64 digits: a SHA-256 in hexadecimal.
	if len(name) < 64 || !validKey(name[:64]) {
		return "", "", false
	}
	return name[:64], name[64:], true
}

// uniquePattern is what folder.Unique makes.
const uniquePattern = `\d+-[0-9a-f]{16}-\d+`

var (
	tempPattern  = regexp.MustCompile(`^\.(.+)\.tmp-` + uniquePattern + `$`)
	pendingRow   = regexp.MustCompile(`^[0-9a-f]{64}\.json\.pending-` + uniquePattern + `$`)
	spillPattern = regexp.MustCompile(`^` + spillStart + uniquePattern + `$`)
)

func tempName(name, unique string) string { return "." + name + ".tmp-" + unique }

// isTemp tells whether name is a temporary file of this package beside the shards.
func isTemp(name string) bool {
	m := tempPattern.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	return isShard(m[1]) || m[1] == ManifestFile || m[1] == ReportFile || m[1] == PageFile || m[1] == IndexFile
}

// isPending tells whether name is the row of a unit that was being committed.
func isPending(name string) bool { return pendingRow.MatchString(name) }
