package convert

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// warcFlags are for the formats that are WARC files or contain them. Parsing the flags sets the values.
type warcFlags struct {
	version  string
	size     int64
	zstd     bool
	revisits bool
}

// Names of the flags.
const (
	flagVersion  = "warc_version"
	flagSize     = "warc_size"
	flagZstd     = "warc_zstd"
	flagRevisits = "warc_revisits"
)

// warcTakes lists the flags that each format takes. WACZ fixes version and compression; ACHE fixes all but the size.
var (
	warcOnly  = []string{flagVersion, flagSize, flagZstd, flagRevisits}
	warcTakes = map[string][]string{"warc": warcOnly, "wacz": {flagSize, flagRevisits}, "ache-warc": {flagSize}}
)

func (w *warcFlags) settings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: flagVersion, Value: &w.version, Default: "1.1", Example: "1.0",
		Help: "of --to=warc: 1.1 or 1.0",
	}, {
		Name: flagSize, Value: &w.size, Default: "0", Example: "1GiB",
		Help: "bytes at which a WARC file ends and the next begins; 0 for --max_file",
	}, {
		Name: flagZstd, Value: &w.zstd, Default: "false", Example: "true",
		Help: "compress the records of --to=warc with zstd, a frame each, in place of gzip",
	}, {
		Name: flagRevisits, Value: &w.revisits, Default: "false", Example: "true",
		Help: "write a payload that the unit has written before as a revisit, which refers to it",
	}})
}

// apply sets the options of the targets that take them. A flag that no target takes is an error, not ignored.
func (w *warcFlags) apply(f *run.Flags, targets []conversion.Target) error {
	if w.version != "1.0" && w.version != "1.1" {
		return cli.Usagef("--%s=%s: there are 1.0 and 1.1", flagVersion, w.version)
	}
	for _, name := range warcOnly {
		takes := func(t conversion.Target) bool { return slices.Contains(warcTakes[t.Format], name) }
		if f.Set(name) && !slices.ContainsFunc(targets, takes) {
			return cli.Usagef("--%s: no format of --to takes it: %s", name, strings.Join(takers(name), ", "))
		}
	}
	// Each target gets only the options that it takes.
	for i := range targets {
		o, takes := &targets[i].Options, warcTakes[targets[i].Format]
		o.WARC10 = w.version == "1.0" && slices.Contains(takes, flagVersion)
		o.Zstd = w.zstd && slices.Contains(takes, flagZstd)
		o.Revisits = w.revisits && slices.Contains(takes, flagRevisits)
		// 0 leaves what --max_file says.
		if w.size > 0 && slices.Contains(takes, flagSize) {
			o.MaxFileBytes = w.size
		}
	}
	return nil
}

// takers returns the sorted formats that take a flag.
func takers(flag string) (formats []string) {
	for format, takes := range warcTakes {
		if slices.Contains(takes, flag) {
			formats = append(formats, format)
		}
	}
	slices.Sort(formats)
	return formats
}
