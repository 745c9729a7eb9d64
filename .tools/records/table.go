package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// row is a reader's row in a table.
type row struct {
	reader *reader
	status string    // why it is not timed
	rounds []*result // times without those of process start and end
}

// format returns the row of the table. Ratios are per round, not of the medians.
func (r *row) format(format string, ours []*result) string {
	if r.status != "" {
		return fmt.Sprintf("| %s | %s | %s | | | | |", format, r.reader.name, r.status)
	}
	var cpu, wall, peak, ratio []float64
	for i, res := range r.rounds {
		cpu = append(cpu, res.cpu.Seconds())
		wall = append(wall, res.wall.Seconds())
		peak = append(peak, float64(res.figures["peak"])/1024)
		ratio = append(ratio, res.cpu.Seconds()/ours[i].cpu.Seconds())
	}
	speed := float64(ours[0].sum().payload) / 1e6 / median(cpu)
	return fmt.Sprintf("| %s | %s | %.2f | %.0f | %s | %.2f | %.0f |", format, r.reader.name,
		median(cpu), speed, spread(ratio), median(wall), median(peak))
}

// about describes our reader's counts and allocations.
func (r *row) about(format string) string {
	last := r.rounds[len(r.rounds)-1]
	sum := last.sum()
	return fmt.Sprintf("%s: %d records, %d HTTP heads, %.1f MB of payload; ours allocates %.2f times a record",
		format, sum.records, sum.heads, float64(sum.payload)/1e6, float64(last.figures["mallocs"])/float64(sum.records))
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// spread returns the median with minimum and maximum.
func spread(v []float64) string {
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median(v), slices.Min(v), slices.Max(v))
}

// machine describes the machine, versions and date.
func machine() string {
	return fmt.Sprintf("%s, %d cores, %s, %s. Peers: %s.", cpuModel(), runtime.NumCPU(), runtime.Version(),
		time.Now().Format(time.DateOnly), strings.Join(versions(), ", "))
}

// pin matches a version in requirements.txt (name==1.2.3) and in Cargo.toml (name = "=1.2.3").
var pin = regexp.MustCompile(`(?m)^([\w-]+)(?: = "=|==)([\d.]+)`)

// versions returns the peers with their versions.
func versions() (all []string) {
	for _, from := range []struct{ registry, file string }{
		{"PyPI", "requirements.txt"},
		{"crates.io", "rust/Cargo.toml"},
	} {
		text, err := os.ReadFile(filepath.Join(here, from.file))
		if err != nil {
			return []string{err.Error()}
		}
		for _, m := range pin.FindAllSubmatch(text, -1) {
			all = append(all, fmt.Sprintf("%s %s (%s)", m[1], m[2], from.registry))
		}
	}
	return all
}

// cpuModel returns the processor's name on Linux, or its architecture.
func cpuModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	_, rest, _ := strings.Cut(string(info), "model name")
	line, _, _ := strings.Cut(rest, "\n")
	return cmp.Or(strings.TrimSpace(strings.TrimLeft(line, "\t :")), runtime.GOARCH)
}
