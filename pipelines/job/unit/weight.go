package unit

import "strings"

// groupBytes limits what the items of a group weigh together.
const groupBytes = 16 << 20

// heavy is the weight of a payload byte if as much may wait with the group.
const heavy = 4

// weigher returns the weight of a payload with a declared media type. It may not depend on results, which other
// goroutines make at any time: then the items of a group would differ from run to run.
type weigher func(declared string, payload int64) int64

// textWeight is the weight if only texts and documents wait. The text of an HTML page is a small part of its payload.
// Other payloads may be nothing but text, or compressed text.
func textWeight(declared string, payload int64) int64 {
	media, _, _ := strings.Cut(declared, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "text/html", "application/xhtml+xml":
		return payload
	}
	return heavy * payload
}
