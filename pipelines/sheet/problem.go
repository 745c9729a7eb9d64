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
				") are in no readable record.", Href: "#rejects",
		})
	}
	// Unread is nil if all files were read to the end.
	if m.Unread != nil {
		list = append(list, problem{
			// A later section lists some names.
			Text: look.Plural(m.Unread.Files, "file") + " could not be read completely.",
			Href: "#unread",
		})
	}
	if t.Rejects > 0 {
		list = append(list, problem{
			Text: look.Plural(t.Rejects, "reject") + ".", Href: "#rejects",
		})
	}
	// Sorting makes pages of equal manifests equal.
	for _, name := range slices.Sorted(maps.Keys(t.Sinks)) {
		if s := t.Sinks[name]; s.Refused > 0 {
			list = append(list, problem{
				// The collection has the documents that a server refused.
				Text: name + " refused " + look.Count(s.Refused) + " of " + look.Plural(s.Offered, "document") + ".",
			})
		}
	}
	// Sorted by count and then by name.
	flags := slices.SortedFunc(maps.Keys(t.ByFlag), func(x, y string) int {
		return cmp.Or(cmp.Compare(t.ByFlag[y], t.ByFlag[x]), strings.Compare(x, y))
	})
	for _, f := range flags {
		list = append(list, problem{Text: look.Plural(t.ByFlag[f], "record") + ": " + flagText(f), Flag: f})
	}
	return list
}

// flagText explains a flag; docs/documents.md says more.
func flagText(flag string) string {
	text, known := map[schemas.Flag]string{
		schemas.FlagInflate:    "damaged compressed data; the body ends there.",
		schemas.FlagChecksum:   "checksum mismatch of the compressed data.",
		schemas.FlagUnverified: "unconfirmed bytes in damaged data.",
		schemas.FlagPartial:    "truncated: the archive ends, or the next record begins, before the body ends.",
		schemas.FlagSuperseded: "incomplete; the writer wrote it again.",
		schemas.FlagLength:     "stated length missing or wrong.",
		schemas.FlagType:       "record type missing or damaged.",
		schemas.FlagHead:       "damaged record or HTTP head, recovered.",
		schemas.FlagHeader:     "record head longer than the limit.",
		schemas.FlagSegment:    "some segments are missing.",
		schemas.FlagBody:       "body truncated at the limit.",
		schemas.FlagRatio:      "decoding stopped at the limit of the compression ratio.",
		schemas.FlagChunked:    "declared as chunked, but it is not, or it ends early.",
		schemas.FlagEncoding:   "content coding cannot be decoded.",
		schemas.FlagIncomplete: "incomplete body.",
		schemas.FlagPayload:    "payload digest mismatch.",
		schemas.FlagBlock:      "block digest mismatch.",
		schemas.FlagTimestamp:  "no usable date.",
		schemas.FlagHTTP:       "declared as HTTP, without a readable head.",
		schemas.FlagUnchecked:  "digest cannot be checked.",
	}[schemas.Flag(flag)]
	// Manifests of later versions may have flags that are unknown here.
	if !known {
		return "flagged."
	}
	return text
}
