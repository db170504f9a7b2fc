#!/bin/sh
# The second helper: bubblewrap, where perl is missing. Its time grows with the square of the number of files, so at most
# 64, and it cannot be changed while it runs: no sync.
#   bwrap.sh run HELD ME RUN MODE SHELL ARG...      bwrap.sh probe
# HELD is described in held.pl.
set -u
MOST=64

if [ "${1-}" = probe ]; then
  exec bwrap --dev-bind / / --ro-bind / /mnt -- /bin/sh -c ':'
fi

held=$2 me=$3 mode=$5
shift 5

is_mine() {
  case $me in
    */'*') [ "$1" = "${me%/\*}" ] || case $1 in "${me%\*}"*) true ;; *) false ;; esac ;;
    *) [ "$1" = "$me" ] ;;
  esac
}

# A path as held.pl writes it; the x keeps a newline at the end.
decode() {
  case $path in *\\*) path=$(printf '%bx' "$path") && path=${path%x} ;; esac
}

# Own files and git's directory are made writable again only where a directory above them is held: what is bound can be
# neither renamed nor replaced.
nl='
'
dirs=$nl
is_inside() {
  above=$1
  while :; do
    above=${above%/*}
    [ -z "$above" ] && return 1
    case $dirs in *"$nl$above$nl"*) return 0 ;; esac
  done
}

# Options are put in front of what is there: own files first, so that they come to lie on top of held directories.
tab=$(printf '\t')
count=0
while IFS=$tab read -r owner kind path rest; do
  [ "$kind" = F ] || continue
  is_mine "$owner" && continue
  decode
  [ -d "$path" ] && dirs=$dirs$path$nl
done < "$held"
# bubblewrap starts a process of its own, which must know itself (pre.sh): else it would be fenced for ever.
set -- -- /bin/sh -c 'GUARD_FENCED=$$; export GUARD_FENCED; exec "$@"' sh "$@"
while IFS=$tab read -r owner kind path rest; do
  case $kind in F | W) ;; *) continue ;; esac
  [ "$kind" = W ] || is_mine "$owner" || continue
  decode
  [ -e "$path" ] && is_inside "$path" && set -- --bind "$path" "$path" "$@"
done < "$held"
while IFS=$tab read -r owner kind path rest; do
  [ "$kind" = F ] || continue
  is_mine "$owner" && continue
  decode
  [ -e "$path" ] || continue
  count=$((count + 1))
  [ "$count" -gt "$MOST" ] && break
  set -- --ro-bind "$path" "$path" "$@"
done < "$held"

if [ "$count" -gt "$MOST" ]; then
  if [ "$mode" = closed ]; then
    echo "guard: more than $MOST files are held, too many for bubblewrap, so the command was not run. Install perl." >&2
    exit 126
  fi
  export GUARD_FENCE_ERROR="only the first $MOST held files are fenced: perl is missing"
fi
if [ "$count" -eq 0 ]; then
  while [ "$1" != -- ]; do shift; done
  shift
  export GUARD_FENCED=$$
  exec "$@"
fi
exec bwrap --dev-bind / / "$@"
