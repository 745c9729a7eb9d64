package sheet

import (
	"net/http"
	"strconv"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/schemas"
)

// ranked returns the tables about documents.
func (v view) ranked() []look.Ranked {
	// The order on the page. The end of this function expects hosts at index 2.
	t := v.Totals
	tables := []struct {
		id, title, head string
		counts          map[string]int64
		name            func(key string) look.Row
		note            string
	}{
		// A note explains counts that units of earlier versions lack.
		{"types", "Media types", "Detected type", t.ByMIME, v.plain, uncounted(t, t.ByMIME)},
		{"languages", "Languages", "Main language", v.languages(), v.language, ""},
		{"hosts", "Hosts", "Host", v.hosts(), v.plain, v.hostNote()},
		{"pagetypes", "Page types", "Type", t.ByPageType, v.pageType, uncounted(t, t.ByPageType)},
		{"status", "HTTP status", "Status", t.ByStatus, v.status, uncounted(t, t.ByStatus)},
	}
	list := make([]look.Ranked, 0, len(tables)+1)
	for _, of := range tables {
		// Shares are of all documents, so that a partial count does not look complete.
		r := look.Ranked{
			ID: of.id, Title: of.title, Head: of.head, Noun: "Documents", Whole: t.Documents, Empty: "None.", Note: of.note,
		}
		list = append(list, r.Rank(of.counts, maxRows, of.name))
	}
	// Records have their own total, since requests and the like make no documents.
	records := look.Ranked{
		ID: "records", Title: "Record types", Head: "Record", Noun: "Records", Whole: t.Records, Empty: "None.", Colour: "c0",
	}
	list = append(list, records.Rank(t.ByType, maxRows, v.plain))
	// The manifest names only the most frequent hosts and estimates their number.
	list[2] = v.moreHosts(list[2])
	return list
}

func (v view) plain(key string) look.Row {
	// schemas.Other stands for all names beyond a limit.
	if key == schemas.Other {
		return look.Row{Name: "all other names"}
	}
	return look.Row{Name: v.names.clean(key, maxText)}
}

// Languages returns how many main languages were determined.
func (v view) Languages() int {
	n := 0
	for code := range v.Totals.ByLang {
		if schemas.IsLanguage(code) {
			n++
		}
	}
	return n
}

// languages includes documents without a language, so that shares add up to 100%.
func (v view) languages() map[string]int64 {
	// A copy keeps the caller's manifest unchanged.
	all := map[string]int64{}
	for code, n := range v.Totals.ByLang {
		all[code] = n
	}
	if n := v.Totals.Documents - sum(all); n > 0 {
		all[schemas.None] = n
	}
	return all
}

func (v view) language(code string) look.Row {
	if code == schemas.None {
		return look.Row{Name: "no language"}
	}
	name := look.Language(code)
	// An unknown code comes from the data.
	if name == code {
		return v.plain(code)
	}
	return look.Row{Name: name, Sub: code}
}

func (v view) pageType(key string) look.Row {
	// None stands for documents without a page type, such as images.
	if key == schemas.None {
		return look.Row{Name: "not HTML"}
	}
	return v.plain(key)
}

func (v view) status(key string) look.Row {
	if key == schemas.None {
		return look.Row{Name: "none recorded"}
	}
	// Servers may send any status.
	code, err := strconv.Atoi(key)
	if text := http.StatusText(code); err == nil && text != "" {
		return look.Row{Name: key + " " + text}
	}
	return v.plain(key)
}

// hosts returns no hosts for manifests of versions that did not count them.
func (v view) hosts() map[string]int64 {
	all := map[string]int64{}
	if v.Manifest.Hosts != nil {
		for _, h := range v.Manifest.Hosts.Top {
			all[h.Host] = h.Documents
		}
	}
	return all
}

// moreHosts counts the hosts that the manifest does not name.
func (v view) moreHosts(r look.Ranked) look.Ranked {
	if h := v.Manifest.Hosts; h != nil {
		// Distinct is exact for few hosts and an estimate for many. It is at least the number of rows.
		r.More = h.Distinct - int64(len(r.Rows))
		r.Beyond = v.Totals.Documents
		for _, row := range r.Rows {
			r.Beyond -= row.Value
		}
	}
	return r
}

func (v view) hostNote() string {
	// Under is the maximum error of a count, because a bounded summary counts hosts.
	if h := v.Manifest.Hosts; h != nil && h.Under > 0 {
		return "How many hosts there are is an estimate, within 5%; each named one may have " + look.Count(h.Under) + " more."
	}
	return ""
}
