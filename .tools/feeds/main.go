// Command feeds compares transforms/feed with Python's feedparser over a tar archive of feeds. It measures the share
// of feeds read, the agreement of fields after normalization, and the costs. docs/feeds.md explains the figures.
//
// A hash of their names divides files in two halves. One is for development, and -diff shows its differences. The
// other is for reporting, and shows only figures.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/feed"
)

func main() {
	archive := flag.String("feeds", "../shared/corpora/feeds/feedparser-half.tar.gz", "a .tar.gz of feeds")
	python := flag.String("python", "python3", "a Python with feedparser 6")
	script := flag.String("peer", ".tools/feeds/peer.py", "the program that runs feedparser")
	rounds := flag.Int("rounds", 3, "how many times each reads all feeds")
	diff := flag.Bool("diff", false, "show where the development half differs")
	flag.Parse()
	if err := run(*archive, *python, *script, *rounds, *diff); err != nil {
		fmt.Fprintln(os.Stderr, "feeds:", err)
		os.Exit(1)
	}
}

func run(archive, python, script string, rounds int, diff bool) error {
	r, err := compare(archive, python, script, rounds)
	if err != nil {
		return err
	}
	if diff {
		for _, line := range r.differences {
			fmt.Println(line)
		}
	}
	return r.print(os.Stdout)
}

// file is one feed of the archive.
type file struct {
	name, mime, url string
	body            []byte
}

// development reports whether a file belongs to the development half.
func development(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name)) // a hash never fails to write
	return h.Sum32()%2 == 0
}

// compare runs both over the archive in turn.
func compare(archive, python, script string, rounds int) (*report, error) {
	files, err := load(archive)
	if err != nil {
		return nil, err
	}
	r := newReport()
	for range rounds {
		peers, seconds, err := peer(python, script, archive)
		if err != nil {
			return nil, err
		}
		r.peerSeconds = append(r.peerSeconds, seconds)
		ours, seconds := read(files)
		r.ourSeconds = append(r.ourSeconds, seconds)
		if len(r.ourSeconds) == rounds {
			for i, f := range files {
				r.add(f.name, peers[f.name], ours[i])
			}
		}
	}
	return r, nil
}

// read reads all feeds and returns the CPU seconds of the fastest of five passes, since a pass takes only
// milliseconds.
func read(files []file) ([]*feed.Feed, float64) {
	runtime.GOMAXPROCS(1)
	feeds := make([]*feed.Feed, len(files))
	best := 0.0
	for i := range 5 {
		before := cputime.Self().Seconds()
		for i, f := range files {
			feeds[i], _ = feed.Read(f.body, f.mime, f.url, feed.Options{}) // nil if not a feed
		}
		if took := cputime.Self().Seconds() - before; i == 0 || took < best {
			best = took
		}
	}
	return feeds, best
}

// header matches HTTP header fields in the leading comment of feedparser's test files.
var header = regexp.MustCompile(`(?m)^Header:\s*([A-Za-z-]+):\s*(.*?)\s*$`)

func load(archive string) ([]file, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	var files []file
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", archive, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(tr)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", archive, err)
		}
		files = append(files, withHeader(h.Name, body))
	}
}

func withHeader(name string, body []byte) file {
	f := file{name: name, url: "http://127.0.0.1:8097/" + name, body: body}
	for _, m := range header.FindAllSubmatch(body[:min(len(body), 2048)], -1) {
		switch strings.ToLower(string(m[1])) {
		case "content-type":
			f.mime = string(m[2])
		case "content-location":
			f.url = string(m[2])
		}
	}
	return f
}

// peer runs feedparser and returns its results by file, and the CPU seconds of its pass.
func peer(python, script, archive string) (map[string]*peerFeed, float64, error) {
	cmd := exec.Command(python, script, archive, strconv.Itoa(1))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("%s (pip install feedparser==6.0.14): %w", python, err)
	}
	feeds := map[string]*peerFeed{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		p := &peerFeed{}
		if err := json.Unmarshal(lines.Bytes(), p); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", script, err)
		}
		feeds[p.Name] = p
	}
	if feeds[""] == nil || len(feeds[""].Seconds) == 0 {
		return nil, 0, fmt.Errorf("%s: no last line", script)
	}
	return feeds, feeds[""].Seconds[0], lines.Err()
}
