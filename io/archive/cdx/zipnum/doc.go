// Package zipnum reads and writes ZipNum clusters: sorted capture indexes in compressed blocks. Programs pywb and
// OpenWayback look up pages in them, and Common Crawl publishes its index in this form.
//
// A cluster has three kinds of files:
//
//	cluster.idx       a line for each block: first key and time, part, offset, length and number of the block, with tabs
//	cluster.loc       a line for each part: its name and the paths of its file, with tabs
//	cdx-00001.cdxj.gz a part: blocks of 3,000 lines, each a gzip member
//
// The lines of an index are sorted bytewise. A reader finds the first block of a range in the .idx file, and decodes
// blocks from there. The .loc file may be missing: then parts lie beside the .idx file.
//
// A cluster may come from anywhere, so nothing in it is believed. Blocks are decoded within [Options], checked with
// their checksums and for their order, and paths may not lead out of the cluster's folder. Errors are of the kinds
// below, and name the file with the offset.
//
// It makes no keys (package urlkey), and does not look into lines beyond key and time (package cdx).
//
// Sources: pywb 2.10's documentation and source (warcserver/index/zipnum.py), and the clusters of Common Crawl.
//
//	x, err := zipnum.Open("index", zipnum.Options{})
//	defer x.Close()
//	from, to, err := zipnum.Range("http://example.com/", zipnum.Exact)
//	for line, err := range x.Lines(from, to) { … }
package zipnum

import (
	"cmp"
	"errors"
)

// BlockLines is the number of lines in a block, as in other programs.
const BlockLines = 3000

// The names of the files of a cluster that this package opens by its folder.
const (
	IndexFile = "cluster.idx"
	LocFile   = "cluster.loc"
)

// Kinds of errors.
var (
	ErrFormat = errors.New("not a ZipNum cluster")
	ErrBlock  = errors.New("damaged block")
	ErrOrder  = errors.New("lines out of order")
	ErrLimit  = errors.New("over the limit")
	ErrPath   = errors.New("path outside of the cluster's folder")
)

// Options limit what a reader takes. The zero value takes the defaults.
type Options struct {
	MaxIndex int64 // bytes of the .idx file, which is in memory; 1 GiB
	MaxBlock int   // bytes of a decoded block; 64 MiB
	MaxLine  int   // bytes of a line; 1 MiB
	Cache    int64 // bytes of decoded blocks that are kept; 32 MiB
}

func (o Options) withDefaults() Options {
	o.MaxIndex = cmp.Or(o.MaxIndex, 1<<30)
	o.MaxBlock = cmp.Or(o.MaxBlock, 64<<20)
	o.MaxLine = cmp.Or(o.MaxLine, 1<<20)
	o.Cache = cmp.Or(o.Cache, 32<<20)
	return o
}
