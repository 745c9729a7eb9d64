package schemas

// Link is a link of a captured page: one row of links-*.parquet. The first five fields are those of the page's
// Document.
type Link struct {
	SURT      string `json:"surt,omitempty"`
	URL       string `json:"url"`
	Host      string `json:"host,omitempty"`
	Domain    string `json:"domain,omitempty"`
	Timestamp string `json:"timestamp,omitempty"` // of the capture, RFC 3339, UTC

	// Target is where the link leads: absolute, with its fragment. A target that cannot be made absolute is kept as in the
	// page.
	Target string `json:"target"`
	// TargetSURT, TargetHost and TargetDomain are made of it as those of documents are; empty where it has no host.
	TargetSURT   string `json:"target_surt,omitempty"`
	TargetHost   string `json:"target_host,omitempty"`
	TargetDomain string `json:"target_domain,omitempty"`

	Text  string `json:"text,omitempty"` // of the anchor, white space collapsed; at most 256 bytes
	Rel   string `json:"rel,omitempty"`  // its words in lower case, one space between
	Place string `json:"place"`          // one of the Place constants
}

// Where a link stands on its page.
const (
	PlaceMain       = "main"       // in the main text, as the extractor of texts has it
	PlaceNavigation = "navigation" // in a menu, or in the page's header or footer
	PlaceOther      = "other"
)
