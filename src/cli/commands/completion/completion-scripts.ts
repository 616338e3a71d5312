import type { Listed } from '../../context.ts';
import { shellQuoted } from '../../../base/command-line.ts';

/** The shells that obk completes in. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** The file of each in completions/. */
export const scriptFiles: Readonly<Record<Shell, string>> = {
  bash: 'obk.bash',
  zsh: '_obk',
  fish: 'obk.fish',
  powershell: 'obk.ps1',
};

/**
 * The completion script of a shell. The words of the commands stand in it; everything else is asked from `obk __complete`,
 * which gets the words as they were typed, as arguments: nothing on the line is ever evaluated.
 */
export function completionScript(shell: Shell, entries: readonly Listed[]): string {
  return scripts[shell](levels(entries));
}

const about = (comment: string, shell: string) =>
  `${comment} Completion of obk for ${shell}. Made by \`npm run completions\` from the tree of commands; do not edit.`;

interface Below {
  parent: string;
  below: { name: string; summary: string }[];
}

/** The commands below each command, obk itself first. */
function levels(entries: readonly Listed[]): Below[] {
  const found = new Map<string, Below>();
  for (const { path, summary, hidden } of entries) {
    if (hidden === true) continue;
    const words = path.split(' ');
    const parent = words.slice(0, -1).join(' ');
    const level = found.get(parent) ?? { parent, below: [] };
    level.below.push({ name: words.at(-1) ?? '', summary });
    found.set(parent, level);
  }
  return [...found.values()];
}

const scripts: Readonly<Record<Shell, (levels: readonly Below[]) => string>> = {
  bash: (levels) => `${about('#', 'bash (3.2 and later; bash-completion is not needed)')}
_obk_commands() {
  case "$1" in
${levels
  .map(
    ({ parent, below }) =>
      `    ${shellQuoted(parent)}) printf '%s\\n' ${below.map(({ name }) => name).join(' ')} ;;`,
  )
  .join('\n')}
  esac
}

_obk() {
  # bash splits words at = and : as well, so the line itself is read; it is never evaluated.
  local line="\${COMP_LINE:0:COMP_POINT}" path='' plain=1 found='' current word
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  words=("\${words[@]:1}")
  local last=$((\${#words[@]} - 1))
  current="\${words[$last]}"
  for word in "\${words[@]:0:$last}"; do
    [[ $'\\n'"$(_obk_commands "$path")"$'\\n' == *$'\\n'"$word"$'\\n'* ]] || plain=0
    path="\${path:+$path }$word"
  done
  [[ $current == -* ]] && plain=0
  ((plain)) && found="$(_obk_commands "$path")"
  if [[ -z $found ]]; then
    found="$(obk __complete -- "\${words[@]}" 2>/dev/null)"
    local directive="\${found##*:}"
    found="\${found%:*}"
    if [[ $directive == 0 ]]; then
      compopt -o filenames 2>/dev/null
      while IFS='' read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${current#--*=}")
      return
    fi
    [[ $directive == *[2367] ]] && compopt -o nospace 2>/dev/null
  fi
  # What stands before the last = or : is not part of the word that bash replaces.
  local before=''
  [[ $current == *[=:]* ]] && before="\${current%"\${current##*[=:]}"}"
  while IFS=$'\\t' read -r word _; do
    [[ -n $word && $word == "$current"* ]] || continue
    # A bank may have named it: what the shell would read otherwise is quoted.
    printf -v word '%q' "\${word#"$before"}"
    COMPREPLY+=("$word")
  done <<<"$found"
}
complete -F _obk obk
`,
  zsh: (levels) => `#compdef obk
${about('#', 'zsh')}
_obk_commands() {
  case "$1" in
${levels
  .map(
    ({ parent, below }) =>
      `    ${shellQuoted(parent)}) reply=(${below.map(({ name, summary }) => shellQuoted(`${name}:${summary.replaceAll(':', '\\:')}`)).join(' ')}) ;;`,
  )
  .join('\n')}
    *) reply=() ;;
  esac
}

_obk() {
  local path_='' word line
  local -a reply typed candidates
  local -i plain=1
  typed=("\${(@)words[2,CURRENT]}")
  for word in "\${(@)typed[1,-2]}"; do
    _obk_commands "$path_"
    (( \${#reply[(R)\${(b)word}:*]} )) || plain=0
    path_="\${path_:+$path_ }$word"
  done
  [[ $typed[-1] == -* ]] && plain=0
  _obk_commands "$path_"
  if (( plain && $#reply )); then
    _describe -t commands 'obk command' reply
    return
  fi
  local -a lines
  lines=("\${(@f)$(obk __complete -- "\${(@)typed}" 2>/dev/null)}")
  local directive="\${lines[-1]#:}"
  lines=("\${(@)lines[1,-2]}")
  if [[ $directive == 0 ]]; then
    [[ $typed[-1] == --*=* ]] && compset -P '*='
    _files
    return
  fi
  for line in $lines; do
    word="\${line%%$'\\t'*}"
    word="\${word//\\\\/\\\\\\\\}"
    word="\${word//:/\\\\:}"
    [[ $line == *$'\\t'* ]] && word+=":\${line#*$'\\t'}"
    candidates+=("$word")
  done
  (( directive & 2 )) && _describe -t values 'value' candidates -S '' || _describe -t values 'value' candidates
}

if [[ $funcstack[1] == _obk ]]; then
  _obk "$@"
else
  compdef _obk obk
fi
`,
  fish: (levels) => `${about('#', 'fish')}
function __obk_typed --description 'the words after obk that stand before the one being typed'
    set -l typed (commandline -opc)
    string join ' ' -- $typed[2..-1]
end

function __obk_plain --description 'whether only a word of a command can stand here'
    set -l word (commandline -ct)
    string match -q -- '-*' "$word"; and return 1
    set -l typed (__obk_typed)
    contains -- "$typed" ${levels.map(({ parent }) => shellQuoted(parent)).join(' ')}
end

function __obk_at --description 'whether the words so far are these'
    set -l typed (__obk_typed)
    __obk_plain; and test "$typed" = "$argv"
end

function __obk_values --description 'what obk itself knows for this place'
    set -l typed (commandline -opc)
    # In quotes an empty word is a word, too.
    set -l word (commandline -ct)
    set -l lines (obk __complete -- $typed[2..-1] "$word" 2>/dev/null)
    if test "$lines[-1]" = ':0'
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$word")
    else if test (count $lines) -gt 1
        printf '%s\n' $lines[1..-2]
    end
end

complete -c obk -f
complete -c obk -n 'not __obk_plain' -a '(__obk_values)'
${levels
  .flatMap(({ parent, below }) =>
    below.map(
      ({ name, summary }) =>
        `complete -c obk -n ${shellQuoted(`__obk_at ${parent}`.trim())} -a ${name} -d ${fishQuoted(summary)}`,
    ),
  )
  .join('\n')}
`,
  powershell: () => `${about('#', 'PowerShell')}
Register-ArgumentCompleter -Native -CommandName obk -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    if ($wordToComplete -eq '') { $words += '' }
    $lines = @(& obk __complete -- @words 2>$null)
    if ($lines.Count -lt 2) { return }
    $lines[0..($lines.Count - 2)] | ForEach-Object {
        $value, $description = $_ -split "\`t", 2
        if (-not $description) { $description = $value }
        # A bank may have named it: what the shell would read otherwise is quoted (every kind of quote is one for PowerShell).
        $text = $value
        if ($value -cnotmatch '^[A-Za-z0-9_./:+%=-]+$') {
            $text = "'" + ($value -replace "['\\u2018-\\u201b]", '$0$0') + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
`,
};

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
