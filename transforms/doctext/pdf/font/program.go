package font

import "github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"

// embedded returns the stream of the font program, nil where there is none.
func embedded(f *object.File, descriptor object.Dict) *object.Stream {
	for _, key := range []object.Name{"FontFile", "FontFile2", "FontFile3"} {
		if s := f.Stream(descriptor[key]); s != nil {
			return s
		}
	}
	return nil
}

// programEncoding returns the texts of codes by the encoding that is in the font program.
func programEncoding(f *object.File, descriptor object.Dict) map[byte]string {
	return nil
}

// programTexts returns the texts of CIDs by the cmap table of an embedded TrueType program.
func programTexts(f *object.File, descendant object.Dict) map[int]string {
	return nil
}
