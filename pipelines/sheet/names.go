package sheet

import (
	"html"
	"path"
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// names takes the folders out of the names of local files. What is published need not tell how the disk of who made it
// is called, or the maker's account; below the folder that all archives have in common, names say which is which.
type names struct {
	common string // "/data/shelf/"; "" where there is none
}

// namesOf finds the folder that the local, absolute names have in common.
func namesOf(m schemas.Manifest) names {
	var common string
	first := true
	for _, u := range m.Units {
		for _, in := range u.Inputs {
			// Names in a bucket or at a URL say nothing of anyone's disk, and stay as they are.
			if !absolute(in.File) {
				continue
			}
			dir := strings.TrimSuffix(in.File, path.Base(in.File))
			if first {
				common, first = dir, false
			}
			// Each turn takes one folder off; "" is a prefix of all names, so this ends.
			for !strings.HasPrefix(dir, common) {
				common = parent(common)
			}
		}
	}
	return names{common}
}

// parent is the folder that a folder is in; both end with a slash, and that of the root is "".
func parent(dir string) string {
	dir = strings.TrimSuffix(dir, "/")
	return dir[:strings.LastIndex(dir, "/")+1]
}

// absolute reports whether a name is one of the local disk, of Unix or of Windows, from its root.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// rooted finds names from the root in a text: after its start, a blank, a bracket or a quote, and of two folders at
// least, so that a path of a URL's server or a division stays. Of these the last part is kept.
var rooted = regexp.MustCompile(`(^|[\s"'(=,\[])((?:[A-Za-z]:)?/(?:[^/\s"'(),\]]+/)+)`)

// clean is text without folders, and of at most limit bytes as the page has it, with its signs escaped. It may be a
// name, a message, or JSON.
func (n names) clean(text string, limit int) string {
	// What is cut below need not be looked through; folders take room that is free when they are gone.
	if most := limit + 4096; len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	// The common folder first: names below it keep what tells them apart.
	if strings.Count(n.common, "/") > 1 {
		text = strings.ReplaceAll(text, n.common, "")
		// Of "/" alone nothing is taken: every slash of the text would go.
	}
	text = rooted.ReplaceAllString(text, "$1")
	return cut(text, limit)
}

// cut shortens a text to limit bytes of HTML: a name made of quotes takes five bytes for each.
func cut(text string, limit int) string {
	for i, r := range text {
		if limit -= len(html.EscapeString(string(r))); limit < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
