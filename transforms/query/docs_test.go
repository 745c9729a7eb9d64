package query

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestDocs: the statements of docs/query.md about its examples are true.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/query.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "<!-- document -->\n```json\n")
	text, _, _ = strings.Cut(text, "```")
	var d schemas.Document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	row, tested := regexp.MustCompile("(?m)^\\| `(.+?)` (,? ?)\\| (.*?) \\|"), map[string]int{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		kind := m[3]
		switch {
		case strings.HasPrefix(m[1], "--"):
			kind = "flag"
			testDocsFlag(t, m[1], m[3])
		case kind == "yes" || kind == "no":
			if got := Match(parsed(t, m[1]), &d); got != (kind == "yes") {
				t.Errorf("%s takes the document: %v, and the page says %s", m[1], got, kind)
			}
		default:
			kind = "other"
			testDocsOther(t, m[1], strings.Trim(m[3], "`"))
		}
		tested[kind]++
	}
	if tested["yes"] < 25 || tested["no"] < 10 || tested["other"] < 9 || tested["flag"] < 8 {
		t.Errorf("only these were found: %v", tested)
	}
}

// testDocsOther tests a filter that equals another one, or an error.
func testDocsOther(t *testing.T, filter, want string) {
	e, err := Parse(filter)
	if err != nil {
		if want != "error" && err.Error() != want {
			t.Errorf("%s: %v; the page says %s", filter, err, want)
		}
		return
	}
	if e.String() != parsed(t, want).String() {
		t.Errorf("%s is %s; the page says %s", filter, e, want)
	}
}

func testDocsFlag(t *testing.T, flags, says string) {
	if strings.Contains(flags, "…") || strings.HasPrefix(flags, "--at") {
		return
	}
	var c Common
	for flag := range strings.SplitSeq(flags, " --") {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		value = strings.Trim(value, "'")
		switch name {
		case "lang":
			c.Lang = value
		case "mime":
			c.MIME = value
		case "from":
			c.From = value
		case "to":
			c.To = value
		case "host":
			c.Host = value
		case "url":
			c.URL = value
		case "text":
			c.Text = value
		case "entity":
			c.Entity = value
		case "source":
			c.Source = value
		case "status":
			c.Status = value
		default:
			t.Errorf("the page has --%s", name)
		}
	}
	want, _, _ := strings.Cut(strings.TrimPrefix(says, "`"), "`")
	q, err := c.Query()
	if err != nil || q.Where.String() != want {
		t.Errorf("%s is %v, %v; the page says %s", flags, q.Where, err, want)
	}
}
