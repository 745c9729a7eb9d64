package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// bulk is the input in each format.
type bulk struct {
	title string
	files map[string][]string // by format; without Python, .warc.gz only
}

// pageBulk is the user's files.
func pageBulk(files []string, py python) (*bulk, error) {
	b := &bulk{
		fmt.Sprintf("**Pages** (files: %d, %s)", len(files), megabytes(files)),
		map[string][]string{".warc.gz": files},
	}
	return b, b.convert(py, filepath.Join(cache, "pages"))
}

// times is how often the real archives are repeated, so that reading takes seconds.
const times = 20

// realBulk is one file of the archives below raw that all readers read alike.
func realBulk(raw string, readers []reader, py python) (*bulk, error) {
	candidates, err := findArchives(raw)
	if err != nil {
		return nil, err
	}
	files, err := agreed(candidates, readers)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("archives that all readers read alike in %s: %w", raw, os.ErrNotExist)
	}
	folder := filepath.Join(cache, "real")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "files.txt"), []byte(strings.Join(files, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	once := filepath.Join(folder, "once.warc.gz")
	if err := concatenate(once, files, 1); err != nil {
		return nil, err
	}
	title := fmt.Sprintf("**Real archives** (files: %d of %d, %s, %d times over)", len(files), len(candidates),
		megabytes(files), times)
	b := &bulk{title, map[string][]string{".warc.gz": {once}}}
	if err := b.convert(py, folder); err != nil {
		return nil, err
	}
	for format, files := range b.files {
		whole := filepath.Join(folder, "real"+format)
		if err := concatenate(whole, files, times); err != nil {
			return nil, err
		}
		b.files[format] = []string{whole}
	}
	return b, nil
}

// findArchives returns the gzip WARC files below folder.
func findArchives(folder string) (found []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".gz" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if format, err := archive.Detect("", f, info.Size()); err == nil &&
			format == (archive.Format{Name: "warc", Compression: member.Gzip}) {
			found = append(found, path)
		}
		return nil
	})
	return found, err
}

// agreed returns the files that every reader reads to the end, with equal totals.
func agreed(files []string, readers []reader) (kept []string, err error) {
	var results []*result
	for i := range readers {
		if !readers[i].parses || readers[i].command == nil {
			continue
		}
		res, err := readers[i].run(files, 1)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	for i, file := range files {
		same := true
		for _, res := range results {
			same = same && res.files[i] == outcome{totals: results[0].files[i].totals}
		}
		if same {
			kept = append(kept, file)
		}
	}
	return kept, nil
}

// convert converts the bulk's gzip files to the other formats in folder.
func (b *bulk) convert(py python, folder string) error {
	if py == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, file := range b.files[".warc.gz"] {
		note("convert %s", file)
		args := append(py[1:len(py):len(py)], "convert", file, folder)
		if out, err := exec.Command(py[0], args...).CombinedOutput(); err != nil {
			return fmt.Errorf("convert %s: %w: %s", file, err, out)
		}
		plain := filepath.Join(folder, strings.TrimSuffix(filepath.Base(file), ".gz"))
		b.files[".warc"] = append(b.files[".warc"], plain)
		b.files[".warc.zst"] = append(b.files[".warc.zst"], plain+".zst")
	}
	return nil
}

// concatenate writes the files to path, repeated times times.
func concatenate(path string, files []string, times int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close() // the Close below returns the error
	for range times {
		for _, file := range files {
			if err := appendFile(out, file); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

func appendFile(out io.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, in)
	return err
}

// megabytes formats the total size of files.
func megabytes(files []string) string {
	var sum int64
	for _, file := range files {
		sum += fileSize(file)
	}
	return fmt.Sprintf("%.1f MB", float64(sum)/1e6)
}

// fileSize returns 0 on an error, which reading the file will report.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
