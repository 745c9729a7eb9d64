package replay

import "strings"

// set makes a set of words.
func set(lists ...string) map[string]bool {
	m := map[string]bool{}
	for _, list := range lists {
		for word := range strings.FieldsSeq(list) {
			m[word] = true
		}
	}
	return m
}

// elements are the elements of HTML that are written as they are. Others leave only their content. Elements whose name
// has a hyphen are written too: without scripts they do nothing.
var elements = set(
	"html head body title style link meta",
	"a abbr acronym address area article aside b bdi bdo big blink blockquote br button canvas caption center cite code",
	"col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form",
	"frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr i iframe img input ins kbd label legend li listing main map mark",
	"marquee menu meter nav nobr ol optgroup option output p picture pre progress q rb rp rt rtc ruby s samp search",
	"section select small source span strike strong sub summary sup table tbody td textarea tfoot th thead time tr tt u",
	"ul var video audio wbr",
)

// silent are the elements whose content is not shown either.
var silent = set(
	"script template noembed noframes applet embed param base track portal fencedframe bgsound basefont frame-src",
	"foreignobject metadata annotation annotation-xml animate animatecolor animatemotion animatetransform set mpath",
	"discard handler listener feimage font-face hatch solidcolor mesh",
)

// void are the elements without content or an end tag.
var void = set("area br col frame hr img input link meta source wbr")

// attributes are the attributes of HTML that are written as they are. Those that name URLs, styles or targets are not
// among them.
var attributes = set(
	"class id title lang dir hidden role translate",
	"abbr align alt axis bgcolor border bordercolor cellpadding cellspacing char charoff checked clear color cols colspan",
	"compact coords cite-as datetime disabled face frame frameborder headers height high hspace inert ismap kind label",
	"leftmargin level link alink vlink loop low marginheight marginwidth max maxlength media min minlength multiple name",
	"nohref noresize noshade nowrap open optimum pattern placeholder readonly reversed rightmargin bottommargin",
	"topmargin rows rowspan rules scope scrolling selected shape size sizes span start step summary text type valign",
	"value vspace width wrap direction behavior scrollamount loading decoding fetchpriority for form-name",
)

// svgElements are the elements of SVG that are written. Names are those of the parser, which knows their letters.
var svgElements = set(
	"svg g path rect circle ellipse line polyline polygon text tspan textPath defs symbol use image linearGradient",
	"radialGradient stop clipPath mask pattern marker title desc switch style view filter feBlend feColorMatrix",
	"feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow",
	"feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight",
	"feSpecularLighting feSpotLight feTile feTurbulence",
)

// svgAttributes are the attributes of SVG that are written. Their values pass the rewriter of style sheets, as some of
// them may have url().
var svgAttributes = set(
	"class id lang role viewBox preserveAspectRatio version x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d points width",
	"height transform pathLength rotate textLength lengthAdjust startOffset method spacing side offset gradientUnits",
	"gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits",
	"patternTransform markerWidth markerHeight markerUnits refX refY orient filterUnits primitiveUnits in in2 result",
	"mode operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha surfaceScale",
	"diffuseConstant kernelUnitLength scale xChannelSelector yChannelSelector azimuth elevation stdDeviation radius",
	"specularConstant specularExponent limitingConeAngle baseFrequency numOctaves seed stitchTiles type values",
	"tableValues slope intercept amplitude exponent fill fill-opacity fill-rule stroke stroke-width stroke-opacity",
	"stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset color opacity display",
	"visibility overflow clip clip-path clip-rule mask filter flood-color flood-opacity lighting-color stop-color",
	"stop-opacity marker-start marker-mid marker-end paint-order vector-effect shape-rendering text-rendering",
	"image-rendering color-interpolation color-interpolation-filters pointer-events font-family font-size font-style",
	"font-weight font-variant font-stretch text-anchor dominant-baseline alignment-baseline baseline-shift",
	"letter-spacing word-spacing text-decoration writing-mode unicode-bidi direction enable-background systemLanguage",
	"aria-hidden aria-label focusable media",
)

// mathElements are the elements of MathML Core that are written.
var mathElements = set(
	"math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub",
	"msubsup msup mtable mtd mtext mtr munder munderover none semantics mfenced menclose mlabeledtr",
)

// mathAttributes are the attributes of MathML that are written.
var mathAttributes = set(
	"class id dir display displaystyle mathbackground mathcolor mathsize mathvariant scriptlevel accent accentunder",
	"columnspan rowspan depth fence form height largeop linethickness lspace maxsize minsize movablelimits rspace",
	"separator stretchy symmetric voffset width columnalign rowalign columnspacing rowspacing open close separators",
	"notation columnlines rowlines frame",
)
