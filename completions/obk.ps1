# Completion of obk for PowerShell. Made by `npm run completions` from the tree of commands; do not edit.
Register-ArgumentCompleter -Native -CommandName obk -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    if ($wordToComplete -eq '') { $words += '' }
    $lines = @(& obk __complete -- @words 2>$null)
    if ($lines.Count -lt 2) { return }
    $lines[0..($lines.Count - 2)] | ForEach-Object {
        $value, $description = $_ -split "`t", 2
        if (-not $description) { $description = $value }
        # A bank may have named it: what the shell would read otherwise is quoted (every kind of quote is one for PowerShell).
        $text = $value
        if ($value -cnotmatch '^[A-Za-z0-9_./:+%=-]+$') {
            $text = "'" + ($value -replace "['\u2018-\u201b]", '$0$0') + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
