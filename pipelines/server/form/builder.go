package form

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// builder makes a command line.
type builder struct {
	places Places
	values url.Values
	wrong  Mistakes
	line   Line
	rest   []string // arguments that are no flags
}

// field adds what was filled into a field.
func (b *builder) field(verb string, f Field) {
	// Forms send line ends as CR LF, whatever the system (HTML, "form submission").
	value := strings.TrimSpace(strings.ReplaceAll(b.values.Get(f.Name), "\r\n", "\n"))
	// A zero byte ends an argument of a process, and would cut it.
	if len(value) > maxValue || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		b.wrong[f.Name] = Mistake{Text: "it is too long, or not UTF-8"}
		return
	}
	switch {
	case f.Name == archives:
		b.archives(value)
	case f.Name == collection:
		b.collection(verb, f)
	case f.Name == filename:
		b.name(value)
	case f.Kind == Choices:
		b.choices(f)
	// What is the command's own default is left to the command: the line that people read is shorter.
	case value == "" || value == f.Default:
	case f.Kind == Switch:
		if value == "true" || value == "on" {
			b.line.Args = append(b.line.Args, "--"+f.Name)
		}
	default:
		b.value(f, value)
	}
}

// value adds a flag with a value, if it is one of its kind.
func (b *builder) value(f Field, value string) {
	switch f.Kind {
	case Number:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			b.wrong[f.Name] = Mistake{Text: "it takes a whole number"}
			return
		}
	case Size:
		if n, err := cli.ParseBytes(value); err != nil || n <= 0 {
			b.wrong[f.Name] = Mistake{Text: "it takes a size, such as 64MiB"}
			return
		}
	case Choice:
		if !slices.Contains(f.Values, value) {
			b.wrong[f.Name] = Mistake{Text: "it takes " + strings.Join(f.Values, ", ")}
			return
		}
	}
	// One argument with an equals sign, so that a value that begins with a hyphen is no flag. No shell
	// reads it.
	b.line.Args = append(b.line.Args, "--"+f.Name+"="+value)
	// The brief names what tells jobs apart in a list.
	if f.Name != "format" && !f.More {
		b.line.Brief += " " + f.Name + " " + value + ","
	}
}

// choices adds a flag that takes several values, when they are not those of its default.
func (b *builder) choices(f Field) {
	list := b.values[f.Name]
	if len(list) == 0 {
		return // the form was sent without the field: the default holds
	}
	for _, v := range list {
		if v != "" && !slices.Contains(f.Values, v) {
			b.wrong[f.Name] = Mistake{Text: "it takes " + strings.Join(f.Values, ", ")}
			return
		}
	}
	// The empty value comes with each form: it tells "none was chosen" from "was not in the form".
	// Cloned, since DeleteFunc would write into the caller's values.
	list = slices.DeleteFunc(slices.Clone(list), func(v string) bool { return v == "" })
	if text := strings.Join(list, ","); text != f.Default {
		b.line.Args = append(b.line.Args, "--"+f.Name+"="+text)
	}
}

// collection adds the collection, or collections, that the command reads or writes.
func (b *builder) collection(verb string, f Field) {
	names := slices.DeleteFunc(slices.Clone(b.values[f.Name]), func(v string) bool { return v == "" })
	// The first is the one that pages without a collection's name mean.
	if len(names) == 0 && len(b.places.Names) > 0 {
		names = b.places.Names[:1]
	}
	var folders []string
	for _, name := range names {
		// Looked up and never made of the name: what a form says becomes no path.
		folder, ok := b.places.Collections[name]
		if !ok {
			b.wrong[f.Name] = Mistake{Text: "this server has no such collection"}
			return
		}
		folders = append(folders, folder)
	}
	// Only "sources" reads several collections at once.
	if len(folders) == 0 || verb != "sources" && len(folders) > 1 {
		b.wrong[f.Name] = Mistake{Text: "it takes one collection"}
		return
	}
	b.line.Collection = names[0]
	flag := "--collection="
	if verb == "ingest" {
		flag = "--output="
	}
	for _, folder := range folders {
		b.line.Args = append(b.line.Args, flag+folder)
	}
	b.line.Brief += " " + strings.Join(names, ", ") + ":"
}

// plainName is the name of a file that is one everywhere.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

// name adds the file of an export.
func (b *builder) name(value string) {
	if value == "" {
		value = "export"
	}
	if !plainName.MatchString(value) {
		b.wrong[filename] = Mistake{Text: "it takes letters, digits, - and _, and at most 100 of them"}
		return
	}
	b.line.Output = value
}

// finish adds what follows from what was asked for.
func (b *builder) finish(verb string) {
	switch verb {
	case "query":
		format := b.values.Get("format")
		if format == "" {
			format = exportForms[0]
			b.line.Args = append(b.line.Args, "--format="+format)
		} else if format == exportForms[0] { // the form's default is not the command's
			b.line.Args = append(b.line.Args, "--format="+format)
		}
		// The name was checked to be plain, so that this stays within the folder.
		b.line.Output = filepath.Join(b.places.Exports, b.line.Output+ends[format])
		b.line.Args = append(b.line.Args, "--output="+b.line.Output)
	case "sources":
		if b.places.Sources == "" {
			b.wrong[collection] = Mistake{Text: "the server was not told where the Source DB is: start it with --sources"}
		}
		b.line.Args = append(b.line.Args, "--output="+b.places.Sources)
	}
}

// ends are the ends of the names of exports.
var ends = map[string]string{
	"jsonl": ".jsonl", "csv": ".csv", "parquet": ".parquet", "warc": ".warc.gz", "wacz": ".wacz", "wet": ".warc.wet.gz",
	"urls": ".txt",
}

// maxArchives is how many lines name archives.
const maxArchives = 1000

// archives adds archives, each below the folder of inputs.
func (b *builder) archives(value string) {
	if b.places.Inputs == "" {
		b.wrong[archives] = Mistake{Text: "the server was not told where archives are: start it with --inputs=FOLDER"}
		return
	}
	// Links of the folder itself are followed once and for all: what is named is compared with where
	// it really is.
	root, err := filepath.EvalSymlinks(b.places.Inputs)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		b.wrong[archives] = Mistake{Text: "the folder of inputs cannot be read"}
		return
	}
	// Bounded by maxValue already; the number is for the length of a command line that people read.
	lines := strings.Split(value, "\n")
	if value == "" || len(lines) > maxArchives {
		b.wrong[archives] = Mistake{Text: "name at least one archive, and a thousand at most"}
		return
	}
	for i, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		// Given to the command by its absolute path, since jobs need not run in the server's folder.
		path, why := below(root, line)
		if why != "" {
			b.wrong[archives] = Mistake{Text: why, Line: i + 1}
			return
		}
		b.rest = append(b.rest, path)
	}
	b.line.Brief += " " + strings.ReplaceAll(value, "\n", ", ")
}

// below is the path of what is named below a folder, or why it is refused.
func below(root, name string) (path, why string) {
	outside := "“" + name + "” is outside the input folder"
	// The command would fetch it: a form could make the server ask others of its network (SSRF).
	if strings.Contains(name, "://") {
		return "", "“" + name + "” is an address: forms take what lies below the input folder"
	}
	// Braces and commas are those of patterns: each of their alternatives counts.
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune(`/\{},`, r) }) {
		if part == ".." {
			return "", outside
		}
	}
	// An absolute path is taken if it lies below: people copy them from listings.
	if filepath.IsAbs(name) {
		// With the slash at both ends, or /data/warcs-secret would lie below /data/warcs.
		rest, is := strings.CutPrefix(filepath.Clean(name)+"/", root+"/")
		if !is {
			return "", outside
		}
		name = strings.TrimSuffix(rest, "/")
	}
	path = root + "/" + strings.TrimPrefix(name, "./")
	// What is fixed of the name must be there, and must not lead out by a link. A pattern goes through the links that
	// whoever fills the folder has put there.
	fixed := path
	if at := strings.IndexAny(path[len(root):], `*?[{\`); at >= 0 {
		fixed = filepath.Dir(path[:len(root)+at] + "x")
	}
	real, err := filepath.EvalSymlinks(fixed)
	switch {
	case os.IsNotExist(err):
		return "", "“" + name + "” is not there"
	case err != nil:
		return "", "“" + name + "” cannot be read"
	case real != root && !strings.HasPrefix(real, root+"/"):
		return "", outside
	}
	return path, ""
}
