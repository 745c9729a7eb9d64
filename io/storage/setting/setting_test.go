package setting

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"
)

// filled has a field of each kind.
type filled struct {
	text   string
	on     bool
	n      int
	count  int64
	size   int64
	length int
	span   time.Duration
	list   []string
}

func (f *filled) settings() []Setting {
	return []Setting{
		{Name: "text", Value: &f.text, Default: "a"},
		{Name: "on", Value: &f.on, Default: "true"},
		{Name: "n", Value: &f.n, Default: "1"},
		{Name: "count", Value: (*Count)(&f.count), Default: "2"},
		{Name: "size", Value: &f.size, Default: "1KiB"},
		{Name: "length", Value: (*Length)(&f.length), Default: "2KiB"},
		{Name: "span", Value: &f.span, Default: "5m"},
		{Name: "list", Value: &f.list, Default: "x,y"},
	}
}

func setOf(t *testing.T, list []Setting) *flag.FlagSet {
	t.Helper()
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(&strings.Builder{})
	for _, s := range list {
		v, err := s.Flag()
		if err != nil {
			t.Fatal(err)
		}
		set.Var(v, s.Name, s.Help)
	}
	return set
}

func TestSetting_Flag(t *testing.T) {
	var f filled
	set := setOf(t, f.settings())
	if f.text != "a" || !f.on || f.n != 1 || f.count != 2 || f.size != 1024 || f.length != 2048 ||
		f.span != 5*time.Minute || !slices.Equal(f.list, []string{"x", "y"}) {
		t.Errorf("defaults: %+v", f)
	}
	args := []string{
		"--text=b", "--on=false", "--n=3", "--count=9000000000", "--size=2M", "--length=3B", "--span=1h",
		"--list= p, q", "--list=r", "--list=",
	}
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	if f.text != "b" || f.on || f.n != 3 || f.count != 9e9 || f.size != 2<<20 || f.length != 3 ||
		f.span != time.Hour || !slices.Equal(f.list, []string{"p", "q", "r"}) {
		t.Errorf("after Parse: %+v", f)
	}
}

func TestSetting_Flag_mistakes(t *testing.T) {
	for name, values := range map[string][]string{
		"on": {"maybe"}, "n": {"two", "-1", "99999999999999999999"}, "count": {"1.5", "-9000000000"}, "size": {"many", "-1"},
		"length": {"-1"}, "span": {"soon", "-1h"},
	} {
		var f filled
		set := setOf(t, f.settings())
		for _, value := range values {
			if err := set.Set(name, value); err == nil {
				t.Errorf("%s takes %q", name, value)
			}
		}
	}
	if _, err := (Setting{Name: "n", Value: new(int), Default: "two"}).Flag(); err == nil {
		t.Error("a default that is no number is no error")
	}
	defer func() {
		if recover() == nil {
			t.Error("a value of an unknown type does not panic")
		}
	}()
	_, _ = Setting{Name: "f", Value: new(float64)}.Flag()
}

// TestSetting_secretsAreHidden: Beam sends the texts of all flags to job servers.
func TestSetting_secretsAreHidden(t *testing.T) {
	var f filled
	set := setOf(t, f.settings())
	for _, name := range []string{"text", "list"} {
		if err := set.Set(name, "https://user:hunter2@example.org/x"); err != nil {
			t.Fatal(err)
		}
		if shown := set.Lookup(name).Value.String(); strings.Contains(shown, "hunter2") {
			t.Errorf("--%s is shown as %s", name, shown)
		}
	}
	if f.text != "https://user:hunter2@example.org/x" || f.list[0] != f.text {
		t.Errorf("text = %q, list = %q: the values themselves are not hidden", f.text, f.list)
	}
}

func TestSetting_kind(t *testing.T) {
	var f filled
	want := []Kind{Text, Switch, Number, Number, Size, Size, Text, List}
	for i, s := range f.settings() {
		if got := s.Kind(); got != want[i] {
			t.Errorf("kind of %s = %q, want %q", s.Name, got, want[i])
		}
	}
}

func TestUnder(t *testing.T) {
	for _, s := range Under("Output", new(filled).settings()) {
		if s.Group != "Output" {
			t.Errorf("%s is under %q", s.Name, s.Group)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "1024": 1024, "1024B": 1024, "64MiB": 64 << 20, "64M": 64 << 20, "64m": 64 << 20, "64 mib": 64 << 20,
		"1.5GB": 1_500_000_000, "2KB": 2000, "1T": 1 << 40,
	} {
		if got, err := ParseBytes(s); got != want || err != nil {
			t.Errorf("ParseBytes(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "M", "-1", "1X", "1MM", "1MiBs", "nan", "inf", "1e30", "9999999T", "0x10p", "1 2"} {
		if got, err := ParseBytes(s); err == nil {
			t.Errorf("ParseBytes(%q) = %d, want an error", s, got)
		}
	}
}
