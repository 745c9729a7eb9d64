// Package datastreamer reads and writes records of Datastreamer's (once Spinn3r's) content stream, [Content]. They are
// JSON objects, one a line, in an array, or in a response with the key "content". The package computes their keys: the
// tokenised resource of a URL, its hashcode, sequence and bucket.
//
//	c := datastreamer.FromDocument(document, schemas.Page{Text: html})
//	line, err := datastreamer.Append(nil, c)
//
// and back:
//
//	c, issues, err := datastreamer.Decode(line)
//	page, quirks := datastreamer.Capture(c, payload.Options{})
//
// [Protostream] reads what Spinn3r wrote before.
//
// Deviations that are tolerated in reading, and reported:
//
//	unknown keys                          left out
//	a value of another type than its field's  left out
//	an enumeration's integer              becomes its name
//	an enumeration's value that is not known   kept
//	a time that is none                   kept; the capture has no time
//	a length or checksum that is not that of the text  kept
//
// Source: Datastreamer's content specification and the fields of its client library's class BaseContent.
// docs/formats/datastreamer.md lists open questions and our decisions.
package datastreamer

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"
)

// Version changes when the same document makes another record.
const Version = "2"

// TimeLayout is how records write times, in UTC.
const TimeLayout = "2006-01-02T15:04:05Z"

// Hashcode returns the hashcode of a tokenised resource: its SHA-1 in Base64 for URLs, 27 characters without padding.
func Hashcode(resource string) string { return Checksum(resource) }

// Checksum is the form of checksums. The specification says "SHA1" alone; it is that of hashcodes.
func Checksum(text string) string {
	sum := sha1.Sum([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// perSecond is the number of sequences in a second.
const perSecond = 1_000_000_000

// Sequence returns the sequence of a record that was found at a time between 1970 and 2262. It has the seconds, and
// nine digits of a hash of id instead of the original's writer and counter. So it depends neither on workers nor on
// order. Two ids of the same second have the same sequence with a probability of 10^-9.
func Sequence(found time.Time, id string) (sequence int64, ok bool) {
	seconds := found.Unix()
	if seconds <= 0 || seconds >= 1<<63/perSecond {
		return 0, false
	}
	sum := sha1.Sum([]byte(id))
	return seconds*perSecond + int64(binary.BigEndian.Uint64(sum[:])%perSecond), true
}

// SequenceTime returns the second of a sequence.
func SequenceTime(sequence int64) time.Time { return time.Unix(sequence/perSecond, 0).UTC() }

// SequenceRange returns a number from 0 to 99,999 for sampling records.
func SequenceRange(sequence int64) int64 { return sequence % 100_000 }

// Bucket returns the partition of a record: the hours since 1970 times 100, and 0 to 99 by the hashcode.
func Bucket(found time.Time, hashcode string) int64 {
	var pair [2]byte
	if sum, err := base64.RawURLEncoding.DecodeString(hashcode); err == nil {
		copy(pair[:], sum)
	}
	return found.Unix()/3600*100 + int64(binary.BigEndian.Uint16(pair[:])%100)
}

// setFound sets when a record was found and the numbers that are made of it. The page is set before: a URL that was
// found twice in a second, with the same page, is one record.
func setFound(c *Content, found time.Time) {
	if found.IsZero() {
		return
	}
	c.DateFound = found.UTC().Format(TimeLayout)
	id := strings.Join([]string{c.Permalink, c.PermalinkRedirect, c.HTMLChecksum, c.HTMLBlobChecksum, c.MainChecksum},
		"\n")
	if n, ok := Sequence(found, id); ok {
		c.Sequence, c.SequenceRange = &n, new(SequenceRange(n))
		c.Bucket = new(Bucket(found, c.Hashcode))
	}
}

// size is the length of a text as records have it.
func size(text string) *int64 { return new(int64(len(text))) }
