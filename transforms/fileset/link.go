package fileset

import "strings"

type Link struct {
	URL, Rel, Type string
}

// Links reads Link header fields, at most 1,000 links.
//
// Source: RFC 8288, section 3; rel and type are the parameters that signposting.org uses.
func Links(fields []string) (found []Link) {
	for _, f := range fields {
		for len(found) < 1000 {
			_, rest, ok := strings.Cut(f, "<")
			if !ok {
				break
			}
			var l Link
			if l.URL, f, ok = strings.Cut(rest, ">"); !ok {
				break
			}
			// Parameters reach to the next link, which begins after a comma.
			params := f
			if i := strings.Index(f, "<"); i >= 0 {
				params = f[:i]
			}
			for _, p := range strings.Split(params, ";") {
				name, value, _ := strings.Cut(p, "=")
				value = strings.Trim(value, " \t,\"")
				switch strings.ToLower(strings.TrimSpace(name)) {
				case "rel":
					l.Rel = strings.ToLower(value)
				case "type":
					l.Type = value
				}
			}
			found = append(found, l)
		}
	}
	return found
}

// IsDataset reports whether the Link fields of a page declare a dataset, as in signposting.org.
func IsDataset(fields []string) bool {
	for _, l := range Links(fields) {
		if l.Rel == "type" && strings.HasSuffix(l.URL, "schema.org/Dataset") {
			return true
		}
	}
	return false
}
