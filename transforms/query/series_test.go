package query

import (
	"strings"
	"testing"
)

func TestParseSeries(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", " , ", ""},
		{"words", "climate, sea level,tide", "climate|sea level|tide"},
		{"phrase with a comma", `"red, white", blue`, `"red, white"|blue`},
		{"escaped quotation mark", `"a \", b", c`, `"a \", b"|c`},
		{"apostrophe", "l'été, l'hiver", "l'été|l'hiver"},
		{"single quotation marks", "title:'a, b', c", "title:'a, b'|c"},
		{"filters", "language = (fr OR de), mime:pdf AND status = 200", "language = (fr OR de)|mime:pdf AND status = 200"},
		{"repeated", "a, b, a", "a|b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := ParseSeries(c.text)
			var names []string
			for _, s := range list {
				names = append(names, s.Name)
			}
			if got := strings.Join(names, "|"); err != nil || got != c.want {
				t.Errorf("ParseSeries(%q) = %q, %v, want %q", c.text, got, err, c.want)
			}
		})
	}
}

// TestOneSeries: a search is one line, with commas or without.
func TestOneSeries(t *testing.T) {
	for _, filter := range []string{
		"10,000 euro", "a, b", `"red, white" blue,x`, "language = (fr OR de)", `"a, b"`, "l'été,", "-a,b", "(a) OR b,c",
	} {
		want, err := Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		list, err := ParseSeries(OneSeries(filter))
		if err != nil || len(list) != 1 || list[0].Where.String() != want.String() {
			t.Errorf("%s: %v, %v", filter, list, err)
		}
	}
	if got := OneSeries(`"a, b"`); got != `"a, b"` {
		t.Errorf("in parentheses without need: %s", got)
	}
}

func TestParseSeries_errorsHavePositions(t *testing.T) {
	for text, want := range map[string]string{
		"été, language = ":  "column 17: ",
		"a, b, nope = 1":    "column 7: ",
		"a,b,c,d,e,f,g":     "column 13: there are more than 6",
		`a, "never closed,`: "column 4: ",
	} {
		if _, err := ParseSeries(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ParseSeries(%q): %v, want %q", text, err, want)
		}
	}
}
