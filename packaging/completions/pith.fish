# Completion of pith for fish. Commands, options and values are asked of pith itself, so they are always its own.
function __pith_words
    switch "$argv[1]"
        case serve
            pith-serve --manual words 2>/dev/null
        case train embed experiment
            pith-train --manual words 2>/dev/null
        case '*'
            pith --manual words 2>/dev/null
    end
end

function __pith_commands
    __pith_words | awk -F'\t' '$2 == "" && $3 == "" { print $1 "\t" $4 }'
end

function __pith_options
    set -l typed (commandline -opc)
    __pith_words $typed[2] | awk -F'\t' -v command="$typed[2]" '$1 == command && $2 != "" { print $2 "\t" $4 }'
end

function __pith_values
    set -l typed (commandline -opc)
    __pith_words $typed[2] | awk -F'\t' -v command="$typed[2]" -v option="$typed[-1]" \
        '$1 == command && $2 == option && $3 ~ /^[a-z0-9-]+([|][a-z0-9-]+)+$/ { gsub(/[|]/, "\n", $3); print $3 }'
end

complete -c pith -n 'test (count (commandline -opc)) -eq 1' -f -a '(__pith_commands)'
complete -c pith -n 'test (count (commandline -opc)) -gt 1; and string match -q -- "-*" (commandline -ct)' -f -a '(__pith_options)'
complete -c pith -n 'test (count (commandline -opc)) -gt 1; and count (__pith_values) >/dev/null' -f -a '(__pith_values)'
