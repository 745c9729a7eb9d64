package holdings

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// The formats of a collection. Documents are written in each format that is asked for. The index is made from the
// captures' shards, which every unit has: see collection.Run.Index.
const (
	FormatJSONL   = "jsonl"
	FormatParquet = "parquet"
	FormatContent = "content" // Datastreamer's records, with the page's HTML: content-*.jsonl.zst
	FormatWET     = "wet"     // main texts as conversion records: texts-*.warc.wet.gz
	FormatLinks   = "links"   // links of pages, no documents: links-*.parquet
	FormatData    = "data"    // structured data of pages, no documents: data-*.parquet
	FormatCDXJ    = "cdxj"    // index over all units, no documents
)

// Formats returns all formats.
func Formats() []string {
	return []string{FormatJSONL, FormatParquet, FormatContent, FormatWET, FormatLinks, FormatData, FormatCDXJ}
}

// FormatsOf returns the formats of the documents in shards, sorted; none for shards of an index alone.
func FormatsOf(shards []schemas.Shard) []string {
	var list []string
	for _, s := range shards {
		switch n, _ := FileTypeOf(s.Name); {
		case n.Kind == KindDocuments && n.Ext == ExtParquet:
			list = append(list, FormatParquet)
		case n.Kind == KindDocuments:
			list = append(list, FormatJSONL)
		case n.Kind == KindContent:
			list = append(list, FormatContent)
		case n.Kind == KindTexts:
			list = append(list, FormatWET)
		case n.Kind == KindLinks:
			list = append(list, FormatLinks)
		case n.Kind == KindData:
			list = append(list, FormatData)
		}
	}
	slices.Sort(list)
	return list
}
