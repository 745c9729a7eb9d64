package parquetfile

import (
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// columns are all that a file holds, structs, elements, keys and values included, in the order of their field ids,
// which are 1 for the first and so on. Table formats keep the ids for as long as the table lives, so the list only
// grows, at its end, and a column that goes keeps its place with "-" before its name. testdata/ids.txt, against which
// a test holds it, is what was given away.
var columns = []string{
	"url", "surt", "host", "domain", "timestamp", "status", "mime_declared", "mime_detected", "mime_basis",
	"mime_conflict", "mime_inside", "charset", "charset_basis", "language", "languages", "languages.element",
	"languages.element.code", "languages.element.script", "languages.element.share",
	"languages.element.confidence", "language_declared", "language_conflict", "title", "description", "canonical",
	"shortlink", "authors", "authors.element", "publisher", "section", "tags", "tags.element", "published",
	"published_text", "modified", "modified_text", "metadata_sources", "metadata_sources.key",
	"metadata_sources.value", "metadata_confidence", "metadata_confidence.key", "metadata_confidence.value",
	"text", "text_source", "main_html", "template_blocks", "page_type", "pages", "entities", "entities.element",
	"entities.element.type", "entities.element.text", "entities.element.count", "entities.element.mentions",
	"entities.element.mentions.element", "entities.element.mentions.element.start",
	"entities.element.mentions.element.end", "entities.element.source", "entities.element.id",
	"entities.element.confidence", "feeds", "feeds.element", "feeds.element.url", "feeds.element.type",
	"feeds.element.title", "feed", "feed.type", "feed.title", "feed.link", "feed.items", "feed.newest",
	"links_internal", "links_external", "custom", "custom.key", "custom.value", "custom.value.element",
	"source_id", "simhash", "quality", "quality.words", "quality.characters", "quality.mean_word_length",
	"quality.symbol_ratio", "quality.bullet_lines", "quality.ellipsis_lines", "quality.alphabetic_words",
	"quality.stop_words", "quality.duplicate_lines", "quality.duplicate_chars", "quality.top_bigram",
	"quality.top_trigram", "quality.gopher_pass", "digest", "record_id", "record_type", "refers_to",
	"refers_to.record_id", "refers_to.url", "refers_to.timestamp", "refers_to.profile", "filename", "offset",
	"length", "sequence", "body_bytes", "ip", "redirect_url", "truncated", "flags", "flags.element", "damaged",
	"crawl", "crawl.key", "crawl.value", "errors", "errors.element", "errors.element.stage",
	"errors.element.kind", "errors.element.message", "text_path", "site_signals", "site_signals.element",
	"custom_integers", "custom_integers.key", "custom_integers.value", "custom_integers.value.element",
	"custom_floats", "custom_floats.key", "custom_floats.value", "custom_floats.value.element",
	"custom_booleans", "custom_booleans.key", "custom_booleans.value", "custom_booleans.value.element",
	"custom_times", "custom_times.key", "custom_times.value", "custom_times.value.element",
	"custom_times.value.element.time", "comments", "comments.text", "comments.count",
}

// fieldIDs are the ids by the columns' names.
var fieldIDs = func() map[string]int {
	ids := make(map[string]int, len(columns))
	for i, name := range columns {
		ids[name] = i + 1
	}
	return ids
}()

// schema is that of the rows, with ids. Struct tags could give all of them but that of the lists in a map.
var schema = parquet.NewSchema("row", identified{Node: parquet.SchemaOf(row{})})

// identified is a column with the id of its name, as are all beneath it.
type identified struct {
	parquet.Node
	name string
}

// ID is the field id. The groups that Parquet puts between a list and its elements, or a map and its pairs, have none.
func (n identified) ID() int { return fieldIDs[n.name] }

// Fields are the columns beneath this one.
func (n identified) Fields() []parquet.Field {
	inner := n.Node.Fields()
	fields := make([]parquet.Field, len(inner))
	for i, f := range inner {
		fields[i] = identifiedField{identified{f, columnName(n.name, f.Name())}, f}
	}
	return fields
}

// identifiedField is such a column in another.
type identifiedField struct {
	identified
	field parquet.Field
}

// Name is that of the column in the one above it.
func (f identifiedField) Name() string { return f.field.Name() }

// Value is that of the column in a Go value of the one above it.
func (f identifiedField) Value(base reflect.Value) reflect.Value { return f.field.Value(base) }

// columnName is the name of a column as table formats have it, "entities.element.text": a group that is Parquet's own
// has the name of the list or the map that it is in with "/" after, which no column has.
func columnName(above, name string) string {
	switch {
	case above == "":
		return name
	case name == "list" || name == "key_value":
		return above + "/"
	case strings.HasSuffix(above, "/"):
		return strings.TrimSuffix(above, "/") + "." + name
	}
	return above + "." + name
}
