#!/bin/sh
# chroot.sh [SUITE [FOLDER]] - tries the README's set-up on a bare system: Debian 12 (bookworm, the
# default) or an Ubuntu (noble, jammy). It makes a minimal system with only make and ca-certificates in
# FOLDER (default /tmp/hybridlua-SUITE), clones this repository's HEAD into it, runs `make train` and
# `make test` there, and reports the build time. It needs root and mmdebstrap, and for Ubuntu its archive
# keyring in /usr/share/keyrings. The folder is removed at the end, unless KEEP=1.
set -eu
suite=${1:-bookworm}
folder=${2:-/tmp/hybridlua-$suite}
case "$suite" in
  bookworm|trixie) components=main; mirror=http://deb.debian.org/debian ;;
  *) components=main,universe; mirror=http://archive.ubuntu.com/ubuntu ;;
esac
[ "$(id -u)" -eq 0 ] || { echo "chroot.sh: needs root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "chroot.sh: install mmdebstrap" >&2; exit 1; }
[ ! -e "$folder" ] || { echo "chroot.sh: $folder exists already" >&2; exit 1; }

clean() {
  umount "$folder/dev/pts" "$folder/proc" 2>/dev/null || true
  [ "${KEEP:-}" = 1 ] || rm -rf --one-file-system "$folder"
}
trap clean EXIT

mmdebstrap --quiet --variant=minbase --components="$components" --include=apt,make,ca-certificates "$suite" "$folder" "$mirror"
git clone --quiet "$(dirname "$0")/.." "$folder/root/hybridlua"
mount -t proc proc "$folder/proc"
mount -t devpts devpts "$folder/dev/pts" -o newinstance,ptmxmode=0666,mode=620
ln -sf pts/ptmx "$folder/dev/ptmx"       # the tests of the prompt need a terminal
cp /etc/resolv.conf "$folder/etc/"

inside() { chroot "$folder" env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
             ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} sh -c "cd /root/hybridlua && $1"; }

inside "tools/setup.sh build"
start=$(date +%s)
inside "make -j2 all" >/dev/null          # what make train would do
echo "chroot.sh: built in $(($(date +%s) - start)) s"
inside "make train"
inside "make test"
