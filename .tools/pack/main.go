// Command pack compresses tables for package packed: it writes FILE.zst and removes FILE.
//
//	go run ./.tools/pack transforms/sentiment/lexicon.tsv
package main

import (
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/transforms/packed"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := pack(name); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
}

func pack(name string) error {
	table, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := packed.Pack(table)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".zst", file, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s.zst: %d of %d bytes\n", name, len(file), len(table))
	return os.Remove(name)
}
