// Package damage makes web archives from seeds and damages them, to measure what a reader gets out of them: of each
// page it says which bytes of the file hold it, whether the damage touched any of them, and what its body was.
//
// It is for tests and for the program .tools/damage. Each [Case] is a function of its fields: the same bytes each time.
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

// Case is one damaged archive.
// The same case makes the same bytes everywhere: all chance comes from Seed.
type Case struct {
	Name    string // unique
	Kind    string // its damage, one of Kinds
	Layout  string // one of Layouts, or a rare one
	Seed    uint64
	Pages   int // of the archive
	MaxBody int // bytes of the largest body
	ARC     bool
	Digests bool   // its records have digests; not in ARC
	Lengths bool   // HTTP heads say Content-Length
	Host    string // that the pages' hosts begin with; "site"
}

// Page is one page of an archive. It is the result of a perfect reader, so that the expectation does not depend on the
// reader under test.
type Page struct {
	URL  string
	SHA1 string // hexadecimal, of the body with its codings undone
	Size int    // bytes of that body
	// From and To are the bytes of the file that must be whole for the page to be read: in an uncompressed file from
	// its head to its block's end, in a compressed one its member, or, where others follow in the same member, that
	// member up to where the page's end is decoded.
	From, To int
	Touched  bool // a byte of them was changed, or something was put in or taken out between two of them
	Checked  bool // a digest, or the checksum of its member, reports whether its body is right
}

// File is a damaged archive.
// Pages keep where they stand while the file is damaged.
type File struct {
	Data  []byte
	Pages []Page
	front []byte // bytes at the beginning that all pages need
}

// The layouts.
const (
	Plain    = "plain"
	GzipEach = "gzip"         // a gzip member for each record
	GzipOne  = "gzip-one"     // one gzip member for all
	GzipSome = "gzip-several" // several records in each gzip member
	ZstdEach = "zstd"         // a zstd frame with a checksum for each record
)

// Layouts are those that most kinds of damage are done to. The rare ones are beside them.
func Layouts() []string { return []string{Plain, GzipEach, GzipOne, GzipSome, ZstdEach} }

// Ext is how the name of the case's file ends.
// Readers that go by names get the right one; ours goes by contents.
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

// Cases returns the committed cases, of 300 pages each.
// Digests and lengths change from case to case, so that every kind meets heads with and without them.
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
					// Numbers leave room for new layouts and turns without moving the seeds of other cases.
					Seed: uint64(1000*i + 10*j + turn), Pages: 300, MaxBody: 200_000,
					Digests: n%2 == 0, Lengths: n%4 < 2,
				})
			}
		}
		// Once in each rare layout, where a kind is made in all the others.
		if len(k.layouts) == len(all) {
			for j, layout := range rareLayouts {
				n := i + j
				list = append(list, Case{
					Name: k.name + "-" + layout, Kind: k.name, Layout: layout, Seed: uint64(1000*i + 200 + 10*j), Pages: 300,
					MaxBody: 200_000, Digests: n%2 == 0, Lengths: n%4 < 2,
				})
			}
		}
		// ARC has no digests, and two layouts are enough to see that its heads are found again.
		if k.arc {
			list = append(list, Case{
				Name: k.name + "-arc", Kind: k.name, Layout: []string{Plain, GzipEach}[i%2], ARC: true,
				Seed: uint64(1000*i + 99), Pages: 300, MaxBody: 200_000, Lengths: i%4 < 2,
			})
		}
	}
	return list
}

// Kinds are the kinds of damage, in the order of Cases.
func Kinds() []string {
	var names []string
	for _, k := range allKinds {
		names = append(names, k.name)
	}
	return names
}

// Make makes the archive and damages it.
// It panics only for a mistake in this package.
func (c Case) Make() *File {
	var k kind
	for _, known := range allKinds {
		if known.name == c.Kind {
			k = known
		}
	}
	// The 17 is the second half of the seed and any number would do; changing it would make other archives.
	r := rand.New(rand.NewPCG(c.Seed, 17))
	a := c.archive(r)
	// Records are changed before they are written, when their lengths and digests are still parts.
	if k.records != nil {
		k.records(r, a)
	}
	// A kind that builds lays out itself, because it cuts between records.
	if k.build != nil {
		return k.build(r, a).checkFront()
	}
	// All others damage bytes of a file, wherever these are.
	f := a.lay(c.Layout)
	if k.file != nil {
		k.file(r, f)
	}
	return f.checkFront()
}
