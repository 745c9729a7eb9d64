package datastreamer

import "github.com/gleaner-web/gleaner/schemas"

// Content is a record of Datastreamer's (once Spinn3r's) content stream. It has 209 fields: the 42 of the specification
// and those of its client library. docs/formats/datastreamer.md lists them. A field that is not known is absent from
// the JSON, so that numbers and booleans are pointers.
//
// Timestamps are UTC in whole seconds, 2014-06-22T01:08:52Z. Lengths are bytes of UTF-8. Checksums are SHA-1 in the
// form of hashcode. Enumerations are names; records that have integers are read, too.
type Content struct {
	// partition: hours since 1970 times 100, and 0 to 99
	Bucket *int64 `json:"bucket,omitempty"`
	// unique: seconds since 1970 times 10^9, and a number below 10^9
	Sequence *int64 `json:"sequence,omitempty"`
	// sequence modulo 100,000, to sample by
	SequenceRange *int64 `json:"sequence_range,omitempty"`
	// of resource: SHA-1 in Base64, 27 characters
	Hashcode string `json:"hashcode,omitempty"`
	// tokenised permalink
	Resource string `json:"resource,omitempty"`
	// URL of the content, as asked for
	Permalink string `json:"permalink,omitempty"`
	// when it was fetched and added
	DateFound string `json:"date_found,omitempty"`
	// how it was discovered
	IndexMethod string `json:"index_method,omitempty"`
	// SOURCE or FEED
	DetectionMethod string `json:"detection_method,omitempty"`

	// The page.
	// the page as fetched, not cleaned, as UTF-8
	HTML string `json:"html,omitempty"`
	// bytes of html
	HTMLLength *int64 `json:"html_length,omitempty"`
	// SHA-1 of html
	HTMLChecksum string `json:"html_checksum,omitempty"`
	// the page's bytes, zlib
	HTMLBlob []byte `json:"html_blob,omitempty"`
	// bytes of the page
	HTMLBlobLength *int64 `json:"html_blob_length,omitempty"`
	// SHA-1 of the page's bytes
	HTMLBlobChecksum string `json:"html_blob_checksum,omitempty"`
	// zlib
	ExtractBlob []byte `json:"extract_blob,omitempty"`
	// of the writer
	Version string `json:"version,omitempty"`
	// when these fields changed last
	LastUpdated string `json:"last_updated,omitempty"`

	// The site that it is of.
	// of source_resource
	SourceHashcode string `json:"source_hashcode,omitempty"`
	// tokenised source_link
	SourceResource string `json:"source_resource,omitempty"`
	// the site, as it is fetched
	SourceLink string `json:"source_link,omitempty"`
	// kind of site: one of the Publisher constants of package schemas
	SourcePublisherType string `json:"source_publisher_type,omitempty"`
	// name of the network
	SourcePublisherSubtype string `json:"source_publisher_subtype,omitempty"`
	// when the site was added
	SourceDateFound string `json:"source_date_found,omitempty"`
	// when the site was visited last
	SourceLastUpdated string `json:"source_last_updated,omitempty"`
	// when the site's HTML changed last
	SourceLastPublished string `json:"source_last_published,omitempty"`
	// when the site posted last
	SourceLastPosted string `json:"source_last_posted,omitempty"`
	// milliseconds between visits
	SourceUpdateInterval *int64 `json:"source_update_interval,omitempty"`
	// of the last visit
	SourceHTTPStatus *int64 `json:"source_http_status,omitempty"`
	// 0 to 1; -1 when it is not known
	SourceSpamProbability *schemas.Float `json:"source_spam_probability,omitempty"`
	// bytes of the site's page
	SourceContentLength *int64 `json:"source_content_length,omitempty"`
	// SHA-1 of the site's page
	SourceContentChecksum string   `json:"source_content_checksum,omitempty"`
	SourceAssignedTags    []string `json:"source_assigned_tags,omitempty"`
	// CYCLICAL, ADAPTIVE, PUSH, …
	SourceSettingUpdateStrategy string `json:"source_setting_update_strategy,omitempty"`
	// DEFAULT, COVERING_SET, …
	SourceSettingIndexStrategy string `json:"source_setting_index_strategy,omitempty"`
	// DEFAULT or COMPOSITE
	SourceSettingAuthorPolicy string `json:"source_setting_author_policy,omitempty"`
	SourcePSHBHub             string `json:"source_pshb_hub,omitempty"`
	SourcePSHBTopic           string `json:"source_pshb_topic,omitempty"`
	SourcePSHBLastPosted      string `json:"source_pshb_last_posted,omitempty"`
	// of the subscription at source_pshb_hub
	SourcePSHBLeaseExpires                   string `json:"source_pshb_lease_expires,omitempty"`
	SourceUserInteractions                   *int64 `json:"source_user_interactions,omitempty"`
	SourceSettingMinimumContentMetadataScore *int64 `json:"source_setting_minimum_content_metadata_score,omitempty"`
	// when the site is visited next
	SourceNextUpdate string `json:"source_next_update,omitempty"`
	// of the site
	SourceTitle string `json:"source_title,omitempty"`
	// of the site
	SourceDescription string `json:"source_description,omitempty"`
	SourceHandle      string `json:"source_handle,omitempty"`
	SourceFavorites   *int64 `json:"source_favorites,omitempty"`
	SourceFollowers   *int64 `json:"source_followers,omitempty"`
	SourceFollowing   *int64 `json:"source_following,omitempty"`
	SourceVerified    *bool  `json:"source_verified,omitempty"`
	// the site's other profiles, as URLs
	SourceProfiles []string `json:"source_profiles,omitempty"`
	// for people: Washington, DC
	SourceLocation      string   `json:"source_location,omitempty"`
	SourceImageSrc      string   `json:"source_image_src,omitempty"`
	SourceImageWidth    *int64   `json:"source_image_width,omitempty"`
	SourceImageHeight   *int64   `json:"source_image_height,omitempty"`
	SourceTelephone     string   `json:"source_telephone,omitempty"`
	SourceTags          []string `json:"source_tags,omitempty"`
	SourceRatingValue   string   `json:"source_rating_value,omitempty"`
	SourceFaviconSrc    string   `json:"source_favicon_src,omitempty"`
	SourceFaviconWidth  *int64   `json:"source_favicon_width,omitempty"`
	SourceFaviconHeight *int64   `json:"source_favicon_height,omitempty"`
	SourceCreated       string   `json:"source_created,omitempty"`
	SourceLikes         *int64   `json:"source_likes,omitempty"`
	SourceRelatedTags   []string `json:"source_related_tags,omitempty"`
	SourceParsedPosts   *int64   `json:"source_parsed_posts,omitempty"`
	// the most that were ever parsed
	SourceParsedPostsMax *int64 `json:"source_parsed_posts_max,omitempty"`
	SourceFeedHref       string `json:"source_feed_href,omitempty"`
	SourceFeedTitle      string `json:"source_feed_title,omitempty"`
	// ATOM, RSS or UNKNOWN
	SourceFeedFormat string `json:"source_feed_format,omitempty"`

	// Its addresses.
	Identifier string `json:"identifier,omitempty"`
	// URL that redirects led to
	PermalinkRedirect string `json:"permalink_redirect,omitempty"`
	// its domain
	PermalinkRedirectDomain string `json:"permalink_redirect_domain,omitempty"`
	// its host
	PermalinkRedirectSite string `json:"permalink_redirect_site,omitempty"`
	// the link, if it differs from permalink
	Link       string `json:"link,omitempty"`
	LinkDomain string `json:"link_domain,omitempty"`
	LinkSite   string `json:"link_site,omitempty"`
	// rel=shortlink
	Shortlink string `json:"shortlink,omitempty"`
	// rel=canonical or og:url
	Canonical string `json:"canonical,omitempty"`
	// registrable domain of permalink
	Domain string `json:"domain,omitempty"`
	// host of permalink
	Site string `json:"site,omitempty"`

	// What it says.
	// the article, as safe HTML with absolute URLs
	Main string `json:"main,omitempty"`
	// bytes of main
	MainLength *int64 `json:"main_length,omitempty"`
	// SHA-1 of main
	MainChecksum string `json:"main_checksum,omitempty"`
	// main is the publisher's own
	MainAuthoritative *bool `json:"main_authoritative,omitempty"`
	// HTML or TEXT
	MainFormat string `json:"main_format,omitempty"`
	// text without boilerplate
	Extract string `json:"extract,omitempty"`
	// bytes of extract
	ExtractLength *int64 `json:"extract_length,omitempty"`
	// SHA-1 of extract
	ExtractChecksum string `json:"extract_checksum,omitempty"`
	// paragraphs, a line each
	SummaryText string `json:"summary_text,omitempty"`
	// of the post, text
	Title string `json:"title,omitempty"`
	// name
	Publisher string `json:"publisher,omitempty"`
	// of the newspaper: Technology
	Section string `json:"section,omitempty"`
	// of the post, HTML
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	// names of users
	Mentions []string `json:"mentions,omitempty"`
	// URLs that main links to
	Links []string `json:"links,omitempty"`
	// links with redirects followed
	ExpandedLinks []string `json:"expanded_links,omitempty"`
	Published     string   `json:"published,omitempty"`
	Modified      string   `json:"modified,omitempty"`
	// a date that is not known to the second
	PublishedPartial string `json:"published_partial,omitempty"`
	// a date that is not known to the second
	ModifiedPartial string `json:"modified_partial,omitempty"`

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
	// MALE, FEMALE or UNKNOWN
	AuthorGender string `json:"author_gender,omitempty"`

	// Where.
	GeoLocation    string `json:"geo_location,omitempty"`
	GeoLocationID  string `json:"geo_location_id,omitempty"`
	GeoFeaturename string `json:"geo_featurename,omitempty"`
	// latitude and longitude, degrees
	GeoPoint string `json:"geo_point,omitempty"`
	// two points
	GeoBox     string `json:"geo_box,omitempty"`
	GeoNameID  string `json:"geo_name_id,omitempty"`
	GeoName    string `json:"geo_name,omitempty"`
	GeoCountry string `json:"geo_country,omitempty"`
	GeoState   string `json:"geo_state,omitempty"`
	GeoCity    string `json:"geo_city,omitempty"`
	// DEFAULT or SOURCE_LOCATION
	GeoMethod string `json:"geo_method,omitempty"`

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
	Shared *bool `json:"shared,omitempty"`
	// NONE, RAW or REPLY
	SharedType            string `json:"shared_type,omitempty"`
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
	// SUMMARY to PLAYER
	Card               string `json:"card,omitempty"`
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
	// POST or COMMENT
	Type string `json:"type,omitempty"`
	// POSITIVE, NEGATIVE or NEUTRAL
	Sentiment string `json:"sentiment,omitempty"`
	// ISO 639-1, or U for unknown
	Lang string `json:"lang,omitempty"`
	// confidences, 0 to 1
	Categories map[string]schemas.Float `json:"categories,omitempty"`
	// similarities 0 to 1 by sequence
	Duplicates      map[string]schemas.Float `json:"duplicates,omitempty"`
	DuplicatesCount *int64                   `json:"duplicates_count,omitempty"`
	// confidences, 0 to 1
	Classifications map[string]schemas.Float `json:"classifications,omitempty"`

	// What it is a comment on.
	// of parent_resource
	ParentHashcode  string `json:"parent_hashcode,omitempty"`
	ParentPermalink string `json:"parent_permalink,omitempty"`
	ParentTitle     string `json:"parent_title,omitempty"`
	// ISO 639-1, or U
	ParentLang string `json:"parent_lang,omitempty"`
	// tokenised parent_permalink
	ParentResource string `json:"parent_resource,omitempty"`

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
