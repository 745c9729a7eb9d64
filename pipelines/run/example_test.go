package run_test

import (
	"flag"
	"fmt"

	"github.com/gleaner-web/gleaner/pipelines/run"
)

func ExampleFlags() {
	f := run.NewFlags(flag.NewFlagSet("gather", flag.ContinueOnError), run.Command{Name: "gather"})
	out := f.String(run.Flag{Name: "out", Default: "out", Help: "folder to write to", Example: "/data/out", Group: "Output"})
	err := f.Parse([]string{"a.warc.gz", "--out=/data/out"})
	fmt.Println(*out, f.Args(), f.Runner(), err)
	err = f.Parse([]string{"--otu=/data/out"})
	fmt.Println(err)
	// Output:
	// /data/out [a.warc.gz] direct <nil>
	// --otu: no such flag; did you mean --out?
}
