package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestParse_lists: != before a list is the opposite of =, and a hyphen before a number is its sign.
func TestParse_lists(t *testing.T) {
	one, minus := int64(1), int64(-1)
	d := &schemas.Document{
		Language: "fr", Status: 404, Host: "a.example", Authors: []string{"Li"},
		CustomIntegers: map[string][]int64{"delta": {minus}, "up": {one}}, Custom: map[string][]string{"code": {"-5"}},
	}
	for filter, want := range map[string]bool{
		"language != (fr OR de)":                   false,
		"language != (en OR de)":                   true,
		"language != (fr)":                         false,
		"language != (fr AND de)":                  true,
		"language != (NOT fr)":                     true,
		"NOT language != (fr OR de)":               true,
		"status != (404 OR 500)":                   false,
		"host != (a.example OR b.example) OR x":    false,
		"host != (*.example OR b.org)":             false,
		"authors != (Wei OR Li)":                   false,
		"publisher != (a OR b)":                    true,
		"publisher != (*)":                         true,
		"custom_integers.delta = (-1 OR 2)":        true,
		"custom_integers.up = (-1 OR 2)":           false,
		"custom_integers.delta != (-1 OR 2)":       false,
		"custom.code = (-5 OR 2)":                  true,
		"status = (-1 OR 200)":                     false,
		"status > (-1) -language = (en OR de)":     true,
		"language = (-fr OR de)":                   false,
		"quality.mean_word_length < (-.5 OR -1.5)": false,
		"custom_integers.delta = (NOT -1)":         false,
		"(status = (500 OR 404)) -de":              true,
	} {
		e, err := Parse(filter)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		if got := Match(e, d); got != want {
			t.Errorf("%s (%s): %v, want %v", filter, e, got, want)
		}
		again, err := Parse(e.String())
		if diff := cmp.Diff(e, again); diff != "" || err != nil {
			t.Errorf("%s: written as %s: %v\n%s", filter, e, err, diff)
		}
	}
}

func TestParse_errors(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{`langage = fr`, `column 1: unknown field "langage"; did you mean language?`},
		{`http://example.org/a?b=1`, `column 1: a URL needs a field and quotation marks: url = "http://example.org/a?b=1"`},
		{`fr (ftp://a.example OR b)`, `column 5: a URL needs a field and quotation marks: url = "ftp://a.example"`},
		{`https://a.example/ AND bridge`, `column 1: a URL needs a field and quotation marks: url = "https://a.example/"`},
		{`a AND xyzzy = 3`, `column 7: unknown field "xyzzy"; docs/documents.md`},
		{`status = ok`, `column 10: status takes a whole number, not "ok"`},
		{`é status = ok`, `column 12: status takes`},
		{`timestamp > soon`, `column 13: timestamp takes a date: "soon" is not a date`},
		{`published = 2026*`, `column 13: published takes a date, a star goes with texts`},
		{`quality.words = 2.5`, `column 17: quality.words takes a whole number`},
		{`languages.share > NaN`, `column 19: languages.share takes a number`},
		{`damaged = yes`, `column 11: damaged takes true or false, not "yes"`},
		{`damaged > true`, `column 11: damaged is true or false: = and != go with it, not >`},
		{`feed = rss`, `column 8: feed has fields of its own: feed:*`},
		{`custom = 3`, `column 10: custom is a map: custom:KEY`},
		{`custom. = 3`, `column 1: the key of custom is empty`},
		{`title = ""`, `column 9: an empty text: NOT title:*`},
		{`title < a*`, `column 9: a star goes with =, != and :, not with <`},
		{`title > *`, `column 9: a star alone goes with :`},
		{`title = a*b`, `column 9: a star stands at the beginning or the end`},
		{`language = fr and mime:pdf`, `column 15: operators are written in capital letters: AND; "and" searches for the word`},
		{`a or b`, `column 3: operators are written in capital letters: OR`},
		{`AND a`, `column 1: expected a test, not AND`},
		{`a AND`, `column 6: expected a`},
		{`a OR`, `column 5: expected a test`},
		{`NOT`, `column 4: expected a test`},
		{`a AND AND b`, `column 7: expected a test, not AND`},
		{`language = AND`, `column 12: expected a value`},
		{`language =`, `column 11: expected a value`},
		{`language = fr,de`, `column 14: a comma: several values are written (a OR b)`},
		{`language = "fr`, `column 12: this quotation mark is not closed`},
		{`language = fr"x"`, `column 14: a quotation mark within a value`},
		{`= fr`, `column 1: expected a field before =`},
		{`(a OR b`, `column 1: this parenthesis is not closed`},
		{`a) OR b`, `column 2: unexpected )`},
		{`()`, `column 2: unexpected )`},
		{`regex(url)`, `column 1: there are no functions`},
		{`a ! b`, `column 3: expected !=`},
		{`http://example.org/`, `column 1: a URL needs a field`},
		{`...`, `column 1: "..." has neither letters nor digits`},
		{`"a""b"`, `column 4: unexpected '"'`},
		{"a \xff", `column 3: this is not UTF-8`},
		{strings.Repeat("(", 500) + "a" + strings.Repeat(")", 500), `column 401: more than 400 parentheses`},
		{strings.Repeat("NOT ", 150) + "a", `column 1: more than 100 tests inside each other`},
		{strings.Repeat("a ", 2000), `column 2001: more than 1000 tests`},
		{strings.Repeat("a", 100_000), `column 1: the filter has 100000 bytes, more than 65536`},
		{`"` + strings.Repeat("a ", 65) + `"`, `column 1: a phrase has at most 64 words`},
		{`custom.` + strings.Repeat("k", 300) + ` = 1`, `column 1: the key of custom has 300 bytes`},
	} {
		e, err := Parse(c.filter)
		if err == nil {
			t.Errorf("Parse(%.80q) = %s, want the error %s", c.filter, e, c.want)
			continue
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("Parse(%.80q): %v, want %s", c.filter, err, c.want)
		}
		if e != nil {
			t.Errorf("Parse(%.80q) returns %v beside its error", c.filter, e)
		}
	}
}

func TestSyntaxError_mark(t *testing.T) {
	_, err := Parse("é\tlangage = fr")
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatal(err)
	}
	if got, want := syntax.Excerpt("é\tlangage = fr"), "é langage = fr\n  ^"; got != want {
		t.Errorf("Excerpt:\n%s\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`language = "fr" AND (mime:pdf OR title:"budget")`, `NOT (a OR b) -c -"d e"`, `custom."a b" = '3*'`, `text:http://x`,
		`timestamp >= 2026-03 AND timestamp < 2026-03-04T10:00:00Z`, `l'été AND "AND"`, `entities.text != *x*`,
		`title = "a\*\\"`,
		`猫 "学中 x"`, `quality.words > -3 metadata_confidence.title >= 1e-3`, `custom:price feed:*`, `status = (200 OR -404)`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, filter string) {
		e, err := Parse(filter)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(filter) || e != nil {
				t.Fatalf("Parse(%q): %v, %v", filter, e, err)
			}
			syntax.Excerpt(filter)
			return
		}
		if e == nil {
			return
		}
		Compile(e)
		Columns(e)
		SURTs(e)
		printed := e.String()
		if len(printed) > MaxFilter {
			return
		}
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("Parse(%q), printed %q: %v", filter, printed, err)
		}
		if diff := cmp.Diff(e, again); diff != "" {
			t.Fatalf("Parse(%q), printed %q (-before +after):\n%s", filter, printed, diff)
		}
	})
}
