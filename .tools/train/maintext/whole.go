package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// unit is a row or list. It maps the node of each cell or item to whether any of it is kept.
type unit map[int32]bool

// kept counts the cells or items of which something is kept.
func (u unit) kept() (n int) {
	for _, k := range u {
		if k {
			n++
		}
	}
	return n
}

// Kinds of units.
const (
	dataRows   = "rows of data"
	layoutRows = "rows that lay a page out"
	lists      = "lists"
)

// wholes counts the rows and lists of WCXB that are kept at least in part, and those that lose a cell or an item. It
// lists the latter. Each page is by the model of a fold that has not seen its host.
func wholes(samples []sample, args []string, w io.Writer) error {
	models, err := foldModels(args[0])
	if err != nil {
		return err
	}
	var x maintext.Extractor
	var r page.Parser
	all, partial := map[string]int{}, map[string]int{}
	for i := range samples {
		s := &samples[i]
		if s.Set != "wcxb" {
			continue
		}
		p, err := s.page(&r)
		if err != nil {
			return err
		}
		res := x.Extract(p, maintext.Options{Model: models[fold(s.Host)]})
		if res.Page == nil {
			continue
		}
		units := unitsOf(&res)
		for _, node := range slices.Sorted(maps.Keys(units)) {
			u, kind := units[node], kindOf(res.Page, node, units[node])
			if u.kept() > 0 {
				all[kind]++
			}
			if n := u.kept(); n == 0 || n == len(u) {
				continue
			}
			partial[kind]++
			if _, err := fmt.Fprintf(w, "%s: %s: %d of %d: %.100q\n",
				s.ID, kind, u.kept(), len(u), res.Page.NodeText(int(node))); err != nil {
				return err
			}
		}
	}
	for _, kind := range []string{dataRows, layoutRows, lists} {
		if _, err := fmt.Fprintf(w, "%d of %d %s are kept in part\n", partial[kind], all[kind], kind); err != nil {
			return err
		}
	}
	return nil
}

// kindOf distinguishes rows of data from rows that lay a page out, which have a cell of more than 300 bytes.
func kindOf(p *page.Page, node int32, u unit) string {
	if p.Nodes[node].Tag != page.TagTr {
		return lists
	}
	for n := range u {
		if len(p.NodeText(int(n))) > 300 {
			return layoutRows
		}
	}
	return dataRows
}

// unitsOf returns the rows and lists of a result's page, by node. It ignores hidden blocks of articles, whose score
// is 0.
func unitsOf(r *maintext.Result) map[int32]unit {
	kept := map[int]bool{}
	for _, b := range r.Blocks {
		kept[int(b)] = true
	}
	all := map[int32]unit{}
	for i := range r.Page.Blocks {
		part, whole := partOf(r.Page, r.Page.Blocks[i].Node)
		if whole <= 0 || r.Scores[i] == 0 {
			continue
		}
		if all[whole] == nil {
			all[whole] = unit{}
		}
		all[whole][part] = all[whole][part] || kept[i]
	}
	return all
}

// holders maps cells and items to the elements that must be their parents.
var holders = map[page.Tag][]page.Tag{
	page.TagTd: {page.TagTr}, page.TagTh: {page.TagTr}, page.TagLi: {page.TagUl, page.TagOl},
	page.TagDt: {page.TagDl}, page.TagDd: {page.TagDl},
}

// partOf returns the innermost cell or item that contains node n, and its row or list, or 0.
func partOf(p *page.Page, n int32) (part, whole int32) {
	for ; n > 0; n = p.Nodes[n].Parent {
		up := p.Nodes[n].Parent
		if tag := p.Nodes[n].Tag; (tag == page.TagDt || tag == page.TagDd) && p.Nodes[up].Tag == page.TagDiv {
			up = p.Nodes[up].Parent // a <div> may hold a term and its definition
		}
		if up > 0 && slices.Contains(holders[p.Nodes[n].Tag], p.Nodes[up].Tag) {
			return n, up
		}
	}
	return 0, 0
}
