package datastreamer

import (
	"strconv"

	"github.com/gleaner-web/gleaner/schemas"
)

// enums are the names of the enumerations' integers, by field.
var enums = map[string]map[int]string{
	// Some begin at 1 and others at 0, as in the original's definitions.
	"index_method": from(1, "PERMALINK_TASK", "SOURCE_TASK", "PSHB", "SOURCE_TASK_COMPOSITE",
		"FEED_TASK", "TWITTER_TASK"),
	"detection_method":      from(1, "SOURCE", "FEED"),
	"source_publisher_type": publisherTypes,
	"source_feed_format":    from(0, "UNKNOWN", "ATOM", "RSS"),
	"source_setting_update_strategy": from(0, "CYCLICAL", "ADAPTIVE", "PUSH", "SEARCH", "PING", "INDIRECT", "FEED", "NONE",
		"SCHEDULED"),
	"source_setting_index_strategy": from(0, "DEFAULT", "SEARCH_KEYWORD", "SEARCH_USERNAME", "SEARCH_KEYWORD_AND_CITY",
		"COVERING_SET"),
	"source_setting_author_policy": from(0, "DEFAULT", "COMPOSITE"),
	"main_format":                  from(0, "HTML", "TEXT"),
	"author_gender":                from(0, "MALE", "FEMALE", "UNKNOWN"),
	"geo_method":                   from(0, "DEFAULT", "SOURCE_LOCATION"),
	"shared_type":                  from(1, "NONE", "RAW", "REPLY"),
	"type":                         from(0, "POST", "COMMENT"),
	"sentiment":                    from(0, "POSITIVE", "NEGATIVE", "NEUTRAL"),
	"card":                         cards,
}

// Powers of two in the order of the specification, except for the last two.
var publisherTypes = map[int]string{
	0: schemas.PublisherUnknown, 4096: schemas.PublisherWeblog, 8192: schemas.PublisherMainstreamNews,
	16384: schemas.PublisherClassified, 32768: schemas.PublisherForum, 65536: schemas.PublisherReview,
	131072: schemas.PublisherMemetracker, 262144: schemas.PublisherMicroblog, 524288: schemas.PublisherSocialMedia,
	600000: schemas.PublisherVideo, 610000: schemas.PublisherPhoto,
}

// cards are the names that are known; between them stand others, which are kept as they come.
var cards = map[int]string{0: "SUMMARY", 4: "PLAYER"}

// from numbers names from first on.
func from(first int, names ...string) map[int]string {
	m := make(map[int]string, len(names))
	for i, name := range names {
		m[first+i] = name
	}
	return m
}

// enumName returns the name of an enumeration's value, which may be an integer, and whether it is one of it. The names
// of cards are not all known, so all are taken.
func enumName(field, value string) (name string, known bool) {
	// Numbers first: no enumeration has a name that is a number.
	names := enums[field]
	if n, err := strconv.Atoi(value); err == nil {
		name, known := names[n]
		if !known {
			return value, false
		}
		return name, true
	}
	// A dozen names at most: no index in the other direction is worth keeping.
	for _, name := range names {
		if name == value {
			return value, true
		}
	}
	return value, field == "card"
}
