#!/bin/sh
# gallery.sh DIR - draws the pictures of docs/gallery.md into the folder DIR: those of the examples that draw, with
# their usual settings. Needs graphviz.
set -eu
directory=${1:?usage: tools/gallery.sh DIR}
command -v dot >/dev/null || { echo "gallery: there is no dot; install graphviz" >&2; exit 1; }
mkdir -p "$directory"
./hybridlua examples/report.lua --out "$directory/report.svg"
./hybridlua examples/see_the_graph.lua "$directory/see_the_graph.svg" >/dev/null
for name in detect gan vae; do ./hybridlua examples/$name.lua --out "$directory/$name.png"; done
ls -l "$directory"
