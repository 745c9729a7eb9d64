package elastic

import (
	"reflect"

	"github.com/gleaner-web/gleaner/schemas"
)

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
	names               // its words and, as .keyword, the whole text: to search and count
	date
	number
	whole // a whole number
	yesNo
	kept   // a text that is not searched
	opaque // an object that is not looked into
)

// pages are the fields of ACHE's documents that are indexed, or that must not be. Others are indexed by what the server
// guesses.
var pages = map[string]kind{
	"domain": keyword, "words": keyword, "wordsMeta": keyword, "url": keyword, "topPrivateDomain": keyword,
	"isRelevant": keyword, "crawlerId": keyword, "text": text, "title": text, "retrieved": date, "relevance": number,
	"html": kept, "responseHeaders": opaque,
}

// maxKeyword is how many characters of a keyword are indexed. Servers refuse documents with terms of more than 32,766
// bytes.
const maxKeyword = 8191

// object is a JSON object.
type object map[string]any

// mapping is the body that makes an index for m on a server of version v.
func mapping(m Model, v Version, typeName string) object {
	fields, properties := object{}, object{}
	// Other fields follow "dynamic".
	properties["properties"] = fields
	if m == Gleaner {
		// Objects inherit it. The fields of crawlers and selectors have no limit.
		properties["dynamic"] = false
		add(fields, fields, schemas.Columns(), v)
	} else {
		for name, k := range pages {
			fields[name] = field(k, v)
		}
	}
	// Before Elasticsearch 7 a mapping is that of a type.
	if v.Major < 7 {
		properties = object{typeName: properties}
	}
	return object{"mappings": properties}
}

// add adds indexed columns to the fields of an object. document has the fields of the whole document.
func add(fields, document object, columns []schemas.Column, v Version) {
	for _, c := range columns {
		if c.Index == schemas.NoIndex {
			continue
		}
		f := field(kindOf(c), v)
		if c.Copy != "" {
			// Servers fill this field from the objects of a list, where ordinary searches and charts do not look. The document
			// itself does not have it.
			f["copy_to"] = c.Copy
			document[c.Copy] = field(kindOf(c), v)
		}
		if c.Columns != nil {
			inner := object{}
			f = object{"properties": inner}
			if c.Type.Kind() == reflect.Slice {
				// Each object is searched alone, so that a search for two fields does not match two objects.
				f["type"] = "nested"
			}
			add(inner, document, c.Columns, v)
		}
		fields[c.Name] = f
	}
}

// kindOf is the kind of a column that is not an object.
func kindOf(c schemas.Column) kind {
	switch t := schemas.Element(c.Type); {
	case c.Index == schemas.Words:
		return text
	case c.Index == schemas.Names:
		return names
	case c.Time != schemas.NoTime:
		return date
	case t.Kind() == reflect.Bool:
		return yesNo
	case t.Kind() == reflect.Float64:
		return number
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		return whole
	}
	return keyword
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
