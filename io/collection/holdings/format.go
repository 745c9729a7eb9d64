package holdings

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// What a collection can hold. Documents are written in those formats of them that are asked for. The index is made of
// the captures' shards, which every unit has, when the collection is finished: see
// collection.Run.Index.
const (
	FormatJSONL   = "jsonl"
	FormatParquet = "parquet"
	FormatContent = "content" // Datastreamer's records, which hold the page: content-*.jsonl.zst
	FormatWET     = "wet"     // the main texts as conversion records: texts-*.warc.wet.gz
	FormatLinks   = "links"   // no documents but the links of pages: links-*.parquet
	FormatCDXJ    = "cdxj"    // no documents: the index over all units
)

// Formats are all of them.
func Formats() []string {
	return []string{FormatJSONL, FormatParquet, FormatContent, FormatWET, FormatLinks, FormatCDXJ}
}

// FormatsOf are the formats of documents that shards are in, sorted; none for those of an index alone.
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
		}
	}
	slices.Sort(list)
	return list
}
