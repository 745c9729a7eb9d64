package unseen

import (
	"strconv"
	"strings"
)

// far is how many pixels off the screen nobody scrolls to.
const far = 900

// gone reports whether an element with these values shows nothing, and nothing in it.
func (d declarations) gone() bool {
	switch {
	case d["display"] == "none", d["content-visibility"] == "hidden":
		return true
	case d["opacity"] != "" && isLow(d["opacity"]):
		return true
	case strings.HasPrefix(d["filter"], "opacity(") && isLow(strings.Trim(d["filter"][len("opacity("):], ") ")):
		return true
	}
	return d.offScreen() || d.clipped()
}

// isLow reports whether an opacity shows nothing.
func isLow(text string) bool {
	n, unit, ok := number(text)
	if unit == "%" {
		n /= 100
	}
	return ok && n <= 0.05
}

// offScreen reports whether an element is moved to where nobody sees it.
func (d declarations) offScreen() bool {
	for _, property := range []string{"text-indent", "margin-left", "margin-top"} {
		if pixels(d[property]) <= -far {
			return true
		}
	}
	if p := d["position"]; p == "absolute" || p == "fixed" || p == "relative" {
		for _, side := range []string{"left", "right", "top", "bottom"} {
			if n := pixels(d[side]); n <= -far || n >= 10*far && (side == "left" || side == "right") {
				return true
			}
		}
	}
	return moved(d["transform"]) || moved("translate("+d["translate"]+")") || moved("scale("+d["scale"]+")")
}

// moved reports whether a transform moves an element off the screen, or makes it a point or a line.
func moved(transform string) bool {
	for function := range strings.SplitSeq(transform, ")") {
		name, list, _ := strings.Cut(strings.TrimSpace(function), "(")
		args := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
		for i, arg := range args[:min(2, len(args))] {
			n, unit, ok := number(arg)
			switch name {
			case "translate", "translate3d", "translatex", "translatey":
				// Shares of the own height put tips above their place.
				if off := pixels(arg); (i == 0 || unit != "%") && (off <= -far || off >= 10*far) {
					return true
				}
			case "scale", "scale3d", "scalex", "scaley":
				if ok && n == 0 {
					return true
				}
			}
		}
	}
	return false
}

// clipped reports whether nothing of an element is in its box.
func (d declarations) clipped() bool {
	// Clips hold for elements out of the flow alone (CSS 2.2, section 11.1.2).
	if list, is := strings.CutPrefix(d["clip"], "rect("); is && (d["position"] == "absolute" || d["position"] == "fixed") {
		sides := strings.FieldsFunc(strings.Trim(list, ")"), func(r rune) bool { return strings.ContainsRune(", ", r) })
		small := len(sides) == 4
		for _, s := range sides {
			n, _, ok := number(s)
			small = small && ok && n <= 1 && n >= -1
		}
		if small {
			return true
		}
	}
	if path := strings.ReplaceAll(d["clip-path"], " ", ""); strings.HasPrefix(path, "inset(") {
		n, unit, ok := number(firstWord(d["clip-path"][strings.IndexByte(d["clip-path"], '(')+1:]))
		if ok && unit == "%" && n >= 50 {
			return true
		}
	} else if strings.HasPrefix(path, "circle(0") {
		return true
	}
	hides := func(property string) bool { return d[property] == "hidden" || d[property] == "clip" }
	small := func(property string) bool {
		n, unit, ok := number(d[property])
		return ok && n <= 1 && (unit == "px" || n == 0)
	}
	tall := hides("overflow") || hides("overflow-y")
	wide := hides("overflow") || hides("overflow-x")
	return tall && (small("height") || small("max-height")) && !d.padded("bottom", "top") ||
		wide && (small("width") || small("max-width")) && !d.padded("right", "left")
}

// leastPadding is the smallest padding in which text can be seen, in pixels.
const leastPadding = 8

// padded reports whether a box without a size shows its content in its padding. Content flows into the padding after
// it, and placed content may be in any.
func (d declarations) padded(after, before string) bool {
	room := func(side string) bool {
		value := d["padding-"+side]
		if value == "" {
			value = sideOf(strings.Fields(d["padding"]), side)
		}
		return strings.Contains(value, "(") || pixels(value) >= leastPadding
	}
	placed := d["position"] != "" && d["position"] != "static"
	return room(after) || placed && room(before)
}

// sideOf returns the value for a side of a property with one to four values.
func sideOf(values []string, side string) string {
	n := len(values)
	switch {
	case n == 0:
		return ""
	case side == "right" && n > 1, side == "left" && n > 1 && n < 4:
		return values[1]
	case side == "bottom" && n > 2:
		return values[2]
	case side == "left" && n > 3:
		return values[3]
	}
	return values[0]
}

func firstWord(text string) string {
	text = strings.TrimLeft(text, " ")
	if i := strings.IndexAny(text, " ,)"); i >= 0 {
		return text[:i]
	}
	return text
}

// number reads a number and its unit.
func number(text string) (n float64, unit string, ok bool) {
	text = strings.TrimSpace(text)
	end := 0
	for end < len(text) && strings.IndexByte("+-.0123456789", text[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseFloat(text[:end], 64)
	return n, text[end:], err == nil
}

// pixels returns a length in pixels, about; 0 if it is not known.
func pixels(text string) float64 {
	n, unit, ok := number(text)
	if !ok {
		return 0
	}
	switch unit {
	case "px":
		return n
	case "em", "rem", "pc":
		return 16 * n
	case "pt":
		return n * 4 / 3
	case "cm":
		return n * 38
	case "in":
		return n * 96
	case "vw", "vh", "%":
		return n * 10
	}
	return 0
}

// fontSize returns a size of letters in pixels, of an element in one with another size.
func fontSize(text string, parent float64) (size float64, ok bool) {
	n, unit, ok := number(text)
	if !ok {
		// Such a size is not known and counts as seen. Browsers ignore other values.
		const usual = 16
		_, calculated, _ := strings.Cut(text, "(")
		return usual, calculated != "" || usualSizes[text]
	}
	switch unit {
	case "em":
		return n * parent, true
	case "%":
		return n * parent / 100, true
	case "rem":
		return 16 * n, true
	case "":
		return n, n == 0
	case "px", "pt", "pc", "cm", "in":
		return pixels(text), true
	}
	// Sizes by the width of the screen, and 0 of any unit.
	return n * 10, true
}

// usualSizes are names of sizes that do not depend on the parent.
var usualSizes = map[string]bool{
	"initial": true, "medium": true, "small": true, "large": true, "x-small": true, "xx-small": true, "x-large": true,
	"xx-large": true, "xxx-large": true,
}
