package enrich

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Extractor is a custom extractor. A program registers it, and then requests it by name like the others, in ingest and
// in Options.Extract.
type Extractor interface {
	// Name returns its name: lower-case letters, digits and "_", at most 64, different from all other names.
	Name() string
	// Version changes whenever the same page has another result. It is stored with results, so that a later run can
	// find outdated ones and make them again.
	Version() string
	// Columns returns the keys of Document.Custom that it sets. Only one extractor or --select may make each key.
	Columns() []string
	// Extract returns the values of its columns. It is a function of the page and called by several goroutines at the
	// same time. After an error or a panic, the document has an error and none of the values.
	Extract(p *Page) (map[string][]string, error)
}

// Typed is an Extractor whose columns have types. Extract returns their values as texts, and they are stored as
// numbers, times or booleans. A value that does not fit its type is an error of the document.
type Typed interface {
	Extractor
	// Types returns the types of its columns; others hold texts. If types change, Version must change too.
	Types() map[string]schemas.ValueType
}

// TypesOf returns the types of the columns of extractors, by name, except for texts. It may return nil.
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

// typeOf returns the type of a column of an extractor.
func typeOf(x Extractor, column string) schemas.ValueType {
	if t, is := x.(Typed); is {
		return cmp.Or(t.Types()[column], schemas.TypeText)
	}
	return schemas.TypeText
}

// Page is a capture for custom extractors. It is valid during the call, and its data is read-only.
type Page struct{ w *work }

// Capture returns the capture, with its body as sent.
func (p *Page) Capture() *schemas.Capture { return p.w.c }

// Document returns the results of the other extractors that were requested and ran on this capture.
func (p *Page) Document() *schemas.Document { return p.w.d }

// Text returns the main text, whether the document has it or not, or "".
func (p *Page) Text() string { return p.w.mainText().Text }

// HTML returns the page as UTF-8, or nil if the capture is not HTML.
func (p *Page) HTML() []byte {
	if !p.w.isHTML() {
		return nil
	}
	return p.w.utf8()
}

// registry holds the extractors of the program, by name. It is global since Beam's workers are the same program,
// started again. They can know functions only from the beginning of main, and options refer to these by name.
var registry = struct {
	sync.RWMutex
	own map[string]Extractor
}{own: map[string]Extractor{}}

var namePattern = pattern.Lazy(`^[a-z][a-z0-9_]{0,63}$`)

// MustRegister registers extractors. It is for functions called init, and panics if Register returns an error.
func MustRegister(list ...Extractor) {
	for _, x := range list {
		if err := Register(x); err != nil {
			panic("enrich: " + err.Error())
		}
	}
}

// Register registers an extractor. It returns an error if a name, a column or a type is invalid, or a name or a column
// is taken.
func Register(x Extractor) error {
	registry.Lock()
	defer registry.Unlock()
	name := x.Name()
	if !namePattern().MatchString(name) || slices.Contains(stageNames[:], name) || registry.own[name] != nil {
		return fmt.Errorf("%q cannot be the name of an extractor, or is one", name)
	}
	for _, column := range x.Columns() {
		if column == "" || !utf8.ValidString(column) || ownerOf(column) != "" {
			return fmt.Errorf("%q cannot be a column of %s, or is made by %q", column, name, ownerOf(column))
		}
	}
	if err := checkTypes(x); err != nil {
		return err
	}
	registry.own[name] = x
	return nil
}

// Unregister removes an extractor.
func Unregister(name string) {
	registry.Lock()
	defer registry.Unlock()
	delete(registry.own, name)
}

// checkTypes returns an error if an extractor has types for columns that it does not make, or unknown types.
func checkTypes(x Extractor) error {
	t, is := x.(Typed)
	if !is {
		return nil
	}
	types := t.Types()
	for _, column := range slices.Sorted(maps.Keys(types)) {
		if of := types[column]; !slices.Contains(x.Columns(), column) || !slices.Contains(schemas.ValueTypes(), of) {
			return fmt.Errorf("the column %q of %s cannot be of the type %q", column, x.Name(), of)
		}
	}
	return nil
}

// ownerOf returns the registered extractor that makes a custom column, or "". The registry must be locked.
func ownerOf(column string) string {
	for name, x := range registry.own {
		if slices.Contains(x.Columns(), column) {
			return name
		}
	}
	return ""
}

// OwnerOf returns the registered extractor that makes a key of Document.Custom, or "".
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

// own returns the registered extractors in the order in which they run, by name.
func own() (list []Extractor) {
	registry.RLock()
	defer registry.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(registry.own)) {
		list = append(list, registry.own[name])
	}
	return list
}

// maxValue bounds a value of a custom extractor, in bytes. A value is a sentence or a list, not a second text.
const maxValue = 64 << 10

// choose sets the custom extractors that are asked for. Batched ones are last, as they may run later than all others.
func (e *Enricher) choose(names []string) {
	for _, x := range own() {
		if !slices.Contains(names, x.Name()) {
			continue
		}
		if b, is := x.(Batched); is {
			e.batched = append(e.batched, b)
		} else {
			e.own = append(e.own, x)
		}
	}
	for _, x := range e.batched {
		e.own = append(e.own, x)
	}
}

// runOwn runs the custom extractors. They are last, so that they see the results of all others.
func (w *work) runOwn() {
	now := w.e.own
	if w.later {
		now = now[:len(now)-len(w.e.batched)]
	}
	for _, x := range now {
		if w.off(x.Name()) {
			continue
		}
		w.watch.turn(stageOwn)
		w.guard(x.Name(), func(w *work) {
			values, err := x.Extract(&Page{w})
			setOwn(w.d, x, values, err)
		})
	}
	if w.later {
		w.watch.turn(stageOwn)
		w.keep()
	}
}

// setOwn sets the values of a custom extractor, or notes its error.
func setOwn(d *schemas.Document, x Extractor, values map[string][]string, err error) {
	if err == nil {
		err = SetValues(d, x, values)
	}
	if err != nil {
		fail(d, x.Name(), schemas.KindDecode, err.Error())
	}
}

// SetValues sets the values of a custom extractor. It returns an error for values that a document cannot hold, and then
// sets none.
func SetValues(d *schemas.Document, x Extractor, values map[string][]string) error {
	if err := checkOwn(x, values); err != nil {
		return err
	}
	for column, list := range values {
		// The list is copied, as the extractor may reuse its slice.
		if err := d.SetCustom(column, typeOf(x, column), list); err != nil {
			return err // checkOwn has tested it
		}
	}
	return nil
}

// checkOwn returns an error for values that a document cannot hold. Columns are checked in the order of names, so that
// the error is the same each time.
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
