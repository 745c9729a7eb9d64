"""Writes Markdown of every structure, with seeded chance, so that rare elements are in the set often enough."""

import random

WORDS = """river window table green early market paper stone winter garden letter number signal engine bridge copper
method result value order shape field light sound water paint north small round quick steady hollow plain common
reader writer builder worker teacher farmer harbour station village forest meadow valley island castle""".split()
FORMULAS = [r"E = mc^2", r"\frac{a+b}{c}", r"\sum_{i=1}^{n} x_i", r"\int_0^\infty e^{-x^2} dx", r"\sqrt{x^2 + y^2}",
            r"\alpha \beta \gamma", r"x_1, x_2, \ldots, x_n", r"f(x) \le g(x)", r"A \cup B \subseteq C",
            r"\lim_{h \to 0} \frac{f(x+h)-f(x)}{h}", r"\mathbf{v} \cdot \mathbf{w}", r"n! = n (n-1)!", r"p \in [0, 1]",
            r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", r"\hat{y} = w^T x + b", r"2^{10} = 1024"]
CODE = {
    "python": ["def total(values):\n    result = 0\n    for v in values:\n        result += v\n\n    return result",
               "import json\n\nwith open('a.json') as f:\n    print(json.load(f)['b'])", "x = {'a': 1, \"b\": [2, 3]}  # `c`"],
    "go": ["func main() {\n\tfmt.Println(\"a\", 1 << 3)\n}", "type point struct {\n\tx, y int\n}\n\nvar p = &point{1, 2}"],
    "javascript": ["const a = (b) => `${b} < 3 && 4`;\nconsole.log(a(1));", "if (x > 1) {\n  return { y: null };\n}"],
    "bash": ["$ make -j2 all\n$ cd out && ls -l | head", "for f in *.txt; do\n  echo \"$f\"\ndone"],
    "yaml": ["name: a\nsteps:\n  - run: b\n  - run: |\n      c\n      d"], "json": ['{\n  "a": [1, 2],\n  "b": null\n}'],
    "sql": ["SELECT a, count(*)\nFROM b\nWHERE c <> 'd'\nGROUP BY a;"], "html": ["<p class=\"a\">b &amp; c</p>\n<br>"],
    "": ["a  b   c\n---------\n1  2   3", "tree/\n├── a\n└── b"],
}


class Page:
    def __init__(self, seed, features):
        self.r, self.features, self.notes = random.Random(seed), features, []

    def words(self, least, most):
        return " ".join(self.r.choice(WORDS) for _ in range(self.r.randint(least, most)))

    def span(self):
        r, k = self.r, self.r.random()
        if k < .10:
            return "`" + r.choice(["--all", "a.b(c)", "x[0]", "make test", "Point", "a_b", "<div>", "*args", "%d"]) + "`"
        if k < .17:
            return "**" + self.words(1, 2) + "**"
        if k < .22:
            return "*" + self.words(1, 2) + "*"
        if k < .30:
            return f"[{self.words(1, 3)}](https://example.com/{r.choice(WORDS)}/{r.choice(WORDS)})"
        if k < .38 and "math" in self.features:
            return "$" + r.choice(FORMULAS[:13]) + "$"
        if k < .41 and "footnotes" in self.features:
            self.notes.append(f"[^{len(self.notes) + 1}]: " + self.words(4, 9).capitalize() + ".")
            return f"{r.choice(WORDS)}[^{len(self.notes)}]"
        return self.words(2, 6)

    def sentence(self, least=3, most=6):
        text = " ".join(self.span() for _ in range(self.r.randint(least, most)))
        return text[0].upper() + text[1:] + "."

    def paragraph(self):
        return " ".join(self.sentence() for _ in range(self.r.randint(2, 4)))

    def list(self, depth=0):
        numbered = self.r.random() < .5
        lines = []
        for i in range(self.r.randint(2, 5)):
            mark = f"{i + 1}. " if numbered else "- "
            lines.append("    " * depth + mark.ljust(4) + self.sentence(1, 3))
            if depth < 2 and self.r.random() < .3:
                lines += self.list(depth + 1)
        return lines

    def table(self):
        columns = self.r.randint(2, 5)
        row = lambda: "| " + " | ".join(self.cell() for _ in range(columns)) + " |"
        head = "| " + " | ".join(self.words(1, 2).capitalize() for _ in range(columns)) + " |"
        return "\n".join([head, "|" + " --- |" * columns] + [row() for _ in range(self.r.randint(2, 7))])

    def cell(self):
        k = self.r.random()
        return str(self.r.randint(0, 9999)) if k < .3 else "" if k < .36 else "`a`" if k < .42 else self.words(1, 6)

    def code(self):
        name = self.r.choice(list(CODE))
        return "```" + name + "\n" + self.r.choice(CODE[name]) + "\n```"

    def block(self):
        kinds = ["paragraph"] * 5 + ["list"] * 3 + ["table"] * 2 + ["code"] * 2 + ["quote"] + ["image"]
        kinds += ["definitions"] * ("definitions" in self.features) + ["display"] * 2 * ("math" in self.features)
        kind = self.r.choice(kinds)
        if kind == "list":
            return self.sentence() + "\n\n" + "\n".join(self.list())
        if kind == "quote":
            return "> " + self.paragraph() + ("\n>\n> " + self.sentence() if self.r.random() < .4 else "")
        if kind == "image":
            return f"![{self.words(2, 5).capitalize()}](https://example.com/{self.r.choice(WORDS)}-{self.r.randint(1, 99)}.png)"
        if kind == "definitions":
            return "\n\n".join(f"{self.words(1, 2).capitalize()}\n:   {self.sentence(2, 4)}" for _ in range(3))
        if kind == "display":
            return self.sentence() + "\n\n$$\n" + self.r.choice(FORMULAS) + "\n$$"
        return getattr(self, kind)()

    def write(self):
        out = ["# " + self.words(2, 4).capitalize(), self.paragraph()]
        for _ in range(self.r.randint(3, 5)):
            out.append("## " + self.words(1, 4).capitalize())
            for _ in range(self.r.randint(1, 3)):
                out.append(self.block())
            if self.r.random() < .4:
                out += ["### " + self.words(1, 3).capitalize(), self.paragraph(), self.block()]
        return "\n\n".join(out + self.notes) + "\n"


def pages(count, features, name):
    return [Page(f"{name}-{i}", features).write() for i in range(count)]
