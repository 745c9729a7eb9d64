// Sbom prints a CycloneDX 1.6 bill of materials of a Go program: the modules and hashes that the Go command has noted
// in the program.
//
//	go run ./.tools/sbom dist/gleaner-linux-amd64 > dist/gleaner-linux-amd64.cdx.json
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

type component struct {
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom program")
		os.Exit(2)
	}
	info, err := buildinfo.ReadFile(os.Args[1])
	if err == nil {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		err = e.Encode(billOf(info))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// billOf lists the modules and the Go release, since the standard library is part of the program.
func billOf(info *debug.BuildInfo) bill {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	// Go derives a checkout's version from tags and commit; releases have the number in CHANGELOG.md.
	info.Main.Version = "v" + cli.Release
	b.Metadata.Component = library(&info.Main)
	b.Metadata.Component.Type = "application"
	b.Components = append(b.Components, component{
		Type: "library", Name: "stdlib", Version: info.GoVersion,
		PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	})
	for _, d := range info.Deps {
		if d.Replace != nil {
			if strings.HasPrefix(d.Replace.Path, ".") {
				continue // a folder of the project, and so part of the main module
			}
			d = d.Replace
		}
		b.Components = append(b.Components, library(d))
	}
	return b
}

func library(m *debug.Module) component {
	version := cmp.Or(m.Version, "(devel)")
	c := component{Type: "library", Name: m.Path, Version: version, PURL: "pkg:golang/" + m.Path + "@" + version}
	if m.Sum != "" {
		// It is a hash over the module's files and names, not of one file, so it is not a hash in CycloneDX's sense.
		c.Properties = []property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}
