#!/bin/sh
# Makes the fixtures under core/family/testdata anew from the pinned library.
#
#   build/oracle/run.sh [real | catalogue | pictures | FOLDER | FOLDER/TYPE]…
#
# Without an argument everything is made: about twenty minutes on one core, no GPU,
# 5.7 GB for the packages. With arguments only those parts are, and the rest of
# the fixtures stays as it is, as does that of a type which the library no longer
# builds: the run ends with an error that names it. Run it in the root of the repository.
set -eu
export PYTHONDONTWRITEBYTECODE=1 TRANSFORMERS_VERBOSITY=critical

home=.cache/oracle
here=build/oracle
python="$home/venv/bin/python"
if [ ! -x "$python" ]; then
	mkdir -p "$home"
	python3 -m venv "$home/venv"
fi
"$python" -m pip install --quiet -r "$here/requirements.txt"

# Types that appeared, defaults that moved: what families have to follow.
"$python" "$here/changes.py"

out="$home/out"
rm -rf "$out"
failed=0 types=
for part in real catalogue pictures; do
	case " ${*:-$part} " in *" $part "*) "$python" "$here/$part.py" "$out" || failed=1 ;; esac
done
for word in "$@"; do
	case $word in real | catalogue | pictures) ;; *) types="$types $word" ;; esac
done
if [ $# -eq 0 ] || [ -n "$types" ]; then
	"$python" "$here/oracle.py" "$out" $types || failed=1
fi
[ ! -d "$out" ] || go run ./build fixtures "$out"
exit $failed
