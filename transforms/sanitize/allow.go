package sanitize

import "github.com/gleaner-web/gleaner/transforms/page"

// kind says where an element may stand so that a parser finds it in the place where it was written.
type kind uint8

// The kinds are as many as the parser has rules about where an element may stand. What parsers treat
// alike is one kind here, whatever it means to a reader.
const (
	phrasing   kind = iota // within a line of text
	formatting             // likewise; not within one of its own name, which parsers take apart
	block                  // ends an open paragraph
	heading                // a block; not within another heading
	item                   // a block; a plain <div> outside its list
	table                  // a block; what is in it and outside its cells is put into a cell
	section                // part of a table that holds rows
	row                    //
	cell                   //
	caption                //
	empty                  // has no content: br, img
	rule                   // likewise, and ends an open paragraph: hr
)

// element is how one element is written. It is not written when it has no name.
type element struct {
	name  string
	kind  kind
	attrs []string // beside lang and dir
}

// alone reports whether the element means what it says without the one around it. It decides how far out HTML begins:
// an item without its list, or a row without its table, would be moved or dropped by the parser of the output.
func (e element) alone() bool {
	return e.name != "" && (e.kind == block || e.kind == heading || e.kind == table)
}

// elements are the elements that are written, some under another name. The table is an array by tag, with an empty
// element for all that it does not name, so that the default is to leave the tags out. Names and attributes come from
// here, never from the page: a tag's spelling cannot carry anything over.
//
// Elements that only divide a page (article, nav, form) become <div>, which has no behaviour. The names for text of a
// fixed width become <code> or <pre>; the two that parsers read in ways of their own, xmp and plaintext, would else
// swallow what follows.
var elements = [256]element{
	page.TagA:          {"a", formatting, []string{"href", "title"}},
	page.TagAbbr:       {"abbr", phrasing, []string{"title"}},
	page.TagAddress:    division,
	page.TagArticle:    division,
	page.TagAside:      division,
	page.TagB:          {"b", formatting, nil},
	page.TagBlockquote: {"blockquote", block, nil},
	page.TagBr:         {"br", empty, nil},
	page.TagCaption:    {"caption", caption, nil},
	page.TagCenter:     division,
	page.TagCite:       {"cite", phrasing, nil},
	page.TagCode:       {"code", formatting, nil},
	page.TagDd:         {"dd", item, nil},
	page.TagDel:        {"del", phrasing, nil},
	page.TagDetails:    {"details", block, nil},
	page.TagDialog:     division,
	page.TagDir:        {"ul", block, nil},
	page.TagDiv:        division,
	page.TagDl:         {"dl", block, nil},
	page.TagDt:         {"dt", item, nil},
	page.TagEm:         {"em", formatting, nil},
	page.TagFieldset:   division,
	page.TagFigcaption: {"figcaption", block, nil},
	page.TagFigure:     {"figure", block, nil},
	page.TagFooter:     division,
	page.TagForm:       division,
	page.TagH1:         {"h1", heading, nil},
	page.TagH2:         {"h2", heading, nil},
	page.TagH3:         {"h3", heading, nil},
	page.TagH4:         {"h4", heading, nil},
	page.TagH5:         {"h5", heading, nil},
	page.TagH6:         {"h6", heading, nil},
	page.TagHeader:     division,
	page.TagHgroup:     division,
	page.TagHr:         {"hr", rule, nil},
	page.TagI:          {"i", formatting, nil},
	page.TagImg:        {"img", empty, []string{"src", "alt", "width", "height"}},
	page.TagIns:        {"ins", phrasing, nil},
	page.TagKbd:        {"code", formatting, nil},
	page.TagLegend:     division,
	page.TagLi:         {"li", item, nil},
	page.TagListing:    {"pre", block, nil},
	page.TagMain:       division,
	page.TagMenu:       {"ul", block, nil},
	page.TagNav:        division,
	page.TagOl:         {"ol", block, nil},
	page.TagP:          {"p", block, nil},
	page.TagPlaintext:  {"pre", block, nil},
	page.TagPre:        {"pre", block, nil},
	page.TagQ:          {"q", phrasing, nil},
	page.TagS:          {"s", formatting, nil},
	page.TagSamp:       {"code", formatting, nil},
	page.TagSearch:     division,
	page.TagSection:    division,
	page.TagSpan:       {"span", phrasing, nil},
	page.TagStrike:     {"s", formatting, nil},
	page.TagStrong:     {"strong", formatting, nil},
	page.TagSub:        {"sub", phrasing, nil},
	page.TagSummary:    {"summary", block, nil},
	page.TagSup:        {"sup", phrasing, nil},
	page.TagTable:      {"table", table, nil},
	page.TagTbody:      {"tbody", section, nil},
	page.TagTd:         {"td", cell, []string{"colspan", "rowspan"}},
	page.TagTfoot:      {"tfoot", section, nil},
	page.TagTh:         {"th", cell, []string{"colspan", "rowspan"}},
	page.TagThead:      {"thead", section, nil},
	page.TagTime:       {"time", phrasing, []string{"datetime"}},
	page.TagTr:         {"tr", row, nil},
	page.TagTt:         {"code", formatting, nil},
	page.TagU:          {"u", formatting, nil},
	page.TagUl:         {"ul", block, nil},
	page.TagXmp:        {"pre", block, nil},
}

// division is what a block is written as for which there is no better name, so that its text stands alone. A <div>
// may stand nearly anywhere that text may.
var division = element{"div", block, nil}

// never are the nodes that are not written, nor what they hold: it is not text of the page, or browsers have rules of
// their own for it. In SVG and MathML the parser has other rules for the same names, which is where most attacks on
// sanitizers begin. Leaving the whole of it out costs drawings and formulas, and makes what is left a plain tree.
const never = page.InSkipped | page.InForeign
