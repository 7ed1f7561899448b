#!/bin/sh
# setup.sh DIR - virtual environments for the comparisons beside this file: DIR/mxnet, DIR/torch, DIR/jax.
# Any Python 3.8 or newer runs the comparisons. MXNet's last release needs Python 3.11 and an old NumPy; none of this is
# needed by hybridlua.
set -e
directory=${1:?usage: bench/peers/setup.sh DIR}
python=${PYTHON:-python3.11}

environment() {  # NAME PACKAGES...
  name=$1
  shift
  [ -x "$directory/$name/bin/python" ] || "$python" -m venv "$directory/$name"
  "$directory/$name/bin/pip" install --quiet "$@"
}

environment mxnet mxnet==1.9.1 numpy==1.23.5
environment torch torch==2.13.0 numpy --extra-index-url https://download.pytorch.org/whl/cpu
environment jax jax
