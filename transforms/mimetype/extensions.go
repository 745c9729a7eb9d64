package mimetype

// extensions has a line for each type that hints may name: its family (see the constants of that type), the type and
// the extensions that stand for it. Types without extensions are here for their family.
const extensions = `t text/html html htm
x application/xhtml+xml xhtml xht
t text/css css
t text/javascript js mjs cjs
t application/javascript
t application/x-javascript
t application/ecmascript
t text/csv csv
t application/csv
t text/tab-separated-values tsv tab
t text/markdown md markdown mdown mkd
t text/x-rst rst
t text/asciidoc adoc asciidoc
t text/x-tex tex ltx
t application/x-tex
t text/x-bibtex bib
t application/x-bibtex-text-file
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
t text/yaml
t text/x-yaml
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
t text/x-php
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
t text/x-sql sql
t application/sql
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
t text/x-jsp
t text/x-setext etx
t text/troff roff man
t text/sgml sgml sgm
t text/richtext rtx
t application/rtf rtf
t application/postscript ps eps ai
t application/x-ldif ldif
t application/x-x509-cert
t application/pgp-signature sig
t application/pgp-keys
t application/mbox mbox
t message/rfc822 eml mime mht mhtml
t message/news
t message/x-emlx emlx
t multipart/related
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
t application/x-latex latex
t application/vnd.mif mif
t application/geo+json-seq
t application/x-ndjson ndjson jsonl
t application/warc warc
t application/x-netscape-proxy-autoconfig pac
t application/x-ns-proxy-autoconfig
j application/json json map
j text/json
j application/x-json
j application/ld+json jsonld
j application/feed+json
j application/geo+json geojson
j application/manifest+json webmanifest
j model/gltf+json gltf
j application/vnd.api+json
x application/xml xml
x text/xml
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
x application/onix-message+xml
x application/vnd.oasis.opendocument.flat.text fodt
x application/vnd.jgraph.mxfile drawio
x application/x-xliff+xml xlf xliff
x application/x-amf amf
z application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
z application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
z application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
z application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
z application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
z application/vnd.openxmlformats-officedocument.presentationml.template potx
z application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
z application/vnd.ms-word.document.macroenabled.12 docm
z application/vnd.ms-word.template.macroenabled.12 dotm
z application/vnd.ms-excel.sheet.macroenabled.12 xlsm
z application/vnd.ms-excel.template.macroenabled.12 xltm
z application/vnd.ms-excel.addin.macroenabled.12 xlam
z application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
z application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
z application/vnd.ms-powerpoint.template.macroenabled.12 potm
z application/vnd.ms-powerpoint.slideshow.macroenabled.12 ppsm
z application/vnd.ms-powerpoint.addin.macroenabled.12 ppam
z application/vnd.ms-visio.drawing vsdx
z application/vnd.ms-visio.stencil vssx
z application/vnd.ms-visio.template vstx
z application/vnd.ms-visio.drawing.macroenabled.12 vsdm
z application/vnd.ms-visio.stencil.macroenabled.12 vssm
z application/vnd.ms-visio.template.macroenabled.12 vstm
z application/vnd.ms-xpsdocument xps oxps
z application/vnd.ms-package.3dmanufacturing-3dmodel+xml 3mf
z application/vnd.oasis.opendocument.text odt
z application/vnd.oasis.opendocument.spreadsheet ods
z application/vnd.oasis.opendocument.presentation odp
z application/vnd.oasis.opendocument.graphics odg
z application/vnd.oasis.opendocument.formula odf
z application/vnd.oasis.opendocument.chart odc
z application/vnd.oasis.opendocument.text-template ott
z application/vnd.oasis.opendocument.database odb
z application/vnd.openofficeorg.extension oxt
z application/vnd.sun.xml.writer sxw
z application/vnd.sun.xml.calc sxc
z application/vnd.sun.xml.impress sxi
z application/vnd.sun.xml.draw sxd
z application/epub+zip epub
z application/vnd.apple.keynote key
z application/vnd.apple.numbers numbers
z application/vnd.apple.pages pages
z application/vnd.google-earth.kmz kmz
z application/vnd.android.package-archive apk
z application/java-archive jar war ear
z application/x-itunes-ipa ipa
z application/x-xpinstall xpi
z application/vnd.adobe.air-application-installer-package+zip air
z application/vnd.etsi.asic-e+zip asice
z application/vnd.etsi.asic-s+zip asics
z application/vnd.comicbook+zip cbz
z application/wacz wacz
z application/x-idml idml
z application/vnd.recordare.musicxml mxl
z application/x-fictionbook-zip fbz
z application/zip zip
o application/x-ole-storage
o application/msword doc dot
o application/vnd.ms-excel xls xlt xla
o application/vnd.ms-powerpoint ppt pps pot
o application/vnd.ms-outlook msg
o application/vnd.visio vsd vst vss
o application/vnd.ms-project mpp
o application/x-mspublisher pub
o application/vnd.ms-works wps wks wdb
o application/x-ms-installer msi
o application/x-hwp-v5 hwp
o application/sldworks sldprt sldasm slddrw
o application/vnd.stardivision.writer sdw
o application/vnd.stardivision.calc sdc
o application/vnd.stardivision.draw sda
o application/vnd.stardivision.impress sdd
o application/x-quattro-pro qpw
i image/tiff tif tiff
i image/x-raw-adobe dng
i image/x-raw-nikon nef
i image/x-raw-sony arw sr2 srf
i image/x-raw-pentax pef
i image/x-raw-epson erf
i image/x-raw-kodak dcr kdc
i image/x-raw-hasselblad 3fr
i image/x-canon-cr2 cr2
b application/octet-stream bin
b application/pgp-encrypted gpg pgp
b application/x-dosexec exe dll
b application/x-tar tar
b application/x-compress Z
b application/x-lzma lzma
b application/x-brotli br
b application/x-7z-compressed 7z
b application/x-lha lha lzh
b application/x-arj arj
b application/x-stuffit sit
b application/x-apple-diskimage dmg
b application/vnd.ms-fontobject eot
b application/x-font-type1 pfb pfm
b application/x-font-pcf pcf
b application/x-director dir dxr
b application/x-dvi dvi
b application/vnd.lotus-wordpro lwp
b application/vnd.lotus-1-2-3 wk1 wk3 wk4 123
b application/x-mobipocket-ebook mobi prc
b application/vnd.amazon.ebook azw
b application/x-protobuf
b application/grpc
b application/wasm wasm
b application/pkcs7-mime p7m p7c
b application/pkcs7-signature p7s
b application/pkix-cert cer crt der
b application/pkix-crl crl
b application/x-pkcs12 p12 pfx
b application/ocsp-response
b application/x-prt prt
b application/x-sas-data sas7bdat
b application/x-spss-sav sav
b application/x-stata-dta dta
b application/x-esri-shape shp
b application/x-msaccess mdb accdb
b application/x-mysql-db frm
b application/dicom dcm
b application/vnd.mcd mcd
b application/acad
b model/stl stl
b image/x-tga tga
b image/x-pict pct pict
b image/x-pcx pcx
b image/vnd.wap.wbmp wbmp
b image/x-cmu-raster ras
b image/x-rgb rgb
b audio/mpeg mp3 mp2
b audio/aac aac
b audio/x-pn-realaudio ra ram
b audio/x-mod mod
b audio/opus opus
b video/mpeg mpg mpeg
b video/mp2t mts m2ts
b video/x-m4v m4v
b video/h264 h264
b video/x-f4v f4v
b video/x-ms-wmv wmv
`
