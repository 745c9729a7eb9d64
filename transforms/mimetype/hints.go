package mimetype

import (
	"strings"
	"sync"
)

// family groups types by what their bytes look like to signatures: a hint may only make a type more exact, never move
// it to another family.
type family byte

const (
	familyNone   family = 0
	familyBinary family = 'b'
	familyText   family = 't'
	familyXML    family = 'x'
	familyJSON   family = 'j'
	familyZip    family = 'z'
	familyOLE    family = 'o'
	familyTIFF   family = 'i'
)

// hints are what is known beside the bytes.
type hints struct {
	declared string // media type, or ""
	named    string // media type by the name's extension, or ""
	wide     string // the encoding of a text in UTF-16 without a mark, or ""
}

// generic are the types that say no more than which family the bytes are of; servers and authors write them for
// anything. Detect's own generic answers are among them: a hint may replace those.
var generic = map[string]bool{
	typeBinary: true, typeText: true, typeXML: true, typeJSON: true, typeZip: true, typeOLE: true, typeTIFF: true,
	"application/force-download": true, "application/download": true,
	"application/x-download": true, "application/unknown": true, "application/x-unknown": true, "unknown/unknown": true,
	"content/unknown": true, "binary/octet-stream": true, "application/binary": true,
}

// choose returns r, or, when its type is generic, what the hints make of it within the family. A name is asked before
// the declaration: within a container names are given by people who know, and types by servers that do not. Where
// neither fits, the generic type stays, which is true, if not telling.
func (h hints) choose(f family, r Result) Result {
	if !generic[r.Type] {
		return r
	}
	switch {
	case h.fits(h.named, f):
		return Result{Type: h.named, Basis: basisName}
	case h.fits(h.declared, f):
		return Result{Type: h.declared, Basis: basisDeclared}
	}
	return r
}

// chooseText is choose for text, where a declaration is asked first: style sheets and scripts have URLs of any kind,
// and whoever declares one of them means it. HTML is asked last, as servers declare it by default: only where nothing
// else is known is a text taken for a page.
func (h hints) chooseText(r Result) Result {
	switch {
	case h.fits(h.declared, familyText) && h.declared != typeHTML:
		return Result{Type: h.declared, Basis: basisDeclared}
	case h.fits(h.named, familyText) && h.named != typeHTML:
		return Result{Type: h.named, Basis: basisName}
	case h.declared == typeHTML:
		return Result{Type: typeHTML, Basis: basisDeclared}
	case h.named == typeHTML && h.declared == "":
		return Result{Type: typeHTML, Basis: basisName}
	}
	return r
}

// fits reports whether t is a hint that may be taken for a body of family f. A hint that is generic tells nothing; one
// that is unmistakable would have been seen in the bytes.
func (h hints) fits(t string, f family) bool {
	return t != "" && !generic[t] && !unmistakable[t] && familyOfType(t) == f
}

// unmistakable are types that bodies are known to be by their bytes or first elements. What is not is damaged, or
// something else, whatever it is called. A body that is called a PNG and has no PNG's signature is not one.
var unmistakable = map[string]bool{
	typeRSS: true, typeAtom: true, typeXHTML: true, "image/svg+xml": true, typePDF: true, typeGzip: true,
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/avif": true, "font/woff": true,
	"font/woff2": true, "video/webm": true, "audio/ogg": true, "video/ogg": true, "application/vnd.rar": true,
	"application/x-7z-compressed": true, "application/x-shockwave-flash": true, "application/vnd.sqlite3": true,
}

// familyOfType returns the family of a media type. Unknown applications are taken for binary.
func familyOfType(t string) family {
	// Aliases are in the table under their canonical name alone.
	t = Canonical(t)
	if f, ok := registry().families[t]; ok {
		return f
	}
	// Suffixes of structured syntax (RFC 6839 and RFC 7303, section 4.2) tell the family of types
	// that nobody listed.
	switch {
	case strings.HasSuffix(t, "+xml"):
		return familyXML
	case strings.HasSuffix(t, "+json"):
		return familyJSON
	case strings.HasSuffix(t, "+zip"):
		return familyZip
	// Registered before such suffixes were in use.
	case strings.HasPrefix(t, "application/vnd.oasis.opendocument."),
		strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument."):
		return familyZip
	case strings.HasPrefix(t, "text/"), strings.HasPrefix(t, "message/"):
		return familyText
	// Images, sound, video, fonts, models, applications.
	case strings.Contains(t, "/"):
		return familyBinary
	}
	return familyNone
}

// typeOfName returns the type that the extension of a file name or of a URL's path stands for, or "". Extensions of
// programs that make pages, such as ".php", stand for nothing. They are not in the table: "index.php" says nothing of
// what the program sent.
func typeOfName(name string) string {
	// Of a URL only the path counts.
	if at := strings.Index(name, "://"); at >= 0 {
		name = name[at+len("://"):]
		_, name, _ = strings.Cut(name, "/") // a host has no extension
	}
	// Query and fragment may hold other names.
	if at := strings.IndexAny(name, "?#"); at >= 0 {
		name = name[:at]
	}
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	dot := strings.LastIndexByte(name, '.')
	// Twelve bytes with the dot: "webmanifest" is the longest.
	const longest = 12
	if dot < 0 || len(name)-dot > longest {
		return ""
	}
	extension := name[dot+1:]
	r := registry()
	if t := r.types[extension]; t != "" { // .Z is not .z
		return t
	}
	return r.types[strings.ToLower(extension)]
}

// typeTable is the table of extensions, read. types has an entry for each extension, families one for each type of
// the tables.
type typeTable struct {
	types    map[string]string // by extension
	families map[string]family // by type
}

// registry is read when the first hint or family is asked for.
var registry = sync.OnceValue(func() typeTable {
	t := typeTable{map[string]string{}, map[string]family{}}
	for line := range strings.Lines(textExtensions + binaryExtensions) {
		fields := strings.Fields(line)
		t.families[fields[1]] = family(fields[0][0])
		for _, extension := range fields[2:] {
			t.types[extension] = fields[1]
		}
	}
	return t
})
