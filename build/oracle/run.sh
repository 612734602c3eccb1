#!/bin/sh
# Makes the fixtures under core/family/testdata anew from the pinned library.
#
#   build/oracle/run.sh [FOLDER | FOLDER/TYPE]…
#
# Without an argument everything is made: about an hour on two cores, no GPU,
# 5.6 GB for the packages. With arguments only those types are, and the rest of
# the fixtures stays as it is. Run it in the root of the repository.
set -eu
export PYTHONDONTWRITEBYTECODE=1

home=.cache/oracle
here=build/oracle
if [ ! -x "$home/venv/bin/python" ]; then
	mkdir -p "$home"
	python3 -m venv "$home/venv"
fi
"$home/venv/bin/pip" install --quiet -r "$here/requirements.txt"

# Types that appeared, defaults that moved: what families have to follow.
"$home/venv/bin/python" "$here/changes.py"

out="$home/out"
rm -rf "$out"
"$home/venv/bin/python" "$here/oracle.py" "$out" "$@"
if [ $# -eq 0 ]; then
	"$home/venv/bin/python" "$here/real.py" "$out"
	"$home/venv/bin/python" "$here/catalogue.py"
	"$home/venv/bin/python" "$here/pictures.py"
fi
go run ./build fixtures "$out"
