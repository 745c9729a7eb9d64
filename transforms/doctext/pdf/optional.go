package pdf

import (
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// layers are the optional content groups of a file (section 8.11).
type layers struct {
	any bool                // there are some
	off map[object.Ref]bool // when the file is opened
}

// readLayers reads the default configuration.
func (r *reader) readLayers() (l layers) {
	root := r.file.Dict(r.file.Trailer["Root"])
	properties := r.file.Dict(root["OCProperties"])
	config := r.file.Dict(properties["D"])
	l.any, l.off = properties != nil, map[object.Ref]bool{}
	set := func(list object.Object, off bool) {
		for _, o := range r.file.Array(list) {
			if ref, ok := o.(object.Ref); ok {
				l.off[ref] = off
			}
		}
	}
	if r.file.Name(config["BaseState"]) == "OFF" {
		set(properties["OCGs"], true)
		set(config["ON"], false)
	} else {
		set(config["OFF"], true)
	}
	return l
}

// isHidden reports whether an optional content group, or its membership dictionary, is off.
func (r *reader) isHidden(o object.Object) bool {
	// Most files have no optional content, and then the object is not read.
	if o == nil || !r.layers.any {
		return false
	}
	if ref, ok := o.(object.Ref); ok && r.layers.off[ref] {
		return true
	}
	d := r.file.Dict(o)
	if ve := r.file.Array(d["VE"]); len(ve) > 0 {
		return !r.holds(ve, 0)
	}
	return r.isOff(d["OCGs"], r.file.Name(d["P"]))
}

// isOff reports whether the groups of a membership dictionary hide its content, by its policy (table 97).
func (r *reader) isOff(groups object.Object, policy object.Name) bool {
	list := object.Array{groups}
	if a := r.file.Array(groups); a != nil {
		list = a
	}
	// The list may be long and be checked at every mark.
	r.spend(len(list))
	on, off := 0, 0
	for _, o := range list {
		// Other objects do not count.
		if ref, ok := o.(object.Ref); !ok {
			continue
		} else if r.layers.off[ref] {
			off++
		} else {
			on++
		}
	}
	if on+off == 0 {
		return false
	}
	switch policy {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0
	case "AllOff":
		return on > 0
	}
	return on == 0
}

// maxConditions bounds conditions in others.
const maxConditions = 16

// holds reports whether the visibility expression of a membership dictionary holds.
func (r *reader) holds(e object.Array, depth int) bool {
	if !r.spend(len(e)) || depth > maxConditions || len(e) < 2 {
		return true
	}
	is := func(o object.Object) bool {
		if inner := r.file.Array(o); len(inner) > 0 {
			return r.holds(inner, depth+1)
		}
		ref, ok := o.(object.Ref)
		return !ok || !r.layers.off[ref]
	}
	switch r.file.Name(e[0]) {
	case "Not":
		return !is(e[1])
	case "Or":
		for _, o := range e[1:] {
			if is(o) {
				return true
			}
		}
		return false
	}
	for _, o := range e[1:] {
		if !is(o) {
			return false
		}
	}
	return true
}
