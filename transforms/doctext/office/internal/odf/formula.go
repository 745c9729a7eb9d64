package odf

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/formula"
)

// maxFormulaBytes bounds an object that may be a formula.
const maxFormulaBytes = 1 << 16

// formulaOf returns the TeX of an object that is a formula in MathML, or "".
func formulaOf(content []byte) string {
	if len(content) > maxFormulaBytes || !bytes.Contains(content, []byte("http://www.w3.org/1998/Math/MathML")) {
		return ""
	}
	// Some programs write a prefix.
	s := strings.NewReplacer("<math:", "<", "</math:", "</").Replace(string(content))
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return ""
	}
	return formula.TeX(root)
}
