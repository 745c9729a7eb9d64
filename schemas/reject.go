package schemas

// Kind says in one word why something was rejected or why a stage failed; kinds are counted.
type Kind string

// The kinds of rejects and of documents' errors.
const (
	KindGarbage Kind = "garbage" // bytes of no record, between records
	KindInflate Kind = "inflate" // compressed bytes that do not decode
	// the file goes on in another compression, or is compressed twice; nothing is lost by that
	KindMixed       Kind = "mixed"
	KindTruncated   Kind = "truncated"   // the archive ends inside a record
	KindMissing     Kind = "missing"     // a file that the archive speaks of and that is not there
	KindUnreadable  Kind = "unreadable"  // a file, folder or part of a file that the system does not give
	KindSegment     Kind = "segment"     // a segment that could not be joined with the others of its record
	KindLeftOut     Kind = "left_out"    // a file of a format that was not asked for, or no page; nothing of it is lost
	KindUnsupported Kind = "unsupported" // a format or compression that is not read
	KindPanic       Kind = "panic"       // an extractor broke on this capture
	KindLimit       Kind = "limit"       // a limit stopped it
	KindDecode      Kind = "decode"      // a body that is not what it says it is
	KindRefused     Kind = "refused"     // a capture that the format which is written cannot hold

	KindEncrypted Kind = "encrypted"     // a document that needs a password
	KindNoText    Kind = "no_text_layer" // a document of pages without text: a scan
	KindDamaged   Kind = "damaged"       // a broken document; what could be repaired is there
	KindTimeout   Kind = "timeout"       // reading a document took too long
	KindCrashed   Kind = "crashed"       // reading a document ended the process that did it
)

// Reject is what could not be read or enriched: one line of rejects-*.jsonl. Its bytes are lost to the output, and
// counted as such when Lost says so.
type Reject struct {
	File    string `json:"filename"`      // as NameOf gives it, or a URL
	Offset  int64  `json:"offset"`        // bytes from the file's start
	Length  int64  `json:"length"`        // bytes in the archive, compressed
	Lost    int64  `json:"bytes_lost"`    // how many of them no delivered record holds
	Stage   string `json:"stage"`         // "read" or the name of the transform
	Kind    Kind   `json:"kind"`          //
	Message string `json:"message"`       // what happened, for a person
	URL     string `json:"url,omitempty"` // of the capture, when one was known
	Record  string `json:"record_id,omitempty"`
}
