// Package record walks the records of an archive: heads and blocks. Its members may be damaged, and may hold many
// records or only a part of one. What a head looks like it is recognised by a [Grammar]; WARC and ARC are two.
//
// The walk never gives up. A block with a wrong stated length ends by the evidence around it. Bytes outside records are
// a [Loss], and every byte of the range is in a record or in a loss: see [Reader.Stats]. Which evidence decides where a
// block ends is a table in docs/damage.md.
//
//	r, err := record.NewReader(file, member.Range{End: size, Size: size}, member.Gzip, warc.Grammar{}, record.Options{})
//	for {
//		rec, loss, err := r.Step() // one of the three is not nil; both are valid until the next call
//		switch {
//		case err == io.EOF:
//			return nil
//		case err != nil:
//			return err
//		case loss != nil:
//			log.Print(loss)
//		default:
//			fmt.Println(rec.Offset, len(rec.Block))
//		}
//	}
package record

import (
	"cmp"
	"fmt"

	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// Head is a parsed record head.
type Head struct {
	Length int64    // of the block in bytes, as stated; -1 when it is missing or no number
	Fields []Field  // valid until the next record
	Line   []byte   // the first line: the version of a WARC record, the whole head of an ARC record
	Quirks []string // tolerances that this head needed
	// Damaged tells that bits of the head were wrong, or that it lacks what it must have: what it says was recognised
	// all the same.
	Damaged bool
}

// cleared is an empty head with the memory of h.
func (h *Head) cleared() Head { return Head{Fields: h.Fields[:0], Quirks: h.Quirks[:0]} }

// Field is one named field of a head; both slices are valid until the next record.
type Field struct{ Name, Value []byte }

// Get returns the value of the first field called name, in any case, or nil.
func (h *Head) Get(name string) []byte {
	for i := range h.Fields {
		if equalFold(h.Fields[i].Name, name) {
			return h.Fields[i].Value
		}
	}
	return nil
}

// equalFold compares ASCII, without the allocation that bytes.EqualFold's conversion would cost.
func equalFold(b []byte, s string) bool {
	if string(b) == s || len(b) != len(s) {
		return len(b) == len(s)
	}
	for i, c := range b {
		if lower(c) != lower(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Grammar knows what the heads of one archive format look like.
type Grammar interface {
	// Match reports whether b begins a head. Strict, it is asked for evidence of a record where none need be; lenient,
	// at a place where one is due.
	Match(b []byte, strict bool) bool
	// Index returns the first position in b, at or after from, that begins a line which may begin a head, or -1.
	// Match(b[i:], true) decides.
	Index(b []byte, from int) int
	// Parse parses the head at the start of b into h and returns its size, or 0 if it needs more bytes. If b holds all
	// that there is, whole is true.
	Parse(h *Head, b []byte, whole bool) int
	// Complete reports whether the parsed head h has what every record must have, so that it is not text about records.
	Complete(h *Head) bool
	// Confirms reports whether a digest in the head proves that block is the record's, to its last byte.
	Confirms(h *Head, block []byte) bool
	// Describes reports whether the record is about others or the file, and holds no archived content.
	Describes(h *Head) bool
	// Remains reports whether b holds a line that nothing but a head has.
	Remains(b []byte) bool
	// IsHTTP reports whether block, of a record with the head h, is an HTTP message.
	IsHTTP(h *Head, block []byte) bool
	// Separator returns how many bytes of b, what follows a block, close the record as the format asks; 0 when none do.
	Separator(b []byte) int
}

// Options of a Reader; the zero value takes the defaults.
type Options struct {
	MaxBlock int64 // bytes of a block that are kept; 33 MiB: a 32 MiB body and its HTTP head
	MaxHead  int   // bytes of a record's head; 1 MiB
	// HeadsOnly skips the blocks of an uncompressed range without reading them, if that is safe and saves reading 8 KiB
	// or more. Block then has at least their first 8 KiB, for the HTTP head.
	HeadsOnly bool
	// Others are the grammars of other formats in which a file may go on: archives are joined without care. Reading
	// changes to one where its head stands and none of the format that is being read; see [Reader.Grammar].
	Others []Grammar
	// Doubtful reports whether an earlier reading found a wrong checksum of the member that starts at a byte of the
	// file. Its records then have the flag unverified. May be nil.
	Doubtful func(member int64) bool
	// OnDoubt is called for each member that turned out to be damaged after records of it had been delivered. It does
	// not decode, or its checksum is wrong. OnDoubt may be nil.
	OnDoubt func(member int64)
	// OnQuirk is called for anomalies between records, once for each kind and gap or member; may be nil.
	OnQuirk func(name string)
	// Marks gets places in long gzip members, from which reading can resume later: see [Resume]. May be nil.
	Marks Marks
}

// Marks collects points of members, and the records after them.
type Marks interface {
	member.Marks
	// Record gets the place of a record: after at decoded bytes of a member, as the ordinal-th there.
	Record(member, at int64, ordinal int)
}

// preview is how much of a block is kept that is skipped.
const preview = 8 << 10

func (o Options) withDefaults() Options {
	o.MaxBlock = cmp.Or(o.MaxBlock, 33<<20)
	o.MaxHead = cmp.Or(o.MaxHead, 1<<20)
	if o.Doubtful == nil {
		o.Doubtful = func(int64) bool { return false }
	}
	if o.OnDoubt == nil {
		o.OnDoubt = func(int64) {}
	}
	if o.OnQuirk == nil {
		o.OnQuirk = func(string) {}
	}
	return o
}

// Loss is a stretch of the archive that no record holds.
type Loss struct {
	From, To int64 // bytes from the file's start
	Bytes    int64 // how many of them are lost; 0 when the member they are in holds records too
	Kind     schemas.Kind
	Why      string
}

// String says where and why.
func (l Loss) String() string {
	return fmt.Sprintf("bytes %d to %d: %s: %s", l.From, l.To, l.Kind, l.Why)
}

// Stats accounts for the range's bytes: Delivered + Structure + Lost = the range's length, once Next returned io.EOF.
type Stats struct {
	Records   int64
	Delivered int64 // in records
	Structure int64 // padding, skippable frames, empty members
	Lost      int64
}
