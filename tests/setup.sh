#!/bin/sh
# Looks for each tool, and installs or names what is missing; when nothing is, it takes milliseconds
# and prints nothing.
#
#     EMCC=emcc CLANG=clang sh tests/setup.sh build|check|coverage|torch
#
# `build`: module and site; `check`: analysis and tests; `coverage`: which lines the fuzz corpus
# reaches; `torch`: PyTorch for the tests that run it (a minute and 634 MB on Debian, nothing elsewhere).
set -eu
missing=""
lacks() { missing="$missing $1"; }
has() { command -v "$1" >/dev/null 2>&1; }
any() { for file in "$@"; do if [ -e "$file" ]; then return 0; fi; done; return 1; }
look() {
  missing=""
  if [ "$1" = build ]; then
    has node || lacks nodejs
    has npm || lacks npm
    has "$EMCC" || lacks emscripten
    # Debian's emcc does not work without this one; another emcc does not need it.
    if any /usr/share/emscripten/emcc.py && ! any /usr/share/nodejs/acorn; then lacks node-acorn; fi
  elif [ "$1" = torch ]; then
    if has dpkg && ! { any /usr/lib/python3/dist-packages/torch &&
                       any /usr/lib/python3/dist-packages/numpy; }; then
      lacks python3-torch
      lacks python3-numpy
    fi
  elif [ "$1" = coverage ]; then
    has llvm-cov || lacks llvm
  else
    has "$CLANG" || lacks clang
    has clang-format || lacks clang-format
    has clang-tidy || lacks clang-tidy
    has cppcheck || lacks cppcheck
    if has dpkg; then
      any /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan* || lacks libclang-rt-dev
      any /usr/share/fonts/*/*/*CJK* || lacks fonts-noto-cjk
    fi
    if [ -z "${CHROMIUM:-}" ]; then
      has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome \
        || has google-chrome-stable || any "/Applications/Google Chrome.app" || lacks chromium
    fi
    # The other browsers come from Debian; elsewhere their tests are skipped where they are missing.
    if has dpkg; then
      has firefox-esr || has firefox || lacks firefox-esr
      has WebKitWebDriver || lacks webkit2gtk-driver
      has Xvfb || lacks xvfb
    fi
  fi
}
look "$1"
if [ -n "$missing" ]; then
  root=""
  if [ "$(id -u)" != 0 ]; then root=sudo; fi
  if ! has apt-get || { [ -n "$root" ] && ! has sudo; }; then
    echo "Please install (Debian's names):$missing" >&2
    case "$missing" in *emscripten*)
      echo "Emscripten for any system: https://emscripten.org/docs/getting_started/downloads.html" >&2
    esac
    exit 1
  fi
  echo "Installing from the distribution:$missing"
  export DEBIAN_FRONTEND=noninteractive
  for try in 1 2 3; do
    # Package lists may be old: they are fetched first. Networks fail: three tries.
    # Of Chromium, the one without windows where there is one: tests take a third less time with it.
    if $root apt-get -qq update && shell=chromium-headless-shell &&
       if ! apt-cache show $shell >/dev/null 2>&1; then shell=chromium; fi &&
       $root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
         $(echo "$missing" | sed "s/chromium/$shell/") >/dev/null
    then break; fi
    if [ $try = 3 ]; then echo "Could not install:$missing" >&2; exit 1; fi
    sleep 3
  done
  look "$1"
  if [ -n "$missing" ]; then echo "Still missing after installing:$missing" >&2; exit 1; fi
fi
if [ "$1" = build ] && ! node -e 'const [a, b] = process.versions.node.split(".").map(Number);
    process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "Node $(node --version) is too old (20.19 is needed): taking Node 22 from npm into build/node"
  mkdir -p build/node
  npm install --prefix build/node --no-package-lock --loglevel=error node@22 || {
    echo "Please install Node 20.19 or newer: https://nodejs.org/" >&2; exit 1; }
fi
