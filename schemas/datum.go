package schemas

// Datum is a value in the structured data of a captured page: one row of data-*.parquet. The first five fields are
// those of the page's Document. An item without properties has one row without a property.
type Datum struct {
	SURT      string `json:"surt,omitempty"`
	URL       string `json:"url"`
	Host      string `json:"host,omitempty"`
	Domain    string `json:"domain,omitempty"`
	Timestamp string `json:"timestamp,omitempty"` // of the capture, RFC 3339, UTC

	Syntax string `json:"syntax"` // one of the Syntax constants
	Item   int    `json:"item"`   // number of the item on its page, from 0
	// Parent is the item that has this item as a value; nil for an item of its own.
	Parent *int `json:"parent,omitempty"`
	// Type is the item's first type. A type of schema.org is its bare name. Each further type is a row with the
	// property @type.
	Type string `json:"type,omitempty"`
	ID   string `json:"id,omitempty"` // of the item, as @id, itemid or a resource has it

	Property string `json:"property,omitempty"`
	Value    string `json:"value,omitempty"` // white space collapsed; of links the absolute URL
	// Child is the item that is the value.
	Child *int   `json:"child,omitempty"`
	Lang  string `json:"lang,omitempty"` // of the value, as the page declares it, in lower case
}

// Syntaxes of structured data.
const (
	SyntaxJSONLD       = "json-ld"
	SyntaxMicrodata    = "microdata"
	SyntaxRDFa         = "rdfa"
	SyntaxOpenGraph    = "opengraph"
	SyntaxMicroformats = "microformats"
	SyntaxCitation     = "citation"   // <meta name="citation_…">, as scholarly search engines read them
	SyntaxDublinCore   = "dublincore" // <meta name="dc.…"> and dcterms
)
