package corpora

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// croissant returns the metadata of a corpus in Croissant 1.1, the specification of MLCommons
// (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html). Readers find the shards beside the file, by
// patterns. Like the card, it has no date.
func croissant(m Manifest) ([]byte, error) {
	set := node{
		"@context": croissantContext(), "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1",
		"name": "corpus", "version": "1.0.0", "inLanguage": languagesOf(m),
		"description": fmt.Sprintf("%d documents of web pages, with %d bytes of text.", m.Counts.Kept, m.Counts.Bytes),
		"license":     licensesText(m), "url": "https://github.com/gleaner-web/gleaner",
		"rai:dataCollection":               "The texts are from archives of web crawls.",
		"rai:dataPreprocessingProtocol":    protocolOf(m),
		"rai:personalSensitiveInformation": personalOf(m),
		"rai:dataLimitations":              "Filters decide by statistics of texts. Nobody has read the documents.",
		"rai:dataReleaseMaintenancePlan":   "None is known.",
	}
	var files, records []node
	for _, format := range m.Options.Formats {
		files = append(files, node{
			"@type": "cr:FileSet", "@id": format, "name": format, "encodingFormat": mediaTypes[format],
			"includes": dataDir + "/*" + extensions[format],
		})
	}
	// Readers know no compressed JSON lines, and WET files have no columns.
	if slices.Contains(m.Options.Formats, Parquet) {
		records = []node{{"@type": "cr:RecordSet", "@id": "documents", "name": "documents", "field": fieldsOf(m.Options)}}
	}
	set["distribution"], set["recordSet"] = files, records
	b, err := json.MarshalIndent(set, "", "  ")
	return append(b, '\n'), err
}

// node is an object of JSON-LD.
type node map[string]any

var (
	extensions = map[string]string{Parquet: ".parquet", JSONL: ".jsonl.zst", WET: ".warc.wet.gz"}
	mediaTypes = map[string]string{
		Parquet: "application/x-parquet", JSONL: "application/jsonlines+zstd", WET: "application/warc+gzip",
	}
)

// croissantContext is the context of the specification.
func croissantContext() node {
	context := node{
		"@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
		"cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
		"dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo",
		"data": node{"@id": "cr:data", "@type": "@json"}, "examples": node{"@id": "cr:examples", "@type": "@json"},
		"dataType": node{"@id": "cr:dataType", "@type": "@vocab"},
	}
	for term := range strings.FieldsSeq("citeAs column equivalentProperty extract field fileObject fileProperty fileSet " +
		"format includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace " +
		"samplingRate separator source subField transform") {
		context[term] = "cr:" + term
	}
	return context
}

// fieldsOf describes the columns of rows.
func fieldsOf(o Options) (list []node) {
	fields := rowFields()
	if wide := o.form().wide; wide != nil {
		fields = reflect.VisibleFields(wide)
	}
	for _, f := range fields {
		name, t := f.Tag.Get("json"), f.Type
		if t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		field := node{
			"@type": "cr:Field", "@id": "documents/" + name, "name": name, "dataType": cmp.Or(kinds[t.Kind()], "sc:Text"),
			"source": node{"fileSet": node{"@id": Parquet}, "extract": node{"column": name}},
		}
		if name == "url" {
			field["dataType"] = "sc:URL"
		}
		if text := described[name]; text != "" {
			field["description"] = text
		}
		if f.Type.Kind() == reflect.Slice {
			field["repeated"] = true
		}
		list = append(list, field)
	}
	return list
}

// kinds are the types of values; others are texts.
var kinds = map[reflect.Kind]string{reflect.Int64: "cr:Int64", reflect.Float64: "sc:Float", reflect.Bool: "sc:Boolean"}

// described are the columns of rows in words.
var described = map[string]string{
	"tokens": "tokens of the text", "text": "the text, without the parts that filters remove",
	"id":  "a hash of the capture and its text",
	"url": "the URL of the capture", "date": "the time of the capture: RFC 3339, UTC",
	"language": "ISO 639-1, else 639-3", "language_score": "confidence of the language, 0 to 1",
	"title": "the headline of the page", "host": "the host of the URL", "domain": "the registrable domain of the host",
	"media_type": "by the bytes of the body", "page_type": "article, forum, product and so on",
	"digest": "of the body", "record_id": "WARC-Record-ID", "filename": "the archive", "offset": "bytes from its start",
	"license": "the licence that the page states for itself: an SPDX identifier",
}
