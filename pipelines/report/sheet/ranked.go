package sheet

import (
	"net/http"
	"strconv"

	"github.com/gleaner-web/gleaner/pipelines/server/look"
	"github.com/gleaner-web/gleaner/schemas"
)

// ranked are the tables of what the documents are.
func (v view) ranked() []look.Ranked {
	t := v.Totals
	tables := []struct {
		id, title, head string
		counts          map[string]int64
		name            func(key string) look.Row
		note            string
	}{
		{"types", "Media types", "Detected type", t.ByMIME, v.plain, uncounted(t, t.ByMIME)},
		{"languages", "Languages", "Main language", v.languages(), v.language, ""},
		{"hosts", "Hosts", "Host", v.hosts(), v.plain, v.hostNote()},
		{"pagetypes", "Page types", "Type", t.ByPageType, v.pageType, uncounted(t, t.ByPageType)},
		{"status", "HTTP status", "Status", t.ByStatus, v.status, uncounted(t, t.ByStatus)},
	}
	list := make([]look.Ranked, 0, len(tables)+1)
	for _, of := range tables {
		r := look.Ranked{
			ID: of.id, Title: of.title, Head: of.head, Noun: "Documents", Whole: t.Documents, Empty: "None.", Note: of.note,
		}
		list = append(list, r.Rank(of.counts, maxRows, of.name))
	}
	records := look.Ranked{
		ID: "records", Title: "Record types", Head: "Record", Noun: "Records", Whole: t.Records, Empty: "None.", Colour: "c0",
	}
	list = append(list, records.Rank(t.ByType, maxRows, v.plain))
	list[2] = v.moreHosts(list[2])
	return list
}

func (v view) plain(key string) look.Row {
	if key == schemas.Other {
		return look.Row{Name: "all other names"}
	}
	return look.Row{Name: v.names.clean(key, maxText)}
}

// languages has the documents without a text, too, so that its shares add up.
func (v view) languages() map[string]int64 {
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
	if name == code {
		return v.plain(code)
	}
	return look.Row{Name: name, Sub: code}
}

func (v view) pageType(key string) look.Row {
	if key == schemas.None {
		return look.Row{Name: "not a page"}
	}
	return v.plain(key)
}

func (v view) status(key string) look.Row {
	if key == schemas.None {
		return look.Row{Name: "none recorded"}
	}
	code, err := strconv.Atoi(key)
	if text := http.StatusText(code); err == nil && text != "" {
		return look.Row{Name: key + " " + text}
	}
	return v.plain(key)
}

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
		r.More = h.Distinct - int64(len(r.Rows))
		r.Beyond = v.Totals.Documents
		for _, row := range r.Rows {
			r.Beyond -= row.Value
		}
	}
	return r
}

func (v view) hostNote() string {
	if h := v.Manifest.Hosts; h != nil && h.Under > 0 {
		return "How many hosts there are is an estimate, within 5%; each named one may have " + look.Count(h.Under) + " more."
	}
	return ""
}
