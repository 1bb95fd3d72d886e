#!/bin/sh
# Installs the Debian packages of packages.txt, or of another list of that form, that are missing.
set -eu
cd "$(dirname "$0")/.."

wanted=$(sed 's/#.*//' "${1:-packages.txt}")

missing=
for package in $wanted; do
    case $package in nodejs) program=node ;; npm | chromium) program=$package ;; *) program= ;; esac
    [ -z "$program" ] || ! command -v "$program" >/dev/null || continue # from elsewhere will do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "setup: all packages are there"
    exit 0
fi

if ! command -v apt-get >/dev/null; then
    echo "setup: this system has no apt-get; install what corresponds to:" $missing >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: neither root nor sudo; as root run: apt-get install" $missing >&2
        exit 1
    fi
    as_root=sudo
fi

echo "setup: installing" $missing
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
