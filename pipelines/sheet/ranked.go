package sheet

import (
	"net/http"
	"strconv"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/schemas"
)

// ranked are the tables of what the documents are.
func (v view) ranked() []look.Ranked {
	// The order of this list is the order on the page; hosts stay third, which the end of the function
	// relies on.
	t := v.Totals
	tables := []struct {
		id, title, head string
		counts          map[string]int64
		name            func(key string) look.Row
		note            string
	}{
		// Counts that units of earlier versions lack have a note, so that the rows need not add up to
		// the whole silently.
		{"types", "Media types", "Detected type", t.ByMIME, v.plain, uncounted(t, t.ByMIME)},
		{"languages", "Languages", "Main language", v.languages(), v.language, ""},
		{"hosts", "Hosts", "Host", v.hosts(), v.plain, v.hostNote()},
		{"pagetypes", "Page types", "Type", t.ByPageType, v.pageType, uncounted(t, t.ByPageType)},
		{"status", "HTTP status", "Status", t.ByStatus, v.status, uncounted(t, t.ByStatus)},
	}
	list := make([]look.Ranked, 0, len(tables)+1)
	for _, of := range tables {
		// Shares are of all documents, not of those counted: a table whose count is partial must not
		// look complete.
		r := look.Ranked{
			ID: of.id, Title: of.title, Head: of.head, Noun: "Documents", Whole: t.Documents, Empty: "None.", Note: of.note,
		}
		list = append(list, r.Rank(of.counts, maxRows, of.name))
	}
	// Records are not documents (a request or a warcinfo makes none), and so have their own whole.
	records := look.Ranked{
		ID: "records", Title: "Record types", Head: "Record", Noun: "Records", Whole: t.Records, Empty: "None.", Colour: "c0",
	}
	list = append(list, records.Rank(t.ByType, maxRows, v.plain))
	// Only hosts can be more than the manifest names: it keeps the most frequent, and an estimate of
	// how many there are.
	list[2] = v.moreHosts(list[2])
	return list
}

func (v view) plain(key string) look.Row {
	// schemas.Other gathers the names beyond the bound of a count; it is not a name that an archive had.
	if key == schemas.Other {
		return look.Row{Name: "all other names"}
	}
	return look.Row{Name: v.names.clean(key, maxText)}
}

// languages has the documents without a text, too, so that its shares add up.
func (v view) languages() map[string]int64 {
	// A copy: the manifest is the caller's, and is not to be changed by drawing it.
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
		return look.Row{Name: "without text"}
	}
	name := look.Language(code)
	// Language gives a code that it does not know back as it is. Such a code comes from the data, and
	// is cut like any other text.
	if name == code {
		return v.plain(code)
	}
	return look.Row{Name: name, Sub: code}
}

func (v view) pageType(key string) look.Row {
	// None stands for documents that have no page type, such as images.
	if key == schemas.None {
		return look.Row{Name: "not a page"}
	}
	return v.plain(key)
}

func (v view) status(key string) look.Row {
	if key == schemas.None {
		return look.Row{Name: "none recorded"}
	}
	// A status is what a server sent, and need not be a number or be registered.
	code, err := strconv.Atoi(key)
	if text := http.StatusText(code); err == nil && text != "" {
		return look.Row{Name: key + " " + text}
	}
	return v.plain(key)
}

// Hosts is nil in manifests of versions that did not count hosts: the table is then empty.
func (v view) hosts() map[string]int64 {
	all := map[string]int64{}
	if v.Manifest.Hosts != nil {
		for _, h := range v.Manifest.Hosts.Top {
			all[h.Host] = h.Documents
		}
	}
	return all
}

// moreHosts counts the hosts beyond those that the manifest names.
func (v view) moreHosts(r look.Ranked) look.Ranked {
	if h := v.Manifest.Hosts; h != nil {
		// Distinct is exact for few hosts, and an estimate only for many: it is not below the rows shown.
		r.More = h.Distinct - int64(len(r.Rows))
		r.Beyond = v.Totals.Documents
		for _, row := range r.Rows {
			r.Beyond -= row.Value
		}
	}
	return r
}

func (v view) hostNote() string {
	// Under bounds by how much a count may be too low: hosts are counted by a summary of bounded size,
	// not one by one.
	if h := v.Manifest.Hosts; h != nil && h.Under > 0 {
		return "How many hosts there are is an estimate, within 5%; each named one may have " + look.Count(h.Under) + " more."
	}
	return ""
}
