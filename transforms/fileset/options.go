package fileset

import (
	"cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// Options configure Ingest. The zero value has Sandcrawler's limits, and no platforms.
type Options struct {
	Platforms []Platform
	// Strategy is used for any files; "" chooses by their number and sizes. The strategies *-bundled are used only so,
	// since the real system has no handler for them.
	Strategy string
	// Limits that are checked before a strategy is chosen.
	MaxTotal int64 // bytes of all files; default 64 GiB
	MaxFiles int64 // default 200, at most MaxListed
	// Limits between web archive and archive.org.
	MaxWebFile  int64 // a file of this size or more makes it archiveorg-*; default 64 MiB
	MaxWebTotal int64 // likewise for all files; default 128 GiB
	MaxPage     int64 // bytes of a landing page; default 128 MiB
	MaxAnswer   int64 // bytes of an API response; default 64 MiB
	// Blocked are parts of URLs that are not followed; nil means the default list.
	Blocked []string

	// Existing has earlier captures, for a live Source: files in them are not requested again.
	Existing Source
	Keeper   Keeper // for archiveorg-*; nil only verifies
	Ledger   Ledger // nil remembers nothing
}

// Ledger remembers verified files, so that a resumed run need not read them again. Its methods may be called
// concurrently.
type Ledger interface {
	Seen(identity string) (schemas.FileMeta, bool)
	Note(identity string, meta schemas.FileMeta) error
}

func (o Options) withDefaults() Options {
	o.MaxTotal = cmp.Or(o.MaxTotal, 64<<30)
	o.MaxFiles = cmp.Or(o.MaxFiles, 200)
	o.MaxWebFile = cmp.Or(o.MaxWebFile, 64<<20)
	o.MaxWebTotal = cmp.Or(o.MaxWebTotal, 128<<30)
	o.MaxPage = cmp.Or(o.MaxPage, 128<<20)
	o.MaxAnswer = cmp.Or(o.MaxAnswer, 64<<20)
	if o.Blocked == nil {
		o.Blocked = blocked
	}
	return o
}

// blocked are parts of URLs without datasets: web archives, which hold other sites' pages, and sites of people and
// videos in identifiers.
var blocked = []string{
	"://web.archive.org/", "://scholar.archive.org/", "://wayback.archive-it.org/", "://archive.ph/", "://archive.today/",
	"://orcid.org/", "://www.youtube.com/", "://twitter.com/", "://www.facebook.com/",
}

// cookies are parts of URLs to which sites redirect clients without cookies.
var cookies = []string{"cookieAbsent", "cookieSet=", "cookies_not_supported", "/cookie-error"}

// Strategies returns all strategies.
func Strategies() []string {
	return []string{WebFile, WebFileset, WebBundled, ArchiveorgFile, ArchiveorgFileset, ArchiveorgBundled}
}
