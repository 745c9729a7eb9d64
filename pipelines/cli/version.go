package cli

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// version is what --version prints: the command with its module's version, the commit that it was built from, what it
// was built with, and the versions of what decides on its output.
// Bug reports begin with it.
func version(c Command) string {
	// The build notes all this in the program itself.
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()} // built without modules
	}
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "%-12s %s\n", name, value) }
	row(c.Name, moduleVersion(info.Main.Version)+" of "+info.Main.Path)
	row("commit", commit(info.Settings))
	row("go", fmt.Sprintf("%s %s/%s", info.GoVersion, runtime.GOOS, runtime.GOARCH))
	for _, d := range info.Deps {
		if d.Path == "github.com/apache/beam/sdks/v2" {
			row("beam", d.Version)
		}
	}
	// Sorted, so that two outputs can be compared line by line.
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Versions)) {
		parts = append(parts, name+" "+c.Versions[name])
	}
	if len(parts) > 0 {
		fmt.Fprintf(&b, "\nVersions of what makes the output:\n%s\n", wrap(strings.Join(parts, ", "), "  "))
	}
	return b.String()
}

// moduleVersion is what a build from sources has in place of a version.
func moduleVersion(v string) string {
	if v == "" {
		return "(devel)"
	}
	return v
}

// commit says which commit was built, and whether files had been changed since.
func commit(settings []debug.BuildSetting) string {
	said := map[string]string{}
	for _, s := range settings {
		said[s.Key] = s.Value
	}
	if said["vcs.revision"] == "" {
		return "not known: go build notes it in a clone with git, go run does not"
	}
	text := said["vcs.revision"] + " of " + said["vcs.time"]
	if said["vcs.modified"] == "true" {
		text += ", modified"
	}
	return text
}
