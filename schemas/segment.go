package schemas

// Segment is one part of a record that was written as several, a "logical record" (section 7 of WARC/1.1,
// ISO 28500:2017). It says where the part stands and how it belongs to the others. It does not hold the block: that is
// read when the parts are joined.
type Segment struct {
	OriginID string `json:"origin_id"` // WARC-Record-ID of the first segment, without its brackets
	Number   int    `json:"number"`    // WARC-Segment-Number; the first segment is 1
	// WARC-Segment-Total-Length, bytes of all blocks; stated by the last segment only
	Total    int64  `json:"total_length,omitempty"`
	Size     int64  `json:"size"`            // bytes of its block
	Flags    []Flag `json:"flags,omitempty"` // anomalies of the record
	File     string `json:"filename"`
	Format   string `json:"format"` // of the file, as in Range
	Offset   int64  `json:"offset"` // as in Origin, likewise the two that follow
	Length   int64  `json:"length"`
	Sequence int    `json:"sequence,omitempty"`
}
