package urlkey

import (
	"bytes"
	"cmp"
	"slices"
)

// appendQuery appends a question mark and the canonical form of query, or nothing if that is empty. If the key has no
// path, a slash comes first.
func appendQuery(b []byte, query string, slash bool) []byte {
	if query == "" {
		return b
	}
	// If nothing is left of the query, b is cut back to this length, without the slash.
	start := len(b)
	if slash {
		b = append(b, '/')
	}
	b = append(b, '?')
	first := len(b)
	if needsEscape(query) {
		b = appendEscaped(b, appendUnescaped(make([]byte, 0, len(query)), query))
	} else {
		b = appendLower(b, query)
	}
	// Sessions are removed before sorting, since some are recognised by their neighbours.
	q := stripQuerySession(b[first:])
	if len(q) == 0 {
		return b[:start]
	}
	sortParams(q)
	return b[:first+len(q)]
}

// sortParams sorts q's parameters in place, by name and then value. One without "=" comes before one with an empty
// value. The order of parameters has no meaning for most servers, and pages use all orders.
func sortParams(q []byte) {
	if bytes.IndexByte(q, '&') < 0 {
		return
	}
	params := bytes.Split(q, []byte("&"))
	// Queries are often sorted already, and then not copied.
	if slices.IsSortedFunc(params, compareParams) {
		return
	}
	slices.SortFunc(params, compareParams)
	copy(q, bytes.Join(params, []byte("&")))
}

// compareParams compares by bytes. Of parameters with one name, the one without a value comes first.
func compareParams(a, b []byte) int {
	aName, aValue, aOK := bytes.Cut(a, []byte("="))
	bName, bValue, bOK := bytes.Cut(b, []byte("="))
	return cmp.Or(bytes.Compare(aName, bName), cmp.Compare(boolInt(aOK), boolInt(bOK)), bytes.Compare(aValue, bValue))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
