package cli

import (
	"regexp"
	"strings"
	"testing"
)

// TestVersion_parts: a line never ends between a name and its number.
func TestVersion_parts(t *testing.T) {
	versions := map[string]string{}
	for _, name := range strings.Fields("capture charset doctext entity langid maintext mimetype pageimage sanitize") {
		for i := range len(name) {
			versions[name[i:]] = "12.6"
		}
	}
	_, list, _ := strings.Cut(version(Command{Name: "ingest", Versions: versions}), "output:\n")
	lines := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
	whole := regexp.MustCompile(`^  (\w+ 12\.6, )*\w+ 12\.6,?$`)
	for _, line := range lines {
		if !whole.MatchString(line) || len(line) > helpWidth {
			t.Errorf("%q", line)
		}
	}
	if len(lines) < 5 || strings.HasSuffix(list, ",\n") {
		t.Errorf("%d lines, which end with %q", len(lines), lines[len(lines)-1])
	}
}
