package corpus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// writeFunnel writes the steps that left something out or changed it.
func writeFunnel(b *strings.Builder, funnel []filter.Passage) {
	tokens := slices.ContainsFunc(funnel, func(p filter.Passage) bool { return p.In.Tokens > 0 })
	if len(funnel) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-30s %10s %10s %10s %10s", "Step", "documents", "out", "text", "out")
	if tokens {
		fmt.Fprintf(b, " %13s %13s", "tokens", "out")
	}
	fmt.Fprintf(b, " %8s\n", "time")
	for _, p := range funnel {
		if p.In == p.Out && p.Seconds < 0.05 {
			continue
		}
		fmt.Fprintf(b, "  %-28s %10s %10s %10s %10s", clip(p.Step, 28), cli.FormatCount(p.In.Documents),
			cli.FormatCount(p.Out.Documents), cli.FormatBytes(p.In.Bytes), cli.FormatBytes(p.Out.Bytes))
		if tokens {
			fmt.Fprintf(b, " %13s %13s", cli.FormatCount(p.In.Tokens), cli.FormatCount(p.Out.Tokens))
		}
		fmt.Fprintf(b, " %7.1fs\n", p.Seconds)
	}
}

// clip shortens a text to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
