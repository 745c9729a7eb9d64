package cli_test

import (
	"flag"
	"fmt"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func ExampleFlags() {
	f := cli.NewFlags(flag.NewFlagSet("gather", flag.ContinueOnError), cli.Command{Name: "gather"})
	out := f.String(cli.Flag{Name: "out", Default: "out", Help: "folder to write to", Example: "/data/out", Group: "Output"})
	err := f.Parse([]string{"a.warc.gz", "--out=/data/out"})
	fmt.Println(*out, f.Args(), err)
	err = f.Parse([]string{"--otu=/data/out"})
	fmt.Println(err)
	// Output:
	// /data/out [a.warc.gz] <nil>
	// --otu: no such flag; did you mean --out?
}
