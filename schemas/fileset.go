package schemas

// FilesetResult is the state of the files of a published dataset: one line of fileset-results-*.jsonl. Names and
// meanings are those of Sandcrawler's fileset ingest. docs/fileset.md says what each status means.
type FilesetResult struct {
	Hit     bool           `json:"hit"`     // Status begins with success
	Status  string         `json:"status"`  // one of the constants of package transforms/fileset
	Request FilesetRequest `json:"request"` // as it came, with every field that we do not know
	// Error says more for people; at most 1,600 bytes.
	Error string   `json:"error_message,omitempty"`
	Hops  []string `json:"hops,omitempty"` // from the request's URL to the landing page

	// The landing page.
	Terminal   *FilesetTerminal `json:"terminal,omitempty"`
	FileMeta   *FileMeta        `json:"file_meta,omitempty"` // of the page, with a gzip wrapping undone
	CDX        *CDXRow          `json:"cdx,omitempty"`
	RevisitCDX *CDXRow          `json:"revisit_cdx,omitempty"` // the row that a revisit in CDX refers to
	Biblio     *Biblio          `json:"html_biblio,omitempty"`

	// What the platform says.
	Platform string `json:"platform_name,omitempty"`
	Domain   string `json:"platform_domain,omitempty"`
	ID       string `json:"platform_id,omitempty"`
	// BaseURL is what all files' URLs begin with, where the platform has such a thing; the real system has null here.
	BaseURL   string         `json:"platform_base_url,omitempty"`
	Item      string         `json:"archiveorg_item_name,omitempty"`
	Manifest  []ManifestFile `json:"manifest,omitempty"`
	FileCount *int64         `json:"file_count,omitempty"` // may be more than Manifest has, which is cut at a limit
	TotalSize *int64         `json:"total_size,omitempty"` // bytes; files whose size is not known count nothing

	Strategy string       `json:"ingest_strategy,omitempty"`
	File     *FilesetFile `json:"fileset_file,omitempty"`   // of the strategies *-file
	Bundle   *FilesetFile `json:"fileset_bundle,omitempty"` // of the strategies *-bundled
}

// ManifestFile is one file of a dataset. Hashes are hexadecimal, in lower case.
type ManifestFile struct {
	Path        string         `json:"path"` // within the dataset, with slashes, as the platform has it
	Size        *int64         `json:"size,omitempty"`
	MD5         string         `json:"md5,omitempty"`
	SHA1        string         `json:"sha1,omitempty"`
	SHA256      string         `json:"sha256,omitempty"`
	MIME        string         `json:"mimetype,omitempty"`
	Extra       map[string]any `json:"extra,omitempty"`
	Status      string         `json:"status,omitempty"`
	PlatformURL string         `json:"platform_url,omitempty"` // where the platform gives it
	TerminalURL string         `json:"terminal_url,omitempty"` // where redirects led from there
	TerminalDT  string         `json:"terminal_dt,omitempty"`  // 14 digits, UTC
}

// FilesetPlatformItem is the description of a dataset by its platform.
type FilesetPlatformItem struct {
	Platform string         `json:"platform_name"`
	Status   string         `json:"platform_status"`
	Domain   string         `json:"platform_domain,omitempty"`
	ID       string         `json:"platform_id,omitempty"`
	Manifest []ManifestFile `json:"manifest,omitempty"`
	Item     string         `json:"archiveorg_item_name,omitempty"`
	// ItemMeta is metadata for an item of archive.org: strings, or lists of strings.
	ItemMeta  map[string]any `json:"archiveorg_item_meta,omitempty"`
	BaseURL   string         `json:"web_base_url,omitempty"`
	BundleURL string         `json:"web_bundle_url,omitempty"` // where the platform gives all files as one
	// Files is how many there are, when Manifest does not have them all.
	Files int64 `json:"file_count,omitempty"`
	// Size is their bytes together, likewise.
	Size int64 `json:"total_size,omitempty"`
}

// ArchiveStrategyResult is what became of a dataset's files.
type ArchiveStrategyResult struct {
	Strategy   string         `json:"ingest_strategy"`
	Status     string         `json:"status"`
	Manifest   []ManifestFile `json:"manifest"`
	File       *FilesetFile   `json:"fileset_file,omitempty"`
	Bundle     *FilesetFile   `json:"fileset_bundle,omitempty"`
	BundlePath string         `json:"bundle_archiveorg_path,omitempty"`
}

// FilesetFile is a file of which there is one: the only one of a dataset, or the bundle of all.
type FilesetFile struct {
	BundlePath string           `json:"archiveorg_bundle_path,omitempty"` // of a bundle in an item of archive.org
	FileMeta   *FileMeta        `json:"file_meta,omitempty"`
	Terminal   *FilesetTerminal `json:"terminal,omitempty"`
	CDX        *CDXRow          `json:"cdx,omitempty"`
	RevisitCDX *CDXRow          `json:"revisit_cdx,omitempty"`
}

// FilesetTerminal is the answer that redirects led to.
type FilesetTerminal struct {
	URL    string `json:"terminal_url"`
	DT     string `json:"terminal_dt"`                    // 14 digits, UTC
	Status int    `json:"terminal_status_code,omitempty"` // absent if the archive has none
	SHA1   string `json:"terminal_sha1hex,omitempty"`     // of the body, with a gzip wrapping undone
}

// FileMeta says what the bytes of a file are.
type FileMeta struct {
	Size   int64  `json:"size_bytes"`
	SHA1   string `json:"sha1hex"`
	SHA256 string `json:"sha256hex"`
	MD5    string `json:"md5hex"`
	MIME   string `json:"mimetype"` // by content
}

// CDXRow is a line of a capture index.
type CDXRow struct {
	SURT     string `json:"surt"`
	Datetime string `json:"datetime"` // 14 digits, UTC
	URL      string `json:"url"`
	MIME     string `json:"mimetype"`
	Status   int    `json:"status_code,omitempty"` // not there when the index does not say
	SHA1B32  string `json:"sha1b32"`
	SHA1     string `json:"sha1hex"`

	// Where the record stands. The real system has these only where the path has a slash.
	Length int64  `json:"warc_csize,omitempty"`
	Offset int64  `json:"warc_offset,omitempty"`
	Path   string `json:"warc_path,omitempty"`
}

// Biblio is the description of the work in a landing page's head.
type Biblio struct {
	Title         string   `json:"title,omitempty"`
	Subtitle      string   `json:"subtitle,omitempty"`
	Contributors  []string `json:"contrib_names,omitempty"`
	ReleaseDate   string   `json:"release_date,omitempty"` // YYYY-MM-DD
	ReleaseYear   int      `json:"release_year,omitempty"`
	ReleaseType   string   `json:"release_type,omitempty"`
	ReleaseStage  string   `json:"release_stage,omitempty"`
	Withdrawn     string   `json:"withdrawn_status,omitempty"`
	Language      string   `json:"lang,omitempty"`
	Country       string   `json:"country_code,omitempty"`
	Volume        string   `json:"volume,omitempty"`
	Issue         string   `json:"issue,omitempty"`
	Number        string   `json:"number,omitempty"`
	Pages         string   `json:"pages,omitempty"`
	FirstPage     string   `json:"first_page,omitempty"`
	LastPage      string   `json:"last_page,omitempty"`
	License       string   `json:"license,omitempty"`
	Publisher     string   `json:"publisher,omitempty"`
	Container     string   `json:"container_name,omitempty"`
	ContainerAbbr string   `json:"container_abbrev,omitempty"`
	ContainerISSN string   `json:"container_issn,omitempty"`
	ContainerType string   `json:"container_type,omitempty"`
	References    []string `json:"raw_references,omitempty"`
	DOI           string   `json:"doi,omitempty"`
	PMID          string   `json:"pmid,omitempty"`
	PMCID         string   `json:"pmcid,omitempty"`
	ISBN13        string   `json:"isbn13,omitempty"`
	Ident         string   `json:"publisher_ident,omitempty"`
	OAI           string   `json:"oai_id,omitempty"`
	Abstract      string   `json:"abstract,omitempty"`
	PDF           string   `json:"pdf_fulltext_url,omitempty"`
	HTML          string   `json:"html_fulltext_url,omitempty"`
	XML           string   `json:"xml_fulltext_url,omitempty"`
	Component     string   `json:"component_url,omitempty"`
}

// FileResult is what Sandcrawler's ingest of single files says, of the only file of a dataset: one line of
// file-results-*.jsonl.
type FileResult struct {
	Hit        bool             `json:"hit"`
	Status     string           `json:"status"`  // success
	Request    FilesetRequest   `json:"request"` // with the ingest type dataset-file
	Terminal   *FilesetTerminal `json:"terminal,omitempty"`
	FileMeta   *FileMeta        `json:"file_meta,omitempty"`
	CDX        *CDXRow          `json:"cdx,omitempty"`
	RevisitCDX *CDXRow          `json:"revisit_cdx,omitempty"`
}

// NeedsCapture is a URL that no archive has and a request needs: one line of needs-capture-*.jsonl, which a crawler
// takes.
type NeedsCapture struct {
	URL     string         `json:"url"`
	Purpose string         `json:"purpose"` // landing, api, file, bundle
	Request FilesetRequest `json:"request"`
}
