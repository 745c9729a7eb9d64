package fileset

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// MaxListed is how many files of a dataset are listed at most: the largest useful value of [Options.MaxFiles].
const MaxListed = 10_000

// cutTo is the length of the manifest of a dataset with more files than MaxListed: results of rejected datasets stay
// small.
const cutTo = 200

// limit returns why a dataset is rejected, in the order of Sandcrawler, or nil.
func (o Options) limit(item *schemas.FilesetPlatformItem) *StatusError {
	switch {
	case item.Files == 0:
		return &StatusError{Status: StatusEmptyManifest}
	// Size and number count all files, also those cut from the manifest.
	case item.Size > o.MaxTotal:
		return &StatusError{
			Status: StatusTooLarge, Message: fmt.Sprintf("%d bytes, and %d are the most", item.Size, o.MaxTotal),
		}
	case item.Files > o.MaxFiles:
		return &StatusError{
			Status: StatusTooMany, Message: fmt.Sprintf("%d files, and %d are the most", item.Files, o.MaxFiles),
		}
	// With a part of its files a dataset would seem complete.
	case item.Files > min(MaxListed, int64(len(item.Manifest))):
		return &StatusError{
			Status: StatusTooMany, Message: fmt.Sprintf("%d files, and %d can be listed", item.Files, MaxListed),
		}
	}
	return nil
}

// Choose returns the strategy for a dataset by the number of its files, the largest, and their sum. Unknown sizes
// count as 0.
func Choose(item *schemas.FilesetPlatformItem, o Options) string {
	o = o.withDefaults()
	var largest int64
	for _, f := range item.Manifest {
		if f.Size != nil {
			largest = max(largest, *f.Size)
		}
	}
	// Less than, as in Sandcrawler: a file of exactly the bound goes to an item.
	single, web := item.Files == 1, largest < o.MaxWebFile && item.Size < o.MaxWebTotal
	if item.Files == 1 {
		web = item.Size < o.MaxWebFile
	}
	// Items of archive.org stay there.
	if item.Platform == "archiveorg" {
		web = false
	}
	switch {
	case single && web:
		return WebFile
	case single:
		return ArchiveorgFile
	case web:
		return WebFileset
	}
	return ArchiveorgFileset
}

// handled reports whether a strategy can be used for a dataset.
func handled(strategy string, item *schemas.FilesetPlatformItem) bool {
	switch {
	case !slices.Contains(Strategies(), strategy):
		return false
	case isBundled(strategy):
		return item.BundleURL != ""
	case isSingle(strategy):
		return len(item.Manifest) == 1
	}
	return true
}

func isBundled(strategy string) bool { return strings.HasSuffix(strategy, "-bundled") }
func isSingle(strategy string) bool  { return strings.HasSuffix(strategy, "-file") }
func isItem(strategy string) bool    { return strings.HasPrefix(strategy, "archiveorg-") }

// SafePath reports whether a file may have this path: it is relative, in normal form, and stays inside its folder.
// Backslashes and NULs have a meaning on some systems.
func SafePath(p string) bool {
	// 4096 is PATH_MAX of Linux.
	return p != "" && p != "." && len(p) <= 4096 && !strings.HasPrefix(p, "/") && path.Clean(p) == p &&
		p != ".." && !strings.HasPrefix(p, "../") && !strings.ContainsAny(p, "\x00\\")
}

// name checks the paths of a manifest. It sets the status of each unsafe one and returns the first.
func name(manifest []schemas.ManifestFile) *StatusError {
	var first *StatusError
	seen := map[string]bool{}
	for i := range manifest {
		f := &manifest[i]
		why := ""
		switch {
		case !SafePath(f.Path):
			why = "the path is not safe"
		// The uploader of the real system takes a map from names to files, in which this name has a meaning.
		case f.Path == "name":
			why = `a file cannot be called "name"`
		case seen[f.Path]:
			why = "two files have this path"
		}
		// Check all, so that each file of the result has its own status.
		seen[f.Path] = true
		if why == "" {
			continue
		}
		f.Status = StatusUnsafePath
		if first == nil {
			first = &StatusError{Status: StatusUnsafePath, Message: fmt.Sprintf("%s: %q", why, shorten(f.Path, 200))}
		}
	}
	return first
}
