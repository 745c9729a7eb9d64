// Command maintext measures the CPU time of main-text extraction on the pages of WCXB's development split. It makes
// one pass over charset, page and text, in one thread, from memory. With -texts it is the peer of
// .tools/train/maintext.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func main() {
	dir := flag.String("pages", "../shared/corpora/maintext/wcxb-dev/html", "folder of .html.gz files")
	what := flag.String("what", "all", "all, page (charset and page alone) or trafilatura")
	runs := flag.Int("runs", 3, "passes over the pages")
	every := flag.Int("every", 1, "read every n-th page")
	asPeer := flag.Bool("texts", false,
		"measure nothing: read pages from standard input, and print go-trafilatura's texts")
	flag.Parse()
	var err error
	if *asPeer {
		err = texts(os.Stdin, os.Stdout)
	} else {
		err = measure(*dir, *what, *runs, *every)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "maintext:", err)
		os.Exit(1)
	}
}

func measure(dir, what string, runs, every int) error {
	runtime.GOMAXPROCS(1)
	pages, size, err := load(dir, every)
	if err != nil {
		return err
	}
	var r reader
	read, ok := map[string]func([]byte) error{"all": r.text, "page": r.page, "trafilatura": trafilaturaAlone}[what]
	if !ok {
		return fmt.Errorf("unknown %q", what)
	}
	for range runs {
		before, allocated := cputime.Self().Seconds(), allocations()
		for _, body := range pages {
			if err := read(body); err != nil {
				return err
			}
		}
		fmt.Printf("%s: %d pages, %.1f MB, %.3f s, %.2f bytes allocated a byte read\n", what, len(pages), float64(size)/1e6,
			cputime.Self().Seconds()-before, float64(allocations()-allocated)/float64(size))
	}
	return nil
}

// reader reads pages as ingest does.
type reader struct {
	parser page.Parser
	texts  maintext.Extractor
	last   *page.Page
}

func (r *reader) page(body []byte) error {
	name := charset.Detect(body, "text/html", charset.Options{}).Name
	src, _, err := charset.Decode(body, name)
	if err != nil {
		return err
	}
	r.last = r.parser.Parse(src, page.Options{URL: "https://example.org/"})
	return nil
}

func (r *reader) text(body []byte) error {
	if err := r.page(body); err != nil {
		return err
	}
	r.texts.Extract(r.last, maintext.Options{})
	return nil
}

func load(dir string, every int) (pages [][]byte, size int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.html.gz"))
	if err != nil {
		return nil, 0, err
	}
	for i := 0; i < len(files); i += every {
		zipped, err := os.ReadFile(files[i])
		if err != nil {
			return nil, 0, err
		}
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", files[i], err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", files[i], err)
		}
		pages = append(pages, body)
		size += len(body)
	}
	return pages, size, nil
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
