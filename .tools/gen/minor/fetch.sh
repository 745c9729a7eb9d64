#!/bin/sh
# Downloads the packages of Debian 12 that minor.bin is learnt from, and unpacks them into a folder:
#   sh .tools/gen/minor/fetch.sh /tmp/messages
set -eu
folder=${1:?folder}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/debs"
cd "$folder/debs"
# Each line has a checksum and a file's name: package, version and architecture.
while read -r _ name; do
	package=${name%%_*}
	rest=${name#*_}
	[ -e "$name" ] || apt-get download "$package=$(echo "${rest%_*}" | sed 's/%3a/:/')"
done < "$here/packages.sha256"
sha256sum -c "$here/packages.sha256"
for deb in *.deb; do dpkg-deb -x "$deb" "$folder"; done
