#!/bin/sh
# setup.sh build|test|check - installs what is missing on Debian or Ubuntu, and says what it does.
# Asks for root rights (sudo) only when something has to be installed.
set -eu
build="gcc libc6-dev make pkg-config liblua5.4-dev libcjson-dev zlib1g-dev libpng-dev libjpeg-dev libedit-dev libopenblas0-openmp"
case "${1:-build}" in
  build) packages="$build" ;;
  test)  packages="$build lua5.4 lua-busted" ;;
  check) packages="$build lua5.4 lua-check" ;;
  *) echo "usage: tools/setup.sh build|test|check" >&2; exit 2 ;;
esac
missing=""
for package in $packages; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
  echo "setup: these packages are missing, and there is no apt-get to install them:$missing" >&2
  exit 1
fi
root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: run this as root, or install with apt-get:$missing" >&2; exit 1; }
  root="sudo"
fi
echo "setup: installing with apt-get:$missing"
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -q
# shellcheck disable=SC2086  # a list of words
$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
