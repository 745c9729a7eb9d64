package unseen

import (
	"math"
	"strconv"
	"strings"
)

// rgb is a colour, or a transparent one.
type rgb struct {
	r, g, b int
	clear   bool
}

var (
	white = rgb{r: 255, g: 255, b: 255}
	black = rgb{}
)

// named are names of colours that hide text on the usual backgrounds, and some others.
var named = map[string]rgb{
	"white": white, "black": black, "transparent": {clear: true}, "snow": {r: 255, g: 250, b: 250},
	"ivory": {r: 255, g: 255, b: 240}, "whitesmoke": {r: 245, g: 245, b: 245}, "ghostwhite": {r: 248, g: 248, b: 255},
	"red": {r: 255}, "green": {g: 128}, "blue": {b: 255}, "yellow": {r: 255, g: 255}, "gray": {r: 128, g: 128, b: 128},
	"grey": {r: 128, g: 128, b: 128}, "silver": {r: 192, g: 192, b: 192}, "navy": {b: 128},
}

// like reports whether two colours cannot be told apart.
func (c rgb) like(o rgb) bool {
	const most = 12 // of 255, in each channel
	near := func(a, b int) bool { return a-b <= most && b-a <= most }
	return !c.clear && !o.clear && near(c.r, o.r) && near(c.g, o.g) && near(c.b, o.b)
}

// parseColor reads a colour. known is false for one that depends on something else.
func parseColor(text string) (c rgb, known bool) {
	text = strings.TrimSpace(text)
	if c, known = named[text]; known {
		return c, true
	}
	if digits, is := strings.CutPrefix(text, "#"); is {
		return hex(digits)
	}
	if text == "none" {
		return rgb{clear: true}, true
	}
	name, list, is := strings.Cut(text, "(")
	n, ok := channels(list, strings.HasPrefix(name, "hsl"))
	switch {
	case !is || !ok:
	case name == "rgb", name == "rgba":
		return rgb{r: int(n[0] + .5), g: int(n[1] + .5), b: int(n[2] + .5), clear: n[3] <= 0.05}, true
	case name == "hsl", name == "hsla":
		c = hsl(n[0], min(max(n[1], 0), 1), min(max(n[2], 0), 1))
		c.clear = n[3] <= 0.05
		return c, true
	}
	return rgb{}, false
}

// channels reads the numbers of a colour: red, green and blue to 255, or a hue with two shares, and the opacity.
func channels(list string, hue bool) (n [4]float64, ok bool) {
	parts := strings.FieldsFunc(strings.TrimSuffix(list, ")"), func(r rune) bool { return strings.ContainsRune(", /", r) })
	if len(parts) < 3 {
		return n, false
	}
	n[3] = 1
	for i, part := range parts[:min(4, len(parts))] {
		v, unit, ok := number(part)
		switch {
		case !ok || hue && i == 0 && unit != "" && unit != "deg":
			return n, false
		case unit == "%" && i < 3 && !hue:
			v *= 2.55
		case unit == "%", hue && (i == 1 || i == 2):
			v /= 100
		}
		n[i] = v
	}
	return n, true
}

// hsl returns the colour of a hue in degrees, a saturation and a lightness (section 7 of CSS Color 4).
func hsl(hue, saturation, lightness float64) rgb {
	channel := func(n float64) int {
		k := math.Mod(n+hue/30, 12)
		if k < 0 {
			k += 12
		}
		a := saturation * min(lightness, 1-lightness)
		return int(255*(lightness-a*max(-1, min(k-3, 9-k, 1))) + .5)
	}
	return rgb{r: channel(0), g: channel(8), b: channel(4)}
}

// hex reads a colour of 3, 4, 6 or 8 hexadecimal digits.
func hex(digits string) (rgb, bool) {
	if len(digits) == 3 || len(digits) == 4 {
		var b strings.Builder
		for i := range len(digits) {
			b.WriteByte(digits[i])
			b.WriteByte(digits[i])
		}
		digits = b.String()
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 8 {
		return rgb{}, false
	}
	return rgb{r: int(n >> 24), g: int(n >> 16 & 255), b: int(n >> 8 & 255), clear: n&255 <= 12}, true
}
