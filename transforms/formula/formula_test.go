package formula

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func parse(t *testing.T, src string) *html.Node {
	t.Helper()
	n, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTeX(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"a number", "<mn>1.33</mn>", "1.33"},
		{"a power", "<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"},
		{"a subscript", "<msub><mi>CO</mi><mn>2</mn></msub>", `\mathrm{CO}_{2}`},
		{"both", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"},
		{"a fraction", "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", `\frac{a+b}{2}`},
		{"choose", `<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>`, `\binom{n}{k}`},
		{
			"roots", "<msqrt><mi>a</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>",
			`\sqrt{a+1}\sqrt[3]{x}`,
		},
		{"Greek and operators", "<mi>α</mi><mo>≤</mo><mi>β</mi><mo>⋅</mo><mi>x</mi>", `\alpha\leq\beta\cdot x`},
		{"a function", "<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", `\sin x`},
		{
			"a sum", "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
			`\sum_{i=1}^{n}i`,
		},
		{"a limit", "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>", `\lim_{x\to0}`},
		{"accents", "<mover><mi>x</mi><mo>^</mo></mover><mover><mi>v</mi><mo>→</mo></mover><mover><mi>AB</mi><mo>¯</mo>" +
			"</mover>", `\hat{x}\vec{v}\overline{\mathrm{AB}}`},
		{"an arrow with a word", "<mover><mo>→</mo><mtext>heat</mtext></mover>", `\overset{\text{heat}}{\to}`},
		{"text", "<mtext>carbon monoxide</mtext>", `\text{carbon monoxide}`},
		{"letters of sets", "<mi>x</mi><mo>∈</mo><mi mathvariant=double-struck>R</mi><mo>,</mo><mi>𝔸</mi><mo>,</mo><mi>" +
			"ℤ</mi>", `x\in\mathbb{R},\mathbb{A},\mathbb{Z}`},
		{"bold", "<mi mathvariant=bold>v</mi><mi>𝐱</mi>", `\mathbf{v}\mathbf{x}`},
		{"fenced", "<mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced>", `\left[a,b\right)`},
		{"a brace on one side", "<mfenced open='{' close=''><mi>a</mi></mfenced>", `\left\{a\right.`},
		{"a matrix", "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd>" +
			"<mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo>", `\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}`},
		{"cases", "<mo>{</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>", `\begin{cases} a \end{cases}`},
		{
			"choose in parentheses", `<mo>(</mo><mfrac linethickness="0pt"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>`,
			`\binom{n}{k}`,
		},
		{
			"an isotope", "<mmultiscripts><mi>U</mi><none/><none/><mprescripts/><mn>92</mn><mn>235</mn></mmultiscripts>",
			`{}_{92}^{235}U`,
		},
		{"a prime", "<msup><mi>f</mi><mo>′</mo></msup>", "f'"},
		{"a box", "<menclose notation=box><mi>x</mi></menclose>", `\boxed{x}`},
		{"percent and braces", "<mn>5</mn><mo>%</mo><mo>{</mo><mo>}</mo>", `5\%\{\}`},
		{"an annotation", `<semantics><mi>x</mi><annotation encoding="application/x-tex">\vec  x
			y</annotation></semantics>`, `\vec x y`},
		{"LaTeX", `<semantics><mi>x</mi><annotation encoding="LaTeX">{\displaystyle x^2}</annotation></semantics>`, "x^2"},
		{"another annotation", `<semantics><mi>x</mi><annotation encoding="StarMath 5.0">y</annotation></semantics>`, "x"},
		{"what is not seen", "<mi>x</mi><mphantom><mi>y</mi></mphantom><mspace width=0em></mspace>", "x"},
		{"broken", "<mfrac><mi>x</mi></mfrac><msup><mn>2</mn></msup>", "x2"},
		{"unknown elements", "<mfoo><mi>x</mi></mfoo>", "x"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := TeX(parse(t, "<math>"+tt.src+"</math>")); got != tt.want {
				t.Errorf("TeX(%s) = %s, want %s", tt.src, got, tt.want)
			}
		})
	}
}

func TestTeX_attributes(t *testing.T) {
	tests := []struct{ src, want string }{
		{`<math alttext="x^{2}"><mi>y</mi></math>`, "x^{2}"},
		{`<math alttext="{\displaystyle E=mc^{2}}"><mi>y</mi></math>`, "E=mc^{2}"},
		{`<math alttext="x squared"><msup><mi>x</mi><mn>2</mn></msup></math>`, "x^{2}"},
		{`<math data-latex="\frac12"><mi>y</mi></math>`, `\frac12`},
		{`<math alttext="n"><mi>y</mi></math>`, "n"},
	}
	for _, tt := range tests {
		if got := TeX(parse(t, tt.src)); got != tt.want {
			t.Errorf("TeX(%s) = %s, want %s", tt.src, got, tt.want)
		}
	}
}

func TestTidy(t *testing.T) {
	open := strings.Repeat("{ ", 9999)
	tests := []struct{ tex, want string }{
		{"{a}+{b}", "{a}+{b}"},
		{" {\\displaystyle\n{x} } ", "x"},
		{`\displaystyles`, `\displaystyles`},
		{`{\{}`, `\{`},
		{`{\displaystyle \{1\}}`, `\{1\}`},
		{`\{a\}`, `\{a\}`},
		{`{a}{b}`, `{a}{b}`},
		{`{a\\}`, `a\\`},
		{"{", "{"},
		{`\}`, `\}`},
		{"{{ {a}{b} }}", "{a}{b}"},
		{"{{a}", "{{a}"},
		{"{a}}", "{a}}"},
		{`{\scriptstyle{\displaystyle{x}}}`, "x"},
		{`{a\}}`, `a\}`},
		{`{{a\}}`, `{{a\}}`},
		{`{{\{}{\}}}`, `{\{}{\}}`},
		{strings.Repeat("{", 9999) + "x" + strings.Repeat("}", 9999), "x"},
		{open + "x}", open + "x}"},
		{"{}", ""},
	}
	for _, tt := range tests {
		if got := Tidy(tt.tex); got != tt.want {
			t.Errorf("Tidy(%q) = %q, want %q", tt.tex, got, tt.want)
		}
	}
}

// Deep and broken formulae are read in linear time.
func FuzzTeX(f *testing.F) {
	for _, s := range []string{
		"<msup><mi>x</mi><mn>2</mn></msup>", strings.Repeat("<mover>", 300) + "x", strings.Repeat("<munder><mo>∑</mo>", 200),
		"<mmultiscripts><mprescripts/><mprescripts/>", "<mtable><mlabeledtr>", "<mfenced separators=''>",
		"<annotation encoding=tex>", "<mi>" + strings.Repeat("a", 5000), "<mo>∑" + strings.Repeat("ab", 5000),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		n, err := html.Parse(strings.NewReader("<math>" + src + "</math>"))
		if err != nil {
			return
		}
		if got := TeX(n); len(got) > 40*len(src)+100 {
			t.Errorf("TeX(%q) has %d bytes", src, len(got))
		}
	})
}

// Signs of absolute values are not relations, binomials have no second parentheses, and tokens may hold elements.
func TestTeX_writers(t *testing.T) {
	const open, end = `<mrow data-mjx-texclass="OPEN"><mo minsize="1.2em">(</mo></mrow>`,
		`<mrow data-mjx-texclass="CLOSE"><mo minsize="1.2em">)</mo></mrow>`
	for _, tt := range []struct{ name, src, want string }{
		{"KaTeX's absolute value", `<mi mathvariant="normal">∣</mi><mi>x</mi><mi mathvariant="normal">∣</mi>`, `|x|`},
		{"KaTeX's lvert", `<mo stretchy="false">∣</mo><mi>x</mi><mo stretchy="false">∣</mo>`, `|x|`},
		{"a fence", `<mo fence="true">∣</mo><mi>x</mi><mo fence="true">∣</mo>`, `|x|`},
		{"a norm", `<mo stretchy="false">∥</mo><mi>x</mi><mi mathvariant="normal">∥</mi>`, `\|x\|`},
		{"a relation", `<mi>a</mi><mo>∣</mo><mi>b</mi><mo>∥</mo><mi>c</mi>`, `a\mid b\parallel c`},
		{
			"a determinant", `<mo fence="true">∣</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable><mo fence="true">∣</mo>`,
			`\begin{vmatrix} a \end{vmatrix}`,
		},
		{
			"MathJax's binomial", "<mrow>" + open + `<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>` + end + "</mrow>",
			`\binom{n}{k}`,
		},
		{
			"MathJax's matrix", open + `<mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>` + end,
			`\begin{pmatrix} a \end{pmatrix}`,
		},
		{
			"a limit in a token", `<mi><munder><mo><mi>argmin</mi><mo>&#x2061;</mo></mo><mi>x</mi></munder></mi><mi>f</mi>`,
			`\mathrm{argmin}_{x}f`,
		},
		{
			"a sign above in a token", `<mo><mover><mo><mo>=</mo></mo><mtext>def</mtext></mover></mo>`,
			`\overset{\text{def}}{=}`,
		},
		{"a form of a sign", `<mi>a</mi><mo>⊕&#xFE0E;</mo><mi>b</mi>`, `a\oplus b`},
		{"a stroke", `<mi>a</mi><mo>=&#x338;</mo><mi>b</mi>`, `a\neq b`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := TeX(parse(t, "<math>"+tt.src+"</math>")); got != tt.want {
				t.Errorf("TeX(%s) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}
