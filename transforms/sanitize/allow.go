package sanitize

import "github.com/gleaner-web/gleaner/transforms/page"

// kind says where an element may be so that a parser leaves it there.
type kind uint8

// There are as many kinds as the parser has rules about the place of elements. Elements that parsers treat alike share
// a kind, whatever their meaning.
const (
	phrasing   kind = iota // within a line of text
	formatting             // the same, but not inside one of the same name, which parsers separate
	block                  // ends an open paragraph
	heading                // a block; not within another heading
	item                   // a block; a plain <div> outside its list
	table                  // a block; content outside its cells is put into a cell
	section                // a part of a table that holds rows
	row                    //
	cell                   //
	caption                //
	empty                  // has no content: br, img
	rule                   // likewise, and ends an open paragraph: hr
)

// element describes how an element is written. An element without a name is not written.
type element struct {
	name  string
	kind  kind
	attrs []string // besides lang and dir
}

// alone reports whether the element has its meaning without its parent. It determines the outermost element of the
// output. The parser of the output would move or drop an item without its list, or a row without its table.
func (e element) alone() bool {
	return e.name != "" && (e.kind == block || e.kind == heading || e.kind == table)
}

// elements are the elements that are written, some under another name. The table is an array by tag, and by default a
// tag is left out. Names and attributes are written from this table, so nothing in the page's spelling can reach the
// output.
//
// Elements that only divide a page (article, nav, form) become <div>, which has no behaviour. Elements for monospaced
// text become <code> or <pre>. Among them are xmp and plaintext, which parsers treat specially, and which would
// otherwise swallow the following text.
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

// division is the output for blocks without a better name, to separate their text. A <div> may be nearly anywhere that
// text may.
var division = element{"div", block, nil}

// never has the flags of nodes that are left out with their content. They are not text of the page, or browsers have
// special rules for them. In SVG and MathML the parser has other rules for the same names, and most attacks on
// sanitizers use that. Without them the rest is a simple tree, but drawings and formulas are lost.
const never = page.InSkipped | page.InForeign
