package cli

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Release is the version of Gleaner that this source is or becomes. CHANGELOG.md begins with it.
const Release = "0.9.0"

// version returns the text of --version for bug reports: release, commit, Go, Beam, and the versions of packages that
// decide the output.
func version(c Command) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()} // built without modules
	}
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "%-12s %s\n", name, value) }
	row(c.Name, Release+" of "+info.Main.Path)
	row("commit", commit(info.Settings))
	row("go", fmt.Sprintf("%s %s/%s", info.GoVersion, runtime.GOOS, runtime.GOARCH))
	for _, d := range info.Deps {
		if d.Path == "github.com/apache/beam/sdks/v2" {
			row("beam", d.Version)
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Versions)) {
		parts = append(parts, name+" "+c.Versions[name]+",")
	}
	if len(parts) > 0 {
		list := strings.TrimSuffix(wrapParts(slices.Values(parts), "  "), ",")
		fmt.Fprintf(&b, "\nVersions of what makes the output:\n%s\n", list)
	}
	return b.String()
}

// commit returns the commit of the build, and whether files were modified.
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
