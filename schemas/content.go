package schemas

// Content is a record of Datastreamer's (once Spinn3r's) content stream: the 42 fields of its specification and those
// that its client library came to have, 209 in all. docs/formats/datastreamer.md lists them. A field that is not known
// is absent from the JSON, so that numbers and booleans are pointers.
//
// Timestamps are UTC in whole seconds, 2014-06-22T01:08:52Z. Lengths are bytes of UTF-8. Checksums are SHA-1 in the form
// of hashcode. Enumerations are names; records that have integers are read by package datastreamer.
type Content struct {
	Bucket          *int64 `json:"bucket,omitempty"`           // partition: hours since 1970 times 100, and 0 to 99
	Sequence        *int64 `json:"sequence,omitempty"`         // unique: seconds since 1970 times 10^9, and a number below 10^9
	SequenceRange   *int64 `json:"sequence_range,omitempty"`   // sequence modulo 100,000, to sample by
	Hashcode        string `json:"hashcode,omitempty"`         // of resource: SHA-1 in Base64, 27 characters
	Resource        string `json:"resource,omitempty"`         // tokenised permalink
	Permalink       string `json:"permalink,omitempty"`        // URL of the content, as asked for
	DateFound       string `json:"date_found,omitempty"`       // when it was fetched and added
	IndexMethod     string `json:"index_method,omitempty"`     // how it was discovered
	DetectionMethod string `json:"detection_method,omitempty"` // SOURCE or FEED

	// The page.
	HTML             string `json:"html,omitempty"`               // the page as fetched, not cleaned, as UTF-8
	HTMLLength       *int64 `json:"html_length,omitempty"`        // bytes of html
	HTMLChecksum     string `json:"html_checksum,omitempty"`      // SHA-1 of html
	HTMLBlob         []byte `json:"html_blob,omitempty"`          // the page's bytes, zlib
	HTMLBlobLength   *int64 `json:"html_blob_length,omitempty"`   // bytes of the page
	HTMLBlobChecksum string `json:"html_blob_checksum,omitempty"` // SHA-1 of the page's bytes
	ExtractBlob      []byte `json:"extract_blob,omitempty"`       // zlib
	Version          string `json:"version,omitempty"`            // of the writer
	LastUpdated      string `json:"last_updated,omitempty"`       // when these fields changed last

	// The site that it is of.
	SourceHashcode                           string   `json:"source_hashcode,omitempty"`          // of source_resource
	SourceResource                           string   `json:"source_resource,omitempty"`          // tokenised source_link
	SourceLink                               string   `json:"source_link,omitempty"`              // the site, as it is fetched
	SourcePublisherType                      string   `json:"source_publisher_type,omitempty"`    // kind of site: one of the Publisher constants
	SourcePublisherSubtype                   string   `json:"source_publisher_subtype,omitempty"` // name of the network
	SourceDateFound                          string   `json:"source_date_found,omitempty"`        // when the site was added
	SourceLastUpdated                        string   `json:"source_last_updated,omitempty"`      // when the site was visited last
	SourceLastPublished                      string   `json:"source_last_published,omitempty"`    // when the site's HTML changed last
	SourceLastPosted                         string   `json:"source_last_posted,omitempty"`       // when the site posted last
	SourceUpdateInterval                     *int64   `json:"source_update_interval,omitempty"`   // milliseconds between visits
	SourceHTTPStatus                         *int64   `json:"source_http_status,omitempty"`       // of the last visit
	SourceSpamProbability                    *Float   `json:"source_spam_probability,omitempty"`  // 0 to 1; -1 when it is not known
	SourceContentLength                      *int64   `json:"source_content_length,omitempty"`    // bytes of the site's page
	SourceContentChecksum                    string   `json:"source_content_checksum,omitempty"`  // SHA-1 of the site's page
	SourceAssignedTags                       []string `json:"source_assigned_tags,omitempty"`
	SourceSettingUpdateStrategy              string   `json:"source_setting_update_strategy,omitempty"` // CYCLICAL, ADAPTIVE, PUSH, …
	SourceSettingIndexStrategy               string   `json:"source_setting_index_strategy,omitempty"`  // DEFAULT, COVERING_SET, …
	SourceSettingAuthorPolicy                string   `json:"source_setting_author_policy,omitempty"`   // DEFAULT or COMPOSITE
	SourcePSHBHub                            string   `json:"source_pshb_hub,omitempty"`
	SourcePSHBTopic                          string   `json:"source_pshb_topic,omitempty"`
	SourcePSHBLastPosted                     string   `json:"source_pshb_last_posted,omitempty"`
	SourcePSHBLeaseExpires                   string   `json:"source_pshb_lease_expires,omitempty"` // of the subscription at source_pshb_hub
	SourceUserInteractions                   *int64   `json:"source_user_interactions,omitempty"`
	SourceSettingMinimumContentMetadataScore *int64   `json:"source_setting_minimum_content_metadata_score,omitempty"`
	SourceNextUpdate                         string   `json:"source_next_update,omitempty"` // when the site is visited next
	SourceTitle                              string   `json:"source_title,omitempty"`       // of the site
	SourceDescription                        string   `json:"source_description,omitempty"` // of the site
	SourceHandle                             string   `json:"source_handle,omitempty"`
	SourceFavorites                          *int64   `json:"source_favorites,omitempty"`
	SourceFollowers                          *int64   `json:"source_followers,omitempty"`
	SourceFollowing                          *int64   `json:"source_following,omitempty"`
	SourceVerified                           *bool    `json:"source_verified,omitempty"`
	SourceProfiles                           []string `json:"source_profiles,omitempty"` // the site's other profiles, as URLs
	SourceLocation                           string   `json:"source_location,omitempty"` // for people: Washington, DC
	SourceImageSrc                           string   `json:"source_image_src,omitempty"`
	SourceImageWidth                         *int64   `json:"source_image_width,omitempty"`
	SourceImageHeight                        *int64   `json:"source_image_height,omitempty"`
	SourceTelephone                          string   `json:"source_telephone,omitempty"`
	SourceTags                               []string `json:"source_tags,omitempty"`
	SourceRatingValue                        string   `json:"source_rating_value,omitempty"`
	SourceFaviconSrc                         string   `json:"source_favicon_src,omitempty"`
	SourceFaviconWidth                       *int64   `json:"source_favicon_width,omitempty"`
	SourceFaviconHeight                      *int64   `json:"source_favicon_height,omitempty"`
	SourceCreated                            string   `json:"source_created,omitempty"`
	SourceLikes                              *int64   `json:"source_likes,omitempty"`
	SourceRelatedTags                        []string `json:"source_related_tags,omitempty"`
	SourceParsedPosts                        *int64   `json:"source_parsed_posts,omitempty"`
	SourceParsedPostsMax                     *int64   `json:"source_parsed_posts_max,omitempty"` // the most that were ever parsed
	SourceFeedHref                           string   `json:"source_feed_href,omitempty"`
	SourceFeedTitle                          string   `json:"source_feed_title,omitempty"`
	SourceFeedFormat                         string   `json:"source_feed_format,omitempty"` // ATOM, RSS or UNKNOWN

	// Its addresses.
	Identifier              string `json:"identifier,omitempty"`
	PermalinkRedirect       string `json:"permalink_redirect,omitempty"`        // URL that redirects led to
	PermalinkRedirectDomain string `json:"permalink_redirect_domain,omitempty"` // its domain
	PermalinkRedirectSite   string `json:"permalink_redirect_site,omitempty"`   // its host
	Link                    string `json:"link,omitempty"`                      // what is linked to, where that is not permalink
	LinkDomain              string `json:"link_domain,omitempty"`
	LinkSite                string `json:"link_site,omitempty"`
	Shortlink               string `json:"shortlink,omitempty"` // rel=shortlink
	Canonical               string `json:"canonical,omitempty"` // rel=canonical or og:url
	Domain                  string `json:"domain,omitempty"`    // registrable domain of permalink
	Site                    string `json:"site,omitempty"`      // host of permalink

	// What it says.
	Main              string   `json:"main,omitempty"`               // the article, as safe HTML with absolute URLs
	MainLength        *int64   `json:"main_length,omitempty"`        // bytes of main
	MainChecksum      string   `json:"main_checksum,omitempty"`      // SHA-1 of main
	MainAuthoritative *bool    `json:"main_authoritative,omitempty"` // main is the publisher's own
	MainFormat        string   `json:"main_format,omitempty"`        // HTML or TEXT
	Extract           string   `json:"extract,omitempty"`            // text without boilerplate
	ExtractLength     *int64   `json:"extract_length,omitempty"`     // bytes of extract
	ExtractChecksum   string   `json:"extract_checksum,omitempty"`   // SHA-1 of extract
	SummaryText       string   `json:"summary_text,omitempty"`       // paragraphs, a line each
	Title             string   `json:"title,omitempty"`              // of the post, text
	Publisher         string   `json:"publisher,omitempty"`          // name
	Section           string   `json:"section,omitempty"`            // of the newspaper: Technology
	Description       string   `json:"description,omitempty"`        // of the post, HTML
	Tags              []string `json:"tags,omitempty"`
	Mentions          []string `json:"mentions,omitempty"`       // names of users
	Links             []string `json:"links,omitempty"`          // URLs that main links to
	ExpandedLinks     []string `json:"expanded_links,omitempty"` // links with redirects followed
	Published         string   `json:"published,omitempty"`
	Modified          string   `json:"modified,omitempty"`
	PublishedPartial  string   `json:"published_partial,omitempty"` // a date that is not known to the second
	ModifiedPartial   string   `json:"modified_partial,omitempty"`  // a date that is not known to the second

	// Who wrote it.
	AuthorName          string `json:"author_name,omitempty"`
	AuthorLink          string `json:"author_link,omitempty"`
	AuthorHandle        string `json:"author_handle,omitempty"`
	AuthorFollowers     *int64 `json:"author_followers,omitempty"`
	AuthorLocation      string `json:"author_location,omitempty"`
	AuthorAvatarImg     string `json:"author_avatar_img,omitempty"`
	AuthorAvatarWidth   *int64 `json:"author_avatar_width,omitempty"`
	AuthorAvatarHeight  *int64 `json:"author_avatar_height,omitempty"`
	AuthorTwitterHandle string `json:"author_twitter_handle,omitempty"`
	AuthorTwitterUserID string `json:"author_twitter_userid,omitempty"`
	AuthorUserID        string `json:"author_user_id,omitempty"`
	AuthorGender        string `json:"author_gender,omitempty"` // MALE, FEMALE or UNKNOWN

	// Where.
	GeoLocation    string `json:"geo_location,omitempty"`
	GeoLocationID  string `json:"geo_location_id,omitempty"`
	GeoFeaturename string `json:"geo_featurename,omitempty"`
	GeoPoint       string `json:"geo_point,omitempty"` // latitude and longitude, degrees
	GeoBox         string `json:"geo_box,omitempty"`   // two points
	GeoNameID      string `json:"geo_name_id,omitempty"`
	GeoName        string `json:"geo_name,omitempty"`
	GeoCountry     string `json:"geo_country,omitempty"`
	GeoState       string `json:"geo_state,omitempty"`
	GeoCity        string `json:"geo_city,omitempty"`
	GeoMethod      string `json:"geo_method,omitempty"` // DEFAULT or SOURCE_LOCATION

	// Its pictures.
	RatingValue   string `json:"rating_value,omitempty"`
	FaviconSrc    string `json:"favicon_src,omitempty"`
	FaviconWidth  *int64 `json:"favicon_width,omitempty"`
	FaviconHeight *int64 `json:"favicon_height,omitempty"`
	ImageSrc      string `json:"image_src,omitempty"`
	ImageWidth    *int64 `json:"image_width,omitempty"`
	ImageHeight   *int64 `json:"image_height,omitempty"`
	Image1Src     string `json:"image1_src,omitempty"`
	Image1Width   *int64 `json:"image1_width,omitempty"`
	Image1Height  *int64 `json:"image1_height,omitempty"`
	Image2Src     string `json:"image2_src,omitempty"`
	Image2Width   *int64 `json:"image2_width,omitempty"`
	Image2Height  *int64 `json:"image2_height,omitempty"`
	Image3Src     string `json:"image3_src,omitempty"`
	Image3Width   *int64 `json:"image3_width,omitempty"`
	Image3Height  *int64 `json:"image3_height,omitempty"`
	Image4Src     string `json:"image4_src,omitempty"`
	Image4Width   *int64 `json:"image4_width,omitempty"`
	Image4Height  *int64 `json:"image4_height,omitempty"`
	Image5Src     string `json:"image5_src,omitempty"`
	Image5Width   *int64 `json:"image5_width,omitempty"`
	Image5Height  *int64 `json:"image5_height,omitempty"`
	Image6Src     string `json:"image6_src,omitempty"`
	Image6Width   *int64 `json:"image6_width,omitempty"`
	Image6Height  *int64 `json:"image6_height,omitempty"`

	// What it shares or answers.
	Shared                *bool  `json:"shared,omitempty"`
	SharedType            string `json:"shared_type,omitempty"` // NONE, RAW or REPLY
	SharedProfileLink     string `json:"shared_profile_link,omitempty"`
	SharedProfileTitle    string `json:"shared_profile_title,omitempty"`
	SharedAuthorLink      string `json:"shared_author_link,omitempty"`
	SharedAuthorName      string `json:"shared_author_name,omitempty"`
	SharedAuthorUserID    string `json:"shared_author_user_id,omitempty"`
	SharedIdentifier      string `json:"shared_identifier,omitempty"`
	SharedPermalink       string `json:"shared_permalink,omitempty"`
	SharedAuthorHandle    string `json:"shared_author_handle,omitempty"`
	SharedAuthorAvatarImg string `json:"shared_author_avatar_img,omitempty"`
	Replied               *bool  `json:"replied,omitempty"`
	RepliedLink           string `json:"replied_link,omitempty"`
	RepliedProfileLink    string `json:"replied_profile_link,omitempty"`
	RepliedProfileTitle   string `json:"replied_profile_title,omitempty"`

	// Its videos.
	Card               string `json:"card,omitempty"` // SUMMARY to PLAYER
	VideoPlayer        string `json:"video_player,omitempty"`
	VideoPlayerWidth   *int64 `json:"video_player_width,omitempty"`
	VideoPlayerHeight  *int64 `json:"video_player_height,omitempty"`
	Video1Player       string `json:"video1_player,omitempty"`
	Video1PlayerWidth  *int64 `json:"video1_player_width,omitempty"`
	Video1PlayerHeight *int64 `json:"video1_player_height,omitempty"`
	Video2Player       string `json:"video2_player,omitempty"`
	Video2PlayerWidth  *int64 `json:"video2_player_width,omitempty"`
	Video2PlayerHeight *int64 `json:"video2_player_height,omitempty"`
	Video3Player       string `json:"video3_player,omitempty"`
	Video3PlayerWidth  *int64 `json:"video3_player_width,omitempty"`
	Video3PlayerHeight *int64 `json:"video3_player_height,omitempty"`
	Video4Player       string `json:"video4_player,omitempty"`
	Video4PlayerWidth  *int64 `json:"video4_player_width,omitempty"`
	Video4PlayerHeight *int64 `json:"video4_player_height,omitempty"`
	Video5Player       string `json:"video5_player,omitempty"`
	Video5PlayerWidth  *int64 `json:"video5_player_width,omitempty"`
	Video5PlayerHeight *int64 `json:"video5_player_height,omitempty"`
	Video6Player       string `json:"video6_player,omitempty"`
	Video6PlayerWidth  *int64 `json:"video6_player_width,omitempty"`
	Video6PlayerHeight *int64 `json:"video6_player_height,omitempty"`

	// What it is.
	Type            string           `json:"type,omitempty"`       // POST or COMMENT
	Sentiment       string           `json:"sentiment,omitempty"`  // POSITIVE, NEGATIVE or NEUTRAL
	Lang            string           `json:"lang,omitempty"`       // ISO 639-1, or U for unknown
	Categories      map[string]Float `json:"categories,omitempty"` // confidences, 0 to 1
	Duplicates      map[string]Float `json:"duplicates,omitempty"` // similarities 0 to 1 by sequence
	DuplicatesCount *int64           `json:"duplicates_count,omitempty"`
	Classifications map[string]Float `json:"classifications,omitempty"` // confidences, 0 to 1

	// What it is a comment on.
	ParentHashcode  string `json:"parent_hashcode,omitempty"` // of parent_resource
	ParentPermalink string `json:"parent_permalink,omitempty"`
	ParentTitle     string `json:"parent_title,omitempty"`
	ParentLang      string `json:"parent_lang,omitempty"`     // ISO 639-1, or U
	ParentResource  string `json:"parent_resource,omitempty"` // tokenised parent_permalink

	// How it is received.
	Likes               *int64            `json:"likes,omitempty"`
	Dislikes            *int64            `json:"dislikes,omitempty"`
	Comments            *int64            `json:"comments,omitempty"`
	Views               *int64            `json:"views,omitempty"`
	WatchTime           string            `json:"watch_time,omitempty"`
	SubscriptionsDriven *int64            `json:"subscriptions_driven,omitempty"`
	MetadataScore       *int64            `json:"metadata_score,omitempty"`
	Shares              *int64            `json:"shares,omitempty"`
	MetadataUpdates     *int64            `json:"metadata_updates,omitempty"`
	Pinned              *bool             `json:"pinned,omitempty"`
	ImageUserTags       map[string]string `json:"image_user_tags,omitempty"`
}

// The kinds of sites, values of Content.SourcePublisherType.
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

// Page is what a document does not say of the page that it was made of.
type Page struct {
	Text  string   // the body as UTF-8; empty when it is no text
	Links []string // absolute URLs that the main content links to, each once
	Site  Site
}

// Site is what a page tells of the site that it is of. What it does not tell is empty.
type Site struct {
	Title         string
	Description   string
	PublisherType string // one of the Publisher constants
	FeedURL       string
	FeedTitle     string
	FeedFormat    string // ATOM or RSS
	Favicon       string // URL
}
