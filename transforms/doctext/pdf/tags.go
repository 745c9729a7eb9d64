package pdf

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// A tagged file has a tree of structure elements (section 14.7). It says which marked content is a heading, a cell of a
// table or a paragraph, and in which order they are read. File tagged.go decides whether a page's tags can be trusted.

const (
	// maxTagNodes bounds the nodes of the tree that are visited, elements and others. Books of 1,000 pages have
	// 200,000.
	maxTagNodes = 1 << 19
	// maxLang bounds a language tag, in bytes: section 4.4.1 of RFC 5646 recommends 35.
	maxLang = 35
	// maxRoles bounds a chain of roles, maxSpan the rows and columns that a cell takes, maxAlt a description, in bytes.
	maxRoles, maxSpan, maxAlt = 8, 256, 1024
	// Tags of glyphs: 0 without any, then artifacts, then content by its identifier (MCID).
	tagArtifact, tagContent = 1, 2
	// maxContent bounds the identifiers of a page.
	maxContent = 1<<16 - 1 - tagContent
)

// role is what an element is.
type role uint8

const (
	roleInline  role = iota // a part of the element around it
	roleUnknown             // likewise, if there is one
	roleGroup               // only its kids count
	roleParagraph
	roleHeading
	roleList
	roleItem
	roleTable
	roleRow
	roleCell
	roleCaption
	roleFigure
)

// roles are those of the standard types (section 14.8.4). NonStruct and Private count as unknown.
var roles = map[object.Name]role{
	"Document": roleGroup, "Part": roleGroup, "Art": roleGroup, "Sect": roleGroup, "Div": roleGroup, "Aside": roleGroup,
	"BlockQuote": roleGroup, "TOC": roleGroup, "Index": roleGroup, "THead": roleGroup, "TBody": roleGroup,
	"TFoot": roleGroup, "DocumentFragment": roleGroup,
	"P": roleParagraph, "TOCI": roleParagraph, "FENote": roleParagraph, "Note": roleParagraph, "L": roleList,
	"LI": roleItem, "Table": roleTable, "TR": roleRow, "TH": roleCell, "TD": roleCell, "Caption": roleCaption,
	"Figure": roleFigure, "H": roleHeading, "H1": roleHeading, "H2": roleHeading, "H3": roleHeading, "H4": roleHeading,
	"H5": roleHeading, "H6": roleHeading, "Title": roleHeading, "Span": roleInline, "Quote": roleInline,
	"Code": roleInline, "Link": roleInline, "Annot": roleInline, "Reference": roleInline, "BibEntry": roleInline,
	"Em": roleInline, "Strong": roleInline, "Sub": roleInline, "Lbl": roleInline, "LBody": roleInline,
	"Ruby": roleInline, "RB": roleInline, "RT": roleInline, "RP": roleInline, "Warichu": roleInline, "WT": roleInline,
	"WP": roleInline, "Formula": roleInline, "Form": roleInline,
}

// element is a part of the text that is laid out at once.
type element struct {
	role  role
	level int // of a heading, or the nesting of an item's list
	// table is the number of the cell's table, row and column are its place.
	table, row, column int
	alt                string // the description of a figure
}

// tags is the structure of a file. Elements are in the order of reading; the first is not used.
type tags struct {
	elements []element
	byPage   map[int]*pageTags // by number of the page's object
	language map[object.String]int
}

// pageTags is the structure of a page.
type pageTags struct {
	of      []int32               // the element of each content
	actual  map[int]object.String // text that replaces a content
	figures []int32               // figures with a description
}

// tagWalk walks through the tree.
type tagWalk struct {
	*reader
	*tags
	roleMap object.Dict
	visited map[int]bool
	left    int // nodes that may still be visited
	tables  int
}

// spot is a place in the tree: what content there belongs to.
type spot struct {
	page    int   // number of the page's object
	block   int32 // the element around it, or 0
	solid   bool  // all text within belongs to it
	lists   int   // nesting
	section int   // nesting
	table   *tagTable
	lang    object.String
	actual  object.Object
}

// tagTable is the table that is being read.
type tagTable struct {
	number, row, column int
	busy                []int // by column: rows that a cell above still takes
}

// readTags returns the structure of the file, or nil if it has none.
func (r *reader) readTags() *tags {
	root := r.file.Dict(r.file.Dict(r.file.Trailer["Root"])["StructTreeRoot"])
	if root["K"] == nil {
		return nil
	}
	w := tagWalk{
		reader: r, left: maxTagNodes, roleMap: r.file.Dict(root["RoleMap"]), visited: map[int]bool{},
		tags: &tags{elements: make([]element, 1), byPage: map[int]*pageTags{}, language: map[object.String]int{}},
	}
	w.kids(root["K"], spot{}, 0)
	if len(w.byPage) == 0 {
		return nil
	}
	return w.tags
}

// kids visits the kids of an element: other elements, and content. It returns the element of text after it.
func (w *tagWalk) kids(o object.Object, at spot, depth int) int32 {
	list, isList := w.file.Resolve(o).(object.Array)
	if !isList {
		list = object.Array{o}
	}
	if len(list) > 1 {
		at.actual = nil // it is that of all of them
	}
	group := at.block == 0
	for _, kid := range list {
		if w.left--; w.left < 0 || depth > w.options.MaxDepth {
			break
		}
		if ref, ok := kid.(object.Ref); ok {
			if w.visited[ref.Num] {
				continue
			}
			w.visited[ref.Num] = true
		}
		switch v := w.file.Resolve(kid).(type) {
		case int:
			w.content(&at, v)
		case object.Dict:
			switch id, isContent := w.file.Resolve(v["MCID"]).(int); {
			case isContent:
				in := at
				w.onPage(v, &in)
				w.content(&in, id)
				at.block = in.block
			case w.file.Name(v["Type"]) != "OBJR":
				// Text of a group on both sides of an element is not one paragraph.
				if block, flows := w.element(v, at, depth+1); flows {
					at.block = block
				} else if group {
					at.block = 0
				}
			}
		}
	}
	return at.block
}

// onPage sets the page that an element or a content states.
func (w *tagWalk) onPage(d object.Dict, at *spot) {
	if ref, ok := d["Pg"].(object.Ref); ok {
		at.page = ref.Num
	}
}

// page returns the structure of the page of a place.
func (w *tagWalk) page(at *spot) *pageTags {
	p := w.byPage[at.page]
	if p == nil {
		p = &pageTags{}
		w.byPage[at.page] = p
	}
	return p
}

// content notes the element of a content. Text in a group is a paragraph.
func (w *tagWalk) content(at *spot, id int) {
	if id < 0 || id > maxContent || at.page == 0 {
		return
	}
	if at.block == 0 {
		at.block = w.add(element{role: roleParagraph})
	}
	p := w.page(at)
	if more := id + 1 - len(p.of); more > 0 {
		if !w.file.Spend(more / 8) {
			return
		}
		p.of = append(p.of, make([]int32, more)...)
	}
	if p.of[id] == 0 {
		p.of[id] = at.block
	}
	if len(w.language) < maxRoles || w.language[at.lang] > 0 {
		w.language[at.lang]++
	}
	if s := w.file.String(at.actual); at.actual != nil {
		if p.actual == nil {
			p.actual = map[int]object.String{}
		}
		p.actual[id] = s // many contents may share it
	}
}

// altText reads only the part of a description that is kept: many figures may share a long one.
func altText(s object.String) string { return cutText(textString(s[:min(len(s), 2*maxAlt)]), maxAlt) }

func (w *tagWalk) add(e element) int32 {
	w.elements = append(w.elements, e)
	return int32(len(w.elements) - 1)
}

// element visits an element. If it is a part of the text around it, it returns the element of that text.
func (w *tagWalk) element(d object.Dict, at spot, depth int) (block int32, flows bool) {
	w.onPage(d, &at)
	if s := w.file.String(d["Lang"]); s != "" && len(s) <= maxLang {
		at.lang = s
	}
	if o, ok := d["ActualText"]; ok {
		at.actual = o
	}
	name, is := w.roleOf(d)
	if at.solid && is != roleList && is != roleItem {
		w.kids(d["K"], at, depth)
		return 0, false
	}
	switch is {
	case roleInline, roleUnknown:
		return w.kids(d["K"], at, depth), true
	case roleGroup:
		at.block = 0
		if name == "Sect" {
			at.section++
		}
	case roleList:
		if at.table != nil && at.solid {
			break // a list in a cell
		}
		at.block, at.solid = 0, false
		at.lists++
	case roleItem:
		if at.table != nil && at.solid {
			break
		}
		at.block, at.solid = w.add(element{role: is, level: max(at.lists, 1)}), true
	case roleTable:
		w.tables++
		at.block, at.table = 0, &tagTable{number: w.tables, row: -1}
	case roleRow:
		if at.block = 0; at.table != nil {
			at.table.begin()
		}
	case roleCell:
		at.block, at.solid = w.cell(d, at.table), true
	case roleHeading:
		at.block = w.add(element{role: is, level: levelOf(name, at.section)})
	case roleFigure:
		at.block = w.add(element{role: is, alt: altText(w.file.String(d["Alt"]))})
		if w.elements[at.block].alt != "" && at.page != 0 {
			p := w.page(&at)
			p.figures = append(p.figures, at.block)
		}
	default:
		at.block = w.add(element{role: is})
	}
	w.kids(d["K"], at, depth)
	return 0, false
}

// roleOf returns the type of an element and its role, by the map of the file.
func (w *tagWalk) roleOf(d object.Dict) (object.Name, role) {
	name := w.file.Name(d["S"])
	for range maxRoles {
		if is, known := roles[name]; known {
			return name, is
		}
		next := w.file.Name(w.roleMap[name])
		if next == "" {
			break
		}
		name = next
	}
	return name, roleUnknown
}

// levelOf returns the level of a heading. H without a number has that of the sections around it.
func levelOf(name object.Name, sections int) int {
	if n := strings.TrimPrefix(string(name), "H"); len(n) == 1 && n[0] >= '1' && n[0] <= '6' {
		return int(n[0] - '0')
	}
	if name == "H" {
		return min(max(sections, 1), 6)
	}
	return 1
}

// begin begins a row.
func (t *tagTable) begin() {
	t.row++
	t.column = 0
	for i := range t.busy {
		t.busy[i] = max(0, t.busy[i]-1)
	}
}

// cell adds a cell at the next place of the row that no cell above takes.
func (w *tagWalk) cell(d object.Dict, t *tagTable) int32 {
	if t == nil || t.row < 0 {
		return w.add(element{role: roleParagraph})
	}
	across, down := w.spans(d)
	for t.column < len(t.busy) && t.busy[t.column] > 0 {
		t.column++
	}
	e := element{role: roleCell, table: t.number, row: t.row, column: t.column}
	for range across {
		if t.column >= maxColumns {
			break
		}
		for t.column >= len(t.busy) {
			t.busy = append(t.busy, 0)
		}
		t.busy[t.column] = down
		t.column++
	}
	return w.add(e)
}

// spans returns the columns and rows that a cell takes, by its attributes (section 14.8.5.7).
func (w *tagWalk) spans(d object.Dict) (across, down int) {
	attributes, isList := w.file.Resolve(d["A"]).(object.Array)
	if !isList {
		attributes = object.Array{d["A"]}
	}
	across, down = 1, 1
	for _, o := range attributes[:min(len(attributes), maxRoles)] {
		a := w.file.Dict(o)
		across = max(across, min(w.file.Int(a["ColSpan"], 1), maxSpan))
		down = max(down, min(w.file.Int(a["RowSpan"], 1), maxSpan))
	}
	return across, down
}

// usualLanguage returns the language of most content, or "".
func (t *tags) usualLanguage() string {
	var usual object.String
	for lang, n := range t.language {
		if n > t.language[usual] || n == t.language[usual] && lang < usual {
			usual = lang
		}
	}
	return language(textString(usual))
}

// pageTags returns the structure of a page, or nil.
func (r *reader) pageTags(p page) *pageTags {
	if r.tags == nil || p.num == 0 {
		return nil
	}
	return r.tags.byPage[p.num]
}
