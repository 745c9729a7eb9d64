package rights

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/link"
)

// manifestID is the UUID of a C2PA manifest store in JUMBF, by which it is found in any format of file.
var manifestID = []byte("c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71")

// relManifest is the relation of a link to a manifest.
const relManifest = "c2pa-manifest"

// manifest notes a manifest of the Coalition for Content Provenance and Authenticity, in the file or linked. It is not
// verified. Value "training-mining" says that it has an assertion about training, for which see the file.
func (c *collector) manifest(in Input) {
	for _, l := range link.Header(c.header) {
		if slices.Contains(strings.Fields(strings.ToLower(l.Rel)), relManifest) {
			c.add(schemas.Right{Signal: Manifest, Value: c.absolute(l.URI), Basis: Header})
		}
	}
	if in.Page != nil {
		for _, l := range in.Page.Links() {
			if slices.Contains(l.Rel, relManifest) {
				c.add(schemas.Right{Signal: Manifest, Value: short(l.Href), Basis: Link})
			}
		}
	}
	if !isMedia(in.Type) || !bytes.Contains(in.Body, manifestID) {
		return
	}
	value := ""
	if bytes.Contains(in.Body, []byte("training-mining")) {
		value = "training-mining"
	}
	c.add(schemas.Right{Signal: Manifest, Value: value, Basis: C2PA})
}

// isMedia reports whether files of a type may have a manifest.
func isMedia(mime string) bool {
	kind, _, _ := strings.Cut(mime, "/")
	return kind == "image" || kind == "video" || kind == "audio" || mime == "application/pdf"
}
