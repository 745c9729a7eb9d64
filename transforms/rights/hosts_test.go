package rights

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// hosts adds files given as "host time status path", with a body after the line.
func hosts(files ...string) *Hosts {
	var list []File
	for _, f := range files {
		line, body, _ := strings.Cut(f, "\n")
		p := strings.Fields(line)
		status, _ := strconv.Atoi(p[2])
		d := &schemas.Document{URL: "https://" + p[0] + p[3], Timestamp: p[1], Status: status}
		d.Rights, _ = Extract(Input{URL: d.URL, Status: d.Status, Text: []byte(body), Type: "text/plain"})
		if f, ok := FileOf(d); ok {
			list = append(list, f)
		}
	}
	return NewHosts(Distinct(list))
}

// TestHosts_Of: the file of that time decides, by the longest pattern and for each crawler.
func TestHosts_Of(t *testing.T) {
	h := hosts(
		"a.example 2025 200 /robots.txt\nUser-agent: GPTBot\nDisallow: /",
		"a.example 2025-03 200 /robots.txt?x=1\nUser-agent: *\nDisallow: /",
		"a.example 2023 200 /robots.txt\nUser-agent: *\nDisallow: /private/\nAllow: /private/open",
		"a.example 2026-05 503 /robots.txt\nUser-agent: *\nDisallow: /",
		"a.example 2026-06 301 /robots.txt\n",
		"a.example 2027 404 /robots.txt\n",
		"draft.example 2025 200 /robots.txt\nUser-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n",
		"all.example 2025 200 /robots.txt\nUser-agent: *\nDisallow: /\nUser-agent: CCBot\nDisallow:\n",
		"tdm.example 2025 200 /.well-known/tdmrep.json\n"+`[{"location":"/free/","tdm-reservation":0},{"location":"/","tdm-reservation":1,"tdm-policy":"/p"}]`,
		"img.example 2025 200 /ai.txt\nUser-Agent: *\nDisallow: *.jpg\n",
	)
	for _, tt := range []struct{ url, time, want string }{
		{"https://a.example/private/x", "2024", "disallow * /private/x @robots.txt"},
		{"http://a.example/private/open/x", "2024", ""},
		{"https://a.example/x", "2024", ""},
		{"https://a.example/private/x", "2022", "disallow * /private/x @robots.txt"}, // the first one after it
		{"https://a.example/private/x", "2025-02", "disallow GPTBot /private/x @robots.txt"},
		{"https://a.example:443/x?y=1", "2026-12", "disallow GPTBot /x?y=1 @robots.txt"},
		{"https://a.example/x", "2027-02", ""},
		{"https://b.example/x", "2025-02", ""},
		{"https://draft.example/test", "2026", "train-ai=n * @robots.txt"},
		{"https://draft.example/never/test", "2026", "disallow * /never/test @robots.txt"},
		{"https://draft.example/ai-ok/test", "2026", "train-ai=y * /ai-ok/ @robots.txt"},
		{"https://all.example/x", "2026", "disallow * /x @robots.txt"},
		{"https://tdm.example/free/x", "2026", "tdm-reservation=0 /free/ @tdmrep.json"},
		{"https://tdm.example/x", "2026", "tdm-reservation=1 / @tdmrep.json; tdm-policy=https://tdm.example/p / @tdmrep.json"},
		{"https://img.example/a.jpg", "2026", "disallow * /a.jpg @ai.txt"},
		{"https://img.example/a.png", "2026", ""},
	} {
		if got := text(h.Of(&schemas.Document{URL: tt.url, Timestamp: tt.time})); got != tt.want {
			t.Errorf("%s at %s: %s, want %s", tt.url, tt.time, got, tt.want)
		}
	}
}

func TestRespect_Refusal(t *testing.T) {
	right := func(s string) (list []schemas.Right) {
		for part := range strings.FieldsSeq(s) {
			claim, basis, _ := strings.Cut(part, "@")
			claim, agent, _ := strings.Cut(claim, ":")
			signal, value, _ := strings.Cut(claim, "=")
			list = append(list, schemas.Right{Signal: signal, Value: value, Agent: agent, Basis: basis})
		}
		return list
	}
	for _, tt := range []struct{ respect, own, host, mime, want string }{
		{"noai", "noai@meta", "", "text/html", "noai"},
		{"noai", "noimageai@meta", "", "text/html", ""},
		{"noai", "noml@meta", "", "text/html", "noml"},
		{"robots tdm", "disallow:*@robots.txt tdm-reservation=1@tdmrep.json", "", "text/plain", ""}, // the file itself
		{"noai", "noimageai@x-robots-tag", "", "image/png", "noimageai"},
		{"noai", "train-ai=y@header", "train-ai=n@robots.txt", "text/html", "train-ai"},
		{"noai", "ai-train=no@header", "", "text/html", "ai-train"},
		{"noai", "ai-train=yes@header noindex@meta search=no@header", "disallow:*@robots.txt", "text/html", ""},
		{"tdm", "tdm-reservation=1@header", "", "text/html", "tdm-reservation"},
		{"tdm", "tdm-reservation=1@header tdm-reservation=0@meta", "", "text/html", ""},
		{"tdm", "tdm-reservation=0@header", "tdm-reservation=1@tdmrep.json", "text/html", ""},
		{"tdm", "", "tdm-reservation=1@tdmrep.json", "text/html", "tdm-reservation"},
		{"robots", "noai@meta", "disallow:GPTBot@robots.txt", "text/html", "disallow"},
		{"robots:CCBot", "", "disallow:GPTBot@robots.txt", "text/html", ""},
		{"robots:ccbot", "", "disallow:*@robots.txt", "text/html", "disallow"},
		{"robots:CCBot robots:GPTBot", "", "disallow:GPTBot@robots.txt", "text/html", "disallow"},
		{"robots tdm noai", "noindex@meta", "", "text/html", ""},
	} {
		r, err := ParseRespect(strings.Fields(tt.respect))
		if err != nil {
			t.Fatal(err)
		}
		got, refused := r.Refusal(right(tt.own), right(tt.host), tt.mime)
		if got.Signal != tt.want && refused || refused != (tt.want != "") {
			t.Errorf("%+v: %+v, %v", tt, got, refused)
		}
	}
	for _, bad := range []string{"", "all", "robots:Nobody", "tdm:GPTBot", "NOAI"} {
		if _, err := ParseRespect([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
