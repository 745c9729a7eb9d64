package mimetype

// binaryExtensions is textExtensions for other types: "z" are zip containers, "o" compound files, "i" TIFF, "b" all
// others.
const binaryExtensions = `z application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
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
z application/bizagi-modeler bpm
z application/vnd.mindjet.mindmanager mmap mmp mmpt
z application/x-xmind xmind
z application/hwp+zip hwpx
z application/x-ibooks+zip ibooks
z application/x-silverlight-app xap
z application/vnd.geogebra.file ggb
z application/vnd.olpc-sugar xo
z application/vnd.sun.xml.writer.template stw
z application/vnd.sun.xml.calc.template stc
z application/vnd.sun.xml.impress.template sti
z application/vnd.sun.xml.draw.template std
z application/vnd.sun.xml.math sxm
z application/vnd.oasis.opendocument.presentation-template otp
z application/vnd.oasis.opendocument.spreadsheet-template ots
z application/vnd.oasis.opendocument.graphics-template otg
z application/vnd.oasis.opendocument.text-web oth
z application/vnd.openxmlformats-officedocument.presentationml.slide sldx
z application/vnd.ms-officetheme thmx
z image/openraster ora
z application/x-krita kra
z model/vnd.usdz+zip usdz
z model/vnd.dwfx+xps dwfx
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
o application/x-corelpresentations shw
o application/x-esri-layer lyr
o application/x-msbinder obd
o application/x-staroffice-template vor
o application/x-ooxml-protected
o image/vnd.fpx fpx
i image/tiff tif tiff
i image/x-raw-adobe dng
i image/x-raw-nikon nef
i image/x-raw-sony arw sr2 srf
i image/x-raw-pentax pef
i image/x-raw-epson erf
i image/x-raw-kodak dcr kdc
i image/x-raw-hasselblad 3fr
i image/x-canon-cr2 cr2
i image/x-raw-mamiya mef
i image/x-raw-leaf mos
i image/x-raw-phaseone iiq
i image/x-raw-imacon fff
b application/octet-stream bin
b application/pgp-encrypted gpg pgp
b application/vnd.microsoft.portable-executable exe dll
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
b application/x-x509-key
b application/pgp-keys
b application/pkix-crl crl
b application/pkcs12 p12 pfx
b application/ocsp-response
b application/x-prt prt
b application/x-sas-data sas7bdat
b application/x-spss-sav sav
b application/x-stata-dta dta
b application/vnd.shp shp
b application/x-msaccess mdb accdb
b application/x-mysql-db frm
b application/dicom dcm
b application/vnd.mcd mcd
b image/vnd.dwg
b model/stl stl
b image/x-tga tga
b image/x-pict pct pict
b image/vnd.zbrush.pcx pcx
b image/vnd.wap.wbmp wbmp
b image/x-sun-raster ras
b image/x-rgb rgb
b audio/mpeg mp3 mp2
b audio/aac aac
b audio/x-pn-realaudio ra ram
b audio/x-mod mod
b audio/ogg opus
b video/mpeg mpg mpeg
b video/mp2t mts m2ts
b video/x-m4v m4v
b video/h264 h264
b video/x-f4v f4v
b video/x-ms-wmv wmv
b application/x-ms-nls nls
b application/x-tex-tfm tfm
b application/x-tex-virtual-font vf
b application/x-endnote-style ens
b application/vnd.quark.quarkxpress qxd qxt qwd qwt qxl
b application/vnd.lotus-approach apr
b application/vnd.lotus-freelance pre
b application/vnd.lotus-notes nsf
b application/x-appleworks cwk
b application/mac-compactpro cpt
b application/x-stuffitx sitx
b application/vnd.hp-pcl pcl
b application/vnd.ibm.modcap afp
b application/vnd.fdsn.seed seed
b application/x-mscardfile crd
b application/x-msclip clp
b application/x-roxio-toast toast
b application/x-sas-catalog sas7bcat
b application/x-sas-data-index sas7bndx
b application/x-font-snf snf
b application/x-gameboy-rom gb
b application/vnd.mapbox-vector-tile mvt
b image/g3fax g3
b image/ief ief
b image/vnd.dgn dgn
b image/cgm cgm
b image/x-xwindowdump xwd
b audio/x-gsm gsm
b audio/vnd.dts dts
b video/x-dv dv
b video/x-mjpeg mjpeg mjpg
b video/vnd.vivo viv
`
