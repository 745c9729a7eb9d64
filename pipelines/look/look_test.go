package look

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestStyle_isSmall(t *testing.T) {
	s := string(Style())
	t.Logf("%d bytes", len(s))
	if len(s) > 14_000 {
		t.Errorf("the style sheet has %d bytes, want 14,000 at most", len(s))
	}
	if strings.Contains(s, "/*") || strings.Contains(s, "\n") {
		t.Error("the style sheet has comments or lines")
	}
	if strings.Count(s, "{") != strings.Count(s, "}") {
		t.Error("braces do not match")
	}
}

// TestStyle_contrast checks WCAG 2 for the colour pairs of pages: 4.5 for text, 3 for shapes, in both schemes.
func TestStyle_contrast(t *testing.T) {
	colours := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+):light-dark\((#\w+),(#\w+)\)`).FindAllStringSubmatch(string(Style()), -1) {
		colours[m[1]] = [2]string{m[2], m[3]}
	}
	pairs := []struct {
		least  float64
		front  string
		behind string
	}{
		{4.5, "ink", "bg surface sunk mark add del soft"},
		{4.5, "muted", "bg surface sunk soft"},
		{4.5, "accent", "bg surface sunk mark"},
		{4.5, "on-accent", "accent"},
		{4.5, "good", "bg sunk"},
		{4.5, "warn", "bg sunk"},
		{4.5, "bad", "bg surface sunk"},
		{3, "edge", "bg surface"},
		{3, "c1", "bg sunk"},
		{3, "c2", "bg sunk"},
		{3, "c3", "bg"},
		{3, "c4", "bg"},
		{3, "c0", "bg sunk"},
	}
	for _, p := range pairs {
		for _, behind := range strings.Fields(p.behind) {
			for scheme, name := range []string{"light", "dark"} {
				if len(colours[p.front][scheme]) == 0 || len(colours[behind][scheme]) == 0 {
					t.Fatalf("no colour %s or %s", p.front, behind)
				}
				if got := contrast(t, colours[p.front][scheme], colours[behind][scheme]); got < p.least {
					t.Errorf("%s on %s, %s: %.2f, want %.1f", p.front, behind, name, got, p.least)
				}
			}
		}
	}
}

// contrast returns the contrast ratio of WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	part := func(shift int) float64 {
		v := float64(n>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return .2126*part(16) + .7152*part(8) + .0722*part(0)
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"share", Share(1, 8), "12.5%"},
		{"share of nothing", Share(0, 0), "–"},
		{"tiny share", Share(1, 1_000_000), "<0.1%"},
		{"nearly all", Share(999_999, 1_000_000), ">99.9%"},
		{"all", Share(5, 5), "100.0%"},
		{"milliseconds", Seconds(.2734), "273 ms"},
		{"seconds", Seconds(4.62), "4.6 s"},
		{"hours", Seconds(5000), "1.4 h"},
		{"days", Seconds(200_000), "2.3 d"},
		{"not a number", Seconds(schemas.Float(math.NaN())), "–"},
		{"one", Plural(1, "address"), "1 address"},
		{"soft", string(Soft("application/atom+xml")), "application/<wbr>atom+<wbr>xml"},
		{"soft, escaped", string(Soft("<a>.<b>./")), "&lt;a&gt;.<wbr>&lt;b&gt;.<wbr>/"},
		{"soft, nothing", string(Soft("")), ""},
		{"addresses", Plural(1234, "address"), "1,234 addresses"},
		{"entities", Plural(0, "entity"), "0 entities"},
		{"days", Plural(2, "day"), "2 days"},
		{"no date", string(Minute(time.Time{})), "no date"},
		{
			"minute", string(Minute(time.Date(2024, 12, 23, 16, 1, 0, 0, time.FixedZone("", 3600)))),
			`<time datetime="2024-12-23T15:01:00Z">2024-12-23` + "\u00a0" + `15:01</time>`,
		},
		{"unknown language", Language("qqq"), "qqq"},
		{"width of one of a million", Width(1, 1_000_000), "0.50%"},
		{"address", Address("https://a.example/%D7%A9%D7%9C?q=1"), "a.example/של?q=1"},
		{"an address that would look like another", Address("https://a.example/%2Fb"), "a.example/%2Fb"},
		{"hidden marks of direction", Address("http://a.example/%E2%80%AEx"), "a.example/%E2%80%AEx"},
		{"a broken code", Address("http://a.example/%zz"), "a.example/%zz"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%q, want %q", c.got, c.want)
			}
		})
	}
}

func TestYears(t *testing.T) {
	none := func(int, int) string { return "" }
	bars, apart := Years(map[string]int64{"2001": 2, "2003": 1, schemas.None: 4, schemas.Other: 1}, "no date", none)
	if len(bars) != 3 || bars[1].Value != 0 || apart == nil || apart.Value != 5 {
		t.Errorf("Years = %+v, %+v; want three years, one without any, and 5 apart", bars, apart)
	}
	bars, _ = Years(map[string]int64{"0001": 2, "9999": 1}, "", none)
	if len(bars) != 61 || bars[0].Value != 2 || bars[60].Label != "9999" {
		t.Errorf("%d columns for the years 1 and 9999", len(bars))
	}
	if bars, apart = Years(nil, "", none); bars != nil || apart != nil {
		t.Errorf("Years of nothing = %v, %v", bars, apart)
	}
}

// TestColumns_labels: labels do not overlap on a narrow screen, and the separate column keeps its label.
func TestColumns_labels(t *testing.T) {
	var few Columns
	for _, year := range []string{"2024", "2025", "2026"} {
		few.Bars = append(few.Bars, Bar{Label: year, Axis: year, Value: 1})
	}
	apart := Columns{Apart: &Bar{Label: "no date", Axis: "no date", Value: 1}}
	for year := 1996; year < 2027; year++ {
		label := strconv.Itoa(year)
		apart.Bars = append(apart.Bars, Bar{Label: label, Axis: label, Value: 1})
	}
	for _, c := range []struct {
		columns     Columns
		first, last string
		most        int
	}{{few, "2024", "2026", 2}, {apart, "1996", "no date", 8}} {
		var labels []string
		for _, d := range c.columns.Draw() {
			if d.Axis != "" && !d.Wide {
				labels = append(labels, d.Axis)
			}
		}
		n := len(labels)
		if n < 2 || n > c.most || labels[0] != c.first || labels[n-1] != c.last {
			t.Errorf("labels %q, want %d at most, from %s to %s", labels, c.most, c.first, c.last)
		}
	}
}

// TestColumns_wide: a wide screen has labels of more columns. None stands off its column or overlaps another.
func TestColumns_wide(t *testing.T) {
	for _, n := range []int{1, 3, 16, 28, 31, 60, 400} {
		c := Columns{Apart: &Bar{Label: "no date", Axis: "no date", Value: 1}}
		for i := range n {
			label := strconv.Itoa(1996 + i)
			c.Bars = append(c.Bars, Bar{Label: label, Axis: label, Value: 1, Wide: i%max(1, n/6) != 0})
		}
		narrow, wide, end, step := 0, 0, -1., c.step()
		for i, d := range c.Draw() {
			if d.Axis == "" {
				continue
			}
			if !d.Wide {
				narrow++
			}
			wide++
			from, to := d.span(i, step, wideWidth)
			if from < end || to > 101 && n > 1 {
				t.Errorf("%d columns: %s from %.1f to %.1f, after %.1f", n, d.Axis, from, to, end)
			}
			if left, right := (float64(i)+.125)*step, (float64(i)+.875)*step; to < left || from > right {
				t.Errorf("%d columns: %s at %.1f to %.1f, its column at %.1f to %.1f", n, d.Axis, from, to, left, right)
			}
			end = to
		}
		if narrow > 8 || wide < min(n, 7) {
			t.Errorf("%d columns: %d labels on a narrow screen, %d on a wide one", n, narrow, wide)
		}
	}
}

func TestColumns_sentence(t *testing.T) {
	c := Columns{Title: "Captures by year", Noun: "capture"}
	if got, want := c.Sentence(), "Captures by year: none."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.Bars = []Bar{{Label: "2001", Value: 1}, {Label: "2002", Value: 5}}
	want := "Captures by year, 2001 to 2002. Most in 2002: 5 captures. The same figures are in the table below the chart."
	if got := c.Sentence(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRank_addsUp(t *testing.T) {
	counts := map[string]int64{"a": 5, "b": 4, "c": 3, "d": 2}
	r := Ranked{}.Rank(counts, 2, func(k string) Row { return Row{Name: k} })
	if len(r.Rows) != 2 || r.More != 2 || r.Beyond != 5 {
		t.Errorf("two of four: %+v", r)
	}
	r = Ranked{}.Rank(counts, 3, func(k string) Row { return Row{Name: k} })
	if len(r.Rows) != 4 || r.More != 0 {
		t.Errorf("three of four, of which the fourth takes the line that would say so: %+v", r)
	}
}

func TestNoun(t *testing.T) {
	for _, n := range []any{1, int64(1)} {
		if got := Noun(n, "unit"); got != "unit" {
			t.Errorf("Noun(%v) = %q", n, got)
		}
	}
	for _, n := range []any{0, int64(0), 2, int64(11)} {
		if got := Noun(n, "entity"); got != "entities" {
			t.Errorf("Noun(%v) = %q", n, got)
		}
	}
}
