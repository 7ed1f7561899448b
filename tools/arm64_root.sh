#!/bin/sh
# arm64_root.sh - unpacks the arm64 libraries that hybridlua and its specs need, with their dependencies, into
# build/arm64/root, unless they exist.
#
# Not all of Debian's arm64 packages can be installed beside those of this processor. So apt gets settings here for a
# system without installed packages; it needs no root rights and changes nothing outside that folder. The servers of
# /etc/apt must have packages for arm64, as Debian's do.
set -eu
libraries="libc6-dev liblua5.4-dev libcjson-dev zlib1g-dev libedit-dev libopenblas0-openmp libpng-dev libjpeg-dev \
  lua-filesystem lua-system lua-term"
cd "$(dirname "$0")/.."
root=$PWD/build/arm64/root
[ "$(cat "$root/libraries" 2>/dev/null)" != "$libraries" ] || exit 0
command -v apt-get >/dev/null || { echo "arm64_root: there is no apt-get to fetch libraries for arm64" >&2; exit 1; }
echo "arm64_root: fetching with apt-get, for arm64: $libraries"
apt=$root/apt
rm -rf "$root"
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
cat >"$apt/settings" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::State::Lists "$apt/lists";
Dir::State::Status "/dev/null";
Dir::Cache "$apt";
END
export APT_CONFIG="$apt/settings"
apt-get update -q
# shellcheck disable=SC2086  # a list of words
apt-get install -q -y --no-install-recommends --download-only $libraries
for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
rm -r "$apt" "$root/etc" "$root/var"       # make would read a folder called ld.so.conf.d
# Links to /lib are for the folder's own lib.
find "$root" -type l -lname '/*' | while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done
echo "$libraries" >"$root/libraries"
