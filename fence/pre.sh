# Sourced by every Bash call of a session, before its command: bash and zsh, through the client's environment file
# (docs/fence.md). Builtins only, until there is something to fence. It must never stop a command: nothing here may
# fail, print, or leave an option set, also under `set -eu`.
#
#   GUARD_FENCE_AT     the repository's fence directory: held, run/
#   GUARD_FENCE_OF     the session's main agent, as the ledger calls it
#   GUARD_FENCE_BY     the program that runs the helper;  GUARD_FENCE_HELPER: the helper's file
#   GUARD_FENCE_MODE   open: a command runs unfenced where the fence fails; closed: it does not run

_g_run=${BASH_EXECUTION_STRING:-${ZSH_EXECUTION_STRING:-}}

# Whose command this is: the last mark, which guard's hook put behind everything that an agent wrote.
_g_name='' _g_seal=''
case $_g_run in
  *'# guard:'*)
    _g_seal=${_g_run##*'# guard:'}
    _g_name=${_g_seal%%[!A-Za-z0-9_@.:~+/-]*}
    _g_seal=${_g_seal#"$_g_name"}
    _g_seal=${_g_seal# }
    _g_seal=${_g_seal%%[!0-9a-f]*}
    ;;
esac

# For guard's own commands that no shell stands above any more (src/cli/spoken-mark.ts). A seal cannot be made up.
if [ -n "$_g_name" ]; then
  export GUARD_MARK="$_g_name $_g_seal"
else
  unset GUARD_MARK
fi

# A mark names an agent of this session, or nobody: then all that the session holds stays writable.
case $_g_name in
  main | "$GUARD_FENCE_OF") _g_me=$GUARD_FENCE_OF ;;
  "$GUARD_FENCE_OF"/*) _g_me=$_g_name ;;
  '' | claude-* | */*) _g_me="$GUARD_FENCE_OF/*" ;;
  *) _g_me="$GUARD_FENCE_OF/$_g_name" ;;
esac

# exec keeps the process id, so the second round in the fence knows itself; a client started inside is fenced anew.
if [ "${GUARD_FENCED-}" != "$$" ] && [ -n "$_g_run" ] && [ -s "$GUARD_FENCE_AT/held" ] &&
  [ -x "$GUARD_FENCE_BY" ] && [ -r "$GUARD_FENCE_HELPER" ] && IFS= read -r _g_who < "$GUARD_FENCE_AT/held"; then
  if [ "$_g_who" != '#' ] && [ "$_g_who" != "# ${_g_me%'/*'}" ]; then
    _g_sh=${BASH:-${ZSH_ARGZERO:-$0}} _g_login=''
    if [ -n "${ZSH_VERSION-}" ]; then
      if [[ -o login ]]; then _g_login=yes; fi
    elif shopt -q login_shell; then
      _g_login=yes
    fi
    # PERL5OPT, PERL5LIB and PERL_UNICODE are for the command's own perl. They must neither break the helper nor steer it.
    case $GUARD_FENCE_HELPER in *.pl) _g_bare=-tXC0 ;; *) _g_bare='' ;; esac
    if [ -x "$_g_sh" ]; then
      # Otherwise perl warns on the command's stderr about a locale that is not installed. The helper removes it again.
      if [ -n "$_g_bare" ]; then export PERL_BADLANG="${PERL_BADLANG-}"; fi
      exec "$GUARD_FENCE_BY" ${_g_bare:+"$_g_bare"} "$GUARD_FENCE_HELPER" run "$GUARD_FENCE_AT/held" "$_g_me" "$GUARD_FENCE_AT/run" \
        "$GUARD_FENCE_MODE" "$_g_sh" ${_g_login:+-l} -c "$_g_run"
    fi
  fi
fi
unset _g_run _g_name _g_seal _g_me _g_who _g_sh _g_login _g_bare
