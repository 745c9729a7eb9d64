package page

import (
	"strings"
	"testing"
)

func TestParse_formulae(t *testing.T) {
	const katex = `<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>` +
		`<annotation encoding="application/x-tex">\frac{x}{2}</annotation></semantics></math></span>` +
		`<span class="katex-html" aria-hidden="true"><span class="mord">x</span>2</span></span>`
	const mathjax2 = `<span class="MathJax_Preview">[math]</span><span class="MathJax" id="f"><nobr aria-hidden="true">x2</nobr>` +
		`<span class="MJX_Assistive_MathML" role="presentation"><math><msup><mi>x</mi><mn>2</mn></msup></math></span></span>`
	tests := []struct{ name, src, want string }{
		{"MathML", "so <math><msup><mi>x</mi><mn>2</mn></msup></math> is", "so $x^{2}$ is"},
		{"on lines of its own", "so <math display=block><mi>x</mi></math> is", "so $$x$$ is"},
		{"a number", "is <math><mn>1.33</mn></math> m", "is 1.33 m"},
		{"percent", "is <math><mn>5</mn><mo>%</mo></math> m", "is 5% m"},
		{"text", "<math><mtext>carbon monoxide</mtext></math>", `$\text{carbon monoxide}$`},
		{"KaTeX", "so " + katex + " is", `so $\frac{x}{2}$ is`},
		{"KaTeX that has no MathML", `so <span class="katex"><span class="katex-html">x</span></span> is`, "so x is"},
		{"MathJax 2, drawn", "so " + mathjax2 + `<script type="math/tex" id="f">x^2</script> is`, "so $x^2$ is"},
		{"drawn, its script gone", "so " + mathjax2 + " is", "so $x^{2}$ is"},
		{"MathJax 2, not drawn", `so <script type="math/tex; mode=display">x^2 &lt; y</script> is`, "so $$x^2 &lt; y$$ is"},
		{
			"MathJax 2, MathML", `so <script type="math/mml"><math><mfrac><mn>1</mn><mi>x</mi></mfrac></math></script> is`,
			`so $\frac{1}{x}$ is`,
		},
		{"a script of another kind", `so <script type="math/x">x^2</script> is`, "so is"},
		{"MathJax 3", `so <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true">x</mjx-math>` +
			`<mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container> is`, "so $x$ is"},
		{"Wikipedia", `<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">` +
			`<math alttext="{\displaystyle E=mc^{2}}"><mi>E</mi></math></span><img src="x.svg" class="mwe-math-fallback-image-inline" ` +
			`aria-hidden="true" alt="{\displaystyle E=mc^{2}}"></span>.`, "$E=mc^{2}$."},
		{
			"Wikipedia on lines of its own", `<img src="x.svg" class="mwe-math-fallback-image-display" alt="{\displaystyle a}">`,
			"$$a$$",
		},
		{"an old Wikipedia", `<img class="tex" alt="x^2" src=x.png>`, "$x^2$"},
		{"WordPress", `<img src="https://s0.wp.com/latex.php?latex=x&bg=fff" alt="x_1" class="latex">`, "$x_1$"},
		{"delimiters", `so \(x^2\) is`, "so $x^2$ is"},
		{"with references", `so \(x &lt; y\) and \[a &amp; b\] is`, "so $x < y$ and $$a & b$$ is"},
		{"dollars", `so $$x^2$$ is`, "so $$x^2$$ is"},
		{
			"an environment", `\begin{align} a &amp;= b \\ c &amp;= d \end{align}.`,
			`$$\begin{align} a &= b \\ c &= d \end{align}$$.`,
		},
		{"prices", "from $$ to $$ or $5 to $10", "from $$ to $$ or $5 to $10"},
		{"an expression in code", `<code>\(x\)</code>`, `\(x\)`},
		{"a folder", `C:\(new)`, `C:\(new)`},
		{"not closed", `so \(x is`, `so \(x is`},
		{"hidden", `a<span hidden><math><mi>x</mi></math></span>b`, "ab"},
		{"in a template", `a<template><math><mi>x</mi></math></template>b`, "a|b"},
		{"an empty one", "a <math></math> b", "a b"},
		{"another script", `a <script type="math/asciimath">x</script> b`, "a b"},
		{"a class that begins alike", `<p class="MathJax-like">text</p>`, "text"},
	}
	checkTexts(t, tests)
}

// Some editors and sites draw formulae from the TeX in an attribute.
func TestParse_formulaeOfAttributes(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"Zhihu", `因此<span class="ztext-math" data-eeimg="1" data-tex="x^2 &lt; y">x^2</span>成立`, "因此$x^2 < y$成立"},
		{"Zhihu on lines of its own", `<span class="ztext-math" data-eeimg="1" data-tex="x^2\\">x^2</span>`, "$$x^2$$"},
		{
			"Zhihu, a picture", `是<img src="https://www.zhihu.com/equation?tex=%5Calpha" alt="\alpha" eeimg="1">吗`,
			`是$\alpha$吗`,
		},
		{
			"Quill", `so <span class="ql-formula" data-value="e=mc^2"><span contenteditable="false"><span class="katex">` +
				`<span class="katex-html">emc2</span></span></span></span> is`, "so $e=mc^2$ is",
		},
		{"Tiptap", `so <span data-type="inline-math" data-latex="x_1"></span> is`, "so $x_1$ is"},
		{"Tiptap, a block", `<div data-type="block-math" data-latex="x_1">x1</div>`, "$$x_1$$"},
		{"a block between text", `so <div data-type="block-math" data-latex="x_1"></div> is`, "so|$$x_1$$|is"},
		{"an attribute with signs", `so <span data-tex="\(x_1\)">x</span> is`, "so $x_1$ is"},
		{
			"MathJax 4 without MathML", `so <mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="x^2">` +
				`<mjx-msup data-latex="x^2">x2</mjx-msup></mjx-math></mjx-container> is`, "so $x^2$ is",
		},
		{"an empty attribute", `so <span data-tex="">x</span> is`, "so x is"},
		{"QuickLaTeX", `so <img src="/ql-cache/quicklatex.com-a_l3.svg" class="ql-img-inline-formula quicklatex-auto-format" alt="&#120;&#94;&#50;"> is`, "so $x^2$ is"},
		{
			"QuickLaTeX on lines of its own", `<img class="ql-img-displayed-equation quicklatex-auto-format" alt="\[x^2\]" src=a>`,
			"$$x^2$$",
		},
		{
			"Jianshu", `<img class="math-inline" src="https://math.jianshu.com/math?formula=x%5E2" alt="x^2" mathimg="1">`,
			"$x^2$",
		},
		{"Google's charts", `<img src="https://chart.apis.google.com/chart?cht=tx&amp;chl=x%5E2" alt="x^2">`, "$x^2$"},
		{"mimeTeX", `<img src="/cgi-bin/mimetex.cgi?x^2" alt="x^2">`, "$x^2$"},
		{"another chart", `<img src="https://chart.apis.google.com/chart?cht=p3" alt="\o/">a`, "a"},
	}
	checkTexts(t, tests)
}

// Environments may be within others, and within signs.
func TestParse_environments(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"within signs", `so $\begin{cases} a \\ b \end{cases}$ is`, `so $\begin{cases} a \\ b \end{cases}$ is`},
		{
			"a part of what is within signs", `so $A = \begin{pmatrix} a \end{pmatrix}^T x$ is`,
			`so $A = \begin{pmatrix} a \end{pmatrix}^T x$ is`,
		},
		{"two within signs", `$\begin{a} x \end{a} = \begin{b} y \end{b}$`, `$\begin{a} x \end{a} = \begin{b} y \end{b}$`},
		{
			"another within", `\begin{align} a &= \begin{pmatrix} 1 \end{pmatrix} \\ b \end{align} so`,
			`$$\begin{align} a &= \begin{pmatrix} 1 \end{pmatrix} \\ b \end{align}$$ so`,
		},
		{
			"the same within", `\begin{matrix} \begin{matrix} 1 \end{matrix} & 2 \end{matrix} so`,
			`$$\begin{matrix} \begin{matrix} 1 \end{matrix} & 2 \end{matrix}$$ so`,
		},
		{"a price before", `for $5: \begin{align} a \end{align}`, `for $5: $$\begin{align} a \end{align}$$`},
		{"not closed", `so \begin{align} a \end{matrix} b`, `so \begin{align} a \end{matrix} b`},
	}
	checkTexts(t, tests)
}

func TestParse_formulasOfText(t *testing.T) {
	p := Parse([]byte(`<p>a <math><mi>x</mi></math> b \(y\) <b>$$z_1$$</b> c`), Options{})
	var got []string
	for _, s := range p.Formulas {
		got = append(got, string(p.Text[s.Start:s.End]))
	}
	if want := "$x$|$y$|$$z_1$$"; strings.Join(got, "|") != want {
		t.Errorf("formulas %q, want %q", strings.Join(got, "|"), want)
	}
}
