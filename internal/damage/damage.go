// Package damage makes web archives from seeds and damages them, to measure what a reader recovers. For each page it
// knows the bytes of the file that hold it, whether damage touched them, and the original body.
//
// It is for tests and for the program .tools/damage. A [Case] always makes the same bytes.
//
//	for _, c := range damage.Cases() {
//		f := c.Make()
//		os.WriteFile(c.Name+c.Ext(), f.Data, 0o644)
//	}
package damage

import (
	"fmt"
	"math/rand/v2"
)

// Case is one damaged archive. It makes the same bytes everywhere, because all randomness comes from Seed.
type Case struct {
	Name    string // unique
	Kind    string // one of Kinds
	Layout  string // one of Layouts, or a rare layout
	Seed    uint64
	Pages   int // of the archive
	MaxBody int // bytes of the largest body
	ARC     bool
	Digests bool   // records have digests; not in ARC
	Lengths bool   // HTTP heads say Content-Length
	Host    string // start of the pages' host names; default "site"
}

// Page is a page of an archive, as a perfect reader would return it.
type Page struct {
	URL  string
	SHA1 string // of the decoded body, hexadecimal
	Size int    // of the decoded body in bytes
	// Reading the page needs the bytes From to To of the file. In an uncompressed file these are its head and block.
	// In a compressed one they are its member, or with later pages in the member, the part up to the page's decoded
	// end.
	From, To int
	Touched  bool // these bytes were changed, or bytes inserted or removed between them
	Checked  bool // a digest or the member's checksum covers its body
}

// File is a damaged archive. Damage adjusts the offsets of its pages.
type File struct {
	Data  []byte
	Pages []Page
	front []byte // leading bytes that all pages need
}

// The layouts.
const (
	Plain    = "plain"
	GzipEach = "gzip"         // a gzip member for each record
	GzipOne  = "gzip-one"     // one gzip member for all
	GzipSome = "gzip-several" // several records in each gzip member
	ZstdEach = "zstd"         // a zstd frame with a checksum for each record
)

// Layouts returns the layouts for most kinds of damage. There are rare ones too.
func Layouts() []string { return []string{Plain, GzipEach, GzipOne, GzipSome, ZstdEach} }

// Ext returns the extension for the case's file.
func (c Case) Ext() string {
	ext := ".warc"
	if c.ARC {
		ext = ".arc"
	}
	switch c.Layout {
	case GzipEach, GzipOne, GzipSome:
		return ext + ".gz"
	case ZstdEach, ZstdOne, ZstdNoSum, ZstdShared:
		return ext + ".zst"
	case LZ4Each, LZ4One:
		return ext + ".lz4"
	}
	return ext
}

// Cases returns the committed cases, of 300 pages each. Digests and lengths vary, so that each kind occurs with and
// without them.
func Cases() []Case {
	var list []Case
	for i, k := range allKinds {
		// Some kinds only make sense in some layouts: see kinds.
		for j, layout := range k.layouts {
			for turn := range k.turns {
				// turn shifts the combination, so that two cases of one layout differ.
				n := i + j + turn
				list = append(list, Case{
					Name: fmt.Sprintf("%s-%s-%d", k.name, layout, turn), Kind: k.name, Layout: layout,
					// Gaps in the numbers leave room for new layouts and turns.
					Seed: uint64(1000*i + 10*j + turn), Pages: 300, MaxBody: 200_000,
					Digests: n%2 == 0, Lengths: n%4 < 2,
				})
			}
		}
		// Kinds for all layouts also occur once in each rare layout.
		if len(k.layouts) == len(all) {
			for j, layout := range rareLayouts {
				n := i + j
				list = append(list, Case{
					Name: k.name + "-" + layout, Kind: k.name, Layout: layout, Seed: uint64(1000*i + 200 + 10*j), Pages: 300,
					MaxBody: 200_000, Digests: n%2 == 0, Lengths: n%4 < 2,
				})
			}
		}
		// ARC has no digests, and two layouts are enough to test its heads.
		if k.arc {
			list = append(list, Case{
				Name: k.name + "-arc", Kind: k.name, Layout: []string{Plain, GzipEach}[i%2], ARC: true,
				Seed: uint64(1000*i + 99), Pages: 300, MaxBody: 200_000, Lengths: i%4 < 2,
			})
		}
	}
	return list
}

// Kinds returns the kinds of damage in the order of Cases.
func Kinds() []string {
	var names []string
	for _, k := range allKinds {
		names = append(names, k.name)
	}
	return names
}

// Make returns the damaged archive.
func (c Case) Make() *File {
	var k kind
	for _, known := range allKinds {
		if known.name == c.Kind {
			k = known
		}
	}
	// The 17 is arbitrary, but changing it would change all archives.
	r := rand.New(rand.NewPCG(c.Seed, 17))
	a := c.archive(r)
	// Lengths and digests are still separate before writing.
	if k.records != nil {
		k.records(r, a)
	}
	if k.build != nil {
		return k.build(r, a).checkFront()
	}
	f := a.lay(c.Layout)
	if k.file != nil {
		k.file(r, f)
	}
	return f.checkFront()
}
