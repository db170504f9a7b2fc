#!/bin/sh
# macOS: sandbox-exec with a profile made of what is held. Written from its documentation and the profiles of other
# programs, and tried on no Mac: guard takes it only where the configuration says `"fence": "required"`.
#   sandbox.sh run HELD ME RUN MODE SHELL ARG...      sandbox.sh probe
# HELD is described in held.pl. Rules are by path, so they outlast a holder's save and cover files that do not exist
# yet; they cannot be changed while the command runs.
set -u

if [ "${1-}" = probe ]; then
  exec /usr/bin/sandbox-exec -p '(version 1)(allow default)' /usr/bin/true
fi

held=$2 me=$3
shift 5

is_mine() {
  case $me in
    */'*') [ "$1" = "${me%/\*}" ] || case $1 in "${me%\*}"*) true ;; *) false ;; esac ;;
    *) [ "$1" = "$me" ] ;;
  esac
}

# As a string of the profile's language.
quoted() {
  case $1 in *\\*) text=$(printf '%bx' "$1") && text=${text%x} ;; *) text=$1 ;; esac
  printf '"%s"' "$(printf '%s' "$text" | sed 's/[\\"]/\\&/g')"
}

# The last rule that matches counts: exceptions come behind.
tab=$(printf '\t')
denied='' allowed=''
while IFS=$tab read -r owner kind path rest; do
  case $owner in '#'* | '') continue ;; esac
  if [ "$kind" = W ] || is_mine "$owner"; then
    allowed="$allowed(allow file-write* (literal $(quoted "$path")) (subpath $(quoted "$path")))"
  elif [ "$kind" = F ]; then
    denied="$denied(deny file-write* (literal $(quoted "$path")) (subpath $(quoted "$path")))"
    denied="$denied(deny file-write-unlink (literal $(quoted "${path%/*}")))"
  fi
done < "$held"

set -- /bin/sh -c 'GUARD_FENCED=$$; export GUARD_FENCED; exec "$@"' sh "$@"
[ -z "$denied" ] && exec "$@"
exec /usr/bin/sandbox-exec -p "(version 1)(allow default)$denied$allowed" "$@"
