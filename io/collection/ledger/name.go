package ledger

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// UnitOfKey returns the unit's part of its shards' names. The key must be valid.
func UnitOfKey(key string) string { return key[:holdings.NameDigits] }

var keyPattern = pattern.Lazy(`^[0-9a-f]{64}$`)

func ValidKey(key string) bool { return keyPattern().MatchString(key) }

// Names inside the hidden folder.
const (
	rowExt     = ".json"
	spillStart = "spill-"
)

func RowFile(key string) string { return key + rowExt }

// SplitKey returns the key that a name in the hidden folder begins with, and what follows it.
func SplitKey(name string) (key, rest string, ok bool) {
	// 64 digits: a SHA-256 in hexadecimal.
	if len(name) < 64 || !ValidKey(name[:64]) {
		return "", "", false
	}
	return name[:64], name[64:], true
}

var (
	tempPattern  = pattern.Lazy(`^\.(.+)\.tmp-` + folder.UniquePattern + `$`)
	pendingRow   = pattern.Lazy(`^[0-9a-f]{64}\.json\.pending-` + folder.UniquePattern + `$`)
	spillPattern = pattern.Lazy(`^` + spillStart + folder.UniquePattern + `$`)
)

// SpillName is the path of the folder for what exceeds an attempt's memory.
func SpillName(unique string) string { return holdings.Hidden(spillStart + unique) }

// IsSpill reports whether name, in the hidden folder, is such a folder.
func IsSpill(name string) bool { return spillPattern().MatchString(name) }

// IsHiddenTemp reports whether name, in the hidden folder, is a temporary file.
func IsHiddenTemp(name string) bool { return tempPattern().MatchString(name) }

func TempName(name, unique string) string { return "." + name + ".tmp-" + unique }

// IsTemp reports whether name is a temporary file of this package beside the shards.
func IsTemp(name string) bool {
	m := tempPattern().FindStringSubmatch(name)
	if m == nil {
		return false
	}
	switch m[1] {
	case holdings.ManifestFile, holdings.ReportFile, holdings.PageFile, IndexFile:
		return true
	}
	return IsShard(m[1])
}

// IsPending reports whether name is the row of a unit that was being committed.
func IsPending(name string) bool { return pendingRow().MatchString(name) }

// SourcesFile is the name, in the hidden folder, of a shard's sources file.
func SourcesFile(shard string) string {
	n, _ := holdings.ParseName(shard) // valid: checked when the compaction was read, or made here
	return sourcesStart + n.Unit
}

// IsSources reports whether name, in the hidden folder, is a sources file.
func IsSources(name string) bool {
	_, is := SharedShard(name)
	return is
}

// SharedShard returns the shared shard of a sources file. It reports whether name, in the hidden folder, is one.
func SharedShard(name string) (shard string, is bool) {
	unit, is := strings.CutPrefix(name, sourcesStart)
	return holdings.Table.Name(unit).String(), is && holdings.UnitPattern().MatchString(unit)
}

// Names in the hidden folder: the note of a compaction, and, for each shared shard, the sources of its rows.
const (
	CompactedFile = "compacted.json"
	sourcesStart  = "sources-"
)

// Names in the hidden folder: the note of an unfinished change, and the manifest it will publish.
const (
	ChangeFile = "change.json"
	NextFile   = "next.json"
)

// IndexFile is the name of the index over all units: the lines of all captures' shards in one plain CDXJ file, sorted
// bytewise. Archive names are relative to the deepest folder that holds them all. A run without an index removes a file
// of this name.
const IndexFile = "index.cdxj"
