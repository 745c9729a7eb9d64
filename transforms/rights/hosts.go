package rights

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/robots"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// File is a file about a whole host at one time: robots.txt, ai.txt or tdmrep.json. Its transport form is JSON.
type File struct {
	Host   string          `json:"host"`
	Basis  string          `json:"basis"` // Robots, AIText or TDMRep
	Time   string          `json:"time"`
	Rights []schemas.Right `json:"rights,omitempty"`
}

// bases are the kinds of files, by their paths.
var bases = map[string]string{"/robots.txt": Robots, "/ai.txt": AIText, "/.well-known/tdmrep.json": TDMRep}

// FileOf returns the file that a document is. Status 4xx means that there was none, as does a file without statements.
// A redirect, a server error and a revisit say nothing.
func FileOf(d *schemas.Document) (f File, ok bool) {
	path := Path(d.URL)
	basis := bases[path]
	found := d.Status < 300
	// A URL with a query is not the file's.
	if basis == "" || !strings.HasSuffix(d.URL, path) || d.RecordType == schemas.TypeRevisit || !found &&
		d.Status/100 != 4 {
		return File{}, false
	}
	f = File{Host: urlkey.Host(d.URL), Basis: basis, Time: d.Timestamp}
	if found {
		// Its header may have statements about the file itself.
		f.Rights = slices.DeleteFunc(slices.Clone(d.Rights), func(r schemas.Right) bool { return r.Basis != basis })
	}
	return f, true
}

// Distinct sorts files, and drops those that state the same as the one before. It changes the slice.
func Distinct(files []File) []File {
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Basis, b.Basis), cmp.Compare(a.Time, b.Time),
			slices.CompareFunc(a.Rights, b.Rights, compare))
	})
	return slices.CompactFunc(files, func(a, b File) bool {
		return a.Host == b.Host && a.Basis == b.Basis && slices.Equal(a.Rights, b.Rights)
	})
}

func compare(a, b schemas.Right) int {
	return cmp.Or(cmp.Compare(a.Signal, b.Signal), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Agent, b.Agent),
		cmp.Compare(a.Path, b.Path), cmp.Compare(a.Basis, b.Basis))
}

// Hosts finds the statements of files that concern a page. It is safe for concurrent use.
type Hosts struct{ files map[place][]File }

// place is where a file is: robots.txt of one host, for all schemes and ports.
type place struct{ host, basis string }

// NewHosts returns the Hosts of files in the order of Distinct.
func NewHosts(files []File) *Hosts {
	h := &Hosts{map[place][]File{}}
	for _, f := range files {
		p := place{f.Host, f.Basis}
		h.files[p] = append(h.files[p], f)
	}
	return h
}

// Of returns the statements of the host's files that concern a page. The last file before the capture decides. If there
// is none, it is the first one after the capture. Rules that forbid the page are returned for each crawler that they
// stop.
func (h *Hosts) Of(d *schemas.Document) []schemas.Right {
	path := robots.PathOf(d.URL)
	host := urlkey.Host(d.URL)
	list := crawling(h.at(place{host, Robots}, d.Timestamp), path)
	list = append(list, crawling(h.at(place{host, AIText}, d.Timestamp), path)...)
	return append(list, reserved(h.at(place{host, TDMRep}, d.Timestamp), path)...)
}

// at returns the statements of a file at a time.
func (h *Hosts) at(p place, time string) []schemas.Right {
	list := h.files[p]
	after, _ := slices.BinarySearchFunc(list, time, func(f File, time string) int {
		if f.Time <= time {
			return -1
		}
		return 1
	})
	switch {
	case after > 0:
		return list[after-1].Rights
	case len(list) > 0:
		return list[0].Rights
	}
	return nil
}

// crawling returns the statements of a robots.txt or ai.txt about a path. They are a disallow for each crawler that may
// not fetch it, and the preferences for all crawlers with the longest path.
func crawling(rights []schemas.Right, path string) (list []schemas.Right) {
	rules := map[string]*robots.Rules{}
	var agents []string
	longest := map[string]int{} // by signal
	for _, r := range rights {
		switch r.Signal {
		case Allow, Disallow:
			if rules[r.Agent] == nil {
				rules[r.Agent] = &robots.Rules{}
				agents = append(agents, r.Agent)
			}
			rules[r.Agent].Add(r.Signal == Allow, r.Path)
		default:
			if r.Agent == All && robots.Match(r.Path, path) {
				longest[r.Signal] = max(longest[r.Signal], len(r.Path))
			}
		}
	}
	for _, agent := range agents {
		if !rules[agent].Allowed(path) {
			list = append(list, schemas.Right{Signal: Disallow, Agent: agent, Path: path, Basis: rights[0].Basis})
		}
	}
	// A path that nobody may fetch has no preferences.
	if all := rules[All]; all != nil && !all.Allowed(path) {
		return list
	}
	for _, r := range rights {
		if n, is := longest[r.Signal]; is && r.Agent == All && len(r.Path) == n && robots.Match(r.Path, path) {
			list = append(list, r)
		}
	}
	return list
}

// reserved returns the statements of the first rule of a tdmrep.json that matches a path.
func reserved(rights []schemas.Right, path string) (list []schemas.Right) {
	for _, r := range rights {
		if len(list) > 0 && r.Signal == Policy && r.Path == list[0].Path {
			return append(list, r)
		}
		if len(list) > 0 {
			break
		}
		if r.Signal == Reservation && robots.Match(r.Path, path) {
			list = append(list, r)
		}
	}
	return list
}
