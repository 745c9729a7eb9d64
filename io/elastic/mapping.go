package elastic

// Model says what the documents of an index are like.
type Model string

// The models.
const (
	ACHE    Model = "ache"    // what ACHE writes of a page, see package ache
	Gleaner Model = "gleaner" // schemas.Document
)

// kind is what a field is indexed as.
type kind uint8

const (
	keyword kind = iota // as it is
	text                // its words
	date
	number
	whole  // a whole number
	truth  // true or false
	kept   // a text that is not searched
	opaque // an object that is not looked into
)

// models are the fields of each model that are indexed, or that must not be. Others are indexed by what the server
// guesses of ACHE's, and of Gleaner's not at all: these have fields without end.
var models = map[Model]map[string]kind{
	ACHE: {
		"domain": keyword, "words": keyword, "wordsMeta": keyword, "url": keyword, "topPrivateDomain": keyword,
		"isRelevant": keyword, "crawlerId": keyword, "text": text, "title": text, "retrieved": date, "relevance": number,
		"html": kept, "responseHeaders": opaque,
	},
	Gleaner: {
		"url": keyword, "surt": keyword, "timestamp": date, "status": whole, "mime_declared": keyword, "mime_detected": keyword,
		"charset": keyword, "language": keyword, "language_declared": keyword, "title": text, "description": text,
		"canonical": keyword, "authors": keyword, "publisher": keyword, "section": keyword, "tags": keyword, "published": date,
		"modified": date, "text": text, "page_type": keyword, "pages": whole, "simhash": keyword, "digest": keyword,
		"record_id": keyword, "record_type": keyword, "filename": keyword, "offset": whole, "length": whole, "body_bytes": whole,
		"ip": keyword, "redirect_url": keyword, "truncated": keyword, "flags": keyword, "damaged": truth, "template_blocks": whole,
	},
}

// maxKeyword is how many characters of a keyword are indexed: 32,766 bytes are the most that a term may have, and a
// document with a longer one would be refused.
const maxKeyword = 8191

// object is a JSON object.
type object map[string]any

// mapping is the body that makes an index for m on a server of version v.
func mapping(m Model, v Version, typeName string) object {
	fields := object{}
	for name, k := range models[m] {
		fields[name] = field(k, v)
	}
	properties := object{"properties": fields}
	if m == Gleaner {
		properties["dynamic"] = false
	}
	if v.Major < 7 {
		properties = object{typeName: properties}
	}
	return object{"mappings": properties}
}

// field is the mapping of one field. Elasticsearch 5 divided strings into keywords and texts.
func field(k kind, v Version) object {
	old := v.Major < 5
	switch k {
	case keyword:
		if old {
			return object{"type": "string", "index": "not_analyzed", "ignore_above": maxKeyword}
		}
		return object{"type": "keyword", "ignore_above": maxKeyword}
	case text:
		if old {
			return object{"type": "string"}
		}
		return object{"type": "text"}
	case date:
		format := "dateOptionalTime"
		if v.Major >= 8 {
			format = "date_optional_time"
		}
		return object{"type": "date", "format": format, "ignore_malformed": true}
	case number:
		return object{"type": "double"}
	case whole:
		return object{"type": "long"}
	case truth:
		return object{"type": "boolean"}
	case kept:
		if old {
			return object{"type": "string", "index": "no"}
		}
		return object{"type": "text", "index": false}
	}
	return object{"type": "object", "enabled": false}
}
