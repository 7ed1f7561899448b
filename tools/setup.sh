#!/bin/sh
# setup.sh build|test|check|arm64 - installs what is missing on Debian or Ubuntu, and says what it does.
# Asks for root rights (sudo) only if something must be installed. If the picture libraries cannot be installed, it
# continues: PNG and JPEG are then refused, and plots are text and SVG only. `arm64` is for a build by the cross compiler;
# tools/arm64_root.sh gets its libraries.
set -eu
build="gcc libc6-dev make pkg-config liblua5.4-dev libcjson-dev zlib1g-dev libedit-dev libopenblas0-openmp"
optional="libpng-dev libjpeg-dev libcairo2"
case "${1:-build}" in
  build) packages="$build" ;;
  test)  packages="$build lua5.4 lua-busted" ;;
  check) packages="$build lua5.4 lua-check" ;;
  arm64) packages="$build lua5.4 lua-busted gcc-aarch64-linux-gnu qemu-user" && tools/arm64_root.sh ;;
  *) echo "usage: tools/setup.sh build|test|check|arm64" >&2; exit 2 ;;
esac

missing_of() {
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf ' %s' "$package"
  done
}

# Installs packages; without root rights, or apt-get, it says so and fails.
install() {
  if ! command -v apt-get >/dev/null; then
    echo "setup: these packages are missing, and there is no apt-get to install them: $*" >&2
    return 1
  fi
  root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: run this as root, or install with apt-get: $*" >&2; return 1; }
    root="sudo"
  fi
  echo "setup: installing with apt-get: $*"
  $root apt-get update -q && $root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# shellcheck disable=SC2046,SC2086  # lists of words
{
  missing=$(missing_of $packages)
  wanted=$(missing_of $optional)
  [ -z "$missing$wanted" ] && exit 0
  [ -n "$missing" ] && install $missing $wanted && exit 0
  [ -n "$missing" ] && { [ -n "$wanted" ] && install $missing || exit 1; }
  [ -z "$wanted" ] || install $wanted || echo "setup: going on without $wanted: PNG and JPEG files will be refused" >&2
}
