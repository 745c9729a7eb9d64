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
	names               // its words and, as .keyword, as it is: what is searched and counted
	date
	number
	whole // a whole number
	yesNo
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
		"url": keyword, "surt": keyword, "host": keyword, "domain": keyword, "timestamp": date, "status": whole,
		"mime_declared": keyword, "mime_detected": keyword, "mime_conflict": yesNo, "mime_inside": keyword,
		"charset": keyword, "language": keyword, "language_declared": keyword, "language_conflict": yesNo,
		allLanguages: keyword, "title": text, "description": text, "canonical": keyword, "authors": keyword,
		"publisher": keyword, "section": keyword, "tags": keyword, "published": date, "modified": date, "text": text,
		"text_source": keyword, "page_type": keyword, "pages": whole, allEntities: names, "links_internal": whole,
		"links_external": whole, "source_id": keyword, "simhash": keyword, "digest": keyword, "record_id": keyword,
		"record_type": keyword, "filename": keyword, "offset": whole, "length": whole, "sequence": whole, "body_bytes": whole,
		"ip": keyword, "redirect_url": keyword, "truncated": keyword, "damaged": yesNo, "flags": keyword,
		"template_blocks": whole, "site_signals": keyword, "text_path": keyword,
	},
}

// Fields that no document has by these names: servers fill them from the fields of nested objects, which ordinary
// searches and charts do not see.
const (
	allEntities  = "entity_names"   // entities.text
	allLanguages = "language_codes" // languages.code
)

// group is the fields of an object, or of a list of objects.
type group struct {
	// each object of the list is searched by itself, so that what is found in two of them is not found together
	nested bool
	fields map[string]kind
	copies map[string]string // fields whose values are also those of a field of the document
}

// groups are the objects in Gleaner's documents that are indexed.
var groups = map[string]group{
	"entities": {
		nested: true,
		fields: map[string]kind{
			"type": keyword, "text": names, "id": keyword, "source": keyword, "count": whole, "confidence": number,
		},
		copies: map[string]string{"text": allEntities},
	},
	"languages": {
		nested: true,
		fields: map[string]kind{"code": keyword, "script": keyword, "share": number, "confidence": number},
		copies: map[string]string{"code": allLanguages},
	},
	"comments": {fields: map[string]kind{"text": text, "count": whole}},
	"quality": {fields: map[string]kind{
		"words": whole, "characters": whole, "mean_word_length": number, "symbol_ratio": number, "bullet_lines": number,
		"ellipsis_lines": number, "alphabetic_words": number, "stop_words": whole, "duplicate_lines": number,
		"duplicate_chars": number, "top_bigram": number, "top_trigram": number, "gopher_pass": yesNo,
	}},
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
	// Whatever is not among these fields is left to "dynamic".
	properties := object{"properties": fields}
	if m == Gleaner {
		properties["dynamic"] = false // nor in the groups, which inherit it
		for name, g := range groups {
			fields[name] = g.mapping(v)
		}
	}
	// Before Elasticsearch 7 a mapping is that of a type.
	if v.Major < 7 {
		properties = object{typeName: properties}
	}
	return object{"mappings": properties}
}

// mapping is that of the group as a field of the document.
func (g group) mapping(v Version) object {
	fields := object{}
	for name, k := range g.fields {
		f := field(k, v)
		if to := g.copies[name]; to != "" {
			// The server copies the value when it indexes; the document itself stays as it is.
			f["copy_to"] = to
		}
		fields[name] = f
	}
	if g.nested {
		return object{"type": "nested", "properties": fields}
	}
	return object{"properties": fields}
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
	case names:
		f := field(text, v)
		f["fields"] = object{"keyword": field(keyword, v)}
		return f
	case yesNo:
		return object{"type": "boolean"}
	case date:
		// The same format under its old name, which versions from 8 on do not know any more.
		format := "dateOptionalTime"
		if v.Major >= 8 {
			format = "date_optional_time"
		}
		return object{"type": "date", "format": format, "ignore_malformed": true}
	case number:
		return object{"type": "double"}
	case whole:
		return object{"type": "long"}
	case kept:
		if old {
			return object{"type": "string", "index": "no"}
		}
		return object{"type": "text", "index": false}
	}
	return object{"type": "object", "enabled": false}
}
