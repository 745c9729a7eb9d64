package numfmt

import (
	"math"
	"testing"
)

func TestFormat_Text(t *testing.T) {
	for _, test := range []struct {
		code  string
		value float64
		want  string
	}{
		{"General", 1.5, "1.5"},
		{"", 0.1 + 0.2, "0.3"},
		{"General", 12345678901234567, "1.2345678901234568E+16"},
		{"@", 42, "42"},
		{"0", 2.5, "3"},
		{"0", -0.4, "0"},
		{"0.00", 4.1, "4.10"},
		{"0.00", 1.005, "1.01"},
		{"#.##", 0.5, ".5"},
		{"0.0#", 1.25, "1.25"},
		{"0.0#", 1, "1.0"},
		{"000", 7, "007"},
		{"#,##0", 1234567, "1,234,567"},
		{"#,##0.00", -1234.5, "-1,234.50"},
		{"#,##0_);(#,##0)", -1234, "(1,234)"},
		{"0;-0;\"none\"", 0, "none"},
		{"0%", 0.07, "7%"},
		{"0.00%", 0.12345, "12.35%"},
		{`"$"#,##0.00`, 5, "$5.00"},
		{"[$€-407] #,##0", 1200, "€ 1,200"},
		{`#,##0\ "km"`, 1200, "1,200 km"},
		{"[Red][>100]0", 120, "120"},
		{"0.00E+00", 12345, "1.23E+04"},
		{"yyyy-mm-dd", 44317, "2021-05-01"},
		{"d/m/yy", 1, "1900-01-01"},
		{"d/m/yy", 60, "1900-02-28"},
		{"mmmm", 44317, "2021-05-01"},
		{"dd.mm.yyyy hh:mm", 44317.5, "2021-05-01T12:00:00"},
		{"h:mm AM/PM", 44317.75, "18:00:00"},
		{"mm:ss", 0.0005, "00:00:43"},
		{"[h]:mm", 1.5, "36:00:00"},
		{`"day "0`, 3, "day 3"},
		{"yyyy", -5, "-5"},
		{"yyyy", 1e9, "1000000000"},
		{"0", math.Inf(1), ""},
		{"0", 1e300, "1" + zeroes(300)},
		{"\"open", 3, "open"},
		{"[", 3, ""},
		{"# ?/?", 2.5, "2.5"},
		{`##"."###"."##0`, 1106200, "1.106.200"},
		{`##"."###"."##0`, 52, "52"},
		{`##"."###"."##0`, 0, "0"},
		{"000-00-0000", 12345678, "012-34-5678"},
		{"00\\.00", 123456, "1234.56"},
		{`#\ ##0.00`, 1234.56, "1 234.56"},
		{"# ##0.00", 0.56, "0.56"},
		{`#\ ##0.00\ "kr"`, -99.5, "-99.50 kr"},
		{"#'##0.00", 1234.5, "1'234.50"},
		{`#\ ##0.0%`, 0.125, "12.5%"},
		{"# ##0.##", 1234, "1 234"},
		{"# ##0.##", 1234567.25, "1234 567.25"},
		{"# ###.00", 0.5, ".50"},
		{"?? ??0.0", 1234.5, "1 234.5"},
		{"# ##0.00;(# ##0.00)", -1234.5, "(1 234.50)"},
		{`#,##0,"K"`, 5_000_000, "5,000K"},
		{`0.0,,"M"`, 1_234_567, "1.2M"},
		{`#,##0,,`, 1_500_000, "2"},
		{"0.00,", -12345, "-12.35"},
		{"#,##0,.0", 1_234_567, "1,234.6"},
		{"# ##0,.0", 1_234_567, "1 234.6"},
		{"0,000", 1234, "1,234"},
		{`"a, b "0`, 1234, "a, b 1234"},
		{"h:mm", 0.9999999, "00:00:00"},
		{"h:mm:ss", 3.9999999, "00:00:00"},
		{"[h]:mm", 0.9999999, "24:00:00"},
		{"[h]:mm", 1.9999999, "48:00:00"},
		{"h:mm AM/PM", 0.99999, "23:59:59"},
		{"General", 1.0471975511965976, "1.0471975512"},
		{"General", 1234567890123450, "1234567890123450"},
		{"General", 12345678.123456789, "12345678.1234568"},
		{"General", -0.00000000001, "-1E-11"},
	} {
		got := Parse(test.code).Text(test.value, false)
		if test.value == 1e300 {
			got = got[:1] + zeroes(len(got)-1)
		}
		if got != test.want {
			t.Errorf("Parse(%q).Text(%v) = %q, want %q", test.code, test.value, got, test.want)
		}
	}
	if got := Parse("yyyy-mm-dd").Text(0, true); got != "1904-01-01" {
		t.Errorf("day 0 since 1904 is %q", got)
	}
}

func TestFormat_Text_conditions(t *testing.T) {
	const (
		up    = `[>=1000000]0.0,,"M";[>=1000]0.0,"K";0`
		down  = `[<1000]0;[<1000000]0.0,"K";0.0,,"M"`
		lakhs = `[>=10000000]##\,##\,##\,##0;[>=100000]##\,##\,##0;##,##0`
		phone = `[<=9999999]###-####;(###) ###-####`
	)
	for _, test := range []struct {
		code  string
		value float64
		want  string
	}{
		{up, 500, "500"},
		{up, 2500, "2.5K"},
		{up, 1_234_567, "1.2M"},
		{up, -2500, "-2500"},
		{down, 1_234_567, "1.2M"},
		{down, 12_345, "12.3K"},
		{down, 12, "12"},
		{down, -12, "-12"},
		{lakhs, -1_234_567, "-1,234,567"},
		{lakhs, 1_234_567, "12,34,567"},
		{lakhs, 123_456_789, "12,34,56,789"},
		{phone, 2_125_551_234, "(212) 555-1234"},
		{phone, 5_551_234, "555-1234"},
		{`[=1]0" day";0" days"`, 5, "5 days"},
		{`[=1]0" day";0" days"`, 1, "1 day"},
		{`[=0]"none";[=1]"one";0`, 7, "7"},
		{`[=0]"none";[=1]"one";0`, 0, "none"},
		{`[<>0]0.0;"-"`, 0, "-"},
		{"[<0](0);0", -5, "(5)"},
		{"[Red][<0]0;0", -5, "5"},
		{"[>=0]0;[Red](0)", -5, "(5)"},
		{"[>=0]0;[Red]0", -5, "5"},
		{"[>0]0;[<0]-0;\"zero\"", -5, "-5"},
		{"[>0]0;[<0]-0;\"zero\"", 0, "zero"},
		{`[<=-1000]-0,"K";0`, -5000, "-5K"},
		{`[<=-1000]0,"K";0`, -5000, "-5K"},
		{"[<=-1000]0,;0", 7, "7"},
		{"[>100]0.0", 120, "120.0"},
		{"[>100]0.0", 7, "7"},
		{"[>100]0.0;[<50]0.00", 70, "70"},
		{"[>100]0.0;[<50]0.00", -70, "-70.00"},
		{"[>=x]0.0", 7, "7.0"},
		{"[>=100", 7, ""},
		{`[>100]0.0;0;"text: "@`, -7, "-7"},
	} {
		if got := Parse(test.code).Text(test.value, false); got != test.want {
			t.Errorf("Parse(%q).Text(%v) = %q, want %q", test.code, test.value, got, test.want)
		}
	}
}

// Literal text stands around General and fractions, and sections for text are not for numbers.
func TestFormat_Text_general(t *testing.T) {
	for _, test := range []struct {
		code  string
		value float64
		want  string
	}{
		{`General" kg"`, 2.5, "2.5 kg"},
		{`"Week "General`, 7, "Week 7"},
		{`general\ \m`, -1.5, "-1.5 m"},
		{"General;-General", -2, "-2"},
		{"General;[Red](General)", -2, "(2)"},
		{`# ?/?" in"`, 2.5, "2.5 in"},
		{`# ?/?" in"`, -2.5, "-2.5 in"},
		{"# ?/8", 2.125, "2.125"},
		{`# ??/16" in"`, 2.125, "2.125 in"},
		{"# ??/100", -2.25, "-2.25"},
		{"0;@", -5, "-5"},
		{"0.0;-0.0;@", 0, "0.0"},
		{`"No. "@`, 5, "5"},
		{`0;-0;"none";@`, 0, "none"},
	} {
		if got := Parse(test.code).Text(test.value, false); got != test.want {
			t.Errorf("Parse(%q).Text(%v) = %q, want %q", test.code, test.value, got, test.want)
		}
	}
}

func zeroes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
	}
	return string(b)
}

func TestBuiltin(t *testing.T) {
	for id, want := range map[int]string{
		0: "1.5", 2: "1.50", 9: "150%", 14: "1900-01-01", 22: "1900-01-01T12:00:00",
		20: "12:00:00", 999: "1.5",
	} {
		if got := Parse(Builtin(id)).Text(1.5, false); id != 9 && got != want || id == 9 && got != want {
			t.Errorf("1.5 in format %d is %q, want %q", id, got, want)
		}
	}
}

func TestEdge(t *testing.T) {
	for in, want := range map[string]string{
		`&L&"Arial,Bold"&12Left&CPage &P of &N&R&K01+000Right && more&`: "Left Page   of   Right & more",
		"plain": "plain", "&": "", `&"open`: "", "": "",
	} {
		if got := Edge(in); got != want {
			t.Errorf("Edge(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, code := range []string{"#,##0.00;[Red]-0", "yyyy\\-mm", `[$€-407]0"x`, "0E+", "[h]:mm:ss"} {
		f.Add(code, 44317.5)
	}
	f.Fuzz(func(t *testing.T, code string, v float64) {
		if text := Parse(code).Text(v, v > 0); len(text) > 2*len(code)+1000 {
			t.Errorf("%q makes %d bytes of %v", code, len(text), v)
		}
		Edge(code)
	})
}
