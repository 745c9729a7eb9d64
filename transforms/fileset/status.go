package fileset

// Statuses of results. They are Sandcrawler's, except those marked as ours.
const (
	StatusSuccess         = "success"
	StatusSuccessExisting = "success-existing"
	StatusSuccessFile     = "success-file"

	// Of the landing page.
	StatusBlocklist      = "skip-url-blocklist"
	StatusNoCapture      = "no-capture"
	StatusBadRedirect    = "bad-redirect"
	StatusRedirectLoop   = "redirect-loop"
	StatusRedirects      = "redirects-exceeded"
	StatusTerminal       = "terminal-bad-status"
	StatusCookie         = "blocked-cookie"
	StatusEmptyBlob      = "empty-blob"
	StatusBodyTooLarge   = "body-too-large"
	StatusBadGzip        = "bad-gzip-encoding"
	StatusCDXError       = "cdx-error"
	StatusPetabox        = "petabox-error"
	StatusWaybackContent = "wayback-content-error"
	StatusSPN2           = "spn2-error"
	StatusRobots         = "blocked-robots"    // ours: robots.txt forbids the page, or the platform's API; live only
	StatusChallenge      = "blocked-challenge" // ours: a page that only lets browsers through, and no known API
	StatusNotImplemented = "not-implemented"
	StatusBadRequest     = "bad-request"             // ours: no URL, or not of the web
	StatusTransferCoding = "transfer-encoding-error" // of files

	// Of the platform.
	StatusNoPlatform        = "no-platform-match"
	StatusPlatformScope     = "platform-scope"
	StatusPlatformRestrict  = "platform-restricted"
	StatusPlatform404       = "platform-404"
	StatusPlatformHTTP      = "platform-http-error"
	StatusPlatformError     = "platform-error"
	StatusPlatformNoCapture = "platform-no-capture" // ours: no archive has the API's response
	StatusEmptyManifest     = "empty-manifest"
	StatusTooLarge          = "too-large-size"
	StatusTooMany           = "too-many-files"
	StatusNoStrategy        = "no-strategy-helper"

	// Of a file.
	StatusExists         = "exists"
	StatusMismatchExists = "mismatch-existing"
	StatusUnsafePath     = "unsafe-path"
	StatusExistsLocal    = "exists-local"
	StatusDownloadError  = "error-platform-download"
	StatusUploadError    = "error-archiveorg-upload"
	StatusMismatchSize   = "mismatch-size"
	StatusMismatchSHA1   = "mismatch-sha1"
	StatusMismatchSHA256 = "mismatch-sha256"
	StatusMismatchMD5    = "mismatch-md5"
	StatusVerifiedLocal  = "verified-local"
	StatusMismatch       = "mismatch" // of the strategies web-*
	StatusTooMuchSPN     = "too-much-spn"
	StatusNotProcessed   = "not-processed"
)

// Strategies of archiving a dataset.
const (
	WebFile           = "web-file"
	WebFileset        = "web-fileset"
	WebBundled        = "web-fileset-bundled"
	ArchiveorgFile    = "archiveorg-file"
	ArchiveorgFileset = "archiveorg-fileset"
	ArchiveorgBundled = "archiveorg-fileset-bundled"
)
