package pdf

import "github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"

// maxOperands bounds the tokens before an operator. An array for TJ may have many.
const maxOperands = 1 << 16

// operands are the tokens before an operator. Field array means that a bracket among them is open.
type operands struct {
	list  []object.Token
	array bool
}

// add adds a token. Tokens after maxOperands are dropped, and the operator gets the others.
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

// within returns the effective operator for one inside an open array, or "" for none. Broken writers set the spacing
// inside the array of TJ; viewers ignore that and show all of the array. An operator that moves or ends the text means
// that the bracket was forgotten. The strings before it are then shown first.
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

// number returns the operand that is n from the end, or 0 if there is none. Other tokens than numbers count as 0.
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

// matrixOf returns the matrix of six operands. With fewer than six operands it is the identity.
func matrixOf(args []object.Token) (m matrix) {
	if len(args) < len(m) {
		return identity
	}
	for i := range m {
		m[i] = number(args, len(m)-1-i)
	}
	return m
}
