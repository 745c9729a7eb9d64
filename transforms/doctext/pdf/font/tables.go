package font

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ../../../../.tools/gen/glyphs -jars $PDFBOX_JARS -out data

//go:embed data/*.gz data/LICENSES.txt
var data embed.FS

// table returns an embedded table. Tables are part of the program, so an unreadable one is a bug.
func table(name string) string {
	b, err := data.ReadFile("data/" + name + ".gz")
	if err != nil {
		panic(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// glyphTexts returns the texts of glyph names: some 4,600 names, those of the Adobe Glyph List and of ZapfDingbats.
// They are unpacked at first use.
var glyphTexts = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 5000)
	for line := range strings.Lines(table("glyphs")) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		m[name] = text
	}
	return m
})

// metrics are the glyphs of one of the 14 standard fonts. Function byText is for glyphs that share no name with the
// font, and its map is made only then.
type metrics struct {
	widths map[string]float64 // of each glyph name, in thousandths
	names  [256]string        // the font's own encoding
	byText func() map[string]float64
}

func newMetrics() *metrics {
	m := &metrics{widths: map[string]float64{}}
	m.byText = sync.OnceValue(func() map[string]float64 {
		texts := make(map[string]float64, len(m.widths))
		for name, w := range m.widths {
			if text := nameText(name); w > texts[text] { // of names with one text the widest counts, in any order
				texts[text] = w
			}
		}
		return texts
	})
	return m
}

// standard14 returns the metrics of the 14 standard fonts (section 9.6.2.2).
var standard14 = sync.OnceValue(func() map[string]*metrics {
	fonts := map[string]*metrics{}
	var m *metrics
	// A line with one entry begins a font, one with three is a glyph: name, width, code.
	for line := range strings.Lines(table("standard14")) {
		w := strings.Split(strings.TrimSpace(line), "\t")
		if len(w) != 3 {
			m = newMetrics()
			fonts[w[0]] = m
			continue
		}
		m.widths[w[0]], _ = strconv.ParseFloat(w[1], 64) // written by gen
		// Code -1 means that the glyph is not in the font's encoding.
		if code, err := strconv.Atoi(w[2]); err == nil && code >= 0 && code < 256 {
			m.names[code] = w[0]
		}
	}
	return fonts
})

// collection is an Adobe character collection, with the text of each CID. Function cids is the inverse, for predefined
// CMaps, and its map is made only for them.
type collection struct {
	texts []string
	cids  func() map[string]int // the first CID of each text
}

// collections are those that fonts may name without embedding them (section 9.7.5.2).
var collections = map[string]func() *collection{
	"CNS1":   newCollection("Adobe-CNS1"),
	"GB1":    newCollection("Adobe-GB1"),
	"Japan1": newCollection("Adobe-Japan1"),
	"Korea1": newCollection("Adobe-Korea1"),
}

// newCollection returns a function that loads a collection. A collection has up to 30,000 texts and is unpacked for
// the first font that needs it.
func newCollection(name string) func() *collection {
	return sync.OnceValue(func() *collection {
		c := &collection{texts: strings.Split(table(name), "\x00")}
		c.cids = sync.OnceValue(func() map[string]int {
			m := make(map[string]int, len(c.texts))
			for cid, text := range c.texts {
				if _, ok := m[text]; !ok && text != "" {
					m[text] = cid
				}
			}
			return m
		})
		return c
	})
}
