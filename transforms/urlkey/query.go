package urlkey

import (
	"bytes"
	"cmp"
	"slices"
)

// appendQuery appends a question mark and the canonical form of query, or nothing when nothing of it is left, with
// a slash before it when the key has no path.
func appendQuery(b []byte, query string, slash bool) []byte {
	if query == "" {
		return b
	}
	// The place to go back to, slash included, when nothing is left of the query.
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
	// Sessions are removed before the sorting, since some are recognised by what is beside them.
	q := stripQuerySession(b[first:])
	if len(q) == 0 {
		return b[:start]
	}
	sortParams(q)
	return b[:first+len(q)]
}

// sortParams sorts q's parameters in place, by name and then value; one without "=" stands before one with an empty
// value. The order of parameters says nothing to most servers, and pages link with all of them.
func sortParams(q []byte) {
	if bytes.IndexByte(q, '&') < 0 {
		return
	}
	params := bytes.Split(q, []byte("&"))
	// Sorted queries are frequent, and spare the copy.
	if slices.IsSortedFunc(params, compareParams) {
		return
	}
	slices.SortFunc(params, compareParams)
	copy(q, bytes.Join(params, []byte("&")))
}

// All by bytes; of one name, the one without a value comes first.
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
