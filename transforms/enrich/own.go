package enrich

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
)

// Extractor is an extractor of one's own. A program that has it registers it, and then it is asked for by its name as
// the others are, in ingest and in Options.Extract.
type Extractor interface {
	// Name is what it is asked for by: lower-case letters, digits and "_", at most 64, and no name that is there.
	Name() string
	// Version changes whenever the same page gives something else. It is kept with what was made, so that a later run
	// knows what is out of date and makes that again.
	Version() string
	// Columns are the keys of Document.Custom that it sets. Each is made by one extractor or --select alone.
	Columns() []string
	// Extract finds the values of its columns. It is a function of the page, called by several goroutines at the same
	// time. An error becomes one of the document, which then has none of the values, as it is with a panic.
	Extract(p *Page) (map[string][]string, error)
}

// Typed is an Extractor whose columns have types: their values, which Extract writes as texts, are kept as numbers,
// times, and true and false. One that its type does not take is an error of the document.
type Typed interface {
	Extractor
	// Types are those of its columns; one that is not there has texts. With other types Version changes.
	Types() map[string]schemas.ValueType
}

// TypesOf are the types of the columns of extractors, by their names, except for those of texts; nil for none.
func TypesOf(extractors []string) (types map[string]schemas.ValueType) {
	for _, x := range own() {
		t, is := x.(Typed)
		if !is || !slices.Contains(extractors, x.Name()) {
			continue
		}
		for column, of := range t.Types() {
			if of == schemas.TypeText {
				continue
			}
			if types == nil {
				types = map[string]schemas.ValueType{}
			}
			types[column] = of
		}
	}
	return types
}

// typeOf is the type of a column of an extractor.
func typeOf(x Extractor, column string) schemas.ValueType {
	if t, is := x.(Typed); is {
		return cmp.Or(t.Types()[column], schemas.TypeText)
	}
	return schemas.TypeText
}

// Page is a capture as extractors of one's own see it. It is valid during the call, and what it gives is to be read
// only.
type Page struct{ w *work }

// Capture is the capture, with its body as it was sent.
func (p *Page) Capture() *schemas.Capture { return p.w.c }

// Document is what the other extractors have found, as far as they were asked for and run on this capture.
func (p *Page) Document() *schemas.Document { return p.w.d }

// Text is the main text, whether the document has it or not; empty where there is none.
func (p *Page) Text() string { return p.w.mainText().Text }

// HTML is the page as UTF-8; nil of what is not HTML.
func (p *Page) HTML() []byte {
	if !p.w.isHTML() {
		return nil
	}
	return p.w.utf8()
}

// registry has the extractors of the program, by their names. It is global since Beam's workers are the same program,
// started again: what they know when main begins is all that they can know of functions, and options name it.
var registry = struct {
	sync.RWMutex
	own map[string]Extractor
}{own: map[string]Extractor{}}

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// MustRegister makes extractors known. It is for functions called init, and panics when a name or a column cannot be,
// or is there already.
func MustRegister(list ...Extractor) {
	registry.Lock()
	defer registry.Unlock()
	for _, x := range list {
		name := x.Name()
		if !namePattern.MatchString(name) || slices.Contains(stageNames[:], name) || registry.own[name] != nil {
			panic(fmt.Sprintf("enrich: %q cannot be the name of an extractor, or is one", name))
		}
		for _, column := range x.Columns() {
			if column == "" || !utf8.ValidString(column) || ownerOf(column) != "" {
				panic(fmt.Sprintf("enrich: %q cannot be a column of %s, or is made by %q", column, name, ownerOf(column)))
			}
		}
		checkTypes(x)
		registry.own[name] = x
	}
}

// checkTypes panics when an extractor has types of columns that it does not make, or that there are not.
func checkTypes(x Extractor) {
	t, is := x.(Typed)
	if !is {
		return
	}
	for column, of := range t.Types() {
		if !slices.Contains(x.Columns(), column) || !slices.Contains(schemas.ValueTypes(), of) {
			panic(fmt.Sprintf("enrich: the column %q of %s cannot be of the type %q", column, x.Name(), of))
		}
	}
}

// ownerOf is the registered extractor that makes a custom column; empty for none. The registry is locked.
func ownerOf(column string) string {
	for name, x := range registry.own {
		if slices.Contains(x.Columns(), column) {
			return name
		}
	}
	return ""
}

// OwnerOf is the registered extractor that makes a key of Document.Custom; empty for none.
func OwnerOf(column string) string {
	registry.RLock()
	defer registry.RUnlock()
	return ownerOf(column)
}

// IsOwn reports whether a name is that of a registered extractor.
func IsOwn(name string) bool {
	registry.RLock()
	defer registry.RUnlock()
	return registry.own[name] != nil
}

// own are the registered extractors in the order in which they run: by their names.
func own() (list []Extractor) {
	registry.RLock()
	defer registry.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(registry.own)) {
		list = append(list, registry.own[name])
	}
	return list
}

// maxValue bounds a value of an extractor of one's own, in bytes: a sentence or a list of them, and no second text.
const maxValue = 64 << 10

// runOwn has an extractor of one's own say what it has to say.
func (w *work) runOwn(x Extractor) {
	values, err := x.Extract(&Page{w})
	if err == nil {
		err = checkOwn(x, values)
	}
	if err != nil {
		w.fail(x.Name(), schemas.KindDecode, err.Error())
		return
	}
	for column, list := range values {
		// Copied, as the extractor may use its slice again. checkOwn has tried it.
		if err := w.d.SetCustom(column, typeOf(x, column), list); err != nil {
			w.fail(x.Name(), schemas.KindDecode, err.Error())
		}
	}
}

// checkOwn finds values that a document cannot hold. Columns go by their names, so that the error is the same each
// time.
func checkOwn(x Extractor, values map[string][]string) error {
	for _, column := range slices.Sorted(maps.Keys(values)) {
		list := values[column]
		if !slices.Contains(x.Columns(), column) {
			return fmt.Errorf("%q is none of its columns, %s", column, strings.Join(x.Columns(), ", "))
		}
		if len(list) > maxValues {
			return fmt.Errorf("%s has %d values, more than %d", column, len(list), maxValues)
		}
		for _, v := range list {
			if len(v) > maxValue || !utf8.ValidString(v) {
				return fmt.Errorf("%s has a value of %d bytes that is longer than %d, or no UTF-8", column, len(v), maxValue)
			}
		}
		if err := new(schemas.Document).SetCustom(column, typeOf(x, column), list); err != nil {
			return err
		}
	}
	return nil
}
