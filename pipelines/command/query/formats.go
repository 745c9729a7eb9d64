package query

import "github.com/gleaner-web/gleaner/pipelines/export"

// The formats of an answer: those of captures, and counts.
const (
	formatTable   = export.FormatTable
	formatJSONL   = export.FormatJSONL
	formatCSV     = export.FormatCSV
	formatCSVBOM  = export.FormatCSVBOM
	formatParquet = export.FormatParquet
	formatArrow   = export.FormatArrow
	formatWARC    = export.FormatWARC
	formatWACZ    = export.FormatWACZ
	formatWET     = export.FormatWET
	formatURLs    = export.FormatURLs
	formatRecheck = export.FormatRecheck
	formatRecords = export.FormatRecords
	formatVectors = "vectors" // Parquet: passages with their vectors
	formatCount   = "count"
	formatFacets  = "facets"
	formatArrays  = "arrays" // of --sql: JSON arrays, the first with the names of the columns
)

var formats = []string{
	formatTable, formatJSONL, formatCSV, formatCSVBOM, formatParquet, formatArrow, formatWARC, formatWACZ, formatWET,
	formatURLs, formatRecords, formatRecheck, formatVectors, formatCount, formatFacets, formatArrays,
}

// binary are the formats that are not for a terminal.
var binary = []string{formatParquet, formatArrow, formatWARC, formatWACZ, formatWET, formatVectors}

// noFields are the formats with fixed content, for which no fields can be chosen.
var noFields = []string{
	formatWARC, formatWACZ, formatWET, formatURLs, formatRecords, formatRecheck, formatVectors, formatCount,
	formatFacets,
}
