// Package object reads the objects of a PDF file: numbers, strings, names, arrays, dictionaries and streams. It finds
// them by the cross-reference table or, if that is damaged, by a scan of the whole file. Streams are decrypted (with
// the empty password) and decoded. Other packages interpret the objects.
//
//	file := object.Open(data, object.Limits{})
//	catalog := file.Dict(file.Trailer["Root"])
//
// Input may be hostile. Work is linear in the file's size and in the decoded size of streams; Limits bound both.
// Reading never fails: objects that cannot be read are nil, and File.Repaired, Locked and Cut say why.
//
// The format is that of ISO 32000-2:2020; section numbers refer to it.
package object

// Object is nil, bool, int, float64, String, Name, Array, Dict, *Stream or Ref.
type Object any

// String holds the bytes of a string object, decrypted.
type String string

// Name is a name without its solidus and with escapes resolved.
type Name string

// Array is an array; its elements may be references.
type Array []Object

// Dict is a dictionary; its values may be references.
type Dict map[Name]Object

// Ref is a reference to an indirect object.
type Ref struct{ Num, Gen int }

// Stream is a dictionary with bytes, which File.Decode decodes.
type Stream struct {
	Dict Dict
	raw  []byte // as in the file
	ref  Ref    // number of the stream, for its key
	// decoded is the content of the stream if kept is set.
	decoded []byte
	kept    bool
}

// maxReferences bounds a chain of references to references. Sound files have none: a reference leads to an object.
const maxReferences = 16

// Resolve follows references until it finds an object. A missing object is nil.
func (f *File) Resolve(o Object) Object {
	for range maxReferences {
		ref, ok := o.(Ref)
		if !ok {
			return o
		}
		o = f.load(ref.Num)
	}
	return nil
}

// Dict resolves o and returns it if it is a dictionary, or the dictionary of a stream; otherwise nil. Streams are
// included since fonts and forms may be either.
func (f *File) Dict(o Object) Dict {
	switch v := f.Resolve(o).(type) {
	case Dict:
		return v
	case *Stream:
		return v.Dict
	}
	return nil
}

// Array resolves o and returns it if it is an array; otherwise nil.
func (f *File) Array(o Object) Array {
	a, _ := f.Resolve(o).(Array)
	return a
}

// Stream resolves o and returns it if it is a stream; otherwise nil.
func (f *File) Stream(o Object) *Stream {
	s, _ := f.Resolve(o).(*Stream)
	return s
}

// Name resolves o and returns it if it is a name; otherwise "".
func (f *File) Name(o Object) Name {
	n, _ := f.Resolve(o).(Name)
	return n
}

// String resolves o and returns it if it is a string; otherwise "".
func (f *File) String(o Object) String {
	s, _ := f.Resolve(o).(String)
	return s
}

// Number resolves o and returns it if it is a number; otherwise fallback.
func (f *File) Number(o Object, fallback float64) float64 {
	switch v := f.Resolve(o).(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return fallback
}

// Int resolves o and returns its integer part if it is a number; otherwise fallback. The bounds make the conversion
// well-defined; NaN fails both comparisons.
func (f *File) Int(o Object, fallback int) int {
	switch v := f.Resolve(o).(type) {
	case int:
		return v
	case float64:
		if v > -1<<31 && v < 1<<31 {
			return int(v)
		}
	}
	return fallback
}
