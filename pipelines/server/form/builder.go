package form

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// builder makes the Line of a command. It continues after a mistake, so that a form shows all mistakes at once.
type builder struct {
	// Folders are known by names that forms and the API use. They are never taken from a request.
	places Places
	values url.Values
	wrong  Mistakes
	line   Line
	rest   []string // arguments other than flags
}

// field adds the value of a field.
func (b *builder) field(verb string, f Field) {
	// Browsers send CR LF from text areas (HTML, "form submission"). For the system, a NUL would end an argument.
	value := strings.TrimSpace(strings.ReplaceAll(b.values.Get(f.Name), "\r\n", "\n"))
	if len(value) > maxValue || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		b.wrong[f.Name] = Mistake{Text: "it is too long, or not UTF-8"}
		return
	}
	if len(b.values[f.Name]) > 1 && f.Kind != Choices && f.Name != collection {
		b.wrong[f.Name] = Mistake{Text: "it takes one value"}
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
	// A default is left out, so the command line holds only the chosen values.
	case value == "" || value == f.Default:
	case f.Kind == Switch:
		// The API sends "true"; browsers send "on" for a ticked box.
		switch value {
		case "true", "on":
			b.line.Args = append(b.line.Args, "--"+f.Name)
		case "false":
		default:
			b.wrong[f.Name] = Mistake{Text: "it takes true or false"}
		}
	default:
		b.value(f, value)
	}
}

// value adds a flag with a value, if the value is valid for the flag's kind.
func (b *builder) value(f Field, value string) {
	switch f.Kind {
	case Number:
		// The number must be whole and not negative: none of our commands takes any other.
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			b.wrong[f.Name] = Mistake{Text: "it takes a whole number"}
			return
		}
	case Size:
		// Sizes are read as the commands read them, so that both refuse the same.
		if n, err := setting.ParseBytes(value); err != nil || n <= 0 {
			b.wrong[f.Name] = Mistake{Text: "it takes a size, such as 64MiB"}
			return
		}
	case Choice:
		// Only values in the command's own table are accepted.
		if !slices.Contains(f.Values, value) {
			b.wrong[f.Name] = Mistake{Text: "it takes " + strings.Join(f.Values, ", ")}
			return
		}
	}
	// It is one argument, --name=value, so a value that begins with a dash cannot become a flag.
	b.line.Args = append(b.line.Args, "--"+f.Name+"="+value)
	// Values that differ from the default describe the job for people.
	if f.Name != "format" && !f.More {
		b.line.Brief += " " + f.Name + " " + value + ","
	}
}

// choices adds a flag that takes several values, unless they are the default.
func (b *builder) choices(f Field) {
	list := b.values[f.Name]
	if len(list) == 0 {
		return // the form was sent without the field, so the default applies
	}
	// Browsers send an empty value along when no box is ticked.
	for _, v := range list {
		if v != "" && !slices.Contains(f.Values, v) {
			b.wrong[f.Name] = Mistake{Text: "it takes " + strings.Join(f.Values, ", ")}
			return
		}
	}
	// The list is copied, since DeleteFunc would change the caller's values.
	list = slices.DeleteFunc(slices.Clone(list), func(v string) bool { return v == "" })
	// Choosing nothing is a choice too if the default is not empty.
	if text := strings.Join(list, ","); text != f.Default {
		b.line.Args = append(b.line.Args, "--"+f.Name+"="+text)
	}
}

// collection adds the collection or collections that the command reads or writes.
func (b *builder) collection(verb string, f Field) {
	names := slices.DeleteFunc(slices.Clone(b.values[f.Name]), func(v string) bool { return v == "" })
	// Pages also show the first collection if none is named.
	if len(names) == 0 && len(b.places.Names) > 0 {
		names = b.places.Names[:1]
	}
	var folders []string
	for _, name := range names {
		// Only collections that the server shows can be named, never a folder's path.
		folder, ok := b.places.Collections[name]
		if !ok {
			b.wrong[f.Name] = Mistake{Text: "this server has no such collection"}
			return
		}
		folders = append(folders, folder)
	}
	// Only sources reads several collections at once.
	if len(folders) == 0 || verb != "sources" && len(folders) > 1 {
		b.wrong[f.Name] = Mistake{Text: "it takes one collection"}
		return
	}
	// When the job is done, readers are sent to the page of this collection.
	b.line.Collection = names[0]
	flag := "--collection="
	// ingest writes the collection; the others read it.
	if verb == "ingest" {
		flag = "--output="
	}
	for _, folder := range folders {
		b.line.Args = append(b.line.Args, flag+folder)
	}
	b.line.Brief += " " + strings.Join(names, ", ") + ":"
}

// plainName matches names that are valid on every system. They have no dot, slash, blank or shell character, and do
// not begin with a dash.
var plainName = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

// name adds the file of an export.
func (b *builder) name(value string) {
	if value == "" {
		value = "export"
	}
	// The extension follows from the format.
	if !plainName().MatchString(value) {
		b.wrong[filename] = Mistake{Text: "it takes letters, digits, - and _, and at most 100 of them"}
		return
	}
	b.line.Output = value
}

// finish adds the arguments that follow from the others.
func (b *builder) finish(verb string) {
	switch verb {
	case "query":
		if b.values.Get("source") != "" {
			if b.places.SourceIndex == "" {
				b.wrong["source"] = Mistake{Text: "no Source DB: start the server with --sources"}
			}
			b.line.Args = append(b.line.Args, "--sources="+b.places.SourceIndex)
		}
		// The values were checked field by field, so the format is empty or known here.
		format := b.values.Get("format")
		if format == "" {
			// Without a format, the command would print to the terminal; a job has none.
			format = exportForms[0]
			b.line.Args = append(b.line.Args, "--format="+format)
		} else if format == exportForms[0] { // the form's default differs from the command's
			b.line.Args = append(b.line.Args, "--format="+format)
		}
		// Exports is a new folder for each job, so nothing is overwritten.
		b.line.Output = filepath.Join(b.places.Exports, b.line.Output+ends[format])
		b.line.Args = append(b.line.Args, "--output="+b.line.Output)
	case "sources":
		if b.places.Sources == "" {
			// The form has no field for the folder, so the mistake is shown at the first field.
			b.wrong[collection] = Mistake{Text: "no Source DB: start the server with --sources"}
		}
		b.line.Args = append(b.line.Args, "--output="+b.places.Sources)
	}
}

// ends are the extensions of export files.
var ends = map[string]string{
	"jsonl": ".jsonl", "csv": ".csv", "parquet": ".parquet", "warc": ".warc.gz", "wacz": ".wacz", "wet": ".warc.wet.gz",
	"urls": ".txt", "recheck": ".csv",
}

// maxArchives is the maximum number of lines that name archives. Each line costs an access to the file system, and all
// must fit into a command line.
const maxArchives = 1000

// archives adds archives. Each must be below the folder of inputs.
func (b *builder) archives(value string) {
	if b.places.Inputs == "" {
		b.wrong[archives] = Mistake{Text: "the server was not told where archives are: start it with --inputs=FOLDER"}
		return
	}
	// Links in the folder's own path come from the administrator. They are resolved once, here, including those of the
	// working folder.
	named, err := filepath.Abs(b.places.Inputs)
	root := ""
	if err == nil {
		root, err = filepath.EvalSymlinks(named)
	}
	if err != nil {
		b.wrong[archives] = Mistake{Text: "the folder of inputs cannot be read"}
		return
	}
	lines := strings.Split(value, "\n")
	if value == "" || len(lines) > maxArchives {
		b.wrong[archives] = Mistake{Text: "name at least one archive, and a thousand at most"}
		return
	}
	// Empty lines count too, so a line's number is the one that the reader sees.
	for i, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		path, why := below(root, named, line)
		if why != "" {
			// Only the first wrong line is reported; the others are not checked.
			b.wrong[archives] = Mistake{Text: why, Line: i + 1}
			return
		}
		b.rest = append(b.rest, path)
	}
	// The text is kept as it was typed: the paths in the command line are longer.
	b.line.Brief += " " + strings.ReplaceAll(value, "\n", ", ")
}

// below returns the path of a name below a folder, or the reason for refusing it. The folder without links is root;
// named is the folder as the server was given it. Whole paths may begin with either.
func below(root, named, name string) (path, why string) {
	outside := "“" + name + "” is outside the input folder"
	// Commands also read addresses. A server must not fetch addresses that its users name.
	if strings.Contains(name, "://") {
		return "", "“" + name + "” is an address: forms take what lies below the input folder"
	}
	// Braces and commas belong to patterns; each alternative is checked.
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune(`/\{},`, r) }) {
		if part == ".." {
			return "", outside
		}
	}
	// A whole path is accepted if it is below the folder.
	if filepath.IsAbs(name) {
		// A slash is added at the end, so that /data-old does not count as below /data.
		clean := filepath.Clean(name) + "/"
		rest, is := strings.CutPrefix(clean, root+"/")
		if !is {
			rest, is = strings.CutPrefix(clean, named+"/")
		}
		if !is {
			return "", outside
		}
		name = strings.TrimSuffix(rest, "/")
	}
	// Patterns use "/" on every system.
	path = root + "/" + strings.TrimPrefix(name, "./")
	// The fixed part of the name must exist, and must not lead out through a link. Links that a pattern passes through
	// were put there by the folder's owner, and are trusted.
	fixed := path
	// The fixed part ends at the last folder before the first character of a pattern.
	if at := strings.IndexAny(path[len(root):], `*?[{\`); at >= 0 {
		fixed = filepath.Dir(path[:len(root)+at] + "x")
	}
	// This resolves all links of the fixed part; the result decides.
	real, err := filepath.EvalSymlinks(fixed)
	switch {
	case os.IsNotExist(err):
		return "", "“" + name + "” is not there"
	case err != nil:
		return "", "“" + name + "” cannot be read"
	// It is compared with the resolved root, since root itself may contain links.
	case real != root && !strings.HasPrefix(real, root+"/"):
		return "", outside
	}
	return path, ""
}
