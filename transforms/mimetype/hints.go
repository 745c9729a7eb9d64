package mimetype

import (
	"strings"
	"sync"
)

// family groups types by the look of their bytes for signatures. A hint may make a type more exact, but never move it
// to another family.
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

// hints holds the information besides the bytes.
type hints struct {
	declared string // media type, or ""
	named    string // media type by the name's extension, or ""
	wide     string // the encoding of a text in UTF-16 without a mark, or ""
	ran      bool   // the name is probably that of a program that has made the body
}

// ranAt reports whether name is the URL of a program that a server ran. It has a query, or its output was declared as a
// page, of which it does not show the type. A file "a.py" declared as text/plain is its source.
func (h hints) ranAt(name string) bool {
	return programs[h.named] && strings.Contains(name, "://") && (h.declared == typeHTML || strings.Contains(name, "?"))
}

// programs are the types of programs that servers run.
var programs = words("text/x-perl text/x-python text/x-ruby text/x-lua text/x-tcl text/x-groovy application/x-sh " +
	"application/x-csh application/x-bat application/x-stata-do")

// generic are the types that only name the family of the bytes; servers and authors use them for anything. Detect's
// own generic results are among them: a hint may replace those.
var generic = map[string]bool{
	typeBinary: true, typeText: true, typeXML: true, typeJSON: true, typeZip: true, typeOLE: true, typeTIFF: true,
	"application/force-download": true, "application/download": true,
	"application/x-download": true, "application/unknown": true, "application/x-unknown": true, "unknown/unknown": true,
	"content/unknown": true, "binary/octet-stream": true, "application/binary": true,
}

// choose returns r. If its type is generic and a hint fits the family, it returns the hint. A name has priority over
// the declaration: authors choose names within a container, servers declare types without knowledge. If neither fits,
// the generic type stays, which is true, though unspecific.
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

// chooseText is choose for text, where a declaration has priority. Style sheets and scripts have URLs of any kind, and
// a declaration as one of them is intended. HTML comes last, as servers declare it by default: a text is taken for a
// page only if nothing else is known.
func (h hints) chooseText(r Result) Result {
	switch {
	case h.fits(h.declared, familyText) && h.declared != typeHTML:
		return Result{Type: h.declared, Basis: basisDeclared}
	case h.fits(h.named, familyText) && h.named != typeHTML && !h.ran:
		return Result{Type: h.named, Basis: basisName}
	case h.declared == typeHTML:
		return Result{Type: typeHTML, Basis: basisDeclared}
	case h.named == typeHTML && h.declared == "":
		return Result{Type: typeHTML, Basis: basisName}
	}
	return r
}

// fits reports whether the hint t is usable for a body of family f. A generic hint says nothing. An unmistakable type
// would have been recognised by its bytes.
func (h hints) fits(t string, f family) bool {
	return t != "" && !generic[t] && !unmistakable[t] && familyOfType(t) == f
}

// unmistakable are types whose bodies are recognised by their bytes or first elements. A body without these is damaged
// or something else, whatever its name: a PNG without a PNG's signature is not one.
var unmistakable = map[string]bool{
	typeRSS: true, typeAtom: true, typeXHTML: true, "image/svg+xml": true, typePDF: true, typeGzip: true,
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/avif": true, "font/woff": true,
	"font/woff2": true, "video/webm": true, "audio/ogg": true, "video/ogg": true, "application/vnd.rar": true,
	"application/x-7z-compressed": true, "application/x-shockwave-flash": true, "application/vnd.sqlite3": true,
}

// familyOfType returns the family of a media type. Unknown applications are binary.
func familyOfType(t string) family {
	// Aliases are in the table only under their canonical name.
	t = Canonical(t)
	if f, ok := registry().families[t]; ok {
		return f
	}
	// Suffixes of structured syntax (RFC 6839 and RFC 7303, section 4.2) show the family of unlisted types.
	switch {
	case strings.HasSuffix(t, "+xml"):
		return familyXML
	case strings.HasSuffix(t, "+json"):
		return familyJSON
	case strings.HasSuffix(t, "+zip"):
		return familyZip
	// These were registered before such suffixes were used.
	case strings.HasPrefix(t, "application/vnd.oasis.opendocument."),
		strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument."):
		return familyZip
	case strings.HasPrefix(t, "text/"), strings.HasPrefix(t, "message/"):
		return familyText
	// These are images, sound, video, fonts, models, applications.
	case strings.Contains(t, "/"):
		return familyBinary
	}
	return familyNone
}

// typeOfName returns the type for the extension of a file name or of a URL's path, or "". Extensions of programs that
// generate pages, such as ".php", are not in the table: "index.php" does not show the type of the output.
func typeOfName(name string) string {
	// In a URL only the path counts.
	if at := strings.Index(name, "://"); at >= 0 {
		name = name[at+len("://"):]
		_, name, _ = strings.Cut(name, "/") // a host has no extension
	}
	// Query and fragment may contain other names.
	if at := strings.IndexAny(name, "?#"); at >= 0 {
		name = name[:at]
	}
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	dot := strings.LastIndexByte(name, '.')
	// The limit is twelve bytes with the dot: "webmanifest" is the longest.
	const longest = 12
	if dot < 0 || len(name)-dot > longest {
		return ""
	}
	extension := name[dot+1:]
	r := registry()
	if t := r.types[extension]; t != "" { // .Z differs from .z
		return t
	}
	return r.types[strings.ToLower(extension)]
}

// typeTable is the parsed table of extensions. Field types has an entry for each extension, families one for each type
// of the tables.
type typeTable struct {
	types    map[string]string // by extension
	families map[string]family // by type
}

// registry is parsed for the first hint or family.
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
