package schemas

// The kinds of sites, as Datastreamer names them.
const (
	PublisherUnknown        = "UNKNOWN"
	PublisherWeblog         = "WEBLOG"          // a smaller site, usually of one person
	PublisherMainstreamNews = "MAINSTREAM_NEWS" // of a company with several paid writers
	PublisherClassified     = "CLASSIFIED"
	PublisherForum          = "FORUM"
	PublisherReview         = "REVIEW"
	PublisherMemetracker    = "MEMETRACKER" // reddit, Techmeme
	PublisherMicroblog      = "MICROBLOG"
	PublisherSocialMedia    = "SOCIAL_MEDIA"
	PublisherVideo          = "VIDEO"
	PublisherPhoto          = "PHOTO"
)

// Page has facts about a document's page that are not in the document.
type Page struct {
	Text  string   // the body as UTF-8; empty when it is not text
	Links []string // absolute URLs that the main content links to, each once
	Site  Site
	// Examined says that the language of the text was looked for.
	Examined bool
}

// Site has what a page states about its site. Fields that it does not state are empty.
type Site struct {
	Title         string
	Description   string
	PublisherType string // one of the Publisher constants
	FeedURL       string
	FeedTitle     string
	FeedFormat    string // ATOM or RSS
	Favicon       string // URL
	// URLs of its profiles elsewhere: sameAs of schema.org, and links with rel=me
	Profiles []string
}
