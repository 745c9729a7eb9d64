package rights

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// FuzzExtract: any capture has bounded statements in valid UTF-8, each once and with a signal and a basis.
func FuzzExtract(f *testing.F) {
	f.Add("/robots.txt", "User-agent: *\nContent-Usage: /a train-ai=n\nDisallow: /", "noindex, googlebot: max-snippet:3",
		"train-ai=n")
	f.Add("/.well-known/tdmrep.json", `[{"location":"/","tdm-reservation":1,"tdm-policy":"p"}]`,
		"unavailable_after: Mon, x", "a=1")
	f.Add("/p", `<meta name=robots content="noai,noindex"><meta name=tdm-reservation content=1>`, "none", "x;y=z")
	f.Fuzz(func(t *testing.T, path, body, tag, usage string) {
		in := Input{
			URL: "https://a.example" + path, Status: 200, Type: "image/jpeg", Text: []byte(body), Body: []byte(body),
			Header: []schemas.Field{
				{Name: "X-Robots-Tag", Value: tag},
				{Name: "Content-Usage", Value: usage},
				{Name: "tdm-policy", Value: tag},
			},
		}
		if strings.Contains(body, "<") {
			in.Page = page.Parse(in.Text, page.Options{URL: in.URL})
		}
		list, _ := Extract(in)
		seen := map[schemas.Right]bool{}
		for _, r := range list {
			if r.Signal == "" || r.Basis == "" || seen[r] || len(list) > maxRights {
				t.Fatalf("%+v", list)
			}
			for _, s := range []string{r.Signal, r.Value, r.Agent, r.Path} {
				if !utf8.ValidString(s) || len(s) > 3*maxValue {
					t.Fatalf("%q", s)
				}
			}
			seen[r] = true
		}
	})
}
