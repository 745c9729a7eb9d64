package sheet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/schemas"
)

// problem is a sentence about a problem, and a link to details.
type problem struct {
	Text string
	Flag string // as in documents
	Href string
}

// problems lists the problems, with losses first.
func problems(m schemas.Manifest) (list []problem) {
	t := m.Totals
	if t.BytesLost > 0 {
		list = append(list, problem{
			Text: look.Bytes(t.BytesLost) + " of " + look.Bytes(t.BytesRead) + " (" + look.Share(t.BytesLost, t.BytesRead) +
				") are in no record that could be read.", Href: "#rejects",
		})
	}
	// Unread is nil if all files were read to the end.
	if m.Unread != nil {
		list = append(list, problem{
			// A later section lists some names.
			Text: look.Plural(m.Unread.Files, "file") + " could not be read, or not to the end.",
			Href: "#unread",
		})
	}
	if t.Rejects > 0 {
		list = append(list, problem{
			Text: look.Plural(t.Rejects, "place") + " could not be read or understood.", Href: "#rejects",
		})
	}
	// Sorting makes pages of equal manifests equal.
	for _, name := range slices.Sorted(maps.Keys(t.Sinks)) {
		if s := t.Sinks[name]; s.Refused > 0 {
			list = append(list, problem{
				// The collection has the documents that a server refused.
				Text: name + " did not take " + look.Count(s.Refused) + " of " + look.Plural(s.Offered, "document") + ".",
			})
		}
	}
	// Sorted by count and then by name.
	flags := slices.SortedFunc(maps.Keys(t.ByFlag), func(x, y string) int {
		return cmp.Or(cmp.Compare(t.ByFlag[y], t.ByFlag[x]), strings.Compare(x, y))
	})
	for _, f := range flags {
		list = append(list, problem{Text: look.Plural(t.ByFlag[f], "capture") + ": " + flagText(f), Flag: f})
	}
	return list
}

// flagText explains a flag; docs/documents.md says more.
func flagText(flag string) string {
	text, known := map[schemas.Flag]string{
		schemas.FlagInflate:    "compressed data is damaged, and the body ends there.",
		schemas.FlagChecksum:   "the checksum of the compressed data does not match.",
		schemas.FlagUnverified: "nothing vouches for the bytes, which are in damaged data.",
		schemas.FlagPartial:    "the archive ends, or the next record begins, before the body does.",
		schemas.FlagSuperseded: "cut off while it was written, and written again.",
		schemas.FlagLength:     "the stated length is missing or wrong.",
		schemas.FlagType:       "the record's type is missing or broken.",
		schemas.FlagHead:       "the head of the record, or its HTTP head, is damaged, but could be read.",
		schemas.FlagHeader:     "the record's head is longer than the limit.",
		schemas.FlagSegment:    "some segments of the record are not there.",
		schemas.FlagBody:       "the body is longer than the limit, and cut.",
		schemas.FlagRatio:      "decoding stopped, as the body grew beyond the limit.",
		schemas.FlagChunked:    "declared to be chunked, and is not, or ends early.",
		schemas.FlagEncoding:   "the body is not in the coding that is declared.",
		schemas.FlagIncomplete: "the body could not be read to its end.",
		schemas.FlagPayload:    "the body does not match the digest that its archive states.",
		schemas.FlagBlock:      "the record does not match the digest that its archive states.",
		schemas.FlagTimestamp:  "no usable date.",
		schemas.FlagHTTP:       "declared to be HTTP, and without a readable head.",
		schemas.FlagUnchecked:  "the digest could not be checked.",
	}[schemas.Flag(flag)]
	// Manifests of later versions may have flags that are unknown here.
	if !known {
		return "flagged."
	}
	return text
}
