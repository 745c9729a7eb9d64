package main

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/jsonl"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Options are what a run was asked for. They travel to the workers as JSON, so all fields are exported.
type Options struct {
	Output      string
	Formats     []string
	Compression string
	Extract     []string
	Select      []enrich.Field
	MaxBody     int64 // bytes
	MaxHead     int   // bytes
	MaxRatio    int64
	Workers     int // captures that a process enriches at once
	Units       int // how many units the plan has
}

// lasting are the options that change the output: they are part of a unit's key and of the manifest.
func (o Options) lasting() map[string]any {
	fields := map[string]any{}
	for _, f := range o.Select {
		fields[f.Name] = f.CSS
	}
	return map[string]any{
		"formats": o.Formats, "compression": o.Compression, "extract": o.Extract, "select": fields,
		"max_body": o.MaxBody, "max_head": o.MaxHead, "max_ratio": o.MaxRatio,
	}
}

func (o Options) enrich() enrich.Options {
	return enrich.Options{Extract: o.Extract, Select: o.Select}
}

func (o Options) capture() capture.Options {
	return capture.Options{MaxBody: o.MaxBody, MaxHead: o.MaxHead, MaxRatio: o.MaxRatio}
}

func (o Options) collection() collection.Options {
	return collection.Options{Formats: o.Formats, Compression: jsonl.Compression(o.Compression)}
}

// parseSelect reads name=css.
func parseSelect(s string) (enrich.Field, error) {
	name, css, ok := strings.Cut(s, "=")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.TrimSpace(css) == "" {
		return enrich.Field{}, fmt.Errorf("%q is not of the form name=css-selector, as in price='span.price'", s)
	}
	return enrich.Field{Name: name, CSS: css}, nil
}
