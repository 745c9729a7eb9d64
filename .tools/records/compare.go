package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plainTimes is how often a run reads uncompressed files, since once takes less than 0.1 s.
const plainTimes = 10

// compare reads the bulk with the readers and prints a table.
func (b *bulk) compare(readers []reader, runs int) error {
	fmt.Printf("\n%s\n\n", b.title)
	fmt.Println("| format | reader | CPU s | payload MB/s | CPU / ours | wall s | peak MiB |")
	fmt.Println("|---|---|---|---|---|---|---|")
	var remarks []string
	for _, format := range formats {
		files := b.files[format]
		if len(files) == 0 {
			remarks = append(remarks, format+": not made, because Python is not here")
			continue
		}
		rows, differences, err := check(readers, format, files)
		if err != nil {
			return err
		}
		label := format
		if format == ".warc" {
			files, label = slices.Repeat(files, plainTimes), fmt.Sprintf("%s, %d times", format, plainTimes)
		}
		note("time %s", label)
		if err := timeRows(rows, files, runs); err != nil {
			return err
		}
		for i := range rows {
			fmt.Println(rows[i].format(label, rows[0].rounds))
		}
		remarks = append(remarks, differences...)
		remarks = append(remarks, rows[0].about(label))
	}
	fmt.Println("\n- " + strings.Join(remarks, "\n- "))
	return nil
}

// check reads the files once with every reader of the format, which also warms up, and compares the results. A reader
// that stops, or finds another number of records than ours, is not timed. Different heads or payloads do not prevent
// timing. All differences are returned as text.
func check(readers []reader, format string, files []string) (rows []row, differences []string, err error) {
	ours := &readers[0]
	want, err := ours.run(files, 1)
	if err != nil {
		return nil, nil, err
	}
	if wrong, _ := differ(ours, want, want, files); len(wrong) > 0 {
		return nil, nil, fmt.Errorf("our reader does not read the bulk: %s", strings.Join(wrong, "; "))
	}
	rows = []row{{reader: ours}}
	for i := range readers[1:] {
		peer := row{reader: &readers[1+i]}
		if !slices.Contains(peer.reader.formats, format) {
			continue
		}
		var wrong []string
		peer.status, wrong = peer.check(want, files)
		rows, differences = append(rows, peer), append(differences, wrong...)
	}
	return rows, differences, nil
}

// check returns why the row's reader cannot be timed, and its differences.
func (r *row) check(want *result, files []string) (status string, differences []string) {
	if r.reader.command == nil {
		return "not here", nil
	}
	res, err := r.reader.run(files, 1)
	if err != nil {
		return "failed, see below", []string{err.Error()}
	}
	differences, fair := differ(r.reader, res, want, files)
	if !fair {
		return "not timed, see below", differences
	}
	return "", differences
}

// differ describes a reader's differences from ours, and whether both read the same records to the end.
func differ(r *reader, res, ours *result, files []string) (differences []string, fair bool) {
	fair = true
	for i, file := range files {
		got, want := res.files[i], ours.files[i]
		if got.err == "" && (got.totals == want.totals || !r.parses) {
			continue
		}
		fair = fair && got.err == "" && got.records == want.records
		differences = append(differences, fmt.Sprintf("%s, %s: %s; ours: %s", filepath.Base(file), r.name, got, want))
	}
	return differences, fair
}

// String returns the totals as text.
func (o outcome) String() string {
	s := fmt.Sprintf("%d records, %d HTTP heads, %d payload bytes", o.records, o.heads, o.payload)
	if o.err != "" {
		s += ", then " + o.err
	}
	return s
}

// timeRows runs the readers in turn, for several rounds.
func timeRows(rows []row, files []string, runs int) error {
	for range runs {
		for i := range rows {
			if rows[i].status != "" {
				continue
			}
			res, err := rows[i].reader.runWithoutStart(files, 1)
			if err != nil {
				return err
			}
			rows[i].rounds = append(rows[i].rounds, res)
		}
	}
	return nil
}

// runWithoutStart is run without the cost of a process without files, since an interpreter's start is not reading.
func (r *reader) runWithoutStart(files []string, cores int) (*result, error) {
	idle, err := r.run(nil, cores)
	if err != nil {
		return nil, err
	}
	res, err := r.run(files, cores)
	if err != nil {
		return nil, err
	}
	res.cpu -= idle.cpu
	res.wall -= idle.wall
	return res, nil
}

// scale prints the speed-up of a second worker on one file.
func scale(file string, runs int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	one := reader{name: "one worker", command: []string{self, "-read", "1"}}
	two := reader{name: "two workers", command: []string{self, "-read", "2"}}
	var walls, cpus [2][]float64
	var ratio []float64
	for range runs {
		a, err := one.runWithoutStart([]string{file}, 1)
		if err != nil {
			return err
		}
		b, err := two.runWithoutStart([]string{file}, 2)
		if err != nil {
			return err
		}
		if a.files[0] != b.files[0] {
			return fmt.Errorf("%s: one worker found %s; two found %s", file, a.files[0], b.files[0])
		}
		for i, res := range []*result{a, b} {
			walls[i], cpus[i] = append(walls[i], res.wall.Seconds()), append(cpus[i], res.cpu.Seconds())
		}
		ratio = append(ratio, a.wall.Seconds()/b.wall.Seconds())
	}
	fmt.Printf("\nOne file (%s, %s) by two workers instead of one: %s times as fast by the clock (%.2f s, not %.2f s), "+
		"for %.2f s of CPU time, not %.2f s.\n",
		filepath.Base(file), megabytes([]string{file}), spread(ratio),
		median(walls[1]), median(walls[0]), median(cpus[1]), median(cpus[0]))
	return nil
}

// scaleSize is the least size in bytes of a file for two workers. In smaller ones a worker's fixed costs, memory and
// the proof of its first start, would weigh more than in crawlers' files.
const scaleSize = 512 << 20

// large returns a file of at least scaleSize: the largest, repeated if needed.
func large(files []string) (string, error) {
	file := slices.MaxFunc(files, func(a, b string) int { return cmp.Compare(fileSize(a), fileSize(b)) })
	if fileSize(file) >= scaleSize {
		return file, nil
	}
	whole := filepath.Join(cache, "large.warc.gz")
	return whole, concatenate(whole, []string{file}, int(scaleSize/max(fileSize(file), 1))+1)
}
