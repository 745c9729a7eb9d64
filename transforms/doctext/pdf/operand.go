package pdf

import "github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"

// maxOperands bounds the tokens before an operator. TJ has an array of them.
const maxOperands = 1 << 16

// operands are the tokens before an operator. array tells that a bracket is open among them.
type operands struct {
	list  []object.Token
	array bool
}

// add adds a token. More than maxOperands are dropped: the operator is carried out with those that there are.
func (o *operands) add(t object.Token) {
	if len(o.list) < maxOperands {
		o.list = append(o.list, t)
	}
	switch t.Kind {
	case object.ArrayOpen:
		o.array = true
	case object.ArrayClose:
		o.array = false
	}
}

// within returns what an operator inside an open array does, "" for nothing: broken writers set the spacing within the
// array of TJ, and viewers pass over it and show all of the array. An operator that moves or ends the text means that
// the bracket was forgotten; the strings are shown before it.
func (s *stream) within(op string, args []object.Token) string {
	switch op {
	case "TJ", "Tj", "'", `"`:
		return "TJ"
	case "BT", "ET", "Tf", "Td", "TD", "Tm", "T*", "q", "Q", "cm", "Do", "BMC", "BDC", "EMC", "ID":
		s.showArray(args)
		return op
	}
	return ""
}

// number returns the operand that is n from the end, 0 where there is none. Num of a token that is not a number is 0,
// so a wrong operand counts as zero.
func number(args []object.Token, n int) float64 {
	if i := len(args) - 1 - n; i >= 0 {
		return args[i].Num
	}
	return 0
}

func last(args []object.Token) float64 { return number(args, 0) }

// lastName returns the last operand that is a name.
func lastName(args []object.Token) object.Name {
	for i := len(args) - 1; i >= 0; i-- {
		if args[i].Kind == object.NameToken {
			return object.Name(args[i].Bytes)
		}
	}
	return ""
}

// matrixOf is the matrix that six operands make. With fewer than six operands nothing is transformed.
func matrixOf(args []object.Token) (m matrix) {
	if len(args) < len(m) {
		return identity
	}
	for i := range m {
		m[i] = number(args, len(m)-1-i)
	}
	return m
}
