#!/bin/sh
# Installs the Debian packages of packages.txt, or of other lists of that form, that are missing. One marked `unpacked` is not
# installed, but unpacked below build/packages, for its headers and static libraries without the packages it would bring along.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- packages.txt

missing=
unpack=
for package in $(sed -e 's/#.*//' -e 's/ unpacked/:unpacked/' "$@"); do
    case $package in
    *:unpacked)
        package=${package%:unpacked}
        [ -d "build/packages/$package/usr" ] || unpack="$unpack $package"
        continue
        ;;
    nodejs) program=node ;;
    npm | chromium) program=$package ;;
    *) program= ;;
    esac
    [ -z "$program" ] || ! command -v "$program" >/dev/null || continue # from elsewhere will do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing$unpack" ]; then
    echo "setup: all packages of $* are there"
    exit 0
fi

if ! command -v apt-get >/dev/null; then
    echo "setup: this system has no apt-get; install what corresponds to:" $missing $unpack >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: neither root nor sudo; as root run: apt-get update, apt-get install make $missing" >&2
        [ -z "$missing" ] || exit 1
    fi
    as_root=sudo
fi

# An old list of packages names files that are no longer there.
$as_root apt-get update -q
if [ -n "$missing" ]; then
    echo "setup: installing" $missing
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
fi
for package in $unpack; do
    echo "setup: unpacking $package below build/packages"
    new=build/packages/$package.new
    rm -rf "$new" && mkdir -p "$new"
    (cd "$new" && apt-get -o APT::Sandbox::User=root download -q "$package" && dpkg-deb -x ./*.deb . && rm ./*.deb)
    find "$new" -type l -name '*.so' -delete # they point to libraries that are not unpacked
    mv "$new" "build/packages/$package"
done
