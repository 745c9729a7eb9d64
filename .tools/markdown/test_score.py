"""Tests of the scorer: venv/bin/python -m unittest discover .tools/markdown"""

import unittest

import align
import elements
import score


def value(kind, reference, prediction):
    points, most, _ = score.page(reference, prediction)[kind]
    return round(points / most, 3) if most else None


class Elements(unittest.TestCase):
    def test_kinds(self):
        for source, kind, text, place in [
            ("## a `b` *c*", "heading", "a b c", "2"), ("- a\n  1. b", "item", "b", "ul>ol"), ("```py\na\n```", "code", "a", "python"),
            ("a ``b`c``", "inline code", "b`c", ""), ("$a_{1} + b$", "formula", "a_1+b", ""), ("> a", "quote", "a", ""),
            ("[a](/x/b.html)", "link", "a", "b"), ("![a](/x/b.png)", "image", "a", "b.png"), ("a[^1]\n\n[^1]: b", "footnote", "b", ""),
            ("a\n:   b", "term", "a", ""), ("a\n:   b", "definition", "b", ""),
        ]:
            with self.subTest(source):
                found = score.of(elements.read(source), kind)[-1]
                self.assertEqual((found.text, found.place), (text, place))


class Scores(unittest.TestCase):
    def test_pages(self):
        for kind, reference, prediction, want in [
            ("heading", "# a\n\n## b", "# a\n\n## b", 1), ("heading", "# a\n\n## b", "# a\n\n### b", .75),
            ("heading", "# a\n\n## b", "# a", .667), ("heading", "# a", "# a\n\n# b", .667), ("item", "- a\n- b", "1. a\n2. b", .5),
            ("code", "```\nabcd\n```", "```\nabce\n```", .75), ("code", "```\na\n```", "a", 0), ("formula", "$a$", "$b$", 0),
            ("language", "```go\na\n```", "```\na\n```", 0), ("order", "a\n\nb\n\nc", "b\n\na\n\nc", .667),
        ]:
            with self.subTest(f"{kind} {reference!r} {prediction!r}"):
                self.assertEqual(value(kind, reference, prediction), want)

    def test_tables(self):
        a = [["a", "b"], ["c", "d"]]
        for b, want in [(a, 1), ([["a", "b"]], 4 / 7), ([["a"], ["c"]], 5 / 7), ([["a", "b"], ["c", "x"]], 6 / 7), ([], 1 / 7)]:
            with self.subTest(b):
                self.assertAlmostEqual(align.tree_similarity(a, b), want)


if __name__ == "__main__":
    unittest.main()
