package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"io"
	"strings"
	"time"
)

// maintainer is who the package names.
const maintainer = "Gleaner <gleaner@users.noreply.github.com>"

// writeDeb writes a package of format 2.0 (deb(5)): an ar archive of a version, the control files and the files.
func (r request) writeDeb(out io.Writer, list []file) error {
	data, err := tarOf(list, r.time)
	if data, err = zipped(data, err); err != nil {
		return err
	}
	control, err := tarOf(r.control(list), r.time)
	if control, err = zipped(control, err); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, member := range []file{
		{name: "debian-binary", content: []byte("2.0\n")},
		{name: "control.tar.gz", content: control},
		{name: "data.tar.gz", content: data},
	} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", member.name, r.time.Unix(), 0, 0, "100644", len(member.content))
		b.Write(member.content)
		if len(member.content)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	_, err = out.Write(b.Bytes())
	return err
}

// changelog is the package's own list of changes, in Debian's form.
func (r request) changelog() string {
	return fmt.Sprintf("gleaner (%s) stable; urgency=medium\n\n  * Release %s: see NEWS.gz.\n\n -- %s  %s\n", r.version,
		r.version, maintainer, r.time.Format(time.RFC1123Z))
}

// control returns the control files. Sums are of MD5, which the format asks for; dpkg --verify compares them.
func (r request) control(list []file) []file {
	var sums, configs strings.Builder
	var size int64
	for _, f := range list {
		size += int64(len(f.content)+1023) / 1024
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.content), f.name)
		if strings.HasPrefix(f.name, "etc/") {
			fmt.Fprintf(&configs, "/%s\n", f.name)
		}
	}
	control := fmt.Sprintf(`Package: gleaner
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Recommends: ca-certificates
Section: web
Priority: optional
Homepage: https://github.com/gleaner-web/gleaner
Description: turns web archives into documents
 Gleaner reads WARC, ARC and WACZ files and the output of crawlers. It writes
 documents with media type, charset, language, main text, metadata and
 entities, and searches, serves and exports them.
`, r.version, r.arch, maintainer, size)
	return []file{
		{"conffiles", 0o644, []byte(configs.String())},
		{"control", 0o644, []byte(control)},
		{"md5sums", 0o644, []byte(sums.String())},
	}
}
