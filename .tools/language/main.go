// Command language compares transforms/langid with lingua-go and CLD2 on the texts of NTREX-128: their accuracy and
// CPU time per text. All read the same texts in turn. docs/language.md explains the figures.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/pemistahl/lingua-go"
)

func main() {
	folder := flag.String("corpus", "../shared/corpora/lang", "the folder of ntrex_*_dev.tsv.gz")
	python := flag.String("python", "python3", "a Python with pycld2")
	script := flag.String("peer", ".tools/language/peer.py", "the program that runs CLD2")
	perLanguage := flag.Int("n", 20, "how many texts of each language")
	rounds := flag.Int("rounds", 3, "how many times each reads all texts")
	withLingua := flag.Bool("lingua", true, "run lingua-go as well, which takes a minute a round")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	detectors := []detector{
		{"langid", own(langid.Default)},
		{"langid, high", own(langid.High)},
		{"CLD2", cld2(*python, *script)},
	}
	if *withLingua {
		detectors = append(detectors, detector{"lingua-go, low", linguas(true)}, detector{"lingua-go, high", linguas(false)})
	}
	if err := run(*folder, *perLanguage, *rounds, detectors); err != nil {
		fmt.Fprintln(os.Stderr, "language:", err)
		os.Exit(1)
	}
}

// detector returns the language codes of texts, and the total CPU seconds.
type detector struct {
	name   string
	detect func(texts []string) (codes []string, seconds float64, err error)
}

// run prints a table for each file.
func run(folder string, perLanguage, rounds int, detectors []detector) error {
	for _, name := range []string{"tweet", "short", "medium", "long"} {
		labels, texts, err := load(filepath.Join(folder, "ntrex_"+name+"_dev.tsv.gz"), perLanguage)
		if err != nil {
			return err
		}
		bytes := 0
		for _, text := range texts {
			bytes += len(text)
		}
		fmt.Printf("\nntrex_%s_dev: %d texts of %d bytes on average\n\n", name, len(texts), bytes/len(texts))
		fmt.Printf("| detector | right, mean of languages | CPU µs a text, median of %d rounds |\n|---|---|---|\n", rounds)
		codes, took := make([][]string, len(detectors)), make([][]float64, len(detectors))
		for range rounds {
			for i, d := range detectors {
				found, seconds, err := d.detect(texts)
				if err != nil {
					return fmt.Errorf("%s: %w", d.name, err)
				}
				codes[i], took[i] = found, append(took[i], seconds)
			}
		}
		for i, d := range detectors {
			slices.Sort(took[i])
			fmt.Printf("| %s | %.3f | %.0f |\n", d.name, macro(labels, codes[i]), took[i][rounds/2]/float64(len(texts))*1e6)
		}
	}
	return nil
}

// load returns up to perLanguage texts of each language in a file, with their languages.
func load(name string, perLanguage int) (labels, texts []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	seen := map[string]int{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		label, text, _ := strings.Cut(lines.Text(), "\t")
		if seen[label]++; seen[label] <= perLanguage {
			labels, texts = append(labels, label), append(texts, strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	if len(texts) == 0 && lines.Err() == nil {
		return nil, nil, fmt.Errorf("%s: no texts", name)
	}
	return labels, texts, lines.Err()
}

// macro returns the mean of the languages' accuracies.
func macro(labels, codes []string) float64 {
	right, all := map[string]float64{}, map[string]float64{}
	for i, label := range labels {
		if all[label]++; codes[i] == label {
			right[label]++
		}
	}
	sum := 0.0
	for label, n := range all {
		sum += right[label] / n
	}
	return sum / float64(len(all))
}

// own returns langid with an accuracy.
func own(accuracy langid.Accuracy) func([]string) ([]string, float64, error) {
	d := langid.New(langid.Options{Accuracy: accuracy})
	return timed(func(text string) string {
		if languages := d.Detect(text); len(languages) > 0 {
			return languages[0].Code
		}
		return ""
	})
}

// linguas returns lingua-go with all its languages.
func linguas(low bool) func([]string) ([]string, float64, error) {
	builder := lingua.NewLanguageDetectorBuilder().FromAllLanguages()
	if low {
		builder = builder.WithLowAccuracyMode()
	}
	d := builder.Build()
	return timed(func(text string) string {
		if language, ok := d.DetectLanguageOf(text); ok {
			return strings.ToLower(language.IsoCode639_1().String())
		}
		return ""
	})
}

// timed detects the texts one by one, and new texts a first time without timing, because models load as needed.
func timed(detect func(string) string) func([]string) ([]string, float64, error) {
	ready := map[string]bool{}
	return func(texts []string) ([]string, float64, error) {
		for _, text := range texts {
			if !ready[text] {
				detect(text)
				ready[text] = true
			}
		}
		runtime.GC()
		begin, codes := cputime.Self().Seconds(), make([]string, len(texts))
		for i, text := range texts {
			codes[i] = detect(text)
		}
		return codes, cputime.Self().Seconds() - begin, nil
	}
}

// cld2 returns CLD2 with best effort.
func cld2(python, script string) func([]string) ([]string, float64, error) {
	return func(texts []string) ([]string, float64, error) {
		var in bytes.Buffer
		for _, text := range texts {
			line, err := json.Marshal(text)
			if err != nil {
				return nil, 0, err
			}
			in.Write(append(line, '\n'))
		}
		cmd := exec.Command(python, script)
		cmd.Stdin, cmd.Stderr = &in, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, 0, fmt.Errorf("%s (pip install pycld2==0.42): %w", python, err)
		}
		lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
		if len(lines) != len(texts)+1 {
			return nil, 0, fmt.Errorf("%s: %d lines for %d texts", script, len(lines), len(texts))
		}
		codes := lines[:len(texts)]
		for i, code := range codes {
			codes[i] = ourCode(code)
		}
		seconds, err := strconv.ParseFloat(lines[len(texts)], 64)
		return codes, seconds, err
	}
}

// ourCode converts CLD2's code to the corpus's.
func ourCode(code string) string {
	switch code {
	case "no":
		return "nb"
	case "iw":
		return "he"
	case "zh-Hant":
		return "zh"
	}
	return code
}
