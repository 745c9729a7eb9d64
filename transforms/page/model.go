package page

import "slices"

import "golang.org/x/net/html/atom"

// class holds what the tree builder does with an element, as far as it matters for how large its tree grows.
type class uint8

const (
	void       class = 1 << iota // has no end tag
	formatting                   // is opened again in the next block when a block's end closes it
	phrasing                     // stays within a line of text, and is no formatting element
	closesP                      // a start tag of it ends an open <p>
	marker                       // formatting elements outside it are not seen from inside, nor the reverse
	tablePart                    // means nothing outside a table
)

// classes is section 13.2.4.2 ff. of the HTML Living Standard, cut to what class distinguishes.
var classes = classOf(map[class][]atom.Atom{
	void: {
		atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr,
		atom.Image, atom.Img, atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track,
		atom.Wbr,
	},
	formatting: {
		atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small,
		atom.Strike, atom.Strong, atom.Tt, atom.U,
	},
	phrasing: {
		atom.Abbr, atom.Bdi, atom.Bdo, atom.Cite, atom.Data, atom.Del, atom.Dfn, atom.Ins, atom.Kbd, atom.Label,
		atom.Mark, atom.Output, atom.Picture, atom.Q, atom.Samp, atom.Span, atom.Sub, atom.Sup, atom.Time, atom.Var,
	},
	closesP: {
		atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Dd, atom.Details, atom.Dialog,
		atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Li, atom.Listing,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Plaintext, atom.Pre, atom.Search, atom.Section,
		atom.Summary, atom.Table, atom.Ul, atom.Xmp,
	},
	marker: {atom.Applet, atom.Caption, atom.Marquee, atom.Object, atom.Td, atom.Template, atom.Th},
	tablePart: {
		atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr,
	},
})

func classOf(lists map[class][]atom.Atom) map[atom.Atom]class {
	all := map[atom.Atom]class{}
	for c, atoms := range lists {
		for _, a := range atoms {
			all[a] |= c
		}
	}
	return all
}

// closing says which open elements a start tag ends, and which ones it does not see past.
type closing struct{ targets, bounds []atom.Atom }

var (
	closesParagraph = closing{[]atom.Atom{atom.P}, []atom.Atom{atom.Table, atom.Button}}
	closesRow       = []atom.Atom{atom.Td, atom.Th, atom.Tr, atom.Caption, atom.Colgroup}
	closesGroup     = append([]atom.Atom{atom.Tbody, atom.Thead, atom.Tfoot}, closesRow...)
	tables          = []atom.Atom{atom.Table, atom.Template}
	lists           = []atom.Atom{atom.Ul, atom.Ol, atom.Dl, atom.Menu, atom.Dir, atom.Table, atom.Button}
)

var closings = map[atom.Atom]closing{
	atom.Li:       {[]atom.Atom{atom.Li, atom.P}, lists},
	atom.Dd:       {[]atom.Atom{atom.Dd, atom.Dt, atom.P}, lists},
	atom.Dt:       {[]atom.Atom{atom.Dd, atom.Dt, atom.P}, lists},
	atom.Option:   {[]atom.Atom{atom.Option}, []atom.Atom{atom.Select, atom.Table}},
	atom.Optgroup: {[]atom.Atom{atom.Option, atom.Optgroup}, []atom.Atom{atom.Select, atom.Table}},
	atom.Button:   {[]atom.Atom{atom.Button}, tables},
	atom.Td:       {[]atom.Atom{atom.Td, atom.Th, atom.Caption, atom.Colgroup}, tables},
	atom.Th:       {[]atom.Atom{atom.Td, atom.Th, atom.Caption, atom.Colgroup}, tables},
	atom.Tr:       {closesRow, tables},
	atom.Tbody:    {closesGroup, tables},
	atom.Thead:    {closesGroup, tables},
	atom.Tfoot:    {closesGroup, tables},
	atom.Caption:  {closesGroup, tables},
	atom.Colgroup: {closesGroup, tables},
	atom.Col:      {closesRow, tables},
}

// open is an element of the model's stack.
type open struct {
	atom  atom.Atom
	class class
	name  string // kept by the filter only
}

// model is a stack of open elements that follows the tree builder's closely enough to tell, at a fraction of the
// cost, where the builder would close an element that has no end tag there.
type model struct{ stack []open }

// maxSeek bounds the search through the stack: the tree builder gives up on deeper ones.
const maxSeek = 512

// closedBy returns the height to which the stack falls when a start tag of a comes, and whether the tag counts
// at all.
func (m *model) closedBy(a atom.Atom, c class) (int, bool) {
	rule, ok := closings[a]
	if !ok {
		if c&closesP == 0 {
			return len(m.stack), true
		}
		rule = closesParagraph
	}
	height, part := len(m.stack), c&tablePart != 0
	for i := len(m.stack) - 1; i >= max(0, len(m.stack)-maxSeek); i-- {
		e := m.stack[i]
		if contains(rule.bounds, e.atom) {
			if part && height > i+1 && height == len(m.stack) {
				height = i + 1 // what stands in a table and is no part of it ends here
			}
			return height, true
		}
		if contains(rule.targets, e.atom) {
			height = i
		}
		if e.class&marker != 0 && !part {
			return height, true
		}
	}
	return height, !part
}

// find returns the index of the element that an end tag of a, called name, closes, or -1.
func (m *model) find(a atom.Atom, c class, name string) int {
	part := c&tablePart != 0 || a == atom.Table
	for i := len(m.stack) - 1; i >= max(0, len(m.stack)-maxSeek); i-- {
		e := m.stack[i]
		if e.atom == a && e.name == name {
			return i
		}
		if part && e.atom == atom.Table || !part && e.class&marker != 0 {
			return -1
		}
	}
	return -1
}

func contains(list []atom.Atom, a atom.Atom) bool {
	return slices.Contains(list, a)
}
