package page

// Limits that are no options: what exceeds them is left out without a flag, since no page for people comes near.
// Each bounds what one page can make the collections weigh.
const (
	maxMetas       = 2_000    // <meta>
	maxLinks       = 2_000    // <link>
	maxAnchors     = 20_000   // <a href>, <area href>
	maxScripts     = 64       // blocks of JSON
	maxScript      = 1 << 20  // bytes of one block; a longer one is left out, since half of a JSON text is none
	maxItems       = 2_000    // microdata items, at any depth
	maxProps       = 10_000   // properties of all items
	maxItemDepth   = 16       // items within items
	maxItemRefs    = 64       // ids in one itemref
	maxItemBytes   = 4 << 20  // of the values of all items
	maxValue       = 64 << 10 // bytes of one value, of microdata or <meta>
	maxName        = 1 << 10  // bytes of a name, rel, type or id
	maxTitle       = 4 << 10  // bytes
	maxAnchorText  = 256      // bytes
	maxSelectNodes = 100_000  // visited for the text of a selected element
	maxAnchorNodes = 1_000    // visited for an anchor's or title's text
	maxRoots       = 16       // <html> and <body> tags that the tree builder is given
	maxFormatting  = 16       // formatting elements open in one line of text, in a page that is filtered
	attrsANode     = 3        // attributes of all elements, for each node that is allowed
	maxURL         = 8 << 10  // bytes of a link as written
	maxURLs        = 16 << 20 // bytes of all links when absolute
	maxLang        = 64       // bytes
)
