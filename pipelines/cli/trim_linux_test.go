package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
)

// filePages returns the KiB of files that are in this process's memory (RssFile of proc_pid_status(5)).
func filePages(t *testing.T) (size int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, after, _ := strings.Cut(string(status), "RssFile:")
	if _, err := fmt.Sscan(after, &size); err != nil {
		t.Fatal(err)
	}
	return size
}

// TestTrim_givesBackWhatIsNotUsed: most pages of the program go, and what it knows and what it changed stays.
func TestTrim_givesBackWhatIsNotUsed(t *testing.T) {
	changed := *changing
	before := filePages(t)
	trim()
	after := filePages(t)
	if after > before*3/4 {
		t.Errorf("%d KiB of files in memory, before %d", after, before)
	}
	if *changing != changed || !unicode.In('中', unicode.Han) || !strings.HasPrefix(fmt.Sprint(t), "&{") {
		t.Error("data changed")
	}
}

// changing is data of the program that was changed after its start.
var changing = func() *[4]int { theNumbers[2] = 7; return &theNumbers }()

var theNumbers = [4]int{1, 2, 3, 4}

func TestParseMapping(t *testing.T) {
	for line, want := range map[string]mapping{
		"00400000-03400000 r-xp 00001000 fe:00 131 /usr/bin/gleaner": {0x400000, 0x3400000, "r-xp", "fe:00 131"},
		"7f00-8f00 r--p 00000000 08:02 7  /a b (deleted)":            {0x7f00, 0x8f00, "r--p", "08:02 7"},
		"c000000000-c000400000 rw-p 00000000 00:00 0 ":               {0xc000000000, 0xc000400000, "rw-p", "00:00 0"},
		"Anonymous:             0 kB":                                {},
		"VmFlags: rd ex mr mw me sd":                                 {},
		"":                                                           {},
	} {
		if got, ok := parseMapping([]byte(line)); ok != (want != mapping{}) || ok && got != want {
			t.Errorf("%q: %v %v, want %v", line, got, ok, want)
		}
	}
}

func BenchmarkTrim(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		trim()
	}
}
