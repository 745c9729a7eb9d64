package collection

import (
	"regexp"
	"slices"
	"strconv"
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

// shardName is a shard's name taken apart: documents-00017-of-00240.jsonl.zst, or documents-joined.jsonl.zst.
type shardName struct {
	part
	id     int
	total  int
	joined bool // of the unit of joined records, which has no number
}

// String is the name of the file. Both numbers are as wide as the total, and five digits at least, so that a listing
// by name is in the order of the input.
func (n shardName) String() string {
	if n.joined {
		return n.kind + "-joined" + n.ext
	}
	total := strconv.Itoa(n.total)
	width := max(5, len(total))
	return n.kind + "-" + padded(strconv.Itoa(n.id), width) + "-of-" + padded(total, width) + n.ext
}

// padded is a number with zeros before it.
func padded(number string, width int) string {
	return strings.Repeat("0", max(width-len(number), 0)) + number
}

// maxTotal bounds the units of a plan: nine digits fit an int on every platform.
const maxTotal = 999_999_999

var (
	kinds      = []string{kindDocuments, kindContent, kindTexts, kindRejects, kindCaptures, kindFeeds}
	extensions = []string{".jsonl", ".jsonl.zst", ".jsonl.gz", extParquet, extCDXJ, extWET}
)

// parseShard takes a name apart. Names come from row files, which anybody may have edited: whatever is not exactly a
// name that this package gives (so no separators, no "..") is refused.
func parseShard(s string) (shardName, bool) {
	kind, rest, _ := strings.Cut(s, "-")
	place, ext, _ := strings.Cut(rest, ".")
	p := part{kind, "." + ext}
	if !slices.Contains(kinds, p.kind) || !slices.Contains(extensions, p.ext) {
		return shardName{}, false
	}
	if place == "joined" {
		return shardName{part: p, joined: true}, true
	}
	first, second, _ := strings.Cut(place, "-of-")
	id, errID := strconv.Atoi(first)
	total, errTotal := strconv.Atoi(second)
	n := shardName{part: p, id: id, total: total}
	ok := errID == nil && errTotal == nil && id >= 0 && id < total && total <= maxTotal && n.String() == s
	return n, ok
}

var keyPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func validKey(key string) bool { return keyPattern.MatchString(key) }

// Names inside the hidden folder.
const (
	hiddenDir   = ".gleaner"
	markerFile  = "collection"
	lockFile    = "lock"
	jobFile     = "job.json"
	askedFile   = "asked.json"
	numbersFile = "numbers.json"
	rowExt      = ".json"
	spillStart  = "spill-"
)

func rowName(key string) string { return key + rowExt }

// heldName is where a shard waits while units are renumbered: a name that no other unit can want.
func heldName(key string, p part) string { return key + "-" + p.kind + p.ext }

// isHeld tells whether name is heldName's.
func isHeld(name string) bool {
	_, rest, keyed := keyOf(name)
	return keyed && strings.HasPrefix(rest, "-")
}

// keyOf returns the key which the name of a file in the hidden folder begins with, and what follows it.
func keyOf(name string) (key, rest string, ok bool) {
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
	markerTemp   = regexp.MustCompile(`^\.` + markerFile + `\.tmp-` + uniquePattern + `$`)
)

func tempName(name, unique string) string { return "." + name + ".tmp-" + unique }

// isTemp tells whether name is a temporary file of this package beside the shards.
func isTemp(name string) bool {
	m := tempPattern.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	_, ok := parseShard(m[1])
	return ok || m[1] == ManifestFile || m[1] == ReportFile || m[1] == IndexFile
}

// isPending tells whether name is the row of a unit that was being committed.
func isPending(name string) bool { return pendingRow.MatchString(name) }
