package fileset

import (
	"cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// Options say how requests are done. The zero value takes Sandcrawler's limits, and no platforms.
type Options struct {
	Platforms []Platform
	// Strategy is used whatever the files are; "" chooses by their number and sizes. It is the only way to the strategies
	// *-bundled, as in the real system, which has no handler for them.
	Strategy string
	// Limits, checked before a strategy is chosen.
	MaxTotal int64 // bytes of all files together; 64 GiB
	MaxFiles int64 // 200
	// What goes to the web's archive and what to archive.org.
	MaxWebFile  int64 // a file of this size or more makes it archiveorg-*; 64 MiB
	MaxWebTotal int64 // likewise all files together; 128 GiB
	MaxPage     int64 // bytes of a landing page; 128 MiB
	MaxAnswer   int64 // bytes of an answer of an API; 64 MiB
	// Blocked are parts of URLs that are not followed; nil takes those of Blocked.
	Blocked []string

	// Existing are captures that were there before, for a Source that asks the web: what they have is not asked again.
	Existing Source
	Keeper   Keeper // of archiveorg-*; nil verifies only
	Ledger   Ledger // nil remembers nothing
}

// Ledger remembers files that were verified, so that a run which is taken up need not read them again. Its methods may
// be called by several goroutines.
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

// blocked are parts of URLs that lead to no dataset: archives of the web, whose pages are other sites', and sites of
// people and of videos that identifiers are known to lead to.
var blocked = []string{
	"://web.archive.org/", "://scholar.archive.org/", "://wayback.archive-it.org/", "://archive.ph/", "://archive.today/",
	"://orcid.org/", "://www.youtube.com/", "://twitter.com/", "://www.facebook.com/",
}

// cookies are parts of URLs that sites lead to callers that take no cookies.
var cookies = []string{"cookieAbsent", "cookieSet=", "cookies_not_supported", "/cookie-error"}

// Strategies are all that there are.
func Strategies() []string {
	return []string{WebFile, WebFileset, WebBundled, ArchiveorgFile, ArchiveorgFileset, ArchiveorgBundled}
}
