// Command scale measures the fixed costs of runs over very many files and units: finding and dividing files,
// committing units, the manifest, and repeated runs. It prints the tables of docs/scale.md.
//
//	go build -o ingest ./pipelines/ingest
//	go run ./.tools/scale -ingest ./ingest -dir /tmp/scale
//
// It makes its own archives. For planning these are sparse files of a gigabyte that begin with a record, as many as
// in a month of Common Crawl. For running they are files of one small page. The folder takes about 2 GB and is
// removed unless -keep is given.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	ingest := flag.String("ingest", "./ingest", "the `program` to measure")
	dir := flag.String("dir", "", "new `folder` for the files; with -sizes work goes on in an old one")
	large := flag.Int("files", 90_000, "files of a gigabyte that are planned")
	units := flag.Int("units", 20_000, "small files, each of which is a unit, that are read")
	small := flag.Int("small", 100_000, "small files that are planned")
	archive := flag.String("archive", "", "a real `.warc.gz`, to see what dividing one costs; none to leave that out")
	only := flag.Bool("commit", false, "only commit units in memory")
	made := flag.Int("lines", 0, "only write so many made lines of an index to standard output")
	seed := flag.Uint64("seed", 1, "of -lines")
	index := flag.String("index", "", "only look up the URLs of -urls in this ZipNum `cluster`")
	urls := flag.String("urls", "", "`file` of URLs, one a line, for -index")
	cache := flag.Int64("cache", 0, "`bytes` of decoded blocks that -index keeps")
	sizes := flag.String("sizes", "", "only measure all work on collections of so many documents, as 100000,300000")
	from := flag.String("from", "", "for -sizes: a `collection` of real documents, of which .tools/rows makes others")
	texts := flag.String("minhash", "", "only find near-duplicates among the texts of this `collection`, in memory")
	captures := flag.String("copy", "", "only write each capture in this `folder` of WARC files to -dir, -copies times")
	times := flag.Int("copies", 2, "for -copy")
	keep := flag.Bool("keep", false, "leave the folder")
	flag.Parse()
	err := error(nil)
	switch {
	case *made > 0:
		err = lines(os.Stdout, *made, *seed)
	case *index != "":
		err = lookup(*index, *urls, *cache)
	case *only:
		err = simulate(*large)
	case *dir == "" && *texts == "":
		err = errors.New("-dir is missing: name a folder to make, on a disk with 2 GB to spare")
	case *captures != "":
		*keep = true
		err = copies(*captures, *dir, *times)
	case *texts != "":
		err = near(*texts)
	case *sizes != "":
		*keep = true
		err = growAll(*dir, *from, *sizes)
	default:
		err = measure(*ingest, *dir, *archive, *large, *small, *units)
	}
	if !*keep && *dir != "" {
		err = errors.Join(err, os.RemoveAll(*dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// measure makes the files, runs the program over them and prints a table.
func measure(ingest, dir, archive string, large, small, units int) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	s := scale{ingest: ingest, dir: dir}
	fmt.Printf("%d cores, %s, %s\n\n", runtime.NumCPU(), runtime.Version(), time.Now().Format(time.DateOnly))
	fmt.Println("| what | CPU s | wall s | peak MiB | |")
	fmt.Println("|---|---|---|---|---|")
	if err := s.planLarge(large); err != nil {
		return err
	}
	if archive != "" {
		if err := s.planSplits(archive); err != nil {
			return err
		}
	}
	if err := s.planSmall(small); err != nil {
		return err
	}
	if err := s.runUnits(units); err != nil {
		return err
	}
	return simulate(large)
}

// simulate commits units in memory.
func simulate(n int) error {
	fmt.Printf("\nCommitting %d units in memory:\n\n", n)
	fmt.Println("| what | CPU s | wall s | MiB from the system so far | |")
	fmt.Println("|---|---|---|---|---|")
	return commit(n)
}

type scale struct{ ingest, dir string }

const gigabyte = 1_000_000_000

// planLarge plans a month of Common Crawl, with each file a unit.
func (s scale) planLarge(n int) error {
	dir := filepath.Join(s.dir, "large")
	if err := archives(dir, n, 900, gigabyte); err != nil {
		return err
	}
	what := fmt.Sprintf("plan %d files of 1 GB, each a unit", n)
	err := s.run(what, lastLine, "--plan", "--unit_size=1GB", "--output="+filepath.Join(s.dir, "none"), dir)
	return errors.Join(err, os.RemoveAll(dir))
}

// planSplits divides a real archive: proving a split point means reading around it.
func (s scale) planSplits(archive string) error {
	return s.run("plan "+filepath.Base(archive)+", units of 1 MiB", lastLine, "--plan", "--unit_size=1MiB",
		"--output="+filepath.Join(s.dir, "none"), archive)
}

func (s scale) planSmall(n int) error {
	dir := filepath.Join(s.dir, "small")
	if err := archives(dir, n, 1000, 0); err != nil {
		return err
	}
	what := fmt.Sprintf("plan %d files of one page", n)
	err := s.run(what, lastLine, "--plan", "--output="+filepath.Join(s.dir, "none"), dir)
	return errors.Join(err, os.RemoveAll(dir))
}

// smallUnit is the least size of a unit in bytes. Files of this size are not combined.
const smallUnit = 64 << 10

// runUnits reads small files, each a unit: all, again, and one more.
func (s scale) runUnits(n int) error {
	dir, out := filepath.Join(s.dir, "units"), filepath.Join(s.dir, "out")
	if err := archives(dir, n, 1000, smallUnit); err != nil {
		return err
	}
	args := []string{"--unit_size=64KiB", "--extract=mime,charset,language", "--output=" + out, dir}
	about := func([]byte) (string, error) { return sizes(out) }
	if err := s.run(fmt.Sprintf("read %d files, each a unit of one page", n), about, args...); err != nil {
		return err
	}
	if err := s.run("again, with nothing new", about, args...); err != nil {
		return err
	}
	if err := oneRecord(filepath.Join(dir, "00000-before.warc"), n, smallUnit); err != nil {
		return err
	}
	return s.run("again, with one new file before all others", about, args...)
}

// sizes describes the size of the manifest and the number of output files.
func sizes(out string) (string, error) {
	info, err := os.Stat(filepath.Join(out, "manifest.json"))
	if err != nil {
		return "", err
	}
	shards, err := os.ReadDir(out)
	if err != nil {
		return "", err
	}
	rows, err := os.ReadDir(filepath.Join(out, ".gleaner"))
	return fmt.Sprintf("manifest %.1f MB, %d files and %d hidden ones", float64(info.Size())/1e6, len(shards), len(rows)),
		err
}

// run runs the program and prints a row of the table; about makes its last column.
func (s scale) run(what string, about func(stdout []byte) (string, error), args ...string) error {
	cmd := exec.Command(s.ingest, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, errs.Bytes())
	}
	wall := time.Since(begin)
	text, err := about(out.Bytes())
	state := cmd.ProcessState
	peak := float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	fmt.Printf("| %s | %.1f | %.1f | %.0f | %s |\n", what, (state.UserTime() + state.SystemTime()).Seconds(),
		wall.Seconds(), peak, text)
	return err
}

// lastLine returns the last line of the output.
func lastLine(stdout []byte) (string, error) {
	lines := strings.Split(strings.TrimSpace(string(stdout)), "\n")
	return lines[len(lines)-1], nil
}

// archives makes n archives in folders of each archives. They have size bytes, or the length of their record if size
// is 0.
func archives(dir string, n, each int, size int64) error {
	for i := range n {
		sub := filepath.Join(dir, fmt.Sprintf("segment-%05d", i/each))
		if i%each == 0 {
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
		}
		if err := oneRecord(filepath.Join(sub, fmt.Sprintf("crawl-%05d.warc", i)), i, size); err != nil {
			return err
		}
	}
	return nil
}

// oneRecord makes a WARC file of one response. If size is not 0, the file is sparse after the record.
func oneRecord(name string, i int, size int64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Page %d</title><p>The tide tables of "+
		"page %d are out, and the harbour is open again.</p>", i, i)
	_, err = fmt.Fprintf(f, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Date: "+
		"2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://host-%d.example/%d\r\nContent-Type: application/http; "+
		"msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i%1000, i, len(block), block)
	if size > 0 && err == nil {
		err = f.Truncate(size)
	}
	return errors.Join(err, f.Close())
}
