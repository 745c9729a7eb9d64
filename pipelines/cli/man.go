package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// man prints the manual page of the program, or of the command in args.
func (p Program) man(args []string) (int, error) {
	if len(args) == 0 {
		Say(os.Stdout, "%s", p.roff())
		return ExitDone, nil
	}
	pages, name := p.pages(), strings.Join(args, " ")
	i := slices.IndexFunc(pages, func(c page) bool { return c.name == name })
	if i < 0 {
		return ExitUsage, Usagef("there is no command %q%s", name, Suggest(name, p.names(), p.Name+" man "))
	}
	Say(os.Stdout, "%s", p.roffOf(pages[i]))
	return ExitDone, nil
}

// roffText escapes a text for man pages: see man(7).
func roffText(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l // it is not a request
		}
	}
	return strings.Join(lines, "\n")
}

// head returns the start of a page.
func (p Program) head(name, brief string) string {
	name = roffText(name)
	return fmt.Sprintf(".TH %s 1 \"\" \"%s %s\" \"Gleaner manual\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n",
		strings.ToUpper(name), p.Name, Release, name, roffText(brief))
}

// roff returns the page of the program.
func (p Program) roff() string {
	var b strings.Builder
	first, _, _ := strings.Cut(p.Summary, "\n")
	b.WriteString(p.head(p.Name, strings.TrimSuffix(first, ".")))
	fmt.Fprintf(&b, ".B %s\n.I command\n[flags] [arguments]\n.SH DESCRIPTION\n", p.Name)
	paragraphs(&b, p.Summary)
	b.WriteString(".SH COMMANDS\n")
	var see []string
	for _, c := range p.pages() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roffText(c.name), roffText(c.brief))
		see = append(see, p.pageName(c))
	}
	b.WriteString(".SH EXAMPLES\n")
	examples(&b, p.Examples)
	seeAlso(&b, see)
	return b.String()
}

// pageName returns the name of a command's page, such as gleaner-corpus-stats.
func (p Program) pageName(c page) string {
	return p.Name + "-" + strings.ReplaceAll(c.name, " ", "-")
}

// roffOf returns the page of a command.
func (p Program) roffOf(c page) string {
	var b strings.Builder
	about := c.flags.command
	b.WriteString(p.head(p.pageName(c), c.brief))
	fmt.Fprintf(&b, ".B %s %s\n[flags] %s\n.SH DESCRIPTION\n", p.Name, roffText(c.name), roffText(about.Args))
	paragraphs(&b, about.Summary)
	if about.Table != "" {
		fmt.Fprintf(&b, ".PP\n.EX\n%s\n.EE\n", roffText(strings.TrimRight(about.Table, "\n")))
	}
	b.WriteString(".SH OPTIONS\n")
	for _, group := range c.flags.groups() {
		fmt.Fprintf(&b, ".SS %s\n", roffText(group))
		for _, s := range c.flags.settings {
			if s.Group == group {
				name := roffText("--" + s.Name)
				if kind := s.Kind(); kind != "" {
					name += `=\fI` + string(kind) + `\fR`
				}
				fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n.br\n(%s)\n", name, roffText(s.Help), roffText(notes(s)))
			}
		}
	}
	b.WriteString(".SS Common\n.TP\n\\fB\\-\\-config\\fR=\\fIFILE\\fR\n" +
		"YAML file with values of flags that are not on the command line.\n.SH ENVIRONMENT\n.TP\n.B GLEANER_\\fINAME\\fR\n" +
		"is the value of the flag of that name, as in " +
		"GLEANER_LOG_LEVEL=warn, where the command line has none. It wins over the file.\n.SH EXAMPLES\n")
	var lines []string
	for _, e := range about.Examples {
		lines = append(lines, strings.Replace(e, "go run ./pipelines/", p.Name+" ", 1))
	}
	examples(&b, lines)
	seeAlso(&b, []string{p.Name})
	return b.String()
}

// paragraphs writes a text whose lines are paragraphs.
func paragraphs(b *strings.Builder, text string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(b, ".PP\n%s\n", roffText(paragraph))
	}
}

func examples(b *strings.Builder, lines []string) {
	fmt.Fprintf(b, ".EX\n%s\n.EE\n", roffText(strings.Join(lines, "\n")))
}

func seeAlso(b *strings.Builder, names []string) {
	var lines []string
	for _, name := range names {
		lines = append(lines, ".BR "+roffText(name)+" (1)")
	}
	fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(lines, ",\n"))
}
