package view

import "github.com/gleaner-web/gleaner/schemas"

// ResourceRequest is a request for one address.
type ResourceRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	URL        string `json:"url,omitempty" query:"url" required:"true" minLength:"1" maxLength:"8000" doc:"address of the page; scheme and www do not matter"`
	At         string `json:"at,omitempty" query:"at" maxLength:"4200" doc:"version that is shown: 20241223150127, a date or a time, the newest at or before it; the newest of all without it"`
	Near       string `json:"near,omitempty" query:"near" maxLength:"40" doc:"instead of at: the nearest to a time"`
	Year       string `json:"year,omitempty" query:"year" maxLength:"4" doc:"year of the calendar"`
	Status     string `json:"status,omitempty" query:"status" enum:"1,2,3,4,5,-" doc:"first digit of the status"`
	From       string `json:"from,omitempty" query:"from" maxLength:"4200" doc:"older one of two versions that are compared"`
	To         string `json:"to,omitempty" query:"to" maxLength:"4200" doc:"newer one"`
}

// Resource is one address: its versions, and the details of one of them.
type Resource struct {
	Answer
	URL    string   `json:"url"`
	SURT   string   `json:"surt,omitempty"`
	Crumbs []Choice `json:"crumbs" doc:"the host and the folders of the path, each with the search below it"`
	// Lists are never nil: the API returns [] for empty ones.
	Versions []Version `json:"versions" doc:"oldest first, those without a date before all"`
	More     int64     `json:"more" doc:"older versions that are not listed"`
	Later    int64     `json:"later" doc:"newer versions that are not listed"`
	// Compared are the two versions of Diff, also if they are not listed.
	Compared [2]Version `json:"-"`
	Calendar *Calendar  `json:"calendar"`
	Previous string     `json:"previous,omitempty" doc:"the version before the shown one"`
	Next     string     `json:"next,omitempty" doc:"the version after the shown one"`
	Like     string     `json:"like,omitempty" doc:"search for pages like the shown version, by meaning"`
	Prefix   string     `json:"prefix" doc:"search for the pages whose URLs begin with this one"`
	// Withheld says why the text and the record are left out.
	Withheld string `json:"withheld,omitempty" doc:"why the text and the record may not be read"`
	// Shown is the version that is shown; its document has all fields.
	Shown Version `json:"shown"`
	// It is the document itself, so that the API also has the fields that a page leaves out.
	Document *schemas.Document `json:"document"`

	Text     []Paragraph `json:"text" doc:"text of the page with what it names marked"`
	TextAt   string      `json:"text_at,omitempty" doc:"link to the version that has a revisit's text: its payload is the same"`
	TextCut  int         `json:"text_cut,omitempty" doc:"bytes of the text that are not in text; document has all"`
	Diff     *Diff       `json:"diff,omitempty" doc:"what changed from one version to another, where two were asked for or there are two"`
	Metadata []Meta      `json:"metadata"`
	Entities []Named     `json:"entities"`
	Links    Links       `json:"links"`
	Headers  []Header    `json:"headers,omitempty" doc:"as archived; read from the archive"`
	Status   string      `json:"status_line,omitempty"`
	Flags    []Said      `json:"flags" doc:"flags of the capture, as sentences"`
	Place    Place       `json:"place"`
	// HTML means that there is sanitised HTML of the main part. HTMLLink is its address; the response is for a
	// sandboxed frame.
	HTML      bool       `json:"html"`
	HTMLLink  string     `json:"html_link,omitempty"`
	Replay    string     `json:"replay,omitempty" doc:"the capture in the server's replay tool"`
	Replayed  string     `json:"replayed,omitempty" doc:"the capture as it looked, without scripts"`
	Downloads []Download `json:"downloads"`
}

// Version is one capture of the address.
type Version struct {
	Capture
	BodyBytes int64  `json:"body_bytes"`
	Words     int    `json:"words,omitempty"`
	Change    string `json:"change" doc:"against the version before: first, same, same text, changed or unknown"`
	// Differs is more exact than Change. A text differs only if both versions have one.
	Differs []string `json:"differs,omitempty" doc:"status, media type, title, text, payload"`
	Shown   bool     `json:"shown,omitempty"`
	From    bool     `json:"from,omitempty" doc:"the older one of those that are compared"`
	To      bool     `json:"to,omitempty"`
	At      string   `json:"at" doc:"what the parameters at, from and to take for this version"`
}

// Paragraph is a paragraph of a text.
type Paragraph struct {
	Kind  string `json:"kind" doc:"text, heading, item or code"`
	Runs  []Run  `json:"runs"`
	Level int    `json:"level,omitempty" doc:"of a heading, 1 to 6"`
}

// Run is a part of a paragraph: text, or a named entity. Together, the runs are the paragraph's text, without the sign
// of a heading or item.
type Run struct {
	Text   string `json:"text"`
	Entity string `json:"entity,omitempty" doc:"type of the entity"`
	ID     string `json:"id,omitempty"`
}

// Diff is the difference between two texts. It counts paragraphs, since these are compared first.
type Diff struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Removed int      `json:"removed" doc:"paragraphs"`
	Added   int      `json:"added"`
	Same    int      `json:"same"`
	Blocks  []Change `json:"blocks"`
	Days    float64  `json:"days" doc:"between the captures"`
	Cut     bool     `json:"cut,omitempty" doc:"the texts are longer than the compared part"`
}

// Change is a paragraph that was removed, added or changed, or several that stayed the same.
type Change struct {
	Kind  string `json:"kind" doc:"same, removed, added or changed"`
	Count int    `json:"count" doc:"paragraphs, of same"`
	Text  string `json:"text,omitempty" doc:"of same the beginning"`
	Words []Word `json:"words,omitempty" doc:"of the others"`
}

// Word is a part of a changed paragraph.
type Word struct {
	Text string `json:"text"`
	Kind string `json:"kind" doc:"same, removed or added"`
}

// Meta is a value of the document, with its origin. From shows the reader how far to trust a value.
type Meta struct {
	Field      string   `json:"field" doc:"name in documents"`
	Label      string   `json:"label"`
	Values     []string `json:"values"`
	From       string   `json:"from" doc:"what said so: JSON-LD, Open Graph, detected; what disagrees is said as well"`
	Confidence float64  `json:"confidence,omitempty" doc:"0 to 1; 0 where not known"`
	Link       string   `json:"link,omitempty"`
	Archived   bool     `json:"archived,omitempty" doc:"the page's words, not ours"`
	Dir        string   `json:"dir,omitempty"`
}

// Named is something that the page names.
type Named struct {
	Text       string  `json:"text"`
	Type       string  `json:"type"`
	ID         string  `json:"id,omitempty"`
	Count      int     `json:"count" doc:"mentions in the text; 0: named in the metadata"`
	Confidence float64 `json:"confidence,omitempty"`
	Source     string  `json:"source" doc:"jsonld, microdata, link, pattern, tagger, gazetteer"`
	Link       string  `json:"link"`
}

// Links are the links of the page.
type Links struct {
	Internal int         `json:"internal" doc:"to the same host"`
	External int         `json:"external"`
	Known    bool        `json:"known" doc:"links were counted"`
	Out      []Link      `json:"out" doc:"links of the main part of the page, which is not all of them"`
	Feeds    []Link      `json:"feeds" doc:"feeds that the page announces"`
	In       []SourceRow `json:"in" doc:"sources of which this is a page"`
	// These are absent if the collection has no index of links.
	Into *LinkList `json:"links_in,omitempty" doc:"the first links to the page; the resource links has all"`
	On   *LinkList `json:"links_out,omitempty" doc:"the first links on the page"`
}

// Link is a link of a page.
type Link struct {
	URL   string `json:"url"`
	Text  string `json:"text,omitempty"`
	Type  string `json:"type,omitempty"`
	There string `json:"link,omitempty" doc:"page of this server for the address"`
}

// Header is a field of the HTTP header.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Said is a name and its meaning.
type Said struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Bad  bool   `json:"bad,omitempty" doc:"a sign of damage"`
}

// Place is the place of the capture. It is enough to cut the record out of its file with other tools: a name, an
// offset, a length.
type Place struct {
	Archive    string `json:"filename"`
	Offset     int64  `json:"offset"`
	Length     int64  `json:"length" doc:"compressed bytes of its member"`
	Sequence   int    `json:"sequence"`
	RecordID   string `json:"record_id,omitempty"`
	RecordType string `json:"record_type"`
	Digest     string `json:"digest,omitempty"`
	IP         string `json:"ip,omitempty"`
	Missing    string `json:"missing,omitempty" doc:"why the archive cannot be read now"`
}

// PlaceRequest is a request for one capture by its place.
type PlaceRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	URL        string `json:"url,omitempty" query:"url" required:"true" minLength:"1" maxLength:"8000" doc:"address of the capture"`
	Place      string `json:"place,omitempty" query:"place" maxLength:"4200" doc:"~offset.sequence.filename, or a time; the newest version without it"`
}
