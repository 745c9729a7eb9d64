package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// token writes a name, number, operator or text.
func (w *writer) token(n *html.Node) {
	s := norm.NFC.String(strings.Join(strings.Fields(strings.Map(seen, text(n))), " "))
	// An empty token is dropped, except for a space between words.
	if s == "" {
		if n.Data == "mtext" && text(n) != "" {
			w.raw(" ") // a space between words
		}
		return
	}
	// A name or an operator with these attributes is not a relation.
	if n.Data == "mi" || attr(n, "stretchy") != "" || attr(n, "fence") == "true" {
		s = bars.Replace(s)
	}
	switch n.Data {
	case "mtext":
		w.add(`\text{` + escape(strings.Map(seen, text(n))) + "}")
	case "ms":
		w.add(`\text{"` + escape(s) + `"}`)
	case "mi":
		w.add(name(s, attr(n, "mathvariant")))
	default:
		w.add(signsOf(s))
	}
}

// bars replaces the signs of relations, which KaTeX also writes for absolute values and norms, by those of fences.
var bars = strings.NewReplacer("∣", "|", "∥", "‖")

// seen drops invisible characters: function application, times, comma, plus, variation selectors, and characters of
// zero width.
func seen(r rune) rune {
	if r >= 0x2061 && r <= 0x2064 || r == 0x200B || r == 0xFEFF || r >= 0xFE00 && r <= 0xFE0F {
		return -1
	}
	return r
}

// functions are names with TeX commands.
var functions = map[string]bool{
	"arccos": true, "arcsin": true, "arctan": true, "arg": true, "cos": true, "cosh": true, "cot": true, "coth": true,
	"csc": true, "deg": true, "det": true, "dim": true, "exp": true, "gcd": true, "hom": true, "inf": true, "ker": true,
	"lg": true, "lim": true, "liminf": true, "limsup": true, "ln": true, "log": true, "max": true, "min": true, "Pr": true,
	"sec": true, "sin": true, "sinh": true, "sup": true, "tan": true, "tanh": true,
}

// variants are the commands for the values of mathvariant.
var variants = map[string]string{
	"bold": `\mathbf`, "normal": `\mathrm`, "double-struck": `\mathbb`, "script": `\mathcal`, "bold-script": `\mathcal`,
	"fraktur": `\mathfrak`, "bold-fraktur": `\mathfrak`, "sans-serif": `\mathsf`, "monospace": `\mathtt`,
	"bold-italic": `\boldsymbol`,
}

// name writes an identifier: a letter unchanged, a word as a function or upright.
func name(s, variant string) string {
	if functions[s] {
		return `\` + s
	}
	tex := signsOf(s)
	letters := utf8.RuneCountInString(s)
	// A single upright letter is hardly ever intended; a word of letters is upright in any case.
	switch command := variants[variant]; {
	case command != "" && !(variant == "normal" && (letters == 1 || strings.HasPrefix(tex, `\`))):
		return command + "{" + tex + "}"
	case letters > 1 && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0:
		return `\mathrm{` + tex + "}"
	}
	return tex
}

// signsOf writes characters, with TeX commands if there are any.
func signsOf(s string) string {
	if functions[s] {
		return `\` + s
	}
	var w writer
	// It goes by characters, since an operator may have several.
	for _, r := range s {
		switch tex, ok := symbols[r]; {
		case ok:
			w.add(tex)
		case r >= 0x1D400 && r < 0x1D800:
			w.add(styled(r))
		case seen(r) < 0:
		case unicode.IsSpace(r):
			w.raw(" ")
		default:
			w.add(string(r))
		}
	}
	return w.b.String()
}

// styled returns a letter of the block of mathematical letters with its style: bold, script, double-struck.
func styled(r rune) string {
	// The compatible form of a mathematical letter is the plain letter.
	plain := signsOf(norm.NFKC.String(string(r)))
	for _, s := range styles {
		if r >= s.from && r < s.to {
			return s.command + "{" + plain + "}"
		}
	}
	return plain // italic, like usual letters
}

var styles = []struct {
	from, to rune
	command  string
}{
	{0x1D400, 0x1D434, `\mathbf`},
	{0x1D468, 0x1D49C, `\boldsymbol`},
	{0x1D49C, 0x1D504, `\mathcal`},
	{0x1D504, 0x1D538, `\mathfrak`},
	{0x1D538, 0x1D56C, `\mathbb`},
	{0x1D56C, 0x1D5A0, `\mathfrak`},
	{0x1D5A0, 0x1D670, `\mathsf`},
	{0x1D670, 0x1D6A4, `\mathtt`},
	{0x1D6A8, 0x1D6E2, `\mathbf`},
	{0x1D71C, 0x1D790, `\boldsymbol`},
	{0x1D7CE, 0x1D7D8, `\mathbf`},
	{0x1D7D8, 0x1D7E2, `\mathbb`},
}

// escape returns text in which nothing is a command.
func escape(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " ")
	return escaper.Replace(s)
}

var escaper = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`,
	"&", `\&`, "_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`)

// symbols are the characters with TeX commands.
var symbols = symbolTable(`
α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu
ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega µ mu
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∗ ast ⋆ star ∘ circ ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot
≤ leq ≥ geq ≦ leqq ≧ geqq ≪ ll ≫ gg ≠ neq ≡ equiv ≈ approx ≅ cong ≃ simeq ∼ sim ∝ propto ≺ prec ≻ succ ⪯ preceq ⪰ succeq
⩽ leqslant ⩾ geqslant ≐ doteq ≔ coloneqq ≜ triangleq
∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq ∪ cup ∩ cap ∖ setminus ∅ emptyset ⌀ varnothing
∀ forall ∃ exists ∄ nexists ¬ neg ∧ wedge ∨ vee ⊢ vdash ⊨ models ⊥ perp ⊤ top ∥ parallel ∣ mid ∠ angle
→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟶ longrightarrow ⟵ longleftarrow
⟹ Longrightarrow ⟸ Longleftarrow ⟺ iff ↦ mapsto ⟼ longmapsto ↑ uparrow ↓ downarrow ⇌ rightleftharpoons ↪ hookrightarrow
↠ twoheadrightarrow ⇀ rightharpoonup ↗ nearrow ↘ searrow ⇝ rightsquigarrow
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes ⨀ bigodot
∂ partial ∇ nabla ∞ infty ℏ hbar ℓ ell ℜ Re ℑ Im ℘ wp ℵ aleph √ surd ° circ ′ prime □ square ◻ square △ triangle
◇ diamond … ldots ⋯ cdots ⋮ vdots ⋱ ddots † dagger ‡ ddagger § S ¶ P ♯ sharp ♭ flat ♮ natural
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ | { { } } % % # # $ $ & & _ _
∎ blacksquare ■ blacksquare
`)

// symbolTable reads pairs of a character and a command.
func symbolTable(list string) map[rune]string {
	table := map[rune]string{
		'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, 'ℙ': `\mathbb{P}`,
		'ℍ': `\mathbb{H}`, 'ℱ': `\mathcal{F}`, 'ℒ': `\mathcal{L}`, 'ℋ': `\mathcal{H}`, 'ℬ': `\mathcal{B}`, 'ℰ': `\mathcal{E}`,
		'ℳ': `\mathcal{M}`, 'ℛ': `\mathcal{R}`, '−': "-", '‐': "-", '′': "'", '″': "''", '‴': "'''", '∗': "*",
		'\\': `\backslash`, '^': `\text{\textasciicircum}`, '~': `\sim`,
	}
	// The list has pairs; entries already in the table win.
	fields := strings.Fields(list)
	for i := 0; i+1 < len(fields); i += 2 {
		r, _ := utf8.DecodeRuneInString(fields[i])
		if _, ok := table[r]; !ok {
			table[r] = `\` + fields[i+1]
		}
	}
	return table
}
