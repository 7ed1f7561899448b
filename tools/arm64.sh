#!/bin/sh
# arm64.sh PROGRAM ARGUMENT... - runs a program for arm64 by qemu, with the libraries of tools/arm64_root.sh. Under another
# name it runs build/arm64/hybridlua: build/arm64/tree/hybridlua is a link to this script.
#
# Programs that the program starts run without qemu: the shell, and the cross compiler for generated kernels.
build=$(dirname "$(readlink -f "$0")")/../build/arm64
root=$(realpath "$build/root")
export HYBRIDLUA_CC="${HYBRIDLUA_CC:-aarch64-linux-gnu-gcc --sysroot=$root}"
case ${0##*/} in
  arm64.sh) exec qemu-aarch64 -L "$root" "$@" ;;
  *) exec qemu-aarch64 -L "$root" -0 "$0" "$build/hybridlua" "$@" ;;
esac
