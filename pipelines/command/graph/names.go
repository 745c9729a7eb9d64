package graph

import (
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// absolute returns the name of a folder that is stored and compared: without links and credentials, and valid in any
// working folder.
func absolute(name string) string {
	if blob.IsRemote(name) {
		return strings.TrimRight(secret.Redact(name), "/")
	}
	// Without a working folder, and for missing folders, names are compared as they are.
	if whole, err := filepath.Abs(name); err == nil {
		name = whole
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	return name
}

// allAbsolute returns a sorted list of folders by their absolute names.
func allAbsolute(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = absolute(name)
	}
	return unique(list)
}

// once returns names without those of a folder that has been named before.
func once(names []string) (list []string) {
	var seen []string
	for _, name := range names {
		whole := absolute(name)
		if slices.Contains(seen, whole) {
			slog.Warn("the collection is named more than once, and is read once", "collection", name)
			continue
		}
		seen, list = append(seen, whole), append(list, name)
	}
	return list
}
