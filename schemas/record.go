package schemas

import "time"

// The types of records that are not captures and can be copied (section 6 of WARC/1.1).
const (
	RecordRequest  = "request"
	RecordMetadata = "metadata"
	RecordWarcinfo = "warcinfo"
)

// Record is a record of an archive that is not a capture: it describes captures, or the archive. Readers return it only
// on demand.
type Record struct {
	Type      string    // in lower case, as archived
	ID        string    // WARC-Record-ID without its brackets
	URL       string    // the target URI as archived
	Timestamp time.Time // UTC; zero when the archive does not say
	Fields    []Field   // all fields of its head as archived; nil where the format's records cannot be copied
	Block     []byte
	// Whole says that Block is the block as archived: it was not cut, and nothing says that it is damaged.
	Whole bool
	Cut   bool   // a limit of reading has truncated Block
	File  string // as in Origin
}

// Name returns the record's type for counts. Types that are not in a short list become "other_record".
func (r *Record) Name() string {
	switch r.Type {
	case RecordRequest, RecordMetadata, RecordWarcinfo, "continuation", "filedesc":
		return r.Type
	}
	return "other_record"
}
