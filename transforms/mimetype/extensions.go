package mimetype

// textExtensions and binaryExtensions have a line for each type that a hint may name. It holds the family (see the
// constants of that type), the type and its extensions. Types without extensions are listed for their family. If an
// extension belongs to several types (.m, .ts, .key), one was chosen. The order within a table does not matter, as an
// extension is in one line only.
const textExtensions = `t text/html html htm
t text/plain txt text
t text/css css
t text/javascript js mjs cjs
t text/csv csv
t text/tab-separated-values tsv tab
t text/markdown md markdown mdown mkd
t text/x-rst rst
t text/asciidoc adoc asciidoc
t application/x-tex tex ltx latex
t application/x-bibtex-text-file bib
t application/x-research-info-systems ris
t application/x-endnote-refer enw
t text/calendar ics ifb
t text/x-vcalendar vcs
t text/vcard vcf
t text/vtt vtt
t application/x-subrip srt
t text/x-ssa ass ssa
t text/turtle ttl
t text/n3 n3
t application/n-triples nt
t application/n-quads nq
t application/trig trig
t application/sparql-query rq
t application/yaml yaml yml
t application/toml toml
t text/x-ini ini
t text/x-config conf cfg
t text/x-log log
t text/x-diff diff patch
t application/x-sh sh bash
t application/x-csh csh
t application/x-bat bat cmd
t text/x-csrc c
t text/x-chdr h
t text/x-c++src cpp cxx cc
t text/x-c++hdr hpp hxx
t text/x-csharp cs
t text/x-java-source java
t text/x-java-properties properties
t text/x-python py
t text/x-perl pl pm
t text/x-ruby rb
t text/x-go go
t text/x-rust rs
t text/x-scala scala
t text/x-haskell hs
t text/x-lua lua
t text/x-pascal pas
t text/x-fortran f f90 f77
t text/x-matlab m
t text/x-rsrc r
t application/sql sql
t text/x-typescript ts tsx
t text/x-coffeescript coffee
t text/x-less less
t text/x-scss scss
t text/x-sass sass
t text/x-tcl tcl
t text/x-vbasic vb
t text/x-vbscript vbs
t text/x-assembly asm s
t text/x-lisp lisp el
t text/x-erlang erl
t text/x-groovy groovy
t text/x-kotlin kt
t text/x-swift swift
t text/x-component htc
t text/x-setext etx
t text/troff roff man
t text/sgml sgml sgm
t text/richtext rtx
t application/rtf rtf
t application/postscript ps eps ai
t application/x-ldif ldif
t application/pgp-signature sig
t application/mbox mbox
t message/rfc822 eml mime
t message/x-emlx emlx
t multipart/related mht mhtml
t application/vnd.apple.mpegurl m3u8
t audio/x-mpegurl m3u
t audio/x-scpls pls
t text/cache-manifest appcache
t text/vnd.wap.wmlscript wmls
t text/vnd.graphviz gv
t model/obj obj
t model/step stp step
t model/iges igs iges
t model/vrml wrl
t chemical/x-pdb pdb
t chemical/x-mdl-molfile mol
t application/vnd.mif mif
t application/geo+json-seq
t application/x-ndjson ndjson jsonl
t application/warc warc
t application/x-netscape-proxy-autoconfig pac
t application/x-ns-proxy-autoconfig
t text/x-awk awk
t text/x-ada ada adb ads
t text/x-actionscript as
t text/x-clojure clj
t text/x-cobol cob cbl
t text/x-d d
t text/x-dart dart
t text/x-julia jl
t text/x-modelica mo
t text/x-objcsrc mm
t text/x-ocaml ml
t text/x-scheme scm
t text/x-verilog v sv
t text/x-vhdl vhdl
t text/org org
t text/uri-list uri uris
t text/x-uuencode uu uue
t application/x-openscad scad
t application/xquery xq xquery
t application/relax-ng-compact-syntax rnc
t application/sdp sdp
t application/x-chess-pgn pgn
t application/x-stata-do do
t application/x-texinfo texi texinfo
t application/x-mathematica nb ma
t application/x-mswinurl url
t application/x-desktop desktop
t text/x-ms-regedit reg
t application/x-project mpx
t application/mac-binhex40 hqx
t application/vnd.java.hprof.text
t application/x-x509-dsa-parameters
t application/x-x509-ec-parameters
t application/x-isatab
t application/x-isatab-assay
t application/x-isatab-investigation
t application/vnd.cups-ppd ppd
t application/vnd.hp-hpgl hpgl
t chemical/x-cif cif
t chemical/x-xyz xyz
t model/mtl mtl
t model/x-ply ply
t application/http
j application/json json map
j application/ld+json jsonld
j application/geo+json geojson
j application/manifest+json webmanifest
j model/gltf+json gltf
j application/json-patch+json json-patch
j application/x-ipynb+json ipynb
j application/jrd+json jrd
x application/xhtml+xml xhtml xht
x application/xml xml
x application/rss+xml rss
x application/atom+xml atom
x application/rdf+xml rdf owl
x text/x-opml opml
x image/svg+xml svg
x application/mathml+xml mml mathml
x application/xslt+xml xsl xslt
x application/wsdl+xml wsdl
x application/xml-dtd dtd
x application/vnd.google-earth.kml+xml kml
x application/gpx+xml gpx
x application/ttml+xml ttml dfxp
x application/xspf+xml xspf
x application/smil+xml smil smi
x application/vnd.adobe.xfdf xfdf
x application/x-plist plist
x application/x-java-jnlp-file jnlp
x application/vnd.mozilla.xul+xml xul
x text/vnd.wap.wml wml
x application/vnd.ms-wordml
x application/vnd.ms-spreadsheetml
x application/x-fictionbook+xml fb2
x application/vnd.recordare.musicxml+xml musicxml
x application/vnd.oasis.opendocument.flat.text fodt
x application/vnd.jgraph.mxfile drawio
x application/x-xliff+xml xlf xliff
x application/x-amf amf
x application/dash+xml mpd
x application/docbook+xml dbk
x application/gml+xml gml
x application/oebps-package+xml opf
x application/tei+xml tei
x application/mets+xml mets
x application/voicexml+xml vxml
x application/xaml+xml xaml
x application/xslfo+xml fo xslfo
x application/x-dtbncx+xml ncx
x application/x-gnumeric gnumeric
x application/x-abiword abw
x application/x-nzb nzb
x application/vnd.ms-wpl wpl
x application/vnd.ms-word2006ml
x application/vnd.chemdraw+xml cdxml
x model/vnd.collada+xml dae
x model/x3d+xml x3d
x application/x-ms-asx asx
x application/x-sami
x image/vnd.adobe.premiere prproj
`
