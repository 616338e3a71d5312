# Completion of obk for fish. Made by `npm run completions` from the tree of commands; do not edit.
function __obk_typed --description 'the words after obk that stand before the one being typed'
    set -l typed (commandline -opc)
    string join ' ' -- $typed[2..-1]
end

function __obk_plain --description 'whether only a word of a command can stand here'
    string match -q -- '-*' (commandline -ct); and return 1
    contains -- (__obk_typed | string collect -a) '' 'payment' 'basket' 'sca' 'consent' 'pending' 'log' 'profile' 'cert' 'sandbox' 'sandbox psu' 'sandbox fault' 'sandbox scenario' 'help'
end

function __obk_at --description 'whether the words so far are these'
    __obk_plain; and test (__obk_typed | string collect -a) = "$argv"
end

function __obk_values --description 'what obk itself knows for this place'
    set -l typed (commandline -opc)
    set -l lines (obk __complete -- $typed[2..-1] (commandline -ct | string collect -a) 2>/dev/null)
    if test "$lines[-1]" = ':0'
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    else if test (count $lines) -gt 1
        printf '%s
' $lines[1..-2]
    end
end

complete -c obk -f
complete -c obk -n 'not __obk_plain' -a '(__obk_values)'
complete -c obk -n '__obk_at' -a payment -d 'Start payments and follow them'
complete -c obk -n '__obk_at' -a basket -d 'Sign several payments at once'
complete -c obk -n '__obk_at' -a sca -d 'One step of an authorisation at a time'
complete -c obk -n '__obk_at' -a consent -d 'Access to accounts: ask for it, renew it, end it'
complete -c obk -n '__obk_at' -a pending -d 'What is unfinished or unknown'
complete -c obk -n '__obk_at' -a api -d 'Send any request of the interface, signed'
complete -c obk -n '__obk_at' -a explain -d 'Explain a status, an error code, a header ...'
complete -c obk -n '__obk_at' -a log -d 'What was sent and answered'
complete -c obk -n '__obk_at' -a profile -d 'Banks and certificates to work with'
complete -c obk -n '__obk_at' -a whoami -d 'Show which bank and certificate are used'
complete -c obk -n '__obk_at' -a cert -d 'Look at certificates, check and make them'
complete -c obk -n '__obk_at' -a sandbox -d 'The bank inside'
complete -c obk -n '__obk_at' -a completion -d 'Print the completion script of a shell'
complete -c obk -n '__obk_at' -a version -d 'Print the version'
complete -c obk -n '__obk_at' -a help -d 'Help on a command or a topic'
complete -c obk -n '__obk_at payment' -a init -d 'Start a payment and lead the PSU through SCA'
complete -c obk -n '__obk_at payment' -a get -d 'Read a payment as the bank has it'
complete -c obk -n '__obk_at payment' -a status -d 'Ask where a payment stands'
complete -c obk -n '__obk_at payment' -a authorise -d 'Authorise a payment, or go on where it stopped'
complete -c obk -n '__obk_at payment' -a cancel -d 'Cancel a payment that is not executed yet'
complete -c obk -n '__obk_at payment' -a authorisations -d 'List the authorisations of a payment'
complete -c obk -n '__obk_at payment' -a lint -d 'Check a payment file before it is sent'
complete -c obk -n '__obk_at payment' -a list -d 'List the payments started from here'
complete -c obk -n '__obk_at basket' -a create -d 'Put payments and consents into a signing basket'
complete -c obk -n '__obk_at basket' -a get -d 'Read a basket as the bank has it'
complete -c obk -n '__obk_at basket' -a status -d 'Ask where a basket stands'
complete -c obk -n '__obk_at basket' -a authorise -d 'Authorise a basket, or go on where it stopped'
complete -c obk -n '__obk_at basket' -a delete -d 'Delete a basket that is not authorised'
complete -c obk -n '__obk_at basket' -a list -d 'List the baskets created from here'
complete -c obk -n '__obk_at sca' -a status -d 'Show where authorisations stand'
complete -c obk -n '__obk_at sca' -a methods -d 'List the offered methods'
complete -c obk -n '__obk_at sca' -a select -d 'Choose a method'
complete -c obk -n '__obk_at sca' -a submit -d 'Send a password or a one-time password'
complete -c obk -n '__obk_at sca' -a open -d 'Open the link to the bank\'s page'
complete -c obk -n '__obk_at consent' -a create -d 'Ask for access and lead the PSU through SCA'
complete -c obk -n '__obk_at consent' -a authorise -d 'Authorise a consent, or go on where it stopped'
complete -c obk -n '__obk_at consent' -a get -d 'Read a consent as the bank has it'
complete -c obk -n '__obk_at consent' -a status -d 'Ask where a consent stands'
complete -c obk -n '__obk_at consent' -a list -d 'List the consents created from here'
complete -c obk -n '__obk_at consent' -a use -d 'Make a consent the active one'
complete -c obk -n '__obk_at consent' -a renew -d 'Create one with the same access'
complete -c obk -n '__obk_at consent' -a delete -d 'End a consent at the bank'
complete -c obk -n '__obk_at pending' -a list -d 'List what is unfinished or unknown'
complete -c obk -n '__obk_at pending' -a show -d 'Show one entry whole'
complete -c obk -n '__obk_at pending' -a resume -d 'Go on with an entry where that is safe'
complete -c obk -n '__obk_at pending' -a resolve -d 'Settle an unknown entry with what you found out'
complete -c obk -n '__obk_at log' -a list -d 'List the runs, newest first'
complete -c obk -n '__obk_at log' -a show -d 'Show the calls of one run'
complete -c obk -n '__obk_at profile' -a list -d 'List the profiles'
complete -c obk -n '__obk_at profile' -a show -d 'Show one profile'
complete -c obk -n '__obk_at profile' -a create -d 'Create a profile'
complete -c obk -n '__obk_at profile' -a use -d 'Make a profile the active one'
complete -c obk -n '__obk_at profile' -a edit -d 'Change settings of a profile'
complete -c obk -n '__obk_at profile' -a delete -d 'Delete a profile'
complete -c obk -n '__obk_at cert' -a create -d 'Make a test certificate of a test authority'
complete -c obk -n '__obk_at cert' -a inspect -d 'Show what certificates say'
complete -c obk -n '__obk_at cert' -a lint -d 'Say what a bank would refuse of a certificate'
complete -c obk -n '__obk_at cert' -a expiry -d 'List certificates by the day they expire'
complete -c obk -n '__obk_at sandbox' -a start -d 'Run the bank inside on its own'
complete -c obk -n '__obk_at sandbox' -a people -d 'Show the customers of the bank inside'
complete -c obk -n '__obk_at sandbox' -a psu -d 'Approve or refuse in place of the customer'
complete -c obk -n '__obk_at sandbox' -a fault -d 'Make the bank inside misbehave'
complete -c obk -n '__obk_at sandbox' -a scenario -d 'How the bank inside differs from its standard'
complete -c obk -n '__obk_at sandbox' -a clock -d 'Show or move the clock of the bank inside'
complete -c obk -n '__obk_at sandbox' -a reset -d 'Give the bank inside a new, empty ledger'
complete -c obk -n '__obk_at sandbox psu' -a approve -d 'Approve an open authorisation'
complete -c obk -n '__obk_at sandbox psu' -a refuse -d 'Refuse an open authorisation'
complete -c obk -n '__obk_at sandbox psu' -a revoke -d 'Revoke a valid consent in place of the customer'
complete -c obk -n '__obk_at sandbox fault' -a add -d 'Add a fault'
complete -c obk -n '__obk_at sandbox fault' -a list -d 'List the faults that wait'
complete -c obk -n '__obk_at sandbox fault' -a clear -d 'Take all faults away'
complete -c obk -n '__obk_at sandbox scenario' -a list -d 'List the switches and their values'
complete -c obk -n '__obk_at sandbox scenario' -a get -d 'Show one switch and what each value means'
complete -c obk -n '__obk_at sandbox scenario' -a set -d 'Set one switch'
complete -c obk -n '__obk_at help' -a exit-codes -d 'What each exit code means'
complete -c obk -n '__obk_at help' -a flags -d 'The flags of every command'
complete -c obk -n '__obk_at help' -a environment -d 'The variables that obk reads'
complete -c obk -n '__obk_at help' -a references -d 'How secrets are given'
