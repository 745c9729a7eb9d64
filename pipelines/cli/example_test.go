package cli_test

import (
	"flag"
	"fmt"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func ExampleFlags() {
	f := cli.NewFlags(flag.NewFlagSet("gather", flag.ContinueOnError), cli.Command{Name: "gather"})
	var out string
	f.Add([]setting.Setting{{Name: "out", Value: &out, Default: "out", Help: "folder to write to", Group: "Output"}})
	err := f.Parse([]string{"a.warc.gz", "--out=/data/out"})
	fmt.Println(out, f.Args(), err)
	err = f.Parse([]string{"--otu=/data/out"})
	fmt.Println(err)
	// Output:
	// /data/out [a.warc.gz] <nil>
	// --otu: no such flag; did you mean --out?
}
