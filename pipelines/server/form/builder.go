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

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// builder makes a command line. A Line in the making. It goes on after a mistake, so that a form tells all of them at
// once.
type builder struct {
	// By the names that forms and the API know; folders are never taken from a request.
	places Places
	values url.Values
	wrong  Mistakes
	line   Line
	rest   []string // arguments that are not flags
}

// field adds what was filled into a field.
func (b *builder) field(verb string, f Field) {
	// Browsers send CR LF from text areas (HTML, "form submission"). A NUL would end an argument for
	// the system.
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
	// A default is left out, so that the command line says only what was asked for.
	case value == "" || value == f.Default:
	case f.Kind == Switch:
		// "true" is the API's word, and "on" is what browsers send for a box.
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

// value adds a flag with a value, if it is one of its kind.
func (b *builder) value(f Field, value string) {
	switch f.Kind {
	case Number:
		// Whole and not negative: no command of ours takes another number.
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			b.wrong[f.Name] = Mistake{Text: "it takes a whole number"}
			return
		}
	case Size:
		// As the commands read sizes themselves, so that both refuse the same.
		if n, err := setting.ParseBytes(value); err != nil || n <= 0 {
			b.wrong[f.Name] = Mistake{Text: "it takes a size, such as 64MiB"}
			return
		}
	case Choice:
		// Only what the command's own table lists.
		if !slices.Contains(f.Values, value) {
			b.wrong[f.Name] = Mistake{Text: "it takes " + strings.Join(f.Values, ", ")}
			return
		}
	}
	// One argument, --name=value: a value that begins with a dash cannot become a flag.
	b.line.Args = append(b.line.Args, "--"+f.Name+"="+value)
	// What was changed from the standard describes the job for people.
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
	// An empty value is the box that browsers send along when none is ticked.
	for _, v := range list {
		if v != "" && !slices.Contains(f.Values, v) {
			b.wrong[f.Name] = Mistake{Text: "it takes " + strings.Join(f.Values, ", ")}
			return
		}
	}
	// A clone: DeleteFunc would write into the caller's values.
	list = slices.DeleteFunc(slices.Clone(list), func(v string) bool { return v == "" })
	// Nothing chosen is a choice too, where the default is not empty.
	if text := strings.Join(list, ","); text != f.Default {
		b.line.Args = append(b.line.Args, "--"+f.Name+"="+text)
	}
}

// collection adds the collection, or collections, that the command reads or writes.
func (b *builder) collection(verb string, f Field) {
	names := slices.DeleteFunc(slices.Clone(b.values[f.Name]), func(v string) bool { return v == "" })
	// The first collection is the one that pages show without a name, too.
	if len(names) == 0 && len(b.places.Names) > 0 {
		names = b.places.Names[:1]
	}
	var folders []string
	for _, name := range names {
		// A name that the server does not show leads nowhere: no folder can be asked for by its path.
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
	// Its page is where a reader is led when the job is done.
	b.line.Collection = names[0]
	flag := "--collection="
	// ingest writes to it, the others read it.
	if verb == "ingest" {
		flag = "--output="
	}
	for _, folder := range folders {
		b.line.Args = append(b.line.Args, flag+folder)
	}
	b.line.Brief += " " + strings.Join(names, ", ") + ":"
}

// plainName is the name of a file that is one everywhere. No dot, slash, blank or sign of a shell, and not a dash in
// front.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

// name adds the file of an export.
func (b *builder) name(value string) {
	if value == "" {
		value = "export"
	}
	// The end of the name follows from the format.
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
		// Values have been checked by field, so an empty or known format is all that comes here.
		format := b.values.Get("format")
		if format == "" {
			// The command would print to the terminal without a format; a job has none.
			format = exportForms[0]
			b.line.Args = append(b.line.Args, "--format="+format)
		} else if format == exportForms[0] { // the form's default is not the command's
			b.line.Args = append(b.line.Args, "--format="+format)
		}
		// Exports is a new folder for each job, so nothing is written over.
		b.line.Output = filepath.Join(b.places.Exports, b.line.Output+ends[format])
		b.line.Args = append(b.line.Args, "--output="+b.line.Output)
	case "sources":
		if b.places.Sources == "" {
			// The form has no field for the folder: the mistake is at the first one.
			b.wrong[collection] = Mistake{Text: "no Source DB: start the server with --sources"}
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
// Each line costs a look at the file system, and all have to fit into a command line.
const maxArchives = 1000

// archives adds archives, each below the folder of inputs.
func (b *builder) archives(value string) {
	if b.places.Inputs == "" {
		b.wrong[archives] = Mistake{Text: "the server was not told where archives are: start it with --inputs=FOLDER"}
		return
	}
	// Links in the folder's own path are the administrator's, and are followed once, here: also those of the
	// folder that the server was started in.
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
	// Empty lines count, so that the number of a line is what the reader sees.
	for i, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		path, why := below(root, named, line)
		if why != "" {
			// The first line that is wrong is told; the others are not looked at.
			b.wrong[archives] = Mistake{Text: why, Line: i + 1}
			return
		}
		b.rest = append(b.rest, path)
	}
	// As it was typed: the paths in the command line are longer.
	b.line.Brief += " " + strings.ReplaceAll(value, "\n", ", ")
}

// below is the path of what is named below a folder, or why it is refused. root is the folder without links, named is
// it as the server was told, by which whole paths may begin as well.
func below(root, named, name string) (path, why string) {
	outside := "“" + name + "” is outside the input folder"
	// Commands read addresses as well; a server must not fetch what its users name.
	if strings.Contains(name, "://") {
		return "", "“" + name + "” is an address: forms take what lies below the input folder"
	}
	// Braces and commas are those of patterns: each of their alternatives counts.
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune(`/\{},`, r) }) {
		if part == ".." {
			return "", outside
		}
	}
	// A whole path is fine as long as it is below the folder.
	if filepath.IsAbs(name) {
		// With a slash at the end, so that /data-old is not below /data.
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
	// By "/", since patterns have it on every system.
	path = root + "/" + strings.TrimPrefix(name, "./")
	// What is fixed of the name must be there, and must not lead out by a link. A pattern goes through the links that
	// whoever fills the folder has put there.
	fixed := path
	// Up to the last folder before the first sign of a pattern.
	if at := strings.IndexAny(path[len(root):], `*?[{\`); at >= 0 {
		fixed = filepath.Dir(path[:len(root)+at] + "x")
	}
	// This follows all links of what is fixed: where it ends up decides.
	real, err := filepath.EvalSymlinks(fixed)
	switch {
	case os.IsNotExist(err):
		return "", "“" + name + "” is not there"
	case err != nil:
		return "", "“" + name + "” cannot be read"
	// Compared with the resolved root, as root may have links itself.
	case real != root && !strings.HasPrefix(real, root+"/"):
		return "", outside
	}
	return path, ""
}
