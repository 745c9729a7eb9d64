package schemas

import (
	"cmp"
	"maps"
	"slices"
)

// Range is a piece of one archive: the records whose member, frame or head starts in [Start, End).
type Range struct {
	File        string `json:"file"`             // as NameOf gives it, or a URL
	Start       int64  `json:"start"`            // bytes from the file's start; of a topic, an offset: see Kind
	End         int64  `json:"end"`              // exclusive
	Format      string `json:"format,omitempty"` // warc+gzip, arc+plain, …; empty for a file that is not an archive
	Fingerprint string `json:"fingerprint,omitempty"`
	// Next is the first start at or after End that reading came to, or the file's size; the next range's Start must
	// be the same. 0 before the range was read.
	Next int64 `json:"next,omitempty"`
	// Group is set when the range is a run of small files. File is the folder above them, Start is 0, and End the sum of
	// their sizes. Format is empty: the format of each file is detected.
	Group *Group `json:"group,omitempty"`
	// Lookup is set when the file is a capture index, and the records that its lines point to are read. Format is empty.
	Lookup *Lookup `json:"lookup,omitempty"`
	// Unreadable says why the file could not be read, or not to the range's end. A plan has it where that was known then.
	// Where only the result of a unit has it, the unit is not done for good: the next run tries again.
	Unreadable string `json:"unreadable,omitempty"`
}

// RangeKind is what a range is of: its Start and End mean something else in each.
type RangeKind int

// The kinds of ranges.
const (
	KindFile  RangeKind = iota // bytes of a file
	KindGroup                  // files of a folder, one after the other
	KindIndex                  // bytes of a capture index, whose lines name the records to read
	KindTopic                  // offsets of messages in a partition of a topic
)

// FormatTopic is the format of ranges of topics.
const FormatTopic = "kafka"

// TopicScheme begins the URL of a topic, kafka://host:9092,host:9092/topic, and that of a partition, which has its
// number after another slash.
const TopicScheme = "kafka://"

// Kind tells the kind of the range.
func (r Range) Kind() RangeKind {
	switch {
	case r.Group != nil:
		return KindGroup
	case r.Lookup != nil:
		return KindIndex
	case r.Format == FormatTopic:
		return KindTopic
	}
	return KindFile
}

// Bytes is how many bytes the range has of its files; 0 for messages, whose sizes nobody knows before they are read.
func (r Range) Bytes() int64 {
	if r.Kind() == KindTopic {
		return 0
	}
	return r.End - r.Start
}

// Messages is how many offsets of a topic the range has.
func (r Range) Messages() int64 {
	if r.Kind() != KindTopic {
		return 0
	}
	return r.End - r.Start
}

// Lookup says which records a range of a capture index stands for.
type Lookup struct {
	Filter string `json:"filter,omitempty"` // of its lines, in the language of cdx.Filter; empty for all
	Base   string `json:"base,omitempty"`   // folder that the names of archives are below; empty for the index's own
}

// Group is the files of a range from First to Last, in the order of a walk that goes through each folder by the names
// of its entries.
type Group struct {
	First string `json:"first"` // path below the range's File, with slashes
	Last  string `json:"last"`  // likewise
	Files int    `json:"files"`
}

// Unit is the piece of input that one worker does: ranges that are read in order.
type Unit struct {
	ID     int     `json:"id"` // 0 to N-1, in input order; N is the unit of joined records, which has no inputs
	Inputs []Range `json:"inputs"`
}

// Bytes is the compressed size of the unit, 0 where that is not known: of messages.
func (u Unit) Bytes() int64 {
	var n int64
	for _, r := range u.Inputs {
		n += r.Bytes()
	}
	return n
}

// Messages is how many offsets of a topic the unit has, 0 for units of files.
func (u Unit) Messages() int64 {
	var n int64
	for _, r := range u.Inputs {
		n += r.Messages()
	}
	return n
}

// Shard is one output file: of a unit, or of a whole collection.
type Shard struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // hexadecimal, of the file's bytes
}

// UnitResult is the result of a finished unit.
type UnitResult struct {
	Unit
	Counts
	Shards []Shard `json:"shards"`
	// Versions are of what made the unit. The manifest has them where they are not those of the run: an earlier version
	// made the unit, and it was kept.
	Versions map[string]string `json:"versions,omitempty"`
	// MadeWith are the options that made the unit. The manifest has them where they are not those of the run: its archives
	// were gone, or not named, and it was kept.
	MadeWith map[string]any `json:"made_with,omitempty"`
	// Segments are joined when all units are done. The rows of units hold them, the manifest does not.
	Segments []Segment `json:"segments,omitempty"`
	// Hosts are those of the unit's documents. The rows of units have them, the manifest has them of all units together.
	Hosts *Hosts `json:"hosts,omitempty"`
}

// Counts are what a unit or a run has seen. Maps are nil when nothing was counted.
type Counts struct {
	Records   int64 `json:"records"` // archive records of any type
	Captures  int64 `json:"captures"`
	Documents int64 `json:"documents"`
	Rejects   int64 `json:"rejects"`
	Feeds     int64 `json:"feeds,omitempty"`   // lines of feeds-*
	Links     int64 `json:"links,omitempty"`   // rows of links-*
	Data      int64 `json:"data,omitempty"`    // rows of data-*
	Written   int64 `json:"written,omitempty"` // captures in archives that were written, once for each format
	BytesRead int64 `json:"bytes_read"`        // compressed
	BytesLost int64 `json:"bytes_lost"`        // of these, in no delivered record
	BodyBytes int64 `json:"body_bytes"`        // decoded
	Damaged   int64 `json:"damaged,omitempty"` // captures with a flag that says so, see Flag.Damages
	Texts     int64 `json:"texts,omitempty"`   // documents that have a text
	// TemplateBlocks are the blocks of pages that were left out of their text as their sites' boilerplate.
	TemplateBlocks int64 `json:"template_blocks,omitempty"`
	// TakenDown are the captures that were left out, or taken out again, since their page was taken down.
	TakenDown int64 `json:"taken_down,omitempty"`

	ByType map[string]int64 `json:"by_type,omitempty"`
	ByMIME map[string]int64 `json:"by_mime,omitempty"`
	ByLang map[string]int64 `json:"by_language,omitempty"`
	// Of documents, by the year of their capture in UTC, HTTP status and page type. Those that lack it are under None, so
	// that each adds up to Documents; where it does not, an earlier version made some units, which did not count it.
	ByYear     map[string]int64 `json:"by_year,omitempty"`
	ByStatus   map[string]int64 `json:"by_status,omitempty"`
	ByPageType map[string]int64 `json:"by_page_type,omitempty"`

	ByReject map[string]int64 `json:"by_reject,omitempty"`
	ByFlag   map[string]int64 `json:"by_flag,omitempty"`
	ByQuirk  map[string]int64 `json:"by_quirk,omitempty"`
	// ByDrop are the captures that lost something when they were written: by format and field, "ache-html.status".
	ByDrop map[string]int64 `json:"by_drop,omitempty"`
	// ByFilter are the captures that were read and, as was asked for, left out: by "where", "sample" and "limit". Nothing
	// was made of them.
	ByFilter map[string]int64 `json:"by_filter,omitempty"`
	// Sinks are the servers that documents are sent to beside the output, by the names of their stages.
	Sinks map[string]Sink `json:"sinks,omitempty"`
}

// The sinks, as they are called in Counts and as the stages of rejects.
const (
	SinkElastic  = "elastic"
	SinkHBase    = "hbase"
	SinkKafka    = "kafka"
	SinkPostgres = "postgres"
)

// Sink counts what a server was to have, and what it has not got. First is the first of these, in the order of units.
type Sink struct {
	Offered  int64            `json:"offered"`
	Refused  int64            `json:"refused,omitempty"`
	ByReason map[string]int64 `json:"by_reason,omitempty"`
	First    *Reject          `json:"first,omitempty"`
}

// Offer counts one document that a sink is to have.
func (c *Counts) Offer(sink string) { c.addSink(sink, Sink{Offered: 1}) }

// Refuse counts one of the offered documents as refused, with the reason r.
func (c *Counts) Refuse(sink, reason string, r Reject) {
	c.addSink(sink, Sink{Refused: 1, ByReason: map[string]int64{reason: 1}, First: &r})
}

func (c *Counts) addSink(name string, o Sink) {
	if c.Sinks == nil {
		c.Sinks = map[string]Sink{}
	}
	s := c.Sinks[name]
	s.Offered += o.Offered
	s.Refused += o.Refused
	addAll(&s.ByReason, o.ByReason)
	s.First = cmp.Or(s.First, o.First)
	c.Sinks[name] = s
}

// Add adds o to c.
func (c *Counts) Add(o Counts) {
	c.Records += o.Records
	c.Captures += o.Captures
	c.Documents += o.Documents
	c.Rejects += o.Rejects
	c.Feeds += o.Feeds
	c.Links += o.Links
	c.Data += o.Data
	c.Written += o.Written
	c.BytesRead += o.BytesRead
	c.BytesLost += o.BytesLost
	c.BodyBytes += o.BodyBytes
	c.Damaged += o.Damaged
	c.Texts += o.Texts
	c.TemplateBlocks += o.TemplateBlocks
	c.TakenDown += o.TakenDown
	addAll(&c.ByType, o.ByType)
	addAll(&c.ByMIME, o.ByMIME)
	addAll(&c.ByLang, o.ByLang)
	addAll(&c.ByYear, o.ByYear)
	addAll(&c.ByStatus, o.ByStatus)
	addAll(&c.ByPageType, o.ByPageType)
	addAll(&c.ByReject, o.ByReject)
	addAll(&c.ByFlag, o.ByFlag)
	addAll(&c.ByQuirk, o.ByQuirk)
	addAll(&c.ByDrop, o.ByDrop)
	addAll(&c.ByFilter, o.ByFilter)
	for name, s := range o.Sinks {
		c.addSink(name, s)
	}
}

// Capture counts a capture that is delivered, with its flags.
func (c *Counts) Capture(delivered *Capture) {
	c.Captures++
	c.BodyBytes += int64(len(delivered.Body))
	if Damaged(delivered.Flags) {
		c.Damaged++
	}
	for _, f := range delivered.Flags {
		Count(&c.ByFlag, string(f), 1)
	}
}

// The quirks that show damage: nothing is lost, but other readers stop there or go astray.
const (
	QuirkUnclosed   = "unclosed_record" // a record without all of what closes one, and another record after it
	QuirkBOM        = "byte_order_mark" // a program for text wrote the file
	QuirkTwoLengths = "two_lengths"     // a head with two different values of Content-Length
	// zeros where the next record should begin, as of sectors that were never written
	QuirkZeros = "zeros_before_record"
	// the ZIP file of archives is damaged: its directory, its headers, or their values for archives
	QuirkContainer = "damaged_container"
)

// HasDamage reports whether the archives are damaged: a record, a capture or not, with a flag that tells of damage,
// bytes that are no record, whether they are counted as lost or not, a quirk that tells of damage, also to the ZIP file
// of a package, or a file that is compressed in several ways or twice, of which most other readers leave some out.
func (c *Counts) HasDamage() bool {
	for _, q := range []string{QuirkUnclosed, QuirkBOM, QuirkTwoLengths, QuirkZeros, QuirkContainer} {
		if c.ByQuirk[q] > 0 {
			return true
		}
	}
	for f := range c.ByFlag {
		if Flag(f).Damages() {
			return true
		}
	}
	for _, k := range []Kind{KindGarbage, KindInflate, KindTruncated, KindMixed} {
		if c.ByReject[string(k)] > 0 {
			return true
		}
	}
	return false
}

func addAll(to *map[string]int64, from map[string]int64) {
	for _, k := range slices.Sorted(maps.Keys(from)) { // in order, for the limit of Count
		Count(to, k, from[k])
	}
}

// Archives may use any number of names, so further names count as Other.
const (
	MaxNames = 1000
	Other    = "(other)"
)

// Count adds n to m[key], or to m[Other] when m holds MaxNames names already. It makes the map when it is nil.
func Count(m *map[string]int64, key string, n int64) {
	if *m == nil {
		*m = map[string]int64{}
	}
	if _, known := (*m)[key]; !known && len(*m) >= MaxNames {
		key = Other
	}
	(*m)[key] += n
}

// Manifest is manifest.json, written last: a folder with a manifest is a finished run. It holds nothing that depends
// on time, machine, runner or number of workers.
type Manifest struct {
	SchemaVersion string            `json:"schema_version"`
	Options       map[string]any    `json:"options"`  // those that change the output
	Versions      map[string]string `json:"versions"` // of each transform that ran
	Units         []UnitResult      `json:"units"`
	// Files are those made of all units together: the index, where it was asked for.
	Files []Shard `json:"files,omitempty"`
	// SiteTemplates are what the documents' text was made with, where that was asked for.
	SiteTemplates *SiteTemplates `json:"site_templates,omitempty"`
	Totals        Counts         `json:"totals"`
	// Hosts are those of all documents, of which Top has the 100 most frequent; nil where no documents were made.
	Hosts *Hosts `json:"hosts,omitempty"`
	// Unread are the files that were not read, or not to their end; nil where all were.
	Unread *Unread `json:"unread,omitempty"`
}

// SiteTemplates says which table of the hosts' boilerplate a run used.
type SiteTemplates struct {
	Hosts  int    `json:"hosts"`  // that have a template
	SHA256 string `json:"sha256"` // hexadecimal, of the table
}
