package formula

import (
	"strings"
	"testing"
)

// TestTeX_escapes: characters with a meaning in TeX are escaped wherever MathML may have them.
func TestTeX_escapes(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"text", "<mtext>50% of $x_1 &amp; #2</mtext>", `\text{50\% of \$x\_1 \& \#2}`},
		{"braces in text", "<mtext>{a}</mtext>", `\text{\{a\}}`},
		{"a backslash in text", `<mtext>a\b</mtext>`, `\text{a\textbackslash{}b}`},
		{"a backslash as a sign", `<mi>A</mi><mo>\</mo><mi>B</mi>`, `A\backslash B`},
		{"signs", "<mo>#</mo><mo>$</mo><mo>&amp;</mo><mo>_</mo>", `\#\$\&\_`},
		{"a name with a line", "<mi>x_max</mi>", `x\_max`},
		{"a number with a sign", "<mn>5%</mn>", `5\%`},
		{"a power of a power", "<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", `{x^{2}}^{3}`},
		{"a power as a sign", "<mi>a</mi><mo>^</mo><mi>b</mi>", `a\text{\textasciicircum}b`},
		{"a wave as a sign", "<mi>a</mi><mo>~</mo><mi>b</mi>", `a\sim b`},
		{"both in text", "<mtext>a^b~c</mtext>", `\text{a\textasciicircum{}b\textasciitilde{}c}`},
		{"in a string", "<ms>~/x^2</ms>", `\text{"\textasciitilde{}/x\textasciicircum{}2"}`},
		{"a name with a power", "<mi>x^</mi>", `x\text{\textasciicircum}`},
		{"above a letter", "<mover><mi>x</mi><mo>^</mo></mover><mover><mi>y</mi><mo>~</mo></mover>", `\hat{x}\tilde{y}`},
		{"text in other scripts", "<mtext>если 水</mtext>", `\text{если 水}`},
		{"letters of other scripts", "<mi>ш</mi><mo>+</mo><mi>水</mi>", `ш+水`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := TeX(parse(t, "<math>"+tt.src+"</math>")); got != tt.want {
				t.Errorf("TeX(%s) = %s, want %s", tt.src, got, tt.want)
			}
		})
	}
}

// TestTeX_balanced: braces of formulae that are nested or cut are in pairs.
func TestTeX_balanced(t *testing.T) {
	const src = "<math><mfrac><msqrt><mi>a</mi></msqrt><msubsup><mi>x</mi><mtext>{</mtext><mn>2</mn></msubsup></mfrac></math>"
	for n := range len(src) {
		got := TeX(parse(t, src[:n]))
		plain := strings.NewReplacer(`\{`, "", `\}`, "").Replace(got)
		if strings.Count(plain, "{") != strings.Count(plain, "}") {
			t.Errorf("TeX(%s) = %s", src[:n], got)
		}
	}
}
