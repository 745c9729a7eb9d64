package cli

import (
	"cmp"
	"flag"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// helpWidth is in columns.
const helpWidth = 92

// Help returns the text of --help: the command, its flags by group, and the names of flags of other packages. Flags
// are in the order of their definition.
func (f *Flags) Help() string {
	var b strings.Builder
	c := f.command
	// Each line of the summary is a paragraph.
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
		for _, d := range f.settings {
			if d.Group == group {
				describe(&b, d)
			}
		}
	}
	// These three are in no list: see asking.
	b.WriteString("  -h\n      print the most used flags\n  --help\n      print this\n" +
		"  --version\n      print the versions of the program and of what it is made of\n" +
		"  --config=FILE\n      YAML file with values of flags that are not on the command line, as output: /data/out;\n" +
		"      GLEANER_OUTPUT in the environment wins over it (docs/configuration.md)\n")
	if theirs := f.theirs(); len(theirs) > 0 && c.Others != "" {
		fmt.Fprintf(&b, "\n%s:\n%s\n", c.Others, wrap("--"+strings.Join(theirs, " --"), "  "))
	}
	return b.String()
}

// BriefHelp returns the text of -h, at most 20 lines: the flags with a Brief, and an example.
func (f *Flags) BriefHelp() string {
	var b strings.Builder
	c := f.command
	first, _, _ := strings.Cut(c.Summary, "\n")
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", wrap(c.Name+": "+first, ""), strings.TrimSpace(within+c.Name+" [flags] "+c.Args))
	if len(c.Examples) > 0 {
		// The first example is the shortest and shows no flags.
		fmt.Fprintf(&b, "  %s\n\n", example(c.Examples[min(1, len(c.Examples)-1)]))
	}
	for _, d := range f.settings {
		if d.Brief != "" {
			fmt.Fprintf(&b, "  %-24s %s\n", "--"+d.Name+placeholder(d), d.Brief)
		}
	}
	fmt.Fprintf(&b, "\n--help tells of all %d flags, --version what this program is made of.\n", len(f.settings))
	return b.String()
}

// example adapts the example of a command, written for the source tree, to the installed program.
func example(line string) string {
	if within == "" {
		return line
	}
	return strings.Replace(line, "go run ./pipelines/", within, 1)
}

// groups returns the headings in the order of their first flags, except that Running, which all commands share, is
// last.
func (f *Flags) groups() []string {
	var groups []string
	for _, d := range f.settings {
		if !slices.Contains(groups, d.Group) {
			groups = append(groups, d.Group)
		}
	}
	if i := slices.Index(groups, "Running"); i >= 0 {
		groups = append(slices.Delete(groups, i, i+1), "Running")
	}
	return groups
}

// describe writes the help of one flag.
func describe(b *strings.Builder, d setting.Setting) {
	fmt.Fprintf(b, "  --%s%s\n%s\n", d.Name, placeholder(d), wrap(d.Help, "      "))
	fmt.Fprintf(b, "      (%s)\n", notes(d))
}

// notes returns the default of a flag, and an example.
func notes(d setting.Setting) string {
	text := "default: " + cmp.Or(d.Default, zero(d))
	if d.Example != "" {
		text += fmt.Sprintf("; example: --%s=%s", d.Name, d.Example)
	}
	return text
}

// placeholder shows the kind of a flag's value; a switch has none.
func placeholder(d setting.Setting) string {
	kind := d.Kind()
	if kind == setting.Switch {
		return ""
	}
	return "=" + string(kind)
}

// zero describes a flag without a default.
func zero(d setting.Setting) string {
	switch d.Kind() {
	case setting.Switch:
		return "false"
	case setting.Number, setting.Size:
		return "0"
	}
	return "none"
}

// theirs returns flags that others registered on the same set, except those of package testing, if the command takes
// them.
func (f *Flags) theirs() []string {
	if f.command.Others == "" {
		return nil
	}
	var names []string
	f.set.VisitAll(func(g *flag.Flag) {
		if f.isTheirs(g.Name) && !slices.Contains(f.command.Hidden, g.Name) {
			names = append(names, g.Name)
		}
	})
	return names
}

// isTheirs reports whether another package registered the flag, other than package testing.
func (f *Flags) isTheirs(name string) bool {
	return !f.has(name) && f.asking()[name] == nil && name != configFlag && !strings.HasPrefix(name, "test.")
}

// wrap breaks text between words and indents each line. Longer words are not broken.
func wrap(text, indent string) string { return wrapParts(strings.FieldsSeq(text), indent) }

// wrapParts is wrap for parts that may have several words, between which it does not break.
func wrapParts(parts iter.Seq[string], indent string) string {
	var b strings.Builder
	column := 0
	for word := range parts {
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
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
