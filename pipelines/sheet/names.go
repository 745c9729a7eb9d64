package sheet

import (
	"html"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// names removes folders from the names of local files, so that a published page does not reveal the disk or account
// of its maker. Names keep the part below the common folder of all archives.
type names struct {
	common string // "/data/shelf/", or ""
}

// namesOf finds the common folder of the local, absolute names.
func namesOf(m schemas.Manifest) names {
	var common string
	first := true
	for _, u := range m.Units {
		for _, in := range u.Inputs {
			// Names in buckets and URLs reveal nothing and stay.
			if !absolute(in.File) {
				continue
			}
			dir := strings.TrimSuffix(in.File, path.Base(in.File))
			if first {
				common, first = dir, false
			}
			// Each round removes a folder. The prefix "" ends it.
			for !strings.HasPrefix(dir, common) {
				common = parent(common)
			}
		}
	}
	return names{common}
}

// parent returns the parent of a folder; both end with a slash. The parent of the root is "".
func parent(dir string) string {
	dir = strings.TrimSuffix(dir, "/")
	return dir[:strings.LastIndex(dir, "/")+1]
}

// absolute reports whether a name is an absolute path of Unix or Windows.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// rooted matches the folders of absolute paths in a text, but not paths in URLs or divisions. A match begins after
// the start, a blank, a bracket or a quote, and has at least two slashes.
var rooted = pattern.Lazy(`(^|[\s"'(=,\[])((?:[A-Za-z]:)?/(?:[^/\s"'(),\]]+/)+)`)

// clean removes folders from a name, message or JSON, and truncates it to limit bytes of escaped HTML.
func (n names) clean(text string, limit int) string {
	// Removing folders shortens the text, hence some more bytes.
	if most := limit + 4096; len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	// The common folder goes first, so that names keep their part below it.
	if strings.Count(n.common, "/") > 1 {
		text = strings.ReplaceAll(text, n.common, "")
		// For "/" alone, every slash would go.
	}
	text = rooted().ReplaceAllString(text, "$1")
	return cut(text, limit)
}

// cut truncates a text to limit bytes of HTML, where a quote takes five bytes.
func cut(text string, limit int) string {
	for i, r := range text {
		if limit -= len(html.EscapeString(string(r))); limit < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
