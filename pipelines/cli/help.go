package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// helpWidth is the width of help, in columns.
const helpWidth = 92

// Help is what --help prints: what the command is, its flags by group in the order in which they were added, and then
// the names of those that other packages have registered.
// It is made from the flags' own descriptions, so that no flag can be left out.
func (f *Flags) Help() string {
	var b strings.Builder
	c := f.command
	// A line of the summary is a paragraph.
	for paragraph := range strings.SplitSeq(c.Name+": "+c.Summary, "\n") {
		fmt.Fprintf(&b, "%s\n\n", wrap(paragraph, ""))
	}
	fmt.Fprintf(&b, "Usage: %s\n", strings.TrimSpace(within+c.Name+" [flags] "+c.Args))
	for _, e := range c.Examples {
		fmt.Fprintf(&b, "  %s\n", example(e))
	}
	if c.Table != "" {
		fmt.Fprintf(&b, "\n%s", c.Table)
	}
	for _, group := range f.groups() {
		fmt.Fprintf(&b, "\n%s\n", group)
		// Groups are not kept apart: each heading picks its own flags, in their order.
		for _, d := range f.flags {
			if d.Group == group {
				f.describe(&b, d)
			}
		}
	}
	// These three are in no list: see asking.
	b.WriteString("  -h\n      print the most used flags\n  --help\n      print this\n" +
		"  --version\n      print the versions of the program and of what it is made of\n")
	if theirs := f.theirs(); len(theirs) > 0 && c.Others != "" {
		fmt.Fprintf(&b, "\n%s:\n%s\n", c.Others, wrap("--"+strings.Join(theirs, " --"), "  "))
	}
	return b.String()
}

// BriefHelp is what -h prints, in 20 lines or less: the flags that have a Brief, and an example.
func (f *Flags) BriefHelp() string {
	var b strings.Builder
	c := f.command
	first, _, _ := strings.Cut(c.Summary, "\n")
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", wrap(c.Name+": "+first, ""), strings.TrimSpace(within+c.Name+" [flags] "+c.Args))
	if len(c.Examples) > 0 {
		// the first is the shortest, and shows no flag
		fmt.Fprintf(&b, "  %s\n\n", example(c.Examples[min(1, len(c.Examples)-1)]))
	}
	// A flag without a Brief is left to --help.
	for _, d := range f.flags {
		if d.Brief != "" {
			fmt.Fprintf(&b, "  %-24s %s\n", "--"+d.Name+f.placeholder(d), d.Brief)
		}
	}
	fmt.Fprintf(&b, "\n--help tells of all %d flags, --version what this program is made of.\n", len(f.flags))
	return b.String()
}

// example is a command line as one types it who has the program: examples of commands are for those who have the
// sources.
// It shows what can be typed where the program runs, be it installed or not.
func example(line string) string {
	if within == "" {
		return line
	}
	return strings.Replace(line, "go run ./pipelines/", within, 1)
}

// groups are the headings, in the order in which flags first use them; Running, which all commands share, is last.
// Otherwise the log and the ports would be in the midst of what a command is about.
func (f *Flags) groups() []string {
	var groups []string
	for _, d := range f.flags {
		if !slices.Contains(groups, d.Group) {
			groups = append(groups, d.Group)
		}
	}
	if i := slices.Index(groups, "Running"); i >= 0 {
		groups = append(slices.Delete(groups, i, i+1), "Running")
	}
	return groups
}

// describe writes one flag: its name, what it does, and what it is by default.
func (f *Flags) describe(b *strings.Builder, d Flag) {
	fmt.Fprintf(b, "  --%s%s\n%s\n", d.Name, f.placeholder(d), wrap(d.Help, "      "))
	notes := "default: " + d.Default
	if d.Default == "" {
		notes = "default: " + f.zero(d)
	}
	if d.Example != "" {
		notes += fmt.Sprintf("; example: --%s=%s", d.Name, d.Example)
	}
	fmt.Fprintf(b, "      (%s)\n", notes)
}

// placeholder shows what kind of value a flag takes.
// A switch is given without a value.
func (f *Flags) placeholder(d Flag) string {
	kind := f.KindOf(d)
	if kind == Switch {
		return ""
	}
	return "=" + string(kind)
}

// zero says what a flag without a default is.
func (f *Flags) zero(d Flag) string {
	switch f.KindOf(d) {
	case Switch:
		return "false"
	case Number, Size:
		return "0"
	}
	return "none"
}

// theirs are the flags that others registered on the same set.
// Those of tests are registered by package testing.
func (f *Flags) theirs() []string {
	var names []string
	f.set.VisitAll(func(g *flag.Flag) {
		ours := slices.ContainsFunc(f.flags, func(d Flag) bool { return d.Name == g.Name }) || f.asking()[g.Name] != nil
		if !ours && !slices.Contains(f.command.Hidden, g.Name) && !strings.HasPrefix(g.Name, "test.") {
			names = append(names, g.Name)
		}
	})
	return names
}

// wrap breaks text between words, each line after indent.
// A word longer than the line gets a line of its own, and is not broken.
func wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		// The blank counts as well.
		case column+1+len(word) > helpWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
