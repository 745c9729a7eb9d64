package odmio

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/filter"

	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

type ResourceVersion struct{ *odm.RowVersion }

type (
	resource = odm.Row[string, ResourceVersion]
	numbered = odm.Row[int64, ResourceVersion]
)

func init() {
	Register[string, ResourceVersion]()
	Register[int64, ResourceVersion]()
	beam.RegisterFunction(read)
	beam.RegisterFunction(byValue)
	beam.RegisterFunction(withKey)
	beam.RegisterFunction(number)
	beam.RegisterFunction(say)
	beam.RegisterFunction(sayNumbered)
	beam.RegisterFunction(sayGroup)
	beam.RegisterFunction(all)
}

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func columns(s *odm.RowSchema) {
	s.AddColumn("content", "content", odm.Bytes)
	s.AddColumn("length", "metadata", odm.Long)
}

// read emits a row of two versions; one without versions for an empty text.
func read(text string, emit func(*resource)) error {
	row := odm.NewCollection[string, ResourceVersion](new(memory.Database), columns).NewRow("k" + text)
	for i := range int64(len(text)) {
		v := row.CreateRowVersion(time.UnixMilli(i))
		if err := v.SetQualifierValue("content", "content", []byte(text)); err != nil {
			return err
		}
		if err := v.SetQualifierValue("metadata", "length", i); err != nil {
			return err
		}
	}
	emit(row)
	return nil
}

func byValue(r *resource) resource                        { return *r }
func withKey(r resource) (resource, *resource)            { return r, &r }
func all(*resource) bool                                  { return true }
func sayNumbered(r *numbered) string                      { return fmt.Sprint(r.Key, len(r.Versions)) }
func sayGroup(r resource, _ func(**resource) bool) string { return say(&r) }

func number(r *resource) *numbered {
	return odm.NewCollection[int64, ResourceVersion](new(memory.Database), columns).NewRow(-int64(len(r.Key)))
}

// say sets a value, which needs the schema, and says what the row has.
func say(r *resource) string {
	text := r.Key
	for _, v := range r.Versions {
		length := odm.Get[int64](v.RowVersion, "metadata", "length")
		if err := v.SetQualifierValue("metadata", "length", length+1); err != nil {
			return err.Error()
		}
		text += fmt.Sprintf(" %d:%s:%d", v.Time().UnixMilli(), odm.Get[[]byte](v.RowVersion, "content", "content"),
			odm.Get[int64](v.RowVersion, "metadata", "length"))
	}
	return text
}

// TestRegister: rows and pointers to them pass from stage to stage, as values and as keys, with their schema.
func TestRegister(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	rows := beam.Reshuffle(s, beam.ParDo(s, read, beam.Create(s, "", "ab", "\x00\xff")))
	want := []any{"k", "kab 1:ab:2 0:ab:1", "k\x00\xff 1:\x00\xff:2 0:\x00\xff:1"}
	passert.Equals(s, beam.ParDo(s, say, rows), want...)
	passert.Equals(s, beam.ParDo(s, sayNumbered, beam.Reshuffle(s, beam.ParDo(s, number, rows))), "-1 0", "-3 0", "-3 0")
	values := beam.Reshuffle(s, beam.ParDo(s, byValue, filter.Include(s, rows, all)))
	grouped := beam.GroupByKey(s, beam.ParDo(s, withKey, values))
	passert.Equals(s, beam.ParDo(s, sayGroup, grouped), want...)
	if err := ptest.Run(p); err != nil {
		t.Error(err)
	}
}

func TestDecode_noRow(t *testing.T) {
	if _, err := encode(1); err == nil {
		t.Error("a number is encoded as a row")
	}
	for _, of := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[*resource](), reflect.TypeFor[resource]()} {
		if row, err := decode(of, []byte("x")); err == nil {
			t.Errorf("%v is made of nothing: %v", of, row)
		}
	}
}
