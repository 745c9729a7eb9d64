package urlkey

import "bytes"

// Lengths of session identifiers.
const (
	pathSessionLen  = 24 // ASP.NET, in a path segment
	querySessionLen = 32 // PHP and Java
)

var (
	aspx    = []byte(".aspx")
	cftoken = []byte("&cftoken=")
	cfid    = []byte("cfid=")
)

// stripPathSession removes the session segments of ASP.NET in place, "/(s(…))/" and "/(…)/": the last one of each
// form, in this order. Parameter path is in lower case.
func stripPathSession(path []byte) []byte {
	if !bytes.Contains(path, aspx) {
		return path
	}
	return stripSegment(stripSegment(path, lettered), bare)
}

// stripSegment removes the last session segment that a page follows: at least one byte, then ".aspx", with no question
// mark before it. Function form returns a session's length, slash included, or 0. All candidates share one search for
// the page from the end, so the time is linear.
func stripSegment(path []byte, form func([]byte) int) []byte {
	page, seen := -1, len(path) // the first page after seen
	for i := bytes.LastIndexByte(path, '/'); i >= 0; i = bytes.LastIndexByte(path[:i], '/') {
		n := form(path[i+1:])
		if n == 0 {
			continue
		}
		end := i + 1 + n
		for seen > end+1 {
			seen--
			if path[seen] == '?' {
				page = -1
			} else if bytes.HasPrefix(path[seen:], aspx) {
				page = seen
			}
		}
		if page >= 0 && path[end] != '?' {
			return append(path[:i+1], path[end:]...)
		}
	}
	return path
}

// lettered returns the length of the session "(a(24 letters or digits)…)/" at the beginning of s, or 0.
func lettered(s []byte) int {
	if len(s) == 0 || s[0] != '(' {
		return 0
	}
	n := 1
	for n+1 < len(s) && isLetter(s[n]) && parenthesised(s[n+1:]) {
		n += 1 + pathSessionLen + 2
	}
	if n == 1 || !bytes.HasPrefix(s[n:], []byte(")/")) {
		return 0
	}
	return n + 2
}

// bare returns the length of the session "(24 letters or digits)/" at the beginning of s, or 0.
func bare(s []byte) int {
	const n = pathSessionLen + 2
	if !parenthesised(s) || len(s) == n || s[n] != '/' {
		return 0
	}
	return n + 1
}

func parenthesised(s []byte) bool {
	return len(s) >= pathSessionLen+2 && s[0] == '(' && s[pathSessionLen+1] == ')' && alnum(s[1:pathSessionLen+1])
}

func alnum(s []byte) bool {
	for _, c := range s {
		if !isLetter(c) && !isDigit(c) {
			return false
		}
	}
	return true
}

// stripQuerySession removes session parameters in place from a query in lower case: the last one of each form, in this
// order. A name is matched by its end: "xsid=…" becomes "x".
func stripQuerySession(q []byte) []byte {
	if !bytes.Contains(q, []byte("id")) {
		return q
	}
	for _, name := range []string{"jsessionid=", "phpsessid=", "sid="} {
		q = stripParam(q, name, identifier)
	}
	return stripColdFusion(stripParam(q, "aspsessionid", aspSession))
}

// stripParam removes the last parameter whose name ends in name and whose value fits. Function value returns the
// length of the value, or -1 for no match; it must reach the end of the parameter.
func stripParam(q []byte, name string, value func([]byte) int) []byte {
	for i := bytes.LastIndex(q, []byte(name)); i >= 0; i = bytes.LastIndex(q[:i], []byte(name)) {
		n := value(q[i+len(name):])
		if n < 0 {
			continue
		}
		if end := i + len(name) + n; end == len(q) || q[end] == '&' {
			return cut(q, i, end)
		}
	}
	return q
}

// cut removes q[i:end] and the ampersand after it.
func cut(q []byte, i, end int) []byte {
	return append(q[:i], q[min(end+1, len(q)):]...)
}

func identifier(s []byte) int {
	if len(s) < querySessionLen || !alnum(s[:querySessionLen]) {
		return -1
	}
	return querySessionLen
}

// aspSession returns the length of the text after ASPSESSIONID: eight letters, an equals sign and 24 letters.
func aspSession(s []byte) int {
	const name, n = 8, 8 + 1 + 24
	if len(s) < n || s[name] != '=' {
		return -1
	}
	for i, c := range s[:n] {
		if i != name && !isLetter(c) {
			return -1
		}
	}
	return n
}

// stripColdFusion removes the last pair cfid=…&cftoken=… with values.
func stripColdFusion(q []byte) []byte {
	for t := bytes.LastIndex(q, cftoken); t > 0; t = bytes.LastIndex(q[:t], cftoken) {
		value := t + len(cftoken)
		if value == len(q) || q[value] == '&' {
			continue
		}
		start := bytes.LastIndexByte(q[:t], '&') + 1
		i := bytes.LastIndex(q[start:max(start, t-1)], cfid)
		if i < 0 {
			continue
		}
		end := len(q)
		if n := bytes.IndexByte(q[value:], '&'); n >= 0 {
			end = value + n
		}
		return cut(q, start+i, end)
	}
	return q
}
