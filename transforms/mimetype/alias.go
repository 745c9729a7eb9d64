package mimetype

import (
	"strings"
	"sync"
)

// Canonical returns the name under which Detect reports a type. It is the name in IANA's registry if there is one in
// use. Otherwise it is that of Apache Tika, whose names are the most frequent in archives. A type without other names
// is returned unchanged. So types from headers, the module and the tables here can be compared as strings.
func Canonical(t string) string {
	if name, ok := canonicalNames()[t]; ok {
		return name
	}
	return t
}

// canonicalNames is read from aliases at first use: some 480 names, most of which no archive has.
var canonicalNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	name := ""
	for line := range strings.Lines(aliases) {
		fields := strings.Fields(line)
		// Lines that begin with a tab continue the name of the line before.
		if line[0] != '\t' {
			name, fields = fields[0], fields[1:]
		}
		for _, alias := range fields {
			names[alias] = name
		}
	}
	return names
})

// aliases has a line for each type with other names: the reported name, then the others. Lines that begin with a tab
// continue it. The names are aliases in IANA's registry and the RFCs that register types, and names from before the
// registration. Others are from Apache, Tika, libmagic and freedesktop.org. Formats that differ only in version, or in
// the codec in an Ogg file, are one type. No name may be on two lines (TestTables_nameOnce). Some pairs only look like
// aliases and are in conflict.go instead. Types video/mp4 and audio/mp4 differ in the content of the container,
// image/heif and image/heic in the coding.
const aliases = `text/html text/htm
application/xml text/xml application/x-xml
text/javascript application/javascript application/x-javascript application/ecmascript application/x-ecmascript
	text/ecmascript text/x-ecmascript text/x-javascript text/jscript text/livescript text/javascript1.0
	text/javascript1.1 text/javascript1.2 text/javascript1.3 text/javascript1.4 text/javascript1.5
application/json text/json application/x-json text/x-json
application/x-ndjson application/ndjson application/jsonl application/jsonlines application/x-jsonlines
	application/json-lines
application/ld+json application/x-ld+json
application/manifest+json application/x-web-app-manifest+json
application/yaml text/yaml text/x-yaml application/x-yaml text/vnd.yaml
application/toml text/x-toml
application/rss+xml text/rss text/rss+xml application/rss application/x-rss+xml
application/atom+xml text/atom text/atom+xml application/atom
application/rdf+xml text/rdf text/rdf+xml
text/x-opml text/x-opml+xml text/opml text/opml+xml application/opml+xml application/x-opml+xml
text/csv application/csv text/x-csv application/x-csv text/comma-separated-values text/x-comma-separated-values
text/tab-separated-values text/tsv text/x-tsv
text/markdown text/x-markdown text/x-web-markdown
text/vcard text/x-vcard
text/calendar application/ics text/x-calendar
text/turtle application/x-turtle text/rdf+turtle
text/troff application/x-troff text/x-troff application/x-troff-man application/x-troff-me application/x-troff-ms
application/x-tex text/x-tex application/x-latex text/x-latex
application/x-texinfo text/x-texinfo
application/x-bibtex-text-file text/x-bibtex application/x-bibtex text/bibtex
application/x-subrip application/x-srt text/x-srt text/srt
application/x-sh text/x-sh text/x-shellscript application/x-shellscript
text/x-python application/x-python text/x-script.python text/x-python3
text/x-perl application/x-perl
text/x-ruby application/x-ruby
text/x-php application/x-php application/x-httpd-php application/x-httpd-php-source
text/x-tcl application/x-tcl
text/x-lua application/x-lua
text/x-awk application/x-awk
text/x-jsp application/x-httpd-jsp
text/x-csrc text/x-c
text/x-c++src text/x-c++
text/x-java-source text/x-java text/java
text/x-diff text/x-patch
text/x-go text/go
text/x-rust text/rust
text/x-vbscript text/vbscript
text/x-assembly text/x-asm
text/x-typescript text/typescript application/typescript application/x-typescript
text/x-coffeescript application/vnd.coffeescript application/coffeescript
application/sql text/x-sql text/sql
application/x-bat application/bat text/x-msdos-batch application/x-batch
application/x-mathematica application/mathematica application/vnd.wolfram.nb application/vnd.wolfram.mathematica
message/rfc822 message/x-rfc822 text/x-mail
multipart/related application/x-mimearchive message/rfc2557
application/mbox application/x-mbox
application/http application/x-httpresponse
application/warc application/x-warc
application/x-internet-archive application/arc application/x-arc-archive
application/pdf application/x-pdf application/acrobat applications/vnd.pdf text/pdf text/x-pdf application/vnd.pdf
application/rtf text/rtf application/x-rtf
application/postscript image/x-eps application/eps application/x-eps application/illustrator+ps
application/vnd.fdf application/fdf
application/msword application/vnd.ms-word application/x-msword application/doc application/msword2 application/msword5
application/vnd.ms-excel application/msexcel application/x-msexcel application/x-excel application/excel
	application/xls application/x-xls application/vnd.ms-excel.sheet.2 application/vnd.ms-excel.sheet.3
	application/vnd.ms-excel.sheet.4 application/vnd.ms-excel.workspace.3 application/vnd.ms-excel.workspace.4
application/vnd.ms-powerpoint application/mspowerpoint application/powerpoint application/x-mspowerpoint application/ppt
application/vnd.visio application/x-visio application/vnd.ms-visio application/vnd.ms-visio.viewer
application/vnd.ms-visio.drawing application/vnd.ms-visio.drawing.main+xml
application/x-mspublisher application/vnd.ms-publisher
application/x-msaccess application/msaccess application/vnd.ms-access
application/x-ms-installer application/x-msi application/x-windows-installer
application/vnd.ms-xpsdocument application/oxps
application/vnd.ms-htmlhelp application/x-chm
application/vnd.ms-tnef application/ms-tnef
application/winhlp application/x-winhelp
application/onenote application/msonenote
application/x-ole-storage application/x-tika-msoffice application/cdfv2 application/x-cfb
application/vnd.lotus-1-2-3 application/x-123 application/lotus123
application/vnd.wordperfect application/x-wordperfect application/wordperfect
application/vnd.mif application/x-mif application/x-frame
application/vnd.sun.xml.writer application/x-vnd.sun.xml.writer
application/epub+zip application/epub application/x-epub+zip
application/x-mobipocket-ebook application/vnd.amazon.mobi8-ebook
application/zip application/x-zip application/x-zip-compressed application/zip-compressed multipart/x-zip
application/gzip application/x-gzip application/x-gunzip application/gzipped application/gzip-compressed
	application/x-gzip-compressed gzip/document
application/x-tar application/tar application/x-gtar application/x-ustar
application/zstd application/x-zstd
application/x-bzip2 application/bzip2 application/x-bz2 application/bzip
application/x-xz application/xz
application/x-lzip application/lzip
application/x-lha application/x-lharc application/x-lzh application/x-lzh-compressed application/x-lzh-archive
application/x-compress application/x-compressed application/compress
application/zlib application/x-deflate application/x-zlib
application/vnd.rar application/x-rar-compressed application/x-rar application/rar
application/x-7z-compressed application/x-7z
application/x-archive application/x-unix-archive
application/x-arj application/x-arj-compressed
application/vnd.ms-cab-compressed application/x-cab
application/vnd.debian.binary-package application/x-debian-package application/x-deb
application/x-rpm application/x-redhat-package-manager application/x-source-rpm
application/x-iso9660-image application/x-cd-image
application/java-archive application/x-java-archive application/jar application/x-jar application/jar-archive
application/java-vm application/x-java-vm application/x-java application/x-java-applet
application/vnd.microsoft.portable-executable application/x-msdownload application/x-dosexec
	application/x-ms-dos-executable application/exe application/x-exe application/x-winexe
application/x-elf application/elf
application/x-mach-o application/x-mach-binary
application/x-python-code application/x-bytecode.python
application/x-chrome-extension application/x-chrome-package
application/x-ms-shortcut application/x-mslnk
application/wasm application/x-wasm
application/x-shockwave-flash application/vnd.adobe.flash.movie application/x-flash
application/vnd.sqlite3 application/x-sqlite3
application/geopackage+sqlite3 application/x-geopackage
application/vnd.apache.parquet application/x-parquet
application/vnd.dbf application/x-dbf application/dbf
application/vnd.shp application/x-shapefile application/x-esri-shape
application/x-hdf application/x-hdf5
application/fits image/fits
application/x-grib application/grib
application/x-matlab-data application/matlab-mat
application/pkix-cert application/x-x509-cert application/x-x509-ca-cert application/x-x509-user-cert
application/pkcs12 application/x-pkcs12
application/pkcs7-signature application/x-pkcs7-signature
application/pkcs7-mime application/x-pkcs7-mime application/x-pkcs7-certificates
application/pgp-encrypted application/pgp
application/mac-binhex40 application/mac-binhex application/binhex
application/vnd.iccprofile image/vnd.iccprofile
application/vnd.google-earth.kml+xml application/kml+xml
application/owl+xml application/x-owl+xml
application/x-java-jnlp-file application/jnlp
application/x-xliff+xml application/xliff+xml
application/vnd.apple.keynote application/vnd.apple.keynote.13 application/x-iwork-keynote-sffkey
application/vnd.apple.numbers application/vnd.apple.numbers.13 application/x-iwork-numbers-sffnumbers
application/vnd.apple.pages application/vnd.apple.pages.13 application/x-iwork-pages-sffpages
application/x-ooxml-protected application/x-tika-ooxml-protected
application/xslt+xml text/xsl
image/jpeg image/jpg image/pjpeg image/x-jpeg image/x-jpg image/jpe
image/png image/x-png
image/apng image/vnd.mozilla.apng
image/gif image/x-gif
image/bmp image/x-bmp image/x-ms-bmp image/x-windows-bmp
image/vnd.microsoft.icon image/x-icon image/ico image/icon
image/svg+xml image/svg image/svg-xml
image/tiff image/tif image/x-tiff image/x-tif
image/heic image/hevc
image/heic-sequence image/hevc-sequence
image/jp2 image/jpeg2000 image/x-jpeg2000 image/x-jp2
image/vnd.adobe.photoshop image/x-psd image/psd application/photoshop application/x-photoshop
image/vnd.dwg image/x-dwg application/acad application/x-acad application/autocad_dwg application/dwg
	application/x-dwg application/x-autocad drawing/dwg
image/vnd.dxf image/x-dxf application/dxf
image/vnd.djvu image/x-djvu image/x.djvu image/vnd.djvu+multipage
image/vnd.zbrush.pcx image/x-pcx image/pcx image/x-pc-paintbrush
image/vnd.zbrush.dcx image/x-dcx
image/emf image/x-emf application/x-emf
image/wmf image/x-wmf application/x-wmf application/x-msmetafile windows/metafile
image/x-tga image/x-targa image/tga
image/x-xcf image/xcf
image/x-rgb image/x-sgi
image/x-exr image/aces
image/x-sun-raster image/x-cmu-raster
image/x-xbitmap image/x-xbm
image/x-pict image/pict
image/jxr image/vnd.ms-photo
image/x-canon-cr2 image/x-raw-canon-cr2
image/x-raw-adobe image/x-adobe-dng image/dng image/x-dng
image/x-raw-nikon image/x-nikon-nef
image/x-raw-sony image/x-sony-arw
image/x-raw-pentax image/x-pentax-pef
image/x-raw-minolta image/x-minolta-mrw
image/x-raw-olympus image/x-olympus-orf
image/x-raw-panasonic image/x-panasonic-rw2 image/x-panasonic-raw
image/x-raw-fuji image/x-fuji-raf
image/x-raw-kodak image/x-kodak-kdc image/x-kodak-dcr
image/x-raw-canon image/x-canon-crw
image/vnd.ms-dds image/x-dds
model/stl model/x.stl-ascii model/x.stl-binary application/sla
model/vrml x-world/x-vrml
model/iges application/iges
model/step application/step application/p21
model/vnd.dwf drawing/x-dwf
model/obj text/x-obj
audio/mpeg audio/mp3 audio/x-mp3 audio/x-mpeg audio/mpeg3 audio/x-mpeg-3 audio/mpg audio/x-mpg
audio/vnd.wave audio/wav audio/x-wav audio/wave
audio/aac audio/x-aac audio/aacp audio/x-hx-aac-adts
audio/x-aiff audio/aiff
audio/flac audio/x-flac
audio/midi audio/x-midi audio/mid audio/x-mid audio/sp-midi application/x-midi
audio/mp4 audio/x-m4a audio/x-mp4a audio/m4a
audio/ogg audio/x-ogg audio/vorbis audio/opus audio/speex audio/x-vorbis+ogg audio/x-opus+ogg audio/x-speex+ogg
	audio/x-oggflac audio/x-ogg-flac audio/x-oggpcm audio/x-ogg-pcm application/x-speex
audio/basic audio/au audio/x-au
audio/amr audio/amr-nb
audio/x-mod audio/xm audio/x-xm audio/x-it audio/x-s3m audio/s3m audio/x-stm
audio/x-pn-realaudio audio/x-realaudio audio/vnd.rn-realaudio
audio/x-voc audio/x-unknown
audio/x-musepack audio/musepack
audio/x-ape audio/ape
audio/x-caf audio/caf
audio/x-mpegurl audio/mpegurl
application/vnd.apple.mpegurl application/x-mpegurl
application/ogg application/x-ogg
application/vnd.rn-realmedia application/vnd.rn-realmedia-vbr
application/coreldraw application/x-coreldraw application/x-cdr application/cdr image/x-cdr image/cdr
	application/vnd.corel-draw
video/mp4 application/mp4 video/x-mp4
video/x-m4v video/m4v
video/x-msvideo video/avi video/msvideo video/vnd.avi
video/matroska video/x-matroska application/x-matroska
video/ogg video/theora video/x-theora video/x-theora+ogg video/daala video/x-daala video/x-dirac video/x-ogm
	video/x-ogguvs video/x-oggyuv video/x-oggrgb
video/3gpp video/3gp
video/3gpp2 video/3g2
video/x-flv video/flv application/x-flv
video/x-ms-asf video/asf application/vnd.ms-asf
video/mp2t video/mpeg-ts
video/mpeg video/x-mpeg video/mpg
font/ttf application/x-font-ttf application/font-ttf application/font-sfnt font/sfnt application/x-font-truetype
	font/truetype application/x-truetype-font
font/otf application/x-font-otf application/vnd.ms-opentype application/font-otf font/opentype
	application/x-font-opentype
font/woff application/font-woff application/x-font-woff application/x-woff
font/woff2 application/font-woff2 application/x-font-woff2
font/collection application/x-font-ttc
application/vnd.ms-fontobject application/x-font-eot font/eot
application/x-font-type1 application/x-font-type-1 font/type1
`
