package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gleaner-web/gleaner/schemas"
)

// topRows limits tables of values from archives.
const topRows = 10

// Summary writes a summary of a finished run from its manifest. peakRSS is in bytes (see PeakMemory). Zero and empty
// values are left out.
func Summary(w io.Writer, m schemas.Manifest, elapsed time.Duration, peakRSS int64) error {
	var b strings.Builder
	t := m.Totals
	line := func(name, value string) { fmt.Fprintf(&b, "%-12s %s\n", name, value) }
	line("Read", fmt.Sprintf("%s in %s, %s", FormatBytes(t.BytesRead), Plural(len(m.Units), "unit"),
		Plural(int(t.Records), "record")))
	line("Captures", FormatCount(t.Captures)+rate(t.Captures, elapsed))
	// A conversion writes captures; ingest writes documents. An empty run shows that it made none.
	if t.Written > 0 {
		line("Written", FormatCount(t.Written))
	} else if t.Documents > 0 || len(m.Files) == 0 {
		line("Documents", FormatCount(t.Documents)+", bodies of "+FormatBytes(t.BodyBytes))
	}
	if t.Feeds > 0 {
		line("Feeds", Plural(int(t.Feeds), "row"))
	}
	if t.Links > 0 {
		line("Links", Plural(int(t.Links), "row"))
	}
	if t.Data > 0 {
		line("Data", Plural(int(t.Data), "row"))
	}
	for _, f := range m.Files {
		line("Index", f.Name+", "+FormatBytes(f.Bytes))
	}
	if m.SiteTemplates != nil {
		line("Templates", Plural(m.SiteTemplates.Hosts, "host")+", "+Plural(int(t.TemplateBlocks), "block")+
			" left out of texts")
	}
	if m.Hosts != nil {
		line("Hosts", hosts(m.Hosts))
	}
	// These two are shown even if 0.
	line("Rejects", FormatCount(t.Rejects))
	line("Lost", lost(t))
	if t.Damaged > 0 {
		line("Damaged", damaged(t))
	}
	for _, s := range sinkNames {
		// A requested sink is shown even if it got nothing.
		if sink, asked := t.Sinks[s.key]; asked {
			line(s.name, sent(sink, s.noun))
		}
	}
	if elapsed > 0 {
		line("Time", formatDuration(elapsed))
	}
	if peakRSS > 0 {
		line("Peak memory", FormatBytes(peakRSS))
	}
	for _, s := range sections(m) {
		s.write(&b)
	}
	return Answer(w, AnswerSummary, summaryRecord{
		len(m.Units), t, m.Files, m.SiteTemplates, m.Hosts, elapsed.Seconds(), peakRSS,
	}, b.String())
}

// sections returns the tables. Those with values from archives are truncated.
func sections(m schemas.Manifest) []section {
	t := m.Totals
	return []section{
		{"Record types", t.ByType, t.Records, topRows},
		{"Media types", t.ByMIME, t.Captures, topRows},
		{"Languages", t.ByLang, t.Captures, topRows},
		{hostsTitle(m.Hosts), hostCounts(m.Hosts), t.Documents, topRows},
		{"Rejects", t.ByReject, t.Rejects, 0},
		{"Dropped", t.ByDrop, t.Captures, 0},
		{"Filtered", t.ByFilter, t.Captures, 0},
		{"Flags", t.ByFlag, t.Captures, 0},
		{"Quirks", t.ByQuirk, 0, topRows},
	}
}

type summaryRecord struct {
	Units         int                    `json:"units"`
	Totals        schemas.Counts         `json:"totals"`
	Files         []schemas.Shard        `json:"files,omitempty"`
	SiteTemplates *schemas.SiteTemplates `json:"site_templates,omitempty"`
	Hosts         *schemas.Hosts         `json:"hosts,omitempty"`
	Seconds       float64                `json:"seconds,omitempty"` // 0 if another process did a part
	PeakMemory    int64                  `json:"peak_memory,omitempty"`
}

// sinkNames lists the sinks in the order of the summary.
var sinkNames = []struct{ key, name, noun string }{
	{schemas.SinkElastic, "Elasticsearch", "document"},
	{schemas.SinkHBase, "HBase", "row"},
	{schemas.SinkKafka, "Kafka", "message"},
	{schemas.SinkPostgres, "PostgreSQL", "row"},
}

// hosts formats the number of hosts. An estimate is within two standard errors in 19 of 20 cases.
func hosts(h *schemas.Hosts) string {
	if h.Under == 0 {
		return FormatCount(h.Distinct)
	}
	return "about " + FormatCount(h.Distinct) + ", within 5%"
}

// hostsTitle says how exact the counts are. If the table was full, each is a lower bound.
func hostsTitle(h *schemas.Hosts) string {
	if h == nil || h.Under == 0 {
		return "Hosts"
	}
	return fmt.Sprintf("Hosts (each may have %s more)", FormatCount(h.Under))
}

// hostCounts returns the most frequent hosts.
func hostCounts(h *schemas.Hosts) map[string]int64 {
	if h == nil {
		return nil
	}
	counts := map[string]int64{}
	for _, c := range h.Top[:min(topRows, len(h.Top))] {
		counts[c.Host] = c.Documents
	}
	return counts
}

// rate returns "" if the time is unknown.
func rate(n int64, elapsed time.Duration) string {
	if elapsed <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%s/s)", FormatCount(int64(float64(n)/elapsed.Seconds())))
}

// damaged describes captures that may be wrong or incomplete.
func damaged(t schemas.Counts) string {
	text := Plural(int(t.Damaged), "capture") + share(t.Damaged, t.Captures) + " that may be wrong or incomplete"
	if n := t.ByFlag[string(schemas.FlagUnverified)]; n > 0 {
		text += ": " + FormatCount(n) + " unverified, in data that did not pass its checksum"
	}
	return text
}

// lost describes bytes outside records. "Nothing" would be misleading if records are damaged.
func lost(t schemas.Counts) string {
	if t.BytesLost == 0 && t.HasDamage() {
		return "no bytes"
	}
	if t.BytesLost == 0 {
		return "nothing"
	}
	return FormatBytes(t.BytesLost) + share(t.BytesLost, t.BytesRead)
}

// sent says how much a sink has received, and why it refused the rest.
func sent(s schemas.Sink, noun string) string {
	text := fmt.Sprintf("%s of %s", FormatCount(s.Offered-s.Refused), Plural(int(s.Offered), noun))
	if s.Refused == 0 || s.First == nil {
		return text
	}
	// Frequent reasons first; sorting by text makes equal runs print the same.
	reasons := slices.SortedFunc(maps.Keys(s.ByReason), func(x, y string) int {
		return cmp.Or(cmp.Compare(s.ByReason[y], s.ByReason[x]), strings.Compare(x, y))
	})
	shown := reasons[:min(len(reasons), maxReasons)]
	for i, r := range shown {
		// The server wrote these texts.
		shown[i] = printable(r, maxReason)
		if len(reasons) > 1 {
			shown[i] = FormatCount(s.ByReason[r]) + " " + shown[i]
		}
	}
	if len(reasons) > maxReasons {
		// Clip keeps append from overwriting further reasons.
		shown = append(slices.Clip(shown), "…")
	}
	first := fmt.Sprintf("%s (%s at %d): %s", printable(s.First.URL, maxReason), printable(s.First.File, maxReason),
		s.First.Offset, printable(s.First.Message, maxAnswer))
	return fmt.Sprintf("%s; %s refused: %s, first %s", text, FormatCount(s.Refused), strings.Join(shown, ", "), first)
}

// Limits for the reasons of a sink: their number, and characters of a reason and of the first answer.
const (
	maxReasons = 3
	maxReason  = 120
	maxAnswer  = 300
)

// share formats a percentage, or returns "" if whole is 0. It never rounds to 0% or 100%.
func share(n, whole int64) string {
	if whole <= 0 {
		return ""
	}
	p := 100 * float64(n) / float64(whole)
	switch {
	case n > 0 && p < 0.1:
		return " (<0.1%)"
	case n < whole && p > 99.9:
		return " (>99.9%)"
	}
	return fmt.Sprintf(" (%.1f%%)", p)
}

type section struct {
	title  string
	counts map[string]int64
	whole  int64 // the total for percentages; 0 for none
	top    int   // maximum rows; 0 for all
}

// write prints the rows, sorted by count and name.
func (s section) write(b *strings.Builder) {
	if len(s.counts) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(s.counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(s.counts[y], s.counts[x]), strings.Compare(x, y))
	})
	// An empty slice of the same type.
	more := keys[len(keys):]
	if s.top > 0 && len(keys) > s.top {
		keys, more = keys[:s.top], keys[s.top:]
	}
	fmt.Fprintf(b, "\n%s\n", s.title)
	for _, k := range keys {
		s.row(b, plain(k), s.counts[k])
	}
	// The rest is summed up, so that the table adds up.
	if len(more) > 0 {
		var n int64
		for _, k := range more {
			n += s.counts[k]
		}
		s.row(b, fmt.Sprintf("(%s more)", FormatCount(int64(len(more)))), n)
	}
}

// row pads names to maxName.
func (s section) row(b *strings.Builder, name string, n int64) {
	fmt.Fprintf(b, "  %-40s %12s%s\n", name, FormatCount(n), share(n, s.whole))
}

// maxName is in characters.
const maxName = 40

// plain makes a name from an archive short and safe to print.
func plain(name string) string {
	if name == "" {
		return "(none)"
	}
	return printable(name, maxName)
}

// printable truncates a text to limit characters and replaces unprintable ones.
func printable(text string, limit int) string {
	runes := []rune(text)
	if len(runes) > limit {
		runes = append(runes[:limit-1], '…')
	}
	for i, r := range runes {
		if !unicode.IsPrint(r) {
			runes[i] = unicode.ReplacementChar
		}
	}
	return string(runes)
}

// PeakMemory returns the peak resident memory of this process in bytes, or 0 if unknown. It includes memory outside
// Go's heap.
func PeakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0 // only Linux has this file
	}
	return peakOf(string(status))
}

// peakOf returns VmHWM of proc(5), the peak resident set size, in bytes.
func peakOf(status string) int64 {
	for line := range strings.Lines(status) {
		value, found := strings.CutPrefix(line, "VmHWM:")
		if !found {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		if err != nil {
			return 0
		}
		return kib * 1024
	}
	return 0
}
