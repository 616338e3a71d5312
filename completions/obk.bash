# Completion of obk for bash (3.2 and later; bash-completion is not needed). Made by `npm run completions` from the tree of commands; do not edit.
_obk_commands() {
  case "$1" in
    '') printf '%s\n' payment basket sca pending consent accounts transactions cards funds log report explain api listen spec sign sandbox check journey auth profile bank config state whoami doctor cert completion commands version help ;;
    'payment') printf '%s\n' init get status authorise cancel authorisations lint csv-template list ;;
    'basket') printf '%s\n' create get status authorise delete list ;;
    'sca') printf '%s\n' status methods select submit open ;;
    'pending') printf '%s\n' list show resume resolve ;;
    'consent') printf '%s\n' create authorise get status list use renew delete ;;
    'accounts') printf '%s\n' list get balances ;;
    'transactions') printf '%s\n' list get read ;;
    'cards') printf '%s\n' list get balances transactions ;;
    'funds') printf '%s\n' check ;;
    'log') printf '%s\n' list show tail har curl diff prune erase ;;
    'spec') printf '%s\n' diff ;;
    'sign') printf '%s\n' explain verify ;;
    'sandbox') printf '%s\n' start replay record status stop people seed export schema psu fault client scenario clock log resend snapshot tenant reset ;;
    'sandbox psu') printf '%s\n' approve refuse revoke ;;
    'sandbox fault') printf '%s\n' add list clear ;;
    'sandbox client') printf '%s\n' add list ;;
    'sandbox scenario') printf '%s\n' list get set ;;
    'sandbox snapshot') printf '%s\n' save list restore delete ;;
    'sandbox tenant') printf '%s\n' list create delete ;;
    'check') printf '%s\n' diff rules request ;;
    'journey') printf '%s\n' run list record diff schema ;;
    'auth') printf '%s\n' login status refresh logout ;;
    'profile') printf '%s\n' list show create use edit export import delete ;;
    'bank') printf '%s\n' list lint explain show diff schema ;;
    'config') printf '%s\n' list get set unset trust ;;
    'state') printf '%s\n' verify backup init migrate status import export rekey doctor ;;
    'cert') printf '%s\n' create inspect import lint expiry rollover ;;
    'help') printf '%s\n' exit-codes errors flags environment json scripting references ;;
  esac
}

_obk() {
  # bash splits words at = and : as well, so the line itself is read; it is never evaluated.
  local line="${COMP_LINE:0:COMP_POINT}" path='' plain=1 found='' current word
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  words=("${words[@]:1}")
  local last=$((${#words[@]} - 1))
  current="${words[$last]}"
  for word in "${words[@]:0:$last}"; do
    [[ $'\n'"$(_obk_commands "$path")"$'\n' == *$'\n'"$word"$'\n'* ]] || plain=0
    path="${path:+$path }$word"
  done
  [[ $current == -* ]] && plain=0
  ((plain)) && found="$(_obk_commands "$path")"
  if [[ -z $found ]]; then
    found="$(obk __complete -- "${words[@]}" 2>/dev/null)"
    local directive="${found##*:}"
    found="${found%:*}"
    if [[ $directive == 0 ]]; then
      compopt -o filenames 2>/dev/null
      while IFS='' read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${current#--*=}")
      return
    fi
    [[ $directive == *[2367] ]] && compopt -o nospace 2>/dev/null
  fi
  # What stands before the last = or : is not part of the word that bash replaces.
  local before=''
  [[ $current == *[=:]* ]] && before="${current%"${current##*[=:]}"}"
  while IFS=$'\t' read -r word _; do
    [[ -n $word && $word == "$current"* ]] || continue
    # A bank may have named it: what the shell would read otherwise is quoted.
    printf -v word '%q' "${word#"$before"}"
    COMPREPLY+=("$word")
  done <<<"$found"
}
complete -F _obk obk
