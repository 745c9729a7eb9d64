"""Builds sites from Markdown with several generators and themes. Each function takes a folder and texts by name, such
as "project/page", and returns the built HTML by name."""

import os
import re
import subprocess


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def get(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except OSError:
        return None


def run(command, folder, **more):
    r = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1500, env={**os.environ, **more})
    if r.returncode:
        print(command, (r.stdout + r.stderr)[-3000:], flush=True)


def mkdocs(folder, texts, theme, python):
    for name, text in texts.items():
        put(f"{folder}/docs/{name}.md", text)
    put(f"{folder}/docs/index.md", "# Home\n\nWelcome.\n")
    put(f"{folder}/mkdocs.yml", f"""site_name: Documentation
site_url: https://docs.example.org/
use_directory_urls: false
theme: {{name: {theme}}}
plugins: []
markdown_extensions: [tables, footnotes, def_list, toc: {{permalink: true}}, pymdownx.superfences, pymdownx.highlight: {{pygments_lang_class: {"true" if theme == "material" else "false"}}},
  pymdownx.arithmatex: {{generic: true}}, pymdownx.tasklist, pymdownx.tilde]
""")
    run([f"{os.path.dirname(python)}/mkdocs", "build", "-q"], folder)
    return {n: get(f"{folder}/site/{n}.html") for n in texts}


def sphinx(folder, texts, theme, python):
    for name, text in texts.items():
        put(f"{folder}/src/{name}.md", text)
    put(f"{folder}/src/index.rst", "Home\n====\n\n.. toctree::\n   :glob:\n   :maxdepth: 1\n\n" + "".join(f"   /{n}\n" for n in texts))
    put(f"{folder}/src/conf.py", f"""project = "Documentation"
extensions = ["myst_parser", "sphinx.ext.mathjax"{', "sphinx_immaterial"' if theme == "sphinx_immaterial" else ''}]
html_theme = "{theme}"
myst_enable_extensions = ["dollarmath", "deflist", "strikethrough", "tasklist"]
myst_dmath_allow_digits = False
suppress_warnings = ["myst", "toc", "image", "misc"]
""")
    run([python, "-m", "sphinx", "-q", "-b", "html", "src", "out"], folder)
    return {n: get(f"{folder}/out/{n}.html") for n in texts}


def pandoc(folder, texts, math, python):
    found = {}
    for name, text in texts.items():
        put(f"{folder}/{name}.md", text)
        run(["pandoc", "-f", "markdown-smart-implicit_figures+lists_without_preceding_blankline" if math == "plain" else "markdown-smart",
             "-s", "--toc", "--" + ("katex" if math == "plain" else math), "--metadata", "pagetitle=Page", "-o", "page.html", f"{name}.md"], folder)
        found[name] = get(f"{folder}/page.html")
    return found


def vitepress(folder, texts, node_modules, python):
    for name, text in texts.items():
        if "{{" not in text:  # Vue's own marks
            put(f"{folder}/docs/{name}.md", text)
    put(f"{folder}/docs/index.md", "# Home\n")
    items = ",".join(f"{{text:{name.split('/')[-1]!r},link:{'/' + name!r}}}" for name in texts)
    put(f"{folder}/docs/.vitepress/config.mjs", f"""export default {{title: 'Documentation', ignoreDeadLinks: true,
  themeConfig: {{sidebar: [{{text: 'Pages', items: [{items}]}}]}}}}\n""")
    link(node_modules, folder)
    run(["node", "node_modules/vitepress/bin/vitepress.js", "build", "docs"], folder)
    return {n: get(f"{folder}/docs/.vitepress/dist/{n}.html") for n in texts}


def link(node_modules, folder):
    if not os.path.exists(f"{folder}/node_modules"):
        os.symlink(node_modules, f"{folder}/node_modules")


def docusaurus(folder, texts, node_modules, python):
    for name, text in texts.items():
        put(f"{folder}/docs/{name}.md", text)
    put(f"{folder}/package.json", '{"name": "site", "version": "1.0.0"}')
    put(f"{folder}/docusaurus.config.mjs", """import remarkMath from 'remark-math';
import rehypeKatex from 'rehype-katex';
export default {title: 'Documentation', url: 'https://docs.example.org', baseUrl: '/', onBrokenLinks: 'ignore',
  onBrokenAnchors: 'ignore', onDuplicateRoutes: 'ignore', future: {v4: true},
  markdown: {format: 'md', hooks: {onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore'}},
  presets: [['classic', {docs: {routeBasePath: '/', remarkPlugins: [remarkMath], rehypePlugins: [rehypeKatex]}, blog: false}]]};
""")
    link(node_modules, folder)
    run(["node", "node_modules/@docusaurus/core/bin/docusaurus.mjs", "build", "--no-minify"], folder, NODE_OPTIONS="--max-old-space-size=3000")
    return {n: get(f"{folder}/build/{n}/index.html") or get(f"{folder}/build/{n}.html") for n in texts}


def hexo(folder, texts, theme, node_modules):
    link(node_modules, folder)
    put(f"{folder}/package.json", '{"name": "s", "version": "1.0.0", "hexo": {"version": "8.1.2"}, "dependencies": {'
        '"hexo-renderer-marked": "*", "hexo-renderer-ejs": "*", "hexo-renderer-stylus": "*", "hexo-generator-index": "*", "hexo": "*"}}')
    put(f"{folder}/_config.yml", f"title: Notes\nurl: https://blog.example.org\ntheme: {theme}\npermalink: :name/\n"
        "marked: {mangle: false, smartypants: false}\nsyntax_highlighter: highlight.js\n")
    for name, text in texts.items():
        title = re.match(r"# (.*)\n", text)
        if title:
            plain = re.sub(r"[`*_\\]", "", title[1]).replace('"', "'")
            put(f"{folder}/source/_posts/{name.replace('/', '--')}.md", f'---\ntitle: "{plain}"\ndate: 2024-01-02\n---\n' + text[title.end():])
    run(["node", "node_modules/hexo/bin/hexo", "generate"], folder)
    return {n: get(f"{folder}/public/{n.replace('/', '--')}/index.html") for n in texts}
