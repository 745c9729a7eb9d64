package source

import "strings"

// sampleTitles are titles of pieces that come with themes and starters of site software, and stay if nobody writes.
// They are from Hugo and its themes, Jekyll and its themes, Hexo, Gatsby, Astro, Next.js, Eleventy, Docusaurus,
// Quarto, and WordPress' theme test data. Squeezed: only letters and digits.
var sampleTitles = titlesOf(`
Markdown Syntax Guide
Markdown Syntax
Markdown Style Guide
Markdown Guide
Placeholder Text
Rich Content
Math Typesetting
Emoji Support
Diagram Support
Image Gallery
Shortcodes
Syntax Highlighting
(Hu)go Template Primer
Getting Started with Hugo
Migrate from Jekyll
Migrate to Hugo from Jekyll
Creating a New Theme
Hugo is Forever
Linked Post
Another Sample Post
Sample Blog Post
Sample .md file
Sample Post
An Example Post
Example Page
Example Content
Example Post
Example Project
Example Talk
Example Event
Example Article
External Project
Internal Project
Slides
Display Jupyter Notebooks with Academic
Academic: the website builder for Hugo
Writing technical content in Academic
Writing technical content in Markdown
Welcome to Wowchemy, the website builder for Hugo
An example journal article
An example conference paper
An example preprint / working paper
Easily create your own simple yet highly customizable blog
Sharpen your thinking with a second brain
Communicate your results effectively with the best data visualizations
Teach academic courses
Manage your projects
Learn JavaScript
Learn Python
Get Started
Pandas
PyTorch
scikit-learn
What's Jekyll?
Introducing Hyde
Introducing Lanyon
Introducing Poole
Flake it till you make it
Dear diary
Test markdown
Soccer
To be
Writing a New Post
Text and Typography
Customize the Favicon
Post: Standard
Post: Link
Post: Quote
Post: Chat
Post: Gallery
Post: Modified Date
Markup: HTML Tags and Formatting
Markup: Text Readability
Markup: Image Alignment
Markup: Syntax Highlighting
Markup: Title with Special Characters
Layout: Excerpt (Defined)
Layout: Excerpt (Generated with Separator Tag)
Layout: Header Image
Template: Comments
Template: Featured Image (Horizontal)
Edge Case: No Title
Edge Case: Many Tags
Edge Case: Many Categories
Edge Case: Nested and Mixed Lists
Antidisestablishmentarianism
A post with code
A post with images
A post with formatting and links
A post with math
A post with advanced image components
A post with table of contents
A post with redirect
A post with diagrams
A post with github metadata
A post with twitter
A post with disqus comments
A post with giscus comments
A post with jupyter notebook
A post with custom blockquotes
A post with bibliography
A post with video
A post with audios
A post with tabs
A distill-style blog post
A simple inline announcement
A long announcement with details
New Beginnings
My Second Post
My Second Post!
My Third Post
Second Post
Third Post
Fourth Post
Fifth Post
Using MDX
Using Components
Long Blog Post
First Blog Post
MDX Blog Post
Release of Tailwind Nextjs Starter Blog v2.0
Introducing Tailwind Nextjs Starter Blog
Introducing Tailwind Nextjs Starter Blog v2.0
Deriving the OLS Estimator
The Time Machine
My fancy title
Images in Next.js
Prism with Next.js
Preview Mode for Static Generation
Dynamic Routing and Static Generation
Learn How to Pre-render Pages Using Static Generation in Next.js
When to Use Static Generation v.s. Server-side Rendering
Two Forms of Pre-rendering
This is my first post.
This is my second post.
This is my third post.
This is my fourth post.
This is my first post
This is my second post
This is my third post
This is my fourth post
This is a standard post format
Post with Code
Post With Code
Welcome To My Blog
Hello R Markdown
Hello Hugo
Hello Hexo
Hello Jekyll
My New Post
My First Post
My First Article
My First Blog Post
Item with image
Item without image
Creating a Blog with Hugo
Your first post
Theme Documentation Basics
Chapter I: The Grand Hall
Chapter II: Pierre Gringoire
Chapter III: Monsieur the Cardinal
Chapter IV: Master Jacques Coppenole
Chapter V: Quasimodo
Chapter VI: Esmeralda
Getting Started with Hugo: A Beginner's Guide
Customizing Your Hugo Theme: A Deep Dive
Deploying Hugo Sites: A Complete Guide
Optimizing Hugo Performance: Speed Up Your Site
Content Management in Hugo: Best Practices
Test HTML Post
Markdown examples
Advanced examples
Kiwifruit
Kiwifruid
Bananas
Apples
Render Math With Mathjax
Test post please ignore
Fastpages Notebook Blog Post
Displaying External Posts on Your al-folio Blog
Google Gemini updates: Flash 1.5, Gemma 2 and Project Astra
Humane Typography in the Digital Age
Johannes Gutenberg: The Birth of Movable Type
The Birth of Movable Type
The Origins of Social Stationery Lettering
A Brief History of Typography
Perfecting the Art of Perfection
Get started with AstroWind to create a website using Astro and Tailwind CSS
Useful tools and resources to create a professional website
How to customize AstroWind template to suit your branding
AstroWind template in depth
Markdown elements demo post
Adding Comment Systems to Frosti
Using mdx in Frosti
Testing Mathematical Formulas in Markdown
Simple Guides for Fuwari
Expressive Code Example
Markdown Extended Features
Markdown Example
Include Video in the Posts
Draft Example
Dynamic OG image generation in AstroPaper blog posts
How to add LaTeX Equations in Astro blog posts
How to update dependencies of AstroPaper
How to integrate Giscus comments into AstroPaper
How to add an estimated reading time in AstroPaper
How to connect AstroPaper Blog Theme with Forestry CMS
How to use Git Hooks to set Created and Modified Dates
How Do I Develop My Terminal Portfolio Website with React
How Do I Develop My Portfolio Website & Blog
Tailwind Typography Plugin
AstroPaper 2.0
AstroPaper 3.0
AstroPaper 4.0
AstroPaper 5.0
Year Sorting Example
Prev/Next Order Example
The State of Static Blogs in 2024
Example Cover Image
Example OG Social Image
Adding Webmentions to Astro Cactus
Unique tags validation
Basic Markdown Syntax
Theme Documentation - Content
Theme Documentation - Built-in Shortcodes
Theme Documentation - Extended Shortcodes
Theme Documentation - Mermaid Shortcode
Theme Documentation - Echarts Shortcode
Theme Documentation - Music Shortcode
Theme Documentation - TypeIt Shortcode
More Rich Content
Theme Demo
HTML and CSS only tabs
Render LaTeX using KaTeX
Mermaid Support
Twemoji Support
Chinese Test
Man must explore, and this is exploration at its greatest
I believe every human has a finite number of heartbeats. I don't intend to waste any of mine.
Science has not yet mastered prophecy
Education must also train one for quick, resolute and effective thinking
Powerful things you can do with the Markdown editor
Options for creating a new site with Jekyll
Never Stopped Worrying or Loving the Bomb
Future Blog Post
Using Cryogen
Welcome to Nikola
Welcome to MkDocs
Start here for a quick overview of everything Ghost can do
Customizing your brand and design settings
Adding new posts in AstroPaper theme
How to configure AstroPaper theme
Customizing AstroPaper theme color schemes
Predefined color schemes
Basic Markdown Elements
`)

// sampleNames are link names of such pieces that differ from their title. Authors who replace the text often keep the
// name.
var sampleNames = titlesOf(`
get-started-website-with-astro-tailwind-css
useful-resources-to-create-websites
how-to-customize-astrowind-to-your-brand
mathematics-examples
adding-comment-systems
how-to-add-latex-equations-in-blog-posts
how-to-integrate-giscus-comments
how-to-update-dependencies
how-to-add-an-estimated-reading-time
how-to-add-a-new-social-icon
setting-dates-via-git-hooks
example-draft-post
customizing-astropaper-theme-color-schemes
00-micro-changelog
04-markdown-syntax
06-year-sorting-example
08-prev-next-order-example
mobile-nav-and-subposts
the-state-of-static-blogs
content-pipeline-fixture
goisforlovers
hugoisforlovers
papermod-installation
papermod-features
papermod-variables
papermod-how-to
`)

// leastNameBytes is the fewest letters and digits of a telling link name: shorter names are frequent.
const leastNameBytes = 12

// isSampleName reports whether the last part of a path is named like a piece of a theme.
func isSampleName(path string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".html")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if len(name) < leastNameBytes || len(name) > mostSampleBytes {
		return false
	}
	var room [mostSampleBytes]byte // links come by the million
	squeezed := appendSqueezed(room[:0], name)
	return len(squeezed) >= leastNameBytes && (sampleTitles[string(squeezed)] || sampleNames[string(squeezed)])
}

func titlesOf(list string) map[string]bool {
	titles := map[string]bool{}
	for title := range strings.Lines(list) {
		if name := squeeze(title); name != "" {
			titles[name] = true
		}
	}
	return titles
}

// fillerWords are words of Lorem ipsum and its generators, except short ones that living languages also have.
var fillerWords = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`lorem ipsum dolor amet consectetur adipiscing adipisicing elit eiusmod tempor
		incididunt labore dolore magna aliqua enim veniam quis nostrud exercitation ullamco laboris aliquip commodo
		consequat duis aute irure reprehenderit voluptate velit esse cillum fugiat nulla pariatur excepteur sint occaecat
		cupidatat proident culpa officia deserunt mollit laborum vestibulum pellentesque curabitur vivamus maecenas
		suspendisse phasellus fusce donec praesent aenean integer nullam mauris morbi sagittis tincidunt ultrices posuere
		facilisis vulputate porttitor sollicitudin tristique pharetra lobortis scelerisque condimentum fermentum
		elementum egestas euismod faucibus hendrerit iaculis interdum lacinia laoreet luctus malesuada mattis molestie
		ornare placerat pretium pulvinar rhoncus rutrum sodales suscipit tellus tortor turpis ultricies varius venenatis
		viverra volutpat congue bibendum blandit accumsan dignissim efficitur feugiat fringilla gravida imperdiet
		perspiciatis voluptatem accusantium doloremque laudantium totam aperiam eaque ipsa inventore veritatis quasi
		architecto beatae explicabo nemo aspernatur odit fugit consequuntur magni ratione sequi nesciunt xerum quo qui
		aut unt expliquam dolut labo aque venitatiusda voluptionse latur sitiae dolessi parist dollo`) {
		words[w] = true
	}
	return words
}()

const (
	leastFillerWords = 12  // of a text
	mostFillerShare  = 0.3 // of its first words; texts about typography, which quote some, have less
)

// mostThemeBytes is how much of a text is searched: themes identify themselves in the first lines.
const mostThemeBytes = 600

// isTheme reports whether a text comes from a theme.
func isTheme(text string) bool {
	text = cut(text, mostThemeBytes)
	lower := strings.ToLower(text)
	return themeParts.in(lower) && themeText().MatchString(text) || fillerParts.in(lower) && isFiller(text)
}

// isFiller reports whether a text is filler of designers.
func isFiller(text string) bool {
	all, filler := 0, 0
	for w := range wordsOf(text) {
		if len(w) < 3 {
			continue
		}
		all++
		if fillerWords[string(w)] {
			filler++
		}
	}
	return filler >= leastFillerWords && float64(filler) >= mostFillerShare*float64(all)
}
