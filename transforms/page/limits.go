package page

// Limits that are not options: excess is left out without a flag, since no page for people comes near. Each bounds the
// memory of one page's findings. A limit that an honest page could reach is an option and sets a flag
// (Page.Truncated).
const (
	maxMetas      = 2_000    // <meta>
	maxLinks      = 2_000    // <link>
	maxAnchors    = 20_000   // <a href>, <area href>
	maxScripts    = 64       // JSON scripts
	maxScript     = 1 << 20  // bytes of a script; a longer one is left out, since truncated JSON is invalid
	maxItems      = 2_000    // microdata items, at any depth
	maxProps      = 10_000   // properties of all items
	maxItemDepth  = 16       // items within items
	maxItemRefs   = 64       // ids in one itemref
	maxItemBytes  = 4 << 20  // of the values of all items
	maxValue      = 64 << 10 // bytes of one value, of microdata or <meta>
	maxName       = 1 << 10  // bytes of a name, rel, type or id
	maxTitle      = 4 << 10  // bytes
	maxAnchorText = 256      // bytes
	maxURL        = 8 << 10  // bytes of a link as written
	maxURLs       = 16 << 20 // bytes of all links when absolute
	maxLang       = 64       // bytes
	keptNodes     = 40_000   // nodes whose memory a Parser keeps, some 2 MiB
	keptBlocks    = 20_000   // blocks
	keptText      = 2 << 20  // bytes of text
)
