package sanitize

// kind says where an element may stand so that a parser finds it in the place where it was written.
type kind uint8

const (
	phrasing   kind = iota // within a line of text
	formatting             // likewise; not within one of its own name, which parsers take apart
	block                  // ends an open paragraph
	heading                // a block; not within another heading
	item                   // a block; a plain <div> outside its list
	table                  // a block; what stands in it and outside its cells is put into a cell
	section                // part of a table that holds rows
	row                    //
	cell                   //
	caption                //
	empty                  // has no content: br, img
	rule                   // likewise, and ends an open paragraph: hr
)

// element is how one element is written.
type element struct {
	kind  kind
	attrs []string // beside lang and dir
}

// elements are the elements that are written.
var elements = map[string]element{
	"a":          {formatting, []string{"href", "title"}},
	"abbr":       {phrasing, []string{"title"}},
	"b":          {formatting, nil},
	"blockquote": {block, nil},
	"br":         {empty, nil},
	"caption":    {caption, nil},
	"cite":       {phrasing, nil},
	"code":       {formatting, nil},
	"dd":         {item, nil},
	"del":        {phrasing, nil},
	"details":    {block, nil},
	"div":        {block, nil},
	"dl":         {block, nil},
	"dt":         {item, nil},
	"em":         {formatting, nil},
	"figcaption": {block, nil},
	"figure":     {block, nil},
	"h1":         {heading, nil},
	"h2":         {heading, nil},
	"h3":         {heading, nil},
	"h4":         {heading, nil},
	"h5":         {heading, nil},
	"h6":         {heading, nil},
	"hr":         {rule, nil},
	"i":          {formatting, nil},
	"img":        {empty, []string{"src", "alt", "width", "height"}},
	"ins":        {phrasing, nil},
	"li":         {item, nil},
	"ol":         {block, nil},
	"p":          {block, nil},
	"pre":        {block, nil},
	"q":          {phrasing, nil},
	"s":          {formatting, nil},
	"span":       {phrasing, nil},
	"strong":     {formatting, nil},
	"sub":        {phrasing, nil},
	"summary":    {block, nil},
	"sup":        {phrasing, nil},
	"table":      {table, nil},
	"tbody":      {section, nil},
	"td":         {cell, []string{"colspan", "rowspan"}},
	"tfoot":      {section, nil},
	"th":         {cell, []string{"colspan", "rowspan"}},
	"thead":      {section, nil},
	"time":       {phrasing, []string{"datetime"}},
	"tr":         {row, nil},
	"u":          {formatting, nil},
	"ul":         {block, nil},
}

// lists are the elements in which an item may stand directly.
var lists = map[string][]string{"li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"}}

// dropped are the elements that are left out with what they hold: it is no text of the page, or it is raw, so that
// two parsers may disagree where it ends.
var dropped = map[string]bool{
	"applet": true, "area": true, "audio": true, "base": true, "button": true, "canvas": true, "col": true,
	"colgroup": true, "command": true, "datalist": true, "embed": true, "form": true, "frame": true, "frameset": true,
	"head": true, "iframe": true, "input": true, "isindex": true, "keygen": true, "link": true, "listing": true,
	"map": true, "marquee": true, "math": true, "meta": true, "noembed": true, "noframes": true, "noscript": true,
	"object": true, "optgroup": true, "option": true, "param": true, "plaintext": true, "script": true,
	"select": true, "source": true, "style": true, "svg": true, "template": true, "textarea": true, "title": true,
	"track": true, "video": true, "xmp": true,
}
