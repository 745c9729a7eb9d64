package rights

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/robots"
)

// Signals: the values of schemas.Right.Signal that the code names. Directives have their own names.
const (
	Allow       = "allow"
	Disallow    = "disallow"
	Reservation = "tdm-reservation"
	Policy      = "tdm-policy"
	Manifest    = "c2pa"
	Guide       = "llms.txt"
)

// Bases: the values of schemas.Right.Basis.
const (
	Header   = "header"
	XRobots  = "x-robots-tag"
	Meta     = "meta"
	Metadata = "metadata" // of a PDF file or an electronic book
	Link     = "link"
	Robots   = "robots.txt"
	TDMRep   = "tdmrep.json"
	AIText   = "ai.txt"
	LLMs     = "llms.txt"
	C2PA     = "c2pa"
)

// Input is a capture. Its fields are only read.
type Input struct {
	URL    string
	Status int
	Header []schemas.Field
	Type   string     // media type by the bytes of the body
	Page   *page.Page // nil if the body is not HTML
	Text   []byte     // the body as UTF-8, if it is text
	Body   []byte
	// Reservation and Policy are those in the metadata of the file, if it is a document.
	Reservation, Policy string
}

// max bounds the statements of a capture. A robots.txt of 500 KiB could make 50,000.
const maxRights = 2000

// Extract returns the statements of a capture, each once, in the order of the table above. With cut, some are left
// out: beyond 2000, or beyond the first 500 KiB of a robots.txt.
func Extract(in Input) (list []schemas.Right, cut bool) {
	c := collector{url: in.URL, header: in.Header}
	c.directives(in)
	c.reservation(in)
	c.usage()
	if read := fileOf(in); read != nil {
		read(&c, in.Text)
	}
	c.manifest(in)
	return c.list, c.cut
}

// collector collects statements.
type collector struct {
	url    string
	header []schemas.Field
	list   []schemas.Right
	seen   map[schemas.Right]bool
	cut    bool
}

// add adds a statement, unless it was made in the same words already.
func (c *collector) add(r schemas.Right) {
	if c.seen[r] {
		return
	}
	if len(c.list) >= maxRights {
		c.cut = true
		return
	}
	if c.seen == nil {
		c.seen = map[schemas.Right]bool{}
	}
	c.seen[r] = true
	c.list = append(c.list, r)
}

// fields yields the values of a header field, one for each time that it occurs.
func (c *collector) fields(name string, yield func(value string)) {
	for _, f := range c.header {
		if strings.EqualFold(f.Name, name) {
			yield(f.Value)
		}
	}
}

// fileOf returns the function that reads a file about the whole host, or nil for other captures.
func fileOf(in Input) func(*collector, []byte) {
	// A page in its place, as many servers send instead of status 404, says nothing.
	if in.Page != nil || in.Status >= 300 || len(in.Text) == 0 {
		return nil
	}
	return files[Path(in.URL)]
}

// files are the readers of such files, by their paths.
var files = map[string]func(*collector, []byte){
	"/robots.txt":              (*collector).robots,
	"/ai.txt":                  (*collector).aiText,
	"/.well-known/tdmrep.json": (*collector).tdmrep,
	"/llms.txt":                (*collector).guide,
}

// Path returns the path of a URL without its query.
func Path(rawURL string) string {
	path, _, _ := strings.Cut(robots.PathOf(rawURL), "?")
	return path
}
