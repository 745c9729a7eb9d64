// Command markdown writes the main text of labelled pages as Markdown, as ingest does with --text=markdown. It reads
// JSON lines with id, url and html from standard input, and prints JSON lines with id and text. README.md describes the
// set of pages, the measures and the other programs here.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func main() {
	everything := flag.Bool("all", false, "keep all blocks of the page, to judge the writer without the choice of blocks")
	flag.Parse()
	if err := write(os.Stdin, os.Stdout, *everything); err != nil {
		fmt.Fprintln(os.Stderr, "markdown:", err)
		os.Exit(1)
	}
}

func write(in io.Reader, out io.Writer, everything bool) error {
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	var x maintext.Extractor
	for d := json.NewDecoder(bufio.NewReader(in)); ; {
		var p struct{ ID, URL, HTML string }
		if err := d.Decode(&p); err == io.EOF {
			return w.Flush()
		} else if err != nil {
			return errors.Join(err, w.Flush())
		}
		r := x.Extract(page.Parse([]byte(p.HTML), page.Options{URL: p.URL}), maintext.Options{})
		if everything && r.Page != nil {
			r.Blocks = r.Blocks[:0]
			for i := range r.Page.Blocks {
				r.Blocks = append(r.Blocks, int32(i))
			}
		}
		text, _ := maintext.Markdown(r, 8<<20)
		line := struct {
			ID   string `json:"id"`
			Text string `json:"text"`
		}{p.ID, text}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
}
